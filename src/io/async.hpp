// Writes dats to files in the background: the caller's thread copies the rows, and a second thread calls the drivers
// while the program continues. Collective; writes are in the order of the calls.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "io/op2_layout.hpp"
#include "io/queue.hpp"
#include "io/subfiles.hpp"

namespace op2::core {

class AsyncFiles {
 public:
  AsyncFiles(Registry &registry, const Settings &settings, const Log &log, Files &files);
  ~AsyncFiles();
  AsyncFiles(const AsyncFiles &) = delete;
  AsyncFiles &operator=(const AsyncFiles &) = delete;

  bool usual() const { return usual_; } // OP2_IO_ASYNC: op_fetch_data_hdf5_file(), too
  // Returns when the rows are copied. `call`: the public function, for messages. Throws the errors of earlier writes;
  // then this dat is not written.
  void write(Dat &dat, const std::string &path, const std::string &name, const char *call);
  // Waits until all writes to a file, or to all files (""), are complete. Throws errors of writes.
  void wait(const std::string &path);
  // The same for all files; for callers that use files themselves next.
  void settle();
  // Waits for all writes, and throws none of their errors. Not collective.
  void finish() { queue_.wait_for(given_); }
  bool has_thread() const noexcept { return queue_.has_thread(); }

 private:
  // The objects of the writing thread; other objects belong to the program's thread.
  struct Tools {
    Tools(Registry &registry, const Settings &settings, const Log &log, const std::string &communicator,
          const int *native);
    Services services;
    Communicator communicator;
    Agreement agreement;
    FileAccess files;
  };
  // NULL: a second thread cannot write with these drivers.
  Tools *tools_for(const FileAccess::Candidates &drivers, bool &together);
  bool may_talk();
  WorkQueue::Buffer snapshot(Dat &dat, DatRows &rows, bool together);
  void tell_failures(std::int64_t number);
  bool in_subfiles(const DatRows &dat, const std::string &master, const FileAccess::Candidates &drivers);
  void write_apart(FileAccess &files, SubfileWrite write, WorkQueue::Buffer buffer);
  std::int64_t publish();

  Registry &registry_;
  const Settings &settings_;
  const Log &log_;
  Files &files_;
  const bool usual_;
  const std::size_t room_; // bytes that waiting rows may take
  const Subfiles subfiles_;
  int may_talk_ = -1;                        // 1, 0; -1: not known yet
  std::int64_t given_ = 0, agreed_ = 0;      // writes, and those with a result known to all processes
  std::map<std::string, std::int64_t> last_; // number of the last write, by file
  std::unique_ptr<Tools> alone_, all_;
  std::set<std::string> in_subfiles_; // masters; later writes to them use subfiles, too, to keep the order
  std::deque<SubfileWrite> apart_;    // not yet part of their masters; the same on all processes
  WorkQueue queue_;                   // last member: its thread uses the other ones
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
