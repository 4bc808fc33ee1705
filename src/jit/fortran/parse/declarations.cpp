// declarations.cpp: see declarations.hpp.
#include "jit/fortran/parse/declarations.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"

namespace op2::core::jit::fortran {

bool type_specification(Cursor &cursor, Symbol &out) {
  if (!cursor.is_name()) return false;
  const std::string word = cursor.word().text;
  out.kind = nullptr;
  out.bytes = 0;
  out.called.clear();
  if (word == "double" || word == "doubleprecision") {
    if (word == "double" && !cursor.word(1).is("precision")) return false;
    cursor.skip();
    cursor.accept("precision");
    out.base = Type::Base::real;
    out.bytes = 8;
    out.typed = true;
    return true;
  }
  if (word == "type" || word == "class") {
    if (!cursor.word(1).is("(")) return false;
    cursor.skip();
    out.called = text(word, "(", cursor.word(1).text, ")");
    cursor.go_to(cursor.behind_brackets(cursor.position()));
    out.base = Type::Base::other;
    out.typed = true;
    return true;
  }
  using Base = Type::Base;
  constexpr std::array<std::pair<std::string_view, Base>, 5> types = {std::pair{"integer", Base::integer},
                                                                      {"real", Base::real},
                                                                      {"logical", Base::logical},
                                                                      {"complex", Base::other},
                                                                      {"character", Base::other}};
  const auto found = std::find_if(types.begin(), types.end(), [&](const auto &one) { return one.first == word; });
  if (found == types.end()) return false;
  cursor.skip();
  out.base = found->second;
  out.typed = true;
  if (out.base == Base::other) {
    out.called = word;
    if (cursor.accept("*") && !cursor.is("(")) cursor.skip();
    if (cursor.is("(")) cursor.go_to(cursor.behind_brackets(cursor.position()));
    return true;
  }
  if (cursor.accept("*")) {
    out.kind = cursor.expression();
  } else if (cursor.accept("(")) {
    if (cursor.is("kind") && cursor.word(1).is("=")) {
      cursor.skip();
      cursor.skip();
    }
    out.kind = cursor.expression();
    cursor.expect(")");
  }
  return true;
}

namespace {

class DeclarationReader {
 public:
  DeclarationReader(Unit &unit, const Line &line) : unit_(unit), line_(line), cursor_(line, *unit.text) {}

  bool read() {
    const std::string word = cursor_.word().text;
    if (!cursor_.is_name()) return false;
    if (word == "use") return use(), true;
    if (word == "implicit") return implicit(), true;
    if (word == "parameter" && cursor_.word(1).is("(")) return parameters(), true;
    if (word == "include" && cursor_.word(1).kind == WordKind::text) return true; // not found
    if (word == "import" || word == "format" || word == "intrinsic") return true;
    if (word == "private" || word == "public") return access(word == "public"), true;
    constexpr std::array<std::pair<std::string_view, const char *>, 13> attributes = {
        std::pair{"dimension", ""},
        {"intent", ""},
        {"save", ""},
        {"value", ""},
        {"equivalence", "is in an equivalence"},
        {"external", "is external"},
        {"optional", "is optional"},
        {"target", ""},
        {"pointer", "is a pointer"},
        {"allocatable", "is allocatable"},
        {"volatile", "is volatile"},
        {"contiguous", ""},
        {"procedure", "is a procedure pointer"}};
    if (word == "common") return common(), true;
    if (word == "data") return data(), true;
    for (const auto &[attribute, unusable] : attributes)
      if (word == attribute) return attribute_statement(word, unusable), true;
    for (const std::string_view one :
         {"enum", "enumerator", "namelist", "asynchronous", "protected", "codimension", "end"})
      if (word == one) return unread(text("'", one, "'")), word != "end" || cursor_.word(1).is("enum");
    Symbol pattern;
    if (!type_specification(cursor_, pattern)) return false;
    typed(pattern);
    return true;
  }

