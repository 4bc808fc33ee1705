// rules_test.cpp: each rule finds what breaks it in a small tree, and nothing in one that does not.
#include "rules.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "source.hpp"

namespace {

using arch::Violations;

// A source tree of a few lines, removed at the end.
class SmallTree : public testing::Test {
 protected:
  SmallTree() : root(std::filesystem::path(testing::TempDir()) / ("op2_small_tree." + std::to_string(getpid()))) {
    std::filesystem::remove_all(root);
    std::filesystem::create_directories(root);
  }
  ~SmallTree() override { std::filesystem::remove_all(root); }

  void write(const std::string &path, const std::string &text) {
    std::filesystem::create_directories((root / path).parent_path());
    std::ofstream(root / path) << text;
  }
  arch::Root root;
};

TEST_F(SmallTree, RoomsOfLoops) {
  write("src/loop/loop.hpp",
        "#include \"loop/form/form.hpp\"\n#include \"loop/step.hpp\"\n#include \"plan/plan.hpp\"\n");
  write("src/loop/engine/engine.cpp", "#include \"loop/engine/engine.hpp\"\n#include \"loop/chain/chain.hpp\"\n");
  EXPECT_EQ(Violations(), arch::rooms_of_loops(root));
  write("src/loop/x.hpp", "\n#include \"loop/chain/chain.hpp\"\n");
  write("src/loop/form/x.hpp", "#include \"loop/loop.hpp\"\n#include \"loop/unknown/x.hpp\"\n");
  write("src/loop/new/x.hpp", "\n");
  EXPECT_EQ(Violations({"src/loop/form/x.hpp:1: 'loop/form' includes loop/loop.hpp of a room above",
                        "src/loop/form/x.hpp:2: 'loop/form' includes loop/unknown/x.hpp of a room above",
                        "src/loop/new/x.hpp:1: the folder is no room of src/loop; the list of rooms is in "
                        "tests/arch/rules.cpp",
                        "src/loop/x.hpp:2: 'loop' includes loop/chain/chain.hpp of a room above"}),
            arch::rooms_of_loops(root));
}

TEST_F(SmallTree, Layers) {
  write("src/base/log.hpp", "#include <string>\n#include \"base/text.hpp\"\n#include \"op2/types.h\"\n");
  write("src/loop/loop.cpp", "#include \"loop/loop.hpp\"\n#include \"plan/plan.hpp\"\n#include \"base/log.hpp\"\n");
  write("src/api/init.cpp", "#include \"loop/loop.hpp\"\n#include \"plugins/builtin.hpp\"\n");
  write("src/plugins/exec_x/plugin.cpp", "#include \"anything.hpp\"\n");
  EXPECT_EQ(Violations(), arch::layers(root));
  write("src/base/text.hpp", "// words\n#include \"host/plugins/loader.hpp\"\n");
  write("src/host/x.hpp", "  #  include \"mesh/mesh.hpp\"\n");
  write("src/mesh/x.hpp", "#include \"plan/plan.hpp\"\n");
  write("src/plan/x.hpp", "#include \"jit/x.hpp\"\n");
  write("src/jit/x.hpp", "#include \"distributed/x.hpp\"\n");
  write("src/distributed/x.hpp", "#include \"loop/loop.hpp\"\n");
  write("src/loop/x.hpp", "#include \"api/session.hpp\"\n#include \"plugins/builtin.hpp\"\n#include \"near.hpp\"\n");
  write("src/api/x.hpp", "#include \"plugins/exec_seq/exec_seq.hpp\"\n");
  write("src/more/x.hpp", "\n");
  EXPECT_EQ(Violations({"src/api/x.hpp:1: includes plugins/exec_seq/exec_seq.hpp, which is no part of a layer",
                        "src/base/text.hpp:2: 'base' includes host/plugins/loader.hpp of a layer above",
                        "src/distributed/x.hpp:1: 'distributed' includes loop/loop.hpp of a layer above",
                        "src/host/x.hpp:1: 'host' includes mesh/mesh.hpp of a layer above",
                        "src/jit/x.hpp:1: 'jit' includes distributed/x.hpp of a layer above",
                        "src/loop/x.hpp:1: 'loop' includes api/session.hpp of a layer above",
                        "src/loop/x.hpp:2: includes plugins/builtin.hpp, which is no part of a layer",
                        "src/loop/x.hpp:3: includes near.hpp, which is no part of a layer",
                        "src/mesh/x.hpp:1: 'mesh' includes plan/plan.hpp of a layer above",
                        "src/more/x.hpp:1: the folder 'more' is no layer",
                        "src/plan/x.hpp:1: 'plan' includes jit/x.hpp of a layer above"}),
            arch::layers(root));
}

TEST_F(SmallTree, ReadersOfMeshFiles) {
  write("src/meshfile/read.hpp", "#include \"base/text.hpp\"\n#include \"meshfile/cursor.hpp\"\n");
  write("src/meshio/mesh_files.hpp", "#include \"io/files.hpp\"\n#include \"meshfile/model.hpp\"\n");
  write("src/api/meshfile.cpp", "#include \"meshio/mesh_files.hpp\"\n");
  EXPECT_EQ(Violations(), arch::layers(root));
  write("src/meshfile/model.hpp", "#include \"mesh/mesh.hpp\"\n");
  write("src/io/files.hpp", "#include \"meshfile/read.hpp\"\n#include \"meshio/mesh_files.hpp\"\n");
  write("src/api/meshfile.cpp", "#include \"meshfile/read.hpp\"\n");
  const std::string alone = " includes meshfile/read.hpp: the readers of mesh files are the business of meshio alone";
  EXPECT_EQ(Violations({"src/api/meshfile.cpp:1:" + alone, "src/io/files.hpp:1:" + alone,
                        "src/io/files.hpp:2: 'io' includes meshio/mesh_files.hpp of a layer above",
                        "src/meshfile/model.hpp:1: 'meshfile' includes mesh/mesh.hpp of a layer above"}),
            arch::layers(root));
}

TEST_F(SmallTree, LibraryOfLines) {
  write("src/streamline/cells.hpp", "#include \"base/error.hpp\"\n#include \"meshfile/mesh_file.hpp\"\n");
  write("src/tracer/draw/job.cpp", "#include \"host/communicator.hpp\"\n#include \"streamline/cells.hpp\"\n");
  write("src/tracer/api.cpp", "#include \"op2/library.h\"\n#include \"tracer/draw/job.hpp\"\n");
  EXPECT_EQ(Violations(), arch::layers(root));
  write("src/streamline/field.cpp", "#include \"tracer/api.hpp\"\n#include \"meshfile/model.hpp\"\n");
  write("src/tracer/ftle.cpp", "#include \"mesh/mesh.hpp\"\n#include \"base/settings.hpp\"\n");
  write("src/api/view.cpp", "#include \"tracer/facts.hpp\"\n");
  EXPECT_EQ(Violations(
                {"src/api/view.cpp:1: includes tracer/facts.hpp, which is no part of a layer",
                 "src/streamline/field.cpp:1: 'streamline' includes tracer/api.hpp, which is no helper of libop2_trace",
                 "src/streamline/field.cpp:2: 'streamline' includes meshfile/model.hpp, which is no helper of "
                 "libop2_trace",
                 "src/tracer/ftle.cpp:1: 'tracer' includes mesh/mesh.hpp, which is no helper of libop2_trace",
                 "src/tracer/ftle.cpp:2: 'tracer' includes base/settings.hpp, which is no helper of libop2_trace"}),
            arch::layers(root));
}

TEST_F(SmallTree, IncludesInCommentsDoNotCount) {
  write("src/base/a.hpp", "// #include \"api/session.hpp\"\n/*\n#include \"api/session.hpp\"\n*/\n");
  EXPECT_EQ(Violations(), arch::layers(root));
}

TEST_F(SmallTree, Plugins) {
  write("src/plugins/builtin.hpp", "#include \"op2/plugin/plugin.h\"\n");
  write("src/plugins/exec_x/exec_x.hpp", "#include <vector>\n#include \"op2/plugin/exec.h\"\n");
  write("src/plugins/exec_x/plugin.cpp", "#include \"exec_x.hpp\"\n#include \"plugins/builtin.hpp\"\n");
  EXPECT_EQ(Violations(), arch::plugins_stand_alone(root));
  write("src/plugins/exec_x/loop.cpp",
        "#include \"base/text.hpp\"\n#include \"../exec_seq/exec_seq.hpp\"\n#include \"exec_seq.hpp\"\n");
  EXPECT_EQ(Violations({"src/plugins/exec_x/loop.cpp:1: a plugin includes base/text.hpp",
                        "src/plugins/exec_x/loop.cpp:2: a plugin includes ../exec_seq/exec_seq.hpp",
                        "src/plugins/exec_x/loop.cpp:3: a plugin includes exec_seq.hpp"}),
            arch::plugins_stand_alone(root));
}

TEST_F(SmallTree, CommunicatorsHaveAFolderInCommon) {
  const char *const common = "#include \"plugins/comm_common/entry.hpp\"\n";
  write("src/plugins/comm_x/plugin.cpp", common);
  EXPECT_EQ(Violations(), arch::plugins_stand_alone(root));
  write("src/plugins/exec_x/plugin.cpp", common);
  write("src/plugins/comm_x/plugin.cpp", "#include \"plugins/comm_y/entry.hpp\"\n");
  EXPECT_EQ(Violations({"src/plugins/comm_x/plugin.cpp:1: a plugin includes plugins/comm_y/entry.hpp",
                        "src/plugins/exec_x/plugin.cpp:1: a plugin includes plugins/comm_common/entry.hpp"}),
            arch::plugins_stand_alone(root));
}

TEST_F(SmallTree, ExecutorsHaveAFolderInCommon) {
  const char *const common = "#include \"plugins/exec_common/in_order.hpp\"\n";
  write("src/plugins/exec_x/loop.cpp", common);
  EXPECT_EQ(Violations(), arch::plugins_stand_alone(root));
  write("src/plugins/comm_x/plugin.cpp", common);
  EXPECT_EQ(Violations({"src/plugins/comm_x/plugin.cpp:1: a plugin includes plugins/exec_common/in_order.hpp"}),
            arch::plugins_stand_alone(root));
}

TEST_F(SmallTree, PartitionersHaveAFolderInCommon) {
  const char *const common = "#include \"plugins/part_common/scotch.hpp\"\n";
  write("src/plugins/part_x/plugin.cpp", common);
  EXPECT_EQ(Violations(), arch::plugins_stand_alone(root));
  write("src/plugins/comm_x/plugin.cpp", common);
  EXPECT_EQ(Violations({"src/plugins/comm_x/plugin.cpp:1: a plugin includes plugins/part_common/scotch.hpp"}),
            arch::plugins_stand_alone(root));
}

TEST_F(SmallTree, ToolsAndPublicHeaders) {
  write("src/tools/info.c", "#include <stdio.h>\n#include \"op2/op2.h\"\n#include \"tools/words.hpp\"\n");
  write("include/op2/op2.h", "#include <stddef.h>\n#include \"op2/types.h\"\n");
  EXPECT_EQ(Violations(), arch::tools_use_the_interface(root));
  EXPECT_EQ(Violations(), arch::public_headers_stand_alone(root));
  write("src/tools/info.c", "#include \"base/log.hpp\"\n");
  write("include/op2/cpp/loop.hpp", "#include \"loop/loop.hpp\"\n#include \"types.h\"\n");
  EXPECT_EQ(Violations({"src/tools/info.c:1: a tool includes base/log.hpp"}), arch::tools_use_the_interface(root));
  EXPECT_EQ(Violations({"include/op2/cpp/loop.hpp:1: a public header includes loop/loop.hpp",
                        "include/op2/cpp/loop.hpp:2: a public header includes types.h"}),
            arch::public_headers_stand_alone(root));
}

TEST_F(SmallTree, ForeignHeaders) {
  write("src/plugins/comm_mpi/plugin.cpp", "#include <mpi.h>\n");
  write("src/mesh/a.cpp", "// mpi.h is not for us\n#include <map>\n");
  write("src/host/nvtx.cpp", "#include <nvtx3/nvToolsExt.h>\n");
  EXPECT_EQ(Violations(), arch::no_foreign_headers(root));
  write("src/host/nvtx.cpp", "#include <nvtx3/nvToolsExt.h>\n#include <mpi.h>\n");
  write("src/loop/x.cpp", "#include <nvtx3/nvToolsExt.h>\n");
  write("src/mesh/b.cpp", "#include <mpi.h>\n#include \"cuda.h\"\n");
  write("src/plugins/builtin.hpp", "#include <omp.h>\n");
  write("include/op2/x.h", "#include <hdf5.h>\n");
  EXPECT_EQ(Violations({"src/host/nvtx.cpp:2: includes mpi.h outside of a plugin",
                        "src/loop/x.cpp:1: includes nvtx3/nvToolsExt.h outside of a plugin",
                        "src/mesh/b.cpp:1: includes mpi.h outside of a plugin",
                        "src/mesh/b.cpp:2: includes cuda.h outside of a plugin",
                        "src/plugins/builtin.hpp:1: includes omp.h outside of a plugin",
                        "include/op2/x.h:1: includes hdf5.h outside of a plugin"}),
            arch::no_foreign_headers(root));
}

TEST_F(SmallTree, Dlopen) {
  write("src/host/plugins/loader.cpp", "void *h = dlopen(path, 1);\n");
  write("src/host/plugins/loader.hpp",
        "// The only user of dlopen.\nconst char *m = \"dlsym failed\";\nint dlopen_count;\n");
  EXPECT_EQ(Violations(), arch::one_user_of_dlopen(root));
  write("src/jit/compile.cpp", "\nvoid *h = ::dlopen(path, 1);\nauto f = dlsym(h, name);\n");
  EXPECT_EQ(Violations({"src/jit/compile.cpp:2: uses dlopen", "src/jit/compile.cpp:3: uses dlsym"}),
            arch::one_user_of_dlopen(root));
}

TEST_F(SmallTree, EndOfTheProcess) {
  write("src/api/error.cpp", "std::exit(1);\n");
  write("src/tools/info.c", "exit(1);\n");
  write("src/host/a.cpp",
        "void abort(int code) { ops_.abort(comm_, code); }\n"
        "comm->abort(1); // exit(1)\n"
        "op_status op_exit(void);\n"
        "const char *s = \"exit(1)\"; t.abort = abort_job;\n"
        "char c = '\"'; // std::abort()\n"
        "my::exit(1);\n"
        "static op_status exit(op_exec *);\n");
  EXPECT_EQ(Violations(), arch::nobody_ends_the_process(root));
  write("src/host/b.cpp",
        "std::exit(1);\n"
        "if (x) exit(1);\n"
        "abort();\n"
        "else _exit (2);\n"
        "::abort();\n"
        "ok || (std::terminate(), 1); return abort();\n"
        "const char *s = \"a\\\"\"; std::quick_exit(1);\n"
        "x && exit(1);\n");
  EXPECT_EQ(Violations({"src/host/b.cpp:1: calls exit", "src/host/b.cpp:2: calls exit", "src/host/b.cpp:3: calls abort",
                        "src/host/b.cpp:4: calls _exit", "src/host/b.cpp:5: calls abort",
                        "src/host/b.cpp:6: calls abort", "src/host/b.cpp:6: calls terminate",
                        "src/host/b.cpp:7: calls quick_exit", "src/host/b.cpp:8: calls exit"}),
            arch::nobody_ends_the_process(root));
}

TEST_F(SmallTree, NewAndDelete) {
  write("src/mesh/a.hpp",
        "#include <new>\n"
        "Mesh(const Mesh &) = delete; // a new one\n"
        "bool writes_new(op_access); int new_size = renew(1);\n"
        "auto p = std::make_unique<Set>(); log(\"new and delete\");\n"
        "host.malloc(3);\n");
  write("src/plugins/exec_x/a.cpp", "auto *p = new int; delete p;\n");
  write("src/api/session.cpp", "delete the_session.exchange(nullptr);\n");
  EXPECT_EQ(Violations(), arch::no_bare_new_and_delete(root));
  write("src/mesh/b.hpp", "int *p = new int[3];\ndelete[] p;\ndelete q; void *r = std::malloc(1);\n");
  write("src/api/session.cpp", "new Session;\n"); // excepted for one word, not for the other
  EXPECT_EQ(
      Violations({"src/api/session.cpp:1: uses new", "src/mesh/b.hpp:1: uses new", "src/mesh/b.hpp:2: uses delete",
                  "src/mesh/b.hpp:3: uses delete", "src/mesh/b.hpp:3: calls malloc"}),
      arch::no_bare_new_and_delete(root));
}

TEST_F(SmallTree, PublicFunctionsCallNoOthers) {
  write("src/api/mesh.cpp",
        "op_set op_new_set(int size) {\n  return guarded(\"op_new_set\", [&] { current.op_apply(size); });\n}\n"
        "  const op_set set = op_build_info(); // op_fetch(set)\n");
  write("src/api/timing.cpp", "  op_printf(1);\n");
  EXPECT_EQ(Violations(), arch::public_functions_call_no_others(root));
  write("src/api/view.cpp", "op_view op_new_view() {\n  return need(op_new_set(3));\n  if (op_barrier()) return;\n}\n");
  write("src/api/init.cpp", "  op_printf(2);\n");
  write("src/tracer/api.cpp", "  op_setting(\"OP2_LOG\");\n  op_dat_sync_host(dat);\n");
  EXPECT_EQ(Violations({"src/api/init.cpp:1: calls op_printf, which reports its failures itself",
                        "src/api/view.cpp:2: calls op_new_set, which reports its failures itself",
                        "src/api/view.cpp:3: calls op_barrier, which reports its failures itself",
                        "src/tracer/api.cpp:2: calls op_dat_sync_host, which reports its failures itself"}),
            arch::public_functions_call_no_others(root));
}

TEST_F(SmallTree, SmallCore) {
  std::string functions;
  for (int i = 0; i < 47; ++i) functions += "OP_API int op_f" + std::to_string(i) + "(void);\n";
  write("include/op2/types.h", "#define OP_API\n");
  write("include/op2/loop.h", "#include \"op2/types.h\"\n" + functions);
  write("include/op2/data.h", "#include <stddef.h>\n#include \"op2/types.h\"\n");
  write("include/op2/view.h", "OP_API int op_view(void);\n");
  write("include/op2/op2.h", "#include \"op2/data.h\"\n#include \"op2/loop.h\"\n");
  EXPECT_EQ(Violations(), arch::small_core(root));
  write("include/op2/data.h", "#include \"op2/view.h\"\n");
  EXPECT_EQ(Violations({"include/op2/op2.h: declares 48 functions, more than 47"}), arch::small_core(root));
  write("include/op2/data.h", "#include \"op2/gone.h\"\n");
  EXPECT_EQ(Violations({"include/op2/gone.h: is not there"}), arch::small_core(root));
}

TEST_F(SmallTree, SmallRooms) {
  for (int i = 0; i < 24; ++i) write("src/base/a" + std::to_string(i) + ".cpp", "int a;\n");
  write("src/base/notes.txt", "no code\n");
  write("src/base/more/a.cpp", "int a;\n");
  EXPECT_EQ(Violations(), arch::small_rooms(root));
  write("src/base/b.hpp", "int b;\n");
  EXPECT_EQ(Violations({"src/base: 25 files, more than 24"}), arch::small_rooms(root));
}

TEST_F(SmallTree, RoomsInTheTable) {
  write("src/base/error.hpp", "int a;\n");
  write("src/host/plugins/loader.cpp", "int a;\n");
  write("src/package/notes.in", "no code\n");
  write("tests/unit/base_test.cpp", "int a;\n");
  const std::string row = "| `base` | errors, `any/thing` | `base/error.hpp` | `tests/unit` |\n";
  const std::string other = "| `host/plugins` | opened with `dlopen` | `host/plugins/loader.cpp` | `tests/unit` |\n";
  write("docs/rooms.md", "# Rooms\n\n| room | what | begin with | tests |\n|---|---|---|---|\n" + row + other);
  EXPECT_EQ(Violations(), arch::rooms_in_the_table(root));
  write("docs/rooms.md", row);
  EXPECT_EQ(Violations({"docs/rooms.md: has no row for src/host/plugins"}), arch::rooms_in_the_table(root));
  write("docs/rooms.md", row + other + "| `mesh` | sets | `mesh/mesh.hpp` | `tests/mesh`, `tests/unit` |\n");
  EXPECT_EQ(Violations({"docs/rooms.md:3: no mesh/mesh.hpp", "docs/rooms.md:3: no tests/mesh",
                        "docs/rooms.md: there is no code in src/mesh"}),
            arch::rooms_in_the_table(root));
}

TEST_F(SmallTree, ShortFiles) {
  std::string text;
  for (int i = 0; i < 500; ++i) text += "int a;\n";
  for (const char *folder : {"src", "include", "tests", "examples", "bench"})
    write(std::string(folder) + "/a.cpp", text);
  EXPECT_EQ(Violations(), arch::short_files(root));
  for (const char *file : {"src/base/b.cpp", "include/b.h", "tests/b.sh", "examples/b.md", "bench/b"})
    write(file, text + "last line");
  write("examples/mesh.msh", text + "last line");
  const std::string words = ":501: the file has 501 lines, more than 500";
  EXPECT_EQ(Violations({"src/base/b.cpp" + words, "include/b.h" + words, "tests/b.sh" + words, "examples/b.md" + words,
                        "bench/b" + words}),
            arch::short_files(root));
}

TEST_F(SmallTree, FilesOfExecutors) {
  for (const char *file : {"plugin.cpp", "memory.cpp", "kernel.cu", "loop.cpp", "more.cpp"})
    write(std::string("src/plugins/exec_x/") + file, "");
  write("src/plugins/comm_x/plugin.cpp", "");
  write("src/plugins/exec_common/in_order.hpp", "");
  EXPECT_EQ(Violations(), arch::same_files_in_executors(root));
  write("src/plugins/exec_z/plugin.cpp", "#include \"plugins/exec_common/threads/threads.hpp\"\n");
  EXPECT_EQ(Violations(), arch::same_files_in_executors(root));
  write("src/plugins/exec_y/plugin.cpp", "");
  write("src/plugins/exec_y/old/kernel.cpp", "");
  write("src/plugins/exec_y/loops.cpp", "");
  EXPECT_EQ(Violations({"src/plugins/exec_y: has no file memory", "src/plugins/exec_y: has no file kernel",
                        "src/plugins/exec_y: has no file loop"}),
            arch::same_files_in_executors(root));
}

TEST_F(SmallTree, NothingLeftForLater) {
  write("src/a.cpp", std::string("int todo; // a list of TO") + "DOS\n");
  EXPECT_EQ(Violations(), arch::nothing_left_for_later(root));
  write("tests/a.sh", std::string("# one\n# TO") + "DO: more\n");
  write("bench/a.cpp", std::string("/* FIX") + "ME */\n");
  EXPECT_EQ(Violations({std::string("tests/a.sh:2: says TO") + "DO", std::string("bench/a.cpp:1: says FIX") + "ME"}),
            arch::nothing_left_for_later(root));
}

TEST_F(SmallTree, LicenseInTheLastLine) {
  const std::string words = "SPDX-License-Identifier: MIT";
  write("src/a.hpp", "// a.hpp: one\n\n// " + words + "\n");
  write("src/jit/prelude/b.h", "int b;\n");
  write("src/plugins/exec_cuda/device/b.h", "int b;\n");
  write("tests/c.sh", "#!/bin/sh\n\n# " + words + "\n");
  write("docs/page.md", "# Page\n");
  EXPECT_EQ(Violations(), arch::license_in_the_last_line(root));
  write("src/a.cpp", "// " + words + "\nint a;\n");
  write("src/jit/prelude/b.cpp", "int b;\n");
  write("include/c.h", "");
  write("tests/CMakeLists.txt", "# " + words + "-0\n# MIT\n");
  write("bindings/d.f90", "end module\n");
  write("docs/e.py", "#\n");
  const std::string missing = ": the last line does not say " + words;
  EXPECT_EQ(Violations({"src/a.cpp:2" + missing, "src/jit/prelude/b.cpp:1" + missing, "include/c.h:0" + missing,
                        "tests/CMakeLists.txt:2" + missing, "bindings/d.f90:1" + missing, "docs/e.py:1" + missing}),
            arch::license_in_the_last_line(root));
}

TEST_F(SmallTree, ReadingKeepsLinesAndBlanksOutWords) {
  write("src/a.cpp", "a /* b\nc */ d // e\n\"f\\\"g\" h '\"' i 1'000 j\nR\"(k\n\")\" l\n#include \"m.hpp\" // n\n");
  write("src/build/b.cpp", "int generated;\n");
  write("src/.hidden/c.cpp", "int hidden;\n");
  const std::vector<arch::Source> sources = arch::read_sources(root, "src");
  ASSERT_EQ(1u, sources.size());
  const arch::Source &source = sources[0];
  EXPECT_EQ("src/a.cpp", source.path);
  ASSERT_EQ(6u, source.code.size());
  const auto letters = [](std::string line) {
    std::erase_if(line, [](char c) { return !std::isalpha(static_cast<unsigned char>(c)); });
    return line;
  };
  EXPECT_EQ("a", letters(source.code[0]));
  EXPECT_EQ("d", letters(source.code[1]));
  EXPECT_EQ("hij", letters(source.code[2]));
  EXPECT_EQ("R", letters(source.code[3]));
  EXPECT_EQ("l", letters(source.code[4]));
  ASSERT_EQ(1u, source.includes.size());
  EXPECT_EQ("m.hpp", source.includes[0].name);
  EXPECT_EQ(6, source.includes[0].line);
  EXPECT_FALSE(source.includes[0].angled);
}

TEST_F(SmallTree, WithoutFilesHasNoViolations) {
  EXPECT_EQ(Violations(), arch::layers(root));
  EXPECT_EQ(Violations(), arch::short_files(root));
  EXPECT_EQ(0u, arch::read_sources(root, "src").size());
}

} // namespace

// SPDX-License-Identifier: MIT
