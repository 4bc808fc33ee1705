// Range procedures in Fortran: whether a loop is one they were written for, and the kernel by its pointer when it is
// not.
#include <array>
#include <utility>
#include <vector>

#include "glue.hpp"

namespace {

// What the kernel gets as argument `arg` for element n. vector: the addresses of a vector argument; number: n.
void *address(const op_range_arg &arg, int n, std::vector<char *> &vector, int &number) {
  const auto row = [&](int column) {
    return arg.base + arg.map[std::ptrdiff_t{n} * arg.map_stride + column] * arg.stride;
  };
  switch (arg.kind) {
    case OP_RANGE_DIRECT:
      return arg.base + n * arg.stride;
    case OP_RANGE_INDIRECT:
      return row(0);
    case OP_RANGE_VECTOR:
      vector.resize(static_cast<std::size_t>(arg.count));
      for (int k = 0; k < arg.count; ++k) vector[static_cast<std::size_t>(k)] = row(k);
      return vector.data();
    case OP_RANGE_INDEX:
      number = n;
      return &number;
    case OP_RANGE_MAP_INDEX:
      return const_cast<int *>(arg.map + std::ptrdiff_t{n} * arg.map_stride);
    case OP_RANGE_OFF:
      return nullptr;
    default:
      return arg.base;
  }
}

template <std::size_t>
using Pointer = void *;

template <std::size_t... I>
void call(op_kernel_fn kernel, void *const *args, std::index_sequence<I...>) {
  reinterpret_cast<void (*)(Pointer<I>...)>(kernel)(args[I]...);
}

template <std::size_t N>
void call_with(op_kernel_fn kernel, void *const *args) {
  call(kernel, args, std::make_index_sequence<N>{});
}

using Call = void (*)(op_kernel_fn, void *const *);

template <std::size_t... N>
constexpr std::array<Call, sizeof...(N)> calls(std::index_sequence<N...>) {
  return {call_with<N>...};
}

} // namespace

extern "C" {

int op2f_range_fits(const op_range_ctx *ctx, int nargs, const int *kinds, const int *accesses, const int *bytes,
                    const int *of) {
  if (ctx->nargs != nargs || ctx->layouts) return 0;
  for (int i = 0; i < nargs; ++i) {
    const op_range_arg &arg = ctx->args[i];
    if (arg.kind != kinds[i] || (accesses[i] >= 0 && arg.access != accesses[i])) return 0;
    if (bytes[i] > 0 ? arg.stride != bytes[i] : bytes[i] < 0 && arg.dim != -bytes[i]) return 0;
    if (arg.kind != OP_RANGE_DIRECT && arg.kind != OP_RANGE_INDIRECT) continue;
    if (of[i] != i + 1) {
      if (arg.base != ctx->args[of[i] - 1].base) return 0;
      continue;
    }
    for (int j = 0; j < i; ++j)
      if (ctx->args[j].base == arg.base && ctx->args[j].kind != OP_RANGE_MAP_INDEX) return 0;
  }
  return 1;
}

void op2f_range_elements(const op_range_ctx *ctx, int first, int last) {
  constexpr auto by_count = calls(std::make_index_sequence<OP_MAX_ARGS + 1>{});
  std::array<void *, OP_MAX_ARGS> args{};
  std::vector<std::vector<char *>> vectors(static_cast<std::size_t>(ctx->nargs));
  int number = 0;
  for (int n = first; n < last; ++n) {
    for (std::size_t i = 0; i < vectors.size(); ++i) args[i] = address(ctx->args[i], n, vectors[i], number);
    by_count[vectors.size()](ctx->element, args.data());
  }
}

} // extern "C"
