// plugins.cpp: plugins that lie, files that are no plugins, folders that cannot be read. Each is refused by name with
// the reason; op2_info and `auto` live on; nothing of it touches seq.
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "loop_with.hpp"
#include "op2/info.h"
#include "refuse.hpp"

namespace badinput {

namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string &name) { return std::string(OP2_BADINPUT_PLUGINS) + "/" + name; }
std::string file_of(const std::string &name) { return folder_of(name) + "/op2_exec_liar.so"; }

std::string report() {
  std::string text(static_cast<std::size_t>(op_info(nullptr, 0)) + 1, '\0');
  op_info(text.data(), text.size());
  return text;
}

op_status init(const char *backend) {
  op_init_params params = OP_INIT_PARAMS;
  params.backend = backend;
  return op_init_with(&params);
}

void expect_words(const std::string &text, const std::vector<std::string> &words) {
  for (const std::string &word : words)
    EXPECT_NE(std::string::npos, text.find(word)) << "'" << word << "' is not in: " << text;
}

void expect_seq_is_unhurt() {
  ASSERT_EQ(OP_OK, init("seq")) << op_last_error();
  const op_set cells = op_decl_set(3, "cells");
  const op_dat d = op_decl_dat(cells, 1, "double", nullptr, "d");
  const op_arg arg = op_arg_dat(d, -1, OP_ID, 1, "double", OP_RW);
  EXPECT_EQ(OP_OK, op_par_loop(reinterpret_cast<op_kernel_fn>(+[](double *v) { *v += 1; }), "one", cells, 1, &arg));
  double values[3] = {0, 0, 0};
  EXPECT_EQ(OP_OK, op_fetch_data(d, values));
  EXPECT_EQ(3, values[0] + values[1] + values[2]);
  EXPECT_EQ(OP_OK, op_exit());
}

class Plugins : public Library {
 protected:
  static void look_in(const std::string &path) { setenv("OP2_PLUGIN_PATH", path.c_str(), 1); }
  // OP2_LOG=error: warnings about crashes are wanted, but not in the output of the tests.
  void SetUp() override {
    Library::SetUp();
    setenv("OP2_LOG", "error", 1);
  }
};

TEST_F(Plugins, TheHonestOneRuns) { // or nothing below would mean anything
  look_in(folder_of("honest"));
  ASSERT_EQ(OP_OK, init("liar")) << op_last_error();
  EXPECT_STREQ("self+liar", op_backend());
  ASSERT_EQ(OP_OK, op_exit());
  ASSERT_EQ(OP_OK, init("auto")); // it has the best score
  EXPECT_STREQ("self+liar", op_backend());
}

// ---- lies in the descriptor, crashes -------------------------------------------------------------------------------

struct Lie {
  const char *folder;
  op_status status;
  std::string reason;
};
std::ostream &operator<<(std::ostream &out, const Lie &lie) { return out << lie.folder; }
std::string name_of_lie(const testing::TestParamInfo<Lie> &info) { return info.param.folder; }

