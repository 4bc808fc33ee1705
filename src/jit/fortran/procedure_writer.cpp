// procedure_writer.cpp: the head of a procedure; see procedure_writer.hpp. Its variables are in declare.cpp.
#include "jit/fortran/procedure_writer.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace op2::core::jit::fortran {

using Base = Type::Base;

ProcedureWriter::ProcedureWriter(KernelWriter &kernel, const Unit &unit, const Signature *signature,
                                 std::map<std::string, Variable> *host)
    : kernel_(kernel),
      semantics_(kernel.semantics()),
      unit_(unit),
      signature_(signature),
      host_(host),
      line_(unit.line),
      file_(unit.file) {}

void ProcedureWriter::refuse(const std::string &what) const { Semantics::refuse(unit_, file_, line_, what); }

void ProcedureWriter::emit_text(const std::string &text) {
  for (Token &token : tokenize(text, line_)) out_.push_back(std::move(token));
}

std::string ProcedureWriter::new_name(const char *what) { return text(what, ++names_); }

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
  // Scalars first: bounds of arrays may depend on them.
  for (const bool arrays : {false, true})
    for (std::size_t i = 0; i < unit_.dummies.size(); ++i) {
      const std::string &name = unit_.dummies[i];
      if (name == "*") refuse("a return to a label");
      const Symbol &symbol = unit_.symbols.at(name);
      if (symbol.array != arrays) continue;
      if (!signature_ && symbol.by_value) refuse(text("'", name, "' has the attribute value; kernels get addresses"));
      const Given *const given = signature_ ? &signature_->at(i) : nullptr;
      if (given && given->value) known_[name] = *given->value;
      Variable variable = variable_of(symbol, unit_, safe_name(name), given);
      if (!signature_ && variable.is_record()) row_as_record(variable, symbol);
      variable.changeable = symbol.intent != Symbol::Intent::in;
      variable.indirect = !signature_ && !symbol.array;
      const bool logical = variable.type.base == Base::logical;
      if (given && given->shifted) variable.offset = {0, text(variable.code, "_O")};
      variable.as_int = logical && (signature_ ? given->as_int : variable.type.kind == 4);
      variables_[name] = std::move(variable);
    }
  helper ? dummy_parameters(out, *helper) : kernel_parameters(out);
}

namespace {

// The numbers of a value of a derived type, one behind the other in a row; false where there are arrays of such values.
bool place_parts(Variable &record, const std::string &code, long &offset) {
  for (Variable &part : record.parts) {
    if (part.is_record()) {
      if (part.array || !place_parts(part, code, offset)) return false;
      continue;
    }
    part.code = code;
    part.array = true;
    part.offset = known(offset);
    offset += size_of(part.dimensions).value_or(1);
  }
  return true;
}

} // namespace

// A row that the kernel takes as a value of a derived type: of numbers of one type.
void ProcedureWriter::row_as_record(Variable &record, const Symbol &symbol) const {
  std::vector<Variable> leaves;
  leaves_of(record, leaves);
  const Type &type = leaves.at(0).type;
  long size = 0;
  const bool alike = std::all_of(leaves.begin(), leaves.end(), [&](const Variable &one) { return one.type == type; });
  if (record.array || !alike || type.base == Base::logical || !place_parts(record, record.code, size))
    Semantics::refuse(unit_, symbol.file, symbol.line,
                      text("'", symbol.name, "' is of type ", name_of(record.type), ", which is no row of numbers"));
}

void ProcedureWriter::kernel_parameters(Function &out) {
  for (std::size_t i = 0; i < unit_.dummies.size(); ++i) {
    const std::string &name = unit_.dummies[i];
    Variable variable = variables_.at(name);
    while (variable.is_record()) variable = Variable(variable.parts.at(0));
    if (variable.type.base == Base::other)
      addresses(out, name);
    else
      out.parameters.push_back(parameter(variable, true, false, kernel_.effects().changes(unit_, i)));
  }
}

// type(c_ptr) :: rows(4), of a vector argument: what c_f_pointer makes of them says what they point to.
void ProcedureWriter::addresses(Function &out, const std::string &name) {
  Parameter parameter;
  parameter.name = variables_.at(name).code;
  parameter.pointers = 2;
  parameter.is_const = true;
  for (const auto &[pointer, rows] : effects_.pointed) {
    if (rows != name) continue;
    const auto symbol = unit_.symbols.find(pointer);
    if (symbol == unit_.symbols.end()) refuse(text("'", pointer, "', to which '", name, "' points"));
    const Scalar scalar = scalar_of(semantics_.type_of(symbol->second, unit_));
    if (scalar == Scalar::boolean) refuse(text("'", pointer, "', logical values behind addresses"));
    if (parameter.scalar != Scalar::other && parameter.scalar != scalar)
      refuse(text("'", name, "', addresses of values of several types"));
    parameter.scalar = scalar;
    if (effects_.changed.contains(pointer)) parameter.is_const = false;
  }
  if (parameter.scalar == Scalar::other) refuse(text("'", name, "', addresses that 'c_f_pointer' is not called with"));
  out.parameters.push_back(std::move(parameter));
}

