// excerpt.cpp: see excerpt.hpp.
#include "jit/text/excerpt.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <vector>

#include "base/text.hpp"
#include "jit/text/known_functions.hpp"
#include "jit/text/names/replaceable.hpp"
#include "jit/text/names/specialised.hpp"
#include "jit/text/words.hpp"

namespace op2::core::jit {

namespace {

using Kind = Declaration::Kind;

// Headers of values and functions on them. Others are for input, output, memory and threads, and slow to compile.
constexpr std::array headers = {
    "<cmath>",    "<math.h>",   "<algorithm>", "<array>",    "<numeric>",     "<utility>",    "<tuple>",
    "<limits>",   "<cstdint>",  "<stdint.h>",  "<cstddef>",  "<type_traits>", "<float.h>",    "<cfloat>",
    "<limits.h>", "<climits>",  "<numbers>",   "<bit>",      "<complex>",     "<functional>", "<initializer_list>",
    "<cstdlib>",  "<stdlib.h>", "<cstring>",   "<string.h>", "<concepts>"};

// Words of what no kernel does, and of what a text says of its own place or of the compiler that reads it.
constexpr std::array forbidden = {"printf",
                                  "fprintf",
                                  "puts",
                                  "cout",
                                  "cerr",
                                  "malloc",
                                  "free",
                                  "new",
                                  "rand",
                                  "throw",
                                  "fopen",
                                  "asm",
                                  "thread_local",
                                  "volatile",
                                  "exit",
                                  "abort",
                                  "__func__",
                                  "__FUNCTION__",
                                  "__PRETTY_FUNCTION__",
                                  "__builtin_LINE",
                                  "__builtin_FILE",
                                  "__builtin_FUNCTION",
                                  "__builtin_COLUMN",
                                  "__builtin_return_address",
                                  "__builtin_frame_address",
                                  "__builtin_constant_p",
                                  "source_location",
                                  "is_constant_evaluated",
                                  "__builtin_is_constant_evaluated",
                                  "char8_t",
                                  "__asm__",
                                  "__builtin_unreachable",
                                  "errno",
                                  "__errno_location"};

class Excerpt {
 public:
  Excerpt(const Preprocessed &source, const Text &text, const Declarations &declarations,
          std::span<const DeclaredConstant> constants)
      : source_(source), text_(text), declarations_(declarations), constants_(constants) {}

  ExcerptText of(int kernel) {
    if (source_.packed) throw Refusal("the text packs structures");
    find_constrained();
    specialised_ = specialised_templates(text_);
    take(kernel);
    while (!waiting_.empty()) {
      const int next = waiting_.back();
      waiting_.pop_back();
      follow(next);
      if (waiting_.empty()) take_operators_and_members();
    }
    for (const int n : taken_) note_own_names(whole(at(n)));
    ExcerptText result;
    for (const auto &[name, array] : declared_) {
      result.declared.push_back(name);
      if (array) result.declared_arrays.push_back(name);
    }
    result.places = places_;
    for (const char *header : headers)
      if (includes(source_.headers, header) || (includes(source_.nested, header) && may_be_nested(header)))
        result.headers += text("#include ", header, "\n");
    std::string &out = result.text;
    out += written();
    return result;
  }

 private:
  static bool includes(const std::vector<std::string> &list, std::string_view header) {
    return std::find(list.begin(), list.end(), header) != list.end();
  }
  // Quickly compiled ones. The program itself must have named the others.
  static bool may_be_nested(std::string_view header) {
    static constexpr std::array quick = {"<array>",       "<tuple>",   "<utility>", "<limits>",
                                         "<type_traits>", "<cmath>",   "<numeric>", "<algorithm>",
                                         "<cstdint>",     "<cstddef>", "<cstdlib>"};
    return std::find(quick.begin(), quick.end(), header) != quick.end();
  }
  const Declaration &at(int n) const { return declarations_.all[static_cast<std::size_t>(n)]; }

  void take(int n) {
    if (!taken_.insert(n).second) return;
    if (at(n).kind == Kind::enumerator || (at(n).kind == Kind::alias && at(n).parent >= 0)) take(at(n).parent);
    if ((at(n).kind == Kind::record || at(n).kind == Kind::enumeration) && at(n).owner >= 0) take(at(n).owner);
    waiting_.push_back(n);
  }

