// reader_names.cpp: expressions and the names in them; see reader.hpp.
#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "jit/text/known_functions.hpp"
#include "jit/text/reader.hpp"
#include "jit/text/reader_depth.hpp"

namespace op2::core::jit {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 11> spelled_signs = {{{"and", "&&"},
                                                                                          {"or", "||"},
                                                                                          {"not", "!"},
                                                                                          {"bitand", "&"},
                                                                                          {"bitor", "|"},
                                                                                          {"xor", "^"},
                                                                                          {"compl", "~"},
                                                                                          {"not_eq", "!="},
                                                                                          {"and_eq", "&="},
                                                                                          {"or_eq", "|="},
                                                                                          {"xor_eq", "^="}}};

bool among(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

} // namespace

// Up to one of the signs in `stops` outside of brackets; "" is up to the end of what is read.
void Reader::expression(std::string_view stops) {
  const Depth depth(*this);
  int questions = 0;
  while (at_ < end_ || !stops.empty()) {
    const SourceToken &next = look();
    const Token &token = next.token;
    const bool sign = token.kind == TokenKind::punctuator;
    if (sign && token.text.size() == 1 && stops.find(token.text[0]) != std::string_view::npos &&
        !(token.text[0] == ':' && questions > 0))
      return;
    if (sign && among(token.text, {";", ")", "]", "}", "\\", "@", "`", "#", "##", "'", "\"", "->*", ".*", ""}))
      refuse(text("has '", token.text, "' where it is not expected"));
    if (sign) questions += token.text == "?" ? 1 : token.text == ":" ? -1 : 0;
    if (token.kind == TokenKind::number) {
      number(token);
      take();
    } else if (token.kind == TokenKind::literal) {
      const bool nan = token.text == "\"\"" && !out_.empty() && out_.back().is("(");
      if (token.text.back() != '\'' && !nan) refuse(text("uses the text ", token.text));
      take();
    } else if (sign && token.text == "[" && !follows_operand()) {
      lambda();
    } else if (sign && among(token.text, {"(", "[", "{"})) {
      group();
    } else if (token.kind == TokenKind::identifier || (token.text == "::" && !follows_operand())) {
      name();
    } else if (token.text == "." || token.text == "->") {
      take();
      if (look(); !text_.is_plain_name(at_)) refuse("uses a member in a way that is not understood");
      if (text_.is(at_ + 1, "(")) collector_.use_member_function(word());
      take();
    } else {
      take();
    }
  }
}

// A pair of brackets and what is between them.
void Reader::group() {
  const Depth depth(*this);
  const std::string open = word();
  take();
  if (open == "(" && is("{")) refuse("uses a statement as an expression");
  expression(open == "(" ? ")" : open == "[" ? "]" : "}");
  take();
}

bool Reader::follows_operand() const {
  if (out_.empty()) return false;
  const Token &last = out_.back();
  if (last.kind == TokenKind::punctuator) return last.is(")") || last.is("]") || last.is("}");
  return !last.is("return") && !last.is("case");
}

void Reader::number(const Token &token) const {
  const std::string &digits = token.text;
  const bool hex = digits.starts_with("0x") || digits.starts_with("0X");
  const bool binary = digits.starts_with("0b") || digits.starts_with("0B");
  std::size_t end = hex || binary ? 2 : 0;
  const auto in = [&](std::string_view set) {
    return end < digits.size() && set.find(digits[end]) != std::string_view::npos;
  };
  bool real = false;
  while (in(hex ? "0123456789abcdefABCDEF.'" : "0123456789.'")) real = digits[end++] == '.' || real;
  if (in(hex ? "pP" : "eE")) {
    real = true;
    if (++end; in("+-")) ++end;
    while (in("0123456789")) ++end;
  }
  std::string suffix = digits.substr(end);
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](char c) { return c < 'a' ? static_cast<char>(c + 32) : c; });
  if (real ? !among(suffix, {"", "f", "l"}) : !among(suffix, {"", "u", "l", "ul", "lu", "ll", "ull", "llu"}))
    refuse(text("uses the number ", digits, ", which is not understood"));
  if (real && suffix == "l") refuse(text("uses the number ", digits, " of type long double"));
}

