// The file of a trace: what it is called, and how events get into it so that it can be loaded at any moment.
#pragma once

#include <sys/types.h>

#include <string>

namespace op2::core {

// The file of one process. In the pattern, %r is the rank, %p the number of the process in the system, %% a percent
// sign. Ranks above 0 get their number before the extension ("trace.1.json") when the pattern names neither.
std::string trace_file_name(const std::string &pattern, int rank);

// A JSON array of events. After every append() it lacks nothing but the closing bracket, which readers of this format
// do not ask for; close() adds it.
class TraceFile {
 public:
  // Replaces a file of this name, unless this process wrote it in an earlier context: then this one is "trace-2.json".
  // Throws OP_ERR_FILE that names the setting.
  explicit TraceFile(const std::string &name);
  ~TraceFile() { close(); }
  TraceFile(const TraceFile &) = delete;
  TraceFile &operator=(const TraceFile &) = delete;

  const std::string &path() const { return path_; }
  // Events, each "{...}", separated by ",\n". False, with errno, when not all could be written; the file then holds
  // what it held before.
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