  // From "template <...>" in front of a declaration, if there is one, to its end.
  Range whole(const Declaration &one) const {
    constexpr std::size_t farthest = 300;
    Range out = one.all;
    for (std::size_t back = 1; back < farthest && back <= out.begin; ++back) {
      const std::size_t start = out.begin - back;
      if (text_.is(start, ";") || text_.is(start, "}")) break;
      if (text_.is(start, "template") && text_.behind_attributes(text_.behind_angles(start + 1)) == out.begin) {
        out.begin = start;
        back = 0;
      }
    }
    return out;
  }

  // Functions with a requires clause, which the scanner of declarations does not know.
  void find_constrained() {
    for (std::size_t here = 0; here < text_.size(); ++here) {
      if (!text_.is(here, "requires")) continue;
      std::size_t begin = here, end = here;
      while (begin > 0 && !text_.is(begin - 1, ";") && !text_.is(begin - 1, "}") && !text_.is(begin - 1, "{")) --begin;
      while (end < text_.size() && !text_.is(end, ";") && !text_.is(end, "{")) ++end;
      for (std::size_t at = begin; at < end; ++at)
        if (text_.is_plain_name(at) && text_.is(at + 1, "(")) constrained_.insert(text_.word(at));
    }
  }

  // Takes all that a name in the declaration may mean.
  void follow(int n) {
    const Range range = whole(at(n));
    check(range, at(n));
    if (at(n).kind == Kind::function)
      if (const std::string what = replaceable(source_, text_, declarations_, at(n), false); !what.empty())
        throw Refusal(text("'", at(n).name, "' is ", what));
    for (std::size_t here = range.begin; here < range.end; ++here) {
      if (!text_.is_plain_name(here) || text_.is(here - 1, ".") || text_.is(here - 1, "->")) continue;
      refuse_specialised(here);
      if (text_.is(here - 1, "::") && text_.is(here - 2, "std")) continue;
      if (text_.is(here + 1, "(") && constrained_.count(text_.word(here)) != 0)
        throw Refusal(text("'", text_.word(here), "' has constraints"));
      // A local variable may have the name of a function.
      const bool called = text_.is(here + 1, "(") || text_.is(here + 1, "<") || text_.is(here + 1, "{");
      const bool local = !called && declares_name(text_, {range.begin, range.end}, text_.word(here));
      const auto [begin, end] = declarations_.by_name.equal_range(text_.word(here));
      bool defined = false, declared = false;
      for (auto entry = begin; entry != end; ++entry) {
        const Declaration &one = at(entry->second);
        if (local && (one.kind == Kind::function || one.kind == Kind::templated || one.kind == Kind::prototype))
          continue;
        if (one.kind == Kind::variable && !one.is_const) {
          if (declares_name(text_, {range.begin, range.end}, one.name)) continue;
          if (at(n).kind == Kind::variable) refuse_variable(one); // the other one keeps the value of another time
          note_constant(one, here);
          continue;
        }
        if (one.kind == Kind::variable && points(one)) refuse_variable(one);
        defined = defined || one.kind != Kind::prototype;
        declared = declared || one.kind == Kind::prototype;
        take(entry->second);
      }
      if (declared && !defined && text_.is(here + 1, "("))
        throw Refusal(text("'", text_.word(here), "' is declared but not defined in the text"));
    }
  }

  // A specialisation is not among the declarations. Functions and types of the standard library may use those of it.
  void refuse_specialised(std::size_t here) const {
    const std::string &word = text_.word(here);
    const bool binds = text_.is(here - 1, "[") && specialised_.names.contains("tuple_size");
    const bool of_std = specialised_.of_std && text_.is(here - 1, "::") && text_.is(here - 2, "std");
    if (specialised_.names.contains(word) || binds || (of_std && !known_function(word)))
      throw Refusal(text("'", word, "' may mean a specialisation of a template"));
  }

  // A variable that can change is as good as a constant if op_decl_const() told of it what the text says.
  void note_constant(const Declaration &one, std::size_t here) {
    const auto known = std::find_if(constants_.begin(), constants_.end(),
                                    [&](const DeclaredConstant &constant) { return constant.name == one.name; });
    if (known == constants_.end() || known->scalar == Scalar::other || points(one) || text_.is(here - 1, "::"))
      refuse_variable(one);
    if (const Scalar scalar = scalar_at(one.type); scalar != Scalar::other && scalar != known->scalar)
      refuse_variable(one);
    int subscripts = 0;
    for (std::size_t at = one.declarator.begin; at < one.declarator.end; ++at) subscripts += text_.is(at, "[") ? 1 : 0;
    if (subscripts > 1) refuse_variable(one); // of which op_decl_const() knows the number of values only
    declared_[one.name] = subscripts > 0;
    const auto [place, fresh] = places_.emplace(one.name, TextVariable{true, one.internal, one.scope, nullptr, ""});
    if (!fresh && place->second.scope != one.scope) refuse_variable(one);
    place->second.internal = place->second.internal || one.internal;
  }
  Scalar scalar_at(Range type) const {
    Tokens words;
    for (std::size_t at = type.begin; at < type.end; ++at)
      if (!text_.is_name(at) || (!is_storage_specifier(text_.word(at)) && !is_qualifier(text_.word(at))))
        words.push_back(text_[at].token);
    return scalar_of(words);
  }

