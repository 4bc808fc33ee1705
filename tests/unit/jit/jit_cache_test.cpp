// jit_cache_test.cpp: files of the code cache that are damaged, foreign or old, folders that must not or cannot be
// used, several processes at once, and the limit of its size.
#include "jit/code/code_cache.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <csignal>
#include <ctime>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "jit_support.hpp"
#include "rounds.hpp"

namespace {

using namespace op2::core;
using namespace op2::core::jit;
using unit::answer;
using unit::answering;
using unit::contains;
namespace fs = std::filesystem;

class JitCache : public unit::JitTest {
 protected:
  static CodeLabel label(int number, const std::string &compiler = "gcc") {
    const std::string source = std::to_string(number);
    return {sha256("key" + source), sha256(source), source.size(), compiler, "machine", "library"};
  }
  static std::string code(int number, std::size_t size = 5000) {
    std::string out;
    for (std::size_t i = 0; i < size; ++i) out.push_back(static_cast<char>(number + static_cast<int>(i * i % 251)));
    return out;
  }
  static bool holds(CodeCache &cache, int number, std::size_t size = 5000) {
    const std::optional<FoundCode> found = cache.find({label(number), {}});
    return found && found->code() == code(number, size);
  }
  std::string only_file() const {
    const std::vector<std::string> all = files(cache());
    EXPECT_EQ(1u, all.size());
    return all.empty() ? std::string() : all[0];
  }
  static std::string contents(const std::string &file) { return read_file(file, 1 << 20).value_or("unreadable"); }
  // A cache that says why it does not use the folder.
  std::string refused_folder(const std::string &folder) {
    return unit::said_by([&] {
      CodeCache cache(settings({{"OP2_JIT_CACHE", folder}}), log);
      EXPECT_EQ("", cache.folder());
      cache.store(label(1), code(1));
      EXPECT_FALSE(holds(cache, 1));
    });
  }
};

TEST_F(JitCache, GivesBackWhatWasStored) {
  CodeCache cache(settings(), log), other(settings(), log);
  EXPECT_FALSE(cache.find({label(1), {}}));
  cache.store(label(1), code(1));
  EXPECT_TRUE(holds(cache, 1));
  EXPECT_TRUE(holds(other, 1));
  EXPECT_FALSE(holds(cache, 2));
  EXPECT_FALSE(cache.find({label(1, "clang"), {}})) << "of another compiler";
  EXPECT_TRUE(cache.find({label(1, ""), {}})) << "without a compiler any is good";
  EXPECT_TRUE(cache.find({label(2, ""), {label(1, "")}})) << "one for another machine that runs here";
}

TEST_F(JitCache, FolderIsPrivate) {
  const mode_t before = umask(0);
  CodeCache cache(settings({{"OP2_JIT_CACHE", path("new/one")}}), log);
  cache.store(label(1), code(1));
  umask(before);
  struct stat info {};
  for (const char *folder : {"new", "new/one"}) {
    ASSERT_EQ(0, stat(path(folder).c_str(), &info));
    EXPECT_EQ(0700u, info.st_mode & 0777u) << folder;
  }
  ASSERT_EQ(0, stat(files(path("new/one"))[0].c_str(), &info));
  EXPECT_EQ(0600u, info.st_mode & 0777u);
}

TEST_F(JitCache, HasADefaultPlace) {
  EXPECT_EQ(path("home/.cache/op2"), CodeCache(settings({{"OP2_JIT_CACHE", ""}}), log).folder());
  const unit::Environment environment{{"XDG_CACHE_HOME", path("xdg")}};
  EXPECT_EQ(path("xdg/op2"), CodeCache(settings({{"OP2_JIT_CACHE", ""}}), log).folder());
}

// Every byte counts: none can be changed or lost without being noticed.
TEST_F(JitCache, DamagedEntriesAreNamedAndReplaced) {
  CodeCache cache(settings(), log);
  cache.store(label(1), code(1, 300));
  const std::string file = only_file(), good = contents(file);
  for (std::size_t i = 0; i < good.size(); i += 7) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 0x10);
    ASSERT_EQ("", write_file(file, bad));
    const std::string said = unit::said_by([&] { EXPECT_FALSE(holds(cache, 1, 300)) << i; });
    EXPECT_TRUE(contains(said, "warning: compiled code in " + file + " is not used"));
    EXPECT_EQ(1, unit::lines(said));
  }
  testing::internal::CaptureStderr();
  for (std::size_t length = 0; length < good.size(); length += 5) {
    ASSERT_EQ("", write_file(file, good.substr(0, length)));
    EXPECT_FALSE(holds(cache, 1, 300)) << length;
  }
  ASSERT_EQ("", write_file(file, good + "x"));
  EXPECT_FALSE(holds(cache, 1, 300));
  EXPECT_TRUE(contains(testing::internal::GetCapturedStderr(), "cut short"));
  cache.store(label(1), code(1, 300));
  EXPECT_TRUE(holds(cache, 1, 300));
}

