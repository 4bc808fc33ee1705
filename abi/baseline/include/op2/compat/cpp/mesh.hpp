// mesh.hpp: declarations and partitioning functions whose meaning in OP2 differs from that in the library.
#ifndef OP2_COMPAT_CPP_MESH_HPP
#define OP2_COMPAT_CPP_MESH_HPP

#include <string>
#include <vector>

#include "op2/fortran_support.h"
#include "op2/inspect.h"
#include "op2/order.h"
#include "op2/partition.h"
#include "op2/user_types.h"

namespace op2 {
namespace compat {

// The size of a built-in type, 0 for others.
inline int size_of_type(const char *type) {
  op_arg probe;
  int value = 0;
  op_arg_gbl_to(&probe, &value, 1, type, 0, OP_READ);
  return probe.size;
}

// Some programs pass the size of another type; the name decides.
inline op_dat declare_temporary(op_set set, int dim, const char *type, int type_size, const char *name) {
  const int known = size_of_type(type);
  return (op_decl_dat_temp_char)(set, dim, type, known > 0 ? known : type_size, name);
}

// 1: freed, -1: not found.
inline int free_temporary(op_dat dat) { return dat != NULL && (op_free_dat_temp)(dat) == OP_OK ? 1 : -1; }

inline std::string upper(const char *text) {
  std::string out = text == NULL ? "" : text;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (out[i] >= 'a' && out[i] <= 'z') out[i] = static_cast<char>(out[i] - 'a' + 'A');
  return out;
}

inline bool is_one_of(const std::string &word, std::initializer_list<const char *> words) {
  for (const char *one : words)
    if (word == one) return true;
  return false;
}

// Translates a request of OP2 into one of the library: partitioners that the library does not have, unknown routines,
// and calls without the map or the coordinates that the routine needs.
inline op_status divide(const char *library, const char *routine, op_set set, op_map map, op_dat coordinates) {
  std::string by = upper(library), how = upper(routine);
  const bool graph = is_one_of(by, {"PTSCOTCH", "PARMETIS", "KAHIP"});
  if (by == "KAHIP") by = "PTSCOTCH";
  if (graph && how != "KWAY" && how != "GEOMKWAY" && how != "GEOM") how = "KWAY";
  if (graph && how != "KWAY" && coordinates == NULL) how = "KWAY";
  if (graph && how == "GEOMKWAY" && map == NULL) how = "GEOM";
  if (graph && how == "KWAY" && map == NULL && coordinates != NULL) how = "GEOM";
  if (graph && how == "GEOM") {
    by = "GEOM";
    how = "";
  }
  if (graph && by == "PTSCOTCH") how = "KWAY";
  const bool by_place = is_one_of(by, {"GEOM", "RCB", "HILBERT", "INERTIAL", "EXTERNAL"});
  if (by_place && coordinates == NULL) by = "BLOCK";
  if (by == "RANDOM" && set == NULL) by = "BLOCK";
  if (graph && map == NULL && coordinates == NULL) by = "BLOCK";
  if (!graph && !by_place && !is_one_of(by, {"RANDOM", "AUTO"})) by = "BLOCK";
  if (by == "BLOCK") {
    how = "";
    set = NULL;
    map = NULL;
    coordinates = NULL;
  }
  const op_status status = (op_partition)(by.c_str(), how.c_str(), set, map, coordinates);
  if (status == OP_OK) OP_is_partitioned = 1;
  return status;
}

// A map with one column defines no neighbours; OP2 does nothing then.
inline op_status renumber(op_map base) { return base != NULL && op_map_dim(base) < 2 ? OP_OK : (op_renumber)(base); }

} // namespace compat
} // namespace op2

#define op_decl_dat_temp_char(set, dim, type, type_size, name) \
  (::op2::compat::declare_temporary((set), (dim), (type), (type_size), (name)))
#define op_free_dat_temp(dat) (::op2::compat::free_temporary(dat))
#define op_partition(library, routine, set, map, coordinates) \
  (::op2::compat::divide((library), (routine), (set), (map), (coordinates)))
#define op_renumber(base) (::op2::compat::renumber(base))

inline int op_free_dat_temp_char(op_dat dat) { return op_free_dat_temp(dat); }

// Programs without partitioning call this instead: the mesh is divided into blocks.
inline void op_halo_create() {
  if (!op_is_partitioned()) op_partition("", "", NULL, NULL, NULL);
}
inline void op_halo_permap_create() {} // the library decides itself where it is profitable
inline void op_halo_destroy() {}       // op_exit() does it
inline void op_partition_destroy() {}  // op_exit() does it

// Moves all rows back to the processes that declared them, in the order of the declaration. Collective.
inline void op_partition_reverse() {
  if (!op_is_partitioned()) return;
  const std::vector<double> equal(static_cast<std::size_t>(op_comm_size()), 1.0); // not OP2_PARTITION_WEIGHTS
  op_partition_params params = OP_PARTITION_PARAMS;
  params.library = "BLOCK";
  params.shares = equal.data();
  params.nshares = op_comm_size();
  op_partition_with(&params);
}

#endif

// SPDX-License-Identifier: MIT
