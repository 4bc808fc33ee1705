// The file of a trace: its name, and how events are appended so that viewers can load it at any time.
#pragma once

#include <sys/types.h>

#include <string>

namespace op2::core {

// The file of one process. In the pattern, %r is the rank, %p the process id, %% a percent sign. If the
// pattern has neither %r nor %p, ranks above 0 get their number before the extension ("trace.1.json").
std::string trace_file_name(const std::string &pattern, int rank);

// A JSON array of events. After every append() it lacks only the closing bracket, which viewers do not
// need; close() adds it.
class TraceFile {
 public:
  // Replaces a file of this name. If this process wrote it in an earlier context, the new one is "trace-2.json".
  // Throws OP_ERR_FILE, naming the setting.
  explicit TraceFile(const std::string &name);
  ~TraceFile() { close(); }
  TraceFile(const TraceFile &) = delete;
  TraceFile &operator=(const TraceFile &) = delete;

  const std::string &path() const { return path_; }
  // Events, each "{...}", separated by ",\n". False, with errno, if not all could be written; the file is then as it
  // was before.
  bool append(const std::string &events) noexcept;
  bool close() noexcept; // false, with errno, when the closing bracket could not be written

 private:
  bool write_all(const char *data, std::size_t bytes) noexcept;

  std::string path_;
  int descriptor_ = -1;
  off_t length_ = 0; // up to the end of the last append
  bool empty_ = true;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
