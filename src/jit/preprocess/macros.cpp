// macros.cpp: see macros.hpp. Rescanning follows the usual algorithm of hide sets: a token remembers the macros it came
// from, and is not expanded by them again.
#include "jit/preprocess/macros.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>

#include "base/text.hpp"

namespace op2::core::jit {

namespace {

constexpr std::size_t most_macro_tokens = 4'000'000;
constexpr int deepest_arguments = 100, deepest_chain = 500, most_misuses = 100;

// As the headers of the C library, and those of this library that kernels use, have them; the values are exact.
constexpr std::pair<const char *, const char *> built_in[] = {
    {"M_E", "2.7182818284590452354"},
    {"M_LOG2E", "1.4426950408889634074"},
    {"M_LOG10E", "0.43429448190325182765"},
    {"M_LN2", "0.69314718055994530942"},
    {"M_LN10", "2.30258509299404568402"},
    {"M_PI", "3.14159265358979323846"},
    {"M_PI_2", "1.57079632679489661923"},
    {"M_PI_4", "0.78539816339744830962"},
    {"M_1_PI", "0.31830988618379067154"},
    {"M_2_PI", "0.63661977236758134308"},
    {"M_2_SQRTPI", "1.12837916709551257390"},
    {"M_SQRT2", "1.41421356237309504880"},
    {"M_SQRT1_2", "0.70710678118654752440"},
    {"DBL_EPSILON", "2.2204460492503131e-16"},
    {"DBL_MIN", "2.2250738585072014e-308"},
    {"DBL_MAX", "1.7976931348623157e+308"},
    {"FLT_EPSILON", "1.1920929e-07f"},
    {"FLT_MIN", "1.17549435e-38f"},
    {"FLT_MAX", "3.40282347e+38f"},
    {"INT_MAX", "2147483647"},
    {"INT_MIN", "(-2147483647 - 1)"},
    {"UINT_MAX", "4294967295u"},
    {"INT32_MAX", "2147483647"},
    {"INT32_MIN", "(-2147483647 - 1)"},
    {"HUGE_VAL", "__builtin_huge_val()"},
    {"INFINITY", "__builtin_inff()"},
    {"NAN", "__builtin_nanf(\"\")"},
    {"NULL", "nullptr"},
    {"OP_PARTICLE_GONE", "(-1)"},
    {"OP_PARTICLE_ARRIVED", "(-2)"},
};

// The value of a macro that is one literal of type double.
std::optional<double> value_of(const Macro &macro) {
  Tokens body = macro.body;
  while (body.size() > 2 && body.front().is("(") && body.back().is(")"))
    body = Tokens(body.begin() + 1, body.end() - 1);
  if (macro.function || body.size() != 1 || body[0].kind != TokenKind::number) return {};
  char *end = nullptr;
  const std::string &spelling = body[0].text;
  if (spelling.find_first_of(".eE") == std::string::npos) return {};
  const double value = std::strtod(spelling.c_str(), &end);
  if (*end != '\0') return {};
  return value;
}

bool same(const Macro &left, const Macro &right) {
  const auto equal = [](const Token &a, const Token &b) { return a.kind == b.kind && a.text == b.text; };
  if (const std::optional<double> value = value_of(left); value && value == value_of(right)) return true;
  return left.function == right.function && left.parameters == right.parameters &&
         std::equal(left.body.begin(), left.body.end(), right.body.begin(), right.body.end(), equal);
}

// The macros a token came from.
struct Hidden {
  const Macro *macro;
  const Hidden *next;
  int length;
};
bool contains(const Hidden *set, const Macro *macro) {
  for (; set; set = set->next)
    if (set->macro == macro) return true;
  return false;
}

struct Work {
  SourceToken token;
  const Hidden *hidden = nullptr;
};
using Works = std::vector<Work>;

class Expansion {
 public:
  explicit Expansion(const Macros &macros) : macros_(macros) {}

  Works expand(const Works &in, int depth) {
    Works out, stack(in.rbegin(), in.rend()); // the next token is the last of the stack
    while (!stack.empty()) {
      Work work = std::move(stack.back());
      stack.pop_back();
      const Macro *macro = expandable(work);
      if (macro && macro->doubt >= 0) {
        if (work.token.doubt < 0) work.token.doubt = macro->doubt;
        macro = nullptr;
      }
      if (!macro || (macro->function && !(!stack.empty() && stack.back().token.token.is("(")))) {
        out.push_back(std::move(work));
        continue;
      }
      if (!macro->function)
        put(stack, substitute(*macro, {}, work, with(work.hidden, macro), depth));
      else if (!call(*macro, work, stack, depth))
        out.push_back(misused(*macro, std::move(work)));
    }
    return out;
  }

 private:
  const Macro *expandable(const Work &work) const {
    if (work.token.token.kind != TokenKind::identifier) return nullptr;
    const Macro *macro = macros_.find(work.token.token.text);
    return macro && !contains(work.hidden, macro) ? macro : nullptr;
  }

