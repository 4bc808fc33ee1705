// Runs another program and waits for it: without a shell, without fork handlers, with a time limit.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

namespace op2::core {

struct ProcessRequest {
  std::vector<std::string> command;     // the program's path first; it is not searched for
  std::vector<std::string> environment; // "NAME=value": added to the environment of this process
  double timeout = 120;                 // seconds until the program and its children are killed
  std::stop_token stop;                 // a request to stop kills the program and its children at once
  bool when_idle = false;               // other programs come first
};

enum class ProcessEnd {
  exited,      // with `status`
  signalled,   // by signal `status`
  timed_out,   // killed after the timeout
  stopped,     // killed because of the request to stop
  not_started, // errno in `status`
  unknown,     // it ended, but this program takes the status of its children itself (SIGCHLD ignored, say)
};

struct ProcessResult {
  ProcessEnd end = ProcessEnd::not_started;
  int status = 0;
  std::string output; // the first 64 KiB of its stdout and stderr, interleaved
  double seconds = 0;

  bool succeeded() const { return end == ProcessEnd::exited && status == 0; }
  std::string what_happened() const; // "ended with status 1", "was killed by signal 11 (Segmentation fault)", ...
};

// Never throws because of what the program does. stdin is /dev/null; variables that would load foreign code into the
// program or change what it prints (LD_PRELOAD, those of sanitizers and profilers, the locale) are removed. The program
// is the leader of a process group of its own; processes of the group that remain when it ends are killed.
ProcessResult run_process(const ProcessRequest &request);

// Kills all programs that run_process() waits for, with their groups; it starts none afterwards. For the end of this
// process.
void end_processes() noexcept;

// The program of this name: the name itself if it contains a '/', otherwise the first executable file in the folders of
// PATH; "" if there is none.
std::string find_program(const std::string &name);

} // namespace op2::core

// SPDX-License-Identifier: MIT
