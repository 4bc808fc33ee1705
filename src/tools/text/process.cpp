#include "tools/text/process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "tools/text/compile.hpp"

extern char **environ;

namespace op2::text {

namespace {

std::vector<char *> pointers_to(const std::vector<std::string> &words) {
  std::vector<char *> out;
  for (const std::string &word : words) out.push_back(const_cast<char *>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

} // namespace

int run(const std::vector<std::string> &words, bool quietly) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  if (quietly) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, words[0].c_str(), &actions, nullptr, pointers_to(words).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    std::fprintf(stderr, "op2_text: %s: %s\n", words[0].c_str(), std::strerror(failed));
    return 127;
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

std::string read(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Temporary::Temporary() {
  const char *const base = std::getenv("TMPDIR");
  folder_ = std::string(base && *base ? base : "/tmp") + "/op2-text-XXXXXX";
  if (!mkdtemp(folder_.data())) folder_.clear();
}

Temporary::~Temporary() {
  if (folder_.empty()) return;
  for (const std::string &name : names_) unlink(name.c_str());
  rmdir(folder_.c_str());
}

std::string Temporary::file(const std::string &name) { return names_.emplace_back(folder_ + "/" + name); }

int run_instead(const std::vector<std::string> &words) {
  execvp(words[0].c_str(), pointers_to(words).data());
  std::fprintf(stderr, "op2_text: %s: %s\n", words[0].c_str(), std::strerror(errno));
  return 127;
}

} // namespace op2::text

// SPDX-License-Identifier: MIT
