// Dividing and ordering the mesh, and the timer of the parts of a program: OP2's meaning of them is that of its
// headers.
#include <initializer_list>
#include <string>

#include "glue.hpp"
#include "op2/compat/op_profile.h"

static int OP_is_partitioned; // of OP2's headers
#include "op2/compat/cpp/mesh.hpp"

using namespace op2::fortran;

extern "C" {

void op2f_partition(const char *library, const char *routine, op_set set, op_map map, op_dat coordinates) {
  op2::compat::divide(library, routine, set, map, coordinates);
}

void op2f_partition2(const char *library, const char *routine, op_set set, const void *map, const void *coordinates) {
  const op_map known = map_of(map);
  const op_dat data = dat_of(coordinates);
  if (!known && map) return raise(OP_ERR_ARGUMENT, "op_partition2", "no map was declared from this array");
  op2::compat::divide(library, routine, set, known, data);
}

int op2f_repartition(op_dat weights, op_dat coordinates, int always) {
  op_repartition_result result{};
  op_repartition_params params = OP_REPARTITION_PARAMS;
  params.weights = weights;
  params.coordinates = coordinates;
  params.always = always;
  params.result = &result;
  op_repartition(&params);
  return result.moved;
}

void op2f_renumber(op_map base) { op2::compat::renumber(base); }

void op2f_profile(int what, const char *name) {
  op2::compat::profile &profile = op2::compat::profile::instance();
  switch (what) {
    case 0:
      return profile.start(name);
    case 1:
      return profile.enter(name);
    case 2:
      return profile.next(name);
    case 3:
      return profile.exit();
    case 4:
      return profile.end();
    case 5:
      return profile.print();
    default:
      if (!profile.write(name)) raise(OP_ERR_FILE, "op_profile_output_json", std::string("cannot write ") + name);
  }
}

void op2f_profile_kernel(const char *name, const char *target, const char *variant) {
  op_profile_enter_kernel(name, target, variant);
}

} // extern "C"

// SPDX-License-Identifier: MIT
