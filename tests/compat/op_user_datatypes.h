// op_user_datatypes.h: types of the program's own, where OP2's headers look for them.
struct user_pair {
  double a;
  int b;
};
inline int type_error(const user_pair *, const char *type) { return strcmp(type, "user_pair"); }

/* SPDX-License-Identifier: MIT */
