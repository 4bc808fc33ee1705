#include "values.hpp"

#include <cstring>
#include <type_traits>

namespace op2::comm_common {

namespace {

template <class T>
T sum(T a, T b) {
  if constexpr (std::is_integral_v<T>) { // overflow wraps around
    using U = std::make_unsigned_t<T>;
    return static_cast<T>(static_cast<U>(static_cast<U>(a) + static_cast<U>(b)));
  } else {
    return a + b;
  }
}
bool sum(bool a, bool b) { return a || b; }
template <class T>
T least(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T greatest(T a, T b) {
  return a < b ? b : a;
}

template <class T, T (*operation)(T, T)>
void combine_values(void *context, void *into, const void *later) {
  const size_t bytes = *static_cast<const size_t *>(context) * sizeof(T);
  for (size_t at = 0; at < bytes; at += sizeof(T)) {
    T a, b;
    std::memcpy(&a, static_cast<const char *>(into) + at, sizeof(T));
    std::memcpy(&b, static_cast<const char *>(later) + at, sizeof(T));
    a = operation(a, b);
    std::memcpy(static_cast<char *>(into) + at, &a, sizeof(T));
  }
}

template <class T>
constexpr Operations operations_of() {
  return {sizeof(T), {combine_values<T, sum>, combine_values<T, least<T>>, combine_values<T, greatest<T>>}};
}

} // namespace

op_comm_combine_fn Operations::of(int32_t operation) const {
  if (operation < OP_COMM_SUM || operation > OP_COMM_MAX) fail(OP_ERR_ARGUMENT, "there is no operation ", operation);
  return combine[static_cast<size_t>(operation)];
}

Operations operations(op_type_id type) {
  switch (type) {
    case OP_TYPE_DOUBLE:
      return operations_of<double>();
    case OP_TYPE_FLOAT:
      return operations_of<float>();
    case OP_TYPE_INT:
      return operations_of<int>();
    case OP_TYPE_UINT:
      return operations_of<unsigned>();
    case OP_TYPE_LL:
      return operations_of<long long>();
    case OP_TYPE_ULL:
      return operations_of<unsigned long long>();
    case OP_TYPE_BOOL:
      return operations_of<bool>();
    default:
      fail(OP_ERR_TYPE, "values of type ", type, " have no sum, minimum or maximum; use allreduce_record");
  }
}

} // namespace op2::comm_common

// SPDX-License-Identifier: MIT
