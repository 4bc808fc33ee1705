// Comments that go on behind a backslash, raw strings that look like code, digraphs, and a function in a comment.
#include <row.hpp>
/* void limited(const double *x, double *y) { *y = *x; } */
const char *const story = R"(
void limited(const double *x, double *y) { *y = *x; }
)";
void limited(const double *x, double *y) <%
  double most = 5; // the next line is no code \
  most = 20;
  const int table<:2:> = <%0, '"'%>; // "
  const char quote = '\''; /* ' */
  *y = (*x > most and *x < 10 ? most : *x) + table<:1:> + quote;
%>
int main(int argc, char **argv) {
  row::start(argc, argv);
  op_par_loop(limited, "limited", row::cells, ROW_ARGS);
  row::compare("odd text", limited);
  return row::finish() + (story[0] != '\n');
}

// SPDX-License-Identifier: MIT
