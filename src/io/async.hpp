// Dats written to files in the background: their rows are copied, and a thread of its own makes all calls of drivers
// while the program goes on. Collective, in the order of the calls.
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

  bool usual() const { return usual_; } // OP2_IO_ASYNC=1: calls that do not say it are meant like that
  // Returns when the rows are copied. `call` is what messages name. Throws what earlier writes failed of, and has then
  // done nothing.
  void write(Dat &dat, const std::string &path, const std::string &name, const char *call);
  // Until what was given for a file, or for all (""), stands there. Throws what failed of it.
  void wait(const std::string &path);
  // The same for all of them, where the caller is about to use files itself.
  void settle();
  // Until all is done, whatever came of it. Not collective.
  void finish() { queue_.wait_for(given_); }

 private:
  // What the thread has of its own, since the rest of the library is for one thread.
  struct Tools {
    Tools(Registry &registry, const Settings &settings, const Log &log, const std::string &communicator,
          const int *native);
    Services services;
    Communicator communicator;
    Agreement agreement;
    FileAccess files;
  };
  // NULL: no thread can write with these drivers.
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
  const std::string subfiles_;               // OP2_IO_SUBFILES
  int may_talk_ = -1;                        // not known yet
  std::int64_t given_ = 0, agreed_ = 0;      // writes, and those of whose result all know
  std::map<std::string, std::int64_t> last_; // write of each file
  std::unique_ptr<Tools> alone_, all_;
  std::set<std::string> in_subfiles_; // masters: what is written to them later, too, so that its order remains
  std::deque<SubfileWrite> apart_;    // whose masters do not know them yet; the same on all processes
  WorkQueue queue_;                   // its thread uses the others
};

} // namespace op2::core
