// units.cpp: program units of a file; see tree.hpp. Their declarations are read by declarations.cpp.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "jit/fortran/parse/cursor.hpp"
#include "jit/fortran/parse/declarations.hpp"
#include "jit/fortran/parse/scopes.hpp"

namespace op2::core::jit::fortran {

namespace {

class UnitReader {
 public:
  explicit UnitReader(SourceText &text) : text_(text), lines_(text.statements.lines) {}

  void read() {
    while (at_ < lines_.size()) {
      std::unique_ptr<Unit> unit = begins_unit();
      if (!unit) { // a main program without its line, or something unknown
        unit = std::make_unique<Unit>();
        unit->kind = Unit::Kind::program;
        place(*unit);
      } else {
        ++at_;
      }
      finish(*unit);
      text_.units.push_back(std::move(unit));
    }
  }

 private:
  void place(Unit &unit) const {
    unit.line = lines_[at_].line;
    unit.file = lines_[at_].file;
    unit.text = &text_;
    unit.begin = at_;
  }

  // The head of a unit at this line; NULL if it is none.
  std::unique_ptr<Unit> begins_unit() const {
    const Line &line = lines_[at_];
    if (is_assignment(line)) return nullptr;
    auto out = std::make_unique<Unit>();
    place(*out);
    Cursor cursor(line, text_);
    const std::string first = cursor.word().text;
    const bool named = cursor.is_name() && cursor.is_name(1);
    if (first == "module" && named && line.words.size() == 2) {
      out->kind = Unit::Kind::module;
      out->name = line.words[1].text;
      return out;
    }
    if ((first == "program" || first == "submodule") && line.words.size() >= 2) {
      out->kind = first == "program" ? Unit::Kind::program : Unit::Kind::other;
      out->name = line.words.back().text;
      return out;
    }
    if (first == "block" && line.words.size() <= 3 && line.words.size() > 1 && line.words[1].is("data")) {
      out->kind = Unit::Kind::other;
      return out;
    }
    return procedure(std::move(out), line);
  }

  std::unique_ptr<Unit> procedure(std::unique_ptr<Unit> out, const Line &line) const {
    static constexpr std::array<std::string_view, 7> prefixes = {"pure",          "elemental", "impure",    "recursive",
                                                                 "non_recursive", "module",    "attributes"};
    Cursor cursor(line, text_);
    Symbol result;
    while (!cursor.at_end()) {
      if (cursor.is("subroutine") || cursor.is("function")) break;
      if (cursor.is("end")) return nullptr;
      if (std::any_of(prefixes.begin(), prefixes.end(), [&](std::string_view word) { return cursor.is(word); })) {
        out->elemental = out->elemental || cursor.is("elemental");
        cursor.skip();
        if (cursor.is("(")) cursor.go_to(cursor.behind_brackets(cursor.position()));
        continue;
      }
      try {
        if (!type_specification(cursor, result)) return nullptr;
      } catch (const Refusal &) {
        return nullptr;
      }
    }
    if (cursor.at_end() || !cursor.is_name(1)) return nullptr;
    out->kind = cursor.is("subroutine") ? Unit::Kind::subroutine : Unit::Kind::function;
    cursor.skip();
    out->name = out->result = cursor.name();
    if (cursor.accept("(")) {
      while (!cursor.at_end() && !cursor.is(")")) {
        if (cursor.is_name()) out->dummies.push_back(cursor.word().text);
        if (cursor.is("*")) out->dummies.push_back("*");
        cursor.skip();
      }
      cursor.accept(")");
    }
    while (!cursor.at_end()) {
      if (cursor.is("result") && cursor.word(1).is("(")) out->result = cursor.word(2).text;
      cursor.skip();
    }
    if (out->kind == Unit::Kind::function) {
      Symbol &symbol = out->symbols[out->result];
      symbol = result;
      symbol.name = out->result;
      symbol.line = line.line;
      symbol.file = line.file;
    }
    for (const std::string &dummy : out->dummies) {
      Symbol &symbol = out->symbols[dummy];
      symbol.name = dummy;
      symbol.dummy = true;
      symbol.line = line.line;
      symbol.file = line.file;
    }
    return out;
  }