  // const double *table, which may point elsewhere later.
  bool points(const Declaration &one) const {
    for (std::size_t here = one.declarator.begin; here < one.declarator.end; ++here)
      if (text_.is(here, "*") || text_.is(here, "&")) return true;
    return false;
  }

  [[noreturn]] void refuse_variable(const Declaration &one) const {
    throw Refusal(text("'", one.name, "' (", source_.place(text_[one.name_at]), ") can change"));
  }

  void check(Range range, const Declaration &one) const {
    if (one.is_extern && one.kind == Kind::variable) refuse_variable(one);
    for (std::size_t here = range.begin; here < range.end; ++here) {
      const std::string &word = text_.word(here);
      if (text_[here].token.kind == TokenKind::literal && word.starts_with("u8"))
        throw Refusal("the type of u8 literals differs");
      if (std::find(forbidden.begin(), forbidden.end(), word) != forbidden.end())
        throw Refusal(text("'", one.name, "' uses ", word));
      if (word == "static" && here > range.begin + 1 && keeps_state(here, range.end))
        throw Refusal(text("'", one.name, "' has a static variable"));
    }
  }
  // "static int calls;" within a function or record, but not "static const int n = 3;" and "static int f()". A constant
  // that is computed from other values keeps those of its first time.
  bool keeps_state(std::size_t here, std::size_t end) const {
    bool is_const = false;
    for (; here < end && !text_.is(here, ";") && !text_.is(here, "=") && !text_.is(here, "{"); ++here) {
      if (text_.is(here, "constexpr") || text_.is(here, "(")) return false;
      is_const = is_const || text_.is(here, "const");
    }
    for (; is_const && here < end && !text_.is(here, ";"); ++here)
      if (text_.is_plain_name(here) && !text_.is(here + 1, "=") && !text_.is(here + 1, "[")) return true;
    return !is_const;
  }

  // Operators on types that were taken, and their members that are defined outside of them.
  void take_operators_and_members() {
    std::set<std::string> types;
    for (const int n : taken_)
      if (at(n).kind != Kind::function && at(n).kind != Kind::variable) types.insert(at(n).name);
    for (std::size_t n = 0; n < declarations_.all.size(); ++n) {
      const Declaration &one = declarations_.all[n];
      const std::size_t last = one.scope.rfind("::");
      bool wanted = types.count(last == std::string::npos ? one.scope : one.scope.substr(last + 2)) != 0 &&
                    text_.is(one.name_at - 1, "::");
      if (one.name.starts_with("operator"))
        for (std::size_t here = one.parameters.begin; here < one.parameters.end; ++here)
          wanted = wanted || types.count(text_.word(here)) != 0;
      if (wanted) take(static_cast<int>(n));
    }
  }

  // The namespace of a declaration: its scope without what is written in front of its own name.
  std::string scope_of(const Declaration &one) const {
    std::string out = one.scope;
    for (std::size_t here = one.name_at; here >= 2 && text_.is(here - 1, "::") && text_.is_plain_name(here - 2);
         here -= 2) {
      const std::size_t last = out.rfind("::");
      out = last == std::string::npos ? "" : out.substr(0, last);
    }
    return out;
  }

  // Notes names of functions of mathematics that a piece declares for something of its own: a lambda, a parameter, a
  // member function.
  void note_own_names(Range range) {
    for (std::size_t here = range.begin; here < range.end; ++here) {
      if (!text_.is_plain_name(here) || !known_function(text_.word(here)) || text_.is(here - 1, "::")) continue;
      const std::string &before = text_.word(here - 1);
      const bool typed = text_.is_name(here - 1) && (!is_keyword(before) || is_type_specifier(before));
      if (!text_.is(here + 1, "(") || typed) own_.insert(text_.word(here));
    }
  }

