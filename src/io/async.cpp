#include "io/async.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "distributed/all_or_none.hpp"
#include "distributed/declared/rows.hpp"
#include "io/view/series.hpp"

namespace op2::core {

namespace {

constexpr const char *who = "writes in the background";
constexpr int usual_mebibytes = 512;

std::size_t bytes_of(std::int64_t rows, int row_bytes) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(row_bytes);
}

// A buffer that goes back when something fails before the thread has it.
class Loan {
 public:
  Loan(WorkQueue &queue, std::size_t bytes) : queue_(queue), buffer_(queue.borrow(bytes)) {}
  ~Loan() { queue_.give_back(std::move(buffer_)); }
  Loan(const Loan &) = delete;
  Loan &operator=(const Loan &) = delete;
  char *data() { return buffer_.data.get(); }
  WorkQueue::Buffer release() { return std::exchange(buffer_, {}); }

 private:
  WorkQueue &queue_;
  WorkQueue::Buffer buffer_;
};

} // namespace

AsyncFiles::Tools::Tools(Registry &registry, const Settings &settings, const Log &log, const std::string &name,
                         const int *native)
    : services(log, settings),
      communicator(registry, services, name, native),
      agreement(communicator),
      files(registry, services, settings, log, communicator, agreement) {}

AsyncFiles::AsyncFiles(Registry &registry, const Settings &settings, const Log &log, Files &files)
    : registry_(registry),
      settings_(settings),
      log_(log),
      files_(files),
      usual_(settings.get_int("OP2_IO_ASYNC") > 0),
      room_(static_cast<std::size_t>(usual_ ? settings.get_int("OP2_IO_ASYNC") : usual_mebibytes) << 20),
      subfiles_(subfiles_of(settings)),
      queue_(room_) {}

// Subfiles that no master knows are of no use.
AsyncFiles::~AsyncFiles() {
  finish();
  for (const SubfileWrite &each : apart_)
    if (*each.fate == SubfileWrite::complete) remove_file(each.mine);
}

// Threads of several processes need a communicator that another thread may use meanwhile, and one of their own.
bool AsyncFiles::may_talk() {
  Communicator &communicator = files_.mesh().communicator();
  if (may_talk_ < 0) {
    std::int64_t native = 0;
    const bool mine = communicator.thread_multiple() && communicator.native(0, native);
    may_talk_ = communicator.min(mine ? 1 : 0) == 1 ? 1 : 0;
  }
  return may_talk_ == 1;
}

AsyncFiles::Tools *AsyncFiles::tools_for(const FileAccess::Candidates &drivers, bool &together) {
  Mesh &mesh = files_.mesh();
  together = mesh.several() && drivers.front().together && may_talk();
  if (!together && drivers.back().together) return nullptr;
  std::unique_ptr<Tools> &tools = together ? all_ : alone_;
  if (tools) return tools.get();
  std::unique_ptr<Tools> made; // for all processes or none
  all_or_none(mesh, "what a thread for files needs", [&] {
    std::int64_t native = 0;
    if (together && !mesh.communicator().native(0, native))
      fail(OP_ERR_PLUGIN, "communicator ", mesh.communicator().name(), " has no native one any more");
    const int handle = static_cast<int>(native);
    made = std::make_unique<Tools>(registry_, settings_, log_, together ? mesh.communicator().name() : "self",
                                   together ? &handle : nullptr);
    if (together || mesh.communicator().rank() == 0 || subfiles_ != Subfiles::never)
      queue_.start(); // the last thing that may fail on one process
  });
  tools = std::move(made);
  return tools.get();
}