  // end, end subroutine name: of a unit, not of a construct.
  bool ends_unit() const {
    const Words &words = lines_[at_].words;
    if (is_assignment(lines_[at_])) return false;
    static constexpr std::array<std::string_view, 8> what = {"module", "program",   "subroutine", "function",
                                                             "block",  "submodule", "procedure",  "blockdata"};
    for (const std::string_view one : what) {
      if (words[0].is(text("end", one))) return one != "block";
      if (words.size() > 1 && words[0].is("end") && words[1].is(one))
        return one != "block" || (words.size() > 2 && words[2].is("data"));
    }
    return words.size() == 1 && words[0].is("end");
  }

  void finish(Unit &unit) {
    take(unit);
    if (unit.is_procedure()) read_scopes(unit, lines_);
  }

  void take(Unit &unit) {
    if (!unit.name.empty() || unit.kind != Unit::Kind::program) declarations(unit);
    if (unit.is_procedure())
      while (at_ < lines_.size() && statement_function(unit)) ++at_;
    unit.body_begin = at_;
    unit.body_end = lines_.size();
    bool inside = false;
    while (at_ < lines_.size()) {
      unit.end = at_ + 1; // of what is read, whether or not it ends well
      if (lines_[at_].words[0].is("contains") && lines_[at_].words.size() == 1) {
        if (!inside) unit.body_end = at_;
        inside = true;
        ++at_;
      } else if (ends_unit()) {
        if (!inside) unit.body_end = at_;
        ++at_;
        return;
      } else if (inside) {
        std::unique_ptr<Unit> one = begins_unit();
        ++at_;
        if (!one) continue;
        one->host = &unit;
        finish(*one);
        unit.inside.push_back(std::move(one));
      } else {
        ++at_;
      }
    }
  }

  void declarations(Unit &unit) {
    while (at_ < lines_.size()) {
      const Line &line = lines_[at_];
      if (is_assignment(line) || line.words[0].is("contains") || ends_unit()) return;
      if (line.words[0].is("interface") || (line.words[0].is("abstract") && line.words.size() == 2)) {
        read_interface(unit);
        continue;
      }
      if (begins_type(line)) {
        read_type(unit);
        continue;
      }
      if (!read_declaration(unit, line)) return;
      ++at_;
    }
  }

  static bool ends(const Line &line, std::string_view what) {
    return line.words[0].is(text("end", what)) ||
           (line.words.size() > 1 && line.words[0].is("end") && line.words[1].is(what));
  }
  // type :: name, type, extends(x) :: name, type name; not type(name) :: x.
  static bool begins_type(const Line &line) {
    return line.words[0].is("type") && line.words.size() > 1 && !line.words[1].is("(");
  }

  // interface name; module procedure a, b; end interface. Procedures with their heads are external ones.
  void read_interface(Unit &unit) {
    const Words head = lines_[at_].words;
    const bool generic = head[0].is("interface") && head.size() == 2 && head[1].kind == WordKind::name;
    std::vector<std::string> names;
    ++at_;
    while (at_ < lines_.size() && !ends(lines_[at_], "interface")) {
      const Words &words = lines_[at_].words;
      const std::size_t list = words[0].is("procedure")                                                ? 1
                               : words[0].is("module") && words.size() > 1 && words[1].is("procedure") ? 2
                                                                                                       : 0;
      if (list > 0) {
        for (std::size_t at = list; at < words.size(); ++at)
          if (words[at].kind == WordKind::name) names.push_back(words[at].text);
        ++at_;
        continue;
      }
      const std::unique_ptr<Unit> one = begins_unit();
      ++at_;
      if (!one || !one->is_procedure()) continue;
      take(*one);
      names.push_back(one->name);
      unit.outside.insert(one->name);
    }
    ++at_;
    if (!generic) return;
    std::vector<std::string> &all = unit.generics[head[1].text];
    all.insert(all.end(), names.begin(), names.end());
  }

