#include "io/files.hpp"

#include <algorithm>
#include <exception>

#include "base/error.hpp"
#include "base/text.hpp"
#include "base/without_signal.hpp"
#include "distributed/declared/pieces.hpp"

namespace op2::core {

namespace {

constexpr const char *usual_driver = "hdf5"; // of files with any name

// Nothing that HDF5 writes may fail for want of room: it cannot let go of such a file and crashes at exit.
std::int64_t with_names(std::int64_t bytes) {
  constexpr std::int64_t for_names = 1 << 16;
  return bytes + bytes / 64 + for_names;
}

bool free_choice(const Settings &settings) {
  const std::string &request = settings.get("OP2_IO_DRIVER");
  return request == "auto" || request == "subfiles";
}

} // namespace

FileAccess::FileAccess(Registry &registry, const Services &services, const Settings &settings, const Log &log,
                       Communicator &communicator, Agreement &agreement)
    : registry_(registry),
      services_(services),
      settings_(settings),
      log_(log),
      communicator_(communicator),
      agreement_(agreement) {}

FileArray FileAccess::new_array(std::int64_t rows, int dim, const ElementType &type, int rank) const {
  return {rows, dim, type, rank, 0, settings_.get_int("OP2_HDF5_DEFLATE")};
}

std::int64_t FileAccess::room_of(const FileArray &array) {
  constexpr std::int64_t head = 8192, page = 4096, in_index = 128; // of an array, and of each chunk
  const std::int64_t row = std::max<std::int64_t>(1, std::int64_t{array.dim} * array.type.size);
  if (array.rows <= 0 || (array.chunk_rows <= 0 && array.deflate <= 0)) return array.rows * row + head;
  constexpr std::int64_t usual = 1 << 20; // bytes of a chunk where only deflate is asked for
  const std::int64_t request = array.chunk_rows > 0 ? array.chunk_rows : usual / row;
  const std::int64_t chunk = std::clamp<std::int64_t>(request, 1, array.rows);
  const std::int64_t chunks = (array.rows + chunk - 1) / chunk;
  return chunks * (chunk * row + page + in_index) + head;
}

FileGroup FileAccess::everybody() const {
  FileGroup group;
  group.rank = communicator_.rank();
  group.processes = communicator_.size();
  if (!communicator_.native(0, group.native)) group.processes = 1;
  return group;
}

const Driver &FileAccess::driver(const std::string &name) {
  std::unique_ptr<Driver> &known = drivers_[name];
  if (!known) known = std::make_unique<Driver>(registry_, services_, name);
  return *known;
}

const Driver *FileAccess::usable(const std::string &name) {
  try {
    return &driver(name);
  } catch (const Error &error) {
    log_.write(OP_LOG_DEBUG, error.what());
    return nullptr;
  }
}

bool FileAccess::usable_everywhere(const std::string &name) {
  const auto [known, first] = everywhere_.try_emplace(name, false);
  if (first) {
    const std::vector<std::string> names = registry_.names(OP_PLUGIN_IO);
    const bool here = std::ranges::find(names, name) != names.end() && usable(name);
    known->second = communicator_.max(here ? 0 : 1) == 0;
  }
  return known->second;
}

// One that cannot be used here stands in the way of no other.
std::string FileAccess::chosen_name(const std::string &path) {
  if (!free_choice(settings_)) return settings_.get("OP2_IO_DRIVER");
  for (const std::string &name : registry_.names(OP_PLUGIN_IO)) {
    if (name.find('_') != std::string::npos) continue;
    const Driver *const candidate = usable(name);
    if (candidate && candidate->takes(path)) return name;
  }
  return usual_driver;
}

FileAccess::Candidates FileAccess::drivers_for(const std::string &path) {
  const std::string title = text("file '", path, "'"), suffix = "_" + communicator_.name();
  const bool many = several(), any = free_choice(settings_);
  const std::string chosen = agreement_.together(title, [&] { return chosen_name(path); });
  agreement_.agree(text("driver ", chosen, " for ", title));
  const bool with_suffix = any && many && usable_everywhere(chosen + suffix);
  return agreement_.together(text(title, ", its driver"), [&] {
    Candidates out;
    if (with_suffix) out.push_back({&driver(chosen + suffix), true});
    if (out.empty() || usable(chosen)) out.push_back({&driver(chosen), !any && many && chosen.ends_with(suffix)});
    return out;
  });
}

std::unique_ptr<OpenFile> FileAccess::open(const Candidates &drivers, const std::string &place,
                                           const std::string &title, int mode, bool each, bool &together) {
  const FileGroup all = everybody();
  std::string why;
  for (const Candidate &candidate : drivers) {
    together = candidate.together && all.processes > 1;
    if (candidate.together && !together) continue;
    if (!together && !each && communicator_.rank() != 0) return nullptr;
    try {
      return std::make_unique<OpenFile>(*candidate.driver, place, title, mode, together ? all : FileGroup());
    } catch (const Error &error) {
      if (error.code != OP_ERR_UNSUPPORTED || !together) throw;
      why = text(": ", error.what());
      log_.write(OP_LOG_DEBUG, error.what());
    }
  }
  fail(OP_ERR_UNSUPPORTED, title, ": driver ", settings_.get("OP2_IO_DRIVER"), " does not serve communicator ",
       communicator_.name(), why);
}

// Opening is collective in drivers that serve all processes, so all that can fail on one of them comes before.
std::unique_ptr<OpenFile> FileAccess::open_to_read(const std::string &path) {
  get_ready();
  const std::string title = text("file '", path, "'");
  agreement_.together(title, [&] {
    if (!file_is_there(path)) fail(OP_ERR_FILE, title, ": there is no such file");
    return 0;
  });
  const Candidates drivers = drivers_for(path);
  return agreement_.together(title + " to be read", [&] {
    bool together = false;
    return open(drivers, path, title, OP_IO_READ, true, together);
  });
}

FileAccess::Candidates FileAccess::drivers_to_write(const std::string &path) {
  get_ready();
  return drivers_for(path);
}

FileWriter::FileWriter(FileAccess &files, const std::string &path, Mode mode, std::int64_t more_bytes)
    : FileWriter(files, files.drivers_to_write(path), path, mode, more_bytes) {}

// The process that writes decides where, and the others learn of it.
FileWriter::FileWriter(FileAccess &files, const FileAccess::Candidates &drivers, const std::string &path, Mode mode,
                       std::int64_t more_bytes)
    : files_(files), agreement_(files.agreement_), title_(text("file '", path, "'")) {
  const WithoutSignal signal(SIGXFSZ);
  Communicator &communicator = files.communicator_;
  const bool writes = communicator.rank() == 0;
  agreement_.together(title_, [&] {
    if (writes && (mode == Mode::replace || !file_is_there(path, true))) fresh_.emplace(path);
    if (fresh_) Room(title_, fresh_->path(), with_names(more_bytes));
    return 0;
  });
  const std::string mine = !writes ? "" : fresh_ ? fresh_->path() : path;
  place_ = communicator.size() > 1 ? communicator.allgather(absolute_path(mine)).front() : mine;
  anew_ = communicator.max(fresh_ ? 1 : 0) == 1;
  agreement_.together(title_ + " to be written", [&] {
    file_ = files.open(drivers, place_, title_, anew_ ? OP_IO_CREATE : OP_IO_UPDATE, false, together_);
    return 0;
  });
  agreement_.together(title_ + ", room", [&] {
    if (writes) room_.emplace(title_, place_, with_names(anew_ ? more_bytes : 0));
    return 0;
  });
}

void FileWriter::need_room(const std::function<std::int64_t(OpenFile &)> &bytes) {
  if (anew_) return;
  const WithoutSignal signal(SIGXFSZ);
  agreement_.together(title_ + ", more room", [&] {
    const std::int64_t more = file_ ? bytes(*file_) : 0;
    if (room_) room_.emplace(title_, place_, with_names(more));
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

void FileWriter::write_pieces(const std::string &name, std::int64_t first, std::int64_t rows, std::size_t row_bytes,
                              op_type_id type, const std::function<const char *(std::int64_t n)> &get) {
  const WithoutSignal signal(SIGXFSZ);
  const std::string what = text(title_, ", rows of '", name, "'");
  const Pieces pieces{first, rows, rows_in_piece(row_bytes)};
  const std::int64_t count = files_.communicator_.max(std::max<std::int64_t>(1, pieces.count()));
  const bool alone = together_ || !files_.several();
  std::exception_ptr failure; // of this process, which the others learn of at the end: messages take time
  const auto write = [&](std::int64_t at, std::int64_t number, const char *values) {
    try {
      if (!failure || together_) file_->write_rows(name, at, failure ? 0 : number, type, values);
    } catch (...) {
      if (!failure) failure = std::current_exception();
    }
  };
  for (std::int64_t n = 0; n < count; ++n) {
    const Pieces::Piece piece = pieces[n];
    const char *const values = get(n);
    if (failure && !files_.several()) break;
    if (alone)
      write(first + piece.at, piece.rows, values);
    else
      rows_to_first(files_.communicator_, first + piece.at, piece.rows, row_bytes, values, write);
  }
  agreement_.together(what, [&] {
    if (failure) std::rethrow_exception(failure);
    return 0;
  });
}

void FileWriter::write_rows(const std::string &name, std::int64_t first, std::int64_t rows, std::size_t row_bytes,
                            op_type_id type, const char *data) {
  const Pieces pieces{first, rows, rows_in_piece(row_bytes)};
  std::vector<char> buffer; // whatever `data` is, the system takes this
  write_pieces(name, first, rows, row_bytes, type, [&](std::int64_t n) {
    const Pieces::Piece piece = pieces[n];
    const char *const from = data + static_cast<std::size_t>(piece.at) * row_bytes;
    buffer.assign(from, from + static_cast<std::size_t>(piece.rows) * row_bytes);
    return buffer.data();
  });
}

void FileWriter::commit(const std::function<void(const std::string &path)> &closed) {
  const WithoutSignal signal(SIGXFSZ);
  agreement_.together(title_ + ", its end", [&] {
    if (!file_) return 0;
    if (together_) file_->sync(); // each process, what it has written; one that writes alone does it below
    file_->close();
    return 0;
  });
  if (closed) closed(place_);
  agreement_.together(title_ + ", its name", [&] {
    if (room_) room_->sync();
    room_.reset();
    if (fresh_) fresh_->finish();
    return 0;
  });
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
