// rows_parts.h: what the host tells the kernels of rows.h. Compiled on both sides; nothing is included.

// Rows of a dat, one after another and in another layout: component c of row r is there at
// copy + r * stride + c * step.
struct op2_rows_params {
  char *rows; // row `first`
  char *copy; // row 0
  long long stride, step;
  long long first; // row
  int count, dim;
  int type_size; // of a value
};