// With drivers for all processes each keeps its own rows; else process 0 gets those of all.
WorkQueue::Buffer AsyncFiles::snapshot(Dat &dat, DatRows &rows, bool together) {
  Mesh &mesh = files_.mesh();
  std::optional<Loan> loan;
  const auto need = [&](std::int64_t count) {
    all_or_none(mesh, "memory for rows on their way to a file",
                [&] { loan.emplace(queue_, bytes_of(count, rows.row_bytes)); });
  };
  if (together || !mesh.several()) {
    need(rows.rows);
    copy_declared(mesh, dat, loan->data());
    return loan->release();
  }
  const DeclaredView declared = fetch_declared(mesh, dat);
  const bool writes = mesh.communicator().rank() == 0;
  need(writes ? rows.array.rows : 0);
  rows_to_first(mesh.communicator(), rows.first, rows.rows, static_cast<std::size_t>(rows.row_bytes), declared.rows(),
                [&](std::int64_t first, std::int64_t count, const char *values) {
                  std::copy_n(values, bytes_of(count, rows.row_bytes), loan->data() + bytes_of(first, rows.row_bytes));
                });
  rows.first = 0;
  rows.rows = rows.array.rows;
  return loan->release();
}

void AsyncFiles::write(Dat &dat, const std::string &path, const std::string &name, const char *call) {
  if (name.empty()) fail(OP_ERR_ARGUMENT, "the name of the dataset is empty");
  Mesh &mesh = files_.mesh();
  mesh.agreement().agree(text("dat '", dat.label, "' to file '", path, "', '", name, "', in the background"));
  mesh.declare().settle();
  tell_failures(0);
  const bool first = mesh.communicator().rank() == 0;
  std::string place = mesh.agreement().together(text("file '", path, "'"), [&] {
    if (!first) return path;
    need_place(path);
    return absolute_path(path); // the program may go to another folder
  });
  if (mesh.several()) place = mesh.communicator().allgather(place).front();
  if (mesh.communicator().max(dat.host.paged().number() >= 0 ? 1 : 0) == 1) {
    log_.write(OP_LOG_INFO, text("file '", path, "' is not written in the background: a copy of dat '", dat.label,
                                 "' would need memory beside OP2_MEMORY_LIMIT"));
    return write_dat(files_, dat, path, name);
  }
  FileAccess::Candidates drivers = files_.drivers_for(path);
  bool together = false;
  Tools *const tools = tools_for(drivers, together);
  if (!tools) {
    log_.write(OP_LOG_INFO, text("file '", path, "' is not written in the background: driver ",
                                 drivers.back().driver->name(), " needs an MPI that more than one thread may call"));
    return write_dat(files_, dat, path, name);
  }
  FileAccess::Candidates own;
  for (const FileAccess::Candidate &each : drivers)
    if (together || !each.together) own.push_back({&tools->files.driver(each.driver->name()), each.together});
  DatRows rows = rows_of(files_, dat, name);
  const bool apart = !together && in_subfiles(rows, place, own);
  WorkQueue::Buffer buffer = snapshot(dat, rows, together || apart);
  std::string title = text(call, "() of dat '", dat.label, "' to '", name, "' in file '", path, "'");
  if (apart)
    return write_apart(tools->files, {0, title, place, last_part(path), own, "", "", rows, {}, nullptr},
                       std::move(buffer));
  const std::int64_t number = ++given_;
  last_[last_part(path)] = number;
  if (!together && !first) return queue_.give_back(std::move(buffer));
  queue_.add(number, std::move(title), std::move(buffer),
             [&files = tools->files, own, place, rows](const WorkQueue::Buffer &snapshot) {
               FileWriter writer(files, own, place, FileWriter::Mode::extend, FileAccess::room_of(rows.array));
               write_rows(writer, rows, snapshot.data.get());
             });
}

