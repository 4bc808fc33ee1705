// The door of particles.h.
#include "op2/particles.h"

#include "api/guard.hpp"
#include "particles/particle_sets.hpp"

using namespace op2::core;

namespace {

Set &need_particles(Mesh &mesh, op_set handle) {
  Set &set = mesh.objects().any_set(handle, "argument 'particles'");
  if (!set.particles)
    fail(OP_ERR_SET, "set '", set.label, "' has elements of the mesh; op_decl_particles() makes a set of particles");
  return set;
}

op_set declare(const char *call, op_set cells, const char *name, int first) {
  return guarded_value<op_set>(call, nullptr, [&] {
    return collectively([&](Mesh &mesh) { return &mesh.declare().particles(cells, name, first); });
  });
}

std::vector<ParticleValues> need_values(Mesh &mesh, const Set &set, op_index count, int dats,
                                        const op_particle_values *values) {
  if (dats < 0) fail(OP_ERR_ARGUMENT, "argument 'dats' is ", dats, "; it is the number of dats with values");
  if (dats > 0 && !values) fail(OP_ERR_ARGUMENT, "argument 'values' is NULL, but there are to be ", dats);
  std::vector<ParticleValues> out;
  for (int i = 0; i < dats; ++i) {
    Dat &dat = mesh.objects().any_dat(values[i].dat, text("the dat of values[", i, "]"));
    if (&dat.on() != &set)
      fail(OP_ERR_SET, "dat '", dat.label, "' is on set '", dat.on().label, "', not on the particles '", set.label,
           "'");
    if (&dat == set.particles->identity || &dat == set.particles->next)
      fail(OP_ERR_ARGUMENT, "dat '", dat.label, "' is the library's; new particles get no values for it");
    if (count > 0 && !values[i].values)
      fail(OP_ERR_ARGUMENT, "the values for dat '", dat.label, "' are NULL; pass ", dat.dim, " x ", dat.type_label,
           " for each of ", count, " particles");
    for (const ParticleValues &before : out)
      if (before.dat == &dat) fail(OP_ERR_ARGUMENT, "dat '", dat.label, "' has values twice");
    out.push_back({&dat, values[i].values});
  }
  return out;
}

} // namespace

op_set op_decl_particles(op_set cells, const char *name) { return declare("op_decl_particles", cells, name, 0); }

op_set op_decl_particles_from(op_set cells, const char *name, int first) {
  return declare("op_decl_particles_from", cells, name, first);
}

op_map op_particle_cell(op_set particles) {
  return guarded_value<op_map>("op_particle_cell", nullptr,
                               [&] { return need_particles(*recording_session().mesh, particles).particles->in; });
}

op_dat op_particle_identity(op_set particles) {
  return guarded_value<op_dat>("op_particle_identity", nullptr, [&] {
    return need_particles(*recording_session().mesh, particles).particles->identity;
  });
}

op_dat op_particle_next(op_set particles) {
  return guarded_value<op_dat>("op_particle_next", nullptr,
                               [&] { return need_particles(*recording_session().mesh, particles).particles->next; });
}

op_status op_add_particles(op_set particles, op_index count, const op_gindex *cells, int dats,
                           const op_particle_values *values) {
  return guarded("op_add_particles", [&] {
    std::vector<ParticleValues> given;
    Set &set = collectively([&](Mesh &mesh) -> Set & {
      Set &object = need_particles(mesh, particles);
      if (count < 0) fail(OP_ERR_ARGUMENT, "argument 'count' is ", count, "; it cannot be negative");
      if (count > 0 && !cells) fail(OP_ERR_ARGUMENT, "argument 'cells' is NULL; it has a number for each particle");
      given = need_values(mesh, object, count, dats, values);
      need_released(object);
      if (object.particles->moving)
        fail(OP_ERR_STATE, "particles '", object.label,
             "' are on their way; call op_move_particles() until it returns 0 before others are added");
      mesh.agreement().agree(text("op_add_particles to '", object.label, "'"));
      return object;
    });
    session().mesh->declare().settle();
    session().particles->add(set, {cells, static_cast<std::size_t>(count)}, given);
  });
}

op_gindex op_move_particles(op_set particles) {
  return guarded_value<op_gindex>("op_move_particles", -1, [&] {
    Set &set = collectively([&](Mesh &mesh) -> Set & {
      Set &object = need_particles(mesh, particles);
      need_released(object);
      mesh.agreement().agree(text("op_move_particles of '", object.label, "'"));
      return object;
    });
    session().mesh->declare().settle();
    return static_cast<op_gindex>(session().particles->step(set));
  });
}

// SPDX-License-Identifier: MIT
