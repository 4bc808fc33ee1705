// Finding kernels in texts that a test gives, and showing what was found.
#pragma once

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "jit/text/find_kernel.hpp"
#include "jit/unit/unit_text.hpp"

namespace kernel_source {

using namespace op2::core::jit;
using Constants = std::vector<DeclaredConstant>;

inline const Constants airfoil_constants = {{"gam", Scalar::float64, 1},  {"gm1", Scalar::float64, 1},
                                            {"cfl", Scalar::float64, 1},  {"eps", Scalar::float64, 1},
                                            {"mach", Scalar::float64, 1}, {"qinf", Scalar::float64, 4}};

// A file without the lines of its preprocessor.
inline std::string without_directives(const std::string &path) {
  std::ifstream in(path);
  std::string out;
  for (std::string line; std::getline(in, line);)
    if (!line.starts_with("#")) out += line + "\n";
  return out;
}

// The kernel `expression` of a program with the text `text`, as its compiler keeps it, of the file "k.cpp" unless
// named. The loop stands at the end of line `line`; 0: there is none, the text is that of the kernel alone.
struct Program {
  std::string text;
  std::string file = "k.cpp";
  int line = 0;
  Constants constants = {};
  int parameters = -1;

  KernelText find(const std::string &expression) const {
    const UnitText unit{"", file.ends_with(".c"), {}, "# 1 \"" + file + "\"\n" + with_loop(expression)};
    const Preprocessed tokens = tokens_of(unit);
    KernelRequest request;
    request.expression = expression;
    request.file = file;
    request.line = line;
    request.unit = &tokens;
    request.given = line == 0;
    request.c_language = unit.c_language;
    request.constants = constants;
    request.parameters = parameters;
    return find_kernel(request);
  }

  // As op_par_loop() of C++ is written out.
  std::string with_loop(const std::string &expression) const {
    if (line == 0) return text;
    std::string out = text;
    std::size_t end = 0;
    for (int n = 1; n < line && end < out.size(); ++n) end = out.find('\n', end) + 1;
    out.insert(std::min(out.find('\n', end), out.size()), "(::op2::detail::par_loop(0, " + expression + ", {\"\", \"" +
                                                              file + "\", " + std::to_string(line) +
                                                              ", op_unit_text_}, \"loop\", s, 1));");
    return out;
  }

  // The sentence with which the Reader refuses it; "" when it is found.
  std::string refusal(const std::string &expression = "k") const {
    try {
      return find(expression).why_excerpt;
    } catch (const Refusal &refusal) {
      return refusal.what();
    }
    return "";
  }
};

inline KernelText found(const std::string &program, const std::string &expression = "k") {
  return Program{program}.find(expression);
}
inline std::string body(const std::string &program, const std::string &expression = "k") {
  return spell(found(program, expression).kernel.body);
}
inline std::string refused(const std::string &program, const std::string &expression = "k") {
  return Program{program}.refusal(expression);
}

inline std::vector<std::string> names(const std::vector<Function> &functions) {
  std::vector<std::string> out;
  for (const Function &function : functions) out.push_back(function.name);
  return out;
}
inline std::vector<std::string> names(const std::vector<NamedConstant> &constants) {
  std::vector<std::string> out;
  for (const NamedConstant &constant : constants) out.push_back(constant.name);
  return out;
}

// A function as C++, for compiling what was found.
inline std::string definition(const Function &function) {
  std::string out = "static inline ";
  out += function.result == Scalar::other ? spell(function.result_type) : spelling_of(function.result);
  out += " " + function.name + "(";
  const char *comma = "";
  for (const Parameter &parameter : function.parameters) {
    Tokens type = parameter.type;
    out += comma;
    comma = ", ";
    std::size_t at = 0; // the name of an array stands within its type
    while (at < type.size() && !(type[at].is(")") && at > 0 && type[at - 1].is("*"))) ++at;
    type.insert(type.begin() + static_cast<std::ptrdiff_t>(at), Token{TokenKind::identifier, parameter.name, 0});
    out += spell(type);
  }
  return out + ") " + spell(function.body) + "\n";
}

inline std::string program(const KernelText &text) {
  std::string out;
  for (const NamedConstant &constant : text.constants) {
    if (!constant.name.empty()) out += "static ";
    out += spell(constant.declaration) + "\n";
  }
  for (const Tokens &type : text.types) out += spell(type) + "\n";
  for (const Function &helper : text.helpers) out += definition(helper);
  return out + definition(text.kernel);
}

} // namespace kernel_source

// SPDX-License-Identifier: MIT
