// parse_lambda.cpp: lambdas within a function; see parser.hpp.
//
// A lambda becomes a function of its own, with a parameter for each variable of the function around it that its body
// names. Calls pass these variables behind their arguments. A value that is captured by copy has a variable of its own,
// declared where the lambda stands.
#include <algorithm>

#include "base/text.hpp"
#include "jit/lanes/facts.hpp"
#include "jit/lanes/parser.hpp"

namespace op2::core::jit {

using Kind = Expression::Kind;

namespace {

Parameter parameter_of(const Variable &variable) {
  Parameter out;
  out.name = variable.name;
  out.scalar = variable.type.narrow ? Scalar::other : variable.type.scalar;
  out.is_const = variable.type.is_const;
  out.pointers = variable.pointers + variable.arrays;
  out.reference = variable.reference;
  return out;
}

// Of the function that a lambda becomes, whose body begins at this place.
Parameter captured_parameter(const Variable &variable, bool by_value, std::size_t body) {
  Parameter out = parameter_of(variable);
  if (out.pointers == 0) out.reference = !by_value && (!out.is_const || out.reference);
  if (out.pointers < 2 && (by_value || variable.touched < body)) out.is_const = true;
  return out;
}

// 64-bit integers have several names, which a reference or a pointer must not mix up.
bool can_be_passed(const Parameter &parameter, const Variable &variable) {
  const bool wide = parameter.scalar == Scalar::int64 || parameter.scalar == Scalar::uint64;
  const bool indirect = parameter.reference || parameter.pointers > 0;
  const Tokens &type = variable.type.spelled;
  return parameter.scalar != Scalar::other && parameter.scalar != Scalar::none && !(wide && indirect) &&
         !(parameter.reference && parameter.pointers > 0) && variable.arrays < 2 &&
         std::count_if(type.begin(), type.end(), [](const Token &token) { return token.is("["); }) < 2;
}

// const auto op2_copy1 = variable;
Declarator copy_of(Variable *variable, Variable *copy) {
  copy->type.scalar = variable->type.scalar;
  copy->type.narrow = variable->type.narrow;
  copy->type.is_const = copy->type.is_auto = true;
  copy->type.spelled = {Token{TokenKind::identifier, "auto", 0}};
  Declarator out;
  out.variable = copy;
  out.value = make(Kind::id, Token{TokenKind::identifier, variable->name, 0});
  out.value->variable = variable;
  return out;
}

// All variables that an lvalue or a pointer may refer to.
void targets(Expression &e, std::vector<Variable *> &out) {
  if (e.kind == Kind::id) out.push_back(e.variable);
  const bool of_first = e.kind == Kind::subscript || e.kind == Kind::assignment;
  for (std::size_t i = 0; e.kind != Kind::call && i < (of_first ? 1 : e.parts.size()); ++i) targets(e[i], out);
}

} // namespace

// What the expression refers to may be changed here; moves: a pointer itself, too.
void Parser::touch(Expression &e, bool moves) {
  std::vector<Variable *> all;
  targets(e, all);
  for (Variable *variable : all) {
    variable->touched = next_;
    if (moves && pointer_levels(e) > 0) variable->moved = next_;
  }
}

void Parser::touch_arguments(Expression &call) {
  for (std::size_t i = 0; i < call.parts.size(); ++i) {
    const Parameter &parameter = call.helper->parameters[i];
    if (!parameter.is_const && (parameter.reference || parameter.pointers > 0)) touch(call[i], parameter.reference);
  }
}

// auto name = [&](double x) { return x; };
bool Parser::lambda_definition(Statement &out) {
  const std::size_t begin = next_;
  const std::string name = take().text;
  expect("=");
  Variable variable = lambda(&out.declarators);
  variable.name = name;
  if (accept(";")) {
    declare(std::move(variable));
    if (out.declarators.empty()) out.kind = Statement::Kind::null;
    return true;
  }
  next_ = begin; // an expression that begins with a lambda
  out.declarators.clear();
  return false;
}

// [&] { return x; }()
ExpressionPtr Parser::called_lambda() {
  const Token name{TokenKind::identifier, "a lambda", token().line};
  const Variable variable = lambda(nullptr);
  if (!at("(")) refuse_here("a lambda that is neither the value of an 'auto' nor called at once");
  return call(name, &variable);
}

void Parser::pass_captured(Expression &call, const Variable &lambda) {
  for (Variable *variable : lambda.captured) {
    // The variable that the generated code would mean: copies have names of their own.
    const Variable *meant = nullptr;
    std::size_t i = scopes_.size();
    while (meant == nullptr && i-- > 0) {
      const auto found = scopes_[i].find(variable->name);
      if (found != scopes_[i].end() && found->second->name == variable->name) meant = found->second;
    }
    if (meant != variable)
      refuse_here(text("a call of '", call.op.text, "' where '", variable->name, "' is not what it captures"));
    for (Inside &inside : inside_)
      if (i < inside.around) inside.passed.push_back(variable);
    call.parts.push_back(make(Kind::id, Token{TokenKind::identifier, variable->name, call.op.line}));
    call.parts.back()->variable = variable;
  }
}

std::map<std::string, char> Parser::captures() {
  std::map<std::string, char> out;
  expect("[");
  while (!accept("]")) {
    const char way = at("&") ? '&' : '=';
    if (at("&") || at("=")) take();
    const std::string name = token().kind == TokenKind::identifier ? take().text : "";
    if (name == "this" || !(at(",") || at("]"))) refuse_here("the capture '" + name + "' of a lambda");
    out[name] = way;
    accept(",");
  }
  return out;
}

// Parameters and result, as far as it is given.
void Parser::lambda_head(Function &function) {
  if (accept("("))
    while (!accept(")")) {
      const Declarator one = declarator(type());
      function.parameters.push_back(parameter_of(*one.variable));
      if (one.value || !(at(")") || accept(",")) || !can_be_passed(function.parameters.back(), *one.variable))
        refuse_here("the parameter '" + one.variable->name + "' of a lambda");
    }
  accept("noexcept");
  function.result = Scalar::other;
  if (accept("->")) {
    const Type type = this->type();
    function.result = type.narrow ? Scalar::other : type.scalar;
    if (function.result == Scalar::other || !at("{")) refuse_here("the result type of a lambda");
  }
  if (!at("{")) refuse_here("'" + token().text + "' in front of a lambda's body");
}

// Reads a lambda. copies: gets the declarations of copies; NULL: the lambda is called at once.
Variable Parser::lambda(std::vector<Declarator> *copies) {
  const int line = token().line;
  if (constant_ || inside_.size() == 4) refuse_here("a lambda within so many others, or for a constant");
  std::map<std::string, char> ways = captures();
  Lambda lambda;
  Function &function = lambda.function;
  function.name = text("op2_lambda", ++globals_.made);
  function.file = function_.file;
  function.line = line;
  inside_.push_back({scopes_.size(), {}, {}});
  scopes_.emplace_back();
  lambda_head(function);
  const std::size_t begin = next_;
  compound_statement();
  scopes_.pop_back();
  const Inside used = std::move(inside_.back());
  inside_.pop_back();
  if (function.result == Scalar::other) function.result = used.result;
  if (function.result == Scalar::other) refuse(function_, line, "a lambda whose result is of a type that is not known");
  // The body may hide what it has captured; a function may not do so with its parameters: another block is around it.
  function.body.assign(tokens_.begin() + static_cast<long>(begin), tokens_.begin() + static_cast<long>(next_));
  function.body.insert(function.body.begin(), tokens_[begin]);
  function.body.push_back(tokens_[next_ - 1]);

  const auto refuse_it = [&](const std::string &what) { refuse(function_, line, "a lambda that " + what); };
  const auto pass = [&](Variable *variable, bool by_value) {
    if (std::find(lambda.captured.begin(), lambda.captured.end(), variable) != lambda.captured.end()) return;
    lambda.captured.push_back(variable);
    function.parameters.push_back(captured_parameter(*variable, by_value, begin));
    if (variable->moved >= begin) refuse_it(text("moves the captured pointer '", variable->name, "'"));
    if (!can_be_passed(function.parameters.back(), *variable))
      refuse_it(text("captures what is of another type than it can get: '", variable->name, "'"));
  };
  for (auto [name, variable] : used.names) {
    lambda.names[name] = variable;
    if (variable->lambda != nullptr) continue;
    const char way = ways.contains(name) ? ways[name] : ways[""];
    const bool constant = variable->is_value() && variable->type.is_const && !variable->reference;
    const bool copied = way == '=' && variable->is_value() && !constant;
    if (way == '=' && !variable->is_value()) kept_.emplace_back(variable, line);
    if (way == 0 && !constant) refuse_it(text("uses '", name, "' and does not capture it"));
    if (copied && copies == nullptr && variable->touched >= begin)
      refuse_it(text("captures '", name, "' by value, which is changed"));
    if (copied && copies != nullptr) {
      Variable copy;
      copy.name = text("op2_copy", ++globals_.made);
      copies->push_back(copy_of(variable, declare(std::move(copy), true)));
      variable = lambda.names[name] = copies->back().variable;
    }
    pass(variable, copied);
  }
  for (Variable *variable : used.passed) pass(variable, false);
  Variable out;
  out.captured = lambda.captured;
  globals_.lambdas.push_back(std::move(lambda));
  out.lambda = &globals_.lambdas.back().function;
  return out;
}

// Within the function that a lambda has become: what is around the lambda.
void Parser::name_captures(const Lambda &lambda) {
  const auto inside = [&](const Variable *variable) {
    const auto behind = lambda.captured.end() - std::find(lambda.captured.begin(), lambda.captured.end(), variable);
    return out_.parameters.at(out_.parameters.size() - static_cast<std::size_t>(behind));
  };
  scopes_.emplace_back();
  for (const auto &[name, variable] : lambda.names) {
    if (variable->lambda == nullptr) {
      scopes_.back()[name] = inside(variable);
      continue;
    }
    Variable other;
    other.name = name;
    other.lambda = variable->lambda;
    for (const Variable *one : variable->captured) other.captured.push_back(inside(one));
    declare(std::move(other));
  }
}

// Pointers and arrays are not copied: those that are captured by value must be what they were.
void Parser::check_kept() const {
  for (const auto &[variable, line] : kept_)
    if (variable->moved > 0 || (variable->arrays > 0 && variable->touched > 0))
      refuse(function_, line, text("a lambda that captures '", variable->name, "' by value, which is changed"));
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
