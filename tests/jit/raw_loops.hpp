// Loops for generated code below the library: arguments, maps and data without a mesh.
#pragma once

#include <cstring>
#include <string>
#include <vector>

#include "jit/loop/loop_code.hpp"

namespace raw {

using namespace op2::core;
using jit::Scalar;

constexpr int elements = 420, targets = 150;

class Random {
 public:
  explicit Random(unsigned seed) : state_(seed * 2654435761u + 1) {}
  int below(int n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state_ >> 33) % static_cast<unsigned>(n));
  }
  double value() { return (below(2000001) - 1000000) * 1e-5; }

 private:
  unsigned long long state_;
};

struct Argument {
  int kind;
  op_access access;
  Scalar scalar;
  int dim, dat, map = -1, column = 0, columns = 0, count = 0, payload_of = -1;
};

struct Case {
  const char *name, *text;
  std::vector<Argument> args;
  std::vector<int> maps; // columns of each
  int most_period = 0;   // with which its code takes runs
};

constexpr auto D = Scalar::float64;
constexpr auto F = Scalar::float32;
constexpr auto I = Scalar::int32;
constexpr int Own = OP_RANGE_DIRECT, Through = OP_RANGE_INDIRECT, Vector = OP_RANGE_VECTOR;

inline int bytes_of(Scalar scalar) { return scalar == D ? 8 : 4; }

inline jit::LoopShape shape_of(const Case &one) {
  jit::LoopShape out;
  out.name = one.name;
  for (const Argument &a : one.args) {
    jit::ArgShape arg;
    arg.kind = a.kind;
    arg.access = a.access;
    arg.scalar = a.scalar;
    arg.type_size = bytes_of(a.scalar);
    arg.dim = a.dim;
    arg.dat = a.dat;
    arg.map = a.map;
    arg.column = a.column;
    arg.columns = a.columns;
    arg.count = a.count;
    arg.payload_of = a.payload_of;
    out.args.push_back(arg);
  }
  return out;
}

// The data of one run of a loop, the same at every start.
struct Data {
  std::vector<std::vector<char>> rows; // of each argument; arguments that share a dat use the first one's
  std::vector<op_range_arg> args;

  Data(const Case &one, const std::vector<std::vector<int>> &maps) {
    Random random(7);
    for (const Argument &a : one.args) {
      const auto values = static_cast<std::size_t>(elements * a.dim);
      std::vector<char> bytes(values * static_cast<std::size_t>(bytes_of(a.scalar)));
      for (std::size_t k = 0; k < values; ++k) {
        const double value = a.kind == OP_RANGE_GLOBAL && a.access == OP_MIN ? 1e9 : random.value();
        const auto single = static_cast<float>(value);
        const int whole = static_cast<int>(value);
        if (a.scalar == D) std::memcpy(bytes.data() + 8 * k, &value, 8);
        if (a.scalar == F) std::memcpy(bytes.data() + 4 * k, &single, 4);
        if (a.scalar == I) std::memcpy(bytes.data() + 4 * k, &whole, 4);
      }
      rows.push_back(std::move(bytes));
    }
    for (std::size_t i = 0; i < one.args.size(); ++i) {
      const Argument &a = one.args[i];
      op_range_arg arg{};
      arg.kind = a.kind;
      arg.access = a.access;
      arg.dim = a.dim;
      std::size_t first = i;
      for (std::size_t j = i; a.dat >= 0 && j-- > 0;)
        if (one.args[j].dat == a.dat) first = j;
      if (a.kind != OP_RANGE_INDEX && a.kind != OP_RANGE_MAP_INDEX) arg.base = rows[first].data();
      arg.stride = a.kind == OP_RANGE_GLOBAL ? 0 : a.dim * bytes_of(a.scalar);
      if (a.map >= 0) {
        arg.map = maps[static_cast<std::size_t>(a.map)].data() + a.column;
        arg.map_stride = a.columns;
      }
      arg.count = a.count;
      args.push_back(arg);
    }
  }
  void run(op_range_fn function, int begin, int end) const {
    const op_range_ctx ctx{sizeof(op_range_ctx), args.data(), static_cast<int>(args.size()), 0, nullptr, nullptr};
    function(&ctx, begin, end);
  }
};

} // namespace raw

// SPDX-License-Identifier: MIT
