__attribute__((noinline)) inline double limit(double x) {
  const char c = static_cast<char>(static_cast<int>(x) * 30);
  return x > 5 && x < 10 ? c : x;
}

// SPDX-License-Identifier: MIT
