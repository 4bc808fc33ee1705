// procedure_writer.cpp: the head of a procedure and its variables; see procedure_writer.hpp.
#include "jit/fortran/procedure_writer.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace op2::core::jit::fortran {

using Base = Type::Base;

ProcedureWriter::ProcedureWriter(KernelWriter &kernel, const Unit &unit, bool as_kernel,
                                 std::map<std::string, Variable> *host)
    : kernel_(kernel),
      semantics_(kernel.semantics()),
      unit_(unit),
      as_kernel_(as_kernel),
      host_(host),
      line_(unit.line),
      file_(unit.file) {}

void ProcedureWriter::refuse(const std::string &what) const { Semantics::refuse(unit_, file_, line_, what); }

void ProcedureWriter::emit_text(const std::string &text) {
  for (Token &token : tokenize(text, line_)) out_.push_back(std::move(token));
}

std::string ProcedureWriter::new_name(const char *what) { return text(what, ++names_); }

void ProcedureWriter::check_doubt(const Statement &s) const {
  if (s.doubt >= 0)
    refuse(text("depends on ", unit_.text->statements.doubts[static_cast<std::size_t>(s.doubt)],
                ", which the text alone does not settle"));
}

// A variable by its declaration, with the name that code has for it.
Variable ProcedureWriter::variable_of(const Symbol &symbol, const Unit &owner) {
  Variable out;
  out.type = semantics_.type_of(symbol, owner);
  out.code = safe_name(symbol.name);
  out.array = symbol.array;
  const int line = symbol.line > 0 ? symbol.line : line_;
  if (!symbol.unusable.empty())
    Semantics::refuse(owner, symbol.file, line, text("'", symbol.name, "' ", symbol.unusable));
  if (out.type.base == Base::other)
    Semantics::refuse(owner, symbol.file, line, text("'", symbol.name, "' is of type ", name_of(out.type)));
  for (std::size_t d = 0; d < symbol.bounds.size(); ++d) {
    const Bound &bound = symbol.bounds[d];
    Dimension dimension;
    if (bound.deferred)
      Semantics::refuse(owner, symbol.file, line, text("'", symbol.name, "(:)', an array of assumed shape"));
    dimension.lower = bound.lower ? semantics_.integer(bound.lower.get(), owner) : std::optional<long>(1);
    if (!dimension.lower) dimension.lower_code = converted_to(scalar(*bound.lower), {Base::integer, 4, ""});
    if (!bound.assumed) {
      const std::optional<long> upper = semantics_.integer(bound.upper.get(), owner);
      if (upper && dimension.lower)
        dimension.extent = std::max(0L, *upper - *dimension.lower + 1);
      else if (d + 1 < symbol.bounds.size() && dimension.lower)
        dimension.extent_code =
            text("(", converted_to(scalar(*bound.upper), {Base::integer, 4, ""}), " - ", *dimension.lower - 1, ")");
      else if (d + 1 < symbol.bounds.size())
        Semantics::refuse(owner, symbol.file, line, text("the bounds of '", symbol.name, "'"));
    } else if (d + 1 < symbol.bounds.size()) {
      Semantics::refuse(owner, symbol.file, line, text("the bounds of '", symbol.name, "'"));
    }
    out.dimensions.push_back(std::move(dimension));
  }
  return out;
}

Parameter ProcedureWriter::parameter(const Variable &variable, bool pointer, bool reference, bool changed) const {
  Parameter out;
  out.name = variable.code;
  out.scalar = variable.as_int ? Scalar::int32 : scalar_of(variable.type);
  out.is_const = !changed && (pointer || reference);
  out.pointers = pointer ? 1 : 0;
  out.reference = reference;
  return out;
}

