// Constants: kernels read the program's own variables; the library is told their values.
#include "op2/user_types.h"
#include "suite.hpp"

namespace conformance {

using Constants = Topic;

double gam = 1.4;
double qinf[4] = {1, 2, 3, 4};
int order = 3;
struct Gas {
  double gamma;
  int atoms, kind;
};
Gas gas = {1.25, 2, 7};
double growing[4] = {2, 1, 8, 16};

TEST_F(Constants, DeclaredAndRedeclared) {
  compare([](Outcome &out) {
    gam = 1.5, order = 3, qinf[2] = 3;
    gas = {1.25, 2, 7};
    const op_set cells = declare_set(20000, "cells");
    const op_dat dx = declare_dat(cells, 1, std::vector<double>(20000), "x");
    std::vector<double> x(20000);
    for (int step = 0; step < 3; ++step) {
      EXPECT_OK(op_decl_const(1, "double", &gam));
      EXPECT_OK(op_decl_const(4, "double", qinf));
      EXPECT_OK(op_decl_const_named("order", 1, "int", &order));
      EXPECT_OK(op_decl_const_char(1, "gas", sizeof gas, reinterpret_cast<const char *>(&gas), "gas"));
      run([](double *p) { *p += gam * qinf[2] + order * gas.gamma + gas.atoms; }, "use", cells, direct(dx, OP_INC));
      for (double &value : x) value += gam * qinf[2] + order * gas.gamma + gas.atoms;
      gam += 0.25, qinf[2] *= 2, order -= 1, gas.gamma *= 2, gas.atoms += 1;
    }
    out.same("x", fetch<double>(dx), x);
  });
}

// Loops that are prepared already get it in its new shape.
TEST_F(Constants, AnArrayThatGrows) {
  compare([](Outcome &out) {
    growing[0] = 2;
    const op_set cells = declare_set(20000, "cells");
    const op_dat dx = declare_dat(cells, 1, std::vector<double>(20000), "x");
    std::vector<double> x(20000);
    for (const int dim : {2, 4, 3}) {
      EXPECT_OK(op_decl_const_named("growing", dim, "double", growing));
      run([](double *p) { *p += growing[0] + growing[1]; }, "add", cells, direct(dx, OP_INC));
      for (double &value : x) value += growing[0] + growing[1];
      growing[0] += dim;
    }
    out.same("x", fetch<double>(dx), x);
  });
}

// The value is copied: what the variable holds later counts only once it is declared again. On CPUs kernels read the
// variable itself, so all that can be seen here is that the array may go at once.
TEST_F(Constants, ArraysMayGo) {
  const Session session;
  std::vector<double> table = reals(1000, 180);
  EXPECT_OK(op_decl_const_named("table", 1000, "double", table.data()));
  table = {};
  EXPECT_OK(op_decl_const_named("table", 1, "float", std::vector<float>{1}.data())); // also in another shape
}

TEST_F(Constants, MisuseIsRefused) {
  const Session session;
  double value = 1;
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_decl_const_named(nullptr, 1, "double", &value));
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_decl_const_named("value", 1, "double", nullptr));
  EXPECT_STATUS(OP_ERR_TYPE, op_decl_const_named("value", 1, "quadruple", &value));
  EXPECT_STATUS(OP_ERR_TYPE, op_decl_const_named("value", 1, nullptr, &value));
}

} // namespace conformance

// SPDX-License-Identifier: MIT