void ProcedureWriter::dummy_parameters(Function &out, Helper &helper) {
  for (std::size_t i = 0; i < unit_.dummies.size(); ++i) {
    const std::string &name = unit_.dummies[i];
    const Symbol &symbol = unit_.symbols.at(name);
    Helper::Dummy dummy;
    dummy.variable = variables_.at(name);
    dummy.changed = kernel_.effects().changes(unit_, i);
    dummy.by_value = symbol.by_value;
    std::vector<Variable> leaves;
    leaves_of(dummy.variable, leaves);
    for (const Variable &leaf : leaves)
      out.parameters.push_back(
          parameter(leaf, leaf.array, !leaf.array && dummy.changed && !dummy.by_value, dummy.changed));
    for (std::size_t d = 0; d < symbol.bounds.size(); ++d) {
      const Dimension &dimension = dummy.variable.dimensions[d];
      dummy.assumed = dummy.assumed || symbol.bounds[d].deferred;
      const bool passed = symbol.bounds[d].deferred && !dimension.extent->known();
      dummy.extents.push_back(passed);
      if (!passed) continue;
      Parameter extent;
      extent.name = dimension.extent->code;
      extent.scalar = Scalar::int32;
      out.parameters.push_back(std::move(extent));
    }
    if (!dummy.variable.offset.known()) {
      Parameter first;
      first.name = dummy.variable.offset.code;
      first.scalar = Scalar::int32;
      out.parameters.push_back(std::move(first));
      dummy.shifted = true;
    }
    helper.dummies.push_back(std::move(dummy));
    if (symbol.intent == Symbol::Intent::out && variables_.at(name).is_record()) initialise(variables_.at(name));
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
    const Variable variable = found->second;
    const bool changed = effects_.changed.contains(name);
    std::vector<Variable> leaves;
    leaves_of(variable, leaves);
    for (const Variable &leaf : leaves) {
      const bool pointer = leaf.array || leaf.indirect;
      bool plain = leaf.code.find('[') == std::string::npos && leaf.offset.known() && !leaf.pointer;
      for (const Dimension &dimension : leaf.dimensions)
        plain = plain && dimension.stride.known() && dimension.lower.known() &&
                (!dimension.extent || dimension.extent->known());
      if (!plain) refuse(text("'", name, "' of the procedure around '", unit_.name, "', whose place is not known"));
      out.parameters.push_back(parameter(leaf, pointer, changed && !pointer, changed));
    }
    helper.captures.push_back({name, changed});
    variables_[name] = variable;
  }
}

// A number is returned; what is more, or several, is written through the last parameters.
void ProcedureWriter::result(Function &out, Helper &helper) {
  if (unit_.kind != Unit::Kind::function) return;
  const Symbol &symbol = unit_.symbols.at(unit_.result);
  if (!effects_.changed.contains(unit_.result)) refuse(text("the function '", unit_.name, "' does not set its result"));
  Variable variable = variable_of(symbol, unit_, "Result");
  if (variable.array && !fortran::size_of(variable.dimensions))
    refuse(text("the function '", unit_.name, "' gives an array whose size is no constant"));
  helper.result = variable;
  helper.returns = !variable.array && !variable.is_record();
  variables_[unit_.result] = variable;
  if (helper.returns) {
    result_ = "Result";
    out.result = scalar_of(variable.type);
    return declare(variable, unit_.result);
  }
  std::vector<Variable> leaves;
  leaves_of(variable, leaves);
  for (const Variable &leaf : leaves) out.parameters.push_back(parameter(leaf, leaf.array, !leaf.array, true));
  if (variable.is_record()) initialise(variable);
}

Function ProcedureWriter::write(const std::string &name, Helper *helper) {
  Function out;
  out.name = name_ = name;
  out.file = unit_.text->statements.files[static_cast<std::size_t>(unit_.file)];
  out.line = unit_.line;
  effects_ = kernel_.effects().of(unit_);
  emit_text("{");
  dummies(out, helper);
  if (helper) {
    captures(out, *helper);
    result(out, *helper);
  }
  locals();
  put(kernel_.effects().body(unit_));
  if (!result_.empty()) emit_text(text("return ", result_, ";"));
  emit_text("}");
  out.body = std::move(out_);
  return out;
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
