// A using directive brings the helper in; a namespace that is not named has one of the same name.
#include <row.hpp>
namespace first_order {
double limit(double x) { return x; }
} // namespace first_order
namespace second_order {
double limit(double x) { return x > 5 && x < 10 ? 5 : x; }
} // namespace second_order
namespace flow {
using namespace second_order;
void limited(const double *x, double *y) { *y = limit(*x); }
} // namespace flow
int main(int argc, char **argv) {
  row::start(argc, argv);
  using namespace flow;
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("using directive", limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
