// The run-time dependence test of executor check: a loop that stops early runs its elements at the same time, so none
// may read what an earlier element has written. After the LRPD test (Rauchwerger, Padua: The LRPD Test, PLDI 1995),
// with rows in place of array elements and what the arguments declare in place of the accesses.
#pragma once

#include <vector>

#include "loop/reduce/ordered_reduce.hpp"
#include "loop/until/reached_rows.hpp"

namespace op2::core {

class DependenceTest {
 public:
  explicit DependenceTest(const LoopSignature &what);
  void begin() { writer_.clear(); }
  // Before the element runs, in the program's order. Throws OP_ERR_CHECK, which names the two elements and the row.
  void element(int n);

 private:
  [[noreturn]] void report(int n, std::size_t which, int writer) const;

  const LoopSignature &what_;
  const ElementNumbers numbers_;
  const std::vector<ReachedRow> rows_;
  RowNotes writer_; // the last element that has written the row
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
