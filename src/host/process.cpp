#include "host/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "host/plugins/descriptor.hpp"

namespace op2::core {

namespace {

constexpr std::size_t most_output = 64 * 1024;

// Variables of the environment that the program shall not see, by the beginning of their names.
constexpr std::array<std::string_view, 27> removed_variables = {"LD_PRELOAD=",
                                                                "LD_AUDIT=",
                                                                "LD_PROFILE",
                                                                "LD_DEBUG",
                                                                "LD_BIND_NOT=",
                                                                "ASAN_",
                                                                "LSAN_",
                                                                "MSAN_",
                                                                "TSAN_",
                                                                "UBSAN_",
                                                                "LLVM_PROFILE_",
                                                                "GCOV_",
                                                                "GMON_OUT_PREFIX=",
                                                                "CPUPROFILE",
                                                                "HEAPPROFILE",
                                                                "HEAPCHECK",
                                                                "MALLOC_",
                                                                "CUDA_INJECTION",
                                                                "NVTX_INJECTION",
                                                                "VALGRIND_",
                                                                "CPATH=",
                                                                "C_INCLUDE_PATH=",
                                                                "CPLUS_INCLUDE_PATH=",
                                                                "DEPENDENCIES_OUTPUT=",
                                                                "SUNPRO_DEPENDENCIES=",
                                                                "LC_",
                                                                "LANG"};

std::string_view name_of(std::string_view line) { return line.substr(0, line.find('=')); }

// Of a list of folders. Others are those of the folder in which the program happens to run.
std::string absolute_folders(std::string_view list) {
  std::string out;
  for (const std::string &folder : split(std::string(list), ':'))
    if (folder.starts_with("/")) out += (out.empty() ? "" : ":") + folder;
  return out;
}

std::vector<std::string> environment_for(const std::vector<std::string> &added) {
  std::vector<std::string> out = added;
  for (char **entry = environ; entry && *entry; ++entry) {
    const std::string_view line = *entry;
    const bool removed = std::any_of(removed_variables.begin(), removed_variables.end(),
                                     [&](std::string_view start) { return line.starts_with(start); });
    const bool replaced = std::any_of(added.begin(), added.end(),
                                      [&](const std::string &other) { return name_of(line) == name_of(other); });
    if (removed || replaced) continue;
    out.emplace_back(line.starts_with("PATH=") ? text("PATH=", absolute_folders(line.substr(5))) : std::string(line));
  }
  out.emplace_back("LC_ALL=C");
  return out;
}

std::vector<char *> pointers(std::vector<std::string> &texts) {
  std::vector<char *> out;
  for (std::string &one : texts) out.push_back(one.data());
  out.push_back(nullptr);
  return out;
}

// A pipe whose ends are not 0, 1 or 2 even when the program has closed those: they are given to the child below.
bool make_pipe(Descriptor &reading, Descriptor &writing) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  const Descriptor first(ends[0]), second(ends[1]);
  reading = Descriptor(fcntl(first.number(), F_DUPFD_CLOEXEC, 3));
  writing = Descriptor(fcntl(second.number(), F_DUPFD_CLOEXEC, 3));
  return reading.valid() && writing.valid() && fcntl(reading.number(), F_SETFL, O_NONBLOCK) == 0;
}

// posix_spawn and not fork: it shares the memory instead of copying its page tables, and runs no handlers of
// pthread_atfork (MPI libraries and CUDA install some), so it is safe in any thread of any program.
int spawn(const ProcessRequest &request, int output, pid_t &pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (const int error = posix_spawn_file_actions_init(&actions)) return error;
  if (const int error = posix_spawnattr_init(&attributes)) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, 1);
  posix_spawn_file_actions_adddup2(&actions, output, 2);
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
  posix_spawn_file_actions_addclosefrom_np(&actions, 3); // descriptors that the program opened without O_CLOEXEC
#endif
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none); // signals are as in a fresh process
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> words = request.command, environment = environment_for(request.environment);
  const int error = posix_spawn(&pid, request.command.front().c_str(), &actions, &attributes, pointers(words).data(),
                                pointers(environment).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

// Becomes readable when the process ends; invalid where the kernel has no such thing, and then one looks now and then.
Descriptor end_of(pid_t pid) {
#ifdef SYS_pidfd_open
  return Descriptor(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
#else
  static_cast<void>(pid);
  return Descriptor();
#endif
}

enum class State { runs, ended, taken };

// It is not reaped here, so that its number, and that of its group, stays its own. `taken`: it ended, and the program
// took its status (it ignores SIGCHLD, or waits for any child).
State state_of(pid_t pid) {
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOHANG | WNOWAIT) != 0)
    return errno == EINTR ? State::runs : State::taken;
  return info.si_pid == pid ? State::ended : State::runs;
}

// Takes what is in the pipe. Returns false at its end.
bool drain(int pipe, std::string &output) {
  std::array<char, 8192> buffer;
  for (;;) {
    const ssize_t count = read(pipe, buffer.data(), buffer.size());
    if (count > 0)
      output.append(buffer.data(), std::min(static_cast<std::size_t>(count), most_output - output.size()));
    else if (count == 0)
      return false;
    else if (errno != EINTR)
      return errno == EAGAIN;
  }
}