TEST_F(JitCache, ForeignEntriesAreNotTaken) {
  CodeCache cache(settings(), log);
  cache.store(label(1), code(1));
  const std::string one = only_file();
  cache.store(label(2), code(2));
  const std::vector<std::string> both = files(cache.folder());
  const std::string two = both[0] == one ? both[1] : both[0];
  fs::copy_file(two, one, fs::copy_options::overwrite_existing);
  EXPECT_TRUE(contains(unit::said_by([&] { EXPECT_FALSE(holds(cache, 1)); }), "it holds other code"));
  EXPECT_TRUE(contains(unit::said_by([&] { EXPECT_FALSE(cache.find({label(1, ""), {}})); }), "it holds other code"));
  for (const auto change : {+[](CodeLabel &l) { l.source = sha256("edited"); }, +[](CodeLabel &l) { l.source_bytes++; },
                            +[](CodeLabel &l) { l.machine = "other"; }, +[](CodeLabel &l) { l.library = "newer"; }}) {
    CodeLabel changed = label(2);
    change(changed);
    unit::said_by([&] { EXPECT_FALSE(cache.find({changed, {}})); });
  }
  std::string old = contents(two);
  old.back() = '0';
  ASSERT_EQ("", write_file(two, old));
  EXPECT_TRUE(contains(unit::said_by([&] { EXPECT_FALSE(holds(cache, 2)); }), "format of another version"));
}

TEST_F(JitCache, WhatIsNoFileIsNotRead) {
  CodeCache cache(settings(), log);
  cache.store(label(1), code(1));
  const std::string file = only_file(), elsewhere = path("elsewhere");
  fs::rename(file, elsewhere);
  ASSERT_EQ(0, mkfifo(file.c_str(), 0600));
  EXPECT_TRUE(contains(unit::said_by([&] { EXPECT_FALSE(holds(cache, 1)); }), "it is no file"));
  fs::remove(file);
  fs::create_symlink(elsewhere, file);
  EXPECT_FALSE(holds(cache, 1)) << "a link leads out of the folder";
  cache.store(label(1), code(1));
  EXPECT_TRUE(holds(cache, 1));
  EXPECT_FALSE(fs::is_symlink(file));
  fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
  EXPECT_TRUE(contains(unit::said_by([&] { EXPECT_FALSE(holds(cache, 1)); }), "others may write to it"));
  fs::remove(file);
  fs::create_directory(file);
  unit::said_by([&] {
    EXPECT_FALSE(holds(cache, 1));
    cache.store(label(1), code(1)); // cannot, and says so
  });
  EXPECT_TRUE(fs::is_directory(file));
  EXPECT_TRUE(files(cache.folder()).empty()) << "something else is left";
}

