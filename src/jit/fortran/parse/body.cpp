// body.cpp: the statements of a procedure; see tree.hpp. What is not read becomes a statement that says so.
#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "jit/fortran/parse/cursor.hpp"

namespace op2::core::jit::fortran {

namespace {

constexpr int deepest_block = 64;

class BodyReader {
 public:
  explicit BodyReader(const Unit &unit)
      : unit_(unit),
        lines_(unit.body.empty() ? unit.text->statements.lines : unit.body),
        at_(unit.body.empty() ? unit.body_begin : 0),
        end_(unit.body.empty() ? unit.body_end : unit.body.size()) {}

  StatementList read() {
    StatementList out = block(0);
    if (at_ < end_) refuse(text("'", lines_[at_].words[0].text, "' that ends nothing"));
    return out;
  }

 private:
  [[noreturn]] void refuse(const std::string &what) const {
    const Line &line = lines_[std::min(at_, end_ > 0 ? end_ - 1 : 0)];
    throw Refusal(text(unit_.text->place(line.file, line.line), ": ", what));
  }

  // "end if" and "endif".
  bool ends(std::string_view what) const {
    const Words &words = lines_[at_].words;
    if (words.size() > 1 && words[1].is("=")) return false;
    return words[0].is(text("end", what)) || (words.size() > 1 && words[0].is("end") && words[1].is(what));
  }
  bool begins_part() const {
    for (const std::string_view what : {"if", "do", "select", "where", "associate", "block", "forall", "critical"})
      if (ends(what)) return true;
    const Words &words = lines_[at_].words;
    if (words.size() > 1 && words[1].is("=")) return false;
    return words[0].is("else") || words[0].is("elseif") || words[0].is("elsewhere") ||
           (words[0].is("case") && words.size() > 1);
  }

  // Statements up to one that ends a block or, in `do 10 ...`, up to the one with the label.
  StatementList block(int label) {
    if (++depth_ > deepest_block) refuse("blocks nested too deeply");
    StatementList out;
    while (at_ < end_ && !begins_part()) {
      const int own = lines_[at_].label;
      out.push_back(statement());
      if (label != 0 && (own == label || ended_ == label)) {
        ended_ = label; // and so do the loops around this one that have the same label
        break;
      }
    }
    --depth_;
    return out;
  }

  Statement start(const Line &line) const {
    Statement out;
    out.line = line.line;
    out.file = line.file;
    return out;
  }

  Statement statement() {
    const Line &line = lines_[at_];
    ended_ = 0;
    Statement out = start(line);
    Cursor cursor(line, *unit_.text);
    std::string construct;
    if (cursor.is_name() && cursor.word(1).is(":") && cursor.word(2).kind == WordKind::name) {
      construct = cursor.name();
      cursor.skip();
    }
    if (cursor.is("if") && cursor.word(1).is("(") && !assigned(cursor)) return masked(cursor, std::move(out), "if");
    if (cursor.is("do") && !cursor.word(1).is("=") && !cursor.word(1).is("("))
      return loop(cursor, std::move(out), construct);
    if (cursor.is("dowhile") && cursor.word(1).is("(")) return loop(cursor, std::move(out), construct);
    if ((cursor.is("select") || cursor.is("selectcase")) && !assigned(cursor)) return select(cursor, std::move(out));
    if (cursor.is("where") && cursor.word(1).is("(") && !assigned(cursor))
      return masked(cursor, std::move(out), "where");
    if (cursor.is("associate") && cursor.word(1).is("(") && !assigned(cursor)) return associate(cursor, std::move(out));
    for (const std::string_view no : {"block", "forall", "critical"})
      if (cursor.is(no) && !assigned(cursor)) refuse(text("'", no, "'"));
    out = simple(cursor, std::move(out));
    ++at_;
    return out;
  }

