// parser.cpp: statements and declarations; see parser.hpp.
#include "jit/lanes/parser.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/text.hpp"
#include "jit/lanes/facts.hpp"
#include "jit/text/words.hpp"

namespace op2::core::jit {

void refuse(const Function &function, int line, const std::string &what) {
  throw Refusal(text(function.file.empty() ? "the kernel's text" : function.file, ":", line, ": ", what));
}

FunctionDefinition parse(const Function &function, Globals &globals) {
  return Parser(function, globals).function_definition();
}

namespace {

StatementPtr make(Statement::Kind kind, int line) {
  auto out = std::make_unique<Statement>();
  out->kind = kind;
  out->line = line;
  return out;
}

} // namespace

const Token &Parser::token(std::size_t ahead) const {
  static const Token nothing{};
  return next_ + ahead < tokens_.size() ? tokens_[next_ + ahead] : nothing;
}

Token Parser::take() {
  const Token out = token();
  ++next_;
  return out;
}

bool Parser::accept(std::string_view spelling) {
  if (!at(spelling)) return false;
  ++next_;
  return true;
}

void Parser::expect(std::string_view spelling) {
  if (accept(spelling)) return;
  refuse_here(text("'", spelling, "' is expected before '", token().text, "'"));
}

Variable *Parser::declare(Variable variable, bool generated) {
  if (!generated && (variable.name.starts_with("op2_") || variable.name.starts_with("op2j")))
    refuse_here("'" + variable.name + "' is a name that generated code keeps for itself");
  out_.variables.push_back(std::move(variable));
  Variable *declared = &out_.variables.back();
  if (!declared->name.empty()) scopes_.back()[declared->name] = declared;
  return declared;
}

Variable *Parser::find(const std::string &name) {
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    const auto found = scopes_[i].find(name);
    if (found == scopes_[i].end()) continue;
    for (Inside &inside : inside_) {
      if (i >= inside.around) continue;
      if (constant_) refuse_here("a lambda that needs the captured '" + name + "' as a constant");
      inside.names[name] = found->second;
    }
    return found->second;
  }
  return globals_.variable(name);
}

FunctionDefinition Parser::function_definition() {
  out_.source = &function_;
  scopes_.emplace_back();
  const auto lambda = std::find_if(globals_.lambdas.begin(), globals_.lambdas.end(),
                                   [&](const Lambda &one) { return &one.function == &function_; });
  const bool is_lambda = lambda != globals_.lambdas.end();
  for (const Parameter &parameter : function_.parameters) {
    Variable variable;
    variable.name = parameter.name;
    variable.type.scalar = parameter.scalar;
    variable.type.is_const = parameter.is_const;
    variable.type.spelled = parameter.type;
    variable.pointers = parameter.pointers;
    variable.reference = parameter.reference;
    variable.parameter = true;
    note_sizes(parameter, variable);
    out_.parameters.push_back(declare(std::move(variable), is_lambda));
  }
  if (is_lambda) name_captures(*lambda);
  if (!at("{")) refuse_here("a function's body is expected");
  out_.body = compound_statement();
  check_kept();
  make_counters_private(out_);
  return std::move(out_);
}

// double (*x)[4], double (&x)[4][4]: an array of arrays.
void Parser::note_sizes(const Parameter &parameter, Variable &variable) {
  const Tokens &type = parameter.type;
  const auto bracket = std::find_if(type.begin(), type.end(), [](const Token &t) { return t.is("("); });
  if (bracket == type.end()) return;
  const auto sizes = std::find_if(bracket, type.end(), [](const Token &t) { return t.is(")"); });
  const auto dimensions = static_cast<int>(std::count_if(sizes, type.end(), [](const Token &t) { return t.is("["); }));
  const bool pointer = parameter.pointers == 1 && !parameter.reference && bracket[1].is("*");
  const bool reference = parameter.pointers == 0 && bracket[1].is("&");
  const auto known = [&](const Token &t) {
    return t.kind != TokenKind::identifier || (find(t.text) != nullptr && find(t.text)->global);
  };
  if (dimensions == 0 || !(pointer || reference) || !std::all_of(sizes, type.end(), known))
    refuse_here("the parameter '" + parameter.name + "' of type '" + spell(type) + "'");
  variable.type.scalar = scalar_of(std::span(type.begin(), bracket));
  (pointer ? variable.pointers : variable.arrays) += dimensions;
}

StatementPtr Parser::compound_statement() {
  StatementPtr out = make(Statement::Kind::compound, token().line);
  expect("{");
  scopes_.emplace_back();
  while (!at("}")) {
    if (next_ >= tokens_.size()) refuse_here("the body does not end");
    out->parts.push_back(statement());
  }
  expect("}");
  scopes_.pop_back();
  return out;
}

StatementPtr Parser::substatement() {
  scopes_.emplace_back();
  StatementPtr out = statement();
  scopes_.pop_back();
  return out;
}

