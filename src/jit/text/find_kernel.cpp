// find_kernel.cpp: see find_kernel.hpp.
#include "jit/text/find_kernel.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "jit/text/collector.hpp"
#include "jit/text/excerpt.hpp"
#include "jit/text/instance.hpp"
#include "jit/unit/unit_site.hpp"

namespace op2::core::jit {

namespace {

using Kind = Declaration::Kind;

// How messages call the kernel: lambdas are long.
std::string short_name(const std::string &expression) {
  constexpr std::size_t most = 40;
  if (expression.size() <= most) return expression;
  return expression.substr(0, most - 3) + "...";
}

class KernelFinder {
 public:
  explicit KernelFinder(const KernelRequest &request)
      : request_(request), name_(short_name(request.expression)), source_(*request.unit) {
    if (source_.computes_otherwise) refuse("is in a text with a pragma that changes how functions compute");
    check_pairs();
    declarations_ = scan_declarations(text_);
    if (!request.given) site_ = site_in_unit(text_, request.expression, request.file, request.line);
    put_expression_behind();
    check_pairs();
    refuse_tgmath();
  }

  KernelText find() {
    strip();
    instantiate();
    if (!request_.given && text_.is(begin_, "[")) return lambda(begin_, around_loop());
    if (!request_.given && !request_.symbols.empty() && !instance_) return by_symbol();
    if (request_.given && (text_.is(begin_, "[") || by_name().empty()))
      if (const std::size_t at = bare_lambda(); at != Text::none) return lambda(at, {});
    if (text_.is(begin_, "[")) return lambda(begin_, {});
    return named();
  }

 private:
  [[noreturn]] void refuse(const std::string &what) const {
    std::string message = text("kernel '", name_, "' ");
    message += what;
    throw Refusal(message);
  }

  void put_expression_behind() {
    text_end_ = source_.tokens.size();
    SourceTokens expression(source_.tokens.begin() + static_cast<std::ptrdiff_t>(site_.kernel.begin),
                            source_.tokens.begin() + static_cast<std::ptrdiff_t>(site_.kernel.end));
    if (expression.empty())
      for (Token &token : tokenize(request_.expression, request_.line)) expression.push_back({std::move(token), 0});
    source_.tokens.push_back({Token{TokenKind::punctuator, ";", request_.line}, 0});
    begin_ = source_.tokens.size();
    source_.tokens.insert(source_.tokens.end(), expression.begin(), expression.end());
    end_ = source_.tokens.size();
  }

  // The function with the symbol of the kernel, whatever the loop calls it.
  KernelText by_symbol() {
    std::vector<int> found;
    std::string wanted;
    for (const std::string &symbol : request_.symbols) {
      const FunctionName function = function_name(symbol);
      if (function.name.empty()) continue;
      wanted = symbol;
      for (const int one : Lookup(declarations_).everywhere(function.name)) {
        const bool there =
            function.is_plain || declarations_.all[static_cast<std::size_t>(one)].scope == function.scope;
        if (there && !function.is_template && kind(one) == Kind::function &&
            (request_.parameters < 0 || parameter_count(one) == request_.parameters))
          found.push_back(one);
      }
    }
    if (wanted.empty()) return named(); // a lambda
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    if (!c_language_ && function_name(wanted).is_plain) // another one of a namespace has no such symbol
      std::erase_if(found, [&](int one) { return !has_c_linkage(one); });
    if (found.empty()) refuse(text("is '", wanted, "' in the program, which is not among the functions of its text"));
    if (found.size() > 1)
      refuse(text("is '", wanted, "' in the program, of which there are several in the text (", place(found[0]), ", ",
                  place(found[1]), ")"));
    return function(found[0]);
  }

  // A function, by one of its declarations: extern "C".
  bool has_c_linkage(int function) const {
    return std::ranges::any_of(Lookup(declarations_).everywhere(at(function).name), [&](int one) {
      return at(one).scope == at(function).scope && parameter_count(one) == parameter_count(function) &&
             linkage_of(at(one).name_at) == "\"C\"";
    });
  }