  // All names of a declaration that is not read.
  void unread(const std::string &why) {
    for (const Word &word : line_.words)
      if (word.kind == WordKind::name)
        unit_.unread.emplace_back(word.text, text(unit_.text->place(line_.file, line_.line), ": ", why));
  }

 private:
  Symbol &symbol(const std::string &name) {
    Symbol &out = unit_.symbols[name];
    if (out.name.empty()) {
      out.name = name;
      out.line = line_.line;
      out.file = line_.file;
      out.position = static_cast<int>(unit_.symbols.size());
    }
    return out;
  }

  void use() {
    Use out;
    out.line = line_.line;
    out.file = line_.file;
    cursor_.skip();
    if (cursor_.accept(",")) {
      out.intrinsic = cursor_.is("intrinsic");
      cursor_.skip();
    }
    cursor_.accept("::");
    out.module = cursor_.name();
    while (cursor_.accept(",")) {
      if (cursor_.is("only") && cursor_.word(1).is(":")) {
        out.only = true;
        cursor_.skip();
        cursor_.skip();
        if (cursor_.at_end()) break;
      }
      if (!cursor_.is_name() || cursor_.word(1).is("(")) { // operator(+), assignment(=)
        while (!cursor_.at_end() && !cursor_.is(",")) cursor_.skip();
        continue;
      }
      const std::string here = cursor_.name();
      out.names.emplace_back(here, cursor_.accept("=>") ? cursor_.name() : here);
    }
    unit_.uses.push_back(std::move(out));
  }

  // private; public :: a, b
  void access(bool shown) {
    cursor_.skip();
    if (cursor_.at_end()) unit_.hidden = !shown;
    for (; !cursor_.at_end(); cursor_.skip())
      if (cursor_.is_name()) unit_.shown[cursor_.word().text] = shown;
  }

  // implicit none; implicit real*8 (a-h, o-z)
  void implicit() {
    cursor_.skip();
    if (cursor_.accept("none")) {
      unit_.implicit_none = true;
      return;
    }
    do {
      Symbol type;
      if (!type_specification_before_letters(type)) cursor_.refuse("this form of 'implicit'");
      cursor_.expect("(");
      do {
        const char first = cursor_.name()[0];
        const char last = cursor_.accept("-") ? cursor_.name()[0] : first;
        for (char letter = first; letter <= last; ++letter) unit_.implicit[letter] = type;
      } while (cursor_.accept(","));
      cursor_.expect(")");
    } while (cursor_.accept(","));
  }

  // real (a-h): the brackets are no kind.
  bool type_specification_before_letters(Symbol &type) {
    const std::size_t begin = cursor_.position();
    if (cursor_.word(1).is("(") && cursor_.behind_brackets(begin + 1) >= line_.words.size()) {
      Line shorter = line_;
      shorter.words = {line_.words[begin]};
      Cursor alone(shorter, *unit_.text);
      cursor_.skip();
      return type_specification(alone, type);
    }
    if (cursor_.word(1).is("(") && !line_.words[cursor_.behind_brackets(begin + 1)].is("(")) {
      Line shorter = line_;
      shorter.words = {line_.words[begin]};
      Cursor alone(shorter, *unit_.text);
      cursor_.skip();
      return type_specification(alone, type);
    }
    return type_specification(cursor_, type);
  }

  // parameter (name = value, ...)
  void parameters() {
    cursor_.skip();
    cursor_.expect("(");
    do {
      Symbol &constant = symbol(cursor_.name());
      cursor_.expect("=");
      constant.value = cursor_.expression();
      constant.parameter = true;
    } while (cursor_.accept(","));
  }

  std::vector<Bound> bounds() { // behind "("
    std::vector<Bound> out;
    do {
      Bound bound;
      if (cursor_.accept("*")) {
        bound.assumed = true;
      } else if (cursor_.accept(":")) {
        bound.deferred = true;
      } else {
        bound.upper = cursor_.expression();
        if (cursor_.accept(":")) {
          bound.lower = std::exchange(bound.upper, nullptr);
          if (cursor_.accept("*"))
            bound.assumed = true;
          else if (cursor_.is(",") || cursor_.is(")"))
            bound.deferred = true;
          else
            bound.upper = cursor_.expression();
        }
      }
      out.push_back(bound);
    } while (cursor_.accept(","));
    cursor_.expect(")");
    return out;
  }