  // A statement without a block.
  Statement simple(Cursor &cursor, Statement out) {
    const std::size_t begin = cursor.position();
    const std::string word = cursor.word().text;
    const bool alone = begin + 1 >= cursor.line().words.size();
    if (cursor.is_name() && assigned(cursor)) {
      out.kind = Action::assignment;
      out.left = cursor.expression();
      if (cursor.is("=>")) cursor.refuse("a pointer assignment");
      cursor.expect("=");
      out.right = cursor.expression();
    } else if (word == "call") {
      cursor.skip();
      out.kind = Action::call;
      out.left = cursor.expression();
    } else if (word == "return" && alone) {
      cursor.skip();
      out.kind = Action::leave;
    } else if (word == "continue" && alone) {
      cursor.skip();
    } else if (word == "exit" || word == "cycle") {
      cursor.skip();
      out.kind = word == "exit" ? Action::exit : Action::cycle;
      if (cursor.is_name()) out.name = cursor.name();
    } else {
      out.kind = Action::other;
      const std::string two = text(word, " ", cursor.word(1).text);
      out.name = text("'", two == "go to" || two == "error stop" ? two : word, "'");
      if (word == "?" && cursor.word().kind == WordKind::text) out.name = "a line that cannot be read";
      return out;
    }
    if (!cursor.at_end()) cursor.refuse(text("'", cursor.word().text, "' behind a statement"));
    return out;
  }

  static bool assigned(const Cursor &cursor) {
    const Words &words = cursor.line().words;
    std::size_t at = cursor.position() + 1;
    if (at < words.size() && words[at].is("(")) at = cursor.behind_brackets(at);
    while (at + 1 < words.size() && words[at].is("%")) {
      at += 2;
      if (at < words.size() && words[at].is("(")) at = cursor.behind_brackets(at);
    }
    return at < words.size() && (words[at].is("=") || words[at].is("=>"));
  }

  // if and where: one statement behind the condition, or a block with branches.
  Statement masked(Cursor &cursor, Statement out, std::string_view what) {
    const bool is_if = what == "if";
    out.kind = is_if ? Action::choice : Action::where;
    cursor.skip();
    cursor.expect("(");
    Branch branch;
    branch.line = out.line;
    branch.condition = cursor.expression();
    cursor.expect(")");
    const bool opens =
        is_if ? cursor.is("then") && cursor.position() + 1 >= cursor.line().words.size() : cursor.at_end();
    if (!opens) {
      if (cursor.word().kind == WordKind::number) cursor.refuse("an arithmetic 'if'");
      branch.body.push_back(simple(cursor, start(lines_[at_])));
      out.branches.push_back(std::move(branch));
      ++at_;
      return out;
    }
    ++at_;
    branch.body = block(0);
    out.branches.push_back(std::move(branch));
    while (at_ < end_ && !ends(what)) {
      Branch other = next_branch(what);
      ++at_;
      other.body = block(0);
      out.branches.push_back(std::move(other));
    }
    end(what);
    return out;
  }

  // else, else if (...) then, elsewhere (...), with the word that belongs to it apart or joined.
  Branch next_branch(std::string_view what) const {
    Cursor next(lines_[at_], *unit_.text);
    Branch out;
    out.line = lines_[at_].line;
    const bool is_if = what == "if", joined = next.is(text("else", what));
    if (!joined && !next.is("else")) refuse(text("'", next.word().text, "' within '", what, "'"));
    next.skip();
    const bool named = joined || next.accept(what);
    if (!is_if && !named) next.expect(what);
    if (is_if ? named : next.is("(")) {
      next.expect("(");
      out.condition = next.expression();
      next.expect(")");
      if (is_if) next.expect("then");
    }
    return out;
  }

  void end(std::string_view what) {
    if (at_ >= end_ || !ends(what)) refuse(text("'end ", what, "' is expected"));
    ++at_;
  }

  Statement loop(Cursor &cursor, Statement out, const std::string &construct) {
    out.name = construct;
    int label = 0;
    const bool joined = cursor.is("dowhile");
    cursor.skip();
    if (cursor.word().kind == WordKind::number) {
      label = std::stoi(cursor.word().text.substr(0, 5));
      cursor.skip();
      cursor.accept(",");
    }
    if (joined || (cursor.is("while") && cursor.word(1).is("("))) {
      out.kind = Action::repeat;
      cursor.accept("while");
      cursor.expect("(");
      out.right = cursor.expression();
      cursor.expect(")");
    } else if (cursor.is("concurrent") && cursor.word(1).is("(")) {
      cursor.skip();
      concurrent(cursor, out);
    } else if (cursor.at_end()) {
      out.kind = Action::repeat;
    } else {
      out.kind = Action::count;
      out.left = cursor.expression();
      cursor.expect("=");
      do out.bounds.push_back(cursor.expression());
      while (cursor.accept(","));
    }
    if (!cursor.at_end()) cursor.refuse(text("'", cursor.word().text, "' behind 'do'"));
    ++at_;
    Statement *inner = &out; // of several counters
    while (!inner->branches.empty() && !inner->branches[0].body.empty()) inner = &inner->branches[0].body[0];
    StatementList body = block(label);
    if (inner->branches.empty()) inner->branches.emplace_back();
    inner->branches[0].line = out.line;
    inner->branches[0].body = std::move(body);
    if (label == 0) {
      end("do");
    } else if (ended_ != label) { // end do with the label
      if (at_ >= end_ || lines_[at_].label != label)
        refuse(text("the statement with the label ", label, " is expected"));
      end("do");
    }
    return out;
  }