  // "\"C\"", "\"C++\"", or "" where no specification holds.
  std::string linkage_of(std::size_t name) const {
    std::string out;
    for (std::size_t at = 0; at < name; ++at) {
      if (!text_.is(at, "extern") || !text_.word(at + 1).starts_with('"')) continue;
      std::size_t end = at + 2;
      if (text_.is(end, "{")) {
        end = text_.partner(end);
      } else {
        while (end < name && !text_.is(end, ";") && !text_.is(end, "{")) ++end;
      }
      if (end >= name) out = text_.word(at + 1);
    }
    return out;
  }

  void refuse_tgmath() const {
    for (const std::string &header : source_.headers)
      if (c_language_ && header == "<tgmath.h>")
        refuse("is in a file with <tgmath.h>, which changes what functions mean");
  }

  void check_pairs() {
    if (const std::size_t at = text_.pair_up(); at != Text::none)
      refuse(text("is in a text with a '", text_.word(at), "' without counterpart (", source_.place(text_[at]), ")"));
  }

  // &k, +[](...) {...}, (k)
  void strip() {
    while (begin_ < end_) {
      if (text_.is(begin_, "&") || text_.is(begin_, "+") || text_.is(begin_, "*")) {
        ++begin_;
      } else if (text_.is(begin_, "(") && text_.partner(begin_) + 1 == end_) {
        ++begin_;
        --end_;
      } else {
        break;
      }
    }
  }

  // k<double, 2>: what it stands for is put behind the text, and the expression becomes its name.
  void instantiate() {
    std::size_t open = begin_;
    while (open < end_ && !text_.is(open, "<") && (text_.is_plain_name(open) || text_.is(open, "::"))) ++open;
    if (!text_.is(open, "<") || text_.behind_angles(open) != end_ || text_.is(end_ - 1, ">>")) return;
    const Range arguments{open + 1, end_ - 1};
    const std::size_t last = std::exchange(end_, open);
    std::vector<int> found = by_name();
    end_ = last;
    std::erase_if(found, [&](int one) { return kind(one) == Kind::prototype; });
    if (found.size() != 1 || kind(found[0]) != Kind::templated) return;
    check_symbol_of_instance(at(found[0]));
    check_meaning(arguments, at(found[0]));
    instance_ = true;
    template_at_ = at(found[0]).name_at;
    const std::string name = "op2_instance_of_" + at(found[0]).name;
    SourceTokens instance;
    try {
      instance = instance_of(text_, at(found[0]), arguments, name);
    } catch (const Refusal &reason) {
      refuse(reason.what());
    }
    source_.tokens.push_back({Token{TokenKind::punctuator, ";", request_.line}, 0}); // the expression is in front
    source_.tokens.insert(source_.tokens.end(), instance.begin(), instance.end());
    begin_ = source_.tokens.size();
    for (Token &token : tokenize(name, request_.line)) source_.tokens.push_back({std::move(token), 0});
    end_ = source_.tokens.size();
    check_pairs();
    declarations_ = scan_declarations(text_);
  }

  // The kernel is an instance of this template.
  void check_symbol_of_instance(const Declaration &function) const {
    if (request_.symbols.empty()) return;
    const bool same = std::any_of(request_.symbols.begin(), request_.symbols.end(), [&](const std::string &symbol) {
      const FunctionName name = function_name(symbol);
      return name.is_template && name.name == function.name && name.scope == function.scope;
    });
    if (!same)
      refuse(text("is '", request_.symbols[0], "' in the program, not an instance of the template in its text"));
  }

  // Names in a template's arguments must mean in the template what they mean at the loop.
  void check_meaning(Range arguments, const Declaration &function) const {
    const Lookup lookup(declarations_);
    const Declaration *const loop = around();
    for (std::size_t at = arguments.begin; at < arguments.end; ++at) {
      if (!text_.is_plain_name(at) || text_.is(at - 1, "::")) continue;
      const std::string &word = text_.word(at);
      if (is_variable_here(word) || (loop && has_word(loop->template_parameters, word)) ||
          declares_name(text_, {function.parameters.begin, function.body.end}, word) ||
          lookup.find({word}, function.scope) != lookup.find({word}, scope_at_loop()))
        refuse(text("has the argument '", word, "', whose name means something else in the template or at the loop"));
    }
  }
  bool has_word(Range range, const std::string &word) const {
    while (range.begin < range.end && text_.word(range.begin) != word) ++range.begin;
    return !range.empty();
  }

