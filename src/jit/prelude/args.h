// args.h: the arguments of a range function, as libop2 passes them (op2/loop.h). First part of every generated file.
extern "C" {
struct op_range_arg {
  char *base;
  long stride;
  const int *map;
  int map_stride, count, kind, access, dim, flags;
};
enum { op_range_used_again = 2 }; // OP_RANGE_USED_AGAIN
struct op_range_layout {
  long step;
  int kind;
};
struct op_range_ctx {
  unsigned long size;
  const op_range_arg *args;
  int nargs, reserved;
  void (*element)();
  const op_range_layout *layouts;
};
}
