// Files of one context: the choice of their driver. Every process reads; all processes together or process 0 write.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/settings.hpp"
#include "io/driver.hpp"
#include "io/place.hpp"
#include "io/stream.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

// Opens files by drivers, for a group of processes. Belongs to one thread.
class FileAccess {
 public:
  struct Candidate {
    const Driver *driver;
    bool together; // the driver serves all processes together
  };
  using Candidates = std::vector<Candidate>;

  FileAccess(Registry &registry, const Services &services, const Settings &settings, const Log &log,
             Communicator &communicator, Agreement &agreement);
  // The action that all processes call before using files.
  void before_use(std::function<void()> action) { before_use_ = std::move(action); }
  // Calls that action; for callers that must tell its failure from one of the file.
  void get_ready() const {
    if (before_use_) before_use_();
  }

  const Log &log() const { return log_; }
  // A new array, compressed as OP2_HDF5_DEFLATE says.
  FileArray new_array(std::int64_t rows, int dim, const ElementType &type, int rank = 2) const;

  // The most bytes that the array takes in a file, with HDF5's metadata and without a gain by deflate.
  static std::int64_t room_of(const FileArray &array);

  // Collective, as calls of the open file. Throws OP_ERR_FILE and what drivers report.
  std::unique_ptr<OpenFile> open_to_read(const std::string &path);

  // The drivers for a file of this name, in order of preference. Collective.
  Candidates drivers_for(const std::string &path);
  const Driver &driver(const std::string &name);

 private:
  friend class FileWriter;
  Candidates drivers_to_write(const std::string &path);
  std::string chosen_name(const std::string &path);
  const Driver *usable(const std::string &name); // NULL: not on this process; the log says why
  bool usable_everywhere(const std::string &name);
  // Opens `place` by the first driver that can: on all processes if `each`, or if the driver serves them together;
  // otherwise on process 0 only, and NULL on the other processes.
  std::unique_ptr<OpenFile> open(const Candidates &drivers, const std::string &place, const std::string &title,
                                 int mode, bool each, bool &together);
  FileGroup everybody() const;
  bool several() const { return communicator_.size() > 1; }

  Registry &registry_;
  const Services &services_;
  const Settings &settings_;
  const Log &log_;
  Communicator &communicator_;
  Agreement &agreement_;
  std::function<void()> before_use_;
  std::map<std::string, std::unique_ptr<Driver>> drivers_;
  std::map<std::string, bool> everywhere_; // results of usable_everywhere()
};

// The files of the thread that uses the mesh.
class Files : public FileAccess {
 public:
  Files(Registry &registry, const Services &services, const Settings &settings, const Log &log, Mesh &mesh)
      : FileAccess(registry, services, settings, log, mesh.communicator(), mesh.agreement()), mesh_(mesh) {}

  Mesh &mesh() const { return mesh_; }

 private:
  Mesh &mesh_;
};

// A file being written. All calls are collective; a failure on one process throws on all. Without commit(), a new file
// does not appear, and a file to be replaced stays as it was.
class FileWriter {
 public:
  enum class Mode {
    replace, // a new file, which replaces an existing one
    extend   // the existing file, or a new one
  };
  // more_bytes: the most bytes of a new file, from all processes.
  FileWriter(FileAccess &files, const std::string &path, Mode mode, std::int64_t more_bytes);
  // With one of these drivers.
  FileWriter(FileAccess &files, const FileAccess::Candidates &drivers, const std::string &path, Mode mode,
             std::int64_t more_bytes);
  ~FileWriter();
  FileWriter(const FileWriter &) = delete;
  FileWriter &operator=(const FileWriter &) = delete;

  // Throws OP_ERR_FILE if an existing file cannot grow by bytes(file). New files have reserved more_bytes.
  void need_room(const std::function<std::int64_t(OpenFile &)> &bytes);
  // Runs body(file) on the processes that have opened the file: all, or process 0.
  void step(const std::string &what, const std::function<void(OpenFile &)> &body);
  // Writes this process's rows, global row `first` first. Rows of all processes are consecutive.
  void write_rows(const std::string &name, std::int64_t first, std::int64_t rows, std::size_t row_bytes,
                  op_type_id type, const char *data);
  // The same a piece at a time: get(n) has the rows of the n-th of the pieces, which are the same for all processes:
  // those of Pieces{first, rows, rows_in_piece(row_bytes)}.
  void write_pieces(const std::string &name, std::int64_t first, std::int64_t rows, std::size_t row_bytes,
                    op_type_id type, const std::function<const char *(std::int64_t n)> &get);
  // closed(path) is called on all processes between the closing and the renaming of the file.
  void commit(const std::function<void(const std::string &path)> &closed = {});

 private:
  FileAccess &files_;
  Agreement &agreement_;
  std::string title_, place_;
  bool anew_ = false;
  std::optional<NewFile> fresh_; // on process 0
  std::optional<Room> room_;     // on process 0
  bool together_ = false;
  std::unique_ptr<OpenFile> file_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