// Process 0 decides: it may have other limits. Subfiles::for_large are for dats that it cannot hold beside its own
// rows.
bool AsyncFiles::in_subfiles(const DatRows &dat, const std::string &master, const FileAccess::Candidates &drivers) {
  Communicator &communicator = files_.mesh().communicator();
  if (subfiles_ == Subfiles::never || communicator.size() == 1) return false;
  const bool request =
      subfiles_ == Subfiles::always || in_subfiles_.contains(master) || bytes_of(dat.array.rows, dat.row_bytes) > room_;
  const bool mine = communicator.rank() == 0 && request && drivers.back().driver->ops().create_virtual;
  if (communicator.max(mine ? 1 : 0) == 0) return false;
  in_subfiles_.insert(master);
  return true;
}

void AsyncFiles::write_apart(FileAccess &files, SubfileWrite write, WorkQueue::Buffer buffer) {
  Communicator &communicator = files_.mesh().communicator();
  const bool first = communicator.rank() == 0;
  write.base = communicator.allgather(first ? new_subfile_base(write.master) : "").front();
  write.first = first_rows(communicator, write.dat);
  if (write.dat.rows > 0) write.mine = subfile_of(write.base, communicator.rank());
  write.number = ++given_;
  last_[write.file] = write.number;
  write.fate = std::make_shared<std::atomic<int>>(write.mine.empty() ? SubfileWrite::complete : SubfileWrite::running);
  apart_.push_back(write);
  if (write.mine.empty()) return queue_.give_back(std::move(buffer));
  std::string title = write.title;
  const std::int64_t number = write.number;
  queue_.add(number, std::move(title), std::move(buffer),
             [&files, write = std::move(write)](const WorkQueue::Buffer &rows) {
               try {
                 write_subfile(files, write, rows.data.get());
                 *write.fate = SubfileWrite::complete;
               } catch (...) {
                 *write.fate = SubfileWrite::failed;
                 throw;
               }
             });
}

// What is complete on all processes becomes part of its master, in the order of the calls: work of the thread of
// process 0. Returns the number of the last such work; 0: there is none. Collective.
std::int64_t AsyncFiles::publish() {
  Communicator &communicator = files_.mesh().communicator();
  std::int64_t last = 0;
  for (; !apart_.empty(); apart_.pop_front()) {
    SubfileWrite &next = apart_.front();
    const std::int64_t fate = communicator.min(*next.fate);
    if (fate == SubfileWrite::running) break;
    if (fate == SubfileWrite::failed) {
      if (*next.fate == SubfileWrite::complete) remove_file(next.mine);
      continue;
    }
    last = last_[next.file] = ++given_;
    if (communicator.rank() != 0) continue;
    std::string title = next.title;
    queue_.add(last, std::move(title), {},
               [&files = alone_->files, write = next](const WorkQueue::Buffer &) { write_master(files, write); });
  }
  return last;
}

// A write that fails on one process fails on all: at the same call, and when it is done on all of them.
void AsyncFiles::tell_failures(std::int64_t number) {
  Mesh &mesh = files_.mesh();
  if (agreed_ == given_ && apart_.empty()) return;
  mesh.agreement().agree(who);
  queue_.wait_for(number);
  const std::int64_t published = publish();
  if (number > 0 && published > number) queue_.wait_for(number = published);
  const std::int64_t last = mesh.communicator().max(queue_.last_failure());
  queue_.wait_for(last);
  agreed_ = std::max({agreed_, number, last});
  if (agreed_ == given_ && apart_.empty()) last_.clear();
  if (last == 0) return;
  mesh.agreement().together(who, [&] {
    const std::vector<WorkQueue::Failure> failures = queue_.take_failures(last);
    if (failures.empty()) return 0;
    const std::string more = failures.size() == 1 ? "" : text(" (and ", failures.size() - 1, " more failed)");
    fail(failures.front().code, "an earlier ", failures.front().message, more);
  });
}

void AsyncFiles::wait(const std::string &path) {
  files_.mesh().agreement().agree(text("op_io_wait for file '", path, "'"));
  if (path.empty()) return settle();
  const auto last = last_.find(last_part(path));
  tell_failures(last == last_.end() ? 0 : last->second);
}

void AsyncFiles::settle() { tell_failures(given_); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
