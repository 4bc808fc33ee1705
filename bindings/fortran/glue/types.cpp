// Types by the names that Fortran programs give them.
#include <cctype>
#include <string_view>

#include "glue.hpp"

namespace op2::fortran {

namespace {

struct Spelling {
  std::string_view text;
  const char *name;
};
constexpr Spelling spellings[] = {
    {"real(8)", "double"},
    {"r8", "double"},
    {"real(4)", "float"},
    {"integer(4)", "int"},
    {"i4", "int"},
    {"r4", "float"},
    {"logical", "int"},
    {"integer(8)", "ll"},
    {"i8", "ll"},
    {"real*8", "double"},
    {"real*4", "float"},
    {"integer*4", "int"},
    {"integer*8", "ll"},
    {"doubleprecision", "double"},
    {"real", "float"},
    {"integer", "int"},
    {"logical(4)", "int"},
    {"logical*4", "int"},
    {"logical(1)", "bool"},
    {"logical*1", "bool"},
    {"double", "double"},
    {"float", "float"},
    {"int", "int"},
    {"ll", "ll"},
    {"bool", "bool"},
    {"real(c_double)", "double"},
    {"real(c_float)", "float"},
    {"integer(c_int)", "int"},
    {"integer(c_long_long)", "ll"},
    {"integer(c_int64_t)", "ll"},
    {"integer(c_int32_t)", "int"},
    {"logical(c_bool)", "bool"},
    {"real(real64)", "double"},
    {"real(real32)", "float"},
    {"integer(int32)", "int"},
    {"integer(int64)", "ll"},
};

// Small letters, no blanks, no "kind=", and no layout, which comes behind a colon.
struct Plain {
  char letters[40];
  std::size_t length = 0;
  Plain(const char *text, std::size_t count) {
    for (std::size_t i = 0; i < count && text[i] != '\0' && text[i] != ':' && length < sizeof letters; ++i)
      if (text[i] != ' ') letters[length++] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  }
  std::string_view view() const { return {letters, length}; }
};

} // namespace

const char *type_name(const char *text, std::size_t length) {
  const Plain plain(text, length);
  for (const Spelling &spelling : spellings)
    if (spelling.text == plain.view()) return spelling.name;
  const std::string_view view = plain.view();
  if (const std::size_t kind = view.find("(kind="); kind != std::string_view::npos) {
    const std::string shorter = std::string(view.substr(0, kind + 1)) + std::string(view.substr(kind + 6));
    return type_name(shorter.data(), shorter.size());
  }
  return nullptr;
}

char type_class(const char *text, std::size_t length) {
  const Plain plain(text, length);
  const std::string_view view = plain.view();
  if (view.starts_with("real") || view.starts_with("double")) return 'r';
  if (view.starts_with("integer")) return 'i';
  if (view.starts_with("logical")) return 'l';
  return '?';
}

} // namespace op2::fortran

// SPDX-License-Identifier: MIT
