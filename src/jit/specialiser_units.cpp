// Specialiser: the texts of kernels in C and C++.
#include <set>

#include "base/text.hpp"
#include "host/symbols.hpp"
#include "jit/specialiser.hpp"

namespace op2::core::jit {

namespace {

constexpr const char *no_text =
    "the text of its unit is not in the program: compile with op2cxx or op2cc, with the options of op2-config "
    "--cxxflags "
    "(g++), or in CMake with op2_embed_kernels()";

// In a shared library the dynamic linker may take a function of another one instead of that in the text.
void refuse_replaced(const KernelText &text, const void *kernel) {
  std::set<std::string> names{text.kernel.name};
  for (const Function &helper : text.helpers) names.insert(helper.name);
  for (const Token &token : tokenize(text.excerpt))
    if (token.kind == TokenKind::identifier) names.insert(token.text);
  if (const std::string function = replaced_function(kernel, names); !function.empty())
    throw Refusal(core::text("the program uses '", function, "' of another library"));
}

} // namespace

// In the text that the compiler of the program has kept.
KernelText Specialiser::find_in_unit(KernelRequest wanted, const SpecialiseRequest &request) {
  if (!is_unit_text(request.text)) throw Refusal(no_text);
  Unit &unit = units_[digest_of_unit(request.text)];
  if (unit.tokens.files.empty()) {
    unit.text = read_unit(request.text);
    unit.tokens = tokens_of(unit.text);
    unit.text.text.clear();
  }
  check_options(unit.text);
  const auto kernel = reinterpret_cast<const void *>(request.element);
  if (kernel && !same_object(kernel, request.text))
    throw Refusal("the program's kernel of this name is in another file than the loop");
  wanted.unit = &unit.tokens;
  wanted.c_language = unit.text.c_language;
  if (kernel) wanted.symbols = function_names(kernel);
  KernelText out = find_kernel(wanted);
  check_options_of(unit.text, out);
  if (kernel) refuse_replaced(out, kernel);
  return out;
}

KernelText Specialiser::find_in_given(KernelRequest wanted, const std::string &text) {
  const Preprocessed tokens = tokens_of_given(text);
  wanted.unit = &tokens;
  wanted.given = true;
  return find_kernel(wanted);
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
