// args_test.cpp: every mistake a program can make in a loop's arguments: the status, a message that names loop,
// argument and objects, and a mesh in which nothing changed.
#include <cstddef>
#include <cstring>
#include <memory>

#include "op2/fortran_support.h"
#include "op2/reduction.h"
#include "op2/user_types.h"
#include "support.hpp"

namespace {

using unit::contains;

struct Wrong {
  const char *name; // of the case
  op_status status;
  int arg;                        // position said to be wrong, -1 = the loop as a whole
  std::vector<std::string> words; // in the message
};

// A small mesh, and arguments that are right: each test breaks one thing.
class Args : public unit::LibraryTest {
 protected:
  void SetUp() override {
    LibraryTest::SetUp();
    ASSERT_EQ(OP_OK, init("seq")) << op_last_error();
    edges = op_decl_set(3, "edges");
    nodes = op_decl_set(4, "nodes");
    cells = op_decl_set(2, "cells");
    const int pairs[] = {0, 1, 1, 2, 2, 3}, sides[] = {0, 1, 0}, corners[] = {0, 1, 2, 1, 2, 3};
    edge_nodes = op_decl_map(edges, nodes, 2, pairs, "edge_nodes");
    edge_cell = op_decl_map(edges, cells, 1, sides, "edge_cell");
    cell_nodes = op_decl_map(cells, nodes, 3, corners, "cell_nodes");
    const double on_nodes[] = {1, 2, 3, 4, 5, 6, 7, 8}, on_edges[] = {9, 10, 11};
    x = op_decl_dat(nodes, 2, "double", on_nodes, "x");
    length = op_decl_dat(edges, 1, "double", on_edges, "length");
    sum = op_decl_reduction(
        "sum", "double", 0, [](void *, const void *, int) {}, &zero);
    ASSERT_NE(nullptr, sum) << op_last_error();
  }

  // The loop must be refused; nothing may have changed by it, and it must run afterwards once the argument is right.
  void refused(const Wrong &wrong, const std::vector<op_arg> &args, op_set over = nullptr) {
    SCOPED_TRACE(wrong.name);
    const std::vector<double> x_before = unit::fetched<double>(x), length_before = unit::fetched<double>(length);
    calls = 0;
    op_clear_error();
    const op_status status = (op_par_loop)(reinterpret_cast<op_kernel_fn>(&kernel), "flux", over ? over : edges,
                                           static_cast<int>(args.size()), args.data());
    const std::string message = op_last_error();
    EXPECT_STREQ(op_status_name(wrong.status), op_status_name(status)) << message;
    EXPECT_EQ(wrong.status, op_last_status());
    op_error info{};
    info.size = sizeof info;
    ASSERT_EQ(OP_OK, op_last_error_info(&info));
    EXPECT_EQ(wrong.arg, info.arg);
    EXPECT_STREQ("flux", info.loop);
    EXPECT_STREQ("op_par_loop", info.call);
    EXPECT_TRUE(contains(message, "loop 'flux'"));
    if (wrong.arg >= 0) {
      EXPECT_TRUE(contains(message, "argument " + std::to_string(wrong.arg) + " (from 0)"));
    }
    for (const std::string &word : wrong.words) EXPECT_TRUE(contains(message, word));
    EXPECT_EQ(0, calls) << "the kernel was called";
    EXPECT_EQ(x_before, unit::fetched<double>(x));
    EXPECT_EQ(length_before, unit::fetched<double>(length));
    EXPECT_EQ(1.0, global);
  }
  op_arg good() const { return op_arg_dat(length, -1, OP_ID, 1, "double", OP_READ); }

  static void kernel(void *, void *) { ++calls; }
  static inline int calls = 0;

