// Declarations: every check comes before the first change, so a refused declaration leaves no trace.
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include "base/error.hpp"
#include "mesh/checks.hpp"
#include "mesh/declarations.hpp"
#include "mesh/numbering.hpp"
#include "mesh/particles.hpp"
#include "mesh/rows.hpp"

namespace op2::core {

void need_name(const char *name) {
  if (!name) fail(OP_ERR_ARGUMENT, "the name is NULL; every object needs one");
}

ElementType sized_type(const char *type, int type_size, const char *name) {
  if (!type)
    fail(OP_ERR_TYPE, "the type of '", name, "' is NULL; it is one of ", builtin_type_names(),
         " or a type of your own");
  ElementType element = parse_type(type);
  if (type_size < 0) fail(OP_ERR_ARGUMENT, "the type size of '", name, "' is negative: ", type_size);
  if (element.builtin()) {
    if (type_size != 0 && type_size != element.size)
      fail(OP_ERR_TYPE, "'", name, "': type ", element.name, " has ", element.size, " bytes, not ", type_size);
  } else {
    if (type_size == 0)
      fail(OP_ERR_TYPE, "'", name, "': unknown type '", type, "'; built-in types are ", builtin_type_names(),
           "; for a type of your own use the *_char form, which takes its size");
    element.size = type_size;
  }
  return element;
}

int row_bytes(int dim, const ElementType &element, const char *name) {
  if (dim < 1) fail(OP_ERR_DIM, "the dim of '", name, "' is ", dim, "; it must be at least 1");
  const long long bytes = static_cast<long long>(dim) * element.size;
  if (bytes > std::numeric_limits<int>::max())
    fail(OP_ERR_DIM, "'", name, "': ", dim, " values of ", element.size, " bytes per element are more than 2 GiB");
  return static_cast<int>(bytes);
}

std::string other_base(int map_base, op_gindex entry, op_gindex targets) {
  if (map_base == 0 && entry == targets) return "; if the mesh counts from 1, set OP2_MAPS_BASE_INDEX=1";
  if (map_base == 1 && entry == 0)
    return "; if the mesh counts from 0, set OP2_MAPS_BASE_INDEX=0, in Fortran call op_init_base(diags, 0)";
  return "";
}

Set &Declarations::set(int size, const char *name) try {
  need_name(name);
  if (size < 0) fail(OP_ERR_ARGUMENT, "the size of set '", name, "' is negative: ", size);
  auto object = std::make_unique<Set>();
  object->label = name;
  object->size = size;
  object->name = object->label.c_str();
  object->core_size = size;
  object->exec_size = object->nonexec_size = object->stride = 0;
  object->passed = object->declared_size = size;
  object->global_size = size;
  if (several()) share(*object);
  return objects_.add(std::move(object));
} catch (Error &error) {
  agreement_.tell(error); // the others wait for this process to agree
  throw;
}

template <class Index>
Map &Declarations::checked_map(op_set from, op_set to, int dim, const Index *entries, const char *name) try {
  need_name(name);
  const Set &source = objects_.set(from, text("argument 'from' of map '", name, "'"));
  const Set &target = objects_.set(to, text("argument 'to' of map '", name, "'"));
  if (dim < 1) fail(OP_ERR_DIM, "the dim of map '", name, "' is ", dim, "; it must be at least 1");
  const bool counts = mode_ != Declare::root || communicator_.rank() == 0; // and not only those of another process
  if (!entries && source.passed > 0 && counts)
    fail(OP_ERR_ARGUMENT, "the entries of map '", name, "' are NULL; ", dim, " for each of the ", source.passed,
         " elements of set '", source.label, "' are needed");
  const std::size_t count = counts ? static_cast<std::size_t>(source.passed) : 0;
  const op_gindex targets = target.global_size;
  const auto read = [&](auto &table) {
    using Value = typename std::decay_t<decltype(table)>::value_type;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const long long entry = entries[i];
      if (entry < map_base_ || entry - map_base_ >= targets) // in this order the difference cannot overflow
        fail(OP_ERR_RANGE, "map '", name, "', element ", i / static_cast<std::size_t>(dim), ", column ",
             i % static_cast<std::size_t>(dim), ": entry ", entries[i], " is outside set '", target.label, "'",
             targets == 0 ? ", which is empty" : text(" (", map_base_, " to ", targets - 1 + map_base_, ")"),
             other_base(map_base_, entry, targets));
      table[i] = static_cast<Value>(entry - map_base_);
    }
  };
  if (several()) {
    auto global = agreement_.together(
        text("map '", name, "' from set '", source.label, "' to set '", target.label, "', dim ", dim), [&] {
          auto table = new_table<op_gindex>(count, dim, name);
          read(table);
          return table;
        });
    const bool same = same_targets(name, global);
    Map &object = adopt_map(source, target, dim, {}, name);
    object.same_everywhere = same;
    object.in_declared_order = true;
    object.targets = own_targets(source, dim, std::move(global));
    return object;
  }
  std::vector<int> table = new_table<int>(count, dim, name);
  read(table);
  translate(table, source, target, dim);
  return adopt_map(source, target, dim, std::move(table), name);
} catch (Error &error) {
  agreement_.tell(error); // the others wait for this process to agree
  throw;
}

