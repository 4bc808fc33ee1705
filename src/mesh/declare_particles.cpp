// Declarations of sets of particles and of maps that follow them.
#include "base/error.hpp"
#include "mesh/checks.hpp"
#include "mesh/declarations.hpp"
#include "mesh/particles.hpp"

namespace op2::core {

void need_changeable(const Dat &dat) {
  if (const Particles *const its = dat.on().particles.get(); its && &dat == its->identity)
    fail(OP_ERR_ACCESS, "dat '", dat.label, "' has the identities of the particles '", dat.on().label,
         "', which can only be read (OP_READ)");
}

void need_released(const Set &particles) {
  for (const Dat *const dat : particles.particles->dats)
    if (!dat->freed && dat->acquired >= 0)
      fail(OP_ERR_STATE, "dat '", dat->label, "' is acquired; call op_dat_release() first");
}

Set &Declarations::particles(op_set cells_handle, const char *name, int first) try {
  need_name(name);
  Set &cells = objects_.set(cells_handle, text("argument 'cells' of particles '", name, "'"));
  if (first != 0 && first != 1)
    fail(OP_ERR_ARGUMENT, "argument 'first' of particles '", name, "' is ", first, "; programs count from 0 or from 1");
  if (several()) agreement_.agree(text("particles '", name, "' in set '", cells.label, "', from ", first));
  auto object = std::make_unique<Set>();
  object->label = name;
  object->name = object->label.c_str();
  object->size = object->core_size = object->exec_size = object->nonexec_size = object->stride = 0;
  object->distributed = several();
  object->particles = std::make_shared<Particles>();
  object->particles->cells = &cells;
  object->particles->base = first;
  Set &set = objects_.add(std::move(object));
  Particles &particles = *set.particles;
  particles.in = &adopt_map(set, cells, 1, {}, text(name, "_cell").c_str());
  particles.in->built = several();
  particles.identity = &dat(&set, 1, "ll", 0, nullptr, text(name, "_identity").c_str(), false);
  particles.next = &dat(&set, 1, "ll", 0, nullptr, text(name, "_next").c_str(), false);
  return set;
} catch (Error &error) {
  agreement_.tell(error); // the others wait for this process to agree
  throw;
}

Map &Declarations::follow(op_map to_cells, op_map of_cells, const char *name) {
  const Composition pair = composition(to_cells, of_cells, name);
  Set &set = objects_.own(pair.first->source());
  if (pair.first != set.particles->in) // other rows of other processes are not here
    fail(OP_ERR_SET, "map '", pair.first->label, "' follows the particles '", set.label,
         "' already; compose the maps of the mesh first, and then '", set.particles->in->label, "' with the result");
  if (several())
    agreement_.agree(text("map '", name, "' of maps '", pair.first->label, "' and '", pair.second->label, "'"));
  Map &map = adopt_map(set, pair.second->target(), pair.dim, {}, name);
  map.built = several();
  set.particles->followers.push_back({&map, pair.second});
  return map;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
