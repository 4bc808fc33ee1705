// plugin_test.cpp: plugins of all kinds, good and bad. Good ones run a loop; bad ones are refused with the reason, are
// listed with it, and never hurt `seq`.
#include <fstream>

#include "host.hpp"
#include "host/plugins/tables.hpp"
#include "op2/info.h"
#include "support.hpp"

namespace {

using unit::contains;
using unit::Environment;
using unit::lacks;
using unit::plugins;

class Plugin : public unit::LibraryTest {
 protected:
  static std::string report() {
    std::string out(static_cast<std::size_t>(op_info(nullptr, 0)) + 1, '\0');
    op_info(out.data(), out.size());
    return out;
  }
  // Init, a loop with a sum through a map, a look at the values, exit.
  static void runs_a_loop(const std::string &backend) {
    SCOPED_TRACE(backend);
    ASSERT_EQ(OP_OK, init(backend.c_str())) << op_last_error();
    const op_set edges = op_decl_set(3, "edges"), nodes = op_decl_set(2, "nodes");
    const int table[] = {0, 1, 1};
    const op_map map = op_decl_map(edges, nodes, 1, table, "edge_node");
    const double weight[] = {1, 2, 4};
    const op_dat w = op_decl_dat(edges, 1, "double", weight, "w"),
                 sum = op_decl_dat(nodes, 1, "double", nullptr, "sum");
    double total = 100;
    EXPECT_OK(unit::run([](const double *a, double *b, double *t) { *b += *a, *t += *a; }, "add", edges,
                        {op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ), op_arg_dat(sum, 0, map, 1, "double", OP_INC),
                         op_arg_gbl(&total, 1, "double", OP_INC)}));
    EXPECT_EQ(107, total);
    EXPECT_EQ(std::vector<double>({1, 6}), unit::fetched<double>(sum));
    EXPECT_OK(op_exit());
  }
};

// ---- executors that are taken --------------------------------------------------------------------------------------

TEST_F(Plugin, GoodExecutorRunsALoop) {
  const Environment environment{{"OP2_PLUGIN_PATH", plugins("good")}};
  runs_a_loop("small");
  runs_a_loop("small+fake");
  EXPECT_TRUE(contains(report(), "exec small       score 1  elements in order, one partial result  (C99)\n"));
  EXPECT_TRUE(contains(report(), plugins("good") + "/op2_exec_small.so"));
  EXPECT_TRUE(contains(report(), "comm fake        score 1"));
  EXPECT_TRUE(contains(report(), "part fake        score 1"));
  EXPECT_TRUE(contains(report(), "io memory      score 1"));
}

TEST_F(Plugin, OlderTableIsCompleted) { // what lies behind its end in memory is not part of it
  const Environment environment{{"OP2_PLUGIN_PATH", plugins("old_table")}};
  runs_a_loop("small");
}

TEST_F(Plugin, EntriesAboutItsOwnKernelsAreNotInherited) { // its parent has other kernels
  const unit::Host host(plugins("good"));
  const auto table = [&](const char *name) {
    return op2::core::exec_table(*host.registry, host.registry->get(OP_PLUGIN_EXEC, name));
  };
  EXPECT_NE(nullptr, table("seq").kernel_range);
  EXPECT_EQ(nullptr, table("small").kernel_range);
  EXPECT_EQ(table("seq").mem_alloc, table("small").mem_alloc); // others are
}

TEST_F(Plugin, EntriesOfItsChainsAreTaken) {
  const unit::Host host(plugins("chains"));
  const auto table = op2::core::exec_table(*host.registry, host.registry->get(OP_PLUGIN_EXEC, "small"));
  EXPECT_NE(nullptr, table.chain_run);
  EXPECT_EQ(nullptr, table.chain_form);
}

TEST_F(Plugin, NewerTableIsTaken) {
  const Environment environment{{"OP2_PLUGIN_PATH", plugins("new_table")}};
  runs_a_loop("small");
}

// ---- executors that are refused ------------------------------------------------------------------------------------

struct Refusal {
  const char *folder;
  op_status status;
  const char *reason;
};
std::ostream &operator<<(std::ostream &out, const Refusal &refusal) { return out << refusal.folder; }

