// The door of checkpoint.h.
#include "op2/checkpoint.h"

#include <utility>

#include "api/guard.hpp"
#include "mesh/particles.hpp"

using namespace op2::core;

namespace {

// Runs body(files, checkpoints, name) of a collective call; `what` is what the name is one of.
template <class Body>
decltype(auto) with_name(const char *what, const char *name, Body &&body) {
  return collectively([&](Mesh &) -> decltype(auto) {
    if (!name || !name[0]) fail(OP_ERR_ARGUMENT, "the ", what, " is ", name ? "empty" : "NULL");
    Session &current = session();
    return body(*current.files, current.checkpoints, std::string(name));
  });
}

// A run that goes on from a checkpoint has none, which its user should know before it is needed.
void tell_of_particles() {
  const Session &current = session();
  for (const auto &set : current.mesh->objects().particle_sets()) {
    if (set->global_size == 0 || std::exchange(set->particles->left_out, true)) continue;
    current.log.write(OP_LOG_WARN, text("particles '", set->label,
                                        "' are not in checkpoints; a program that restarts adds them anew"));
  }
}

} // namespace

op_status op_checkpoint_value(const char *name, const char *type, int count, void *address) {
  return guarded("op_checkpoint_value", [&] { session().checkpoints.set_value(name, type, count, address); });
}

op_status op_checkpoint(const char *file) {
  return guarded("op_checkpoint", [&] {
    with_name("name of the file", file, write_checkpoint);
    tell_of_particles();
  });
}

op_status op_restart(const char *file) {
  return guarded("op_restart", [&] { with_name("name of the file", file, restart_from); });
}

op_status op_checkpoint_if_due(const char *stem, double seconds, int keep) {
  return guarded("op_checkpoint_if_due", [&] {
    with_name("stem", stem, [&](Files &files, Checkpoints &checkpoints, const std::string &name) {
      const double period = checkpoint_period(session().settings.get("OP2_CHECKPOINT_SECONDS"), seconds);
      checkpoint_if_due(files, checkpoints, name, period, keep);
    });
    tell_of_particles();
  });
}

op_status op_restart_latest(const char *stem, int *found) {
  return guarded("op_restart_latest", [&] {
    if (found) *found = 0;
    with_name("stem", stem, [&](Files &files, Checkpoints &checkpoints, const std::string &name) {
      if (!found) fail(OP_ERR_ARGUMENT, "the place for found is NULL");
      *found = restart_latest(files, checkpoints, name) ? 1 : 0;
    });
  });
}

// SPDX-License-Identifier: MIT