  QualifiedName qualified_name() const {
    QualifiedName out;
    for (std::size_t at = text_.is(begin_, "::") ? begin_ + 1 : begin_; at < end_; at += 2) {
      if (!text_.is_plain_name(at)) return {};
      out.push_back(text_.word(at));
      if (at + 1 < end_ && (!text_.is(at + 1, "::") || at + 2 == end_)) return {};
    }
    return out;
  }

  // Functions and variables that the expression may name.
  std::vector<int> by_name() const {
    const QualifiedName qualified_name = this->qualified_name();
    if (qualified_name.empty()) return {};
    const Lookup lookup(declarations_);
    std::vector<int> out = lookup.find(qualified_name, scope_at_loop());
    if (out.empty() && qualified_name.size() == 1) out = lookup.everywhere(qualified_name[0]);
    if (out.empty() && qualified_name.size() > 1) { // a::k written within the namespace b, for b::a::k
      const std::string whole = "::" + spelled(qualified_name);
      for (const int one : lookup.everywhere(qualified_name.back())) {
        const Declaration &declaration = declarations_.all[static_cast<std::size_t>(one)];
        if (("::" + joined(declaration.scope, declaration.name)).ends_with(whole)) out.push_back(one);
      }
    }
    return out;
  }

  KernelText named() {
    const QualifiedName qualified_name = this->qualified_name();
    if (qualified_name.empty()) refuse("is given by an expression that is not the name of a function");
    if (!request_.given) refuse_unclear(qualified_name);
    const Range around = around_loop();
    if (qualified_name.size() == 1) {
      if (const std::size_t at = lambda_variable(around, qualified_name[0]); at != Text::none)
        return lambda(at, around);
      if (is_variable_here(qualified_name[0])) refuse("is a variable, whose value the text does not tell");
    }
    std::vector<int> found = by_name();
    for (const int one : found)
      if (kind(one) == Kind::templated) refuse(text("is a template or deleted (", place(one), ")"));
    std::vector<int> functions = found;
    std::erase_if(functions, [&](int one) { return kind(one) != Kind::function; });
    if (functions.size() > 1 && request_.parameters >= 0)
      std::erase_if(functions, [&](int one) { return parameter_count(one) != request_.parameters; });
    if (functions.size() > 1)
      refuse(text("is defined more than once (", place(functions[0]), ", ", place(functions[1]), ")"));
    if (functions.size() == 1) return function(functions[0]);
    if (found.size() == 1 && kind(found[0]) == Kind::variable) {
      const Range initialiser = at(found[0]).initialiser;
      if (!initialiser.empty() && text_.is(initialiser.begin, "["))
        return lambda(initialiser.begin, {}, at(found[0]).scope);
      refuse(text("is a variable, whose value the text does not tell (", place(found[0]), ")"));
    }
    if (!found.empty()) refuse(text("is only declared (", place(found[0]), "), not defined in the text"));
    refuse(request_.given ? "is not found in the text given for it" : "is not found in the text of its unit");
  }

  // Without a symbol the name alone must say what is meant: nothing else in the unit has the name. That of a lambda in
  // the function around the loop hides all others.
  void refuse_unclear(const QualifiedName &qualified_name) const {
    const std::string &name = qualified_name.back();
    const Range around = around_loop();
    if (qualified_name.size() == 1 && lambda_variable(around, name) != Text::none) return;
    const Declaration *const loop = this->around();
    if (loop && (has_word(loop->template_parameters, name) || declares_name(text_, around, name)))
      refuse("has the name of a parameter or variable at the loop");
    const std::vector<int> declared = Lookup(declarations_).everywhere(name);
    const auto has_definition = [&](int one) {
      return std::ranges::any_of(declared, [&](int other) {
        return kind(other) == Kind::function && at(other).scope == at(one).scope &&
               parameter_count(other) == parameter_count(one);
      });
    };
    std::vector<int> all = declared;
    std::erase_if(all, [&](int one) { return kind(one) == Kind::prototype && has_definition(one); });
    for (const int one : all)
      if (kind(one) != kind(all[0]) || at(one).scope != at(all[0]).scope)
        refuse(text("could be one of several (", place(all[0]), ", ", place(one),
                    "): the program has no table of symbols"));
    for (const Using &use : declarations_.uses)
      if (!use.directive && use.name.back() == name && use.name.front() != "std")
        refuse("is named by a using declaration, and the program has no table of symbols");
  }