// Refused when they are loaded: the report knows the reason.
const Refusal at_loading[] = {
    {"wrong_abi", OP_ERR_PLUGIN, "it was built for plugin ABI 2, this library has ABI 1"},
    {"old_api", OP_ERR_PLUGIN,
     "it was built for plugin API 12, whose tables were other ones; compile it again, with API 15"},
    {"short_descriptor", OP_ERR_PLUGIN, "its descriptor has 64 bytes, at least 72 are needed"},
    {"null_descriptor", OP_ERR_PLUGIN, "its entry function returned NULL"},
    {"no_score", OP_ERR_PLUGIN, "it has no score function"},
    {"no_table", OP_ERR_PLUGIN, "it has no table of entries"},
    {"wrong_kind", OP_ERR_PLUGIN, "it says it is a communicator, its file name says an executor"},
    {"no_name", OP_ERR_PLUGIN, "it says its name is NULL, its file name says 'small'"},
    {"no_entry", OP_ERR_PLUGIN, "it does not export op2_plugin_v1"},
    {"borrowed_entry", OP_ERR_PLUGIN, "it does not export op2_plugin_v1"},
    {"needs_core", OP_ERR_PLUGIN, "undefined symbol: op_exit"},
    {"not_an_object", OP_ERR_PLUGIN, "file too short"},
    {"empty_file", OP_ERR_PLUGIN, "file too short"},
    {"a_folder", OP_ERR_PLUGIN, "op2_exec_small.so: "},
    {"cannot_run", OP_ERR_BACKEND, "cannot run here: this machine has no small device"},
    {"silent", OP_ERR_BACKEND, "cannot run here"},
};
// Refused when they are to be used.
const Refusal at_opening[] = {
    {"no_loop_run", OP_ERR_PLUGIN, "plugin 'small' (an executor) lacks the entry loop_run"},
    {"no_memory", OP_ERR_PLUGIN, "plugin 'small' (an executor) lacks the entry mem_alloc"},
    {"own_parent", OP_ERR_PLUGIN, "plugin 'small' (an executor) lacks the entry mem_alloc"},
    {"lost_parent", OP_ERR_PLUGIN, "'ghost'"},
    {"open_fails", OP_ERR_BACKEND, "executor small, open: the small device is busy"},
};

class RefusedPlugin : public Plugin, public testing::WithParamInterface<Refusal> {
 protected:
  void is_refused() {
    EXPECT_STATUS(GetParam().status, init("small"));
    EXPECT_TRUE(contains(op_last_error(), "small"));
    EXPECT_TRUE(contains(op_last_error(), GetParam().reason));
    EXPECT_EQ(0, op_is_initialised());
  }
};

TEST_P(RefusedPlugin, SaysWhyAndHurtsNobody) {
  const Environment environment{{"OP2_PLUGIN_PATH", plugins(GetParam().folder)}};
  is_refused();
  is_refused(); // again, now that it is known
  runs_a_loop("seq");
  is_refused();
}

class RefusedAtLoading : public RefusedPlugin {};
TEST_P(RefusedAtLoading, IsListedWithTheReason) {
  const Environment environment{{"OP2_PLUGIN_PATH", plugins(GetParam().folder)}};
  for (const bool running : {false, true}) {
    if (running) {
      ASSERT_EQ(OP_OK, init("seq")) << op_last_error();
    }
    const std::string text = report();
    EXPECT_TRUE(contains(text, GetParam().reason));
    EXPECT_TRUE(contains(text, plugins(GetParam().folder) + "/op2_exec_small.so"));
    EXPECT_TRUE(contains(text, "exec seq         score 10"));
    EXPECT_TRUE(contains(text, running ? "in use: self+seq" : "would take: self+seq"));
  }
  EXPECT_OK(op_exit());
  ASSERT_EQ(OP_OK, init("auto")) << op_last_error();
  EXPECT_STREQ("self+seq", op_backend());
}

const auto name_of_case = [](const auto &info) { return std::string(info.param.folder); };
INSTANTIATE_TEST_SUITE_P(AtLoading, RefusedPlugin, testing::ValuesIn(at_loading), name_of_case);
INSTANTIATE_TEST_SUITE_P(AtOpening, RefusedPlugin, testing::ValuesIn(at_opening), name_of_case);
INSTANTIATE_TEST_SUITE_P(Each, RefusedAtLoading, testing::ValuesIn(at_loading), name_of_case);

