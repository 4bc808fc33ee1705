// Declarations: every check comes before the first change, so a refused declaration leaves no trace.
#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

#include "base/error.hpp"
#include "mesh/declare.hpp"
#include "mesh/mesh.hpp"
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

Set &Mesh::declare_set(int size, const char *name) try {
  need_name(name);
  if (size < 0) fail(OP_ERR_ARGUMENT, "the size of set '", name, "' is negative: ", size);
  auto object = std::make_unique<Set>();
  object->label = name;
  object->index = static_cast<int>(sets_.size());
  object->size = size;
  object->name = object->label.c_str();
  object->core_size = size;
  object->exec_size = object->nonexec_size = object->stride = 0;
  object->declared = object->home_size = size;
  object->global_size = size;
  if (several()) share(*object);
  live_.insert(object.get());
  sets_.push_back(std::move(object));
  return *sets_.back();
} catch (Error &error) {
  agreement_.tell(error); // the others wait for this process to agree
  throw;
}

template <class Index>
Map &Mesh::declare_map_checked(op_set from, op_set to, int dim, const Index *entries, const char *name) try {
  need_name(name);
  const Set &source = set(from, text("argument 'from' of map '", name, "'"));
  const Set &target = set(to, text("argument 'to' of map '", name, "'"));
  if (dim < 1) fail(OP_ERR_DIM, "the dim of map '", name, "' is ", dim, "; it must be at least 1");
  const bool counts = declare_ != Declare::root || communicator_.rank() == 0; // and not only those of another process
  if (!entries && source.declared > 0 && counts)
    fail(OP_ERR_ARGUMENT, "the entries of map '", name, "' are NULL; ", dim, " for each of the ", source.declared,
         " elements of set '", source.label, "' are needed");
  const std::size_t count = counts ? static_cast<std::size_t>(source.declared) : 0;
  const idx_g_t targets = most_targets(target);
  const auto read = [&](auto &table) {
    using Value = typename std::decay_t<decltype(table)>::value_type;
    for (std::size_t i = 0; i < table.size(); ++i) {
      const long long entry = entries[i];
      if (entry < map_base_ || entry - map_base_ >= targets) // in this order the difference cannot overflow
        fail(OP_ERR_RANGE, "map '", name, "', element ", i / static_cast<std::size_t>(dim), ", column ",
             i % static_cast<std::size_t>(dim), ": entry ", entries[i], " is outside set '", target.label, "'",
             targets == 0 ? ", which is empty" : text(" (", map_base_, " to ", targets - 1 + map_base_, ")"),
             map_base_ == 0 && entries[i] == targets ? "; if the mesh counts from 1, set OP2_MAPS_BASE_INDEX=1" : "");
      table[i] = static_cast<Value>(entry - map_base_);
    }
  };
  if (several()) {
    auto global = agreement_.together(
        text("map '", name, "' from set '", source.label, "' to set '", target.label, "', dim ", dim), [&] {
          auto table = new_table<idx_g_t>(count, dim, name);
          read(table);
          return table;
        });
    const bool same = same_targets(name, global);
    Map &object = adopt_map(source, target, dim, {}, name);
    object.same_everywhere = same;
    object.at_home = true;
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

Map &Mesh::declare_map(op_set from, op_set to, int dim, const idx_l_t *entries, const char *name) {
  return declare_map_checked(from, to, dim, entries, name);
}

Map &Mesh::declare_map(op_set from, op_set to, int dim, const idx_g_t *entries, const char *name) {
  return declare_map_checked(from, to, dim, entries, name);
}

Map &Mesh::adopt_map(const Set &from, const Set &to, int dim, std::vector<int> table, const char *name) {
  auto object = std::make_unique<Map>();
  object->label = name;
  object->index = static_cast<int>(maps_.size());
  object->from = sets_[static_cast<std::size_t>(from.index)].get();
  object->to = sets_[static_cast<std::size_t>(to.index)].get();
  object->dim = dim;
  object->map_gbl = nullptr;
  object->name = object->label.c_str();
  object->user_managed = 0;
  object->force_part = false;
  install(*object, std::move(table));
  live_.insert(object.get());
  maps_.push_back(std::move(object));
  return *maps_.back();
}

void Mesh::install(Map &map, std::vector<int> table) {
  ++map.revision;
  map.table = std::move(table);
  map.map = map.table.data();
  map.map_d = nullptr;
  map.remote = Storage();
  if (!executor_.caps().separate_memory) return;
  const std::size_t bytes = map.table.size() * sizeof(int);
  map.remote = Storage(executor_, executor_.caps().space, bytes);
  executor_.copy(map.remote.data(), map.remote.space(), map.table.data(), OP_SPACE_HOST, bytes);
  map.map_d = reinterpret_cast<int *>(map.remote.data());
}

bool Mesh::take_new_tables() {
  bool any = false;
  for (const auto &map : maps_) {
    if (!map->map || map->map == map->table.data()) continue;
    std::vector<int> entries(map->map, map->map + map->table.size());
    for (const int entry : entries)
      if (entry < 0 || entry >= map->target().rows())
        fail(OP_ERR_RANGE, "map '", map->label, "' has a new table with the entry ", entry, "; set '", map->to->name,
             "' has ", map->target().rows(), " elements");
    std::construct_at(&map->table); // what it held is freed
    install(*map, std::move(entries));
    any = true;
  }
  return any;
}

Composition Mesh::composition(op_map first_handle, op_map second_handle, const char *name) const {
  need_name(name);
  const Map &first = map(first_handle, "argument 'first'");
  const Map &second = map(second_handle, "argument 'second'");
  if (first.to != second.from)
    fail(OP_ERR_SET, "map '", first.label, "' leads to set '", first.to->name, "', but map '", second.label,
         "' starts from set '", second.from->name, "'");
  const long long dim = static_cast<long long>(first.dim) * second.dim;
  if (dim > std::numeric_limits<int>::max())
    fail(OP_ERR_DIM, "the composed map '", name, "' would have ", dim, " columns");
  return {&first, &second, static_cast<int>(dim)};
}

Map &Mesh::adopt_targets(const Composition &pair, std::vector<idx_g_t> targets, const char *name) {
  Map &object = adopt_map(*static_cast<const Set *>(pair.first->from), *static_cast<const Set *>(pair.second->to),
                          pair.dim, {}, name);
  object.targets = std::move(targets);
  return object;
}

Map &Mesh::compose(op_map first_handle, op_map second_handle, const char *name) {
  const Composition pair = composition(first_handle, second_handle, name);
  const Map &first = *pair.first, &second = *pair.second;
  std::vector<int> table = new_table<int>(static_cast<std::size_t>(first.from->size), pair.dim, name);
  auto out = table.begin();
  for (const int middle : first.table)
    out = std::copy_n(second.table.begin() + static_cast<std::ptrdiff_t>(middle) * second.dim, second.dim, out);
  const Set &from = set(first.from, "");
  const Set &to = set(second.to, "");
  return adopt_map(from, to, pair.dim, std::move(table), name);
}

void Mesh::allocate_rows(Dat &object) {
  const bool separate = executor_.caps().separate_memory != 0;
  object.layout = with_rows(object.layout, object.on().rows()); // the set may have been divided anew
  const std::size_t there = object.layout.aos() ? object.bytes() : object.layout.bytes();
  Storage host(executor_, OP_SPACE_HOST, object.bytes());
  Storage remote = separate       ? Storage(executor_, executor_.caps().space, there)
                   : object.split ? layout_copy(object) // loops from before it was freed want it
                                  : Storage();
  object.host = std::move(host);
  object.remote = std::move(remote);
  object.data = object.host.data();
  object.data_d = separate ? object.remote.data() : nullptr;
  object.state = Coherence(separate || object.split);
  object.state.used_by_host(OP_WRITE);
  show_state(object);
}

void Mesh::allocate(Dat &object, const void *data) try {
  allocate_rows(object);
  const Set &owner = object.on();
  if (data && owner.renumbered())
    gather_rows(object.host.data(), static_cast<const char *>(data), owner.original,
                static_cast<std::size_t>(object.size));
  else if (data)
    executor_.copy(object.host.data(), OP_SPACE_HOST, data, OP_SPACE_HOST, object.bytes());
  else
    executor_.zero(OP_SPACE_HOST, object.host.data(), object.bytes());
} catch (const Error &error) {
  fail(error.code, "dat '", object.label, "', ", object.set->size, " elements x ", object.size,
       " bytes: ", error.what());
}

std::unique_ptr<Dat> Mesh::new_dat(Set &owner, int dim, const ElementType &element, int row, const char *name) const {
  auto object = std::make_unique<Dat>();
  object->label = name;
  object->type_label = element.name;
  object->element = element;
  object->index = static_cast<int>(dats_.size());
  object->set = &owner;
  object->dim = dim;
  object->size = row;
  object->type = object->type_label.c_str();
  object->name = object->label.c_str();
  object->layout = layout_for(layouts_, element, owner.rows(), dim);
  object->buffer_d = object->buffer_d_r = nullptr;
  object->user_managed = 0;
  object->mpi_buffer = nullptr;
  return object;
}

Dat &Mesh::adopt_dat(std::unique_ptr<Dat> object) {
  live_.insert(object.get());
  dats_.push_back(std::move(object));
  return *dats_.back();
}

Dat &Mesh::declare_dat(op_set set_handle, int dim, const char *type, int type_size, const void *data, const char *name,
                       bool temporary) try {
  need_name(name);
  Set &owner = set(set_handle, text("argument 'set' of dat '", name, "'"));
  const ElementType element = sized_type(type, type_size, name);
  const int row = row_bytes(dim, element, name);
  HomeRows given(data);
  const bool same = several() ? agree_on_dat(owner, dim, element, row, name, temporary, given) : true;
  if (owner.distributed) given = HomeRows(nullptr); // its rows are elsewhere: whoever declares the dat sends them there
  if (temporary) {
    // OP2 tells them apart by set, dim and type as well.
    const auto taken = [&](const Dat &other) {
      if (other.freed || other.label != name) return false;
      return !dialect_.repeats_names() || (other.set == &owner && other.dim == dim && other.element == element);
    };
    for (const auto &other : dats_)
      if (taken(*other))
        fail(OP_ERR_ARGUMENT, "a dat '", name, "' exists on set '", other->set->name,
             "'; names of temporary dats must be unique");
    // A program that frees and declares the same scratch data again and again gets the same object, and with it the
    // loops that were prepared for it.
    for (const auto &old : dats_)
      if (old->freed && old->label == name && old->set == &owner && old->dim == dim && old->element == element &&
          old->size == row) {
        allocate(*old, given.data());
        old->freed = false;
        live_.insert(old.get());
        return *old;
      }
  }
  std::unique_ptr<Dat> object = new_dat(owner, dim, element, row, name);
  object->temporary = temporary;
  object->same_everywhere = same;
  allocate(*object, given.data());
  return adopt_dat(std::move(object));
} catch (Error &error) {
  agreement_.tell(error); // the others wait for this process to agree
  throw;
}

void Mesh::free_temporary(op_dat handle) {
  Dat &object = dat(handle, "the dat");
  if (!object.temporary)
    fail(OP_ERR_ARGUMENT, "dat '", object.label, "' is not temporary; it lives until op_exit() (see op_decl_dat_temp)");
  if (object.acquired >= 0) fail(OP_ERR_STATE, "dat '", object.label, "' is acquired; call op_dat_release() first");
  live_.erase(&object);
  object.freed = true;
  object.host = Storage();
  object.remote = Storage();
  object.data = object.data_d = nullptr;
}

const Constant &Mesh::declare_constant(const char *name, int dim, const char *type, int type_size, const void *data) {
  need_name(name);
  // The macro op_decl_const passes the text of an expression: "&gam" names gam, "(double *)&gam" does too.
  std::string label = name;
  if (label.starts_with('&') || label.starts_with('(') || label.starts_with('*'))
    label.erase(0, label.find_last_of("&)* ") + 1);
  if (label.empty()) label = name;
  if (!data) fail(OP_ERR_ARGUMENT, "the value of constant '", label, "' is NULL");
  const ElementType element = sized_type(type, type_size, label.c_str());
  const int bytes = row_bytes(dim, element, label.c_str());
  executor_.const_set(label, element.id, element.size, dim, data);
  Constant constant{label, element, dim, {}};
  constant.value.assign(static_cast<const char *>(data), static_cast<const char *>(data) + bytes);
  for (Constant &old : constants_)
    if (old.name == label) {
      if (old.element == element && old.dim == dim) {
        std::copy(constant.value.begin(), constant.value.end(), old.value.begin()); // generated code reads them there
        return old;
      }
      ++constants_changed_;
      retired_values_.push_back(std::move(old.value));
      return old = std::move(constant);
    }
  constants_.push_back(std::move(constant));
  return constants_.back();
}

op_reduction Mesh::declare_reduction(const char *name, const char *type, int type_size, op_reduce_fn combine,
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
  live_.insert(object.get());
  reductions_.push_back(std::move(object));
  return reductions_.back().get();
}

} // namespace op2::core
