/* Arrays of a program that does not use libop2. */
extern int ncell, *left, *right;
extern double *u;

void fragment(void);
void fragment(void) {
  block
}

/* SPDX-License-Identifier: MIT */