  KernelText function(int declaration) {
    for (const int other : Lookup(declarations_).find({at(declaration).name}, at(declaration).scope))
      if (request_.parameters < 0 && kind(other) == Kind::prototype &&
          parameter_count(other) != parameter_count(declaration))
        refuse(text("is overloaded (", place(declaration), ", ", place(other), ")"));
    try {
      Collector collector(source_, text_, declarations_, request_.constants, name_, c_language_);
      see_from(collector);
      collector.take_function(declaration);
      return collector.finish();
    } catch (const Refusal &reason) {
      return excerpt(declaration, reason.what());
    }
  }

  // What is put behind the text sees what can be seen at its own place.
  void see_from(Collector &collector) const {
    if (template_at_ != Text::none)
      collector.see_from(text_end_, template_at_);
    else if (!request_.given)
      collector.see_from(text_end_, site_.at);
  }

  // Throws the reason why the kernel is not taken otherwise, if there is no excerpt, either.
  KernelText excerpt(int declaration, const std::string &reason) const {
    const Declaration &function = at(declaration);
    KernelText out;
    out.why_excerpt = reason;
    if (c_language_) throw Refusal(reason);
    try {
      ExcerptText taken = excerpt_of(source_, text_, declarations_, request_.constants, declaration);
      out.excerpt = std::move(taken.text);
      out.excerpt_headers = std::move(taken.headers);
      out.declared = std::move(taken.declared);
      out.declared_arrays = std::move(taken.declared_arrays);
      out.places = std::move(taken.places);
    } catch (const Refusal &) {
      throw Refusal(reason);
    }
    out.callee = "::" + joined(function.scope, function.name);
    out.kernel.name = function.name;
    out.kernel.file = source_.files[static_cast<std::size_t>(text_[function.name_at].file)];
    out.kernel.line = text_[function.name_at].token.line;
    for (std::size_t n = function.body.begin; n < function.body.end; ++n) out.kernel.body.push_back(text_[n].token);
    return out;
  }

  KernelText lambda(std::size_t at, Range around) { return lambda(at, around, scope_at_loop()); }
  KernelText lambda(std::size_t at, Range around, const std::string &scope) {
    std::size_t end = at;
    while (end < text_.size() && !text_.is(end, "{")) {
      if (text_.is(end, "(") || text_.is(end, "[")) end = text_.partner(end);
      if (text_.is(end, ";")) break;
      ++end;
    }
    if (!text_.is(end, "{")) refuse("is a lambda that is not understood");
    end = text_.partner(end) + 1;
    const bool alone = at < text_end_ ? text_.is(end, ";") || end == text_end_ : end == end_;
    if (!alone) refuse("is given by an expression that is not a lambda alone");
    Collector collector(source_, text_, declarations_, request_.constants, name_, c_language_);
    see_from(collector);
    collector.take_lambda({at, end}, scope, around);
    return collector.finish();
  }

