#include "loop/form/arity_call.hpp"

#include <array>
#include <utility>
#include <vector>

namespace op2::core {

namespace {

template <std::size_t>
using Pointer = void *;

template <std::size_t... I>
void call(op_kernel_fn element, void *const *p, std::index_sequence<I...>) {
  // All data pointers are passed alike on every ABI we support, so the kernel's own pointer types do not matter.
  using Kernel = void (*)(Pointer<I>...);
  reinterpret_cast<Kernel>(element)(p[I]...);
}

inline void *pointer_of(const op_range_arg &arg, int n, int *number, char **rows) {
  switch (arg.kind) {
    case OP_RANGE_DIRECT:
      return arg.base + static_cast<std::ptrdiff_t>(n) * arg.stride;
    case OP_RANGE_INDIRECT:
      return arg.base +
             static_cast<std::ptrdiff_t>(arg.map[static_cast<std::ptrdiff_t>(n) * arg.map_stride]) * arg.stride;
    case OP_RANGE_VECTOR:
      for (int j = 0; j < arg.count; ++j)
        rows[j] = arg.base + static_cast<std::ptrdiff_t>(arg.map[static_cast<std::ptrdiff_t>(n) * arg.map_stride + j]) *
                                 arg.stride;
      return rows;
    case OP_RANGE_GLOBAL:
      return arg.base;
    case OP_RANGE_INDEX:
      return number;
    case OP_RANGE_MAP_INDEX:
      return const_cast<int *>(arg.map + static_cast<std::ptrdiff_t>(n) * arg.map_stride);
    default:
      return nullptr;
  }
}

// One loop for each number of arguments, so that the walk over them is unrolled.
template <std::size_t N>
void run(const op_range_ctx *ctx, int begin, int end) {
  const op_range_arg *const args = ctx->args;
  std::size_t vector_rows = 0;
  for (std::size_t i = 0; i < N; ++i) vector_rows += static_cast<std::size_t>(args[i].count);
  std::vector<char *> rows(vector_rows);
  std::array<void *, N> p;
  for (int n = begin; n < end; ++n) {
    int number = n;
    char **next_rows = rows.data();
    for (std::size_t i = 0; i < N; ++i) {
      p[i] = pointer_of(args[i], n, &number, next_rows);
      next_rows += args[i].count;
    }
    call(ctx->element, p.data(), std::make_index_sequence<N>{});
  }
}

template <std::size_t... N>
constexpr std::array<op_range_fn, sizeof...(N)> table_of(std::index_sequence<N...>) {
  return {run<N>...};
}

} // namespace

void element_range(const op_range_ctx *ctx, int begin, int end) {
  static constexpr auto table = table_of(std::make_index_sequence<OP_MAX_ARGS + 1>{});
  table[static_cast<std::size_t>(ctx->nargs)](ctx, begin, end);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
