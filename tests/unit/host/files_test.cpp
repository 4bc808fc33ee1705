// files_test.cpp: temporary folders, after every end of a process.
#include "host/files.hpp"

#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "host/process.hpp"
#include "support.hpp"

namespace {

using namespace op2::core;
using unit::Environment;

class TemporaryFolders : public testing::Test {
 protected:
  TemporaryFolders() : tmpdir_({{"TMPDIR", place_.path()}}) {}

  std::vector<std::string> left() const {
    std::vector<std::string> out;
    for (const auto &each : std::filesystem::directory_iterator(place_.path())) out.push_back(each.path());
    return out;
  }
  // In a process of its own, which ends with 0 if body() returns.
  template <class Body>
  static int in_child(Body &&body) {
    const pid_t pid = fork();
    if (pid == 0) {
      body();
      _exit(0);
    }
    int status = -1;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }

  const TemporaryFolder place_{"op2-files-test-"};
  const Environment tmpdir_;
};

TEST_F(TemporaryFolders, GoWithoutAFreeDescriptor) {
  EXPECT_EQ(0, in_child([] {
              rlimit few{};
              getrlimit(RLIMIT_NOFILE, &few);
              few.rlim_cur = 3;
              setrlimit(RLIMIT_NOFILE, &few);
              try {
                const TemporaryFolder none("op2-jit-");
                _exit(1);
              } catch (const std::runtime_error &) {
              }
            }));
  EXPECT_TRUE(left().empty()) << left().front();
  EXPECT_EQ(0, in_child([] {
              const TemporaryFolder folder("op2-jit-");
              rlimit few{};
              getrlimit(RLIMIT_NOFILE, &few);
              few.rlim_cur = 0;
              setrlimit(RLIMIT_NOFILE, &few);
            }));
  EXPECT_TRUE(left().empty()) << left().front();
}

// exit() while a compiler writes: it ends, and so do those that it has started.
TEST_F(TemporaryFolders, GoWithExitAndWithThePrograms) {
  const std::string alive = place_.path() + ".alive";
  EXPECT_EQ(3, in_child([&] {
              const auto folder = std::make_unique<TemporaryFolder>("op2-jit-").release();
              const std::string words =
                  "(while :; do echo x >" + folder->path() + "/file; sleep 0.01; done) & touch " + alive + "; wait";
              std::thread([words] { run_process({{"/bin/sh", "-c", words}, {}, 60, {}}); }).detach();
              while (!std::filesystem::exists(alive)) usleep(1000);
              std::exit(3);
            }));
  std::filesystem::remove(alive);
  EXPECT_TRUE(left().empty()) << left().front();
}

// What is locked belongs to a process that lives; what another system has made is not touched.
TEST_F(TemporaryFolders, OfKilledProcessesGoLater) {
  EXPECT_EQ(1000 + SIGKILL, in_child([] {
              const TemporaryFolder folder("op2-jit-");
              write_file(folder.path() + "/loop.cpp", "text");
              raise(SIGKILL);
            }));
  ASSERT_EQ(1u, left().size());
  const std::string killed = left().front(), others = place_.path() + "/op2-jit-00000000-abcdef",
                    old = place_.path() + "/op2-jit-abcdef", link = killed.substr(0, killed.size() - 6) + "ablink";
  std::filesystem::create_directory(others);
  std::filesystem::create_directory(old);
  std::filesystem::create_directory_symlink(others, link);
  int ends[2], done[2];
  ASSERT_EQ(0, pipe(ends));
  ASSERT_EQ(0, pipe(done));
  const pid_t living = fork();
  if (living == 0) {
    char byte = 0;
    close(done[1]);
    const TemporaryFolder folder("op2-code-");
    (void)!write(ends[1], folder.path().data(), folder.path().size());
    close(ends[1]);
    (void)!read(done[0], &byte, 1);
    _exit(0);
  }
  close(ends[1]);
  std::string used(1000, ' ');
  used.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read(ends[0], used.data(), used.size()))));
  EXPECT_FALSE(std::filesystem::exists(killed)) << "the next process removes it";
  EXPECT_EQ(0, in_child([&] {
              const TemporaryFolder folder("op2-jit-");
              if (!std::filesystem::exists(used)) _exit(1);
            }));
  for (const std::string &path : {others, old, used}) EXPECT_TRUE(std::filesystem::exists(path)) << path;
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  close(done[1]);
  waitpid(living, nullptr, 0);
  close(ends[0]), close(done[0]);
}

// A child of fork() has copies of all objects of its parent, but not the right to their folders.
TEST_F(TemporaryFolders, OfAParentStayWithExitOfItsChild) {
  const TemporaryFolder folder("op2-jit-");
  EXPECT_EQ(0, in_child([] {
              on_exit([](int code, void *) { _exit(code); }, nullptr); // not the handlers of this test's own
              leave_nothing_behind();
              _exit(0);
            }));
  EXPECT_TRUE(std::filesystem::exists(folder.path()));
}

} // namespace

// SPDX-License-Identifier: MIT