void ProcedureWriter::dummies(Function &out, Helper *helper) {
  EffectsOf &effects = kernel_.effects();
  // Scalars first: bounds of arrays may depend on them.
  for (const bool arrays : {false, true})
    for (std::size_t i = 0; i < unit_.dummies.size(); ++i) {
      const std::string &name = unit_.dummies[i];
      if (name == "*") refuse("a return to a label");
      const Symbol &symbol = unit_.symbols.at(name);
      if (symbol.array != arrays) continue;
      if (as_kernel_ && symbol.by_value) refuse(text("'", name, "' has the attribute value; kernels get addresses"));
      Variable variable = variable_of(symbol, unit_);
      variable.changeable = symbol.intent != Symbol::Intent::in;
      variable.indirect = as_kernel_ && !symbol.array;
      variable.as_int = as_kernel_ && variable.type.base == Base::logical && variable.type.kind == 4;
      if (!as_kernel_ && variable.type.base == Base::logical && (symbol.array || effects.changes(unit_, i)))
        refuse(text("the logical argument '", name, "', which is an array or changed"));
      variables_[name] = std::move(variable);
    }
  for (std::size_t i = 0; i < unit_.dummies.size(); ++i) {
    const Symbol &symbol = unit_.symbols.at(unit_.dummies[i]);
    const Variable &variable = variables_.at(unit_.dummies[i]);
    const bool changed = effects.changes(unit_, i);
    const bool pointer = as_kernel_ || symbol.array;
    const bool by_reference = !pointer && changed && !symbol.by_value;
    out.parameters.push_back(parameter(variable, pointer, by_reference, changed));
    if (helper) helper->arguments.push_back({unit_.dummies[i], variable.type, symbol.array, by_reference, false});
  }
}

// Variables of the procedure around this one become parameters.
void ProcedureWriter::captures(Function &out, Helper &helper) {
  if (!host_) return;
  for (const std::string &name : effects_.used) {
    if (variables_.contains(name)) continue;
    const Meaning meaning = semantics_.find(unit_, name);
    const bool hosts = meaning.symbol && meaning.owner == unit_.host && !meaning.symbol->parameter;
    const bool undeclared = meaning.nothing() && host_->contains(name);
    if (!hosts && !undeclared) continue;
    const auto found = host_->find(name);
    if (found == host_->end()) continue; // a function of that name
    Variable variable = found->second;
    const bool changed = effects_.changed.contains(name);
    const bool pointer = variable.array || variable.indirect;
    if (variable.type.base == Base::logical && changed)
      refuse(text("the logical variable '", name, "' of the procedure around '", unit_.name, "' is changed"));
    out.parameters.push_back(parameter(variable, pointer, changed && !pointer, changed));
    helper.arguments.push_back({name, variable.type, variable.array, changed && !pointer, true});
    variables_[name] = std::move(variable);
  }
}

// Declares what the procedure uses of its own.
void ProcedureWriter::locals(Function &out) {
  std::set<std::string> declared;
  for (const std::string &name : effects_.used) {
    if (variables_.contains(name)) continue;
    const auto own = unit_.symbols.find(name);
    const Meaning meaning = semantics_.find(unit_, name);
    const Symbol *symbol = own != unit_.symbols.end() && meaning.symbol == &own->second ? &own->second : nullptr;
    Symbol implied;
    if (!symbol) {
      if (!meaning.nothing() || !effects_.changed.contains(name))
        continue; // functions; what is never set is refused in use
      implied.name = name;
      implied.line = line_;
      implied.file = file_;
      symbol = &implied;
    }
    const bool result = unit_.kind == Unit::Kind::function && name == unit_.result;
    if (symbol->parameter) continue;
    if (!symbol->array && !result && !effects_.changed.contains(name)) continue; // the type of a function
    if (symbol->saved || (unit_.saves && !result))
      Semantics::refuse(unit_, symbol->file, symbol->line, text("'", name, "' keeps its value between calls (save)"));
    Variable variable = variable_of(*symbol, unit_);
    if (result) {
      if (variable.array) refuse(text("the function '", unit_.name, "' gives an array"));
      variable.code = result_ = "Result";
    }
    long size = 1;
    for (const Dimension &dimension : variable.dimensions) {
      if (!dimension.extent)
        Semantics::refuse(unit_, symbol->file, symbol->line,
                          text("the local array '", name, "' has no constant shape"));
      size *= *dimension.extent;
    }
    if (variable.array && (size <= 0 || size > 4096))
      Semantics::refuse(unit_, symbol->file, symbol->line,
                        text("the local array '", name, "' has ", size, " elements"));
    emit_text(text(spelling(variable.type), " ", variable.code, variable.array ? text("[", size, "]") : "", ";"));
    variables_[name] = std::move(variable);
  }
  if (unit_.kind == Unit::Kind::function) {
    if (result_.empty()) refuse(text("the function '", unit_.name, "' does not set its result"));
    out.result = scalar_of(variables_.at(unit_.result).type);
  }
}

