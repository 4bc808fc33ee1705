// Two files with static kernels, helpers and constants of the same names; each declares its constant.
#include <row.hpp>
void first_declare();
void first_step();
void second_declare();
void second_step();
int main(int argc, char **argv) {
  row::start(argc, argv);
  first_declare();
  first_step();
  second_declare();
  second_step();
  first_step();
  return row::finish();
}

// SPDX-License-Identifier: MIT
