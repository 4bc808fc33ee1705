// From the text of OP2_BACKEND to one plugin of each kind.
#pragma once

#include <string>

#include "host/registry.hpp"

namespace op2::core {

struct Selection {
  std::string exec;
  std::string comm;
  std::string why = {}; // for the log: "executor openmp (best of openmp 20, seq 10), communicator self (none named)"
};

// Names joined by '+', order free. What is not named: communicator self; executor the one with the best score if "auto"
// stands there or nothing is named, else seq. Throws OP_ERR_BACKEND: two names of one kind, unknown, not installed,
// cannot run here; OP_ERR_PLUGIN: refused.
Selection select_backend(Registry &registry, const std::string &wish);

// How many processes an MPI launcher says it started, by its variables in the environment; 1 without one.
int launched_processes();

} // namespace op2::core