// The library that is loaded is the one that was verified, and a damaged one costs a compilation and a line.
TEST_F(JitCache, DamagedCodeIsCompiledAgain) {
  const Settings request = settings({{"OP2_CXX", good_compiler()}});
  CodeStore(request, log).get(answering(4), "flux");
  std::string bytes = contents(only_file());
  bytes[bytes.size() / 2] ^= 1;
  ASSERT_EQ("", write_file(only_file(), bytes));
  const std::string said = unit::said_by([&] {
    CodeStore store(request, log);
    EXPECT_EQ(4, answer(store.get(answering(4), "flux")));
  });
  EXPECT_EQ(1, unit::lines(said)) << said;
  EXPECT_EQ(2, starts("good"));
  EXPECT_TRUE(CodeStore(request, log).get(answering(4), "flux").from_cache);
}

TEST_F(JitCache, FoldersOthersCanWriteToAreNotUsed) {
  for (const mode_t mode : {0777u, 0770u, 0702u}) {
    fs::create_directories(cache());
    ASSERT_EQ(0, chmod(cache().c_str(), mode));
    const std::string said = refused_folder(cache());
    EXPECT_TRUE(contains(said, cache() + ": others may write to it"));
    EXPECT_EQ(1, unit::lines(said));
    EXPECT_TRUE(files(cache()).empty());
  }
  const std::string said = unit::said_by([&] { CodeCache(settings({{"OP2_JIT_CACHE", "off:" + cache()}}), log); });
  EXPECT_TRUE(contains(said, "(OP2_JIT_CACHE) is not used: others may write to it"));
}

TEST_F(JitCache, FoldersOfOthersAreNotUsed) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can make folders of others";
  fs::create_directories(path("theirs"));
  ASSERT_EQ(0, chown(path("theirs").c_str(), 12345, 12345));
  EXPECT_TRUE(contains(refused_folder(path("theirs")), "it belongs to user 12345"));
  fs::create_directories(path("mine"));
  fs::create_symlink(path("mine"), path("my_link"));
  EXPECT_EQ(path("my_link"), CodeCache(settings({{"OP2_JIT_CACHE", path("my_link")}}), log).folder());
  fs::create_symlink(path("mine"), path("their_link"));
  ASSERT_EQ(0, lchown(path("their_link").c_str(), 12345, 12345));
  EXPECT_TRUE(contains(refused_folder(path("their_link")), "it is a link of another user (12345)"));
}

TEST_F(JitCache, WhatIsNoFolderIsNamed) {
  ASSERT_EQ("", write_file(path("file"), "x"));
  for (const std::string &folder : {path("file"), path("file/below"), std::string("/proc/op2")}) {
    const std::string said = refused_folder(folder);
    EXPECT_TRUE(contains(said, "warning: compiled code is not kept for later runs: "));
    EXPECT_EQ(1, unit::lines(said)) << said;
  }
}

// A file system of its own, visible to a child process only. False where that is not allowed.
bool mount_small(const std::string &folder, const char *options) {
  const uid_t user = getuid();
  const gid_t group = getgid();
  if (unshare(CLONE_NEWNS) != 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) return false;
    if (!write_file("/proc/self/setgroups", "deny").empty()) return false;
    if (!write_file("/proc/self/uid_map", text("0 ", user, " 1")).empty()) return false;
    if (!write_file("/proc/self/gid_map", text("0 ", group, " 1")).empty()) return false;
  }
  return mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
         mount("op2test", folder.c_str(), "tmpfs", 0, options) == 0;
}

// Runs body() with a full or read-only file system; skipped where none can be made.
template <class Body>
void with_small(const std::string &folder, const char *options, Body &&body) {
  fs::create_directories(folder);
  const int status = unit::in_child([&] { return mount_small(folder, options) ? body() : 77; });
  if (status == 77) GTEST_SKIP() << "file systems cannot be mounted here";
  EXPECT_EQ(0, status);
}

