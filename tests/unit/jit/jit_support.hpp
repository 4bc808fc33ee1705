// jit_support.hpp: what the tests of compiled code share: folders, compilers made for tests, texts to compile.
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "base/log.hpp"
#include "base/settings.hpp"
#include "host/files.hpp"
#include "jit/code/code_store.hpp"
#include "support.hpp"

namespace unit {

namespace fs = std::filesystem;

// An empty folder for caches and compilers, and nothing of the environment that runs the tests.
class JitTest : public testing::Test {
 protected:
  void SetUp() override {
    clear_environment();
    ASSERT_EQ("", op2::core::make_folders(work(), 0700));
    setenv("TMPDIR", work().c_str(), 1); // shows what is left behind
    setenv("HOME", path("home").c_str(), 1);
    unsetenv("XDG_CACHE_HOME");
  }
  void TearDown() override { EXPECT_TRUE(fs::is_empty(work())) << "temporary files are left in " << work(); }

  std::string path(const std::string &name) const { return folder_.path() + "/" + name; }
  std::string work() const { return path("work"); }
  std::string cache() const { return path("cache"); }

  // Settings with the cache in this test's folder.
  op2::core::Settings settings(const std::vector<std::pair<std::string, std::string>> &values = {}) const {
    op2::core::Settings out = op2::core::Settings::load(0, nullptr);
    out.set("OP2_JIT_CACHE", cache(), "test");
    for (const auto &[name, value] : values) out.set(name, value, "test");
    return out;
  }

  // A compiler that is a few words of shell; "$out" is the file it shall make. Every start is noted.
  std::string compiler(const std::string &name, const std::string &words) const {
    const std::string file = path(name);
    std::ofstream(file) << "#!/bin/sh\necho start >> " << file
                        << ".starts\nfor word; do [ \"$last\" = -o ] && out=$word; "
                        << "last=$word; done\n"
                        << words << "\n";
    EXPECT_EQ(0, chmod(file.c_str(), 0700));
    return file;
  }
  std::string good_compiler(const std::string &name = "good") const { return compiler(name, "exec c++ \"$@\""); }
  int starts(const std::string &name) const {
    std::ifstream file(path(name) + ".starts");
    int count = 0;
    for (std::string line; std::getline(file, line);) ++count;
    return count;
  }

  std::vector<std::string> files(const std::string &folder, const std::string &ending = "") const {
    std::vector<std::string> out;
    if (!fs::exists(folder)) return out;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder))
      if (entry.is_regular_file() && entry.path().string().ends_with(ending)) out.push_back(entry.path().string());
    std::sort(out.begin(), out.end());
    return out;
  }

  op2::core::Log log{OP_LOG_WARN};

 private:
  const op2::core::TemporaryFolder folder_{"op2-test-"};
};

// Text whose function `answer` returns a number.
inline std::string answering(int number) {
  return "extern \"C\" int answer() { return " + std::to_string(number) + "; }\n";
}
inline int answer(const op2::core::jit::Code &code) {
  void *symbol = code.library->find("answer");
  return symbol ? reinterpret_cast<int (*)()>(symbol)() : -1;
}

// What a refused text is told.
inline std::string refusal(op2::core::jit::CodeStore &store, const std::string &text, const std::string &name) {
  try {
    store.get(text, name);
  } catch (const op2::core::jit::Refusal &refusal) {
    return refusal.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return {};
}

// What body() writes to stderr.
template <class Body>
std::string said_by(Body &&body) {
  testing::internal::CaptureStderr();
  body();
  return testing::internal::GetCapturedStderr();
}
inline std::ptrdiff_t lines(const std::string &text) { return std::count(text.begin(), text.end(), '\n'); }

// Runs body() in a process of its own and returns its exit status; body returns 0 when all is well.
template <class Body>
int in_child(Body &&body) {
  const pid_t pid = fork();
  if (pid == 0) {
    int status = 99;
    try {
      status = body();
    } catch (const std::exception &error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    _exit(status);
  }
  int status = -1;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + status;
}

} // namespace unit

// SPDX-License-Identifier: MIT