  op_set edges = nullptr, nodes = nullptr, cells = nullptr;
  op_map edge_nodes = nullptr, edge_cell = nullptr, cell_nodes = nullptr;
  op_dat x = nullptr, length = nullptr;
  op_reduction sum = nullptr;
  double zero = 0, global = 1, other = 2;
};

TEST_F(Args, RightOnesAreTaken) {
  calls = 0;
  const op_arg args[] = {good(), op_arg_dat(x, 1, edge_nodes, 2, "double", OP_READ)};
  EXPECT_OK((op_par_loop)(reinterpret_cast<op_kernel_fn>(&kernel), "flux", edges, 2, args));
  EXPECT_EQ(3, calls);
  EXPECT_OK((op_par_loop)(reinterpret_cast<op_kernel_fn>(&kernel), "flux", edges, 0, nullptr));
  EXPECT_EQ(6, calls);
}

TEST_F(Args, WrongDat) {
  refused({"NULL", OP_ERR_HANDLE, 1, {"the dat is NULL"}},
          {good(), op_arg_dat(nullptr, -1, OP_ID, 1, "double", OP_READ)});
  refused({"a set", OP_ERR_HANDLE, 0, {"the set 'edges'", "a dat is needed"}},
          {op_arg_dat(reinterpret_cast<op_dat>(edges), -1, OP_ID, 1, "double", OP_READ)});
  refused({"a stranger", OP_ERR_HANDLE, 0, {"the dat is not a dat"}},
          {op_arg_dat(reinterpret_cast<op_dat>(&global), -1, OP_ID, 1, "double", OP_READ)});
  const op_dat scratch = op_decl_dat_temp(edges, 1, "double", "scratch");
  ASSERT_EQ(OP_OK, op_free_dat_temp(scratch));
  refused({"freed", OP_ERR_HANDLE, 0, {"freed"}}, {op_arg_dat(scratch, -1, OP_ID, 1, "double", OP_READ)});
}

TEST_F(Args, FreedAfterTheLoopWasPrepared) {
  const op_dat scratch = op_decl_dat_temp(edges, 1, "double", "scratch");
  const op_arg arg = op_arg_dat(scratch, -1, OP_ID, 1, "double", OP_READ);
  ASSERT_EQ(OP_OK, (op_par_loop)(reinterpret_cast<op_kernel_fn>(&kernel), "flux", edges, 1, &arg));
  ASSERT_EQ(OP_OK, op_free_dat_temp(scratch));
  refused({"freed", OP_ERR_HANDLE, -1, {"'scratch'", "freed"}}, {arg});
}

TEST_F(Args, WrongSet) {
  refused({"direct, on another set", OP_ERR_SET, 0, {"'x'", "'nodes'", "'edges'"}},
          {op_arg_dat(x, -1, OP_ID, 2, "double", OP_READ)});
  refused({"map from another set", OP_ERR_SET, 1, {"'cell_nodes'", "'cells'", "'edges'"}},
          {good(), op_arg_dat(x, 0, cell_nodes, 2, "double", OP_READ)});
  refused({"map to another set", OP_ERR_SET, 0, {"'edge_cell'", "'cells'", "'x'", "'nodes'"}},
          {op_arg_dat(x, 0, edge_cell, 2, "double", OP_READ)});
  refused({"index through a map of another set", OP_ERR_SET, 0, {"'cell_nodes'"}}, {op_arg_idx(0, cell_nodes)});
}

TEST_F(Args, WrongMap) {
  refused({"none for a column", OP_ERR_HANDLE, 0, {"idx 0 needs a map"}},
          {op_arg_dat(x, 0, OP_ID, 2, "double", OP_READ)});
  refused({"none for a vector", OP_ERR_HANDLE, 0, {"idx -2 needs a map"}},
          {op_arg_dat(x, -2, OP_ID, 2, "double", OP_READ)});
  refused({"one for direct access", OP_ERR_RANGE, 0, {"idx -1"}},
          {op_arg_dat(x, -1, edge_nodes, 2, "double", OP_READ)});
  refused({"a dat", OP_ERR_HANDLE, 0, {"the dat 'x'", "a map is needed"}},
          {op_arg_dat(x, 0, reinterpret_cast<op_map>(x), 2, "double", OP_READ)});
  refused({"index without a map", OP_ERR_HANDLE, 0, {"idx 1 needs a map"}}, {op_arg_idx(1, OP_ID)});
  refused({"index, a stranger", OP_ERR_HANDLE, 0, {"the map is not a map"}},
          {op_arg_idx(0, reinterpret_cast<op_map>(&global))});
}

TEST_F(Args, WrongColumn) {
  for (const int idx : {2, 100, -3, -100, INT32_MAX, INT32_MIN})
    refused({"column", OP_ERR_RANGE, 1, {"idx " + std::to_string(idx), "'edge_nodes' of dim 2", "columns are 0 to 1"}},
            {good(), op_arg_dat(x, idx, edge_nodes, 2, "double", OP_READ)});
  for (const int idx : {2, -1, -2, INT32_MIN})
    refused({"index column", OP_ERR_RANGE, 0, {"idx " + std::to_string(idx), "'edge_nodes'"}},
            {op_arg_idx(idx, edge_nodes)});
}

TEST_F(Args, WrongDim) {
  for (const int dim : {0, 1, 3, -2})
    refused({"of a dat", OP_ERR_DIM, 1, {"'x' has dim 2", "says " + std::to_string(dim)}},
            {good(), op_arg_dat(x, 0, edge_nodes, dim, "double", OP_READ)});
  for (const int dim : {0, -1})
    refused({"of a global", OP_ERR_DIM, 1, {"is " + std::to_string(dim)}},
            {good(), op_arg_gbl(&global, dim, "double", OP_READ)});
}

TEST_F(Args, WrongType) {
  for (const char *type : {"float", "int", "DOUBLE", "", "state"})
    refused({type, OP_ERR_TYPE, 1, {"'x' has type double", std::string("says ") + type}},
            {good(), op_arg_dat(x, 0, edge_nodes, 2, type, OP_READ)});
  refused({"NULL of a dat", OP_ERR_TYPE, 0, {"the type is NULL"}},
          {op_arg_dat(length, -1, OP_ID, 1, nullptr, OP_READ)});
  refused({"NULL of a global", OP_ERR_TYPE, 0, {"the type is NULL"}}, {op_arg_gbl(&global, 1, nullptr, OP_READ)});
  refused({"unknown of a global", OP_ERR_TYPE, 0, {"unknown type 'dubble'", "double float int"}},
          {op_arg_gbl(&global, 1, "dubble", OP_READ)});
  refused({"summed user type", OP_ERR_TYPE, 0, {"'state' is not built in", "OP_INC", "op_decl_reduction"}},
          {op_arg_gbl_char(reinterpret_cast<char *>(&global), 1, "state", 8, OP_INC)});
  refused({"of a reduction", OP_ERR_TYPE, 0, {"reduction 'sum' is for type double", "says float"}},
          {op_arg_gbl_reduce(&global, 1, "float", sum)});
}

TEST_F(Args, WrongAccess) {
  struct Mode {
    op_access access;
    const char *name;
  };
  for (const Mode &mode :
       {Mode{OP_MIN, "OP_MIN"}, Mode{OP_MAX, "OP_MAX"}, Mode{OP_WORK, "OP_WORK"}, Mode{OP_REDUCE, "OP_REDUCE"},
        Mode{8, "unknown access mode"}, Mode{-1, "unknown access mode"}})
    refused({"of a dat", OP_ERR_ACCESS, 1, {"'x'", mode.name}},
            {good(), op_arg_dat(x, 0, edge_nodes, 2, "double", mode.access)});
  for (const Mode &mode :
       {Mode{-1, "unknown access mode"}, Mode{8, "unknown access mode"}, Mode{99, "unknown access mode"}})
    refused({"of a global", OP_ERR_ACCESS, 0, {"global variable", mode.name}},
            {op_arg_gbl(&global, 1, "double", mode.access)});
}

TEST_F(Args, WrongGlobal) {
  refused({"NULL", OP_ERR_ARGUMENT, 1, {"the global variable is NULL"}},
          {good(), op_arg_gbl(nullptr, 1, "double", OP_INC)});
  refused({"no reduction", OP_ERR_HANDLE, 0, {"the reduction is NULL"}},
          {op_arg_gbl_reduce(&global, 1, "double", nullptr)});
  refused({"a set as reduction", OP_ERR_HANDLE, 0, {"the set 'edges'", "a reduction is needed"}},
          {op_arg_gbl_reduce(&global, 1, "double", reinterpret_cast<op_reduction>(edges))});
  refused({"reduction without its operation", OP_ERR_HANDLE, 0, {"the reduction is NULL"}},
          {op_arg_gbl(&global, 1, "double", OP_REDUCE)});
}

TEST_F(Args, WrongPayload) {
  const op_arg least = op_arg_gbl(&global, 1, "double", OP_MIN);
  double pair[2] = {0, 0};
  const op_arg two = op_arg_gbl(pair, 2, "double", OP_MAX);
  refused({"NULL", OP_ERR_ARGUMENT, 1, {"the payload variable is NULL"}},
          {least, op_arg_payload(nullptr, 1, "double", 0)});
  for (const int ref : {-1, 2, 100})
    refused({"of no argument", OP_ERR_RANGE, 1, {"argument " + std::to_string(ref), "0 to 1"}},
            {least, op_arg_payload(&other, 1, "double", ref)});
  refused({"of a sum", OP_ERR_ACCESS, 1, {"argument 0, which is not a global OP_MIN or OP_MAX"}},
          {op_arg_gbl(&global, 1, "double", OP_INC), op_arg_payload(&other, 1, "double", 0)});
  refused({"of a dat", OP_ERR_ACCESS, 1, {"argument 0"}}, {good(), op_arg_payload(&other, 1, "double", 0)});
  refused({"of itself", OP_ERR_ACCESS, 1, {"argument 1"}}, {least, op_arg_payload(&other, 1, "double", 1)});
  refused({"no multiple", OP_ERR_DIM, 1, {"dim 3", "multiple of dim 2"}},
          {two, op_arg_payload(&other, 3, "double", 0)});
  refused({"dim 0", OP_ERR_DIM, 1, {"dim 0"}}, {two, op_arg_payload(&other, 0, "double", 0)});
  refused({"type NULL", OP_ERR_TYPE, 1, {"the type is NULL"}}, {least, op_arg_payload(&other, 1, nullptr, 0)});
  refused({"unknown type", OP_ERR_TYPE, 1, {"unknown type 'state'"}}, {least, op_arg_payload(&other, 1, "state", 0)});
}

TEST_F(Args, WrongLoop) {
  refused({"over nothing", OP_ERR_HANDLE, -1, {"the set is not a set"}}, {good()}, reinterpret_cast<op_set>(&global));
  refused({"over a map", OP_ERR_HANDLE, -1, {"the map 'edge_nodes'", "a set is needed"}}, {good()},
          reinterpret_cast<op_set>(edge_nodes));
  const op_arg arg = good();
  const auto fn = reinterpret_cast<op_kernel_fn>(&kernel);
  EXPECT_STATUS(OP_ERR_HANDLE, (op_par_loop)(fn, "flux", nullptr, 1, &arg));
  EXPECT_TRUE(contains(op_last_error(), "the set is NULL"));
  EXPECT_STATUS(OP_ERR_ARGUMENT, (op_par_loop)(nullptr, "flux", edges, 1, &arg));
  EXPECT_TRUE(contains(op_last_error(), "loop 'flux': the kernel is NULL"));
  EXPECT_STATUS(OP_ERR_ARGUMENT, (op_par_loop)(fn, nullptr, edges, 1, &arg));
  EXPECT_TRUE(contains(op_last_error(), "the name of the loop is NULL"));
  EXPECT_STATUS(OP_ERR_ARGUMENT, (op_par_loop)(fn, "flux", edges, 1, nullptr));
  for (const int nargs : {-1, 65, INT32_MAX}) {
    EXPECT_STATUS(OP_ERR_ARGUMENT, (op_par_loop)(fn, "flux", edges, nargs, &arg));
    EXPECT_TRUE(
        contains(op_last_error(), "number of arguments is " + std::to_string(nargs) + "; a loop takes 0 to 64"));
  }
  EXPECT_EQ(OP_OK, op_exit());
  EXPECT_STATUS(OP_ERR_STATE, (op_par_loop)(fn, "flux", edges, 1, &arg));
}

TEST_F(Args, WrongSite) {
  const op_arg arg = good();
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_par_loop_site(nullptr, "flux", edges, 1, &arg));
  op_loop_site empty{};
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_par_loop_site(&empty, "flux", edges, 1, &arg));
  EXPECT_TRUE(contains(op_last_error(), "OP_LOOP_SITE"));
  static op_loop_site site = {sizeof(op_loop_site), nullptr, nullptr, "flux", "flux.c", 12, 0, nullptr, 0, nullptr, nullptr};
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_par_loop_site(&site, "flux", edges, 1, &arg));
  EXPECT_TRUE(contains(op_last_error(), "[flux.c:12]")); // where the program calls
  op_error info{};
  info.size = sizeof info;
  EXPECT_OK(op_last_error_info(&info));
  EXPECT_STREQ("flux.c", info.file);
  EXPECT_EQ(12, info.line);
}

