// ahead.h: memory that somebody else will want, asked for beside the code's own work. Part of every generated file of
// a loop that moves more than the caches hold, after rows.h.
//
// In a chain, the first loops of a tile wait for memory and the others compute. So all of them ask for what the next
// tile will want, a few lines with each block of elements. The library says where that is (jit/ahead.hpp).
namespace op2j {

struct ahead_span {
  const char *at, *end;
};
struct ahead {
  ahead_span *span; // the present one; the last one is empty
  int lines;        // for 1024 elements
  int rest;

  OP2J_INLINE void ask(int elements) {
    const char *const at = span->at;
    if (at >= span->end) {
      if (span->end) ++span;
      return;
    }
    rest += elements * lines;
    const int count = rest / 1024;
    rest -= count * 1024;
    for (int k = 0; k < count; ++k) __builtin_prefetch(at + 64 * k, 0, 2);
    span->at = at + 64 * count;
  }
};

} // namespace op2j