StatementPtr Parser::statement() {
  const Token &first = token();
  for (const char *word : {"goto", "try", "throw", "asm", "__asm__", "using", "typedef", "template", "static_assert",
                           "_Static_assert", "co_return", "co_yield"})
    if (first.is(word)) refuse_here("'" + first.text + "' in a kernel");
  if (first.is("{")) return compound_statement();
  if (first.is("if")) return if_statement();
  if (first.is("for")) return for_statement();
  if (first.is("while")) return while_statement();
  if (first.is("do")) return do_statement();
  if (first.is("switch")) {
    StatementPtr out = make(Statement::Kind::selection_switch, take().line);
    expect("(");
    out->condition = expression();
    expect(")");
    out->parts.push_back(substatement());
    return as_choice(std::move(out));
  }
  if (first.is("case") || first.is("default")) return labeled_statement();
  if (first.is("return")) return return_statement();
  if (first.is("break") || first.is("continue")) {
    StatementPtr out =
        make(first.is("break") ? Statement::Kind::jump_break : Statement::Kind::jump_continue, take().line);
    expect(";");
    return out;
  }
  if (first.is(";")) return make(Statement::Kind::null, take().line);
  if (first.kind == TokenKind::identifier && token(1).is(":")) refuse_here("the label '" + first.text + "'");
  if (at_type()) return declaration_statement();
  StatementPtr out = make(Statement::Kind::expression, first.line);
  out->condition = expression();
  expect(";");
  return out;
}

StatementPtr Parser::if_statement() {
  StatementPtr out = make(Statement::Kind::selection_if, take().line);
  constant_ = out->is_constexpr = accept("constexpr");
  expect("(");
  if (at_type()) refuse_here("a declaration in the condition of 'if'");
  out->condition = expression();
  constant_ = false;
  if (at(";")) refuse_here("a statement in front of the condition of 'if'");
  expect(")");
  out->parts.push_back(substatement());
  if (accept("else")) out->parts.push_back(substatement());
  return out;
}

StatementPtr Parser::for_statement() {
  StatementPtr out = make(Statement::Kind::iteration_for, take().line);
  expect("(");
  scopes_.emplace_back();
  out->init_statement = statement();
  switch (out->init_statement->kind) {
    case Statement::Kind::declaration:
    case Statement::Kind::expression:
    case Statement::Kind::null:
      break;
    default:
      refuse(function_, out->line, "this form of 'for'");
  }
  if (!at(";")) out->condition = expression();
  expect(";");
  if (!at(")")) out->step = expression();
  expect(")");
  out->parts.push_back(substatement());
  scopes_.pop_back();
  return out;
}

StatementPtr Parser::while_statement() {
  StatementPtr out = make(Statement::Kind::iteration_while, take().line);
  expect("(");
  if (at_type()) refuse_here("a declaration in the condition of 'while'");
  out->condition = expression();
  expect(")");
  out->parts.push_back(substatement());
  return out;
}

StatementPtr Parser::do_statement() {
  StatementPtr out = make(Statement::Kind::iteration_do, take().line);
  out->parts.push_back(substatement());
  expect("while");
  expect("(");
  out->condition = expression();
  expect(")");
  expect(";");
  return out;
}

StatementPtr Parser::labeled_statement() {
  StatementPtr out = make(Statement::Kind::labeled, token().line);
  constant_ = true;
  if (take().is("case")) out->condition = conditional();
  constant_ = false;
  expect(":");
  return out;
}

StatementPtr Parser::return_statement() {
  StatementPtr out = make(Statement::Kind::jump_return, take().line);
  if (at("{")) refuse_here("a list behind 'return'");
  if (!at(";")) out->condition = expression();
  if (out->condition && !inside_.empty()) {
    // C++ has made sure that all values are of one type: one known type is enough.
    const Scalar one = pointer_levels(*out->condition) > 0 ? Scalar::other : type_of(*out->condition);
    Scalar &result = inside_.back().result;
    if (result == Scalar::none || result == Scalar::other) result = one;
    if (one != result && one != Scalar::other) refuse_here("a lambda that returns values of two types");
  }
  expect(";");
  return out;
}

StatementPtr Parser::declaration_statement() {
  StatementPtr out = make(Statement::Kind::declaration, token().line);
  const Type base = type();
  if (at(";")) refuse_here("a type within a kernel");
  if (base.is_auto && token(1).is("=") && token(2).is("[") && lambda_definition(*out)) return out;
  do {
    out->declarators.push_back(declarator(base));
  } while (accept(","));
  if (at(":")) refuse_here("a 'for' over a range");
  expect(";");
  return out;
}

Declarator Parser::declarator(const Type &type) {
  Declarator out;
  Variable variable;
  variable.type = type;
  variable.pointers = ptr_operators(&variable.const_pointer);
  variable.reference = accept("&");
  if (at("&&")) refuse_here("a reference to a temporary ('&&')");
  if (token().kind != TokenKind::identifier) refuse_here("the declaration at '" + token().text + "'");
  variable.name = take().text;
  while (accept("[")) {
    ++variable.arrays;
    constant_ = true;
    if (at("]"))
      out.extents.push_back(nullptr);
    else
      out.extents.push_back(conditional());
    constant_ = false;
    expect("]");
  }
  if (variable.arrays > 0 && variable.pointers > 0) refuse_here("an array of pointers");
  if (variable.arrays == 1 && out.extents[0]) variable.extent = static_cast<int>(plain_number(*out.extents[0]));
  // The name is known from here on, as it is in C: int n = n;
  Variable *declared = declare(std::move(variable));
  out.variable = declared;
  constant_ = type.is_constexpr;
  if (accept("=")) {
    out.value = initializer_clause();
  } else if (at("{")) {
    out.direct = true;
    out.value = initializer_clause();
  } else if (accept("(")) {
    out.direct = true;
    out.value = assignment();
    if (!at(")")) refuse_here("a declaration that calls a constructor, or that of a function");
    expect(")");
  }
  constant_ = false;
  if (!out.value) return out;
  if (type.is_auto && pointer_levels(*out.value) == 0) declared->type.scalar = type_of(*out.value);
  const bool moves = declared->reference && declared->pointers > 0;
  if (moves || ((declared->reference || declared->pointers > 0) && !type.is_const))
    touch(*out.value, declared->reference);
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
