#include "extern.h"
#include "bench.hpp"
void flux(const double *x, double *y) { *y = gam * *x; }
void in_namespace(const double *x, double *y) { *y = gas::ratio * *x; }
void of_class(const double *x, double *y) { *y = gas::state::far * *x; }
void loops(Bench &bench, double value) {
  LOOP(flux, "flux", bench);
  bench.want("flux", value);
  LOOP(in_namespace, "in_namespace", bench);
  bench.want("in_namespace", value);
  LOOP(of_class, "of_class", bench);
  bench.want("of_class", value);
}

// SPDX-License-Identifier: MIT
