// Declarations, and the arrays of the program behind them.
#include <algorithm>
#include <cstdlib>
#include <unordered_map>
#include <utility>
#include <vector>

#include "glue.hpp"
#include "op2/inspect.h"

namespace op2::fortran {

namespace {

struct Known {
  std::unordered_map<const void *, op_dat> dats;
  std::unordered_map<const void *, op_map> maps;
  std::unordered_map<int, op_set> sets;
  std::vector<std::vector<char>> kept;
};
Known &known() {
  static Known all;
  return all;
}

template <class Value, class Key>
Value found(const std::unordered_map<Key, Value> &table, Key key) {
  const auto at = table.find(key);
  return at == table.end() ? nullptr : at->second;
}

// Whether an array of `count` values (-1: not known) holds a row for each element.
bool long_enough(op_set set, int dim, long long count, const char *call, const char *name) {
  const long long rows = set && op_is_initialised() ? op_get_size_declared(set) : 0;
  if (count < 0 || dim < 1 || rows * dim <= count) return true;
  raise(OP_ERR_DIM, call,
        std::string("the array for '") + name + "' has " + std::to_string(count) + " values, but " +
            std::to_string(rows) + " elements with " + std::to_string(dim) + " each need " +
            std::to_string(rows * dim));
  return false;
}

} // namespace

void remember(const void *array, op_dat dat) {
  if (array && dat) known().dats[array] = dat;
}
void remember(const void *array, op_map map) {
  if (array && map) known().maps[array] = map;
}
op_dat dat_of(const void *array) { return found(known().dats, array); }
op_map map_of(const void *array) { return found(known().maps, array); }
void *keep(std::vector<char> &&bytes) {
  known().kept.push_back(std::move(bytes));
  return known().kept.back().data();
}
void forget_all() { known() = Known(); }

} // namespace op2::fortran

using namespace op2::fortran;

extern "C" {

op_map op2f_decl_map(op_set from, op_set to, int dim, const void *data, int bytes, long long count, const char *name) {
  if (!long_enough(from, dim, count, "op_decl_map", name)) return nullptr;
  const op_map map = bytes == 8 ? op_decl_map_long(from, to, dim, static_cast<const op_gindex *>(data), name)
                                : op_decl_map(from, to, dim, static_cast<const op_index *>(data), name);
  remember(data, map);
  return map;
}

op_dat op2f_decl_dat(op_set set, int dim, const char *type, const void *data, long long count, const char *name) {
  if (!long_enough(set, dim, count, "op_decl_dat", name)) return nullptr;
  const op_dat dat = op_decl_dat(set, dim, type, data, name);
  remember(data, dat);
  return dat;
}

op_dat op2f_decl_dat_zeros(op_set set, int dim, const char *type, int length, const char *name) {
  const std::string as_given(type, static_cast<std::size_t>(length));
  const char *const known_name = type_name(type, static_cast<std::size_t>(length));
  return op_decl_dat(set, dim, known_name ? known_name : as_given.c_str(), nullptr, name);
}

op_dat op2f_decl_dat_temp(op_set set, int dim, const char *type, int length, const char *name) {
  const std::string as_given(type, static_cast<std::size_t>(length));
  const char *const known_name = type_name(type, static_cast<std::size_t>(length));
  static int unnamed = 0; // names of temporary dats must differ
  const std::string own = *name != '\0' ? name : "unnamed_" + std::to_string(++unnamed);
  return op_decl_dat_temp(set, dim, known_name ? known_name : as_given.c_str(), own.c_str());
}

// 1: freed, -1: not found.
int op2f_free_dat_temp(op_dat dat) {
  int count = 0;
  const op_dat *const all = op_all_dats(&count);
  if (!dat || std::find(all, all + count, dat) == all + count) return -1;
  return op_free_dat_temp(dat) == OP_OK ? 1 : -1;
}

// OP2's programs give a type, or nothing, where a name may stand. Those are no names.
void op2f_decl_const(const char *name, int dim, const char *type, const void *data, long long count) {
  const std::string given = name;
  if (count >= 0 && dim > count)
    return raise(
        OP_ERR_DIM, "op_decl_const",
        "'" + given + "' has dim " + std::to_string(dim) + ", but the array has " + std::to_string(count) + " values");
  if (!given.empty() && !type_name(name, given.size()) && type_class(name, given.size()) == '?')
    op_decl_const_named(name, dim, type, data);
}

void op2f_register_set(int number, op_set set) { known().sets[number] = set; }

op_set op2f_get_set(int number) {
  const op_set set = found(known().sets, number);
  if (!set) raise(OP_ERR_ARGUMENT, "op_get_set", "no set was registered as number " + std::to_string(number));
  return set;
}

void *op2f_memalloc(std::size_t bytes) {
  void *const memory = std::aligned_alloc(64, (bytes + 64) / 64 * 64);
  if (!memory) raise(OP_ERR_MEMORY, "op_memalloc", "there is no memory for " + std::to_string(bytes) + " bytes");
  return memory;
}

op_dat op2f_dat_of(const void *array, const char *call) {
  const op_dat dat = dat_of(array);
  if (!dat) raise(OP_ERR_ARGUMENT, call, "no dat was declared from this array");
  return dat;
}

op_map op2f_map_of(const void *array, const char *call) {
  const op_map map = map_of(array);
  if (!map) raise(OP_ERR_ARGUMENT, call, "no map was declared from this array");
  return map;
}

} // extern "C"

// SPDX-License-Identifier: MIT
