#include "mesh/objects.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "mesh/particles.hpp"

namespace op2::core {

namespace {

// The object of this list at the address the user gave, which may be any address; NULL when there is none.
template <class Object>
Object *find(const std::vector<std::unique_ptr<Object>> &objects, const void *handle) {
  for (const auto &object : objects)
    if (static_cast<const void *>(object.get()) == handle) return object.get();
  return nullptr;
}

template <class Object>
const std::string &label_of(const Object &object) {
  return object.label;
}
const std::string &label_of(const op_reduction_core &object) { return object.name; }
const std::string &label_of(const op_global_core &object) { return object.name; }

// What a program can do with an object of particles that it gave to a call about the mesh.
std::string way_out(const Set &set) {
  return text(", such as their cells '", set.particles->cells->label, "' (maps from particles: op_map_compose)");
}
std::string way_out(const Map &map) {
  return text(", such as those from the cells '", map.source().particles->cells->label, "'");
}
std::string way_out(const Dat &) { return "; op_fetch_data() gives each process the values of its particles"; }
std::string way_out(const op_reduction_core &) { return ""; }
std::string way_out(const op_global_core &) { return ""; }

} // namespace

template <class Object>
Object &Objects::checked(const List<Object> &of_mesh, const List<Object> &of_particles, bool both, const void *handle,
                         const std::string &what, const char *kind) const {
  if (!handle) fail(OP_ERR_HANDLE, what, " is NULL; a ", kind, " is needed");
  if (!live_.count(handle))
    fail(OP_ERR_HANDLE, what, " is not a ", kind,
         " of this context (freed, from before op_exit(), or never declared); declare it after op_init()");
  if (Object *object = find(of_mesh, handle)) return *object;
  if (Object *object = find(of_particles, handle)) {
    if (both) return *object;
    fail(OP_ERR_SET, what, " is the ", kind, " '", label_of(*object),
         "' of particles, which move between cells and processes; this call is about the mesh alone, and takes a ",
         kind, " of it", way_out(*object));
  }
  std::string is = "a reduction";
  const auto tell = [&is, handle](const auto &objects, const char *its) {
    if (const auto *object = find(objects, handle)) is = text("the ", its, " '", label_of(*object), "'");
  };
  tell(sets_, "set"), tell(particles_.sets, "set");
  tell(maps_, "map"), tell(particles_.maps, "map");
  tell(dats_, "dat"), tell(particles_.dats, "dat");
  tell(globals_, "global");
  fail(OP_ERR_HANDLE, what, " is ", is, "; a ", kind, " is needed");
}

Set &Objects::set(op_set handle, const std::string &what) const {
  return checked(sets_, particles_.sets, false, handle, what, "set");
}
Map &Objects::map(op_map handle, const std::string &what) const {
  return checked(maps_, particles_.maps, false, handle, what, "map");
}
Dat &Objects::dat(op_dat handle, const std::string &what) const {
  return checked(dats_, particles_.dats, false, handle, what, "dat");
}
Set &Objects::any_set(op_set handle, const std::string &what) const {
  return checked(sets_, particles_.sets, true, handle, what, "set");
}
Map &Objects::any_map(op_map handle, const std::string &what) const {
  return checked(maps_, particles_.maps, true, handle, what, "map");
}
Dat &Objects::any_dat(op_dat handle, const std::string &what) const {
  return checked(dats_, particles_.dats, true, handle, what, "dat");
}
const op_reduction_core &Objects::reduction(op_reduction handle, const std::string &what) const {
  return checked(reductions_, {}, false, handle, what, "reduction");
}
op_global_core &Objects::global(op_global handle, const std::string &what) const {
  return checked(globals_, {}, false, handle, what, "global");
}

bool Objects::knows_global(op_global handle) const { return find(globals_, handle) != nullptr; }

Set &Objects::add(std::unique_ptr<Set> object) {
  return object->particles ? add(particles_.sets, first_of_particles, std::move(object))
                           : add(sets_, 0, std::move(object));
}
Map &Objects::add(std::unique_ptr<Map> object) {
  return object->source().particles ? add(particles_.maps, first_of_particles, std::move(object))
                                    : add(maps_, 0, std::move(object));
}
Dat &Objects::add(std::unique_ptr<Dat> object) {
  return object->on().particles ? add(particles_.dats, first_of_particles, std::move(object))
                                : add(dats_, 0, std::move(object));
}

bool Objects::renumbered() const {
  return std::ranges::any_of(sets_, [](const auto &set) { return set->renumbered(); });
}

bool Objects::host_view_open() const {
  const auto open = [](const auto &dat) { return !dat->freed && dat->acquired >= 0; };
  return std::ranges::any_of(dats_, open) || std::ranges::any_of(particles_.dats, open);
}

op_reduction Objects::add(std::unique_ptr<op_reduction_core> object) {
  live_.insert(object.get());
  reductions_.push_back(std::move(object));
  return reductions_.back().get();
}

op_global Objects::add(std::unique_ptr<op_global_core> object) {
  live_.insert(object.get());
  globals_.push_back(std::move(object));
  return globals_.back().get();
}

const Constant &Objects::set_constant(Constant constant) {
  const auto old = std::ranges::find_if(constants_, [&](const Constant &known) {
    return known.name == constant.name && known.variable == constant.variable;
  });
  if (old == constants_.end()) {
    constant.number = variables_[constant.name]++;
    return constants_.emplace_back(std::move(constant));
  }
  constant.number = old->number;
  if (old->element == constant.element && old->dim == constant.dim) {
    std::ranges::copy(constant.value, old->value.begin()); // generated code reads them there
    return *old;
  }
  ++constants_changed_;
  retired_values_.push_back(std::move(old->value));
  return *old = std::move(constant);
}

void Objects::remove_constant(const Constant &constant) {
  const auto at = constants_.begin() + (&constant - constants_.data());
  retired_values_.push_back(std::move(at->value));
  constants_.erase(at);
}

void Objects::retire(Dat &dat) {
  live_.erase(&dat);
  dat.freed = true;
  dat.host = Storage();
  dat.remote = Storage();
  dat.data = dat.data_d = nullptr;
}

void Objects::revive(Dat &dat) {
  dat.freed = false;
  live_.insert(&dat);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
