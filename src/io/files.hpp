// Files of one context: which driver opens them, read by every process, written by all together or by process 0.
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

// What it takes to open files: drivers, and the processes that do it together. It belongs to one thread.
class FileAccess {
 public:
  struct Candidate {
    const Driver *driver;
    bool together; // serves all processes
  };
  using Candidates = std::vector<Candidate>;

  FileAccess(Registry &registry, const Services &services, const Settings &settings, const Log &log,
             Communicator &communicator, Agreement &agreement);
  // Called before any file is used, on all processes.
  void before_use(std::function<void()> action) { before_use_ = std::move(action); }
  // What is called then, where its failure must not be taken for one of the file itself.
  void get_ready() const {
    if (before_use_) before_use_();
  }

  const Log &log() const { return log_; }
  // How new arrays are kept (OP2_HDF5_CHUNK, OP2_HDF5_DEFLATE).
  FileArray new_array(std::int64_t rows, int dim, const ElementType &type, int rank = 2) const;

  // What such an array takes in a file at most, with what HDF5 keeps about it. Deflate may make nothing smaller.
  static std::int64_t room_of(const FileArray &array);

  // Calls of an open file are collective, as this one. Throws OP_ERR_FILE and what drivers report.
  std::unique_ptr<OpenFile> open_to_read(const std::string &path);

  // By the name that the user gave. Collective.
  Candidates drivers_for(const std::string &path);
  const Driver &driver(const std::string &name);

 private:
  friend class FileWriter;
  Candidates drivers_to_write(const std::string &path);
  std::string chosen_name(const std::string &path);
  const Driver *usable(const std::string &name); // NULL: not here; the log says why
  bool usable_everywhere(const std::string &name);
  // The file at `place` by the first driver that serves this. NULL where this process has no part in it.
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
  std::map<std::string, bool> everywhere_; // what usable_everywhere() has found
};

// The files of the mesh's own thread.
class Files : public FileAccess {
 public:
  Files(Registry &registry, const Services &services, const Settings &settings, const Log &log, Mesh &mesh)
      : FileAccess(registry, services, settings, log, mesh.communicator(), mesh.agreement()), mesh_(mesh) {}

  Mesh &mesh() const { return mesh_; }

 private:
  Mesh &mesh_;
};

// A file being written. All calls are collective, and fail on all processes when they fail on one. Unless commit() is
// called, a new file never appears, and one that was replaced stays as it was.
class FileWriter {
 public:
  enum class Mode {
    replace, // a new file, whatever is there
    extend   // what is there, or a new file
  };
  // more_bytes: what a new file holds at most, from all processes.
  FileWriter(FileAccess &files, const std::string &path, Mode mode, std::int64_t more_bytes);
  // By one of these drivers, without asking which there are.
  FileWriter(FileAccess &files, const FileAccess::Candidates &drivers, const std::string &path, Mode mode,
             std::int64_t more_bytes);
  ~FileWriter();
  FileWriter(const FileWriter &) = delete;
  FileWriter &operator=(const FileWriter &) = delete;

  // Throws OP_ERR_FILE when a file that was there cannot grow by bytes(file). New ones have their room.
  void need_room(const std::function<std::int64_t(OpenFile &)> &bytes);
  // Runs body(file) where the file is open: on all processes, or on one.
  void step(const std::string &what, const std::function<void(OpenFile &)> &body);
  // Rows of this process; those of all of them follow each other.
  void write_rows(const std::string &name, std::int64_t first, std::int64_t rows, std::size_t row_bytes,
                  op_type_id type, const char *data);
  // closed(path): what is to be done with the file when it is written and has not got its name yet; on all processes.
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