// Waits until the leader ended, the time is over or a stop is asked for.
ProcessEnd wait_for(pid_t pid, int pipe, const ProcessRequest &request, ProcessResult &result) {
  const double start = now();
  const Descriptor end = end_of(pid);
  bool open = true;
  State state;
  while ((state = state_of(pid)) == State::runs) {
    const double left = request.timeout - (now() - start);
    if (request.stop.stop_requested()) return ProcessEnd::stopped;
    if (left <= 0) return ProcessEnd::timed_out;
    // Someone else may ask to stop at any moment, and only looking tells.
    const double pause = std::min(left, end.valid() ? (request.stop.stop_possible() ? 0.02 : 1.0) : 0.005);
    std::array<pollfd, 2> events = {pollfd{end.number(), POLLIN, 0}, pollfd{open ? pipe : -1, POLLIN, 0}};
    poll(events.data(), events.size(), std::max(1, static_cast<int>(pause * 1e3)));
    if (open) open = drain(pipe, result.output);
  }
  return state == State::ended ? ProcessEnd::exited : ProcessEnd::unknown;
}

void reap(pid_t pid, ProcessResult &result) {
  int status = 0;
  pid_t reaped;
  do reaped = waitpid(pid, &status, 0);
  while (reaped < 0 && errno == EINTR);
  if (result.end != ProcessEnd::exited) return; // killed here: the reason is known
  if (reaped != pid) {
    result.end = ProcessEnd::unknown;
  } else if (WIFSIGNALED(status)) {
    result.end = ProcessEnd::signalled;
    result.status = WTERMSIG(status);
  } else {
    result.status = WEXITSTATUS(status);
  }
}

// The programs that have not been reaped, so that their numbers are their own.
struct Running {
  std::mutex mutex;
  std::set<pid_t> leaders;
  bool ended = false;
};

Running &running() {
  static Running &all = *std::make_unique<Running>().release(); // other threads go on during exit()
  return all;
}

// Returns errno, and notes the program before anybody can end this process.
int spawn_noted(const ProcessRequest &request, int output, pid_t &pid) {
  const std::lock_guard lock(running().mutex);
  if (running().ended) return ECANCELED;
  const auto place = running().leaders.insert(0).first; // memory first
  const int error = spawn(request, output, pid);
  auto node = running().leaders.extract(place);
  node.value() = pid;
  if (error == 0) running().leaders.insert(std::move(node));
  return error;
}

// Returns whether end_processes() has killed it.
bool forget(pid_t pid) {
  const std::lock_guard lock(running().mutex);
  running().leaders.erase(pid);
  return running().ended;
}

} // namespace

void end_processes() noexcept {
  const std::lock_guard lock(running().mutex);
  running().ended = true;
  for (const pid_t leader : running().leaders) ::kill(-leader, SIGKILL);
}

ProcessResult run_process(const ProcessRequest &request) {
  ProcessResult result;
  const double start = now();
  Descriptor reading, writing;
  pid_t pid = 0;
  if (request.command.empty()) {
    result.status = EINVAL;
    return result;
  }
  if (!make_pipe(reading, writing)) {
    result.status = errno;
    return result;
  }
  result.status = spawn_noted(request, writing.number(), pid);
  writing = Descriptor();
  if (result.status == ECANCELED) result.end = ProcessEnd::stopped;
  if (result.status != 0) return result;
  if (request.when_idle) (void)setpriority(PRIO_PGRP, static_cast<id_t>(pid), 10); // a wish
  result.end = wait_for(pid, reading.number(), request, result);
  // Before the leader is reaped: until then nobody else can have its number.
  if (result.end != ProcessEnd::unknown) ::kill(-pid, SIGKILL);
  drain(reading.number(), result.output);
  if (forget(pid)) result.end = ProcessEnd::stopped;
  reap(pid, result);
  result.seconds = now() - start;
  return result;
}

std::string ProcessResult::what_happened() const {
  switch (end) {
    case ProcessEnd::exited:
      return text("ended with status ", status);
    case ProcessEnd::signalled:
      return text("was killed by signal ", status, " (", strsignal(status), ")");
    case ProcessEnd::timed_out:
      return text("was killed after ", fixed(seconds, 0), " seconds");
    case ProcessEnd::stopped:
      return "was stopped";
    case ProcessEnd::not_started:
      return text("could not be started: ", std::strerror(status));
    case ProcessEnd::unknown:
      return "ended";
  }
  return {};
}

namespace {

bool can_be_executed(const std::string &path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

} // namespace

std::string find_program(const std::string &name) {
  if (name.find('/') != std::string::npos) return can_be_executed(name) ? name : std::string();
  const char *folders = secure_getenv("PATH");
  if (name.empty()) return {};
  for (const std::string &folder : split(folders ? folders : "/usr/local/bin:/usr/bin:/bin", ':')) {
    if (folder.empty()) continue; // the current folder: nothing is run from there by surprise
    std::string path = text(folder, "/", name);
    if (can_be_executed(path)) return path;
  }
  return {};
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