  Symbol::Intent intent() { // behind "("
    Symbol::Intent out = Symbol::Intent::inout;
    if (cursor_.accept("in"))
      out = cursor_.accept("out") ? Symbol::Intent::inout : Symbol::Intent::in;
    else if (cursor_.accept("out"))
      out = Symbol::Intent::out;
    else
      cursor_.accept("inout");
    cursor_.expect(")");
    return out;
  }

  // real(8), dimension(4), intent(in) :: a, b(2)
  void typed(Symbol pattern) {
    std::string access;
    while (cursor_.accept(",")) {
      if (cursor_.is("public") || cursor_.is("private")) access = cursor_.word().text;
      attribute(pattern);
    }
    cursor_.accept("::");
    do {
      Symbol &one = symbol(cursor_.name());
      if (!access.empty()) unit_.shown[one.name] = access == "public";
      take_type(one, pattern);
      one.line = line_.line;
      one.file = line_.file;
      if (cursor_.accept("*")) one.kind = cursor_.expression(); // real x*8
      if (cursor_.accept("(")) {
        one.array = true;
        one.bounds = bounds();
      }
      if (cursor_.accept("*")) one.kind = cursor_.expression();
      if (cursor_.is("=>")) {
        one.unusable = "is a pointer";
        return;
      }
      if (cursor_.accept("=")) {
        one.value = cursor_.expression();
        if (!one.parameter) one.saved = true;
      }
      if (cursor_.is("/")) { // real x /1.0/
        one.unusable = "has values by 'data'";
        return;
      }
    } while (cursor_.accept(","));
    if (!cursor_.at_end()) cursor_.refuse(text("the declaration at '", cursor_.word().text, "'"));
  }

  static void take_type(Symbol &one, const Symbol &pattern) {
    one.typed = true;
    one.base = pattern.base;
    one.kind = pattern.kind;
    one.bytes = pattern.bytes;
    one.called = pattern.called;
    if (pattern.array) {
      one.array = true;
      one.bounds = pattern.bounds;
    }
    one.parameter = one.parameter || pattern.parameter;
    one.by_value = one.by_value || pattern.by_value;
    one.saved = one.saved || pattern.saved;
    if (pattern.intent != Symbol::Intent::none) one.intent = pattern.intent;
    if (!pattern.unusable.empty()) one.unusable = pattern.unusable;
  }

  void attribute(Symbol &pattern) {
    const std::string word = cursor_.name();
    if (word == "parameter") {
      pattern.parameter = true;
    } else if (word == "dimension") {
      cursor_.expect("(");
      pattern.array = true;
      pattern.bounds = bounds();
    } else if (word == "intent") {
      cursor_.expect("(");
      pattern.intent = intent();
    } else if (word == "value") {
      pattern.by_value = true;
    } else if (word == "save") {
      pattern.saved = true;
    } else if (word == "allocatable" || word == "volatile" || word == "optional" || word == "external") {
      pattern.unusable = "is " + word;
    } else if (word == "pointer") {
      pattern.unusable = "is a pointer";
    } else {
      constexpr std::array<std::string_view, 7> harmless = {"target",    "public",    "private", "contiguous",
                                                            "intrinsic", "protected", "bind"};
      if (std::find(harmless.begin(), harmless.end(), word) == harmless.end())
        cursor_.refuse(text("the attribute '", word, "'"));
      if (cursor_.is("(")) cursor_.go_to(cursor_.behind_brackets(cursor_.position()));
    }
  }