const Lie refused_at_loading[] = {
    {"old_abi", OP_ERR_PLUGIN, "it was built for plugin ABI 0, this library has ABI 1"},
    {"new_abi", OP_ERR_PLUGIN, "it was built for plugin ABI 2, this library has ABI 1"},
    {"short_descriptor", OP_ERR_PLUGIN, "its descriptor has 56 bytes, at least 72 are needed"},
    {"empty_descriptor", OP_ERR_PLUGIN, "its descriptor has 0 bytes"},
    {"empty_table", OP_ERR_PLUGIN, "its table of entries has 0 bytes; the table begins with its size"},
    {"other_name", OP_ERR_PLUGIN, "it says its name is 'honest', its file name says 'liar'"},
    {"no_name", OP_ERR_PLUGIN, "it says its name is NULL, its file name says 'liar'"},
    {"no_score", OP_ERR_BACKEND, "cannot run here: there is no device"},
    {"silent", OP_ERR_BACKEND, "cannot run here"},
    {"negative_score", OP_ERR_BACKEND, "cannot run here"},
    {"descriptor_nowhere", OP_ERR_PLUGIN, "its descriptor cannot be read: reading it crashed (signal 11, SIGSEGV)"},
    {"table_nowhere", OP_ERR_PLUGIN, "its descriptor cannot be read: reading it crashed (signal 11, SIGSEGV)"},
    {"name_nowhere", OP_ERR_PLUGIN, "its descriptor cannot be read: reading it crashed (signal 11, SIGSEGV)"},
    {"summary_nowhere", OP_ERR_PLUGIN, "its descriptor cannot be read: reading it crashed (signal 11, SIGSEGV)"},
    {"parent_nowhere", OP_ERR_PLUGIN, "its descriptor cannot be read: reading it crashed (signal 11, SIGSEGV)"},
    {"score_segv", OP_ERR_PLUGIN, "its score entry crashed (signal 11, SIGSEGV)"},
    {"score_divides", OP_ERR_PLUGIN, "its score entry crashed (signal 8, SIGFPE)"},
    {"score_illegal", OP_ERR_PLUGIN, "its score entry crashed (signal 4, SIGILL)"},
    {"score_aborts", OP_ERR_PLUGIN, "its score entry crashed (signal 6, SIGABRT)"},
    {"score_bus", OP_ERR_PLUGIN, "its score entry crashed (signal 7, SIGBUS)"},
    {"score_stack", OP_ERR_PLUGIN, "its score entry crashed (signal 11, SIGSEGV)"},
    {"score_throws", OP_ERR_PLUGIN, "its score entry threw an exception: no device driver"},
    {"entry_segv", OP_ERR_PLUGIN, "its entry function crashed (signal 11, SIGSEGV)"},
    {"entry_aborts", OP_ERR_PLUGIN, "its entry function crashed (signal 6, SIGABRT)"},
};
const Lie refused_at_opening[] = {
    {"short_table", OP_ERR_PLUGIN, "plugin 'liar' (an executor) lacks the entry"},
    {"no_entries", OP_ERR_PLUGIN, "plugin 'liar' (an executor) lacks the entry open"},
    {"opens_nothing", OP_ERR_PLUGIN, "executor liar, open: it reports success but made nothing"},
    {"no_space", OP_ERR_PLUGIN, "executor liar, caps: space 0 and concurrency 1 cannot be"},
    {"no_threads", OP_ERR_PLUGIN, "executor liar, caps: space 1 and concurrency 0 cannot be"},
};

class Liar : public Plugins, public testing::WithParamInterface<Lie> {
 protected:
  static void is_refused(const Lie &lie) {
    for (const char *backend : {"liar", "self+liar"}) {
      EXPECT_STREQ(op_status_name(lie.status), op_status_name(init(backend)));
      expect_error("op_init_with", lie.status, {"liar", lie.reason});
      EXPECT_EQ(0, op_is_initialised());
    }
  }
};

class LiarAtLoading : public Liar {};
TEST_P(LiarAtLoading, IsRefusedListedAndPassedOver) {
  look_in(folder_of(GetParam().folder));
  is_refused(GetParam());
  expect_words(report(), {GetParam().reason, file_of(GetParam().folder), "exec seq ", "would take: "});
  ASSERT_EQ(OP_OK, init("auto")) << op_last_error();
  EXPECT_EQ(std::string::npos, std::string(op_backend()).find("liar"));
  expect_words(report(), {GetParam().reason});
  ASSERT_EQ(OP_OK, op_exit());
  is_refused(GetParam()); // again, after it is known
  expect_seq_is_unhurt();
}
INSTANTIATE_TEST_SUITE_P(Each, LiarAtLoading, testing::ValuesIn(refused_at_loading), name_of_lie);

class LiarAtOpening : public Liar {};
TEST_P(LiarAtOpening, IsRefusedAndHurtsNobody) {
  look_in(folder_of(GetParam().folder));
  is_refused(GetParam());
  expect_seq_is_unhurt();
  is_refused(GetParam());
}
INSTANTIATE_TEST_SUITE_P(Each, LiarAtOpening, testing::ValuesIn(refused_at_opening), name_of_lie);

TEST_F(Plugins, TextsMayBeMissing) {
  look_in(folder_of("no_texts"));
  expect_words(report(), {"exec liar        score 1000"});
  EXPECT_EQ(OP_OK, init("liar")) << op_last_error();
}

TEST_F(Plugins, ObjectsThatWereNotMadeAreNotUsed) {
  look_in(folder_of("no_memory"));
  ASSERT_EQ(OP_OK, init("liar")) << op_last_error();
  const op_set cells = op_decl_set(3, "cells");
  EXPECT_EQ(nullptr, op_decl_dat(cells, 1, "double", nullptr, "new"));
  expect_error("op_decl_dat", OP_ERR_PLUGIN,
               {"dat 'new'", "executor liar, mem_alloc: it reports success but made nothing"});
  ASSERT_EQ(OP_OK, op_exit());
  for (const auto &[folder, words] :
       {std::pair{"no_kernel", "executor liar, kernel_create: it reports success but made nothing"},
        std::pair{"unknown_plan", "99"}}) {
    look_in(folder_of(folder));
    ASSERT_EQ(OP_OK, init("liar")) << op_last_error();
    EXPECT_NE(OP_OK, op_par_loop(idle(), "flux", op_decl_set(3, "cells"), 0, nullptr));
    expect_error("op_par_loop", op_last_status(), {"loop 'flux'", words});
    ASSERT_EQ(OP_OK, op_exit());
  }
}