void Reader::keyword_in_expression(const std::string &word) {
  for (const auto &[spelling, sign] : spelled_signs)
    if (word == spelling && !collector_.c_language()) {
      drop();
      return emit(TokenKind::punctuator, sign);
    }
  if (among(word, {"reinterpret_cast", "const_cast", "dynamic_cast", "volatile", "__volatile__", "asm", "__asm__",
                   "goto", "throw", "new", "delete", "typeid", "co_await", "co_yield"}))
    refuse(text("uses ", word));
  if (word == "this" && !in_record_) refuse("uses this");
  if (is_qualifier(word)) return is_restrict(word) ? drop() : take();
  if (is_type_specifier(word) && word != "auto") {
    take();
    if (out_.back().is("_Bool")) out_.back().text = "bool";
    return;
  }
  if (word == "sizeof" && collector_.c_language()) { // 'a' and x == 1 have other types in C
    const bool of_type =
        text_.is(at_ + 1, "(") && (is_type_specifier(text_.word(at_ + 2)) || text_.is_plain_name(at_ + 2));
    if (!of_type || text_.partner(at_ + 1) > at_ + 5) refuse("uses sizeof for more than a type or a variable");
  }
  if (among(word, {"sizeof", "alignof", "_Alignof", "static_cast", "true", "false", "nullptr", "this"})) {
    take();
    if (out_.back().is("_Alignof")) out_.back().text = "alignof";
    return;
  }
  if (word == "struct" || word == "enum" || word == "class") {
    take();
    if (!text_.is_plain_name(at_)) refuse("defines a type of its own");
    return name();
  }
  refuse(text("has '", word, "' where it is not expected"));
}

// [&](double x) { return x; }
void Reader::lambda() {
  const Depth depth(*this);
  const std::size_t behind = text_.partner(at_) + 1;
  while (at_ < behind) take();
  scopes_.emplace_back();
  if (is("(")) {
    take();
    while (!is(")")) {
      decl_specifiers(end_);
      ptr_operators();
      if (text_.is_plain_name(at_)) {
        declare(word());
        take();
      }
      while (is("[")) group();
      if (is(","))
        take();
      else if (!is(")"))
        refuse("has a parameter that is not understood");
    }
    take();
  }
  while (is("mutable") || is("constexpr") || is("noexcept")) take();
  if (is("->")) {
    take();
    decl_specifiers(end_);
    ptr_operators();
  }
  const bool constant = std::exchange(constant_only_, false);
  ++lambdas_;
  compound_statement();
  --lambdas_;
  constant_only_ = constant;
  scopes_.pop_back();
}

void Reader::name() {
  const std::size_t begin = at_;
  if (!is("::") && is_keyword(word())) return keyword_in_expression(word());
  const bool qualified = is("::");
  if (qualified) drop();
  QualifiedName qualified_name;
  while (true) {
    look();
    if (!text_.is_plain_name(at_)) refuse("has a name that is not understood");
    qualified_name.push_back(word());
    drop();
    if (!is("::")) break;
    drop();
  }
  if (qualified_name.size() == 1 && !qualified && !elaborated())
    if (const Meaning *meaning = local(qualified_name[0])) {
      if (meaning->kind == Local::alias || meaning->kind == Local::number) return emit_type(meaning->type);
      if (meaning->kind == Local::function) return global_name(meaning->function, begin, false);
      if (constant_only_ && meaning->kind != Local::constant)
        refuse(text("keeps a value that depends on '", qualified_name[0], "' between calls"), begin);
      return emit(TokenKind::identifier, qualified_name[0]);
    }
  if (qualified_name[0] == "std") return standard_name(qualified_name, begin);
  global_name(qualified_name, begin, qualified);
}

// After struct, class or enum only tags count.
bool Reader::elaborated() const {
  return !out_.empty() && (out_.back().is("struct") || out_.back().is("enum") || out_.back().is("class"));
}

void Reader::emit_type(const Tokens &words) {
  // unsigned int(x) is no cast, (unsigned int)(x) is
  const bool cast = words.size() > 1 && (is("(") || is("{")) && at_ < end_;
  if (cast && is("{")) refuse("converts to a type of several words by {}");
  const bool is_const = !out_.empty() && out_.back().is("const");
  if (cast) emit(TokenKind::punctuator, "(");
  for (const Token &token : words)
    if (!(is_const && token.is("const"))) emit(token.kind, token.text);
  if (cast) emit(TokenKind::punctuator, ")");
}

void Reader::standard_name(const QualifiedName &qualified_name, std::size_t begin) {
  const std::string &last = qualified_name.back();
  if (qualified_name.size() == 2 && last == "numeric_limits") return numeric_limit();
  if (qualified_name.size() != 2) refuse(text("uses '", spelled(qualified_name), "', which is not known"), begin);
  if (const std::string_view words = standard_type(last); !words.empty()) return emit_type(tokenize(words));
  if (!known_function(last) || !is("("))
    refuse(text("uses '", spelled(qualified_name), "', which is not known"), begin);
  const Meaning *const meaning = local(last);
  const bool renamed = meaning && (meaning->kind == Local::variable || meaning->kind == Local::constant) && !in_record_;
  if (renamed) new_names_[last];
  if ((meaning && !renamed) || !collector_.lookup().find({last}, scope_, collector_.seen_at(begin)).empty())
    refuse(text("uses both '", spelled(qualified_name), "' and another '", last, "'"), begin);
  known_call(last, begin, true);
}

