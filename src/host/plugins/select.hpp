// From the text of OP2_BACKEND to one plugin of each kind.
#pragma once

#include <string>

#include "host/plugins/registry.hpp"

namespace op2::core {

struct Selection {
  std::string exec;
  std::string comm;
  std::string why = {}; // for the log: "executor openmp (best of openmp 20, seq 10), communicator self (none named)"
};

// OP2_BACKEND: names joined by '+', order free. What is not named: communicator self; executor the one with the best
// score if "auto" stands there or nothing is named, else seq. Several such lists, separated by ',', are for the
// processes of each machine in order, the last one also for those that come after; what one of them says of the
// communicator holds for all. Both throw OP_ERR_BACKEND: two names of one kind, unknown, not installed, cannot run
// here; OP_ERR_PLUGIN: refused.
//
// The communicator; `given`: the program brings its processes, so they cannot be alone. An unknown name is left to
// select_executor().
Selection select_communicator(Registry &registry, const std::string &request, bool given = false);
// The executor of process `node_rank` of its machine.
void select_executor(Registry &registry, const std::string &request, int node_rank, Selection &selection);
// Both, for the first process.
Selection select_backend(Registry &registry, const std::string &request);

// How many processes op2_launch or an MPI launcher says it started, by its variables in the environment; 1 without one.
int launched_processes();

} // namespace op2::core