  // (i = 1:n, j = 1:m:2, mask): loops in each other, and a condition.
  void concurrent(Cursor &cursor, Statement &out) {
    cursor.expect("(");
    if (cursor.is("integer")) { // which read_scopes() has taken
      while (!cursor.at_end() && !cursor.accept("::")) cursor.skip();
    }
    Statement *at = nullptr;
    do {
      Statement one = start(cursor.line());
      if (!(cursor.is_name() && cursor.word(1).is("="))) {
        if (!at) cursor.refuse("this form of 'do concurrent'");
        one.kind = Action::choice;
        one.name = "do concurrent";
        Branch choice;
        choice.line = one.line;
        choice.condition = cursor.expression();
        one.branches.push_back(std::move(choice));
      } else {
        one.kind = Action::count;
        auto counter = std::make_shared<Expression>();
        counter->kind = Expression::Kind::name;
        counter->word = cursor.name();
        one.left = std::move(counter);
        cursor.expect("=");
        do one.bounds.push_back(cursor.expression());
        while (cursor.accept(":"));
      }
      if (!at) {
        one.name = out.name;
        out = std::move(one);
        at = &out;
        continue;
      }
      if (one.kind == Action::count) std::swap(one.name, at->name); // `cycle` goes on with the next element
      at->branches.emplace_back();
      at->branches[0].body.push_back(std::move(one));
      at = &at->branches[0].body[0];
    } while (cursor.accept(","));
    cursor.expect(")");
  }

  Statement select(Cursor &cursor, Statement out) {
    out.kind = Action::select;
    const bool joined = cursor.is("selectcase");
    cursor.skip();
    if (!joined) {
      if (!cursor.is("case")) cursor.refuse("'select type'");
      cursor.skip();
    }
    cursor.expect("(");
    out.right = cursor.expression();
    cursor.expect(")");
    ++at_;
    while (at_ < end_ && !ends("select")) {
      Cursor next(lines_[at_], *unit_.text);
      next.expect("case");
      Branch branch;
      branch.line = lines_[at_].line;
      if (!next.accept("default")) {
        next.expect("(");
        branch.cases = next.arguments();
      }
      ++at_;
      branch.body = block(0);
      out.branches.push_back(std::move(branch));
    }
    end("select");
    return out;
  }

  // associate (name => value, ...)
  Statement associate(Cursor &cursor, Statement out) {
    out.kind = Action::associate;
    cursor.skip();
    cursor.expect("(");
    do {
      std::string name = cursor.name();
      cursor.expect("=>");
      out.names.emplace_back(std::move(name), cursor.expression());
    } while (cursor.accept(","));
    cursor.expect(")");
    ++at_;
    Branch body;
    body.line = out.line;
    body.body = block(0);
    out.branches.push_back(std::move(body));
    end("associate");
    return out;
  }

  const Unit &unit_;
  const std::vector<Line> &lines_;
  std::size_t at_, end_;
  int depth_ = 0, ended_ = 0;
};

} // namespace

StatementList read_body(const Unit &procedure) {
  if (!procedure.formula) return BodyReader(procedure).read();
  Statement whole;
  whole.kind = Action::assignment;
  whole.line = procedure.line;
  whole.file = procedure.file;
  auto result = std::make_shared<Expression>();
  result->kind = Expression::Kind::name;
  result->word = procedure.result;
  whole.left = std::move(result);
  whole.right = procedure.formula;
  StatementList out;
  out.push_back(std::move(whole));
  return out;
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
