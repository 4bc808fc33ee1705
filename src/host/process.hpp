// Running another program and waiting for it: without a shell, without fork handlers, with a limit of time.
#pragma once

#include <stop_token>
#include <string>
#include <vector>

namespace op2::core {

struct ProcessRequest {
  std::vector<std::string> command;     // the program's path first; it is not searched for
  std::vector<std::string> environment; // "NAME=value": set in addition to what this process has
  double timeout = 120;                 // seconds until the program and its children are killed
  std::stop_token stop;                 // a request to stop kills them at once
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
  std::string output; // its stdout and stderr as they came, the first 64 KiB
  double seconds = 0;

  bool succeeded() const { return end == ProcessEnd::exited && status == 0; }
  std::string what_happened() const; // "ended with status 1", "was killed by signal 11 (Segmentation fault)", ...
};

// Never throws for what the program does. stdin is /dev/null; variables that would load foreign code into the program
// or change what it prints (LD_PRELOAD, those of sanitizers and profilers, the locale) are removed. The program is the
// leader of a process group of its own; what is left of the group when it ends is killed.
ProcessResult run_process(const ProcessRequest &request);

// The file that would be started under this name: itself when it holds a '/', else the first in the folders of PATH
// that can be executed; "" when there is none.
std::string find_program(const std::string &name);

} // namespace op2::core