TEST_F(Plugins, CommunicatorsThatCannotCountAreRefused) {
  for (const auto &[folder, words] :
       {std::pair{"rank_outside", "process 3 of 1"}, std::pair{"no_processes", "process 0 of 0"}}) {
    look_in(folder_of(folder));
    EXPECT_EQ(OP_ERR_PLUGIN, init("liar+seq"));
    expect_error("op_init_with", OP_ERR_PLUGIN, {"communicator liar", words, "which cannot be"});
    EXPECT_EQ(0, op_is_initialised());
    expect_seq_is_unhurt();
  }
}

// ---- crashes and the program's own signal handlers
// ----------------------------------------------------------------------

TEST_F(Plugins, TheProgramKeepsItsSignalHandlers) {
  static volatile std::sig_atomic_t heard;
  heard = 0;
  struct sigaction mine {
  }, before{}, after{};
  mine.sa_handler = [](int) {
    heard = heard + 1;
    if (heard > 10) _exit(98); // a division by zero that nobody stopped comes back for ever
  };
  sigaction(SIGFPE, &mine, &before);
  look_in(folder_of("score_divides") + ":" + folder_of("score_segv"));
  EXPECT_EQ(OP_ERR_PLUGIN, init("liar"));
  EXPECT_EQ(0, heard);
  raise(SIGFPE);
  EXPECT_EQ(1, heard);
  sigaction(SIGFPE, &before, &after);
  EXPECT_EQ(mine.sa_handler, after.sa_handler);
}

TEST_F(Plugins, ACrashIsToldAsAWarning) {
  look_in(folder_of("score_segv"));
  const Ending ending = run_in_child([] {
    setenv("OP2_LOG", "warn", 1);
    _exit(init("auto") == OP_OK ? 0 : 9);
  });
  EXPECT_EQ(0, ending.exit_code);
  // In a process in which it did not crash before: the child is a copy of this one, which has not asked it yet.
  expect_words(ending.errors, {"plugin " + file_of("score_segv") + " was refused: its score entry crashed"});
}

// A constructor runs inside dlopen, which must not be left half way: the process ends, but says whose fault it is.
TEST_F(Plugins, ACrashWhileLoadingNamesThePlugin) {
  for (const auto &[folder, signal] :
       {std::pair{"constructor_segv", SIGSEGV}, std::pair{"constructor_aborts", SIGABRT}}) {
    look_in(folder_of(folder));
    const Ending ending = run_in_child([] { report(); });
    EXPECT_TRUE(ending.signal == signal || ending.exit_code > 0) << ending.exit_code; // a sanitizer exits
    expect_words(ending.errors, {"op2: error: plugin " + file_of(folder) + " crashed while it was being loaded"});
  }
}

// ---- files
// -----------------------------------------------------------------------------------------------------------

// A folder that is gone at the end of the test.
class Files : public Plugins {
 protected:
  void SetUp() override {
    Plugins::SetUp();
    folder_ = fs::temp_directory_path() / ("badinput-" + std::to_string(getpid()));
    fs::create_directories(folder_);
    look_in(folder_.string());
  }
  void TearDown() override {
    fs::remove_all(folder_);
    Plugins::TearDown();
  }
  fs::path plugin() const { return folder_ / "op2_exec_liar.so"; }
  void write(const std::string &content) const { std::ofstream(plugin(), std::ios::binary) << content; }
  void is_refused(const std::string &reason) const {
    EXPECT_EQ(OP_ERR_PLUGIN, init("liar"));
    expect_error("op_init_with", OP_ERR_PLUGIN, {"plugin 'liar' (" + plugin().string() + ") was refused", reason});
    expect_words(report(), {reason, plugin().string()});
    expect_seq_is_unhurt();
  }
  fs::path folder_;
};

