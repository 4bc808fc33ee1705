// The door of change.h.
#include "op2/change.h"

#include <cmath>

#include "api/guard.hpp"
#include "distributed/declared/carry.hpp"
#include "mesh/particles.hpp"

using namespace op2::core;

namespace {

MapRows checked_rows(const Map &map, int base, op_index count, const op_gindex *elements, const op_gindex *entries) {
  if (count < 0) fail(OP_ERR_ARGUMENT, "argument 'count' is ", count, "; it is the number of rows");
  if (count > 0 && !elements)
    fail(OP_ERR_ARGUMENT, "argument 'elements' is NULL; pass the numbers of ", count, " elements");
  if (count > 0 && !entries)
    fail(OP_ERR_ARGUMENT, "argument 'entries' is NULL; pass ", map.dim, " for each of the ", count, " elements");
  const Set &from = map.source(), &to = map.target();
  const auto rows = static_cast<std::size_t>(count), dim = static_cast<std::size_t>(map.dim);
  MapRows out{{elements, elements + rows}, {entries, entries + rows * dim}};
  for (std::size_t i = 0; i < rows; ++i)
    if (elements[i] < 0 || elements[i] >= from.global_size)
      fail(OP_ERR_RANGE, "map '", map.label, "': elements[", i, "] is ", elements[i], "; set '", from.label, "' has ",
           from.global_size, " elements, from 0");
  for (std::size_t i = 0; i < out.targets.size(); ++i) {
    op_gindex &target = out.targets[i];
    if (target < base || target - base >= to.global_size)
      fail(OP_ERR_RANGE, "map '", map.label, "', element ", elements[i / dim], ", column ", i % dim, ": entry ", target,
           " is outside set '", to.label, "'",
           to.global_size == 0 ? ", which is empty" : text(" (", base, " to ", to.global_size - 1 + base, ")"),
           other_base(base, target, to.global_size));
    target -= base;
  }
  return sorted_rows(map, std::move(out));
}

void need_alike(const Dat &from, const Dat &to, int what) {
  if (&from == &to)
    fail(OP_ERR_ARGUMENT, "dat '", from.label, "' is carried to itself; pass a dat on the new set as 'to'");
  if (!(from.element == to.element))
    fail(OP_ERR_TYPE, "dat '", from.label, "' has type ", from.type_label, ", dat '", to.label, "' ", to.type_label,
         "; they must be the same");
  if (from.dim != to.dim)
    fail(OP_ERR_DIM, "dat '", from.label, "' has dim ", from.dim, ", dat '", to.label, "' ", to.dim,
         "; they must be the same");
  if (what != OP_CARRY_VALUES && what != OP_CARRY_SUMS)
    fail(OP_ERR_ARGUMENT, "argument 'what' is ", what, "; it is OP_CARRY_VALUES or OP_CARRY_SUMS");
  if (what == OP_CARRY_SUMS && from.element.id != OP_TYPE_DOUBLE && from.element.id != OP_TYPE_FLOAT)
    fail(OP_ERR_TYPE, "dat '", from.label, "' has type ", from.type_label, "; OP_CARRY_SUMS divides double and float");
  for (const Dat *dat : {&from, &to})
    if (dat->acquired >= 0) fail(OP_ERR_STATE, "dat '", dat->label, "' is acquired; call op_dat_release() first");
}

void need_parents(const Set &old, const Set &set, std::span<const op_gindex> parents, std::span<const double> weights) {
  for (std::size_t n = 0; n < parents.size(); ++n)
    if (parents[n] < -1 || parents[n] >= old.global_size)
      fail(OP_ERR_RANGE, "parents[", n, "], of set '", set.label, "', is ", parents[n], "; set '", old.label, "' has ",
           old.global_size, " elements, from 0, and -1 is none");
  for (std::size_t n = 0; n < weights.size(); ++n)
    if (!(weights[n] >= 0) || !std::isfinite(weights[n]))
      fail(OP_ERR_ARGUMENT, "weights[", n, "], of set '", set.label, "', is ", weights[n],
           "; weights are 0 or positive");
}

// The declared part of what the program passes for the elements of a set.
template <class T>
std::vector<T> declared_part(Mesh &mesh, const Set &set, const T *passed) {
  const DeclaredRows rows = mesh.declare().declared_rows(set, passed, sizeof(T));
  if (set.declared_size == 0) return {};
  const T *const first = static_cast<const T *>(rows.data());
  return {first, first + set.declared_size};
}

} // namespace

op_status op_carry(op_dat from, op_dat to, const op_gindex *parents, int what, const double *weights,
                   const void *fill) {
  return guarded("op_carry", [&] {
    Dat *old = nullptr, *fresh = nullptr;
    Parentage how;
    collectively([&](Mesh &mesh) {
      old = &mesh.objects().dat(from, "argument 'from'");
      fresh = &mesh.objects().dat(to, "argument 'to'");
      need_alike(*old, *fresh, what);
      mesh.declare().settle();
      const Set &set = fresh->on();
      const bool counts = mesh.declare().mode() != Declare::root || mesh.communicator().rank() == 0;
      const auto passed = static_cast<std::size_t>(counts ? set.passed : 0);
      if (passed > 0 && !parents)
        fail(OP_ERR_ARGUMENT, "argument 'parents' is NULL; pass one for each of ", passed, " elements of set '",
             set.label, "'");
      if (weights && what == OP_CARRY_VALUES)
        fail(OP_ERR_ARGUMENT, "argument 'weights' is for OP_CARRY_SUMS; pass NULL with OP_CARRY_VALUES");
      need_parents(old->on(), set, {parents, passed}, {weights, weights ? passed : 0});
      mesh.agreement().agree(text("op_carry of dat '", old->label, "' to dat '", fresh->label, "', what ", what));
      const bool weighted = mesh.communicator().max(static_cast<std::int64_t>(weights != nullptr)) != 0;
      mesh.agreement().together("the weights of op_carry", [&] {
        if (weighted && passed > 0 && !weights)
          fail(OP_ERR_ARGUMENT, "argument 'weights' is NULL on this process, but not on another one");
        return 0;
      });
      how.parents = declared_part(mesh, set, parents);
      how.sums = what == OP_CARRY_SUMS;
      if (weighted) how.weights = declared_part(mesh, set, weights);
      how.fill = static_cast<const char *>(fill);
      carry_rows(mesh, *old, *fresh, how);
    });
  });
}

op_status op_put_map_rows(op_map map, op_index count, const op_gindex *elements, const op_gindex *entries) {
  return guarded("op_put_map_rows", [&] {
    Session &here = session();
    Map *object = nullptr;
    const MapRows rows = collectively([&](Mesh &mesh) {
      if (mesh.declare().mode() == Declare::automatic) { // whose sizes say what the numbers of elements are
        mesh.objects().map(map, "the map");
        mesh.declare().settle();
      }
      object = &mesh.objects().map(map, "the map");
      const MapRows mine = checked_rows(*object, mesh.declare().map_base(), count, elements, entries);
      mesh.agreement().agree(text("op_put_map_rows of map '", object->label, "'"));
      return rows_of_all(mesh, *object, mine);
    });
    here.engine->mesh_setup().put_map_rows(*object, rows);
  });
}
// SPDX-License-Identifier: MIT
