// cross_some.cpp: arithmetic of lanes as generated code has it (src/jit/prelude), of numbers and widths of every kind,
// as bits.
#include <cstdio>

#include "jit/prelude/functions.h"

namespace {

template <class T, int W>
void show(const char *name) {
  using namespace op2j;
  T low = 1000, sum = 0;
  for (int begin = 0; begin < 64; begin += W) {
    lanes<T, W> x;
    for (int i = 0; i < W; ++i) x.v[i] = T(0.37) * T(begin + i) * T(begin + i) + T(0.01);
    const lanes<T, W> y = sqrt_(x) * x - sqrt_(x + x) / (x + sqrt_(x * x));
    for (int i = 0; i < W; ++i) {
      sum += y.v[i];
      low = y.v[i] < low ? y.v[i] : low;
      std::printf("%a ", static_cast<double>(y.v[i]));
    }
  }
  std::printf("\n%s, %d lanes: %a %a\n", name, W, static_cast<double>(sum), static_cast<double>(low));
}

} // namespace

int main() {
  show<double, 2>("double"), show<double, 4>("double"), show<double, 8>("double");
  show<float, 4>("float"), show<float, 8>("float"), show<float, 16>("float");
  std::printf("pointers of %zu bytes\n", sizeof(void *));
}

// SPDX-License-Identifier: MIT
