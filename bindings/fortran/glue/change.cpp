// Rows of maps and parents of elements, from arrays of Fortran, which count from 1.
#include "op2/change.h"

#include <limits>
#include <string>
#include <vector>

#include "glue.hpp"
#include "op2/inspect.h"

using namespace op2::fortran;

namespace {

std::vector<op_gindex> from_zero(const long long *numbers, long long count) {
  std::vector<op_gindex> out(numbers, numbers + count);
  for (op_gindex &number : out) --number;
  return out;
}

std::string many(long long count, const char *what) { return std::to_string(count) + " " + what; }

} // namespace

extern "C" {

void op2f_put_map_rows(op_map map, long long count, const long long *elements, long long width, long long rows,
                       const long long *entries) {
  const char *const call = "op_put_map_rows";
  const int dim = op_map_dim(map); // which has reported its error
  if (dim < 0) return;
  if (count > std::numeric_limits<op_index>::max())
    return raise(OP_ERR_RANGE, call, "a process passes at most 2147483647 rows at once");
  if (count != rows || (width != dim && count > 0))
    return raise(OP_ERR_DIM, call,
                 "map '" + std::string(op_map_name(map)) + "' needs entries of the shape (" + std::to_string(dim) +
                     ", " + std::to_string(count) + "), not (" + std::to_string(width) + ", " + std::to_string(rows) +
                     ")");
  op_put_map_rows(map, static_cast<op_index>(count), from_zero(elements, count).data(), entries);
}

// weighted: the number of weights, -1: none.
void op2f_carry(op_dat from, op_dat to, long long count, const long long *parents, int sums, long long weighted,
                const double *weights) {
  const char *const call = sums ? "op_carry_sums" : "op_carry";
  const op_set set = op_dat_set(to);
  if (!set) return;
  const long long declared = op_get_size_declared(set);
  if (count != declared)
    return raise(OP_ERR_DIM, call,
                 many(declared, "parents are needed for dat '") + op_dat_name(to) + "', not " + std::to_string(count));
  if (weighted >= 0 && weighted != count)
    return raise(OP_ERR_DIM, call, many(count, "weights are needed, not ") + std::to_string(weighted));
  op_carry(from, to, from_zero(parents, count).data(), sums ? OP_CARRY_SUMS : OP_CARRY_VALUES,
           weighted >= 0 ? weights : nullptr, nullptr);
}

} // extern "C"
// SPDX-License-Identifier: MIT