  void read_type(Unit &unit) {
    const Line &head = lines_[at_];
    Record record;
    std::size_t name = 1;
    for (std::size_t at = 1; at < head.words.size(); ++at) {
      if (head.words[at].is("::")) name = at + 1;
      if (head.words[at].is("extends") && name == 1) record.unusable = "extends another type";
    }
    record.owner = &unit;
    record.line = head.line;
    record.file = head.file;
    if (name < head.words.size()) record.name = head.words[name].text;
    Unit parts;
    parts.text = &text_;
    bool bound = false;
    for (++at_; at_ < lines_.size() && !ends(lines_[at_], "type"); ++at_) {
      const Line &line = lines_[at_];
      if (line.words[0].is("contains")) {
        bound = true;
      } else if (bound) {
        for (const Word &word : line.words)
          if (word.kind == WordKind::name) record.bound.push_back(word.text);
      } else if (!line.words[0].is("sequence")) {
        read_declaration(parts, line);
      }
    }
    ++at_;
    if (!parts.unread.empty()) record.unusable = "has a component that is not understood";
    for (const auto &[component, symbol] : parts.symbols) record.parts.push_back(symbol);
    std::sort(record.parts.begin(), record.parts.end(),
              [](const Symbol &a, const Symbol &b) { return a.position < b.position; });
    if (unit.records.contains(record.name)) record.unusable = "is defined more than once";
    unit.records[record.name] = std::move(record);
  }

  // f(a, b) = a + b, in front of the body: a function of the procedure. Not the first assignment to an array.
  bool statement_function(Unit &unit) {
    const Line &line = lines_[at_];
    if (!is_assignment(line) || line.label != 0 || !line.words[1].is("(")) return false;
    const auto known = unit.symbols.find(line.words[0].text);
    const bool declared = known != unit.symbols.end() && known->second.typed && !known->second.array &&
                          !known->second.dummy && !known->second.parameter;
    const bool implied = known == unit.symbols.end() && !unit.implicit_none && unit.uses.empty() && !unit.host;
    if (!declared && !implied) return false;
    auto out = std::make_unique<Unit>();
    place(*out);
    out->kind = Unit::Kind::function;
    out->name = out->result = line.words[0].text;
    out->host = &unit;
    Cursor cursor(line, text_);
    cursor.skip();
    cursor.skip();
    const auto typed = [&](const std::string &name) {
      Symbol &symbol = out->symbols[name];
      if (const auto in_host = unit.symbols.find(name); in_host != unit.symbols.end()) symbol = in_host->second;
      symbol.name = name;
      symbol.line = line.line;
      symbol.file = line.file;
      return &symbol;
    };
    while (cursor.is_name()) {
      out->dummies.push_back(cursor.name());
      typed(out->dummies.back())->dummy = true;
      cursor.accept(",");
    }
    if (!cursor.accept(")") || !cursor.accept("=")) return false;
    typed(out->name);
    try {
      out->formula = cursor.expression();
    } catch (const Refusal &) {
      return false;
    }
    if (!cursor.at_end()) return false;
    unit.inside.push_back(std::move(out));
    return true;
  }

  SourceText &text_;
  const std::vector<Line> &lines_; // of text_
  std::size_t at_ = 0;
};

} // namespace

std::string SourceText::place(int file, int line) const {
  return text(statements.files[static_cast<std::size_t>(file)], ":", line);
}

std::unique_ptr<SourceText> read_units(const FortranUnit &unit) {
  auto out = std::make_unique<SourceText>();
  out->path = unit.files.front().path;
  out->statements = read_statements(unit);
  UnitReader(*out).read();
  return out;
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
