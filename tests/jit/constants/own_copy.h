static double gam = 1.5;

/* SPDX-License-Identifier: MIT */
