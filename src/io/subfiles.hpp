// A dat in subfiles: each process writes its rows to its own file without messages. When all subfiles are complete,
// process 0 makes them one dataset of the master file.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "io/op2_layout.hpp"

namespace op2::core {

// Which dats get subfiles where threads of processes may not exchange messages.
enum class Subfiles { for_large, always, never };

// Of setting OP2_IO_DRIVER: "auto", "subfiles", the name of a driver.
inline Subfiles subfiles_of(const Settings &settings) {
  const std::string &driver = settings.get("OP2_IO_DRIVER");
  return driver == "auto" ? Subfiles::for_large : driver == "subfiles" ? Subfiles::always : Subfiles::never;
}

// The write of one dat; the same on all processes, except `mine`, `fate` and the rows in `dat`.
struct SubfileWrite {
  enum Fate { running, failed, complete }; // ascending: the fate of all processes is the smallest
  std::int64_t number = 0;
  std::string title;  // the call, for messages
  std::string master; // its path on process 0
  std::string file;   // its name in the program, without folders
  FileAccess::Candidates drivers;
  std::string base;                // subfiles are "<base>.<process>"
  std::string mine;                // the subfile of this process; "": no rows
  DatRows dat;                     // the whole array, and the rows of this process
  std::vector<std::int64_t> first; // [processes + 1] first rows
  std::shared_ptr<std::atomic<int>> fate;
};

// A unique name in the folder of `path` (links followed).
std::string new_subfile_base(const std::string &path);
std::string subfile_of(const std::string &base, int process);
// The first row of each process, and the number of all rows. Collective.
std::vector<std::int64_t> first_rows(Communicator &communicator, const DatRows &dat);

// Writes the rows of this process to its subfile.
void write_subfile(FileAccess &files, const SubfileWrite &write, const char *rows);
// On process 0, when all subfiles are complete. Afterwards removes the subfiles of the replaced dataset, or, after a
// failure, the new ones unless the master may refer to them.
void write_master(FileAccess &files, const SubfileWrite &write);
void remove_file(const std::string &path); // if it exists

} // namespace op2::core

// SPDX-License-Identifier: MIT
