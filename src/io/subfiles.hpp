// A dat in subfiles: each process writes its rows to a file of its own without any message, and process 0 makes them
// one dataset of the master file when all are complete.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "io/op2_layout.hpp"

namespace op2::core {

// One dat on its way. The same on all processes, but `mine`.
struct SubfileWrite {
  enum Fate { running, failed, complete }; // ascending: that of all processes is the least one
  std::int64_t number = 0;
  std::string title;  // of the call
  std::string master; // its path as process 0 has it
  std::string file;   // how the program calls it, without folders
  FileAccess::Candidates drivers;
  std::string base;                // of the subfiles: this and ".<process>"
  std::string mine;                // the one of this process; "": it has no rows
  DatRows dat;                     // all of it
  std::vector<std::int64_t> first; // rows of the processes, one more than those
  std::shared_ptr<std::atomic<int>> fate;
};

// A name that no other write has, in the folder where `path` leads.
std::string new_subfile_base(const std::string &path);
std::string subfile_of(const std::string &base, int process);
// Where the rows of each process begin, and the end of the last one. Collective.
std::vector<std::int64_t> first_rows(Communicator &communicator, const DatRows &dat);

// The rows of this process.
void write_subfile(FileAccess &files, const SubfileWrite &write, const char *rows);
// On process 0, when all subfiles are complete. Those of the dataset that was there are removed when the new one stands
// there, and the new ones when that fails.
void write_master(FileAccess &files, const SubfileWrite &write);
void remove_file(const std::string &path); // where there is one

} // namespace op2::core
