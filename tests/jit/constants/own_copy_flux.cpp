#include "bench.hpp"
#include "own_copy.h"
static void flux(const double *x, double *y) { *y = gam * *x; }
void loop_flux(Bench &bench) { LOOP(flux, "flux", bench); }

// SPDX-License-Identifier: MIT
