// Two loops of one name on one line, and a line number that is not the file's.
#include <row.hpp>
namespace a {
void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 2 : *x; }
} // namespace a
namespace b {
void limited(const double *x, double *y) { *y = *x > 5 && *x < 10 ? 3 : *x; }
} // namespace b
// clang-format off
void both() { { using a::limited; op_par_loop(limited, "limited", row::cells, ROW_ARGS); row::compare("first", limited); } { using b::limited; op_par_loop(limited, "limited", row::cells, ROW_ARGS); row::compare("second", limited); } }
// clang-format on
int main(int argc, char **argv) {
  row::start(argc, argv);
  both();
#line 5 "another.cpp"
  op_par_loop(b::limited, "limited", row::cells, ROW_ARGS);
  row::compare("#line", b::limited);
#line 5 "another.cpp"
  op_par_loop(a::limited, "limited", row::cells, ROW_ARGS);
  row::compare("the same #line", a::limited);
  return row::finish();
}

// SPDX-License-Identifier: MIT
