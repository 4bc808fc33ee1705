// Arguments of loops as Fortran gives them.
#include "glue.hpp"
#include "op2/fortran_support.h"
#include "op2/inspect.h"

namespace {

using namespace op2::fortran;

// Fortran's number of an access mode; others stay wrong, so that the loop refuses them.
op_access access_of(int access) { return access >= 1 ? access - 1 : -1; }

// The type of the argument, where it is one that the library knows; else the dat's own, unless it says another kind.
const char *type_for(op_dat dat, const char *type, int length) {
  const std::size_t letters = static_cast<std::size_t>(length);
  const char *const known = type_name(type, letters);
  if (known && type_class(type, letters) != 'l') return known;
  const char *const own = dat ? op_dat_type(dat) : nullptr;
  if (!own) return known ? known : "double";
  const std::string of_dat = own;
  const bool whole = of_dat == "int" || of_dat == "ll" || of_dat == "uint" || of_dat == "ull" || of_dat == "bool";
  switch (type_class(type, letters)) {
    case 'r':
      return whole ? "double" : own;
    case 'i':
      return whole ? own : "int";
    case 'l':
      return of_dat == "int" || of_dat == "bool" ? own : "int";
    default:
      return own;
  }
}

// Columns count from 1; -k means the first k.
int column(int idx) { return idx >= 0 ? idx - 1 : idx; }

// Whether the map has what is asked for; in Fortran's numbers, which the library's own message would not have.
bool has_column(const char *call, int idx, op_map map, bool vectors) {
  const int dim = op_map_dim(map);
  if (dim < 1 || (idx >= 1 && idx <= dim) || (vectors && idx <= -2 && idx >= -dim)) return true;
  raise_argument(OP_ERR_RANGE, call,
                 "column " + std::to_string(idx) + " of map '" + op_map_name(map) +
                     "' is asked for; its columns are 1 to " + std::to_string(dim) +
                     (vectors && dim > 1 ? ", and a vector argument is -2 to -" + std::to_string(dim) : ""));
  return false;
}

} // namespace

extern "C" {

void op2f_arg_dat(op_arg *arg, int opt, op_dat dat, int idx, op_map map, int dim, const char *type, int length,
                  int access) {
  const bool same = map && op_map_dim(map) == 0;
  if (opt && map) has_column("op_arg_dat", idx, map, true);
  op_arg_dat_to(arg, opt, dat, map ? column(idx) : idx, same ? nullptr : map, dim,
                opt ? type_for(dat, type, length) : "double", access_of(access));
}

// The map by its array; NULL: OP_ID.
void op2f_arg_dat_array(op_arg *arg, int opt, op_dat dat, int idx, const int *map, int dim, const char *type,
                        int length, int access) {
  op_map known = nullptr;
  if (map && !(known = map_of(map)) && opt)
    raise_argument(OP_ERR_ARGUMENT, "op_arg_dat",
                   "no map was declared from this array; pass the op_map, or OP_ID with idx -1");
  // An unknown map must not pass for OP_ID, should the program go on.
  op2f_arg_dat(arg, opt, dat, map && !known ? -2 : idx, known, dim, type, length, access);
}

void op2f_arg_array(op_arg *arg, int opt, const void *data, int idx, const int *map, int dim, const char *type,
                    int length, int access) {
  const op_dat dat = dat_of(data);
  if (!dat && opt)
    raise_argument(OP_ERR_ARGUMENT, "op_arg_dat", "no dat was declared from this array; pass the op_dat");
  op2f_arg_dat_array(arg, opt, dat, idx, map, dim, type, length, access);
}

// count: values there are; -1: not known, -2: not one after another.
void op2f_arg_gbl(op_arg *arg, int opt, void *data, int dim, const char *type, long long count, int access) {
  void *variable = data;
  if (opt && count == -2) {
    raise_argument(OP_ERR_ARGUMENT, "op_arg_gbl", "the array is not contiguous; pass a whole array or a copy");
    variable = nullptr;
  } else if (opt && count >= 0 && dim > count) {
    raise_argument(OP_ERR_DIM, "op_arg_gbl",
                   "dim is " + std::to_string(dim) + ", but the array has " + std::to_string(count) + " values");
    variable = nullptr;
  }
  op_arg_gbl_to(arg, variable, dim, type, 0, access_of(access));
  if (!opt) arg->opt = 0;
}

void op2f_arg_info(op_arg *arg, void *data, int dim, const char *type, long long count, int ref) {
  void *variable = data;
  if (count == -2 || (count >= 0 && dim > count)) {
    raise_argument(OP_ERR_ARGUMENT, "op_arg_payload",
                   "the array is not contiguous or has less than " + std::to_string(dim) + " values");
    variable = nullptr;
  }
  op_arg_payload_to(arg, variable, dim, type, 0, ref - 1);
}

void op2f_arg_idx(op_arg *arg, int idx, op_map map) {
  if (map) has_column("op_arg_idx", idx, map, false);
  op_arg_idx_based_to(arg, map ? column(idx) : idx, map, 1);
}

void op2f_arg_idx_array(op_arg *arg, int idx, const int *map) {
  op_map known = nullptr;
  if (map && !(known = map_of(map)))
    raise_argument(OP_ERR_ARGUMENT, "op_arg_idx",
                   "no map was declared from this array; pass the op_map, or OP_ID with idx -1");
  op2f_arg_idx(arg, map && !known ? -2 : idx, known);
}

} // extern "C"

// SPDX-License-Identifier: MIT
