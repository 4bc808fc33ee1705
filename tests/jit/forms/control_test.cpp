// Branches, loops, functions and constants in kernels.
#include "control_kernels.h"
#include "lab.hpp"

double c_scale = 1, c_array[3] = {1, 2, 3}, c_one[1] = {2.5};
int c_kind = 3;
float c_single = 0.1f;

namespace forms {

using Control = Forms;

TEST_F(Control, OfBranches) {
  everywhere(Reach::wide, [](Results &results) {
    const op_set cells = op_decl_set(1003, "cells"), nodes = op_decl_set(30, "nodes");
    const op_map map = op_decl_map(cells, nodes, 1, random_table(1003, 1, 30, 1).data(), "map");
    const op_dat x = dat<double>(cells, 2, numbers<double>(2006, 2), "x"),
                 i = dat<int>(cells, 1, numbers<int>(1003, 3), "i"), out = zeros<double>(cells, 2, "out"),
                 which = zeros<int>(cells, 2, "which");
    FORMS_RUN(branches, "branches", cells, direct(x, OP_READ), direct(i, OP_READ), direct(out, OP_WRITE),
              direct(which, OP_WRITE));
    results.form("branches", Form::vector8);
    results.same("branches out", fetch<double>(out));
    results.same("branches which", fetch<int>(which));
    const op_dat y = zeros<double>(nodes, 2, "y");
    FORMS_RUN(returns_early, "returns_early", cells, direct(x, OP_READ), direct(out, OP_RW), through(map, 0, y, OP_INC));
    results.form("returns_early", Form::vector8);
    results.same("returns_early out", fetch<double>(out));
    results.sums("returns_early y", fetch<double>(y), std::vector<double>(60, 100.0));
    const op_dat root = zeros<double>(cells, 1, "root"), steps = zeros<int>(cells, 1, "steps");
    FORMS_RUN(iterates, "iterates", cells, direct(x, OP_READ), direct(root, OP_WRITE), direct(steps, OP_WRITE));
    results.form("iterates", Form::vector8);
    results.same("iterates root", fetch<double>(root));
    results.same("iterates steps", fetch<int>(steps));
  });
}

TEST_F(Control, OfIntegersAndFloats) {
  everywhere(Reach::wide, [](Results &results) {
    const op_set cells = op_decl_set(517, "cells");
    std::vector<int> va = numbers<int>(517, 4), vb(517);
    Random random(5);
    for (int &b : vb) b = random.below(7) - 3;
    va[3] = std::numeric_limits<int>::min();
    vb[3] = 0;
    const op_dat a = dat<int>(cells, 1, va, "a"), b = dat<int>(cells, 1, vb, "b"), out = zeros<int>(cells, 2, "out"),
                 u = zeros<unsigned>(cells, 2, "u");
    FORMS_RUN(divides, "divides", cells, direct(a, OP_READ), direct(b, OP_READ), direct(out, OP_WRITE),
              direct(u, OP_WRITE));
    results.form("divides", Form::vector4);
    results.same("divides", fetch<int>(out));
    results.same("divides u", fetch<unsigned>(u));
    const op_dat x = dat<float>(cells, 2, numbers<float>(2 * 517, 6), "x"), y = zeros<float>(cells, 4, "y");
    FORMS_RUN(floats, "floats", cells, direct(x, OP_READ), direct(a, OP_READ), direct(y, OP_WRITE));
    results.form("floats", Form::vector8); // 0.1 is a double
    results.same("floats", fetch<float>(y));
  });
}

TEST_F(Control, OfFunctions) {
  everywhere(Reach::wide, [](Results &results) {
    const op_set cells = op_decl_set(1003, "cells");
    const op_dat x = dat<double>(cells, 2, numbers<double>(2006, 7, -9, 9), "x"), out = zeros<double>(cells, 4, "out");
    FORMS_RUN(functions, "functions", cells, direct(x, OP_READ), direct(out, OP_WRITE));
    results.form("functions", Form::vector8);
    results.same("functions", fetch<double>(out));
  });
}

TEST_F(Control, OfSpecialValues) {
  everywhere(Reach::wide, [](Results &results) {
    const op_set cells = op_decl_set(1003, "cells");
    const op_dat x = dat<double>(cells, 2, special_numbers<double>(2006, 8), "x"), out = zeros<double>(cells, 5, "out"),
                 class_of = zeros<int>(cells, 1, "class");
    FORMS_RUN(on_special, "on_special", cells, direct(x, OP_READ), direct(out, OP_RW), direct(class_of, OP_WRITE));
    results.form("on_special", Form::vector8);
    results.same("on_special", fetch<double>(out));
    results.same("on_special class", fetch<int>(class_of));
  });
}

// Constants have the values of their last declaration, in loops that have run before as well. The program's variables
// are changed with them: its own code reads these.
TEST_F(Control, ByConstants) {
  everywhere(Reach::native, [](Results &results) {
    const op_set cells = op_decl_set(300, "cells");
    const op_dat x = dat<double>(cells, 1, numbers<double>(300, 9), "x"), out = zeros<double>(cells, 2, "out"),
                 one = zeros<double>(cells, 1, "one");
    c_scale = 1;
    c_kind = 3;
    c_array[2] = 3;
    op_decl_const(1, "double", &c_scale);
    op_decl_const(3, "double", c_array);
    op_decl_const(1, "int", &c_kind);
    op_decl_const(1, "float", &c_single);
    const auto run = [&](const char *when) {
      FORMS_RUN(with_constants, "with_constants", cells, direct(x, OP_READ), direct(out, OP_WRITE));
      results.same(when, fetch<double>(out));
      FORMS_RUN(with_a_loop_over_a_constant, "over_a_constant", cells, direct(x, OP_READ), direct(one, OP_WRITE));
      results.same(when, fetch<double>(one));
    };
    run("at first");
    c_scale = -7.25;
    op_decl_const(1, "double", &c_scale);
    c_array[2] = 1e5;
    op_decl_const(3, "double", c_array);
    run("with other values");
    c_kind = 2;
    op_decl_const(1, "int", &c_kind);
    run("of another kind");
    results.form("with_constants", Form::vector8);
    results.form("over_a_constant", Form::vector8);
  });
}

TEST_F(Control, ByConstantsThatAreArraysOfOne) {
  everywhere(Reach::native, [](Results &results) {
    const op_set cells = op_decl_set(300, "cells");
    const op_dat x = dat<double>(cells, 1, numbers<double>(300, 9), "x"), out = zeros<double>(cells, 1, "out");
    op_decl_const(1, "double", c_one);
    FORMS_RUN(with_an_array_of_one, "array_of_one", cells, direct(x, OP_READ), direct(out, OP_WRITE));
    results.form("array_of_one", Form::vector8);
    results.same("array_of_one", fetch<double>(out));
  });
}

} // namespace forms

// SPDX-License-Identifier: MIT