  // In text that was given: "[](...) {...}" among the definitions.
  std::size_t bare_lambda() const {
    std::size_t found = Text::none;
    for (std::size_t at = 0; at < text_end_; ++at) {
      const bool starts = at == 0 || text_.is(at - 1, ";") || text_.is(at - 1, "}");
      if (starts && text_.is(at, "[") && !text_.is(at + 1, "[")) {
        if (found != Text::none) refuse("stands for one of several lambdas in the text given for it");
        found = at;
      }
      if (text_.is(at, "(") || text_.is(at, "[") || text_.is(at, "{")) at = text_.partner(at);
    }
    return found;
  }
  // auto name = [](...) {...}; within a function
  std::size_t lambda_variable(Range around, const std::string &name) const {
    std::size_t found = Text::none;
    for (std::size_t at = around.begin; at + 3 < around.end; ++at) {
      if (!text_.is(at, "auto") || text_.word(at + 1) != name || !text_.is(at + 2, "=") || !text_.is(at + 3, "["))
        continue;
      if (!is_in_sight(around, at)) continue;
      if (found != Text::none) refuse("stands for one of several lambdas of this name");
      found = at + 3;
    }
    return found;
  }

  // Whether a block that is open at the loop has this place, before the loop.
  bool is_in_sight(Range around, std::size_t at) const {
    if (at > site_.at) return false;
    for (std::size_t open = around.begin; open < at; ++open)
      if (text_.is(open, "{") && text_.partner(open) > at && text_.partner(open) < site_.at) return false;
    return true;
  }

  // Is the name that of a parameter or local variable of the function around the loop, or of a member of its class? In
  // a class with bases, of a member of any class: those that are not in the text are not known.
  bool is_variable_here(const std::string &name) const {
    if (const Range range = around_loop(); !range.empty() && declares_name(text_, range, name)) return true;
    const Declaration *const record = class_around();
    return record && std::any_of(declarations_.all.begin(), declarations_.all.end(), [&](const Declaration &one) {
             return (&one == record || (record->based && one.kind == Kind::record)) &&
                    declares_name(text_, one.body, name);
           });
  }

  // The class in which the loop stands, or whose member function it stands in.
  const Declaration *class_around() const {
    if (request_.given) return nullptr;
    const Declaration *const function = around();
    for (const Declaration &one : declarations_.all)
      if ((one.kind == Kind::record || one.kind == Kind::templated) && !one.body.empty() && one.parameters.empty() &&
          (holds_loop(one.body) || (function && function->scope == joined(one.scope, one.name))))
        return &one;
    return nullptr;
  }
  bool holds_loop(Range range) const { return range.begin <= site_.at && site_.at < range.end; }

  // The function in which the loop stands: its parameters and body.
  const Declaration *around() const {
    if (request_.given) return nullptr;
    for (const Declaration &one : declarations_.all) {
      if (one.body.empty() || (one.kind != Kind::function && one.kind != Kind::templated)) continue;
      if (holds_loop(one.body)) return &one;
    }
    return nullptr;
  }
  Range around_loop() const {
    const Declaration *function = around();
    return function ? Range{function->parameters.begin, function->body.end} : Range{};
  }
  std::string scope_at_loop() const {
    if (const Declaration *const function = around()) return function->scope;
    const Declaration *const record = class_around();
    return record ? joined(record->scope, record->name) : "";
  }

  int parameter_count(int declaration) const {
    const Range range = at(declaration).parameters;
    if (range.empty()) return 0;
    int out = 1;
    for (std::size_t n = range.begin; n < range.end; ++n) {
      if (text_.is(n, "(") || text_.is(n, "[") || text_.is(n, "{")) n = text_.partner(n);
      if (text_.is(n, ",")) ++out;
    }
    return out;
  }

  const Declaration &at(int n) const { return declarations_.all[static_cast<std::size_t>(n)]; }
  Kind kind(int n) const { return at(n).kind; }
  std::string place(int n) const { return source_.place(text_[at(n).name_at]); }

  const KernelRequest &request_;
  std::string name_;
  const bool c_language_ = request_.c_language;
  Preprocessed source_;
  Text text_{source_.tokens};
  Declarations declarations_;
  UnitSite site_;         // of the loop; in a text that was given there is none
  bool instance_ = false; // of a template, which is written out
  std::size_t template_at_ = Text::none;
  std::size_t text_end_ = 0, begin_ = 0, end_ = 0; // of the text; of the expression, which is put behind it
};

} // namespace

KernelText find_kernel(const KernelRequest &request) { return KernelFinder(request).find(); }

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
