int undeclared(int v);
int undeclared(int v) { return v * 2; }

/* SPDX-License-Identifier: MIT */
