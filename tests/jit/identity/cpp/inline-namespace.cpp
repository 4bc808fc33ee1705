// The version in the inline namespace is meant; the old one is first in the text.
#include <row.hpp>
namespace flow {
namespace v1 {
void limited(const double *x, double *y) { *y = *x; }
} // namespace v1
inline namespace v2 {
void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 5 : *x; }
} // namespace v2
} // namespace flow
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(flow::limited, "limited", row::cells, ROW_ARGS);
  row::compare("inline namespace", flow::limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
