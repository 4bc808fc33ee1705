// rows.h: rows of a dat to and from another layout, a value for each thread.
#include "kernel.h"
#include "rows_parts.h"

// Threads next to each other take the same component of rows next to each other. In the layout these have unit stride;
// the rows are short, so that the second-level cache puts them together.
template <class Word, bool to_rows>
inline void op2_rows_move(const op2_rows_params &p, unsigned long long at) {
  if (at >= static_cast<unsigned long long>(p.count) * p.dim) return;
  const long long c = at / p.count, i = at % p.count, r = p.first + i;
  Word *row = reinterpret_cast<Word *>(op2_at(p.rows)) + i * p.dim + c;
  char *copy = op2_at(p.copy) + r * p.stride + c * p.step;
  if (to_rows)
    *row = *reinterpret_cast<const Word *>(copy);
  else
    *reinterpret_cast<Word *>(copy) = *row;
}

template <bool to_rows>
inline void op2_rows_run(const op2_rows_params &p) {
  const unsigned long long at = static_cast<unsigned long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (p.type_size == 8)
    op2_rows_move<unsigned long long, to_rows>(p, at);
  else
    op2_rows_move<unsigned, to_rows>(p, at);
}

OP2_KERNEL_INDEPENDENT(op2_rows_spread, op2_rows_params) { op2_rows_run<false>(p); }

OP2_KERNEL_INDEPENDENT(op2_rows_gather, op2_rows_params) { op2_rows_run<true>(p); }
