// The rows that an element of a loop writes, and a slot of memory for each element: it holds private copies of these
// rows until they are committed, or what they were before the element wrote them in place.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "loop/until/reached_rows.hpp"

namespace op2::core {

class WrittenRows {
 public:
  // The signature must outlive the object.
  explicit WrittenRows(const LoopSignature &what);
  std::size_t bytes() const { return bytes_; } // of a slot
  // Why no element can run on private copies; "" = it can.
  std::string why_not_private() const;

  // Fills the slot and points the arguments there: increments begin at 0 (at -0.0, so that the sum has their bits),
  // other rows with the present values.
  void make_private(char *slot, int element, std::span<op_range_arg> args) const;
  // To be called element by element, in the program's order.
  void commit(const char *slot, int element) const;

  // For elements that write in place. restore(): in the opposite order.
  void save(char *slot, int element) const;
  void restore(const char *slot, int element) const;

  struct Row : ReachedRow {
    std::size_t offset; // in the slot
    // Adds an increment, which the private row holds, to a row of `dim` values; NULL: the private row replaces it.
    void (*add)(char *row, const char *increment, int dim);
  };
  std::span<const Row> rows() const { return rows_; }

 private:
  std::vector<Row> rows_;
  std::size_t bytes_ = 0;
  std::vector<char> no_increments_; // a slot
};

// What increments of a type begin with, for `dim` values: the number that changes no sum.
void put_no_increment(const ElementType &type, int dim, char *values);

} // namespace op2::core
// SPDX-License-Identifier: MIT
