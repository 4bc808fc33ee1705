// collector.cpp: see collector.hpp.
#include "jit/text/collector.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "jit/text/known_functions.hpp"
#include "jit/text/names/specialised.hpp"
#include "jit/text/reader.hpp"

namespace op2::core::jit {

namespace {

constexpr int deepest_use = 100; // helpers calling helpers

} // namespace

Collector::Collector(const Preprocessed &source, const Text &text, const Declarations &declarations,
                     std::span<const DeclaredConstant> constants, std::string kernel, bool c_language)
    : source_(source), text_(text), declarations_(declarations), lookup_(declarations), kernel_(std::move(kernel)) {
  for (const DeclaredConstant &constant : constants) constants_[constant.name] = constant;
  result_.c_language = c_language;
}

std::string Collector::who(const Declaration &function) const {
  if (&function == &declarations_.all[static_cast<std::size_t>(std::max(kernel_declaration_, 0))] &&
      kernel_declaration_ >= 0)
    return text("kernel '", kernel_, "'");
  return text("kernel '", kernel_, "': '", function.name, "', which it uses,");
}

void Collector::take_function(int declaration) {
  kernel_declaration_ = declaration;
  functions_[(*this)[declaration].name];
  names_[(*this)[declaration].name] = declaration;
  result_.kernel = read_function(declaration);
}

void Collector::take_lambda(Range lambda, const std::string &scope, Range around) {
  Reader reader(*this, text("kernel '", kernel_, "'"), scope, around);
  const auto refuse = [&](const char *what) { this->refuse(what, " (", place(lambda.begin), ")"); };
  std::size_t at = lambda.begin;
  for (std::size_t here = around.begin; here < std::min(around.end, lambda.begin); ++here)
    if (text_.is(here, "using") && !text_.is(here + 2, "="))
      refuse("is in a function with a using declaration, which may change what its names mean");
  if (text_.partner(at) != at + 1) refuse("captures variables, which generated code cannot have");
  at += 2;
  if (text_.is(at, "<")) refuse("is a template");
  if (!text_.is(at, "(")) refuse("has no parameters");
  Function &kernel = result_.kernel;
  kernel.name = "op2_kernel";
  kernel.parameters = reader.parameters({at + 1, text_.partner(at)});
  kernel.line = text_[lambda.begin].token.line;
  kernel.file = source_.files[static_cast<std::size_t>(text_[lambda.begin].file)];
  at = text_.behind_attributes(text_.partner(at) + 1);
  while (text_.is(at, "mutable") || text_.is(at, "constexpr") || text_.is(at, "noexcept"))
    at = text_.behind_attributes(at + 1);
  Range result{at, at};
  if (text_.is(at, "->")) {
    result.begin = ++at;
    while (at < lambda.end && !text_.is(at, "{")) ++at;
    result.end = at;
  }
  if (!text_.is(at, "{") || text_.partner(at) + 1 != lambda.end) refuse("is a lambda that is not understood");
  if (!result.empty()) {
    kernel.result_type = reader.type(result);
    kernel.result = scalar_of(kernel.result_type);
  }
  kernel.body = reader.body({at, lambda.end});
  reader.rename(kernel.parameters);
  if (result.empty() && reader.returns_value()) refuse("returns a value");
}

Function Collector::read_function(int declaration, const std::vector<Tokens> &template_arguments) {
  const Declaration &function = (*this)[declaration];
  refuse_replaceable(function);
  Reader reader(*this, who(function), function.scope);
  if (!template_arguments.empty()) reader.bind(function, template_arguments);
  Function out;
  out.name = function.name;
  out.file = source_.files[static_cast<std::size_t>(text_[function.name_at].file)];
  out.line = text_[function.name_at].token.line;
  Tokens type = reader.type(function.type);
  if (!function.result.empty()) type = reader.type(function.result);
  std::erase_if(type, [](const Token &token) { return token.is("constexpr"); });
  Range pointers{function.declarator.begin, function.name_at};
  while (pointers.begin < pointers.end && !text_.is(pointers.end - 1, "*") && !text_.is(pointers.end - 1, "&"))
    --pointers.end; // the scope of ns::f
  for (std::size_t at = pointers.begin; at < pointers.end; ++at) type.push_back(text_[at].token);
  out.result_type = std::move(type);
  out.result = scalar_of(out.result_type);
  out.parameters = reader.parameters(function.parameters);
  out.body = reader.body(function.body);
  reader.rename(out.parameters);
  return out;
}

void Collector::claim(const std::string &name, int declaration) {
  const auto [entry, fresh] = names_.emplace(name, declaration);
  if (!fresh && entry->second != declaration)
    refuse("uses two things called '", name, "' (", place((*this)[entry->second].name_at), ", ",
           place((*this)[declaration].name_at), ")");
}

const std::string &Collector::use_function(int declaration, const std::vector<Tokens> &template_arguments) {
  const Declaration &function = (*this)[declaration];
  std::string name = template_arguments.empty() ? function.name : "op2_instance_of_" + function.name;
  for (const Tokens &argument : template_arguments)
    for (const Token &word : argument) name += "_" + word.text;
  claim(name, declaration);
  const auto [entry, fresh] = functions_.emplace(name, false);
  if (fresh) {
    if (++depth_ > deepest_use) refuse("calls functions nested too deeply");
    Function read = read_function(declaration, template_arguments);
    --depth_;
    functions_[name] = true;
    read.name = name;
    result_.helpers.push_back(std::move(read));
  } else if (!entry->second) {
    refuse("calls '", function.name, "' recursively (", place(function.name_at), ")");
  }
  return entry->first;
}

const std::string &Collector::use_variable(int declaration) {
  const Declaration &variable = (*this)[declaration];
  claim(variable.name, declaration);
  if (!taken_constants_.count(variable.name_at) && reading_.insert(declaration).second) {
    NamedConstant read = read_constant(variable);
    taken_constants_[variable.name_at] = std::move(read);
    reading_.erase(declaration);
  }
  return variable.name;
}

bool Collector::can_use_variable(int declaration) {
  const int depth = depth_;
  const std::set<int> reading = reading_;
  try {
    use_variable(declaration);
    return true;
  } catch (const Refusal &) {
    depth_ = depth;
    reading_ = reading;
    if (const auto name = names_.find((*this)[declaration].name); name != names_.end() && name->second == declaration)
      names_.erase(name);
    return false;
  }
}

bool Collector::computed_at_start(int declaration, int depth) const {
  const Declaration &variable = (*this)[declaration];
  for (std::size_t at = variable.initialiser.begin; at < variable.initialiser.end; ++at) {
    if (!text_.is_plain_name(at)) continue;
    if (text_.is(at + 1, "(") && known_function(text_.word(at))) return true;
    for (const int one : lookup_.find({text_.word(at)}, variable.scope, seen_at(at)))
      if (one != declaration && (*this)[one].kind == Declaration::Kind::variable && depth < deepest_use &&
          computed_at_start(one, depth + 1))
        return true;
  }
  return false;
}

NamedConstant Collector::read_constant(const Declaration &variable) {
  if (++depth_ > deepest_use) refuse("uses constants nested too deeply");
  NamedConstant out;
  out.name = variable.name;
  out.declaration = Reader(*this, who(variable), variable.scope).constant(variable);
  const auto name = std::find_if(out.declaration.begin(), out.declaration.end(),
                                 [&](const Token &token) { return token.is(variable.name); });
  out.scalar = scalar_of(std::span(out.declaration.begin(), name));
  out.array = name + 1 < out.declaration.end() && (name + 1)->is("[");
  --depth_;
  return out;
}

void Collector::use_enumeration(int declaration) {
  const Declaration &enumeration = (*this)[declaration];
  if (taken_constants_.count(enumeration.all.begin) || !reading_.insert(declaration).second) return;
  if (++depth_ > deepest_use) refuse("uses constants nested too deeply");
  NamedConstant read;
  read.scalar = Scalar::int32;
  read.declaration = Reader(*this, who(enumeration), enumeration.scope).enumeration(enumeration);
  taken_constants_[enumeration.all.begin] = std::move(read);
  reading_.erase(declaration);
  --depth_;
}

const std::string &Collector::use_type(int declaration) {
  const Declaration &type = (*this)[declaration];
  const bool tag = type.kind == Declaration::Kind::record || type.kind == Declaration::Kind::enumeration;
  if (!tag && type.parent >= 0) { // typedef struct {...} name;
    if ((*this)[type.parent].owner != declaration)
      refuse("uses the type '", type.name, "' (", place(type.name_at),
             "), which is declared in a way that is not understood");
    claim(type.name, declaration);
    use_type(type.parent);
    return type.name;
  }
  if (type.kind == Declaration::Kind::enumeration) {
    use_enumeration(declaration);
    return type.name;
  }
  if (tag && !type.name.empty()) claim("struct " + type.name, declaration); // a function may have the same name
  if (!tag) claim(type.name, declaration);
  if (taken_types_.count(tag ? type.all.begin : type.name_at) || !reading_.insert(declaration).second) return type.name;
  if (++depth_ > deepest_use) refuse("uses types nested too deeply");
  Reader reader(*this, who(type), type.scope);
  if (tag) {
    std::vector<std::string> functions;
    taken_types_[type.all.begin] = reader.record(type, functions);
    member_functions_.insert(functions.begin(), functions.end());
    const std::string &other = type.owner >= 0 ? (*this)[type.owner].name : type.name;
    for (const Declaration &one : declarations_.all) {
      if (!one.name.starts_with("operator") || one.parameters.empty()) continue;
      for (std::size_t at = one.parameters.begin; at < one.parameters.end; ++at)
        if (text_.word(at) == type.name || text_.word(at) == other)
          refuse("uses the type '", other, "', which has operators outside of it (", place(one.name_at), ")");
    }
  } else {
    taken_types_[type.name_at] = reader.alias(type);
  }
  reading_.erase(declaration);
  --depth_;
  return type.name;
}

Tokens Collector::alias(int declaration) {
  const Declaration &type = (*this)[declaration];
  const bool plain = type.declarator.empty() || type.declarator.end == type.declarator.begin + 1;
  if (type.kind != Declaration::Kind::alias || type.parent >= 0 || !plain || !type.parameters.empty()) return {};
  if (!reading_.insert(declaration).second) return {};
  Range range = type.type;
  while (range.begin < range.end && text_.is(range.begin, "typedef")) ++range.begin;
  Tokens out;
  bool known = true;
  for (std::size_t at = range.begin; at < range.end && known; ++at) {
    const SourceToken &token = text_[at];
    if (token.token.is("typedef")) continue;
    if (text_.is_name(at) && (is_type_specifier(token.token.text) || token.token.is("const"))) {
      if (!token.token.is("auto")) out.push_back(token.token);
      known = !token.token.is("auto");
    } else if (text_.is_plain_name(at)) {
      QualifiedName qualified_name{token.token.text};
      while (text_.is(at + 1, "::") && text_.is_plain_name(at + 2) && at + 2 < range.end) {
        qualified_name.push_back(text_.word(at + 2));
        at += 2;
      }
      const std::vector<int> found =
          qualified_name[0] == "std" ? std::vector<int>() : lookup_.find(qualified_name, type.scope, seen_at(at));
      Tokens words;
      if (found.size() == 1)
        words = alias(found[0]);
      else if (found.empty() && (qualified_name.size() == 1 || qualified_name[0] == "std"))
        words = tokenize(standard_type(qualified_name.back()));
      known = !words.empty();
      out.insert(out.end(), words.begin(), words.end());
    } else {
      known = false;
    }
  }
  reading_.erase(declaration);
  if (!known || scalar_of(out) == Scalar::none) return {};
  return out;
}

const DeclaredConstant *Collector::declared(const std::string &name) const {
  const auto found = constants_.find(name);
  return found == constants_.end() ? nullptr : &found->second;
}

void Collector::use_declared(const std::string &name, int declaration) {
  std::vector<std::string> &names = result_.declared;
  TextVariable place;
  if (declaration >= 0) {
    place.declared = true;
    place.scope = (*this)[declaration].scope;
    for (const int one : lookup_.everywhere(name)) // "static double gam;" may be followed by "extern double gam;"
      place.internal = place.internal || ((*this)[one].kind == Declaration::Kind::variable && (*this)[one].internal);
  }
  const auto [known, fresh] = result_.places.emplace(name, place);
  if (!fresh && (known->second.declared != place.declared || known->second.scope != place.scope))
    refuse("reads two variables called '", name, "'");
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  for (const int one : lookup_.everywhere(name))
    if ((*this)[one].kind == Declaration::Kind::variable) check_type((*this)[one], *declared(name));
  names.push_back(name);
}

// What op_decl_const() was told must be what the text says, as far as that is easily seen.
void Collector::check_type(const Declaration &variable, const DeclaredConstant &constant) {
  Tokens words;
  for (std::size_t at = variable.type.begin; at < variable.type.end; ++at) {
    if (text_.is_name(at) && (is_storage_specifier(text_.word(at)) || is_qualifier(text_.word(at)))) continue;
    if (text_.is_plain_name(at)) {
      const std::vector<int> found = lookup_.find({text_.word(at)}, variable.scope, seen_at(at));
      const Tokens alias = found.size() == 1 ? this->alias(found[0]) : Tokens();
      words.insert(words.end(), alias.begin(), alias.end());
      if (!alias.empty()) continue;
    }
    words.push_back(text_[at].token);
  }
  const Scalar scalar = scalar_of(words);
  if (scalar != Scalar::other && constant.scalar != Scalar::other && scalar != constant.scalar)
    refuse("reads the constant '", constant.name, "', which op_decl_const has as ", spelling_of(constant.scalar),
           " and the text as ", spelling_of(scalar), " (", place(variable.name_at), ")");
}

// In C++, whether a mathematical function without std:: is that of C, which takes and gives double: <cmath> puts those
// of float into std only, while <math.h> and "using" bring them out. Where there is no float nobody can tell.
bool Collector::means_c_function(const std::string &name) const {
  if (result_.c_language) return false; // the whole code is in C then
  const auto includes = [&](std::initializer_list<std::string_view> headers) {
    return std::any_of(source_.headers.begin(), source_.headers.end(), [&](const std::string &header) {
      return std::find(headers.begin(), headers.end(), header) != headers.end();
    });
  };
  if (!includes({"<cmath>", "<complex>", "<random>", "<valarray>", "<bits/stdc++.h>"}) ||
      includes({"<math.h>", "<tgmath.h>", name == "abs" ? "<stdlib.h>" : "<math.h>"}))
    return false;
  bool single = false;
  for (std::size_t at = 0; at < text_.size(); ++at) {
    if (text_.is(at, "using") && (text_.is(at + 1, "namespace") || text_.word(at + 3) == name) &&
        (text_.is(at + 1, "std") || text_.is(at + 2, "std")))
      return false;
    const std::string &word = text_.word(at);
    const bool number = text_[at].token.kind == TokenKind::number;
    single = single || word == "float" || word == "float_t" || (number && word.find_first_of("fF") != word.npos);
  }
  return single || name == "abs";
}

void Collector::use_known(const std::string &name) { known_.insert(name); }

namespace {

// const auto &[a, b] = pair;
bool binds_parts(const Tokens &body) {
  for (std::size_t n = 0; n < body.size(); ++n) {
    if (!body[n].is("auto")) continue;
    std::size_t next = n + 1;
    while (next < body.size() && (body[next].is("&") || body[next].is("&&") || body[next].is("const"))) ++next;
    if (next < body.size() && body[next].is("[")) return true;
  }
  return false;
}

} // namespace

KernelText Collector::finish() {
  bool binds = binds_parts(result_.kernel.body);
  for (const Function &helper : result_.helpers) binds = binds || binds_parts(helper.body);
  if (binds && specialised_templates(text_).names.contains("tuple_size"))
    refuse("binds names to parts, and the text says otherwise than usual what the parts of a type are");
  for (const std::string &name : known_)
    if (names_.count(name))
      refuse("uses both std::", name, " and another '", name, "' (", place((*this)[names_[name]].name_at), ")");
  for (const std::string &name : member_calls_)
    if (!member_functions_.count(name))
      refuse("calls a member function '", name, "' of a type that is not in the text");
  for (auto &[at, constant] : taken_constants_) result_.constants.push_back(std::move(constant));
  for (auto &[at, type] : taken_types_) result_.types.push_back(std::move(type));
  return std::move(result_);
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
