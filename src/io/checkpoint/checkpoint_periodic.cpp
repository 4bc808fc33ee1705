// Checkpoints by the clock, and the newest of them.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <optional>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "host/files.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/place.hpp"
#include "io/view/series.hpp"

namespace op2::core {

namespace {

std::string numbered(const std::string &stem, int number) {
  std::string digits = text(number);
  digits.insert(0, digits.size() < 6 ? 6 - digits.size() : 0, '0');
  return text(stem, ".", digits, ".h5");
}

// The number at the beginning of `rest`, which loses it; -1: there is none.
int take_number(std::string_view &rest) {
  int number = -1;
  const auto result = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (result.ec != std::errc() || number < 0) return -1;
  rest.remove_prefix(static_cast<std::size_t>(result.ptr - rest.data()));
  return number;
}

// body(name, number of a checkpoint, what is behind its name) for all that begins as checkpoints of this stem do.
template <class Body>
void each_file(const std::string &stem, const Body &body) {
  const std::filesystem::path folder = std::filesystem::path(stem).parent_path();
  const std::string start = last_part(stem);
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(start + ".")) continue;
    std::string_view rest = std::string_view(name).substr(start.size() + 1);
    const int number = take_number(rest);
    const std::string whole = number < 0 ? "" : numbered(start, number);
    if (number >= 0 && name.starts_with(whole)) body((folder / name).string(), number, name.substr(whole.size()));
  }
  if (error) fail(OP_ERR_FILE, "folder '", folder.empty() ? "." : folder.string(), "': ", error.message());
}

// Those that are there, newest first. On process 0.
std::vector<int> numbers_of(const std::string &stem) {
  std::vector<int> out;
  each_file(stem, [&](const std::string &, int number, const std::string &rest) {
    if (rest.empty()) out.push_back(number);
  });
  std::ranges::sort(out, std::greater<>());
  return out;
}

// One that has ended and that its parent has not asked for does not.
bool lives(int process) {
  const std::optional<std::string> facts = read_file(text("/proc/", process, "/stat"), 4096);
  if (!facts) return access("/proc/self/stat", R_OK) != 0; // who cannot look takes no risk
  const std::size_t name_end = facts->rfind(") ");
  return name_end == std::string::npos || facts->compare(name_end + 2, 1, "Z") != 0;
}

// Who is on another machine and writes has touched its file a moment ago.
bool is_old(const std::string &path) {
  std::error_code error;
  const auto touched = std::filesystem::last_write_time(path, error);
  return !error && std::filesystem::file_time_type::clock::now() - touched > std::chrono::hours(1);
}

// What processes that are no more have left. This one writes none now, so its number is that of an earlier one.
void remove_unfinished(const std::string &stem) {
  const std::string machine = unfinished_of_machine();
  each_file(stem, [&](const std::string &path, int, const std::string &rest) {
    std::string_view name = rest;
    if (!name.starts_with('.') || !name.ends_with(unfinished_end)) return;
    name.remove_suffix(unfinished_end.size());
    const bool here = name.starts_with(machine);
    const std::size_t dot = name.rfind('.');
    name.remove_prefix(here ? machine.size() : dot + 1);
    const int process = take_number(name);
    if (name.starts_with('_')) {
      name.remove_prefix(1);
      if (take_number(name) < 0) return;
    }
    if (process <= 0 || !name.empty()) return;
    if (here ? process == getpid() || !lives(process) : is_old(path)) unlink(path.c_str());
  });
}

// On process 0. A checkpoint that stays too long is no reason to end a run.
void remove_old(const Log &log, const std::string &stem, const std::set<int> &damaged, int keep) {
  try {
    int kept = 0;
    for (const int number : numbers_of(stem)) {
      if (kept < keep) {
        if (!damaged.contains(number)) ++kept;
        continue;
      }
      const std::string path = numbered(stem, number);
      if (unlink(path.c_str()) != 0)
        log.write(OP_LOG_WARN, text("the old checkpoint '", path, "' stays: ", std::strerror(errno)));
    }
    remove_unfinished(stem);
  } catch (const std::exception &error) {
    log.write(OP_LOG_WARN, text("old checkpoints stay: ", error.what()));
  }
}

struct Decision {
  std::int64_t due = 0, to_skip = 0;
};

// One process looks at the clock at every call. Several talk to each other for that, so they do it so often that a
// checkpoint is late by an eighth of the time if calls take as long as before, and foresee no more than they have seen.
Decision decide(const CheckpointSchedule &schedule, double seconds, bool several) {
  constexpr std::int64_t most = std::int64_t{1} << 30;
  constexpr double share = 0.125;
  if (std::isinf(seconds)) return {0, most};
  const double passed = now() - schedule.last, left = seconds - passed;
  if (left <= 0) return {1, 0};
  if (!several || schedule.calls == 0 || passed <= 0) return {};
  const double seen = static_cast<double>(std::min(schedule.calls, most));
  return {0, static_cast<std::int64_t>(std::min(seen, share * left * seen / passed))};
}

