// Chooses an executor and a communicator from the text of OP2_BACKEND.
#pragma once

#include <string>

#include "host/plugins/registry.hpp"

namespace op2::core {

struct Selection {
  std::string exec;
  std::string comm;
  std::string why = {}; // for the log: "executor openmp (best of openmp 20, seq 10), communicator self (none named)"
};

// OP2_BACKEND: names joined by '+', in any order. Name "auto" (the default) chooses the plugin with the best score for
// each kind that is not named; without "auto", self and seq are chosen. Of several lists, separated by ',', process n
// (from 0) of each machine takes list n, later processes the last list; a communicator in any list is that of all.
// Throw OP_ERR_BACKEND: two names of one kind, unknown, not installed, cannot run here, several lists without a
// communicator; OP_ERR_PLUGIN: refused.
//
// Chooses the communicator. given: the program passes its processes, so self is an error. select_executor() reports
// unknown names.
Selection select_communicator(Registry &registry, const std::string &request, bool given = false);
// Chooses the executor of process `node_rank` of its machine.
void select_executor(Registry &registry, const std::string &request, int node_rank, Selection &selection);
// Both, for the first process.
Selection select_backend(Registry &registry, const std::string &request);

// The number of processes that op2_launch or an MPI launcher states in the environment; 1 without a launcher.
int launched_processes();

} // namespace op2::core

// SPDX-License-Identifier: MIT
