// What generated code is to ask memory for beside its own work: jit/prelude/ahead.h has the same structures.
#pragma once

namespace op2::core::jit {

struct AheadSpan {
  const char *at, *end;
};
struct Ahead {
  AheadSpan *span; // the present one; the last one is empty
  int lines;       // for 1024 elements
  int rest;
};
// What the calling thread is to ask for; NULL: nothing.
using AheadOfThread = Ahead *(*)();

} // namespace op2::core::jit