TEST_F(Plugin, NameMustBeThatOfTheFile) {
  const Environment environment{{"OP2_PLUGIN_PATH", plugins("wrong_name")}};
  EXPECT_STATUS(OP_ERR_PLUGIN, init("alias"));
  EXPECT_TRUE(contains(op_last_error(), "it says its name is 'small', its file name says 'alias'"));
  EXPECT_STATUS(OP_ERR_BACKEND, init("small"));
  EXPECT_TRUE(contains(op_last_error(), "there is no back end 'small'"));
  runs_a_loop("seq");
}

TEST_F(Plugin, LostParentIsNamedWithItsChild) {
  const Environment environment{{"OP2_PLUGIN_PATH", plugins("lost_parent")}};
  EXPECT_STATUS(OP_ERR_PLUGIN, init("small"));
  EXPECT_TRUE(contains(op_last_error(), "plugin 'small'"));
  EXPECT_TRUE(contains(op_last_error(), "parent"));
  EXPECT_TRUE(contains(op_last_error(), "'ghost'"));
}

// ---- where plugins are looked for ----------------------------------------------------------------------------------

TEST_F(Plugin, FirstFolderWins) {
  {
    const Environment environment{{"OP2_PLUGIN_PATH", plugins("first") + ":" + plugins("good")}};
    const std::string text = report();
    EXPECT_TRUE(contains(text, "the one that is found first"));
    EXPECT_TRUE(
        contains(text, plugins("good") + "/op2_exec_small.so: hidden by " + plugins("first") + "/op2_exec_small.so"));
  }
  const Environment environment{{"OP2_PLUGIN_PATH", plugins("good") + ":" + plugins("first")}};
  const std::string text = report();
  EXPECT_TRUE(lacks(text, "the one that is found first"));
  EXPECT_TRUE(
      contains(text, plugins("first") + "/op2_exec_small.so: hidden by " + plugins("good") + "/op2_exec_small.so"));
}

TEST_F(Plugin, FirstFolderWinsEvenIfItsPluginIsBad) { // no surprise by another file of the same name
  const Environment environment{{"OP2_PLUGIN_PATH", plugins("wrong_abi") + ":" + plugins("good")}};
  EXPECT_STATUS(OP_ERR_PLUGIN, init("small"));
  EXPECT_TRUE(contains(op_last_error(), plugins("wrong_abi")));
}

TEST_F(Plugin, FoldersThatCannotBeReadAreRemarked) {
  const std::string file = plugins("not_an_object") + "/op2_exec_small.so";
  const Environment environment{{"OP2_PLUGIN_PATH", "/no/such/folder:" + file + "::" + plugins("good") + ":"}};
  const std::string text = report();
  EXPECT_TRUE(contains(text, "note: folder /no/such/folder: No such file or directory"));
  EXPECT_TRUE(contains(text, "note: folder " + file + ": Not a directory"));
  EXPECT_TRUE(contains(text, "exec small       score 1"));
  EXPECT_TRUE(lacks(text, "folder : "));
  runs_a_loop("small");
}

TEST_F(Plugin, RelativeFoldersAreFine) {
  ASSERT_EQ(0, chdir(plugins("").c_str()));
  const Environment environment{{"OP2_PLUGIN_PATH", "nothing:good"}};
  runs_a_loop("small");
}

TEST_F(Plugin, BuiltInOnesCannotBeReplaced) {
  const Environment environment{{"OP2_PLUGIN_PATH", plugins("hides_seq")}};
  runs_a_loop("seq");
  EXPECT_TRUE(contains(report(), plugins("hides_seq") + "/op2_exec_seq.so: ignored, seq is built into the library"));
}

TEST_F(Plugin, FilesWithStrangeNamesAreRemarked) {
  const Environment environment{{"OP2_PLUGIN_PATH", plugins("garbage_name")}};
  const std::string text = report();
  for (const char *file : {"op2_foo.so", "op2_exec.so", "op2_gpu_small.so", "op2_exec_.so"})
    EXPECT_TRUE(contains(text, plugins("garbage_name") + "/" + file + ": not a plugin name"));
  runs_a_loop("seq");
}

