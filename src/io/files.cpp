#include "io/files.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "host/without_signal.hpp"

namespace op2::core {

namespace {

constexpr const char *usual_driver = "hdf5"; // of files with any name

} // namespace

Files::Files(Registry &registry, const Services &services, const Settings &settings, const Log &log, Mesh &mesh)
    : registry_(registry), services_(services), settings_(settings), log_(log), mesh_(mesh) {}

FileArray Files::new_array(std::int64_t rows, int dim, const ElementType &type, int rank) const {
  return {rows, dim, type, rank, settings_.get_int("OP2_HDF5_CHUNK"), settings_.get_int("OP2_HDF5_DEFLATE")};
}

FileGroup Files::everybody() const {
  FileGroup group;
  Communicator &communicator = mesh_.communicator();
  group.rank = communicator.rank();
  group.processes = communicator.size();
  if (!communicator.native(0, group.native)) group.processes = 1;
  return group;
}

const Driver &Files::driver(const std::string &name) {
  std::unique_ptr<Driver> &known = drivers_[name];
  if (!known) known = std::make_unique<Driver>(registry_, services_, name);
  return *known;
}

std::vector<Files::Candidate> Files::drivers_for(const std::string &path) {
  const std::vector<std::string> names = registry_.names(OP_PLUGIN_IO);
  const auto there = [&](const std::string &name) { return std::ranges::find(names, name) != names.end(); };
  const std::string suffix = "_" + mesh_.communicator().name(), &wish = settings_.get("OP2_IO_DRIVER");
  const bool several = mesh_.several();
  if (wish != "auto") return {{&driver(wish), several && wish.ends_with(suffix)}};
  std::string chosen = usual_driver;
  for (const std::string &name : names)
    if (name.find('_') == std::string::npos && driver(name).takes(path)) {
      chosen = name;
      break;
    }
  std::vector<Candidate> out;
  if (several && there(chosen + suffix)) out.push_back({&driver(chosen + suffix), true});
  if (there(chosen) || out.empty()) out.push_back({&driver(chosen), false});
  return out;
}

std::unique_ptr<OpenFile> Files::open(const std::string &path, const std::string &title, int mode, bool each,
                                      bool &together) {
  const FileGroup all = everybody();
  for (const Candidate &candidate : drivers_for(path)) {
    together = candidate.together && all.processes > 1;
    if (candidate.together && !together) continue;
    if (!together && !each && mesh_.communicator().rank() != 0) return nullptr;
    try {
      return std::make_unique<OpenFile>(*candidate.driver, path, title, mode, together ? all : FileGroup());
    } catch (const Error &error) {
      if (error.code != OP_ERR_UNSUPPORTED || !together) throw;
      log_.write(OP_LOG_DEBUG, error.what());
    }
  }
  fail(OP_ERR_UNSUPPORTED, title, ": driver ", settings_.get("OP2_IO_DRIVER"), " does not serve communicator ",
       mesh_.communicator().name());
}

std::unique_ptr<OpenFile> Files::open_to_read(const std::string &path) {
  return mesh_.agreement().together(text("file '", path, "'"), [&] {
    if (!file_is_there(path)) fail(OP_ERR_FILE, "file '", path, "': there is no such file");
    bool together = false;
    return open(path, text("file '", path, "'"), OP_IO_READ, true, together);
  });
}

// The process that writes decides where, and the others learn of it.
FileWriter::FileWriter(Files &files, const std::string &path, Way way, std::int64_t more_bytes)
    : files_(files), agreement_(files.mesh_.agreement()), title_(text("file '", path, "'")) {
  const WithoutSignal signal(SIGXFSZ);
  Communicator &communicator = files.mesh_.communicator();
  const bool writes = communicator.rank() == 0;
  // Nothing that HDF5 writes may fail for want of room: it cannot let go of such a file and crashes at exit.
  constexpr std::int64_t for_names = 1 << 16;
  const std::int64_t room = more_bytes + more_bytes / 64 + for_names;
  agreement_.together(title_, [&] {
    if (writes && (way == Way::replace || !file_is_there(path, true))) fresh_.emplace(path);
    files.drivers_for(path); // is there one?
    if (fresh_) Room(title_, fresh_->path(), room);
    return 0;
  });
  const std::string mine = !writes ? "" : fresh_ ? fresh_->path() : path;
  const std::string where = communicator.size() > 1 ? communicator.allgather(mine).front() : mine;
  const bool anew = communicator.max(fresh_ ? 1 : 0) == 1;
  agreement_.together(title_ + " to be written", [&] {
    file_ = files.open(where, title_, anew ? OP_IO_CREATE : OP_IO_UPDATE, false, together_);
    return 0;
  });
  agreement_.together(title_ + ", room", [&] {
    if (writes) room_.emplace(title_, where, room);
    return 0;
  });
}

FileWriter::~FileWriter() {
  const WithoutSignal signal(SIGXFSZ);
  file_.reset();
}

void FileWriter::step(const std::string &what, const std::function<void(OpenFile &)> &body) {
  const WithoutSignal signal(SIGXFSZ);
  agreement_.together(text(title_, ", ", what), [&] {
    if (file_) body(*file_);
    return 0;
  });
}

void FileWriter::write_rows(const std::string &name, std::int64_t first, std::int64_t rows, std::size_t row_bytes,
                            op_type_id type, const char *data) {
  const WithoutSignal signal(SIGXFSZ);
  agreement_.together(text(title_, ", rows of '", name, "'"), [&] {
    const auto write = [&](std::int64_t at, std::int64_t count, const char *values) {
      file_->write_rows(name, at, count, type, values);
    };
    if (together_ || !files_.mesh_.several())
      write(first, rows, data);
    else
      rows_to_first(files_.mesh_.communicator(), first, rows, row_bytes, data, write);
    return 0;
  });
}

void FileWriter::commit() {
  const WithoutSignal signal(SIGXFSZ);
  agreement_.together(title_ + ", its end", [&] {
    if (file_) file_->close();
    return 0;
  });
  agreement_.together(title_ + ", its name", [&] {
    if (room_) room_->sync();
    room_.reset();
    if (fresh_) fresh_->finish();
    return 0;
  });
}

} // namespace op2::core