// std::numeric_limits<double>::max(), as the literal it is.
void Reader::numeric_limit() {
  const std::size_t begin = at_ - 1;
  std::string words;
  if (!is("<")) refuse("uses std::numeric_limits in a way that is not understood", begin);
  for (drop(); !is(">"); drop()) {
    look();
    std::size_t behind = at_;
    Tokens alias;
    if (const Meaning *meaning = local(word()))
      alias = meaning->type;
    else if (names_type(behind) && behind == at_ + 1)
      for (const int one : collector_.lookup().find({word()}, scope_, collector_.seen_at(at_)))
        alias = collector_.alias(one);
    for (const Token &token : alias) words += token.text;
    if (alias.empty()) words += word();
  }
  drop();
  if (is("::")) drop();
  const std::string member = word();
  struct Limit {
    std::string_view type, member, value;
  };
  static constexpr std::array limits = {Limit{"double", "epsilon", "2.2204460492503131e-16"},
                                        Limit{"double", "min", "2.2250738585072014e-308"},
                                        Limit{"double", "max", "1.7976931348623157e+308"},
                                        Limit{"double", "lowest", "(-1.7976931348623157e+308)"},
                                        Limit{"double", "infinity", "__builtin_inf()"},
                                        Limit{"float", "epsilon", "1.1920929e-07f"},
                                        Limit{"float", "min", "1.17549435e-38f"},
                                        Limit{"float", "max", "3.40282347e+38f"},
                                        Limit{"float", "lowest", "(-3.40282347e+38f)"},
                                        Limit{"float", "infinity", "__builtin_inff()"},
                                        Limit{"int", "max", "2147483647"},
                                        Limit{"int", "min", "(-2147483647 - 1)"},
                                        Limit{"int", "lowest", "(-2147483647 - 1)"}};
  for (const Limit &limit : limits) {
    if (limit.type != words || limit.member != member || !text_.is(at_ + 1, "(") || !text_.is(at_ + 2, ")")) continue;
    for (int n = 0; n < 3; ++n) drop();
    for (const Token &token : tokenize(limit.value)) emit(token.kind, token.text);
    return;
  }
  refuse(text("uses std::numeric_limits<", words, ">::", member, ", which is not known"), begin);
}

void Reader::global_name(const QualifiedName &qualified_name, std::size_t begin, bool qualified) {
  const std::string &last = qualified_name.back();
  std::vector<int> found = collector_.lookup().find(qualified_name, qualified ? "" : scope_, collector_.seen_at(begin));
  if (qualified_name.size() == 1 && !qualified && !in_record_ && collector_.may_be_member(scope_, last))
    refuse(text("uses '", last, "', which may be a member of ", scope_), begin);
  using Kind = Declaration::Kind;
  const auto is_kind = [&](int one, std::initializer_list<Kind> kinds) {
    return std::find(kinds.begin(), kinds.end(), collector_[one].kind) != kinds.end();
  };
  const auto all = [&](std::initializer_list<Kind> kinds) {
    return std::all_of(found.begin(), found.end(), [&](int one) { return is_kind(one, kinds); });
  };
  if (elaborated())
    std::erase_if(found, [&](int one) { return !is_kind(one, {Kind::record, Kind::enumeration}); });
  else if (!all({Kind::record, Kind::enumeration})) // a variable or function hides a structure's name
    std::erase_if(found, [&](int one) { return is_kind(one, {Kind::record, Kind::enumeration}); });
  if (qualified_name.size() == 1 && !qualified && declares_name(text_, around_, last))
    refuse(text("uses '", last, "', which the function around the lambda declares, too"), begin);
  const Meaning *const hiding = local(last);
  if ((qualified_name.size() > 1 || qualified) && hiding && hiding->kind != Local::function)
    refuse(text("uses both '", spelled(qualified_name), "' and a local variable '", last, "'"), begin);
  if (found.empty()) return unknown_name(qualified_name, begin);
  const bool alone = found.size() == 1 && (qualified_name.size() > 1 || !collector_.found_by_arguments(last, found));
  if (alone && is("<") && collector_[found[0]].kind == Kind::templated) return template_call(found[0], begin);
  for (const int one : found)
    if (collector_[one].kind == Kind::templated)
      refuse(
          text("uses '", last, "', which is a template or deleted (", collector_.place(collector_[one].all.begin), ")"),
          begin);
  if (all({Kind::function, Kind::prototype})) return function_call(found, qualified_name, begin);
  if (all({Kind::variable})) {
    std::vector<int> defined = found;
    std::erase_if(defined, [&](int one) { return collector_[one].initialiser.empty(); });
    if (defined.empty()) defined.assign(1, found[0]);
    if (defined.size() == 1) return variable(defined[0], qualified_name);
  }
  if (found.size() > 1)
    refuse(text("uses '", last, "', which is declared more than once (", collector_.place(collector_[found[0]].name_at),
                ", ", collector_.place(collector_[found[1]].name_at), ")"),
           begin);
  const Declaration &one = collector_[found[0]];
  if (one.kind == Kind::enumerator) {
    collector_.use_enumeration(one.parent);
    if (collector_[one.parent].scoped) {
      emit(TokenKind::identifier, collector_[one.parent].name);
      emit(TokenKind::punctuator, "::");
    }
    return emit(TokenKind::identifier, last);
  }
  if (one.kind == Kind::alias)
    if (const Tokens words = collector_.alias(found[0]); !words.empty()) return emit_type(words);
  emit(TokenKind::identifier, collector_.use_type(found[0]));
}