TEST_F(JitCache, FullDiskCostsOneLine) {
  with_small(cache(), "size=64k,mode=0700", [&] {
    int stored = 0;
    const std::string said = unit::said_by([&] {
      CodeCache cache(settings(), log);
      for (int i = 0; i < 40; ++i) cache.store(label(i), code(i));
      for (int i = 0; i < 40; ++i) stored += holds(cache, i);
    });
    if (stored < 2 || stored > 12) return 1;
    if (unit::lines(said) != 1 || !contains(said, cache() + ": No space left on device")) return 2;
    return files(cache()).size() == static_cast<std::size_t>(stored) ? 0 : 3; // nothing half written
  });
}

TEST_F(JitCache, ReadOnlyFolderIsRead) {
  with_small(cache(), "size=1m,mode=0700", [&] {
    CodeCache(settings(), log).store(label(1), code(1));
    if (mount("op2test", cache().c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, nullptr) != 0) return 77;
    int good = 0;
    const std::string said = unit::said_by([&] {
      CodeCache cache(settings(), log);
      for (int i = 1; i < 4; ++i) cache.store(label(i), code(i));
      good = holds(cache, 1) && !holds(cache, 2);
    });
    return good && unit::lines(said) == 1 && contains(said, "Read-only file system") ? 0 : 1;
  });
}

// A limit on the size of files ends programs that reach it (SIGXFSZ); ours goes on.
TEST_F(JitCache, LimitOnFileSizesCostsOneLine) {
  EXPECT_EQ(0, unit::in_child([&] {
              const rlimit limit{1000, 1000};
              if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
              CodeCache cache(settings(), log);
              cache.store(label(1), code(1));
              sigset_t waiting;
              sigpending(&waiting);
              if (sigismember(&waiting, SIGXFSZ)) return 2;
              return holds(cache, 1) || !files(cache.folder()).empty() ? 3 : 0;
            }));
}

// Each writes other bytes for the same entry, so that a mixture of two would show.
TEST_F(JitCache, ProcessesMayWriteTheSameEntry) {
  constexpr std::size_t size = 100'000;
  std::vector<pid_t> writers;
  for (int w = 0; w < 4; ++w) {
    const pid_t pid = fork();
    if (pid == 0) {
      CodeCache cache(settings(), log);
      for (int round = 0; round < unit::rounds(150); ++round) cache.store(label(round % 3), code(w, size));
      _exit(0);
    }
    writers.push_back(pid);
  }
  CodeCache cache(settings(), log);
  const std::string said = unit::said_by([&] {
    bool whole = true;
    for (std::size_t ended = 0; ended < writers.size();) {
      for (int number = 0; number < 3; ++number)
        if (const std::optional<FoundCode> found = cache.find({label(number), {}}))
          whole = whole && found->code_bytes == size && found->code() == code(found->code()[0], size);
      while (ended < writers.size() && waitpid(writers[ended], nullptr, WNOHANG) != 0) ++ended;
    }
    EXPECT_TRUE(whole);
  });
  EXPECT_EQ("", said);
  EXPECT_EQ(3u, files(cache.folder()).size());
}

// As the processes of a job do: each text is compiled once.
TEST_F(JitCache, ProcessesMayCompileTheSameText) {
  const Settings request = settings({{"OP2_CXX", good_compiler()}});
  std::vector<pid_t> all;
  for (int p = 0; p < 3; ++p) {
    const pid_t pid = fork();
    if (pid == 0) {
      bool good = true;
      for (int number = 0; number < 2; ++number) {
        CodeStore store(request, log);
        good = good && answer(store.get(answering(number), "flux")) == number;
      }
      _exit(good ? 0 : 1);
    }
    all.push_back(pid);
  }
  for (const pid_t pid : all) {
    int status = -1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(0, status);
  }
  EXPECT_EQ(2u, files(cache()).size());
  EXPECT_EQ(2, starts("good"));
}