TEST_F(Plugin, OtherFilesAreNobodysBusiness) {
  const Environment environment{{"OP2_PLUGIN_PATH", plugins("other_files")}};
  EXPECT_TRUE(lacks(report(), plugins("other_files") + "/"));
  EXPECT_STATUS(OP_ERR_BACKEND, init("small"));
  runs_a_loop("seq");
}

// ---- communicators -------------------------------------------------------------------------------------------------

class FakeCommunicator : public Plugin {
 protected:
  void SetUp() override {
    Plugin::SetUp();
    setenv("OP2_PLUGIN_PATH", plugins("good").c_str(), 1);
  }
};

TEST_F(FakeCommunicator, RunsWithEveryExecutor) {
  runs_a_loop("fake");
  runs_a_loop("fake+small");
  ASSERT_EQ(OP_OK, init("fake+seq"));
  EXPECT_STREQ("fake+seq", op_backend());
  EXPECT_EQ(1, op_comm_size());
  EXPECT_OK(op_barrier());
}

TEST_F(FakeCommunicator, OfManyProcessesIsTaken) {
  const Environment environment{{"FAKE_SIZE", "2"}};
  ASSERT_EQ(OP_OK, init("fake+seq"));
  EXPECT_EQ(2, op_comm_size());
  EXPECT_OK(op_exit());
  runs_a_loop("seq");
}

TEST_F(FakeCommunicator, FailuresAreToldInItsOwnWords) {
  {
    const Environment environment{{"FAKE_FAIL", "open"}};
    EXPECT_STATUS(OP_ERR_BACKEND, init("fake+seq"));
    EXPECT_TRUE(contains(op_last_error(), "communicator fake, open: the other processes do not answer"));
  }
  {
    const Environment environment{{"FAKE_FAIL", "open without a word"}};
    EXPECT_STATUS(OP_ERR_BACKEND, init("fake+seq"));
    EXPECT_TRUE(contains(op_last_error(), "communicator fake, open: OP_ERR_BACKEND")); // not the words of before
  }
  ASSERT_EQ(OP_OK, init("fake+seq"));
  {
    const Environment environment{{"FAKE_FAIL", "barrier"}};
    EXPECT_STATUS(OP_ERR_PLUGIN, op_barrier());
    EXPECT_TRUE(contains(op_last_error(), "op_barrier: communicator fake, barrier: process 3 went away"));
  }
  EXPECT_OK(op_barrier());
}

TEST_F(FakeCommunicator, WithoutParentLacksEntries) {
  const Environment environment{{"OP2_PLUGIN_PATH", plugins("incomplete")}};
  EXPECT_STATUS(OP_ERR_PLUGIN, init("fake+seq"));
  EXPECT_TRUE(contains(op_last_error(), "plugin 'fake' (a communicator) lacks the entry bcast"));
}

// ---- partitioners and file drivers: their tables, as later parts of the library will use them
// ------------------------

using op2::core::io_table;
using op2::core::part_table;

TEST(PartitionerPlugin, TableIsCompleteWithOneEntry) {
  unit::Host host(plugins("good"));
  const op_part_ops_v1 table = part_table(*host.registry, host.registry->get(OP_PLUGIN_PART, "fake"));
  EXPECT_EQ(sizeof table, table.size);
  EXPECT_EQ(nullptr, table.order);
  const int64_t offset[] = {0, 2, 6};
  op_part_graph graph{};
  graph.size = sizeof graph;
  graph.nprocs = 2;
  graph.rank = 1;
  graph.nparts = 3;
  graph.vertex_offset = offset;
  int32_t part[4];
  EXPECT_EQ(OP_OK, table.part_graph(host.services.table(), &graph, part));
  EXPECT_EQ(std::vector<int32_t>({2, 0, 1, 2}), std::vector<int32_t>(part, part + 4));
  graph.nparts = 0;
  EXPECT_EQ(OP_ERR_ARGUMENT, table.part_graph(host.services.table(), &graph, part));
  EXPECT_EQ("at least one part is needed", host.services.take_failure());
}