  const Hidden *with(const Hidden *set, const Macro *macro) {
    if (contains(set, macro)) return set;
    const int length = set ? set->length + 1 : 1;
    if (length > deepest_chain || sets_.size() > most_macro_tokens)
      throw Refusal("macros refer to each other too deeply");
    return &sets_.emplace_back(Hidden{macro, set, length});
  }
  const Hidden *both(const Hidden *left, const Hidden *right) {
    const Hidden *out = nullptr;
    for (; left; left = left->next)
      if (contains(right, left->macro)) out = with(out, left->macro);
    return out;
  }

  // Replaces name(...) on the stack. Returns false, with the stack as it was, when the call does not end or has another
  // number of arguments.
  bool call(const Macro &macro, Work &name, Works &stack, int depth) {
    std::vector<Works> arguments(1);
    std::size_t at = stack.size() - 1; // of "("
    int level = 1;
    while (level > 0) {
      if (at-- == 0) return false;
      const Token &token = stack[at].token.token;
      level += (token.is("(") ? 1 : 0) - (token.is(")") ? 1 : 0);
      if (level == 1 && token.is(","))
        arguments.emplace_back();
      else if (level > 0)
        arguments.back().push_back(stack[at]);
    }
    if (macro.parameters.empty() && arguments.size() == 1 && arguments[0].empty()) arguments.clear();
    if (arguments.size() != macro.parameters.size()) return false;
    const Hidden *hidden = with(both(name.hidden, stack[at].hidden), &macro);
    stack.erase(stack.begin() + static_cast<std::ptrdiff_t>(at), stack.end());
    put(stack, substitute(macro, arguments, name, hidden, depth));
    return true;
  }

  Work misused(const Macro &macro, Work name) {
    if (++misuses_ > most_misuses) throw Refusal(text("calls of the macro '", name.token.token.text, "' do not end"));
    if (name.token.doubt < 0) name.token.doubt = macro.misuse;
    return name;
  }

  // The macro's body with its arguments, at the place of `name`.
  Works substitute(const Macro &macro, const std::vector<Works> &arguments, const Work &name, const Hidden *hidden,
                   int depth) {
    if (depth > deepest_arguments) throw Refusal("macro calls are nested too deeply");
    std::vector<std::optional<Works>> expanded(arguments.size());
    Works out;
    for (const Token &token : macro.body) {
      const auto parameter = token.kind == TokenKind::identifier
                                 ? std::find(macro.parameters.begin(), macro.parameters.end(), token.text)
                                 : macro.parameters.end();
      if (parameter == macro.parameters.end()) {
        out.push_back({{token, name.token.file, name.token.doubt}, hidden});
        out.back().token.token.line = name.token.token.line;
      } else {
        const std::size_t n = static_cast<std::size_t>(parameter - macro.parameters.begin());
        if (!expanded[n]) expanded[n] = expand(arguments[n], depth + 1);
        for (const Work &work : *expanded[n]) {
          out.push_back(work);
          for (const Hidden *set = hidden; set; set = set->next)
            out.back().hidden = with(out.back().hidden, set->macro);
        }
      }
      bound(out.size());
    }
    total_ += out.size();
    bound(0);
    return out;
  }

  void bound(std::size_t more) const {
    if (total_ + more > most_macro_tokens)
      throw Refusal(text("macros expand to more than ", most_macro_tokens, " tokens"));
  }

  static void put(Works &stack, const Works &tokens) { stack.insert(stack.end(), tokens.rbegin(), tokens.rend()); }

  const Macros &macros_;
  std::deque<Hidden> sets_;
  std::size_t total_ = 0;
  int misuses_ = 0;
};

} // namespace

Macros::Macros() {
  for (const auto &[name, body] : built_in) {
    Macro macro;
    macro.built_in = true;
    macro.body = tokenize(body);
    macros_[name] = std::move(macro);
  }
}

void Macros::define(const std::string &name, Macro macro) {
  const auto known = macros_.find(name);
  // "#ifndef M_PI #define M_PI ..." with the usual value changes nothing, whoever defines it.
  if (known != macros_.end() && known->second.doubt < 0 && macro.doubt >= 0 && same(known->second, macro)) return;
  undefined_.erase(name);
  macros_[name] = std::move(macro);
}

void Macros::undefine(const std::string &name, int doubt) {
  const auto known = macros_.find(name);
  if (doubt < 0) {
    if (known != macros_.end()) macros_.erase(known);
    undefined_[name] = true;
  } else if (known != macros_.end()) {
    known->second.doubt = doubt;
  }
}

Truth Macros::defined(const std::string &name) const {
  const Macro *macro = find(name);
  if (macro) return macro->doubt >= 0 || macro->built_in ? Truth::uncertain : Truth::yes;
  return undefined_.count(name) ? Truth::no : Truth::uncertain;
}

const Macro *Macros::find(const std::string &name) const {
  const auto found = macros_.find(name);
  return found == macros_.end() ? nullptr : &found->second;
}

SourceTokens Macros::expand(std::span<const SourceToken> tokens) const {
  Works in;
  in.reserve(tokens.size());
  for (const SourceToken &token : tokens) in.push_back({token, nullptr});
  SourceTokens out;
  for (Work &work : Expansion(*this).expand(in, 0)) out.push_back(std::move(work.token));
  return out;
}

} // namespace op2::core::jit