void Reader::unknown_name(const QualifiedName &qualified_name, std::size_t begin) {
  const std::string &last = qualified_name.back();
  if (qualified_name.size() == 1 && is("(") && known_function(last)) {
    if (!collector_.c_language() && collector_.found_by_arguments(last, {}))
      refuse(text("calls '", last, "', for which there is another function than that of C"), begin);
    return known_call(last, begin);
  }
  if (qualified_name.size() == 1 && collector_.declared(last)) {
    if (is_written(at_)) refuse(text("writes to the constant '", last, "'"), begin);
    refuse_kept(last, begin);
    collector_.use_declared(last);
    return emit(TokenKind::identifier, last);
  }
  if (qualified_name.size() == 1)
    if (const std::string_view words = standard_type(last); !words.empty()) return emit_type(tokenize(words));
  std::string message = text(is("(") ? "calls '" : "uses '", spelled(qualified_name), "'");
  message += text(" (", collector_.place(begin), "), which ");
  message +=
      is("(") ? "the text does not define and which is no known mathematical function" : "the text does not define";
  refuse(message, text_.size());
}

// A constant of the program that is made of another one keeps the value that the other one had then.
void Reader::refuse_kept(const std::string &name, std::size_t at) const {
  if (constant_only_) refuse(text("is computed once from '", name, "', which can change later"), at);
}

// Which of several functions the program's compiler means: there must be only one with as many parameters as the call
// has arguments, and its body must be in the text.
int Reader::function_meant(const std::vector<int> &candidates, const QualifiedName &qualified_name, std::size_t begin) {
  const std::string name = spelled(qualified_name);
  const auto place = [&](int one) { return collector_.place(collector_[one].name_at); };
  const int other = candidates[0];
  for (const int one : candidates)
    if (!collector_.same_parameters(one, other))
      refuse(text("calls '", name, "', which is overloaded (", place(other), ", ", place(one), ")"), begin);
  int defined = -1;
  for (const int one : candidates) {
    if (collector_[one].scope != collector_[other].scope)
      refuse(text("calls '", name, "', which is declared in two places (", place(other), ", ", place(one), ")"), begin);
    if (collector_[one].kind != Declaration::Kind::function) continue;
    if (defined >= 0)
      refuse(text("calls '", name, "', which is defined more than once (", place(defined), ", ", place(one), ")"),
             begin);
    defined = one;
  }
  if (qualified_name.size() == 1 && !collector_.c_language() && collector_.found_by_arguments(name, candidates))
    refuse(text("calls '", name, "', which is declared for other types, too"), begin);
  return defined;
}

void Reader::function_call(const std::vector<int> &candidates, const QualifiedName &qualified_name, std::size_t begin) {
  if (!is("(")) refuse(text("uses the function '", spelled(qualified_name), "' without calling it"), begin);
  const int defined = function_meant(candidates, qualified_name, begin);
  const Declaration &first = collector_[candidates[0]];
  const bool of_c = first.scope.empty() && (collector_.c_language() || first.is_extern);
  if (defined < 0 && of_c && known_function(first.name)) return known_call(first.name, begin); // its own prototype
  if (defined < 0)
    refuse(text("calls '", spelled(qualified_name), "', which is declared (", collector_.place(first.name_at),
                ") but not defined in the text"),
           begin);
  if (constant_only_) refuse(text("calls '", spelled(qualified_name), "' to initialise a constant"), begin);
  const std::string name = collector_.use_function(defined);
  check_arguments(begin, parameter_count(defined));
  emit(TokenKind::identifier, name);
}

