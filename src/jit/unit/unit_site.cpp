#include "jit/unit/unit_site.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace op2::core::jit {

namespace {

std::string unquoted(const std::string &literal) {
  std::string out;
  for (std::size_t n = 1; n + 1 < literal.size(); ++n) {
    if (literal[n] == '\\' && n + 2 < literal.size()) ++n;
    out += literal[n];
  }
  return out;
}

// ccache gives compilers other folders than preprocessors.
std::string last_of(const std::string &path) { return path.substr(path.rfind('/') + 1); }

bool is_literal(const Text &text, std::size_t at) {
  return at < text.size() && text[at].token.kind == TokenKind::literal;
}

// Parts of a call's arguments between "(" and its partner, by commas outside of brackets.
std::vector<Range> arguments_of(const Text &text, std::size_t open) {
  std::vector<Range> out{{open + 1, open + 1}};
  for (std::size_t at = open + 1; at < text.partner(open); ++at) {
    if (text.is(at, ",")) {
      out.back().end = at;
      out.push_back({at + 1, at + 1});
    } else if (text.is(at, "(") || text.is(at, "[") || text.is(at, "{")) {
      at = text.partner(at);
    }
  }
  out.back().end = text.partner(open);
  return out;
}

std::size_t commas_in(const std::string &expression) {
  std::size_t out = 0;
  int depth = 0;
  for (const char c : expression) {
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    out += c == ',' && depth == 0 ? 1 : 0;
  }
  return out;
}

// In C++ the place is an argument of its own, {"kernel", "file", 12, ...}: par_loop(closure, kernel, {place}, ...), in
// OP2's words par_loop(first_choice(), closure, "name", {place}, kernel, ...).
Range kernel_of_call(const Text &text, std::size_t at, const std::string &expression) {
  for (std::size_t open = at; open-- > 2;) {
    if (!text.is(open, "(") || text.partner(open) < at) continue;
    const std::vector<Range> arguments = arguments_of(text, open);
    const auto place = std::find_if(arguments.begin(), arguments.end(),
                                    [&](const Range &one) { return one.begin <= at && at < one.end; });
    if (!text.is(place->begin, "{") || text.partner(place->begin) + 1 != place->end) return {};
    if (text.is(open - 1, "par_loop") && text.is(open - 3, "detail"))
      return place == arguments.begin() ? Range{} : place[-1];
    const auto last = static_cast<std::ptrdiff_t>(commas_in(expression)) + 1;
    return arguments.end() - place <= last ? Range{} : Range{place[1].begin, place[last].end};
  }
  return {};
}

// In C: op_site_.element = (op_kernel_fn)(kernel), behind the site.
Range kernel_of_statement(const Text &text, std::size_t at) {
  constexpr std::size_t farthest = 4000; // the arguments stand between
  for (std::size_t n = at; n + 8 < text.size() && n < at + farthest; ++n)
    if (text.is(n, "op_site_") && text.is(n + 1, ".") && text.is(n + 2, "element") && text.is(n + 3, "=") &&
        text.is(n + 5, "op_kernel_fn") && text.is(n + 7, "("))
      return {n + 8, text.partner(n + 7)};
  return {};
}

std::vector<std::string> words_of(const Text &text, Range range) {
  std::vector<std::string> out;
  for (std::size_t at = range.begin; at < range.end; ++at) out.push_back(text.word(at));
  return out;
}

std::vector<std::string> words_of(const std::string &expression) {
  std::vector<std::string> out;
  for (const Token &token : tokenize(expression)) out.push_back(token.text);
  return out;
}

// All loops at a line. any_folder: of files whose names are equal without their folders.
std::vector<UnitSite> sites_at(const Text &text, const std::string &expression, const std::string &file, int line,
                               bool any_folder) {
  const std::string digits = std::to_string(line), wanted = any_folder ? last_of(file) : file;
  std::vector<UnitSite> out;
  for (std::size_t at = 2; at < text.size(); ++at) {
    if (text[at].token.kind != TokenKind::number || text.word(at) != digits || !text.is(at - 1, ",") ||
        !is_literal(text, at - 2))
      continue;
    const std::string name = unquoted(text.word(at - 2));
    if ((any_folder ? last_of(name) : name) != wanted) continue;
    Range kernel = kernel_of_call(text, at, expression);
    if (kernel.empty()) kernel = kernel_of_statement(text, at);
    out.push_back({at, kernel});
  }
  return out;
}

} // namespace

UnitSite site_in_unit(const Text &text, const std::string &expression, const std::string &file, int line) {
  std::vector<UnitSite> found = sites_at(text, expression, file, line, false);
  if (found.empty()) found = sites_at(text, expression, file, line, true);
  if (found.empty()) throw Refusal(core::text("the text of its unit has no loop at ", file, ":", line));
  const auto differ = [&] {
    const std::vector<std::string> first = words_of(text, found[0].kernel);
    return std::any_of(found.begin(), found.end(),
                       [&](const UnitSite &one) { return words_of(text, one.kernel) != first; });
  };
  if (differ()) // what the loop says of itself decides, if no macro is in it
    std::erase_if(found, [&](const UnitSite &one) { return words_of(text, one.kernel) != words_of(expression); });
  if (found.empty() || differ())
    throw Refusal(core::text("several loops stand at ", file, ":", line, ", with different kernels"));
  return found[0];
}

FunctionName function_name(const std::string &demangled) {
  FunctionName out;
  std::string whole = demangled.substr(0, demangled.find(" [clone"));
  if (whole.find("{lambda") != whole.npos || whole.find("op2::detail::") != whole.npos) return out;
  if (whole.ends_with(")")) {
    int depth = 0;
    std::size_t open = whole.size();
    while (open-- > 0) {
      depth += whole[open] == ')' ? 1 : whole[open] == '(' ? -1 : 0;
      if (depth == 0) break;
    }
    if (open == std::string::npos) return out;
    whole.resize(open);
  } else {
    out.is_plain = true;
  }
  static constexpr std::string_view unnamed = "(anonymous namespace)::";
  for (std::size_t at = whole.find(unnamed); at != whole.npos; at = whole.find(unnamed))
    whole.erase(at, unnamed.size());
  if (whole.ends_with(">")) { // and the result's type stands in front
    int depth = 0;
    std::size_t open = whole.size();
    while (open-- > 0) {
      depth += whole[open] == '>' ? 1 : whole[open] == '<' ? -1 : 0;
      if (depth == 0) break;
    }
    if (open == std::string::npos) return out;
    whole.resize(open);
    out.is_template = true;
    if (const std::size_t blank = whole.rfind(' '); blank != whole.npos) whole.erase(0, blank + 1);
  }
  if (whole.find_first_of("<( ") != whole.npos) return out; // within a template, or an operator
  const std::size_t last = whole.rfind("::");
  out.scope = last == whole.npos ? "" : whole.substr(0, last);
  out.name = last == whole.npos ? whole : whole.substr(last + 2);
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
