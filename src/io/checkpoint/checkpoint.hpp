// Checkpoints and restarts (op2/checkpoint.h). Collective.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/checkpoint/checkpoint_contents.hpp"
#include "io/files.hpp"

namespace op2::core {

// A variable of the program that checkpoints save.
struct CheckpointValue {
  std::string name;
  ElementType element;
  int count = 0;
  char *address = nullptr;
  std::size_t bytes() const { return static_cast<std::size_t>(element.size) * static_cast<std::size_t>(count); }
};

// When the next checkpoint of a stem is due, by the clock of process 0.
struct CheckpointSchedule {
  bool begun = false;
  double last = 0;          // checkpoint or start, seconds of now()
  std::int64_t calls = 0;   // since `last`
  std::int64_t to_skip = 0; // calls before the next look at the clock, on all processes
  std::set<int> damaged;    // checkpoints that a restart could not use
};

// The state of one context's checkpoints.
class Checkpoints {
 public:
  // address NULL: removes the value. Throws OP_ERR_ARGUMENT, OP_ERR_TYPE.
  void set_value(const char *name, const char *type, int count, void *address);
  const std::vector<CheckpointValue> &values() const { return values_; }
  // The checksum of a map's entries in declared numbers, which no division or order changes.
  std::uint64_t sum_of(Mesh &mesh, const Map &map);
  CheckpointSchedule &schedule(const std::string &stem) { return schedules_[stem]; }

 private:
  std::vector<CheckpointValue> values_;
  std::map<std::pair<int, Revision>, std::uint64_t> map_sums_; // by number and Map::rewritten
  std::map<std::string, CheckpointSchedule> schedules_;
};

// The contents of a checkpoint of the present state, without sums of dats.
CheckpointContents describe_state(Mesh &mesh, Checkpoints &checkpoints);
// The dats of describe_state(), in the same order. Throws OP_ERR_STATE when one is acquired.
std::vector<Dat *> dats_of_state(const Mesh &mesh);
// The sum over all processes, modulo 2^64.
std::uint64_t sum_over_all(Communicator &communicator, std::uint64_t sum);

constexpr const char *checkpoint_table = "checkpoint"; // the dataset with the contents

void write_checkpoint(Files &files, Checkpoints &checkpoints, const std::string &path);
void restart_from(Files &files, Checkpoints &checkpoints, const std::string &path);

// Seconds between checkpoints: `setting`, or `seconds` if empty; infinity: never. Throws OP_ERR_ARGUMENT.
double checkpoint_period(const std::string &setting, double seconds);
void checkpoint_if_due(Files &files, Checkpoints &checkpoints, const std::string &stem, double seconds, int keep);
// False: there is no checkpoint. Throws OP_ERR_FILE: none is usable.
bool restart_latest(Files &files, Checkpoints &checkpoints, const std::string &stem);

} // namespace op2::core

// SPDX-License-Identifier: MIT
