const double most = 5;

/* SPDX-License-Identifier: MIT */
