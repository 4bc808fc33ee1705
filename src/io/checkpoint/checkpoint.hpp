// Checkpoints and restarts (op2/checkpoint.h). Collective.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "io/checkpoint/checkpoint_contents.hpp"
#include "io/files.hpp"

namespace op2::core {

// A variable of the program that belongs to the state.
struct CheckpointValue {
  std::string name;
  ElementType element;
  int count = 0;
  char *address = nullptr;
  std::size_t bytes() const { return static_cast<std::size_t>(element.size) * static_cast<std::size_t>(count); }
};

// When the next checkpoint of a stem is due, as process 0 sees it.
struct CheckpointSchedule {
  bool begun = false;
  double last = 0;          // seconds of the clock
  std::int64_t calls = 0;   // since then
  std::int64_t to_skip = 0; // before the clock is looked at again, on all processes
  std::set<int> damaged;    // numbers that a restart has found unusable
};

// What one context remembers about checkpoints.
class Checkpoints {
 public:
  // address NULL: forgets the name.
  void set_value(const char *name, const char *type, int count, void *address);
  const std::vector<CheckpointValue> &values() const { return values_; }
  // Of the entries of a map, numbered as they were declared: no division or order changes it.
  std::uint64_t sum_of(Mesh &mesh, const Map &map);
  CheckpointSchedule &schedule(const std::string &stem) { return schedules_[stem]; }

 private:
  std::vector<CheckpointValue> values_;
  std::map<int, std::uint64_t> map_sums_;
  std::map<std::string, CheckpointSchedule> schedules_;
};

// What a checkpoint of the present state says about itself, without sums of dats.
CheckpointContents describe_state(Mesh &mesh, Checkpoints &checkpoints);
// The dats that belong to it, in the same order. Throws OP_ERR_STATE when one is acquired.
std::vector<Dat *> dats_of_state(const Mesh &mesh);
// Over all processes.
std::uint64_t sum_over_all(Communicator &communicator, std::uint64_t sum);

constexpr const char *checkpoint_table = "checkpoint"; // the dataset with the contents

void write_checkpoint(Files &files, Checkpoints &checkpoints, const std::string &path);
void restart_from(Files &files, Checkpoints &checkpoints, const std::string &path);

// Seconds between checkpoints as the program and the setting say it; infinity: never. Throws OP_ERR_ARGUMENT.
double checkpoint_period(const std::string &setting, double seconds);
void checkpoint_if_due(Files &files, Checkpoints &checkpoints, const std::string &stem, double seconds, int keep);
// Whether there was one.
bool restart_latest(Files &files, Checkpoints &checkpoints, const std::string &stem);

} // namespace op2::core