void need_stem(const std::string &stem) {
  if (last_part(stem).empty()) fail(OP_ERR_ARGUMENT, "the stem '", stem, "' names a folder and no file in it");
}

// What process 0 has.
std::vector<int> shared(Communicator &communicator, std::vector<int> own) {
  std::int64_t count = static_cast<std::int64_t>(own.size());
  communicator.bcast(&count, sizeof count, 0);
  own.resize(static_cast<std::size_t>(count));
  if (count > 0) communicator.bcast(own.data(), own.size() * sizeof(int), 0);
  return own;
}

void write_next(Files &files, Checkpoints &checkpoints, const std::string &stem, int keep) {
  Mesh &mesh = files.mesh();
  const bool first = mesh.communicator().rank() == 0;
  const std::vector<int> numbers = mesh.agreement().together(
      text("checkpoints '", stem, "'"), [&] { return first ? numbers_of(stem) : std::vector<int>(); });
  const int last = numbers.empty() ? 0 : numbers.front();
  if (last == std::numeric_limits<int>::max()) fail(OP_ERR_RANGE, "checkpoints '", stem, "' have no numbers left");
  const std::vector<int> next = shared(mesh.communicator(), {last + 1});
  write_checkpoint(files, checkpoints, numbered(stem, next.front()));
  if (first) remove_old(files.log(), stem, checkpoints.schedule(stem).damaged, keep);
}

} // namespace

double checkpoint_period(const std::string &setting, double seconds) {
  if (setting == "never") return std::numeric_limits<double>::infinity();
  if (!setting.empty()) {
    const auto result = std::from_chars(setting.data(), setting.data() + setting.size(), seconds);
    if (result.ec != std::errc() || result.ptr != setting.data() + setting.size() || !(seconds >= 0))
      fail(OP_ERR_ARGUMENT, "setting OP2_CHECKPOINT_SECONDS='", setting, "' is neither a number >= 0 nor never");
  }
  if (!(seconds >= 0)) fail(OP_ERR_ARGUMENT, "the seconds between checkpoints are ", seconds, "; they must be >= 0");
  return seconds;
}

void checkpoint_if_due(Files &files, Checkpoints &checkpoints, const std::string &stem, double seconds, int keep) {
  CheckpointSchedule &schedule = checkpoints.schedule(stem);
  ++schedule.calls;
  if (schedule.to_skip > 0) {
    --schedule.to_skip;
    return;
  }
  need_stem(stem);
  if (keep < 1) fail(OP_ERR_ARGUMENT, "keep is ", keep, "; at least one checkpoint is kept");
  Mesh &mesh = files.mesh();
  if (mesh.several()) mesh.agreement().agree(text("checkpoints '", stem, "' every ", seconds, " s, the last ", keep));
  if (!schedule.begun) {
    schedule.begun = true;
    schedule.last = now();
    schedule.calls = 0;
  }
  Decision decision = decide(schedule, seconds, mesh.several());
  if (mesh.several()) mesh.communicator().bcast(&decision, sizeof decision, 0);
  schedule.to_skip = decision.to_skip;
  if (decision.due == 0) return;
  files.get_ready(); // when that fails, the checkpoint is still due
  const auto begin_again = [&schedule] {
    schedule.last = now();
    schedule.calls = 0;
  };
  begin_again();
  write_next(files, checkpoints, stem, keep);
  begin_again();
}

bool restart_latest(Files &files, Checkpoints &checkpoints, const std::string &stem) {
  need_stem(stem);
  Mesh &mesh = files.mesh();
  files.get_ready();                                  // what failed earlier says nothing about checkpoints
  const Agreement::Telling telling(mesh.agreement()); // errors that are caught below end no process
  mesh.agreement().agree(text("a restart from the newest checkpoint '", stem, "'"));
  const bool first = mesh.communicator().rank() == 0;
  const std::vector<int> own = mesh.agreement().together(text("checkpoints '", stem, "'"),
                                                         [&] { return first ? numbers_of(stem) : std::vector<int>(); });
  const std::vector<int> numbers = shared(mesh.communicator(), own);
  if (first) remove_unfinished(stem);
  std::string last_message;
  for (const int number : numbers) {
    const std::string path = numbered(stem, number);
    try {
      restart_from(files, checkpoints, path);
      CheckpointSchedule &schedule = checkpoints.schedule(stem);
      schedule.begun = true;
      schedule.last = now();
      schedule.calls = schedule.to_skip = 0;
      return true;
    } catch (const Error &error) {
      const bool damaged = error.code == OP_ERR_FILE && !error.poisons;
      if (mesh.communicator().min(damaged ? 1 : 0) == 0) throw;
      last_message = error.what();
    }
    files.log().write(OP_LOG_WARN, text("checkpoint '", path, "' cannot be used: ", last_message));
    checkpoints.schedule(stem).damaged.insert(number);
  }
  if (!numbers.empty())
    fail_on_all(OP_ERR_FILE, "none of the ", numbers.size(), " checkpoints '", stem, "' can be used: ", last_message);
  return false;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
