// scopes.cpp: see scopes.hpp.
#include "jit/fortran/parse/scopes.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "jit/fortran/parse/declarations.hpp"

namespace op2::core::jit::fortran {

bool is_assignment(const Line &line) {
  if (line.words.size() < 3 || line.words[0].kind != WordKind::name) return false;
  if (line.words[1].is("=")) return true;
  if (!line.words[1].is("(") && !line.words[1].is("%")) return false;
  int depth = 0;
  for (const Word &word : line.words) {
    if (word.is("(")) ++depth;
    if (word.is(")")) --depth;
    if (depth == 0 && word.is("=")) return true;
    if (depth == 0 && word.is("::")) return false;
  }
  return false;
}

namespace {

class ScopeReader {
 public:
  ScopeReader(Unit &unit, std::vector<Line> lines) : unit_(unit), lines_(std::move(lines)), end_(lines_.size()) {}

  // Whether there are such constructs.
  bool read() {
    for (std::size_t at = 0; at < end_; ++at) {
      if (is_assignment(lines_[at])) continue;
      const std::size_t first = behind_name(lines_[at]);
      const auto word = [&](std::size_t n) -> const Word & { return word_of(lines_[at], first + n); };
      if (word(0).is("block") && lines_[at].words.size() == first + 1)
        block(at);
      else if (word(0).is("associate") && word(1).is("("))
        associate(at, first + 1);
      else if (word(0).is("do") && word(1).is("concurrent"))
        concurrent(at, first + 2);
    }
    return number_ > 0;
  }
  std::vector<Line> take() { return std::move(lines_); }

 private:
  // Of "name: do": 2.
  static std::size_t behind_name(const Line &line) {
    return line.words.size() > 2 && line.words[0].kind == WordKind::name && line.words[1].is(":") ? 2 : 0;
  }
  static const Word &word_of(const Line &line, std::size_t at) {
    static const Word nothing{WordKind::sign, ""};
    return at < line.words.size() ? line.words[at] : nothing;
  }

  static bool ends(const Line &line, std::string_view what) {
    return word_of(line, 0).is(text("end", what)) || (word_of(line, 0).is("end") && word_of(line, 1).is(what));
  }
  bool begins(const Line &line, std::string_view what) const {
    const std::size_t first = behind_name(line);
    if (is_assignment(line) || !word_of(line, first).is(what)) return false;
    if (what == "block") return line.words.size() == first + 1;
    return what != "do" || word_of(line, first + 1).kind != WordKind::number;
  }
  // The line that ends the construct which begins at `at`; the end of the body if none does.
  std::size_t end_of(std::size_t at, std::string_view what) const {
    int depth = 0;
    for (; at < end_; ++at) {
      if (begins(lines_[at], what)) ++depth;
      if (ends(lines_[at], what) && --depth == 0) return at;
    }
    return end_;
  }

  std::string new_name(const std::string &name) const { return text(name, "_B", number_); }

  // In the words of the lines from `begin` to `end`; not components, nor keywords of arguments.
  void rename(std::size_t begin, std::size_t end, const std::string &name) {
    for (std::size_t at = begin; at < end; ++at) {
      Words &words = lines_[at].words;
      const bool header = begins(lines_[at], "do");
      int depth = 0;
      for (std::size_t w = 0; w < words.size(); ++w) {
        if (words[w].is("(")) ++depth;
        if (words[w].is(")")) --depth;
        if (words[w].kind != WordKind::name || words[w].text != name || (w > 0 && words[w - 1].is("%"))) continue;
        const bool keyword = depth > 0 && !header && word_of(lines_[at], w + 1).is("=") &&
                             (words[w - 1].is("(") || words[w - 1].is(","));
        if (!keyword) words[w].text = new_name(name);
      }
    }
  }

  void nothing(Line &line) const { line.words = {{WordKind::name, "continue"}}; }

  void block(std::size_t at) {
    ++number_;
    const std::size_t end = end_of(at, "block");
    Unit inside;
    inside.text = unit_.text;
    std::size_t body = at + 1;
    while (body < end && !is_assignment(lines_[body]) && !word_of(lines_[body], 0).is("use") &&
           read_declaration(inside, lines_[body]))
      ++body;
    for (const auto &[name, symbol] : inside.symbols) rename(at + 1, end, name);
    for (std::size_t line = at + 1; line < body; ++line) {
      read_declaration(unit_, lines_[line]);
      nothing(lines_[line]);
    }
    nothing(lines_[at]);
    if (end < end_) nothing(lines_[end]);
  }

  // The values themselves belong to the names outside.
  void associate(std::size_t at, std::size_t open) {
    ++number_;
    const std::size_t end = end_of(at, "associate");
    std::vector<std::string> names;
    Words &words = lines_[at].words;
    int depth = 0;
    for (std::size_t w = open; w < words.size(); ++w) {
      if (words[w].is("(")) ++depth;
      if (words[w].is(")")) --depth;
      if (depth != 1 || words[w].kind != WordKind::name || !word_of(lines_[at], w + 1).is("=>")) continue;
      names.push_back(words[w].text);
      words[w].text = new_name(words[w].text);
    }
    for (const std::string &name : names) rename(at + 1, end, name);
  }

  // Counters are variables of the construct.
  void concurrent(std::size_t at, std::size_t open) {
    ++number_;
    const std::size_t end = end_of(at, "do");
    const Words words = lines_[at].words;
    std::vector<std::string> names;
    int depth = 0;
    for (std::size_t w = open; w < words.size(); ++w) {
      if (words[w].is("(")) ++depth;
      if (words[w].is(")") && --depth == 0) break;
      if (depth == 1 && words[w].kind == WordKind::name && word_of(lines_[at], w + 1).is("="))
        names.push_back(words[w].text);
    }
    for (const std::string &name : names) {
      Symbol symbol;
      if (const auto known = unit_.symbols.find(name); known != unit_.symbols.end() && !known->second.array)
        symbol = known->second;
      symbol.name = new_name(name);
      if (!symbol.typed) {
        symbol.typed = true;
        symbol.base = Type::Base::integer;
      }
      symbol.dummy = false;
      symbol.intent = Symbol::Intent::none;
      symbol.line = lines_[at].line;
      symbol.file = lines_[at].file;
      unit_.symbols[symbol.name] = symbol;
      rename(at, end, name);
    }
  }

  Unit &unit_;
  std::vector<Line> lines_;
  std::size_t end_;
  int number_ = 0;
};

} // namespace

void read_scopes(Unit &procedure, const std::vector<Line> &lines) {
  if (procedure.body_end <= procedure.body_begin || procedure.body_end > lines.size()) return;
  ScopeReader reader(procedure, {lines.begin() + static_cast<std::ptrdiff_t>(procedure.body_begin),
                                 lines.begin() + static_cast<std::ptrdiff_t>(procedure.body_end)});
  if (reader.read()) procedure.body = reader.take();
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
