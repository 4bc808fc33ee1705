// Scalar types: names, sizes, and their spelling in C and Fortran programs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "op2/plugin/plugin.h"

namespace op2::core {

struct ElementType {
  op_type_id id = OP_TYPE_USER;
  int size = 0;     // bytes; 0 for a user type whose size is not known from the name
  std::string name; // canonical: "double" for "real(8)"; without ":soa"
  bool soa = false; // the layout hint ":soa" was given

  bool builtin() const { return id != OP_TYPE_USER; }
  bool operator==(const ElementType &other) const { return id == other.id && (builtin() || name == other.name); }
};

// The type of this name. Never fails: an unknown name is a user type of size 0.
ElementType parse_type(std::string_view name);

// All built-in names, for messages.
std::string builtin_type_names();

// Calls f with a null pointer of the C++ type of `id`; returns what f returns. `id` is a built-in type.
template <class F>
decltype(auto) with_type(op_type_id id, F &&f) {
  switch (id) {
    case OP_TYPE_FLOAT:
      return f(static_cast<float *>(nullptr));
    case OP_TYPE_INT:
      return f(static_cast<int *>(nullptr));
    case OP_TYPE_UINT:
      return f(static_cast<unsigned *>(nullptr));
    case OP_TYPE_LL:
      return f(static_cast<long long *>(nullptr));
    case OP_TYPE_ULL:
      return f(static_cast<unsigned long long *>(nullptr));
    case OP_TYPE_BOOL:
      return f(static_cast<bool *>(nullptr));
    default:
      return f(static_cast<double *>(nullptr));
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