Function ProcedureWriter::write(const std::string &name, Helper *helper) {
  if (unit_.doubt >= 0)
    refuse(text("'", unit_.name, "' depends on ", unit_.text->statements.doubts[static_cast<std::size_t>(unit_.doubt)],
                ", which the text alone does not settle"));
  Function out;
  out.name = name;
  out.file = unit_.text->statements.files[static_cast<std::size_t>(unit_.file)];
  out.line = unit_.line;
  effects_ = kernel_.effects().of(unit_);
  emit_text("{");
  dummies(out, helper);
  if (helper) captures(out, *helper);
  locals(out);
  if (helper && unit_.kind == Unit::Kind::function) helper->result = variables_.at(unit_.result).type;
  put(kernel_.effects().body(unit_));
  if (!result_.empty()) emit_text(text("return ", result_, ";"));
  emit_text("}");
  out.body = std::move(out_);
  return out;
}

// A variable of the procedure, of the one around it, or of a module.
Variable &ProcedureWriter::variable(const std::string &name) {
  const auto found = variables_.find(name);
  if (found != variables_.end()) return found->second;
  const Meaning meaning = semantics_.find(unit_, name);
  if (meaning.symbol && meaning.owner->kind == Unit::Kind::module) {
    const Symbol &symbol = *meaning.symbol;
    if (!symbol.parameter) return variables_[name] = kernel_.program_variable(symbol, *meaning.owner);
  }
  if (meaning.symbol && meaning.symbol->parameter && meaning.symbol->array) {
    Variable out;
    out.code = kernel_.constant_array(*meaning.symbol, *meaning.owner);
    out.type = semantics_.type_of(*meaning.symbol, *meaning.owner);
    out.array = true;
    out.changeable = false;
    const auto extents = semantics_.extents(*meaning.symbol, *meaning.owner);
    for (std::size_t d = 0; extents && d < extents->size(); ++d) {
      const Bound &bound = meaning.symbol->bounds[d];
      out.dimensions.push_back(
          {bound.lower ? semantics_.integer(bound.lower.get(), *meaning.owner) : 1, (*extents)[d], "", ""});
    }
    return variables_[name] = out;
  }
  if (meaning.symbol && meaning.symbol->parameter)
    refuse(text("the value of the constant '", name, "' is not known to the last bit"));
  if (meaning.procedure) refuse(text("the procedure '", name, "' in place of a value"));
  if (meaning.symbol && meaning.owner != &unit_)
    refuse(text("the variable '", name, "' of the program around the kernel"));
  if (!meaning.symbol) semantics_.implicit_type(name, unit_); // says if nothing declares it
  refuse(text("'", name, "' is used and never set"));
}

bool ProcedureWriter::is_variable(const std::string &name) {
  if (variables_.contains(name)) return true;
  const Meaning meaning = semantics_.find(unit_, name);
  return meaning.symbol &&
         (meaning.symbol->array || (meaning.owner->kind == Unit::Kind::module && !meaning.symbol->parameter));
}

} // namespace op2::core::jit::fortran
