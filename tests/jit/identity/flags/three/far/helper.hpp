inline double limit(double x) { return x > 5 && x < 10 ? 5 : x; }

// SPDX-License-Identifier: MIT