std::string honest_file() {
  std::ifstream file(file_of("honest"), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST_F(Files, EmptyFile) {
  write("");
  is_refused("file too short");
}

TEST_F(Files, TextFile) {
  write(std::string(5000, 'x'));
  is_refused("invalid ELF header");
}

TEST_F(Files, ObjectThatWasCutShort) { // wherever the disk was full
  const std::string whole = honest_file();
  for (const std::size_t size : {std::size_t{70}, std::size_t{500}, std::size_t{4096}, std::size_t{4097},
                                 std::size_t{8192}, std::size_t{12288}}) {
    if (size >= whole.size()) continue;
    SCOPED_TRACE(size);
    write(whole.substr(0, size));
    is_refused("the file is cut short (" + std::to_string(size) + " bytes");
  }
}

TEST_F(Files, ObjectOfAnotherMachine) {
  std::string other = honest_file();
  other[18] = 1, other[19] = 0; // e_machine: a processor of 1970
  write(other);
  is_refused("liar.so");
}

TEST_F(Files, Folder) {
  fs::create_directory(plugin());
  is_refused("it is a folder, not a file");
}

TEST_F(Files, Pipe) { // opening it would wait for a writer
  ASSERT_EQ(0, mkfifo(plugin().c_str(), 0600));
  is_refused("it is not a regular file");
}

TEST_F(Files, LinkToNothing) {
  fs::create_symlink("/no/such/file", plugin());
  is_refused("No such file or directory");
}

TEST_F(Files, LinkToItself) {
  fs::create_symlink(plugin(), plugin());
  is_refused("Too many levels of symbolic links");
}

// ---- folders
// -----------------------------------------------------------------------------------------------------------

TEST_F(Files, FoldersThatCannotBeRead) {
  fs::create_symlink("/no/such/folder", folder_ / "dangling");
  fs::create_symlink("loop", folder_ / "loop");
  std::ofstream(folder_ / "file") << "text";
  struct Case {
    std::string folder, why;
  };
  for (const Case &c : {Case{"/no/such/folder", "No such file or directory"},
                        Case{(folder_ / "dangling").string(), "No such file or directory"},
                        Case{(folder_ / "file").string(), "Not a directory"},
                        Case{(folder_ / "loop").string(), "Too many levels of symbolic links"},
                        Case{std::string(5000, 'x'), "File name too long"}}) {
    SCOPED_TRACE(c.folder.substr(0, 80));
    look_in(c.folder + "::" + folder_of("honest"));
    const std::string remark = "folder " + c.folder + ": " + c.why;
    expect_words(report(), {"note: " + remark, "exec liar        score 1000"});
    EXPECT_EQ(OP_ERR_BACKEND, init("no_such"));
    expect_error("op_init_with", OP_ERR_BACKEND, {"Not looked at: " + remark}); // perhaps it was there
    EXPECT_EQ(OP_OK, init("liar")) << op_last_error();
    EXPECT_EQ(OP_OK, op_exit());
    const Ending ending = run_in_child([] {
      setenv("OP2_LOG", "warn", 1);
      _exit(init("seq") == OP_OK ? 0 : 9);
    });
    EXPECT_EQ(0, ending.exit_code);
    expect_words(ending.errors, {"warning: OP2_PLUGIN_PATH: " + remark});
  }
}

TEST_F(Plugins, TheFirstOfTwoIsTaken) {
  look_in(folder_of("honest") + ":" + folder_of("second"));
  std::string text = report();
  expect_words(text, {"all entries of seq", file_of("second") + ": hidden by " + file_of("honest")});
  look_in(folder_of("second") + ":" + folder_of("honest"));
  text = report();
  expect_words(text, {"the second of this name", file_of("honest") + ": hidden by " + file_of("second")});
  look_in(folder_of("score_segv") + ":" + folder_of("honest")); // also when the first is bad: no surprise
  EXPECT_EQ(OP_ERR_PLUGIN, init("liar"));
  expect_error("op_init_with", OP_ERR_PLUGIN, {file_of("score_segv")});
}

// ---- the tool
// ------------------------------------------------------------------------------------------------------------

TEST_F(Plugins, TheToolListsThemAll) {
  for (const Lie &lie : refused_at_loading) {
    SCOPED_TRACE(lie.folder);
    look_in(folder_of(lie.folder));
    const Ending ending = run_in_child([] {
      dup2(STDERR_FILENO, STDOUT_FILENO); // into what is looked at
      execl(OP2_INFO_PROGRAM, "op2_info", static_cast<char *>(nullptr));
      _exit(99);
    });
    EXPECT_EQ(0, ending.exit_code) << "signal " << ending.signal;
    expect_words(ending.errors, {lie.reason, file_of(lie.folder), "exec seq ", "would take: "});
  }
}

} // namespace

} // namespace badinput

// SPDX-License-Identifier: MIT
