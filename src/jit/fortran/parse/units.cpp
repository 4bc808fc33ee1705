// units.cpp: program units of a file; see tree.hpp. Their declarations are read by declarations.cpp.
#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "jit/fortran/parse/cursor.hpp"
#include "jit/fortran/parse/declarations.hpp"

namespace op2::core::jit::fortran {

namespace {

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
    unit.doubt = lines_[at_].doubt;
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
      symbol.doubt = line.doubt;
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
      if (words[0].is(text("end", one))) return true;
      if (words.size() > 1 && words[0].is("end") && words[1].is(one)) return !(one == "block" && words.size() == 2);
    }
    return words.size() == 1 && words[0].is("end");
  }

  void finish(Unit &unit) {
    if (!unit.name.empty() || unit.kind != Unit::Kind::program) declarations(unit);
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
        skip_interface(unit);
        continue;
      }
      if (begins_type(line)) {
        while (at_ < lines_.size() && !ends(lines_[at_], "type")) ++at_;
        ++at_;
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

  void skip_interface(Unit &unit) {
    if (lines_[at_].words.size() > 1 && lines_[at_].words[1].kind == WordKind::name)
      unit.generics.push_back(lines_[at_].words[1].text);
    while (at_ < lines_.size() && !ends(lines_[at_], "interface")) ++at_;
    ++at_;
  }

  SourceText &text_;
  const std::vector<Line> &lines_;
  std::size_t at_ = 0;
};

} // namespace

std::string SourceText::place(int file, int line) const {
  return text(statements.files[static_cast<std::size_t>(file)], ":", line);
}

std::unique_ptr<SourceText> read_units(const SourceFile &file, SourceFiles &files) {
  auto out = std::make_unique<SourceText>();
  out->path = file.path;
  out->statements = read_statements(file, files);
  UnitReader(*out).read();
  return out;
}

} // namespace op2::core::jit::fortran