// Those who waited for a process that failed try it themselves, all at the same time.
TEST_F(JitCache, NobodyWaitsForALostCompiler) {
  const Settings request = settings({{"OP2_CXX", compiler("slow", "sleep 0.3; exit 1")}});
  std::vector<pid_t> all;
  const double begin = now();
  for (int p = 0; p < 4; ++p) {
    const pid_t pid = fork();
    if (pid == 0) {
      CodeStore store(request, log);
      _exit(unit::refusal(store, answering(1), "flux").empty() ? 1 : 0);
    }
    all.push_back(pid);
  }
  for (const pid_t pid : all) {
    int status = -1;
    waitpid(pid, &status, 0);
    EXPECT_EQ(0, status);
  }
  EXPECT_LT(now() - begin, 60);
  EXPECT_EQ(4, starts("slow"));
  for (const std::string &file : files(cache())) EXPECT_FALSE(file.starts_with(".tmp-lock")) << file;
}

TEST_F(JitCache, WritersMayBeKilledAtAnyMoment) {
  CodeCache cache(settings(), log);
  int seen = 0;
  const std::string said = unit::said_by([&] {
    for (int round = 0; round < 60; ++round) {
      const pid_t pid = fork();
      if (pid == 0) {
        CodeCache mine(settings(), log);
        for (;;) mine.store(label(1), code(1, 300'000));
      }
      usleep(static_cast<useconds_t>(1000 + 97 * round));
      if (round > 40) // on a slow machine nobody would have come to the end otherwise
        while (files(cache.folder(), ".so").empty()) usleep(1000);
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
      if (const std::optional<FoundCode> found = cache.find({label(1), {}})) {
        EXPECT_EQ(code(1, 300'000), found->code());
        ++seen;
      }
    }
  });
  EXPECT_EQ("", said);
  EXPECT_GT(seen, 0);
}

void set_times(const std::string &file, std::time_t seconds_ago) {
  const timespec then{std::time(nullptr) - seconds_ago, 0};
  const timespec times[2] = {then, then};
  ASSERT_EQ(0, utimensat(AT_FDCWD, file.c_str(), times, 0));
}

TEST_F(JitCache, WhatWasNotUsedForLongestGoesFirst) {
  {
    CodeCache large(settings(), log);
    for (int i = 0; i < 20; ++i) large.store(label(i), code(i, 100'000));
    for (const std::string &file : files(cache())) set_times(file, 50'000);
    EXPECT_TRUE(holds(large, 7, 100'000)); // and is thereby noted as used
  }
  const std::string keep = cache() + "/notes.txt", abandoned = cache() + "/.tmp-1-2-3", fresh = cache() + "/.tmp-4-5-6";
  for (const std::string &file : {keep, abandoned, fresh}) ASSERT_EQ("", write_file(file, std::string(9000, 'x')));
  set_times(keep, 90'000);
  set_times(abandoned, 90'000);
  CodeCache small(settings(), log, 1 << 20);
  small.store(label(100), code(100, 100'000));
  EXPECT_TRUE(holds(small, 100, 100'000));
  EXPECT_TRUE(holds(small, 7, 100'000));
  const std::size_t entries = files(cache(), ".so").size();
  EXPECT_GE(entries, 8u);
  EXPECT_LE(entries, 10u);
  EXPECT_TRUE(fs::exists(keep)) << "not a file of the cache";
  EXPECT_TRUE(fs::exists(fresh)) << "somebody may be writing it";
  EXPECT_FALSE(fs::exists(abandoned));
  // Looking is not done after every store.
  for (int i = 200; i < 220; ++i) small.store(label(i), code(i, 100'000));
  EXPECT_EQ(entries + 20, files(cache(), ".so").size());
  CodeCache(settings(), log, 1 << 20).store(label(300), code(300, 100'000));
  EXPECT_LE(files(cache(), ".so").size(), 10u);
}

TEST_F(JitCache, SizeZeroKeepsNothing) {
  CodeCache cache(settings(), log, 0);
  cache.store(label(1), code(1));
  EXPECT_TRUE(files(cache.folder()).empty());
}

} // namespace

// SPDX-License-Identifier: MIT
