// parse_lambda.cpp: lambdas within a function; see parser.hpp.
//
// A lambda becomes a function of its own, with a parameter for each variable of the function around it that its body
// names. Calls pass these variables behind their arguments: by reference, or their values at the lambda's definition.
#include <algorithm>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "jit/lanes/facts.hpp"
#include "jit/lanes/parser.hpp"

namespace op2::core::jit {

using Kind = Expression::Kind;

namespace {

// What a function may change, by itself or through what it calls, and what it needs as a constant of the language.
struct Touched {
  using Variables = std::set<const Variable *>;
  Variables values, pointers, constants; // pointers: those that may be moved

  explicit Touched(const Statement &body) { look_at(body); }

  // All variables that an lvalue or a pointer may refer to.
  static void targets(const Expression &e, Variables &out) {
    if (e.kind == Kind::id) out.insert(e.variable);
    if (e.kind == Kind::call) return;
    const bool one = e.kind == Kind::subscript || e.kind == Kind::assignment;
    for (const ExpressionPtr &part : e.parts) {
      targets(*part, out);
      if (one) return;
    }
  }
  static void mentioned(const Expression &e, Variables &out) {
    if (e.kind == Kind::id) out.insert(e.variable);
    for (const ExpressionPtr &part : e.parts) mentioned(*part, out);
  }
  void may_change(const Expression &e) {
    targets(e, values);
    if (pointer_levels(e) > 0) targets(e, pointers);
  }
  void look_at(const Expression &e) {
    for (const ExpressionPtr &part : e.parts) look_at(*part);
    if (e.kind == Kind::assignment || is_increment_or_decrement(e) || (e.kind == Kind::unary && e.op.is("&")))
      may_change(e[0]);
    if (e.kind == Kind::assignment && pointer_levels(e[0]) > 0) targets(e[1], values);
    for (std::size_t i = 0; e.helper != nullptr && i < e.parts.size(); ++i) {
      const Parameter &parameter = e.helper->parameters[i];
      if (parameter.reference && !parameter.is_const) may_change(e[i]);
      if (parameter.pointers > 0 && !parameter.is_const) targets(e[i], values);
    }
  }
  void look_at(const Declarator &one) {
    for (const ExpressionPtr &extent : one.extents)
      if (extent) mentioned(*extent, constants);
    if (!one.value) return;
    look_at(*one.value);
    const Variable &variable = *one.variable;
    if (variable.type.is_constexpr) mentioned(*one.value, constants);
    if (variable.reference && (!variable.type.is_const || variable.pointers > 0)) may_change(*one.value);
    if (variable.pointers > 0 && !variable.type.is_const) targets(*one.value, values);
  }
  void look_at(const Statement &s) {
    for (const auto *part : {&s.condition, &s.step})
      if (*part) look_at(**part);
    if (s.condition && (s.is_constexpr || s.kind == Statement::Kind::labeled)) mentioned(*s.condition, constants);
    if (s.init_statement) look_at(*s.init_statement);
    for (const Declarator &one : s.declarators) look_at(one);
    for (const StatementPtr &part : s.parts) look_at(*part);
  }
};

void returns_of(const Statement &s, std::vector<const Statement *> &out) {
  if (s.kind == Statement::Kind::jump_return && s.condition) out.push_back(&s);
  for (const StatementPtr &part : s.parts) returns_of(*part, out);
}

bool has_two_spellings(const Parameter &parameter) { // long and long long
  return (parameter.scalar == Scalar::int64 || parameter.scalar == Scalar::uint64) &&
         (parameter.reference || parameter.pointers > 0);
}

// The parameter of a lambda's function for a captured variable.
Parameter captured(const Function &around, const Variable &variable, bool by_value, const Touched &touched, int line) {
  const auto refuse_it = [&](const std::string &before, const std::string &behind = "") {
    refuse(around, line, text("a lambda that ", before, " '", variable.name, "'", behind));
  };
  Parameter out;
  out.name = variable.name;
  out.scalar = variable.type.scalar;
  out.is_const = variable.type.is_const;
  out.pointers = variable.pointers + variable.arrays;
  if (touched.pointers.contains(&variable)) refuse_it("moves the captured pointer");
  if (touched.constants.contains(&variable)) refuse_it("needs the captured", " as a constant");
  const auto sizes = std::count_if(variable.type.spelled.begin(), variable.type.spelled.end(),
                                   [](const Token &token) { return token.is("["); });
  if (variable.arrays > 1 || sizes > 1) refuse_it("captures", ", an array of arrays");
  if (out.pointers > 0 && variable.reference) refuse_it("captures", ", a reference to a pointer");
  if (out.pointers == 0) {
    out.reference = !by_value && (!variable.type.is_const || variable.reference);
    out.is_const = out.is_const || !out.reference || !touched.values.contains(&variable);
  } else if (out.pointers == 1) {
    out.is_const = out.is_const || !touched.values.contains(&variable);
  }
  if (out.scalar == Scalar::other || variable.type.narrow || has_two_spellings(out))
    refuse_it("captures", ", whose type is none of those that generated code can pass");
  return out;
}

// C++ has made sure that all returned values are of one type, so that one known type is enough.
Scalar result_of(const Function &around, const Statement &body, int line) {
  std::vector<const Statement *> returns;
  returns_of(body, returns);
  Scalar out = returns.empty() ? Scalar::none : Scalar::other;
  for (const Statement *one : returns) {
    const Scalar found = pointer_levels(*one->condition) > 0 ? Scalar::other : exact_type_of(*one->condition);
    if (out == Scalar::other) out = found;
    if (found != Scalar::other && found != out) refuse(around, line, "a lambda that returns values of two types");
  }
  if (out == Scalar::other) refuse(around, line, "a lambda whose result is of a type that is not known");
  return out;
}

template <class One>
void add(std::vector<One> &to, const One &one) {
  if (std::find(to.begin(), to.end(), one) == to.end()) to.push_back(one);
}

} // namespace

// Finds the variable that generated code means by this name here. Names of captured variables may be other ones.
Variable *Parser::written(const std::string &name) {
  for (std::size_t i = scopes_.size(); i-- > 0;) {
    const auto found = scopes_[i].find(name);
    if (found == scopes_[i].end() || found->second->name != name) continue;
    for (Inside &inside : inside_)
      if (i < inside.around) add(inside.passed, found->second);
    return found->second;
  }
  return nullptr;
}

// Whether a definition follows, auto name = [](double x) { return x; }; and no call.
bool Parser::at_lambda_definition() const {
  if (token().kind != TokenKind::identifier || !token(1).is("=") || !token(2).is("[")) return false;
  std::size_t at = 2;
  while (next_ + at < tokens_.size() && !token(at).is("{")) ++at;
  for (int depth = 0; next_ + at < tokens_.size(); ++at) {
    depth += token(at).is("{") ? 1 : token(at).is("}") ? -1 : 0;
    if (depth == 0) break;
  }
  return token(at + 1).is(";");
}

StatementPtr Parser::lambda_definition(StatementPtr out) {
  const std::string name = take().text;
  expect("=");
  Variable variable = lambda(&out->declarators);
  variable.name = name;
  expect(";");
  declare(std::move(variable));
  if (out->declarators.empty()) out->kind = Statement::Kind::null;
  return out;
}

ExpressionPtr Parser::called_lambda(const Token &at_once) {
  const Variable variable = lambda(nullptr);
  if (!at("(")) refuse(function_, at_once.line, "a lambda that is neither the value of an 'auto' nor called at once");
  return lambda_call(variable, at_once);
}

ExpressionPtr Parser::lambda_call(const Variable &lambda, const Token &name) {
  ExpressionPtr out = make(Kind::call, name);
  arguments(*out);
  out->helper = lambda.lambda;
  if (out->parts.size() + lambda.captured.size() != lambda.lambda->parameters.size())
    refuse(function_, name.line, "a call of a lambda whose arguments are not its parameters");
  for (Variable *variable : lambda.captured) {
    if (written(variable->name) != variable)
      refuse(function_, name.line,
             text("a call of a lambda where another variable hides the captured '", variable->name, "'"));
    out->parts.push_back(make(Kind::id, name));
    out->parts.back()->op.text = variable->name;
    out->parts.back()->variable = variable;
  }
  return out;
}

Parser::Captures Parser::captures() {
  Captures out;
  expect("[");
  if (token(1).is(",") || token(1).is("]"))
    if (at("&") || at("=")) out.rest = take().text[0];
  accept(",");
  while (!accept("]")) {
    const bool reference = accept("&");
    if (token().kind != TokenKind::identifier || at("this") || !(token(1).is(",") || token(1).is("]")))
      refuse_here("the capture at '" + token().text + "'");
    out.listed[take().text] = reference ? '&' : '=';
    accept(",");
  }
  return out;
}

Parameter Parser::lambda_parameter() {
  const Type type = this->type();
  Parameter out;
  out.scalar = type.narrow ? Scalar::other : type.scalar;
  out.is_const = type.is_const;
  out.pointers = ptr_operators();
  out.reference = accept("&");
  if (token().kind == TokenKind::identifier) out.name = take().text;
  if (at("[")) {
    ++out.pointers;
    while (!accept("]")) take();
  }
  const bool known = out.scalar != Scalar::other && out.scalar != Scalar::none && !has_two_spellings(out);
  if (!known || (out.reference && out.pointers > 0) || !(at(",") || at(")")))
    refuse_here(text("the parameter '", out.name, "' of a lambda"));
  return out;
}

// Reads a lambda. copies: gets the variables that keep captured values; NULL: the lambda is called at once.
Variable Parser::lambda(std::vector<Declarator> *copies) {
  const int line = token().line;
  const Captures captures = this->captures();
  Lambda lambda;
  lambda.function.name = text("op2_lambda", globals_.lambdas.size() + 1);
  lambda.function.file = function_.file;
  lambda.function.line = line;
  inside_.push_back({scopes_.size(), {}, {}});
  scopes_.emplace_back();
  if (accept("("))
    while (!accept(")")) {
      lambda.function.parameters.push_back(lambda_parameter());
      declare(variable_of(lambda.function.parameters.back()));
      if (accept(",") && at(")")) refuse_here("the parameters of a lambda");
    }
  accept("noexcept");
  lambda.function.result = Scalar::other;
  if (accept("->")) {
    const Type type = this->type();
    if (type.scalar == Scalar::other || type.narrow || !at("{")) refuse_here("the result type of a lambda");
    lambda.function.result = type.scalar;
  }
  if (!at("{")) refuse_here("'" + token().text + "' in front of a lambda's body");
  const std::size_t begin = next_;
  const StatementPtr body = compound_statement();
  scopes_.pop_back();
  const Inside used = std::move(inside_.back());
  inside_.pop_back();
  if (lambda.function.result == Scalar::other) lambda.function.result = result_of(function_, *body, line);
  // The body may hide what it has captured; a function may not do so with its parameters: another block is around it.
  const Token brace = tokens_[begin];
  lambda.function.body.push_back(brace);
  lambda.function.body.insert(lambda.function.body.end(), tokens_.begin() + static_cast<std::ptrdiff_t>(begin),
                              tokens_.begin() + static_cast<std::ptrdiff_t>(next_));
  lambda.function.body.push_back(tokens_[next_ - 1]);

  const Touched touched(*body);
  Variable out;
  const auto pass = [&](Variable *variable, bool by_value) {
    if (std::find(out.captured.begin(), out.captured.end(), variable) != out.captured.end()) return;
    out.captured.push_back(variable);
    lambda.function.parameters.push_back(captured(function_, *variable, by_value, touched, line));
  };
  for (auto [name, variable] : used.names) {
    lambda.names[name] = variable;
    if (variable->lambda != nullptr) continue;
    const auto listed = captures.listed.find(name);
    const char way = listed != captures.listed.end() ? listed->second : captures.rest;
    const bool constant = variable->is_value() && variable->type.is_const && !variable->reference;
    if (way == 0 && !constant) refuse(function_, line, text("a lambda that uses '", name, "' and does not capture it"));
    if (way == '=' && !variable->is_value()) kept_.emplace_back(variable, line);
    const bool keeps = way == '=' && variable->is_value() && !constant;
    if (keeps && touched.values.contains(variable)) refuse(function_, line, "a lambda that changes its own copies");
    if (keeps && copies == nullptr && std::find(used.passed.begin(), used.passed.end(), variable) != used.passed.end())
      refuse(function_, line, text("a lambda that captures '", name, "' twice"));
    if (keeps && copies != nullptr) {
      copies->push_back(copy_of(variable, tokens_[begin]));
      variable = copies->back().variable;
    }
    lambda.names[name] = variable;
    pass(variable, keeps);
  }
  for (Variable *variable : used.passed) pass(variable, false);
  lambda.captured = out.captured;
  globals_.lambdas.push_back(std::move(lambda));
  out.lambda = &globals_.lambdas.back().function;
  return out;
}

// const auto op2_copy1 = variable;
Declarator Parser::copy_of(Variable *variable, const Token &at) {
  Variable copy;
  copy.name = text("op2_copy", ++globals_.copies);
  copy.type.scalar = variable->type.scalar;
  copy.type.narrow = variable->type.narrow;
  copy.type.is_const = copy.type.is_auto = true;
  copy.type.spelled = {Token{TokenKind::identifier, "auto", at.line}};
  Declarator out;
  out.value = make(Kind::id, Token{TokenKind::identifier, variable->name, at.line});
  out.value->variable = variable;
  out.variable = declare(std::move(copy), true);
  return out;
}

// The names of what is around a lambda, within the function that it has become.
void Parser::name_captures(const Lambda &lambda) {
  const std::size_t own = function_.parameters.size() - lambda.captured.size();
  const auto inside = [&](const Variable *variable) {
    const auto at = std::find(lambda.captured.begin(), lambda.captured.end(), variable) - lambda.captured.begin();
    return out_.parameters.at(own + static_cast<std::size_t>(at));
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

// Pointers and arrays that a lambda captures by value are passed by the calls: they must be what they were.
void Parser::check_kept() const {
  if (kept_.empty()) return;
  const Touched touched(*out_.body);
  for (const auto &[variable, line] : kept_)
    if (touched.pointers.contains(variable) || (variable->arrays > 0 && touched.values.contains(variable)))
      refuse(function_, line, text("a lambda that captures '", variable->name, "' by value, which is changed"));
}

} // namespace op2::core::jit
