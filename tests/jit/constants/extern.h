extern double gam;
namespace gas {
extern double ratio;
struct state {
  static double far;
};
}

/* SPDX-License-Identifier: MIT */