// of_std: the text says std::name, or means it.
void Reader::known_call(const std::string &name, std::size_t begin, bool of_std) {
  const KnownFunction &known = *known_function(name);
  if (collector_.c_language() && !known.c) refuse(text("calls '", name, "', which C does not have"), begin);
  check_arguments(begin, static_cast<std::size_t>(known.arguments));
  const bool of_c = !of_std && collector_.means_c_function(name);
  if (of_c && name == "abs")
    refuse("calls 'abs', which with <cmath> is that of int; write std::abs or fabs for real numbers", begin);
  collector_.use_known(name);
  ++known_calls_[name];
  emit(TokenKind::identifier, name);
  if (of_c && !known.single && !known.twin.empty())
    arguments_as_double(name == "ldexp" || name == "scalbn" ? 1 : known.arguments);
}

// at_ is at the "(" of a call: f(x) becomes f((double)(x)), in which the function of C computes.
void Reader::arguments_as_double(int count) {
  take();
  for (int n = 0; !is(")"); ++n) {
    if (is(",")) take();
    const bool literal =
        text_[at_].token.kind == TokenKind::number && (text_.is(at_ + 1, ",") || text_.is(at_ + 1, ")"));
    const bool converts = n < count && !(literal && word().find_first_of("fF") == std::string::npos);
    if (converts)
      for (const char *sign : {"(", "double", ")", "("})
        emit(*sign == 'd' ? TokenKind::identifier : TokenKind::punctuator, sign);
    expression(",)");
    if (converts) emit(TokenKind::punctuator, ")");
  }
  take();
}

// at_ is at the "(" of a call.
void Reader::check_arguments(std::size_t name_at, std::size_t wanted) const {
  const std::size_t end = text_.partner(at_);
  std::size_t given = end == at_ + 1 ? 0 : 1;
  for (std::size_t at = at_ + 1; at < end; ++at) {
    if (text_.is(at, "(") || text_.is(at, "[") || text_.is(at, "{")) at = text_.partner(at);
    if (text_.is(at, ",")) ++given;
  }
  if (given != wanted)
    refuse(text("calls '", text_.word(at_ - 1), "' with ", given, " arguments where ", wanted, " are known"), name_at);
}

void Reader::variable(int declaration, const QualifiedName &qualified_name) {
  const Declaration &one = collector_[declaration];
  const std::string where = text("the global '", spelled(qualified_name), "' (", collector_.place(one.name_at), ")");
  if (is_written(at_)) refuse(text("writes to ", where), text_.size());
  const bool pointer = one.declarator.end > one.declarator.begin && one.name_at != one.declarator.begin;
  const bool in_text = one.is_const && !one.initialiser.empty() && !pointer && !one.thread_local_;
  // What the text says is what the program has, whatever op_decl_const() was told under this name.
  const bool as_text =
      in_text && !collector_.computed_at_start(declaration) && collector_.can_use_variable(declaration);
  if (collector_.declared(one.name) && !as_text) {
    for (const int other : collector_.lookup().everywhere(one.name))
      if (collector_[other].kind == Declaration::Kind::variable && collector_[other].scope != one.scope)
        refuse(text("reads ", where, ", but there are several of this name (",
                    collector_.place(collector_[other].name_at), ")"),
               text_.size());
    refuse_kept(one.name, one.name_at);
    collector_.use_declared(one.name, declaration);
    return emit(TokenKind::identifier, one.name);
  }
  if (!in_text)
    refuse(text("reads ", where,
                ", which is not declared as a constant: declare it with op_decl_const to get specialised code"),
           text_.size());
  emit(TokenKind::identifier, collector_.use_variable(declaration));
}

// Whether the global named by the tokens before `end` is assigned to. Its address may be taken: what generated code has
// in its place is const, so that writing through the address does not compile.
bool Reader::is_written(std::size_t end) const {
  if (!out_.empty() && (out_.back().is("++") || out_.back().is("--"))) return true;
  while (end < end_ && (text_.is(end, "[") || text_.is(end, ".")))
    end = text_.is(end, "[") ? text_.partner(end) + 1 : end + 2;
  return end < end_ && (is_assignment(text_.word(end)) || text_.is(end, "++") || text_.is(end, "--"));
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
