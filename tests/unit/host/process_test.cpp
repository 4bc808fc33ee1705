// process_test.cpp: programs that end well, badly, late or not at all, and what they see of ours.
#include "host/process.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "host/files.hpp"
#include "support.hpp"

namespace {

using namespace op2::core;
using unit::contains;
using unit::Environment;

// A program of a few words. The library itself never starts a shell.
ProcessRequest script(const std::string &words) { return {{"/bin/sh", "-c", words}, {}, 60, {}}; }
ProcessResult run(const std::string &words) { return run_process(script(words)); }

std::size_t open_files() {
  const std::filesystem::directory_iterator all("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

TEST(Process, TellsHowAProgramEnded) {
  const ProcessResult good = run("echo out; echo err >&2");
  EXPECT_TRUE(good.succeeded());
  EXPECT_EQ("out\nerr\n", good.output);
  const ProcessResult bad = run("exit 3");
  EXPECT_EQ(ProcessEnd::exited, bad.end);
  EXPECT_EQ(3, bad.status);
  EXPECT_FALSE(bad.succeeded());
  EXPECT_EQ("ended with status 3", bad.what_happened());
  const ProcessResult killed = run("kill -SEGV $$");
  EXPECT_EQ(ProcessEnd::signalled, killed.end);
  EXPECT_EQ(SIGSEGV, killed.status);
  EXPECT_TRUE(contains(killed.what_happened(), "signal 11"));
}

TEST(Process, SaysWhyItCannotBeStarted) {
  const ProcessResult missing = run_process({{"/nonexistent/program"}, {}, 60, {}});
  EXPECT_EQ(ProcessEnd::not_started, missing.end);
  EXPECT_TRUE(contains(missing.what_happened(), "No such file"));
  EXPECT_EQ(ProcessEnd::not_started, run_process({{"/etc/passwd"}, {}, 60, {}}).end);
  EXPECT_EQ(ProcessEnd::not_started, run_process({}).end);
}

TEST(Process, WordsAreNotInterpreted) {
  const ProcessResult said = run_process({{"/bin/echo", "$HOME", "a b", "`id`", "*", ";"}, {}, 60, {}});
  EXPECT_EQ("$HOME a b `id` * ;\n", said.output);
}

TEST(Process, KeepsTheBeginningOfMuchOutput) {
  const ProcessResult much =
      run("i=0; while [ $i -lt 3000 ]; do echo 'a line of fifty signs, all the same, one by one...'; "
          "i=$((i+1)); done; exit 7");
  EXPECT_EQ(7, much.status); // it was not stopped by a full pipe
  EXPECT_EQ(64u * 1024, much.output.size());
}

TEST(Process, IsKilledWithItsChildrenWhenItTakesTooLong) {
  ProcessRequest request = script("sleep 1000 & echo $!; sleep 1000");
  request.timeout = 0.3;
  const double start = now();
  const ProcessResult late = run_process(request);
  EXPECT_EQ(ProcessEnd::timed_out, late.end);
  EXPECT_LT(now() - start, 20);
  const pid_t child = std::stoi(late.output);
  for (int i = 0; i < 1000 && kill(child, 0) == 0; ++i) {
    // An init that does not reap leaves a zombie: dead, too.
    const auto state = read_file(text("/proc/", child, "/stat"), 4096);
    if (!state || contains(*state, ") Z")) return;
    usleep(10'000);
  }
  EXPECT_NE(0, kill(child, 0)) << "the child of the program still runs";
}

TEST(Process, IsNotWaitedForByItsLeftovers) {
  const double start = now();
  const ProcessResult done = run("sleep 1000 & echo done");
  EXPECT_TRUE(done.succeeded());
  EXPECT_EQ("done\n", done.output);
  EXPECT_LT(now() - start, 20);
}

TEST(Process, CanBeStopped) {
  std::stop_source source;
  ProcessRequest request = script("sleep 1000");
  request.stop = source.get_token();
  std::jthread other([&] {
    usleep(100'000);
    source.request_stop();
  });
  const double start = now();
  EXPECT_EQ(ProcessEnd::stopped, run_process(request).end);
  EXPECT_LT(now() - start, 20);
}

TEST(Process, ReadsNothingAndSeesNoForeignVariables) {
  EXPECT_EQ("", run("cat").output);
  const Environment environment{{"LD_PRELOAD", "/nonexistent/lib.so"},
                                {"ASAN_OPTIONS", "x=1"},
                                {"OP2_SEEN", "kept"},
                                {"LANG", "de_DE.UTF-8"},
                                {"LC_MESSAGES", "de"},
                                {"TMPDIR", "/tmp"}};
  ProcessRequest request{{"/usr/bin/env"}, {"TMPDIR=/elsewhere"}, 60, {}};
  const std::string seen = text("\n", run_process(request).output);
  EXPECT_TRUE(contains(seen, "\nOP2_SEEN=kept\n"));
  EXPECT_TRUE(contains(seen, "\nTMPDIR=/elsewhere\n"));
  EXPECT_TRUE(contains(seen, "\nLC_ALL=C\n"));
  for (const char *name : {"LD_PRELOAD", "ASAN_OPTIONS", "LANG", "LC_MESSAGES", "TMPDIR=/tmp\n"})
    EXPECT_TRUE(unit::lacks(seen, text("\n", name))) << name;
}

TEST(Process, HasOnlyItsOwnFilesAndFreshSignals) {
  const int leak = open("/dev/null", O_RDONLY); // without O_CLOEXEC, as other libraries do
  const int high = fcntl(leak, F_DUPFD, 200);
  signal(SIGPIPE, SIG_IGN);
  sigset_t usr1;
  sigemptyset(&usr1);
  sigaddset(&usr1, SIGUSR1);
  sigprocmask(SIG_BLOCK, &usr1, nullptr);
  const std::string files = run_process({{"/bin/ls", "/proc/self/fd"}, {}, 60, {}}).output;
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  EXPECT_TRUE(unit::lacks(files, "200"));
#endif
  const std::string status = run_process({{"/bin/cat", "/proc/self/status"}, {}, 60, {}}).output;
  EXPECT_TRUE(contains(status, "SigBlk:\t0000000000000000"));
  // Signals 32 and 33 are the C library's own.
  const std::size_t ignored = status.find("SigIgn:\t");
  ASSERT_NE(std::string::npos, ignored);
  EXPECT_EQ(0u, std::stoull(status.substr(ignored + 8), nullptr, 16) & 0x7fffffffu);
  signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &usr1, nullptr);
  close(leak);
  close(high);
}

// In a process of its own, since these change what cannot be restored. Returns its exit status.
template <class Body>
int in_child(Body &&body) {
  const pid_t pid = fork();
  if (pid == 0) _exit(body());
  int status = -1;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

TEST(Process, WorksWhereTheProgramClosedItsStreams) {
  EXPECT_EQ(0, in_child([] {
              for (const int stream : {0, 1, 2}) close(stream);
              return run("echo out; cat; echo err >&2").output == "out\nerr\n" ? 0 : 1;
            }));
}

TEST(Process, WorksWhereTheProgramIgnoresItsChildren) {
  EXPECT_EQ(0, in_child([] {
              signal(SIGCHLD, SIG_IGN);
              const ProcessResult result = run("echo out; sleep 0.2; exit 3");
              if (result.end != ProcessEnd::unknown || result.output != "out\n") return 1;
              ProcessRequest hangs = script("sleep 1000");
              hangs.timeout = 0.2;
              return run_process(hangs).end == ProcessEnd::timed_out ? 0 : 2;
            }));
}

void take_all(int) {
  const int error = errno;
  while (waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  errno = error;
}

TEST(Process, WorksWhereTheProgramTakesAllItsChildren) {
  EXPECT_EQ(0, in_child([] {
              signal(SIGCHLD, take_all);
              for (int i = 0; i < 20; ++i) {
                const ProcessResult result = run("echo out; exit 3");
                if (result.end != ProcessEnd::unknown && result.status != 3) return 1;
                if (result.output != "out\n") return 2;
              }
              return 0;
            }));
}

TEST(Process, RunsFromManyThreadsAndLeaksNothing) {
  run("true");
  const std::size_t before = open_files();
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([t] {
        for (int i = 0; i < 10; ++i) {
          const ProcessResult result = run(text("echo ", 100 * t + i, "; exit ", t));
          EXPECT_EQ(text(100 * t + i, "\n"), result.output);
          EXPECT_EQ(t, result.status);
        }
      });
  }
  EXPECT_EQ(before, open_files());
  EXPECT_EQ(-1, waitpid(-1, nullptr, WNOHANG)); // no zombies
}

TEST(Process, FindsProgramsInPath) {
  const TemporaryFolder folder("op2-test-");
  const std::string path = folder.path() + "/mine";
  EXPECT_EQ("", write_file(path, "#!/bin/sh\n"));
  const Environment environment{{"PATH", text("/nonexistent:", folder.path(), ":/bin")}};
  EXPECT_EQ("", find_program("mine")) << "it cannot be executed";
  EXPECT_EQ("", find_program(path));
  ASSERT_EQ(0, chmod(path.c_str(), 0700));
  EXPECT_EQ(path, find_program("mine"));
  EXPECT_EQ(path, find_program(path));
  EXPECT_EQ("", find_program("no such program"));
  EXPECT_EQ("", find_program(""));
  EXPECT_EQ("", find_program(folder.path())) << "a folder";
}

} // namespace

// SPDX-License-Identifier: MIT
