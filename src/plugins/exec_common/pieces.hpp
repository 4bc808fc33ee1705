// Elements run in pieces while messages are under way that move only when the thread that called lets them.
#pragma once

#include <cstdint>

#include "op2/plugin/exec.h"

namespace op2::exec_common {

// Elements of a piece when so many threads share the call. Pieces are whole vectors of any length, so that all but the
// last run as in one.
inline int64_t piece_of(const op_exec_call &call, int threads) {
  constexpr int64_t pieces = 16, unit = 1024;
  return ((int64_t{call.end} - call.begin) / threads / pieces / unit + 1) * unit;
}

// Calls run(from, to) for one piece after the other.
template <class Run>
void in_pieces(int32_t begin, int32_t end, int64_t piece, const Run &run) {
  int64_t at = begin;
  for (; end - at > piece; at += piece) run(static_cast<int32_t>(at), static_cast<int32_t>(at + piece));
  run(static_cast<int32_t>(at), end);
}

} // namespace op2::exec_common
