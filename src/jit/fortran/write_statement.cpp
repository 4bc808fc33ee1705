// write_statement.cpp: statements; see procedure_writer.hpp.
#include <algorithm>

#include "base/text.hpp"
#include "jit/fortran/procedure_writer.hpp"

namespace op2::core::jit::fortran {

using Base = Type::Base;

namespace {

constexpr int deepest_statement = 64;
constexpr long most_unrolled = 64; // elements of an array assignment that are written one by one

long size_of(const std::vector<long> &shape) {
  long out = 1;
  for (const long extent : shape) out *= extent;
  return out;
}

// Whether two expressions are the same words.
bool same(const Expression *a, const Expression *b) {
  if (!a || !b) return a == b;
  if (a->kind != b->kind || a->word != b->word || a->parts.size() != b->parts.size()) return false;
  for (std::size_t i = 0; i < a->parts.size(); ++i)
    if (!same(a->parts[i].get(), b->parts[i].get())) return false;
  return true;
}

// Whether an element of `e` may depend on another element of the array `left`: on the same one only, where each
// operation is done element by element and `left` stands as it is.
bool mixes(const Expression &e, const Expression &left) {
  using E = Expression::Kind;
  if (same(&e, &left)) return false;
  if ((e.kind == E::name || e.kind == E::reference) && e.word == left.word) return true;
  const bool whole_arrays = e.kind == E::reference;
  for (const ExpressionPtr &part : e.parts) {
    if (!part) continue;
    if (whole_arrays ? mixes(*part, left) || same(part.get(), &left) : mixes(*part, left)) return true;
  }
  return false;
}

} // namespace

void ProcedureWriter::put(const StatementList &list) {
  if (++depth_ > deepest_statement) refuse("statements nested too deeply");
  for (const Statement &s : list) put(s);
  --depth_;
}

void ProcedureWriter::put(const Statement &s) {
  line_ = s.line;
  file_ = s.file;
  check_doubt(s);
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

/* --- assignments */

void ProcedureWriter::store(const Expression &left, const Indices &at, const Value &value) {
  const Variable &variable = this->variable(left.word);
  std::string code = converted_to(value, variable.type);
  if (variable.as_int) code = text("(", code, ") ? 1 : 0");
  emit_text(text(place(left, at), " = ", code, ";"));
}

void ProcedureWriter::put_assignment(const Statement &s) {
  const Expression &left = *s.left;
  const bool variable_left = left.kind == Expression::Kind::name || left.kind == Expression::Kind::reference;
  if (!variable_left) refuse(left.kind == Expression::Kind::other ? left.word : "an assignment to this");
  const Variable &variable = this->variable(left.word);
  if (!variable.changeable) refuse(text("an assignment to '", left.word, "', which is only read"));
  if (!variable.array && left.kind == Expression::Kind::reference) refuse(text("'", left.word, "' is no array"));
  if (shape(left).empty()) return store(left, {}, scalar(*s.right));
  put_array_assignment(left, *s.right);
}

std::vector<ProcedureWriter::Indices> ProcedureWriter::all_indices(const Shape &shape) const {
  std::vector<Indices> out;
  for (long n = 0; n < size_of(shape); ++n) {
    Indices at;
    long rest = n;
    for (const long extent : shape) {
      at.push_back({rest % extent, ""});
      rest /= extent;
    }
    out.push_back(std::move(at));
  }
  return out;
}

bool ProcedureWriter::reads(const Expression &e, const std::string &name) {
  if ((e.kind == Expression::Kind::name || e.kind == Expression::Kind::reference) && e.word == name) return true;
  return std::any_of(e.parts.begin(), e.parts.end(),
                     [&](const ExpressionPtr &part) { return part && reads(*part, name); });
}

// The right side is complete before the left one changes: where an element needs others of the same array, all are
// computed first.
void ProcedureWriter::put_array_assignment(const Expression &left, const Expression &right) {
  const Shape to = shape(left), from = shape(right);
  if (!from.empty() && from != to) refuse(text("an array of another shape than '", left.word, "'"));
  const bool apart = mixes(right, left);
  for (const ExpressionPtr &part : left.parts)
    if (part && reads(*part, left.word)) refuse(text("'", left.word, "' in its own subscripts"));
  const Type of = variable(left.word).type;
  if (from.empty()) { // the same value for all
    const Value one = scalar(right);
    const std::string value = apart ? kept(one) : named(one);
    const Type type = one.type;
    for (const Indices &at : size_of(to) <= most_unrolled ? all_indices(to) : std::vector<Indices>{})
      store(left, at, {value, type});
    if (size_of(to) <= most_unrolled) return;
  }
  if (size_of(to) <= most_unrolled) {
    std::vector<Value> values;
    for (const Indices &at : all_indices(to)) {
      const Value value = element(right, at);
      if (apart)
        values.push_back({kept({converted_to(value, of), of}), of});
      else
        store(left, at, value);
    }
    for (std::size_t n = 0; n < values.size(); ++n) store(left, all_indices(to)[n], values[n]);
    return;
  }
  std::string copy;
  if (apart) {
    copy = new_name("A");
    emit_text(text(spelling(of), " ", copy, "[", size_of(to), "];"));
  }
  for (const bool second : {false, true}) {
    if (second && !apart) break;
    Indices at;
    std::string place;
    long stride = 1;
    std::vector<std::string> heads;
    for (const long extent : to) {
      const std::string counter = new_name("I");
      at.push_back({std::nullopt, counter});
      place += text(place.empty() ? "" : " + ", stride, " * ", counter);
      stride *= extent;
      heads.push_back(text("for (int ", counter, " = 0; ", counter, " < ", extent, "; ++", counter, ") {"));
    }
    for (auto head = heads.rbegin(); head != heads.rend(); ++head) emit_text(*head);
    if (apart && !second)
      emit_text(text(copy, "[", place, "] = ", converted_to(element(right, at), of), ";"));
    else
      store(left, at, apart ? Value{text(copy, "[", place, "]"), of} : element(right, at));
    for (std::size_t n = 0; n < heads.size(); ++n) emit_text("}");
  }
}

// Elements whose mask is true.
void ProcedureWriter::put_masked(const Expression &left, const Expression &right,
                                 const std::vector<std::string> &masks) {
  const Shape to = shape(left), from = shape(right);
  if (size_of(to) != static_cast<long>(masks.size()) || (!from.empty() && from != to))
    refuse("an array of another shape in 'where'");
  const Type of = variable(left.word).type;
  const std::vector<Indices> all = all_indices(to);
  std::vector<std::string> values; // computed before any of the elements changes, where they need each other
  if (mixes(right, left))
    for (std::size_t n = 0; n < all.size(); ++n) {
      values.push_back(new_name("T"));
      emit_text(text(spelling(of), " ", values[n], "; if (", masks[n], ") {"));
      emit_text(text(values[n], " = ", converted_to(element(right, from.empty() ? Indices{} : all[n]), of), "; }"));
    }
  for (std::size_t n = 0; n < all.size(); ++n) {
    emit_text(text("if (", masks[n], ") {"));
    store(left, all[n], values.empty() ? element(right, from.empty() ? Indices{} : all[n]) : Value{values[n], of});
    emit_text("}");
  }
}

void ProcedureWriter::put_where(const Statement &s) {
  std::vector<std::string> left; // elements that no branch before took
  for (const Branch &branch : s.branches) {
    std::vector<std::string> masks;
    const Shape of = branch.condition ? shape(*branch.condition) : Shape{};
    if (branch.condition && (of.empty() || size_of(of) > most_unrolled)) refuse("'where' over this shape");
    const std::size_t size = branch.condition ? static_cast<std::size_t>(size_of(of)) : left.size();
    if (!left.empty() && left.size() != size) refuse("'where' with masks of several shapes");
    const std::vector<Indices> all = branch.condition ? all_indices(of) : std::vector<Indices>(size);
    std::vector<std::string> rest;
    for (std::size_t n = 0; n < size; ++n) {
      const std::string mask = new_name("M"), other = new_name("M");
      const std::string own = branch.condition ? element(*branch.condition, all[n]).code : "true";
      emit_text(text("const bool ", mask, " = ", left.empty() ? "" : text(left[n], " && "), own, ";"));
      emit_text(text("const bool ", other, " = ", left.empty() ? "" : text(left[n], " && "), "!", mask, ";"));
      masks.push_back(mask);
      rest.push_back(other);
    }
    for (const Statement &one : branch.body) {
      line_ = one.line;
      file_ = one.file;
      check_doubt(one);
      if (one.kind != Action::assignment || one.left->kind == Expression::Kind::other || shape(*one.left).empty() ||
          !variable(one.left->word).changeable)
        refuse("this statement within 'where'");
      put_masked(*one.left, *one.right, masks);
    }
    left = std::move(rest);
  }
}

void ProcedureWriter::put_call(const Expression &e) {
  if (e.kind != Expression::Kind::name && e.kind != Expression::Kind::reference) refuse("a call of this");
  const Unit *callee = kernel_.effects().called(unit_, e.word);
  if (!callee) refuse(text("a call of '", e.word, "', whose text is not found"));
  if (callee->kind != Unit::Kind::subroutine) refuse(text("a call of the function '", e.word, "'"));
  const Helper &helper = kernel_.helper(*callee, variables_);
  for (const ExpressionPtr &part : e.parts)
    if (callee->elemental && part->kind != Expression::Kind::keyword && !shape(*part).empty())
      refuse(text("a call of '", e.word, "' for the elements of an array"));
  const std::string given = arguments(*callee, e, helper, {});
  emit_text(text(helper.name, "(", given, ");"));
}

/* --- branches and loops */

void ProcedureWriter::put_choice(const Statement &s, std::size_t branch) {
  const Branch &one = s.branches[branch];
  if (!one.condition) return put(one.body);
  line_ = one.line;
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
  if (selector.type.base == Base::real || selector.type.base == Base::other) refuse("'select case' of this type");
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
  const std::optional<long> step = s.bounds.size() > 2 ? semantics_.integer(s.bounds[2].get(), unit_) : 1;
  if (!step || *step == 0) refuse("a loop whose step is no constant");
  const std::string from = converted_to(scalar(*s.bounds[0]), counter.type);
  std::string to = converted_to(scalar(*s.bounds[1]), counter.type);
  if (!semantics_.integer(s.bounds[1].get(), unit_)) {
    const std::string name = new_name("T");
    emit_text(text("const ", spelling(counter.type), " ", name, " = ", to, ";"));
    to = name;
  }
  const std::string i = counter.code;
  const std::string next = *step == 1 ? text("++", i) : *step == -1 ? text("--", i) : text(i, " += ", *step);
  emit_text(text("for (", i, " = ", from, "; ", i, *step > 0 ? " <= " : " >= ", to, "; ", next, ") {"));
  loops_.push_back(s.name);
  put(s.branches[0].body);
  loops_.pop_back();
  emit_text("}");
}

void ProcedureWriter::put_repeat(const Statement &s) {
  const Tokens before = std::move(out_);
  out_.clear();
  const std::string condition = s.right ? this->condition(*s.right) : "true";
  const Tokens needed = std::move(out_); // temporary values of the condition, computed in every round
  out_ = before;
  emit_text(text("while (", needed.empty() ? condition : "true", ") {"));
  if (!needed.empty()) {
    out_.insert(out_.end(), needed.begin(), needed.end());
    emit_text(text("if (!(", condition, ")) break;"));
  }
  loops_.push_back(s.name);
  put(s.branches[0].body);
  loops_.pop_back();
  emit_text("}");
}

void ProcedureWriter::put_jump(const Statement &s) {
  const char *const word = s.kind == Action::exit ? "exit" : "cycle";
  if (loops_.empty()) refuse(text("'", word, "' outside of a loop"));
  if (!s.name.empty() && s.name != loops_.back())
    refuse(text("'", word, " ", s.name, "', which is not the innermost loop"));
  emit_text(s.kind == Action::exit ? "break;" : "continue;");
}

} // namespace op2::core::jit::fortran