  // common /c/ a, b(3) /d/ c; the block without a name is "/"
  void common() {
    cursor_.skip();
    std::string block = "/";
    while (!cursor_.at_end()) {
      if (cursor_.accept("//")) {
        block = "/";
      } else if (cursor_.accept("/")) {
        block = cursor_.name();
        cursor_.expect("/");
      }
      Symbol &one = symbol(cursor_.name());
      if (cursor_.accept("(")) {
        one.array = true;
        one.bounds = bounds();
      }
      one.common = block;
      unit_.commons[block].push_back(one.name);
      cursor_.accept(",");
    }
  }

  // data a, b /1.0, 2.0/, c /3*0.0/: values of whole variables; others have none that is known.
  void data() {
    cursor_.skip();
    while (!cursor_.at_end()) {
      std::vector<std::string> names;
      bool whole = true;
      while (!cursor_.at_end() && !cursor_.is("/")) {
        if (cursor_.is_name()) {
          names.push_back(cursor_.name());
        } else if (!cursor_.is(",")) { // an element, or a loop
          whole = false;
          cursor_.skip();
        } else {
          cursor_.skip();
        }
      }
      cursor_.expect("/");
      const std::vector<ExpressionPtr> values = data_values();
      std::size_t next = 0;
      const bool one_each = values.size() == names.size();
      for (const std::string &name : names) {
        Symbol &one = symbol(name);
        one.saved = true;
        if (whole && !one.array && one_each) {
          one.value = values[next++];
        } else if (whole && one.array && names.size() == 1) {
          auto all = std::make_shared<Expression>();
          all->kind = Expression::Kind::constructor;
          all->parts = values;
          one.value = std::move(all);
        } else {
          one.unusable = "has values by 'data'";
        }
      }
      cursor_.accept(",");
    }
  }

  std::vector<ExpressionPtr> data_values() { // behind "/", to the other one
    std::vector<ExpressionPtr> out;
    Line piece = line_;
    do {
      piece.words.clear();
      for (; !cursor_.at_end() && !cursor_.is(",") && !cursor_.is("/"); cursor_.skip())
        piece.words.push_back(cursor_.word());
      long times = 1;
      if (piece.words.size() > 2 && piece.words[1].is("*")) {
        const std::string &count = piece.words[0].text;
        if (count.size() > 4 || count.find_first_not_of("0123456789") != std::string::npos)
          cursor_.refuse("this form of 'data'");
        times = std::stol(count);
        piece.words.erase(piece.words.begin(), piece.words.begin() + 2);
      }
      Cursor alone(piece, *unit_.text);
      const ExpressionPtr value = alone.expression();
      out.insert(out.end(), static_cast<std::size_t>(times), value);
    } while (cursor_.accept(","));
    cursor_.expect("/");
    return out;
  }

  // dimension a(4), b; intent(in) :: x; save
  void attribute_statement(const std::string &word, const std::string &unusable) {
    cursor_.skip();
    Symbol pattern;
    if (word == "intent") {
      cursor_.expect("(");
      pattern.intent = intent();
    }
    cursor_.accept("::");
    if (!unusable.empty()) { // each name of it, whatever else stands there
      for (; !cursor_.at_end(); cursor_.skip())
        if (cursor_.is_name()) {
          Symbol &one = symbol(cursor_.word().text);
          one.unusable = unusable;
        }
      return;
    }
    if (word == "save" && cursor_.at_end()) {
      unit_.saves = true;
      return;
    }
    while (cursor_.is_name()) {
      Symbol &one = symbol(cursor_.name());
      if (word == "value") one.by_value = true;
      if (word == "save") one.saved = true;
      if (pattern.intent != Symbol::Intent::none) one.intent = pattern.intent;
      if (cursor_.accept("(")) {
        one.array = true;
        one.bounds = bounds();
      }
      cursor_.accept(",");
    }
  }

  Unit &unit_;
  const Line &line_;
  Cursor cursor_;
};

} // namespace

bool read_declaration(Unit &unit, const Line &line) {
  DeclarationReader reader(unit, line);
  try {
    return reader.read();
  } catch (const Refusal &refusal) {
    reader.unread("a declaration that is not understood");
    return true;
  }
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