TEST_F(Args, MadeByHandAreRefused) {
  op_arg strange = good();
  strange.argtype = OP_ARG_STOP + 1;
  refused({"unknown kind of argument", OP_ERR_ARGUMENT, 0, {"not made by one of the op_arg_ functions"}}, {strange});
}

TEST_F(Args, SwitchedOffNeedNothing) {
  const op_arg args[] = {op_opt_arg_dat(0, nullptr, 99, OP_ID, -1, nullptr, 77), good()};
  calls = 0;
  EXPECT_OK((op_par_loop)(reinterpret_cast<op_kernel_fn>(&kernel), "flux", edges, 2, args));
  EXPECT_EQ(3, calls);
}

// The type's name is borrowed for the call: the next call may pass other words in the same memory, or other memory.
TEST_F(Args, TypeNameIsReadAtEveryCall) {
  char type[16] = "double";
  static op_loop_site site = {sizeof(op_loop_site),
                              reinterpret_cast<op_kernel_fn>(&kernel),
                              nullptr,
                              nullptr,
                              nullptr,
                              0,
                              0,
                              nullptr,
                              0,
                              nullptr,
                              nullptr};
  const op_arg arg = op_arg_dat(length, -1, OP_ID, 1, type, OP_READ);
  ASSERT_EQ(OP_OK, op_par_loop_site(&site, "flux", edges, 1, &arg));
  const std::string same = "float";
  same.copy(type, same.size() + 1);
  type[same.size()] = '\0';
  EXPECT_STATUS(OP_ERR_TYPE, op_par_loop_site(&site, "flux", edges, 1, &arg));
  auto gone = std::make_unique<std::string>("double and some more letters, so that it lies on the heap");
  gone->resize(6);
  const op_arg first = op_arg_dat(length, -1, OP_ID, 1, gone->c_str(), OP_RW);
  ASSERT_EQ(OP_OK, op_par_loop_site(&site, "flux", edges, 1, &first));
  gone.reset();
  const op_arg second = op_arg_dat(length, -1, OP_ID, 1, "double", OP_RW);
  EXPECT_OK(op_par_loop_site(&site, "flux", edges, 1, &second)); // must not look at the first call's words
}

