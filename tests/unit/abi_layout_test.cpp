// abi_layout_test.cpp: the layout of every struct that crosses the boundary, in numbers. Programs and plugins built
// years ago rely on them: a line of the first three tests may never change; the others may only get new lines at the
// end.
#include <gtest/gtest.h>

#include <cstddef>
#include <type_traits>
#include <utility>

#include "op2/heads.h"
#include "op2/op2.h"
#include "op2/plugin/comm.h"
#include "op2/plugin/exec.h"
#include "op2/plugin/io.h"
#include "op2/plugin/part.h"

namespace {

// The numbers are those of 64-bit systems with 4-byte int, where libop2 runs today.
static_assert(sizeof(void *) == 8 && sizeof(int) == 4 && sizeof(long long) == 8 && sizeof(size_t) == 8);

#define EXPECT_FIELD(type, field, at, bytes)         \
  EXPECT_EQ(std::size_t{at}, offsetof(type, field)); \
  EXPECT_EQ(std::size_t{bytes}, sizeof(std::declval<type>().field))
#define EXPECT_STRUCT(type, bytes)              \
  EXPECT_EQ(std::size_t{bytes}, sizeof(type));  \
  EXPECT_TRUE(std::is_standard_layout_v<type>); \
  EXPECT_TRUE(std::is_trivially_copyable_v<type>)

TEST(FrozenLayout, HeadsOfSetsMapsAndDats) {
  EXPECT_STRUCT(op_set_core, 32);
  EXPECT_FIELD(op_set_core, index, 0, 4);
  EXPECT_FIELD(op_set_core, size, 4, 4);
  EXPECT_FIELD(op_set_core, name, 8, 8);
  EXPECT_FIELD(op_set_core, core_size, 16, 4);
  EXPECT_FIELD(op_set_core, exec_size, 20, 4);
  EXPECT_FIELD(op_set_core, nonexec_size, 24, 4);
  EXPECT_FIELD(op_set_core, stride, 28, 4);

  EXPECT_STRUCT(op_map_core, 72);
  EXPECT_FIELD(op_map_core, index, 0, 4);
  EXPECT_FIELD(op_map_core, from, 8, 8);
  EXPECT_FIELD(op_map_core, to, 16, 8);
  EXPECT_FIELD(op_map_core, dim, 24, 4);
  EXPECT_FIELD(op_map_core, map, 32, 8);
  EXPECT_FIELD(op_map_core, map_gbl, 40, 8);
  EXPECT_FIELD(op_map_core, map_d, 48, 8);
  EXPECT_FIELD(op_map_core, name, 56, 8);
  EXPECT_FIELD(op_map_core, user_managed, 64, 4);
  EXPECT_FIELD(op_map_core, force_part, 68, 1);

  EXPECT_STRUCT(op_dat_core, 96);
  EXPECT_FIELD(op_dat_core, index, 0, 4);
  EXPECT_FIELD(op_dat_core, set, 8, 8);
  EXPECT_FIELD(op_dat_core, dim, 16, 4);
  EXPECT_FIELD(op_dat_core, size, 20, 4);
  EXPECT_FIELD(op_dat_core, data, 24, 8);
  EXPECT_FIELD(op_dat_core, data_d, 32, 8);
  EXPECT_FIELD(op_dat_core, type, 40, 8);
  EXPECT_FIELD(op_dat_core, name, 48, 8);
  EXPECT_FIELD(op_dat_core, buffer_d, 56, 8);
  EXPECT_FIELD(op_dat_core, buffer_d_r, 64, 8);
  EXPECT_FIELD(op_dat_core, dirtybit, 72, 4);
  EXPECT_FIELD(op_dat_core, dirty_hd, 76, 4);
  EXPECT_FIELD(op_dat_core, user_managed, 80, 4);
  EXPECT_FIELD(op_dat_core, mpi_buffer, 88, 8);
}

TEST(FrozenLayout, LoopArgument) {
  EXPECT_STRUCT(op_arg, 128);
  EXPECT_FIELD(op_arg, index, 0, 4);
  EXPECT_FIELD(op_arg, dat, 8, 8);
  EXPECT_FIELD(op_arg, map, 16, 8);
  EXPECT_FIELD(op_arg, dim, 24, 4);
  EXPECT_FIELD(op_arg, idx, 28, 4);
  EXPECT_FIELD(op_arg, size, 32, 4);
  EXPECT_FIELD(op_arg, data, 40, 8);
  EXPECT_FIELD(op_arg, data_d, 48, 8);
  EXPECT_FIELD(op_arg, map_data, 56, 8);
  EXPECT_FIELD(op_arg, map_data_d, 64, 8);
  EXPECT_FIELD(op_arg, type, 72, 8);
  EXPECT_FIELD(op_arg, acc, 80, 4);
  EXPECT_FIELD(op_arg, argtype, 84, 4);
  EXPECT_FIELD(op_arg, sent, 88, 4);
  EXPECT_FIELD(op_arg, opt, 92, 4);
  EXPECT_FIELD(op_arg, reduction, 96, 8);
  EXPECT_FIELD(op_arg, reserved, 104, 24);
  EXPECT_STRUCT(op_range_arg, 48);
  EXPECT_FIELD(op_range_arg, base, 0, 8);
  EXPECT_FIELD(op_range_arg, stride, 8, 8);
  EXPECT_FIELD(op_range_arg, map, 16, 8);
  EXPECT_FIELD(op_range_arg, map_stride, 24, 4);
  EXPECT_FIELD(op_range_arg, count, 28, 4);
  EXPECT_FIELD(op_range_arg, kind, 32, 4);
  EXPECT_FIELD(op_range_arg, access, 36, 4);
  EXPECT_FIELD(op_range_arg, dim, 40, 4);
  EXPECT_FIELD(op_range_arg, reserved, 44, 4);
}

TEST(FrozenLayout, NumbersOfNames) {
  const int accesses[] = {OP_READ, OP_WRITE, OP_RW, OP_INC, OP_MIN, OP_MAX, OP_WORK, OP_REDUCE};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(i, accesses[i]);
  const int argtypes[] = {OP_ARG_GBL, OP_ARG_DAT, OP_ARG_IDX, OP_ARG_INFO};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(i, argtypes[i]);
  const int ranges[] = {OP_RANGE_DIRECT, OP_RANGE_INDIRECT,  OP_RANGE_VECTOR, OP_RANGE_GLOBAL,
                        OP_RANGE_INDEX,  OP_RANGE_MAP_INDEX, OP_RANGE_OFF};
  for (int i = 0; i < 7; ++i) EXPECT_EQ(i, ranges[i]);
  const int statuses[] = {OP_OK,         OP_ERR_STATE, OP_ERR_ARGUMENT,    OP_ERR_HANDLE, OP_ERR_RANGE,   OP_ERR_TYPE,
                          OP_ERR_DIM,    OP_ERR_SET,   OP_ERR_ACCESS,      OP_ERR_MEMORY, OP_ERR_BACKEND, OP_ERR_PLUGIN,
                          OP_ERR_KERNEL, OP_ERR_FILE,  OP_ERR_UNSUPPORTED, OP_ERR_THREAD, OP_ERR_INTERNAL};
  for (int i = 0; i < 17; ++i) EXPECT_EQ(i, statuses[i]);
  const int types[] = {OP_TYPE_USER, OP_TYPE_DOUBLE, OP_TYPE_FLOAT, OP_TYPE_INT,
                       OP_TYPE_UINT, OP_TYPE_LL,     OP_TYPE_ULL,   OP_TYPE_BOOL};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(i, types[i]);
  const int kinds[] = {OP_PLUGIN_EXEC, OP_PLUGIN_COMM, OP_PLUGIN_PART, OP_PLUGIN_IO, OP_PLUGIN_KINDS};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(i, kinds[i]);
  const int plans[] = {OP_PLAN_NONE, OP_PLAN_BLOCKS, OP_PLAN_BLOCK_COLOURS, OP_PLAN_ELEMENT_COLOURS,
                       OP_PLAN_GLOBAL_COLOURS};
  for (int i = 0; i < 5; ++i) EXPECT_EQ(i, plans[i]);
  const int spaces[] = {OP_SPACE_NONE,        OP_SPACE_HOST,         OP_SPACE_CUDA,
                        OP_SPACE_CUDA_PINNED, OP_SPACE_CUDA_MANAGED, OP_SPACE_PRIVATE};
  const int as_in_dlpack[] = {0, 1, 2, 3, 13, 1000};
  for (int i = 0; i < 6; ++i) EXPECT_EQ(as_in_dlpack[i], spaces[i]);
  EXPECT_EQ(64, OP_MAX_ARGS);
  EXPECT_EQ(1u, OP2_PLUGIN_ABI);
  EXPECT_STREQ("op2_plugin_v1", OP2_PLUGIN_ENTRY_NAME);
  EXPECT_EQ(4u, sizeof(idx_l_t));
  EXPECT_EQ(8u, sizeof(idx_g_t));
}

// ---- structs with their size in front: these lines stay, lines may follow -------------------------------------------

TEST(GrowingLayout, OfPrograms) {
  EXPECT_STRUCT(op_init_params, 40);
  EXPECT_FIELD(op_init_params, size, 0, 8);
  EXPECT_FIELD(op_init_params, argc, 8, 4);
  EXPECT_FIELD(op_init_params, argv, 16, 8);
  EXPECT_FIELD(op_init_params, diags, 24, 4);
  EXPECT_FIELD(op_init_params, threads, 28, 4);
  EXPECT_FIELD(op_init_params, backend, 32, 8);

  EXPECT_STRUCT(op_error, 64);
  EXPECT_FIELD(op_error, size, 0, 8);
  EXPECT_FIELD(op_error, code, 8, 4);
  EXPECT_FIELD(op_error, message, 16, 8);
  EXPECT_FIELD(op_error, call, 24, 8);
  EXPECT_FIELD(op_error, loop, 32, 8);
  EXPECT_FIELD(op_error, arg, 40, 4);
  EXPECT_FIELD(op_error, file, 48, 8);
  EXPECT_FIELD(op_error, line, 56, 4);
}

TEST(GrowingLayout, OfLoops) {
  EXPECT_STRUCT(op_range_ctx, 32);
  EXPECT_FIELD(op_range_ctx, size, 0, 8);
  EXPECT_FIELD(op_range_ctx, args, 8, 8);
  EXPECT_FIELD(op_range_ctx, nargs, 16, 4);
  EXPECT_FIELD(op_range_ctx, reserved, 20, 4);
  EXPECT_FIELD(op_range_ctx, element, 24, 8);

  EXPECT_STRUCT(op_loop_site, 72);
  EXPECT_FIELD(op_loop_site, size, 0, 8);
  EXPECT_FIELD(op_loop_site, element, 8, 8);
  EXPECT_FIELD(op_loop_site, range, 16, 8);
  EXPECT_FIELD(op_loop_site, kernel_name, 24, 8);
  EXPECT_FIELD(op_loop_site, file, 32, 8);
  EXPECT_FIELD(op_loop_site, line, 40, 4);
  EXPECT_FIELD(op_loop_site, reserved, 44, 4);
  EXPECT_FIELD(op_loop_site, text, 48, 8);
  EXPECT_FIELD(op_loop_site, slot_owner, 56, 8);
  EXPECT_FIELD(op_loop_site, slot, 64, 8);
}

TEST(GrowingLayout, OfPluginDescriptors) {
  EXPECT_STRUCT(op_plugin_v1, 72);
  EXPECT_FIELD(op_plugin_v1, size, 0, 8);
  EXPECT_FIELD(op_plugin_v1, abi, 8, 4);
  EXPECT_FIELD(op_plugin_v1, api, 12, 4);
  EXPECT_FIELD(op_plugin_v1, kind, 16, 4);
  EXPECT_FIELD(op_plugin_v1, name, 24, 8);
  EXPECT_FIELD(op_plugin_v1, summary, 32, 8);
  EXPECT_FIELD(op_plugin_v1, build, 40, 8);
  EXPECT_FIELD(op_plugin_v1, parent, 48, 8);
  EXPECT_FIELD(op_plugin_v1, score, 56, 8);
  EXPECT_FIELD(op_plugin_v1, ops, 64, 8);

  EXPECT_STRUCT(op_host_v1, 64);
  EXPECT_FIELD(op_host_v1, size, 0, 8);
  EXPECT_FIELD(op_host_v1, api, 8, 4);
  EXPECT_FIELD(op_host_v1, log, 16, 8);
  EXPECT_FIELD(op_host_v1, fail, 24, 8);
  EXPECT_FIELD(op_host_v1, config, 32, 8);
  EXPECT_FIELD(op_host_v1, alloc, 40, 8);
  EXPECT_FIELD(op_host_v1, free, 48, 8);
  EXPECT_FIELD(op_host_v1, now, 56, 8);
}

TEST(GrowingLayout, OfPluginTables) {
  EXPECT_STRUCT(op_exec_ops_v1, 184);
  EXPECT_FIELD(op_exec_ops_v1, size, 0, 8);
  EXPECT_FIELD(op_exec_ops_v1, open, 8, 8);
  EXPECT_FIELD(op_exec_ops_v1, mem_alloc, 32, 8);
  EXPECT_FIELD(op_exec_ops_v1, kernel_create, 64, 8);
  EXPECT_FIELD(op_exec_ops_v1, loop_run, 96, 8);
  EXPECT_FIELD(op_exec_ops_v1, halo_unpack, 176, 8);

  EXPECT_STRUCT(op_comm_ops_v1, 184);
  EXPECT_FIELD(op_comm_ops_v1, size, 0, 8);
  EXPECT_FIELD(op_comm_ops_v1, open, 8, 8);
  EXPECT_FIELD(op_comm_ops_v1, barrier, 72, 8);
  EXPECT_FIELD(op_comm_ops_v1, halo_free, 144, 8);
  EXPECT_FIELD(op_comm_ops_v1, native, 176, 8);

  EXPECT_STRUCT(op_part_ops_v1, 24);
  EXPECT_FIELD(op_part_ops_v1, part_graph, 8, 8);
  EXPECT_FIELD(op_part_ops_v1, part_points, 16, 8);

  EXPECT_STRUCT(op_io_ops_v1, 80);
  EXPECT_FIELD(op_io_ops_v1, extensions, 8, 8);
  EXPECT_FIELD(op_io_ops_v1, open, 16, 8);
  EXPECT_FIELD(op_io_ops_v1, write_attribute, 72, 8);
}

TEST(GrowingLayout, OfWhatExecutorsGet) {
  EXPECT_STRUCT(op_exec_params, 32);
  EXPECT_FIELD(op_exec_params, host, 8, 8);
  EXPECT_FIELD(op_exec_params, device, 28, 4);
  EXPECT_STRUCT(op_exec_caps, 48);
  EXPECT_FIELD(op_exec_caps, space, 8, 4);
  EXPECT_FIELD(op_exec_caps, transport, 16, 16);
  EXPECT_FIELD(op_exec_caps, concurrency, 40, 4);
  EXPECT_STRUCT(op_exec_source, 56);
  EXPECT_FIELD(op_exec_source, element, 8, 8);
  EXPECT_FIELD(op_exec_source, text, 48, 8);
  EXPECT_STRUCT(op_exec_arg, 48);
  EXPECT_FIELD(op_exec_arg, kind, 0, 4);
  EXPECT_FIELD(op_exec_arg, reduction, 40, 4);
  EXPECT_STRUCT(op_exec_reduce, 48);
  EXPECT_FIELD(op_exec_reduce, record_bytes, 8, 8);
  EXPECT_FIELD(op_exec_reduce, combine, 40, 8);
  EXPECT_STRUCT(op_exec_signature, 48);
  EXPECT_FIELD(op_exec_signature, name, 8, 8);
  EXPECT_FIELD(op_exec_signature, reduce, 40, 8);
  EXPECT_STRUCT(op_exec_wish, 16);
  EXPECT_STRUCT(op_exec_plan, 72);
  EXPECT_FIELD(op_exec_plan, begin, 12, 4);
  EXPECT_FIELD(op_exec_plan, block_offset, 24, 8);
  EXPECT_FIELD(op_exec_plan, block_element_colours, 64, 8);
  EXPECT_STRUCT(op_exec_call, 64);
  EXPECT_FIELD(op_exec_call, args, 8, 8);
  EXPECT_FIELD(op_exec_call, begin, 24, 4);
  EXPECT_FIELD(op_exec_call, reduce_start, 32, 8);
  EXPECT_FIELD(op_exec_call, nwait, 56, 4);
}

} // namespace
