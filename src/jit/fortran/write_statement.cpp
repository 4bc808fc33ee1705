// write_statement.cpp: statements; see procedure_writer.hpp. Assignments to arrays are in write_array.cpp.
#include <algorithm>

#include "base/text.hpp"
#include "jit/fortran/procedure_writer.hpp"

namespace op2::core::jit::fortran {

using Base = Type::Base;

namespace {

constexpr int deepest_statement = 64;

// Whether `exit name` or `cycle name` (kind) stands in a loop within the list.
bool jumps_out(const StatementList &list, const std::string &name, Action kind, bool in_loop) {
  for (const Statement &s : list) {
    if (s.kind == kind && in_loop && s.name == name) return true;
    const bool loop = s.kind == Action::count || s.kind == Action::repeat;
    for (const Branch &branch : s.branches)
      if (jumps_out(branch.body, name, kind, in_loop || loop)) return true;
  }
  return false;
}

bool same(const Expression *a, const Expression *b) {
  if (!a || !b) return a == b;
  return a->kind == b->kind && a->word == b->word &&
         std::equal(a->parts.begin(), a->parts.end(), b->parts.begin(), b->parts.end(),
                    [](const ExpressionPtr &x, const ExpressionPtr &y) { return same(x.get(), y.get()); });
}

// Whether `e` reads of the variable that `changed` belongs to something else than just this.
bool reads_other(const Expression &e, const Expression &changed) {
  if (same(&e, &changed)) return false;
  const bool named = e.kind == Expression::Kind::name || e.kind == Expression::Kind::reference;
  if (named && e.word == root_of(changed)) return true;
  return std::any_of(e.parts.begin(), e.parts.end(),
                     [&](const ExpressionPtr &part) { return part && reads_other(*part, changed); });
}

// A mask of do concurrent is known for all elements before the first one is done. Here each is asked for when its turn
// comes: the same, where it reads nothing that other elements change.
bool mask_changes(const Expression &mask, const StatementList &body) {
  return std::any_of(body.begin(), body.end(), [&](const Statement &s) {
    if (s.kind == Action::assignment && reads_other(mask, *s.left)) return true;
    if (s.kind == Action::call)
      for (const ExpressionPtr &part : s.left->parts)
        if (!root_of(*part).empty() && reads_other(mask, *part)) return true;
    return std::any_of(s.branches.begin(), s.branches.end(),
                       [&](const Branch &branch) { return mask_changes(mask, branch.body); });
  });
}

void find_pointers(const StatementList &list, std::vector<std::string> &out) {
  for (const Statement &s : list) {
    if (s.kind == Action::call && s.left->word == "c_f_pointer" && s.left->parts.size() > 1)
      out.push_back(root_of(*s.left->parts[1]));
    for (const Branch &branch : s.branches) find_pointers(branch.body, out);
  }
}

} // namespace

// Pointers are known to the end of the block in which they are set.
void ProcedureWriter::put(const StatementList &list) {
  if (++depth_ > deepest_statement) refuse("statements nested too deeply");
  std::vector<std::string> pointers;
  find_pointers(list, pointers);
  for (const Statement &s : list) put(s);
  for (const std::string &name : pointers)
    if (const auto found = variables_.find(name); found != variables_.end()) found->second.pointer = true;
  --depth_;
}

void ProcedureWriter::put(const Statement &s) {
  line_ = s.line;
  file_ = s.file;
  switch (s.kind) {
    case Action::assignment:
      return put_assignment(s);
    case Action::call:
      return put_call(*s.left);
    case Action::choice:
      return put_choice(s, 0);
    case Action::select:
      return put_select(s);
    case Action::count:
      return put_count(s);
    case Action::repeat:
      return put_repeat(s);
    case Action::where:
      return put_where(s);
    case Action::associate:
      return put_associate(s);
    case Action::leave:
      return emit_text(result_.empty() ? "return;" : text("return ", result_, ";"));
    case Action::exit:
    case Action::cycle:
      return put_jump(s);
    case Action::nothing:
      return;
    case Action::other:
      refuse(s.name);
  }
}

void ProcedureWriter::put_assignment(const Statement &s) {
  const std::string root = root_of(*s.left);
  if (root.empty()) refuse(s.left->kind == Expression::Kind::other ? s.left->word : "an assignment to this");
  const bool changeable = variable(root).changeable;
  if (!changeable) refuse(text("an assignment to '", root, "', which is only read"));
  const ExpressionPtr left = settled(s.left);
  const Variable to = view(*left);
  const ExpressionPtr right = settled(s.right, to.is_record() || !to.dimensions.empty());
  if (to.is_record()) return put_record_assignment(to, *right, root);
  if (to.dimensions.empty()) return store(to, {}, scalar(*right));
  for (const ExpressionPtr &part : left->parts)
    if (part && left->kind == Expression::Kind::reference && reads(*part, root))
      refuse(text("'", root, "' in its own subscripts"));
  put_array_assignment(to, *right, root);
}

/* --- names for variables */

void ProcedureWriter::put_associate(const Statement &s) {
  for (const auto &[name, value] : s.names) {
    const ExpressionPtr whole = settled(value, true);
    Variable stands;
    if (is_designator(*whole)) { // what it is now, whatever becomes of its subscripts
      stands = view(*whole);
      stands.offset = kept(stands.offset);
      stands.changeable = variable(root_of(*whole)).changeable;
      for (Dimension &dimension : stands.dimensions) {
        if (dimension.extent) dimension.extent = kept(*dimension.extent);
        dimension.stride = kept(dimension.stride);
      }
    } else if (!shape(*whole).empty() || type(*whole).base == Base::record) {
      stands = value_in_memory(*whole, type(*whole), name);
      stands.changeable = false;
    } else {
      const Value one = scalar(*whole);
      stands.code = kept(one);
      stands.type = one.type;
      stands.changeable = false;
    }
    variables_[name] = std::move(stands);
  }
  put(s.branches[0].body);
  for (const auto &[name, value] : s.names) variables_.erase(name);
}

// c_f_pointer(rows(i), x, [2]): x is the row of a vector argument.
void ProcedureWriter::put_pointer(const Expression &e) {
  using Kind = Expression::Kind;
  if (e.parts.size() < 2 || e.parts.size() > 3 || e.parts[0]->kind != Kind::reference ||
      e.parts[1]->kind != Kind::name || !is_variable(e.parts[0]->word) ||
      variable(e.parts[0]->word).type.called != "type(c_ptr)")
    refuse("'c_f_pointer' of other addresses than those of the kernel's arguments");
  const Variable row = view(*e.parts[0]);
  if (!row.dimensions.empty()) refuse("'c_f_pointer' of several addresses");
  const std::string &name = e.parts[1]->word;
  const auto symbol = unit_.symbols.find(name);
  if (symbol == unit_.symbols.end() || symbol->second.unusable != "is a pointer")
    refuse(text("'", name, "', which is no pointer of the kernel's own"));
  Variable to;
  to.type = semantics_.type_of(symbol->second, unit_);
  to.code = text(row.code, "[", code_of(kept(row.offset)), "]");
  to.array = symbol->second.array;
  to.indirect = !to.array;
  const std::size_t rank = symbol->second.bounds.size();
  if (e.parts.size() == 3) {
    const Expression &shape = *e.parts[2];
    if (shape.kind != Kind::constructor || shape.parts.size() != rank) refuse("this shape in 'c_f_pointer'");
    for (const ExpressionPtr &extent : shape.parts)
      to.dimensions.push_back({fortran::known(1), kept(amount(*extent)), fortran::known(1)});
    set_strides(to.dimensions);
  } else if (rank > 0) {
    refuse("'c_f_pointer' without a shape");
  }
  variables_[name] = std::move(to);
}

/* --- branches and loops */

void ProcedureWriter::put_choice(const Statement &s, std::size_t branch) {
  const Branch &one = s.branches[branch];
  if (!one.condition) return put(one.body);
  line_ = one.line;
  if (s.name == "do concurrent" && mask_changes(*one.condition, one.body))
    refuse("a mask of 'do concurrent' that reads what the loop changes");
  const std::string condition = this->condition(*one.condition);
  emit_text(text("if (", condition, ") {"));
  put(one.body);
  emit_text("}");
  if (branch + 1 >= s.branches.size()) return;
  emit_text("else {");
  put_choice(s, branch + 1);
  emit_text("}");
}

std::string ProcedureWriter::case_condition(const std::vector<ExpressionPtr> &cases, const Value &selector) {
  std::string out;
  const auto bound = [&](const Expression &e) {
    const Value value = scalar(e);
    if (value.type.base != selector.type.base) refuse("a 'case' of another type than its 'select'");
    return converted_to(value, selector.type);
  };
  for (const ExpressionPtr &one : cases) {
    std::string code;
    if (one->kind != Expression::Kind::range) {
      code = text("(", selector.code, " == ", bound(*one), ")");
    } else {
      if (one->parts[0]) code = text("(", selector.code, " >= ", bound(*one->parts[0]), ")");
      if (one->parts[1])
        code += text(code.empty() ? "" : " && ", "(", selector.code, " <= ", bound(*one->parts[1]), ")");
      code = text("(", code, ")");
    }
    out += text(out.empty() ? "" : " || ", code);
  }
  return out;
}

// A chain of conditions; the default comes last wherever it stands.
void ProcedureWriter::put_select(const Statement &s) {
  Value selector = scalar(*s.right);
  if (selector.type.base != Base::integer && selector.type.base != Base::logical) refuse("'select case' of this type");
  selector.code = named(selector);
  std::string ends;
  const Branch *otherwise = nullptr;
  for (const Branch &branch : s.branches) {
    line_ = branch.line;
    if (branch.cases.empty()) {
      otherwise = &branch;
      continue;
    }
    emit_text(text("if (", case_condition(branch.cases, selector), ") {"));
    put(branch.body);
    emit_text("} else {");
    ends += "}";
  }
  if (otherwise) put(otherwise->body);
  for (std::size_t n = 0; n < ends.size(); ++n) emit_text("}");
}

// The bounds are those of the beginning.
void ProcedureWriter::put_count(const Statement &s) {
  if (s.bounds.size() < 2 || s.bounds.size() > 3) refuse("this form of 'do'");
  if (s.left->kind != Expression::Kind::name) refuse("a loop over what is no variable");
  const Variable &counter = variable(s.left->word);
  if (counter.array || counter.indirect || !counter.changeable || counter.type.base != Base::integer)
    refuse(text("a loop over '", s.left->word, "', which is no integer of the procedure's own"));
  const std::optional<long> step = s.bounds.size() > 2 ? known_number(s.bounds[2].get()) : 1;
  if (!step || *step == 0) refuse("a loop whose step is no constant");
  const Value first = scalar(*s.bounds[0]), last = scalar(*s.bounds[1]);
  if (first.type.base != Base::integer || last.type.base != Base::integer)
    refuse("a loop whose bounds are no integers");
  const std::string from = converted_to(first, counter.type);
  std::string to = converted_to(last, counter.type);
  if (const auto end = known_number(s.bounds[1].get()))
    to = text(*end);
  else
    to = kept({to, counter.type});
  const std::string i = counter.code;
  const std::string next = *step == 1 ? text("++", i) : *step == -1 ? text("--", i) : text(i, " += ", *step);
  put_body(s, text("for (", i, " = ", from, "; ", i, *step > 0 ? " <= " : " >= ", to, "; ", next, ") {"), "");
}

void ProcedureWriter::put_repeat(const Statement &s) {
  const Tokens before = std::move(out_);
  out_.clear();
  const std::string condition = s.right ? this->condition(*s.right) : "true";
  const Tokens needed = std::move(out_); // temporary values of the condition, computed in every round
  out_ = before;
  const std::string leave = text("if (!(", condition, ")) break;");
  Tokens first = needed;
  if (!needed.empty())
    for (Token &token : tokenize(leave, line_)) first.push_back(std::move(token));
  put_body(s, text("while (", needed.empty() ? condition : "true", ") {"), spell(first));
}

// A loop with its head and what comes first in each round. Jumps out of loops within it become variables.
void ProcedureWriter::put_body(const Statement &s, const std::string &head, const std::string &first) {
  const StatementList &body = s.branches[0].body;
  Loop loop{s.name, "", ""};
  if (!s.name.empty() && jumps_out(body, s.name, Action::exit, false)) {
    loop.leaves = new_name("L");
    emit_text(text("bool ", loop.leaves, " = false;"));
  }
  emit_text(head);
  if (!first.empty()) emit_text(first);
  if (!s.name.empty() && jumps_out(body, s.name, Action::cycle, false)) {
    loop.goes_on = new_name("L");
    emit_text(text("bool ", loop.goes_on, " = false;"));
  }
  std::vector<std::string> pointers; // may be set by the round before
  find_pointers(body, pointers);
  for (const std::string &name : pointers)
    if (const auto found = variables_.find(name); found != variables_.end()) found->second.pointer = true;
  loops_.push_back(loop);
  put(body);
  loops_.pop_back();
  emit_text("}");
  for (std::size_t n = loops_.size(); n-- > 0;) {
    const Loop &around = loops_[n];
    if (around.name.empty()) continue;
    if (jumps_out(body, around.name, Action::exit, true)) emit_text(text("if (", around.leaves, ") break;"));
    if (jumps_out(body, around.name, Action::cycle, true))
      emit_text(text("if (", around.goes_on, n + 1 == loops_.size() ? ") continue;" : ") break;"));
  }
}

void ProcedureWriter::put_jump(const Statement &s) {
  const bool exits = s.kind == Action::exit;
  const std::string what = text(exits ? "'exit" : "'cycle", s.name.empty() ? "" : " ", s.name, "'");
  if (loops_.empty()) refuse(text(what, " outside of a loop"));
  if (s.name.empty() || s.name == loops_.back().name) return emit_text(exits ? "break;" : "continue;");
  const auto around = std::find_if(loops_.rbegin(), loops_.rend(), [&](const Loop &one) { return one.name == s.name; });
  if (around == loops_.rend()) refuse(text(what, ", which is no loop around it"));
  emit_text(text(exits ? around->leaves : around->goes_on, " = true;"));
  emit_text("break;");
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
