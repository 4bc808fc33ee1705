// reader_types.cpp: types, parameters and constants; see reader.hpp.
#include <algorithm>

#include "base/text.hpp"
#include "jit/text/instance.hpp"
#include "jit/text/names/specialised.hpp"
#include "jit/text/reader.hpp"
#include "jit/text/reader_depth.hpp"

namespace op2::core::jit {

// The words before a declarator. Storage classes go, but constexpr stays.
Reader::Specifiers Reader::decl_specifiers(std::size_t stop) {
  Specifiers out;
  const std::size_t begin = at_, known = out_.size();
  bool has_type = false;
  while (at_ < stop) {
    skip_attributes();
    if (at_ >= stop) break;
    const SourceToken &next = look();
    const std::string &spelling = next.token.text;
    if (next.token.kind != TokenKind::identifier && !next.token.is("::")) break;
    if (spelling == "volatile" || spelling == "__volatile__") refuse("uses volatile");
    if (is_qualifier(spelling)) {
      if (!is_restrict(spelling)) out.is_const = true;
      const bool again = out_.size() > known && out_.back().is("const");
      is_restrict(spelling) || again ? drop() : (drop(), emit(TokenKind::identifier, "const"));
    } else if (is_storage_specifier(spelling)) {
      if (spelling == "static") out.is_static = true;
      if (spelling == "constexpr") out.is_const = out.is_constexpr = true;
      if (spelling == "extern" || spelling == "friend" || spelling == "virtual" || spelling == "typedef" ||
          spelling == "thread_local" || spelling == "_Thread_local" || spelling == "__thread")
        refuse(text("contains a declaration with '", spelling, "'"));
      spelling == "constexpr" || spelling == "explicit" ? take() : drop();
    } else if (is_type_specifier(spelling)) {
      has_type = true;
      take();
      if (out_.back().is("_Bool")) out_.back().text = "bool";
    } else if (!has_type && (spelling == "struct" || spelling == "class" || spelling == "enum")) {
      take();
      has_type = true;
      name();
    } else if (std::size_t behind = at_; !has_type && names_type(behind)) {
      has_type = true;
      name();
    } else {
      break;
    }
  }
  if (has_type) return out;
  if (at_ < stop && (text_.is_plain_name(at_) || is("::"))) name(); // says what is unknown
  refuse("has a declaration whose type is not understood", begin);
}

// The "* const" of a declarator.
void Reader::ptr_operators() {
  while (at_ < end_) {
    skip_attributes();
    if (is("volatile") || is("__volatile__")) refuse("uses volatile");
    if (is("*") || is("&") || is("&&") || is("const"))
      take();
    else if (is_name() && is_restrict(word()))
      drop();
    else
      break;
  }
}

Tokens Reader::type(Range range) {
  start(range);
  decl_specifiers(range.end);
  ptr_operators();
  if (at_ != end_) refuse("has a type that is not understood");
  return std::move(out_);
}

std::vector<Parameter> Reader::parameters(Range range) {
  std::vector<Parameter> out;
  if (range.end == range.begin + 1 && text_.is(range.begin, "void")) return out;
  for (std::size_t begin = range.begin; begin < range.end;) {
    std::size_t end = begin;
    for (; end < range.end && !text_.is(end, ","); ++end)
      if (text_.is(end, "(") || text_.is(end, "[") || text_.is(end, "{")) end = text_.partner(end);
    out.push_back(parameter({begin, end}));
    begin = end + 1;
  }
  return out;
}

Parameter Reader::parameter(Range range) {
  start(range);
  if (is("...")) refuse("takes any number of arguments");
  Parameter out;
  decl_specifiers(range.end);
  for (const Token &token : out_)
    if (token.is("auto")) refuse("has a parameter of type auto, so that it is a template");
  out.scalar = scalar_of(out_);
  out.is_const = std::any_of(out_.begin(), out_.end(), [](const Token &token) { return token.is("const"); });
  const std::size_t base = out_.size();
  ptr_operators();
  const bool bracketed = at_ < end_ && is("("); // double (*a)[3]
  if (bracketed) {
    take();
    ptr_operators();
  }
  for (std::size_t n = base; n < out_.size(); ++n) {
    out.pointers += out_[n].is("*") ? 1 : 0;
    out.reference = out.reference || out_[n].is("&") || out_[n].is("&&");
  }
  if (at_ < end_ && text_.is_plain_name(at_)) {
    out.name = word();
    declare(out.name);
    drop();
  }
  if (bracketed) {
    expect(")");
    if (is("(")) refuse("takes a pointer to a function");
    out.scalar = Scalar::other;
  }
  skip_attributes();
  if (at_ < end_ && is("[") && !bracketed) { // double a[3] is double *a, double a[3][4] is double (*a)[4]
    const std::size_t behind = text_.partner(at_) + 1;
    while (at_ < behind) drop();
    ++out.pointers;
    const bool more = at_ < end_ && is("[");
    if (more) {
      emit(TokenKind::punctuator, "(");
      out.scalar = Scalar::other;
    }
    emit(TokenKind::punctuator, "*");
    if (more) emit(TokenKind::punctuator, ")");
  }
  while (at_ < end_ && is("[")) group();
  if (at_ < end_ && is("=")) refuse(text("has a default for the parameter '", out.name, "'"));
  if (at_ != end_) refuse("has a parameter that is not understood");
  if (out.scalar == Scalar::none && out.pointers == 0) refuse("has a parameter of type void");
  if (out.scalar == Scalar::none) out.scalar = Scalar::other; // void *
  out.type = std::move(out_);
  return out;
}

// Types of numbers, and numbers for parameters of type int: what else a number becomes in its conversion to the
// parameter's type is not known here.
void Reader::bind(const Declaration &function, const std::vector<Tokens> &template_arguments) {
  bool constrained = false; // functions of which the scanner of declarations knows nothing
  for (std::size_t at = 0; at < text_.size(); ++at) constrained = constrained || text_.is(at, "requires");
  if (constrained || function.template_parameters.empty() || function.body.empty() ||
      specialised_templates(text_).names.contains(function.name))
    refuse("is a template that is not understood", function.name_at);
  std::vector<TemplateParameter> wanted;
  try {
    wanted = template_parameters(text_, function.template_parameters);
  } catch (const Refusal &reason) {
    refuse(reason.what(), function.name_at);
  }
  if (wanted.size() != template_arguments.size())
    refuse("has template parameters without an argument", function.name_at);
  for (std::size_t n = 0; n < wanted.size(); ++n) {
    const Range front = wanted[n].front;
    const bool type = scalar_of(template_arguments[n]) != Scalar::other;
    const bool integer = text_.is(front.begin, "int") && front.end - front.begin == (wanted[n].name.empty() ? 1U : 2U);
    if (type ? !wanted[n].type : !integer)
      refuse(text("has the template parameter '", wanted[n].name, "', which is not understood"), function.name_at);
    if (!wanted[n].name.empty()) declare(wanted[n].name, {type ? Local::alias : Local::number, template_arguments[n]});
  }
}

// <double, 3>
std::vector<Tokens> Reader::template_arguments() {
  std::vector<Tokens> out;
  const std::size_t end = text_.behind_angles(at_);
  for (bool more = true; more;) {
    drop(); // "<" or ","
    const std::size_t known = out_.size();
    if (behind_type(at_) != at_)
      decl_specifiers(end);
    else if (is_name())
      name();
    else
      take();
    const auto begin = out_.begin() + static_cast<std::ptrdiff_t>(known);
    out.emplace_back(begin, out_.end());
    out_.resize(known);
    const Tokens &one = out.back();
    const Scalar scalar = scalar_of(one);
    const bool type = scalar != Scalar::other && scalar != Scalar::none && !one[0].is("const");
    const bool number = one.size() == 1 && one[0].kind == TokenKind::number && one[0].text.size() < 10 &&
                        one[0].text.find_first_not_of("0123456789") == std::string::npos;
    more = is(",");
    if ((!type && !number) || !(more || is(">"))) refuse("has an argument of a template that is not understood");
  }
  drop();
  return out;
}

void Reader::template_call(int declaration, std::size_t begin) {
  const std::vector<Tokens> arguments = template_arguments();
  if (!is("(")) refuse(text("uses '", collector_[declaration].name, "' without calling it"), begin);
  if (constant_only_) refuse(text("calls '", collector_[declaration].name, "' to initialise a constant"), begin);
  const std::string name = collector_.use_function(declaration, arguments);
  check_arguments(begin, parameter_count(declaration));
  emit(TokenKind::identifier, name);
}

std::size_t Reader::parameter_count(int declaration) const {
  const Range range = collector_[declaration].parameters;
  if (range.empty() || (range.end == range.begin + 1 && text_.is(range.begin, "void"))) return 0;
  std::size_t out = 1;
  for (std::size_t at = range.begin; at < range.end; ++at) {
    if (text_.is(at, "(") || text_.is(at, "[") || text_.is(at, "{")) at = text_.partner(at);
    if (text_.is(at, ",")) ++out;
  }
  return out;
}

// const double name[2] = {...};
Tokens Reader::constant(const Declaration &variable) {
  start(variable.type);
  constant_only_ = true;
  decl_specifiers(variable.type.end);
  if (at_ != end_) refuse("has a type that is not understood");
  const bool is_const = std::any_of(out_.begin(), out_.end(), [](const Token &token) { return token.is("const"); });
  for (Token &token : out_)
    if (token.is("constexpr")) token.text = "const";
  if (is_const) { // "constexpr const" has become one too many
    bool seen = false;
    std::erase_if(out_, [&](const Token &token) {
      const bool again = token.is("const") && seen;
      seen = seen || token.is("const");
      return again;
    });
  }
  for (const Token &token : out_)
    if (token.kind == TokenKind::identifier && !is_keyword(token.text)) refuse("is a constant of a type of its own");
  Tokens words = std::move(out_);
  start(variable.declarator);
  if (!text_.is_plain_name(at_)) refuse("is a pointer or reference");
  take();
  while (at_ < end_ && is("[")) group();
  if (at_ != end_) refuse("is not understood");
  words.insert(words.end(), out_.begin(), out_.end());
  start(variable.initialiser);
  emit(TokenKind::punctuator, "=");
  expression("");
  emit(TokenKind::punctuator, ";");
  words.insert(words.end(), out_.begin(), out_.end());
  return words;
}

// enum name {...};  typedef enum {...} alias;
Tokens Reader::enumeration(const Declaration &declaration) {
  start(declaration.all);
  constant_only_ = true;
  const Declaration *owner = declaration.owner >= 0 ? &collector_[declaration.owner] : nullptr;
  if (owner) emit(TokenKind::identifier, "typedef");
  take();
  if (is("class") || is("struct")) take();
  skip_attributes();
  if (text_.is_plain_name(at_)) take();
  if (is(":")) {
    take();
    decl_specifiers(declaration.body.begin);
  }
  expect("{");
  while (!is("}")) {
    if (!text_.is_plain_name(at_)) refuse("is not understood");
    take();
    skip_attributes();
    if (is("=")) {
      take();
      expression(",}");
    }
    if (is(",")) take();
  }
  take();
  if (owner) {
    if (owner->declarator.end != owner->declarator.begin + 1) refuse("is not understood");
    emit(TokenKind::identifier, owner->name);
  }
  emit(TokenKind::punctuator, ";");
  return std::move(out_);
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
