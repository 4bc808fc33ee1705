// Kernel texts for tests: the last function of a piece of program text is the kernel, the others are its helpers.
#pragma once

#include <string>
#include <vector>

#include "jit/text/kernel_text.hpp"

namespace op2_test {

using op2::core::jit::KernelText;
using op2::core::jit::Parameter;
using op2::core::jit::Scalar;
using op2::core::jit::Tokens;

inline Scalar scalar_of(const Tokens &type) {
  std::string words;
  for (const auto &token : type)
    if (token.kind == op2::core::jit::TokenKind::identifier && !token.is("const") && !token.is("static") &&
        !token.is("inline"))
      words += (words.empty() ? "" : " ") + token.text;
  if (words == "void") return Scalar::none;
  if (words == "bool") return Scalar::boolean;
  if (words == "int") return Scalar::int32;
  if (words == "unsigned" || words == "unsigned int") return Scalar::uint32;
  if (words == "long" || words == "long long") return Scalar::int64;
  if (words == "unsigned long" || words == "unsigned long long") return Scalar::uint64;
  if (words == "float") return Scalar::float32;
  if (words == "double") return Scalar::float64;
  return Scalar::other;
}

inline bool has(const Tokens &tokens, const char *spelling) {
  for (const auto &token : tokens)
    if (token.is(spelling)) return true;
  return false;
}

inline Parameter parameter_of(Tokens tokens) {
  Parameter out;
  const bool arrays = has(tokens, "("); // double (*a)[2], as which double a[3][2] is read
  for (std::size_t i = tokens.size(); i-- > 0;)
    if ((!arrays || (i + 1 < tokens.size() && tokens[i + 1].is(")"))) &&
        tokens[i].kind == op2::core::jit::TokenKind::identifier && i > 0) {
      out.name = tokens[i].text;
      tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(i));
      break;
    }
  for (const auto &token : tokens) out.pointers += token.is("*") || (token.is("[") && !arrays) ? 1 : 0;
  out.reference = has(tokens, "&");
  out.is_const = has(tokens, "const");
  out.type = tokens;
  Tokens words = tokens;
  std::erase_if(words, [](const auto &token) { return token.kind != op2::core::jit::TokenKind::identifier; });
  out.scalar = arrays ? Scalar::other : scalar_of(words);
  return out;
}

class Program {
 public:
  explicit Program(const std::string &source) : tokens_(op2::core::jit::tokenize(source)) {}

  KernelText text(bool c_language = false) {
    while (next_ < tokens_.size()) one();
    out_.kernel = out_.helpers.back();
    out_.helpers.pop_back();
    out_.c_language = c_language;
    return std::move(out_);
  }

 private:
  // From here to the partner of the bracket here, both included.
  Tokens bracket() {
    Tokens out;
    int depth = 0;
    do {
      depth += tokens_[next_].is("(") || tokens_[next_].is("{") ? 1 : 0;
      depth -= tokens_[next_].is(")") || tokens_[next_].is("}") ? 1 : 0;
      out.push_back(tokens_[next_++]);
    } while (depth > 0);
    return out;
  }

  void one() {
    Tokens head;
    while (!tokens_[next_].is("(") && !tokens_[next_].is(";") && !tokens_[next_].is("{") && !tokens_[next_].is("="))
      head.push_back(tokens_[next_++]);
    if (tokens_[next_].is("(")) return function(head);
    Tokens whole = head;
    while (!tokens_[next_].is(";"))
      if (tokens_[next_].is("{")) {
        const Tokens inner = bracket();
        whole.insert(whole.end(), inner.begin(), inner.end());
      } else {
        whole.push_back(tokens_[next_++]);
      }
    whole.push_back(tokens_[next_++]);
    if (head[0].is("struct")) {
      out_.types.push_back(whole);
    } else if (head[0].is("enum")) {
      out_.constants.push_back({"", Scalar::other, false, whole});
    } else {
      const bool array = has(head, "[");
      while (has(head, "[")) head.pop_back();
      const std::string name = head.back().text;
      head.pop_back();
      if (has(head, "const") || has(head, "constexpr"))
        out_.constants.push_back({name, scalar_of(head), array, whole});
      else
        out_.declared.push_back(name);
    }
  }

  void function(Tokens head) {
    op2::core::jit::Function function;
    function.line = head[0].line;
    function.file = "test.cpp";
    function.name = head.back().text;
    head.pop_back();
    function.result = scalar_of(head);
    function.result_type = head;
    const Tokens parameters = bracket();
    Tokens parameter;
    for (std::size_t i = 1; i < parameters.size(); ++i)
      if (parameters[i].is(",") || i + 1 == parameters.size()) {
        if (!parameter.empty()) function.parameters.push_back(parameter_of(parameter));
        parameter.clear();
      } else {
        parameter.push_back(parameters[i]);
      }
    function.body = bracket();
    out_.helpers.push_back(std::move(function));
  }

  Tokens tokens_;
  std::size_t next_ = 0;
  KernelText out_;
};

inline KernelText text_of(const std::string &source, bool c_language = false) {
  return Program(source).text(c_language);
}

} // namespace op2_test

// SPDX-License-Identifier: MIT