TEST(PartitionerPlugin, BuiltInOneCutsAtTheRequestedShares) {
  unit::Host host;
  const op_part_ops_v1 table = part_table(*host.registry, host.registry->get(OP_PLUGIN_PART, "block"));
  const int64_t offset[] = {0, 4, 8};
  const double shares[] = {1, 2, 1};
  op_part_graph graph{};
  graph.size = sizeof graph;
  graph.nprocs = 2;
  graph.nparts = 3;
  graph.vertex_offset = offset;
  graph.part_weight = shares;
  std::vector<int32_t> part(8);
  for (graph.rank = 0; graph.rank < 2; ++graph.rank)
    EXPECT_EQ(OP_OK, table.part_graph(host.services.table(), &graph, part.data() + 4 * graph.rank));
  EXPECT_EQ(std::vector<int32_t>({0, 0, 1, 1, 1, 1, 2, 2}), part);
}

TEST(PartitionerPlugin, NeedsOneWayToDivide) {
  unit::Host host(plugins("incomplete"));
  const op2::core::Error error =
      unit::thrown_by([&] { part_table(*host.registry, host.registry->get(OP_PLUGIN_PART, "fake")); });
  EXPECT_EQ(OP_ERR_PLUGIN, error.code);
  EXPECT_TRUE(contains(error.what(), "'fake' (a partitioner) has neither part_graph nor order"));
}

TEST(FilePlugin, WritesAndReadsRows) {
  unit::Host host(plugins("good"));
  const op_io_ops_v1 table = io_table(*host.registry, host.registry->get(OP_PLUGIN_IO, "memory"));
  EXPECT_STREQ(".mem .memory", table.extensions);
  op_io_params params{sizeof(op_io_params), host.services.table(), 0, 1, 0};
  op_io_file *file = nullptr;
  EXPECT_EQ(OP_ERR_FILE, table.open(&params, "mesh.mem", OP_IO_READ, &file));
  ASSERT_EQ(OP_OK, table.open(&params, "mesh.mem", OP_IO_CREATE, &file));
  const op_io_array shape{sizeof(op_io_array), 5, 2, OP_TYPE_DOUBLE, 8, 0, "double", 0, 0, 0};
  const double rows[] = {1, 2, 3, 4}, cfl = 0.9;
  EXPECT_EQ(OP_OK, table.create(file, "x", &shape));
  EXPECT_EQ(OP_OK, table.write_rows(file, "x", 3, 2, OP_TYPE_DOUBLE, rows));
  EXPECT_EQ(OP_ERR_RANGE, table.write_rows(file, "x", 4, 2, OP_TYPE_DOUBLE, rows));
  EXPECT_EQ(OP_OK, table.write_attribute(file, "x", "cfl", OP_TYPE_DOUBLE, 1, &cfl));
  EXPECT_EQ(OP_OK, table.close(file));
  ASSERT_EQ(OP_OK, table.open(&params, "mesh.mem", OP_IO_READ, &file));
  op_io_array found{};
  EXPECT_EQ(OP_OK, table.describe(file, "x", &found));
  EXPECT_EQ(5, found.rows);
  EXPECT_STREQ("double", found.type_name);
  double back[6], number = 0;
  EXPECT_EQ(OP_OK, table.read_rows(file, "x", 2, 3, OP_TYPE_DOUBLE, back));
  EXPECT_EQ(std::vector<double>({0, 0, 1, 2, 3, 4}), std::vector<double>(back, back + 6));
  EXPECT_EQ(OP_OK, table.read_attribute(file, "x", "cfl", OP_TYPE_DOUBLE, 1, &number));
  EXPECT_EQ(0.9, number);
  EXPECT_EQ(OP_ERR_FILE, table.create(file, "y", &shape));
  EXPECT_EQ(OP_OK, table.close(file));
}

TEST(FilePlugin, LacksNoEntry) {
  unit::Host host(plugins("incomplete"));
  const op2::core::Error error =
      unit::thrown_by([&] { io_table(*host.registry, host.registry->get(OP_PLUGIN_IO, "memory")); });
  EXPECT_EQ(OP_ERR_PLUGIN, error.code);
  EXPECT_TRUE(contains(error.what(), "'memory' (a file driver) lacks the entry read_rows"));
}

} // namespace

// SPDX-License-Identifier: MIT
