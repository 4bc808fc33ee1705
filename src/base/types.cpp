#include "base/types.hpp"

#include <array>
#include <cctype>

namespace op2::core {

namespace {

struct Builtin {
  op_type_id id;
  int size;
  std::array<std::string_view, 4> names; // canonical name first
};

constexpr std::array builtins = {
    Builtin{OP_TYPE_DOUBLE, 8, {"double", "r8", "real(8)", "real*8"}},
    Builtin{OP_TYPE_FLOAT, 4, {"float", "r4", "real(4)", "real*4"}},
    Builtin{OP_TYPE_INT, 4, {"int", "i4", "integer(4)", "integer*4"}},
    Builtin{OP_TYPE_UINT, 4, {"uint", "unsigned int", "unsigned", ""}},
    Builtin{OP_TYPE_LL, 8, {"ll", "long long", "i8", "integer(8)"}},
    Builtin{OP_TYPE_ULL, 8, {"ull", "unsigned long long", "", ""}},
    Builtin{OP_TYPE_BOOL, 1, {"bool", "", "", ""}},
};

} // namespace

ElementType parse_type(std::string_view name) {
  ElementType type;
  constexpr std::string_view suffix = ":soa";
  if (name.size() > suffix.size() && name.substr(name.size() - suffix.size()) == suffix) {
    type.soa = true;
    name.remove_suffix(suffix.size());
  }
  for (const Builtin &builtin : builtins)
    for (const std::string_view spelling : builtin.names)
      if (!spelling.empty() && spelling == name) {
        type.id = builtin.id;
        type.size = builtin.size;
        type.name = builtin.names[0];
        return type;
      }
  type.name = name;
  return type;
}

std::string builtin_type_names() {
  std::string out;
  for (const Builtin &builtin : builtins) {
    if (!out.empty()) out += ' ';
    out += builtin.names[0];
  }
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