Map &Declarations::map(op_set from, op_set to, int dim, const op_index *entries, const char *name) {
  return checked_map(from, to, dim, entries, name);
}

Map &Declarations::map(op_set from, op_set to, int dim, const op_gindex *entries, const char *name) {
  return checked_map(from, to, dim, entries, name);
}

Map &Declarations::adopt_map(const Set &from, const Set &to, int dim, std::vector<int> table, const char *name) {
  auto object = std::make_unique<Map>();
  object->label = name;
  object->from = &objects_.own(from);
  object->to = &objects_.own(to);
  object->dim = dim;
  object->map_gbl = nullptr;
  object->name = object->label.c_str();
  object->user_managed = 0;
  object->force_part = false;
  copies_.install(*object, std::move(table));
  return objects_.add(std::move(object));
}

bool Declarations::take_new_tables() {
  bool any = false;
  for (const auto &map : objects_.maps()) {
    if (!map->map || map->map == map->table.data()) continue;
    std::vector<int> entries(map->map, map->map + map->table.size());
    for (const int entry : entries)
      if (entry < 0 || entry >= map->target().rows())
        fail(OP_ERR_RANGE, "map '", map->label, "' has a new table with the entry ", entry, "; set '", map->to->name,
             "' has ", map->target().rows(), " elements");
    std::construct_at(&map->table); // what it held is freed
    copies_.install(*map, std::move(entries));
    any = true;
  }
  return any;
}

Composition Declarations::composition(op_map first_handle, op_map second_handle, const char *name) const {
  need_name(name);
  const Map &first = objects_.any_map(first_handle, "argument 'first'");
  const Map &second = objects_.map(second_handle, "argument 'second'");
  if (first.to != second.from)
    fail(OP_ERR_SET, "map '", first.label, "' leads to set '", first.to->name, "', but map '", second.label,
         "' starts from set '", second.from->name, "'");
  const long long dim = static_cast<long long>(first.dim) * second.dim;
  if (dim > std::numeric_limits<int>::max())
    fail(OP_ERR_DIM, "the composed map '", name, "' would have ", dim, " columns");
  return {&first, &second, static_cast<int>(dim)};
}

Map &Declarations::adopt_targets(const Composition &pair, std::vector<op_gindex> targets, const char *name) {
  Map &object = adopt_map(*static_cast<const Set *>(pair.first->from), *static_cast<const Set *>(pair.second->to),
                          pair.dim, {}, name);
  object.targets = std::move(targets);
  return object;
}

Map &Declarations::compose(op_map first_handle, op_map second_handle, const char *name) {
  const Composition pair = composition(first_handle, second_handle, name);
  const Map &first = *pair.first, &second = *pair.second;
  std::vector<int> table = new_table<int>(static_cast<std::size_t>(first.from->size), pair.dim, name);
  auto out = table.begin();
  for (const int middle : first.table)
    out = std::copy_n(second.table.begin() + static_cast<std::ptrdiff_t>(middle) * second.dim, second.dim, out);
  const Set &from = objects_.set(first.from, "");
  const Set &to = objects_.set(second.to, "");
  return adopt_map(from, to, pair.dim, std::move(table), name);
}

std::unique_ptr<Dat> Declarations::new_dat(Set &owner, int dim, const ElementType &element, int row,
                                           const char *name) const {
  auto object = std::make_unique<Dat>();
  object->label = name;
  object->type_label = element.name;
  object->element = element;
  object->set = &owner;
  object->dim = dim;
  object->size = row;
  object->type = object->type_label.c_str();
  object->name = object->label.c_str();
  if (!owner.particles) object->layout = copies_.layout_of(element, owner.rows(), dim); // particles: rows that move
  object->buffer_d = object->buffer_d_r = nullptr;
  object->user_managed = 0;
  object->mpi_buffer = nullptr;
  return object;
}

