// Values by type: copies, comparisons, and initial values of trials.
#pragma once

#include <cstring>
#include <string>
#include <utility>

#include "exec_check.hpp"

namespace op2::exec_check {

// Rows are short: if the compiler knows their length, a copy is an instruction or two.
inline void copy_row(char *to, const char *from, std::size_t bytes) {
  switch (bytes) {
    case 4:
      std::memcpy(to, from, 4);
      break;
    case 8:
      std::memcpy(to, from, 8);
      break;
    case 16:
      std::memcpy(to, from, 16);
      break;
    case 32:
      std::memcpy(to, from, 32);
      break;
    default:
      std::memcpy(to, from, bytes);
  }
}

inline bool same_row(const char *a, const char *b, std::size_t bytes) {
  if (bytes % sizeof(std::uint64_t) != 0) return std::memcmp(a, b, bytes) == 0;
  std::uint64_t different = 0;
  for (std::size_t i = 0; i < bytes; i += sizeof(std::uint64_t)) {
    std::uint64_t x, y;
    std::memcpy(&x, a + i, sizeof x);
    std::memcpy(&y, b + i, sizeof y);
    different |= x ^ y;
  }
  return different == 0;
}

// Whether all values are finite. Products with zero are zero for finite numbers only.
inline bool all_finite(const Slot &slot, const char *row) {
  if (slot.type == OP_TYPE_DOUBLE) {
    double sum = 0;
    for (std::size_t i = 0; i < slot.bytes; i += sizeof(double)) {
      double x;
      std::memcpy(&x, row + i, sizeof x);
      sum += x * 0.0;
    }
    return sum == 0;
  }
  if (slot.type == OP_TYPE_FLOAT) {
    float sum = 0;
    for (std::size_t i = 0; i < slot.bytes; i += sizeof(float)) {
      float x;
      std::memcpy(&x, row + i, sizeof x);
      sum += x * 0.0f;
    }
    return sum == 0;
  }
  return true;
}

// The distance between the initial values of two runs of a kernel that adds.
enum class Starts { close, far };
// Another initial value for `add` slots.
void shifted(const Slot &slot, Starts starts, const char *in, const char *out, char *other);
// The first component where out2 - out1 = in2 - in1 fails by more than rounding, or -1.
int not_added(const Slot &slot, Starts starts, const char *in1, const char *out1, const char *in2, const char *out2);
// A value that beats `out` in a MIN or MAX, so that no kernel may change it. If `in` and `out` are truth values, so is
// it.
void beaten(const Slot &slot, const char *in, const char *out, char *other);
// First component with different bits, or -1.
int first_difference(const Slot &slot, const char *a, const char *b);
// First component that is NaN or infinite but finite in `before` (NULL: not compared), or -1.
int first_wild(const Slot &slot, const char *now, const char *before);
void fill_poison(const Slot &slot, int variant, char *row);
constexpr int poison_variants = 4;
bool is_real(op_type_id type);
double value_of(const Slot &slot, const char *row, int component); // as a real number; 0 for user types
double rounding(op_type_id type);                                  // unit roundoff times two; 0 for whole numbers
std::string print(const Slot &slot, const char *row, int component);
// Two values that differ, with enough digits to show the difference.
std::pair<std::string, std::string> print_both(const Slot &slot, const char *a, const char *b, int component);

} // namespace op2::exec_check

// SPDX-License-Identifier: MIT