TEST_F(Args, TwinsForOtherLanguagesAreTheSame) {
  op_arg twin{};
  const auto same = [&](const op_arg &arg) { EXPECT_EQ(0, std::memcmp(&arg, &twin, offsetof(op_arg, reserved))); };
  op_arg_dat_to(&twin, 1, x, 0, edge_nodes, 2, "double", OP_READ);
  same(op_arg_dat(x, 0, edge_nodes, 2, twin.type, OP_READ));
  op_arg_dat_to(&twin, 0, x, 0, edge_nodes, 2, "double", OP_READ);
  same(op_opt_arg_dat(0, x, 0, edge_nodes, 2, twin.type, OP_READ));
  op_arg_gbl_to(&twin, &global, 1, "double", 0, OP_MIN);
  same(op_arg_gbl(&global, 1, twin.type, OP_MIN));
  op_arg_gbl_reduce_to(&twin, &global, 1, "double", sum);
  same(op_arg_gbl_reduce(&global, 1, twin.type, sum));
  op_arg_idx_to(&twin, 1, edge_nodes);
  same(op_arg_idx(1, edge_nodes));
  op_arg_idx_based_to(&twin, 1, edge_nodes, 0);
  same(op_arg_idx(1, edge_nodes));
  op_arg_payload_to(&twin, &other, 1, "state", 8, 0);
  same(op_arg_payload_char(reinterpret_cast<char *>(&other), 1, twin.type, 8, 0));
  op_arg_dat_to(nullptr, 1, x, 0, edge_nodes, 2, "double", OP_READ); // nowhere to write: nothing happens
  op_arg_gbl_to(nullptr, &global, 1, "double", 0, OP_MIN);
  op_arg_gbl_reduce_to(nullptr, &global, 1, "double", sum);
  op_arg_idx_to(nullptr, 1, edge_nodes);
  op_arg_payload_to(nullptr, &other, 1, "state", 8, 0);
}

// A payload is copied as bytes, so a variable smaller than its type would be written past its end.
TEST_F(Args, PayloadHasTheSizeOfItsType) {
  double most = 0;
  int where = 0;
  const auto largest = op_arg_gbl(&most, 1, "double", OP_MAX);
  const auto small = op_arg_payload_char(reinterpret_cast<char *>(&where), 1, "double", sizeof where, 0);
  refused({"payload size", OP_ERR_TYPE, 1, {"4 bytes", "'double'", "8"}}, {largest, small});
}

} // namespace

// SPDX-License-Identifier: MIT
