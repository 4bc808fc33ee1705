#include "loop/until/dependence.hpp"

#include "base/error.hpp"

namespace op2::core {

DependenceTest::DependenceTest(const LoopSignature &what) : what_(what), numbers_(what.set), touched_(what) {}

void DependenceTest::begin() {
  writer_.clear();
  for (const Dat *const dat : touched_.dats()) writer_.emplace_back(static_cast<std::size_t>(dat->on().rows()), -1);
}

void DependenceTest::element(int n) {
  const auto writer = [&](const TouchedRows::Touch &touch) -> int & {
    return writer_[touch.dat][static_cast<std::size_t>(touch.row)];
  };
  touched_.of(n, [&](const TouchedRows::Touch &touch) {
    const bool reads = touch.access == OP_READ || touch.access == OP_RW;
    if (reads && writer(touch) >= 0) report(n, touch, writer(touch));
  });
  touched_.of(n, [&](const TouchedRows::Touch &touch) {
    if (writes_new(touch.access)) writer(touch) = n;
  });
}

void DependenceTest::report(int n, const TouchedRows::Touch &touch, int writer) const {
  const Dat &dat = *what_.args[touch.arg].dat;
  std::size_t by = 0;
  touched_.of(writer, [&](const TouchedRows::Touch &other) {
    if (other.dat == touch.dat && other.row == touch.row && writes_new(other.access)) by = other.arg;
  });
  Error error(OP_ERR_CHECK,
              text("the elements depend on each other: element ", numbers_.of(n), " of set '", what_.set.label,
                   "' reads row ", ElementNumbers(dat.on()).of(touch.row), " of dat '", dat.label, "', which element ",
                   numbers_.of(writer), " before it has written through argument ", by,
                   ". op_par_loop_until() runs them at the same time; read from a dat that this loop does not change, "
                   "or set OP2_UNTIL=ordered [check: order]"));
  error.arg = static_cast<int>(touch.arg);
  throw error;
}

} // namespace op2::core
