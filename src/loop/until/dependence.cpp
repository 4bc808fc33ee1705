#include "loop/until/dependence.hpp"

#include "base/error.hpp"

namespace op2::core {

DependenceTest::DependenceTest(const LoopSignature &what)
    : what_(what), numbers_(what.set), rows_(rows_of_written_dats(what)), writer_(rows_) {}

void DependenceTest::element(int n) {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const bool reads = rows_[i].of->access == OP_READ || rows_[i].of->access == OP_RW;
    if (const int writer = writer_(i, rows_[i].row(n)); reads && writer >= 0) report(n, i, writer);
  }
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (writes_new(rows_[i].of->access)) writer_(i, rows_[i].row(n)) = n;
}

void DependenceTest::report(int n, std::size_t which, int writer) const {
  const Dat &dat = *rows_[which].of->dat;
  const int row = rows_[which].row(n);
  const auto wrote = [&](const ReachedRow &by) {
    return by.of->dat == &dat && writes_new(by.of->access) && by.row(writer) == row;
  };
  Error error(
      OP_ERR_CHECK,
      text("the elements depend on each other: element ", numbers_.of(n), " of set '", what_.set.label, "' reads row ",
           ElementNumbers(dat.on()).of(row), " of dat '", dat.label, "', which element ", numbers_.of(writer),
           " before it has written through argument ", std::ranges::find_if(rows_, wrote)->arg,
           ". op_par_loop_until() runs them at the same time; read from a dat that this loop does not change, "
           "or set OP2_UNTIL=ordered [check: order]"));
  error.arg = static_cast<int>(rows_[which].arg);
  throw error;
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