  // Functions of mathematics are those that the compiler can call for all lanes at once.
  std::string written(std::size_t here) const {
    const std::string &word = text_.word(here);
    if (declared_here_.count(word) && text_.is_plain_name(here) && !text_.is(here - 1, ".") &&
        !text_.is(here - 1, "->"))
      return constant_prefix + word;
    const KnownFunction *const known = text_.is(here + 1, "(") ? known_function(word) : nullptr;
    if (text_.is(here, "std") && text_.is(here + 1, "::") && text_.is(here + 3, "("))
      if (const KnownFunction *const next = known_function(text_.word(here + 2)); next && in_lanes(*next, here + 3))
        return "op2m";
    const bool plain = known && in_lanes(*known, here + 1) && !text_.is(here - 1, "::") && !text_.is(here - 1, ".") &&
                       !text_.is(here - 1, "->") && declarations_.by_name.count(word) == 0 && own_.count(word) == 0;
    return plain ? text("op2m::", known->single ? "" : "c_", word) : word;
  }
  bool in_lanes(const KnownFunction &one, std::size_t open) const { // hypot() may have three arguments
    int given = 1;
    for (std::size_t here = open + 1; here < text_.partner(open); ++here) {
      if (text_.is(here, "(") || text_.is(here, "[") || text_.is(here, "{")) here = text_.partner(here);
      given += text_.is(here, ",") ? 1 : 0;
    }
    if (given != one.arguments) return false;
    static const std::set<std::string_view> functions = {
        "exp",  "exp2", "expm1", "log",  "log2",  "log10", "log1p", "cbrt", "sin",  "cos", "tan",   "asin", "acos",
        "atan", "sinh", "cosh",  "tanh", "asinh", "acosh", "atanh", "erf",  "erfc", "pow", "atan2", "hypot"};
    return functions.count(one.single ? one.twin : one.name) != 0;
  }

  // Whether names that a using directive or declaration brings are among what is written before it. An empty namespace
  // brings none.
  bool brings_something(const Using &use) const {
    if (use.name.front() == "std") return true;
    std::string space;
    for (std::size_t n = 0; n + (use.directive ? 0 : 1) < use.name.size(); ++n) space = joined(space, use.name[n]);
    return std::any_of(taken_.begin(), taken_.end(), [&](int n) {
      const std::string scope = "::" + scope_of(at(n));
      return at(n).all.begin < use.all.begin && scope.ends_with("::" + space) &&
             (use.directive || at(n).name == use.name.back());
    });
  }

  struct Piece {
    Range range;
    std::string scope;
  };
  std::string written() {
    std::vector<Piece> pieces;
    for (const int n : taken_)
      if (at(n).kind != Kind::enumerator) pieces.push_back({whole(at(n)), scope_of(at(n))});
    for (const Using &use : declarations_.uses)
      if (brings_something(use)) pieces.push_back({use.all, use.scope});
    std::sort(pieces.begin(), pieces.end(), [](const Piece &a, const Piece &b) {
      return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : a.range.end > b.range.end;
    });
    std::string out;
    std::size_t end = 0;
    for (const auto &[range, scope] : pieces) {
      if (range.end <= end) continue; // within the one before
      end = range.end;
      declared_here_.clear();
      for (const auto &[name, array] : declared_)
        if (!declares_name(text_, range, name)) declared_here_.insert(name);
      if (!scope.empty()) out += text("namespace ", scope, " {\n");
      const bool use = text_.is(range.begin, "using");
      for (std::size_t here = range.begin; here < range.end; ++here)
        out += (use ? text_.word(here) : written(here)) + " ";
      out += scope.empty() ? ";\n" : ";\n}\n";
    }
    return out;
  }

  const Preprocessed &source_;
  const Text &text_;
  const Declarations &declarations_;
  std::set<int> taken_;
  std::vector<int> waiting_;
  std::set<std::string> own_, constrained_;
  SpecialisedTemplates specialised_;
  std::span<const DeclaredConstant> constants_;
  std::map<std::string, TextVariable> places_;
  std::map<std::string, bool> declared_; // constants of the program that are read; whether they are arrays
  std::set<std::string> declared_here_;  // those whose names the piece that is written has for nothing else
};

} // namespace

ExcerptText excerpt_of(const Preprocessed &source, const Text &text, const Declarations &declarations,
                       std::span<const DeclaredConstant> constants, int kernel) {
  return Excerpt(source, text, declarations, constants).of(kernel);
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
