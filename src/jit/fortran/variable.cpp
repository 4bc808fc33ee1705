// variable.cpp: see variable.hpp.
#include "jit/fortran/variable.hpp"

#include <algorithm>
#include <cctype>

#include "base/text.hpp"

namespace op2::core::jit::fortran {

bool is_plain(const std::string &code) {
  return std::all_of(code.begin(), code.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '[' || c == ']';
  });
}

namespace {

std::string in_brackets(const std::string &code) {
  if (is_plain(code)) return code;
  int depth = 0; // brackets around the whole?
  for (std::size_t at = 0; at < code.size(); ++at) {
    if (code[at] == '(') ++depth;
    if (code[at] == ')') --depth;
    if (depth == 0 && at + 1 < code.size()) return text("(", code, ")");
  }
  return code;
}

} // namespace

Amount operator+(const Amount &a, const Amount &b) {
  return {a.number + b.number, text(a.code, a.code.empty() || b.code.empty() ? "" : " + ", b.code)};
}

Amount operator-(const Amount &a, const Amount &b) {
  if (b.known()) return {a.number - b.number, a.code};
  if (a == b) return known(0);
  return {a.number - b.number, text(a.code.empty() ? "0" : a.code, " - ", in_brackets(b.code))};
}

Amount operator*(const Amount &a, const Amount &b) {
  if (a.known() && b.known()) return known(a.number * b.number);
  if (b.known()) return b * a;
  if (a.known() && a.number == 0) return known(0);
  if (a.known() && a.number == 1) return b;
  if (a.known()) return {a.number * b.number, text(a.number, " * ", in_brackets(b.code))};
  return {0, text(code_of(a), " * ", code_of(b))};
}

std::string code_of(const Amount &amount) {
  if (amount.known()) return amount.number < 0 ? text("(", amount.number, ")") : text(amount.number);
  if (amount.number == 0) return in_brackets(amount.code);
  return text("(", amount.code, amount.number < 0 ? " - " : " + ", amount.number < 0 ? -amount.number : amount.number,
              ")");
}

void set_strides(std::vector<Dimension> &dimensions) {
  Amount stride = known(1);
  for (Dimension &dimension : dimensions) {
    dimension.stride = stride;
    if (dimension.extent) stride = stride * *dimension.extent;
  }
}

std::optional<long> size_of(const std::vector<Dimension> &dimensions) {
  long out = 1;
  for (const Dimension &dimension : dimensions) {
    if (!dimension.extent || !dimension.extent->known()) return std::nullopt;
    if (dimension.extent->number > 1'000'000 || out > 1'000'000) return std::nullopt;
    out *= dimension.extent->number;
  }
  return out;
}

Variable part_of(const Variable &record, const Variable &part) {
  Variable out = part;
  const long own = size_of(part.dimensions).value_or(1);
  out.array = part.array || record.array;
  out.indirect = part.indirect || record.indirect;
  out.changeable = part.changeable && record.changeable;
  out.pointer = record.pointer;
  out.offset = part.offset + known(own) * record.offset;
  for (Dimension dimension : record.dimensions) {
    dimension.stride = known(own) * dimension.stride;
    out.dimensions.push_back(std::move(dimension));
  }
  return out;
}

void leaves_of(const Variable &variable, std::vector<Variable> &out) {
  if (!variable.is_record()) return out.push_back(variable);
  for (const Variable &part : variable.parts) leaves_of(part_of(variable, part), out);
}

bool is_dense(const Variable &variable) {
  Amount stride = known(1);
  for (const Dimension &dimension : variable.dimensions) {
    if (dimension.extent && dimension.extent->known() && dimension.extent->number <= 1) continue;
    if (!(dimension.stride == stride)) return false;
    if (!dimension.extent) return true;
    stride = stride * *dimension.extent;
  }
  return true;
}

std::string element_of(const Variable &variable, const std::vector<Amount> &at) {
  Amount sum = known(0);
  for (std::size_t d = 0; d < at.size(); ++d) sum = sum + at[d] * variable.dimensions[d].stride;
  sum = sum + variable.offset;
  std::string code = sum.code;
  if (sum.number != 0 || code.empty())
    code = code.empty() ? text(sum.number)
                        : text(code, sum.number < 0 ? " - " : " + ", sum.number < 0 ? -sum.number : sum.number);
  return text(variable.code, "[", code, "]");
}

std::string address_of(const Variable &variable) {
  if (variable.offset == known(0)) return variable.code;
  return text("&", element_of(variable, {}));
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
