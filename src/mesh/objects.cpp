#include "mesh/objects.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace op2::core {

namespace {

// The object of this list at the address the user gave, which may be any address; NULL when there is none.
template <class Object>
Object *find(const std::vector<std::unique_ptr<Object>> &objects, const void *handle) {
  for (const auto &object : objects)
    if (static_cast<const void *>(object.get()) == handle) return object.get();
  return nullptr;
}

} // namespace

template <class Object>
Object &Objects::checked(const std::vector<std::unique_ptr<Object>> &objects, const void *handle,
                         const std::string &what, const char *kind) const {
  if (!handle) fail(OP_ERR_HANDLE, what, " is NULL; a ", kind, " is needed");
  if (live_.count(handle))
    if (Object *object = find(objects, handle)) return *object;
  if (!live_.count(handle))
    fail(OP_ERR_HANDLE, what, " is not a ", kind,
         " of this context (freed, from before op_exit(), or never declared); declare it after op_init()");
  std::string is = "a reduction";
  if (const Set *set = find(sets_, handle)) is = "the set '" + set->label + "'";
  if (const Map *map = find(maps_, handle)) is = "the map '" + map->label + "'";
  if (const Dat *dat = find(dats_, handle)) is = "the dat '" + dat->label + "'";
  fail(OP_ERR_HANDLE, what, " is ", is, "; a ", kind, " is needed");
}

Set &Objects::set(op_set handle, const std::string &what) const { return checked(sets_, handle, what, "set"); }
Map &Objects::map(op_map handle, const std::string &what) const { return checked(maps_, handle, what, "map"); }
Dat &Objects::dat(op_dat handle, const std::string &what) const { return checked(dats_, handle, what, "dat"); }
const op_reduction_core &Objects::reduction(op_reduction handle, const std::string &what) const {
  return checked(reductions_, handle, what, "reduction");
}

bool Objects::renumbered() const {
  return std::ranges::any_of(sets_, [](const auto &set) { return set->renumbered(); });
}

bool Objects::host_view_open() const {
  return std::ranges::any_of(dats_, [](const auto &dat) { return !dat->freed && dat->acquired >= 0; });
}

op_reduction Objects::add(std::unique_ptr<op_reduction_core> object) {
  live_.insert(object.get());
  reductions_.push_back(std::move(object));
  return reductions_.back().get();
}

const Constant &Objects::set_constant(Constant constant) {
  const auto old = std::ranges::find(constants_, constant.name, &Constant::name);
  if (old == constants_.end()) return constants_.emplace_back(std::move(constant));
  if (old->element == constant.element && old->dim == constant.dim) {
    std::ranges::copy(constant.value, old->value.begin()); // generated code reads them there
    return *old;
  }
  ++constants_changed_;
  retired_values_.push_back(std::move(old->value));
  return *old = std::move(constant);
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