// OP2 tells temporary dats apart by set, dim and type as well.
void Declarations::need_new_name(const Set &owner, int dim, const ElementType &element, const char *name) const {
  for (const auto &other : owner.particles ? objects_.particle_dats() : objects_.dats()) {
    if (other->freed || other->label != name) continue;
    if (dialect_.repeats_names && !(other->set == &owner && other->dim == dim && other->element == element)) continue;
    fail(OP_ERR_ARGUMENT, "a dat '", name, "' exists on set '", other->set->name,
         "'; names of temporary dats must be unique");
  }
}

// A program that frees and declares the same scratch data again and again gets the same object, and with it the loops
// that were prepared for it. NULL: there is none.
Dat *Declarations::freed_like(const Dat &wanted) const {
  const auto alike = [&](const auto &old) {
    return old->freed && old->label == wanted.label && old->set == wanted.set && old->dim == wanted.dim &&
           old->element == wanted.element && old->size == wanted.size;
  };
  const auto &among = wanted.on().particles ? objects_.particle_dats() : objects_.dats();
  const auto old = std::ranges::find_if(among, alike);
  return old == among.end() ? nullptr : old->get();
}

Dat &Declarations::dat(op_set set_handle, int dim, const char *type, int type_size, const void *data, const char *name,
                       bool temporary) try {
  need_name(name);
  Set &owner = objects_.any_set(set_handle, text("argument 'set' of dat '", name, "'"));
  const ElementType element = sized_type(type, type_size, name);
  const int row = row_bytes(dim, element, name);
  if (owner.particles && data)
    fail(OP_ERR_ARGUMENT, "dat '", name, "' is on the particles '", owner.label,
         "', which get their values when they are added; pass NULL here, and the values to op_add_particles()");
  DeclaredRows given(data);
  const bool same = several() ? agree_on_dat(owner, dim, element, row, name, temporary, given) : true;
  if (owner.distributed)
    given = DeclaredRows(nullptr); // its rows are elsewhere: whoever declares the dat sends them there
  std::unique_ptr<Dat> object = new_dat(owner, dim, element, row, name);
  object->temporary = temporary;
  object->same_everywhere = same;
  if (temporary) {
    need_new_name(owner, dim, element, name);
    if (Dat *const old = freed_like(*object)) {
      copies_.allocate(*old, given.data());
      objects_.revive(*old);
      return *old;
    }
  }
  copies_.allocate(*object, given.data());
  Dat &out = objects_.add(std::move(object));
  if (owner.particles) owner.particles->dats.push_back(&out);
  return out;
} catch (Error &error) {
  agreement_.tell(error); // the others wait for this process to agree
  throw;
}

void Declarations::free_temporary(op_dat handle) {
  Dat &object = objects_.any_dat(handle, "the dat");
  if (!object.temporary)
    fail(OP_ERR_ARGUMENT, "dat '", object.label, "' is not temporary; it lives until op_exit() (see op_decl_dat_temp)");
  if (object.acquired >= 0) fail(OP_ERR_STATE, "dat '", object.label, "' is acquired; call op_dat_release() first");
  objects_.retire(object);
}

op_reduction Declarations::reduction(const char *name, const char *type, int type_size, op_reduce_fn combine,
                                     const void *identity) {
  need_name(name);
  if (!combine) fail(OP_ERR_ARGUMENT, "the function of reduction '", name, "' is NULL");
  if (!identity) fail(OP_ERR_ARGUMENT, "the identity of reduction '", name, "' is NULL");
  auto object = std::make_unique<op_reduction_core>();
  object->name = name;
  object->element = sized_type(type, type_size, name);
  object->combine = combine;
  object->identity.assign(static_cast<const char *>(identity),
                          static_cast<const char *>(identity) + object->element.size);
  return objects_.add(std::move(object));
}

op_global Declarations::global(int dim, const char *type, int type_size, const void *value, const char *name) {
  need_name(name);
  auto object = std::make_unique<op_global_core>();
  object->name = name;
  object->element = sized_type(type, type_size, name);
  object->dim = dim;
  const auto bytes = static_cast<std::size_t>(row_bytes(dim, object->element, name));
  object->values.resize(bytes / sizeof(std::max_align_t) + 1);
  if (value) std::memcpy(object->data(), value, bytes);
  return objects_.add(std::move(object));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
