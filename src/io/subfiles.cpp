#include "io/subfiles.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "base/error.hpp"

namespace op2::core {

namespace {

std::string name_in_folder(const std::string &path) { return std::filesystem::path(path).filename().string(); }

// "BASE COUNT": only files beside the master are the library's to remove.
void remove_subfiles(const std::string &master, const std::string &note) {
  const std::size_t space = note.rfind(' ');
  if (space == std::string::npos || space == 0 || note.find('/') != std::string::npos) return;
  const std::string base = (std::filesystem::path(master).parent_path() / note.substr(0, space)).string();
  constexpr int most = 1 << 24; // processes; the note may be of another program
  const int count = std::min(std::atoi(note.c_str() + space), most);
  for (int p = 0; p < count; ++p) remove_file(subfile_of(base, p));
}

// What a file system shared by all processes has, and other ones do not.
void need_all(const SubfileWrite &write, const std::vector<std::string> &files) {
  for (const std::string &path : files) {
    struct stat facts;
    if (stat(path.c_str(), &facts) != 0)
      fail(OP_ERR_FILE, "file '", write.master, "': process 0 does not see its subfile '", path,
           "'; processes that write subfiles need a folder in common (OP2_IO_DRIVER=hdf5 does without)");
  }
}

} // namespace

void remove_file(const std::string &path) {
  if (!path.empty()) unlink(path.c_str());
}

std::string new_subfile_base(const std::string &path) {
  static std::atomic<int> count = 0;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::error_code error;
  const std::filesystem::path place = std::filesystem::weakly_canonical(path, error);
  return text(error ? path : place.string(), ".", std::chrono::duration_cast<std::chrono::microseconds>(now).count(),
              "_", getpid(), "_", ++count);
}

std::string subfile_of(const std::string &base, int process) { return text(base, ".", process); }

std::vector<std::int64_t> first_rows(Communicator &communicator, const DatRows &dat) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(communicator.size()) + 1);
  std::vector<std::size_t> offset(out.size());
  for (std::size_t p = 0; p < offset.size(); ++p) offset[p] = p * sizeof dat.rows;
  communicator.allgatherv(&dat.rows, sizeof dat.rows, out.data(), offset.data());
  std::exclusive_scan(out.begin(), out.end(), out.begin(), std::int64_t{0});
  return out;
}

void write_subfile(FileAccess &files, const SubfileWrite &write, const char *rows) {
  DatRows part = write.dat;
  part.array.rows = part.rows;
  part.first = 0;
  FileWriter writer(files, write.drivers, write.mine, FileWriter::Mode::replace, FileAccess::room_of(part.array));
  write_rows(writer, part, rows);
}

void write_master(FileAccess &files, const SubfileWrite &write) {
  std::vector<std::string> parts, names; // with their folder, and as the master has them
  std::vector<std::int64_t> first;
  for (std::size_t p = 0; p + 1 < write.first.size(); ++p) {
    if (write.first[p] == write.first[p + 1]) continue;
    parts.push_back(subfile_of(write.base, static_cast<int>(p)));
    names.push_back(name_in_folder(parts.back()));
    first.push_back(write.first[p]);
  }
  first.push_back(write.dat.array.rows);
  const std::string note = text(name_in_folder(write.base), " ", write.first.size() - 1);
  bool may_refer = false; // the master to the new ones
  std::string before;
  try {
    need_all(write, parts);
    constexpr std::int64_t in_master = 1024; // bytes for each part, beside its names
    const std::int64_t more = static_cast<std::int64_t>(names.size()) *
                                  (in_master + static_cast<std::int64_t>(note.size() + write.dat.name.size())) +
                              (1 << 16);
    FileWriter writer(files, write.drivers, write.master, FileWriter::Mode::extend, more);
    writer.need_room([&](OpenFile &) { return more; });
    before = write_virtual(writer, write.dat, names, first, note, may_refer);
    writer.commit();
  } catch (...) {
    if (!may_refer || !std::filesystem::exists(write.master))
      for (const std::string &path : parts) remove_file(path);
    throw;
  }
  remove_subfiles(write.master, before);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
