// Values of new particles, from arrays of Fortran.
#include <limits>
#include <vector>

#include "glue.hpp"
#include "op2/inspect.h"
#include "op2/particles.h"

using namespace op2::fortran;

namespace {

// op_particle_values of the module. count: values in the array, -1: it is not contiguous.
struct Values {
  op_dat dat;
  const void *array;
  const char *type;
  long long count;
};

constexpr char call[] = "op_add_particles";

// Whether the array has so many rows of the dat. What is no dat of particles is left to the library, which says so.
bool fits(const Values &values, long long particles) {
  const char *const type = values.dat ? op_dat_type(values.dat) : "";
  if (!type) return false;
  if (!values.dat) return true;
  const std::string dat = std::string("dat '") + op_dat_name(values.dat) + "'";
  const long long needed = particles * op_dat_dim(values.dat);
  if (values.count < 0)
    raise(OP_ERR_ARGUMENT, call, "the array for " + dat + " is not contiguous; pass a whole array or a copy");
  else if (std::string(type) != values.type)
    raise(OP_ERR_TYPE, call, dat + " has type " + type + ", the array " + values.type);
  else if (values.count != needed)
    raise(OP_ERR_DIM, call,
          std::to_string(particles) + " new particles need " + std::to_string(needed) + " values of " + dat +
              ", but the array has " + std::to_string(values.count));
  else
    return true;
  return false;
}

} // namespace

extern "C" void op2f_add_particles(op_set particles, long long count, const op_gindex *cells, int dats,
                                   const Values *values) {
  if (count > std::numeric_limits<op_index>::max())
    return raise(OP_ERR_RANGE, call, "a process adds at most 2147483647 particles at once");
  std::vector<op_particle_values> given;
  for (int i = 0; i < dats; ++i) {
    if (!fits(values[i], count)) return;
    given.push_back({values[i].dat, values[i].array});
  }
  op_add_particles(particles, static_cast<op_index>(count), cells, dats, given.data());
}

// SPDX-License-Identifier: MIT
