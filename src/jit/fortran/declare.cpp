// declare.cpp: the variables of a procedure; see procedure_writer.hpp.
#include <algorithm>

#include "base/text.hpp"
#include "jit/fortran/procedure_writer.hpp"

namespace op2::core::jit::fortran {

using Base = Type::Base;

namespace {

constexpr long largest_local = 4096;
constexpr std::size_t deepest_part = 8;

// Components of components, by the name of the code.
std::size_t depth_of(const std::string &code) {
  std::size_t out = 0;
  for (std::size_t at = 0; (at = code.find("_P_", at)) != std::string::npos; at += 3) ++out;
  return out;
}

} // namespace

// A variable by its declaration, with the name that code has for it.
Variable ProcedureWriter::variable_of(const Symbol &symbol, const Unit &owner, const std::string &code,
                                      const Given *given) {
  Variable out;
  out.type = semantics_.type_of(symbol, owner);
  out.code = code;
  out.array = symbol.array;
  const int line = symbol.line > 0 ? symbol.line : line_;
  if (!symbol.unusable.empty())
    Semantics::refuse(owner, symbol.file, line, text("'", symbol.name, "' ", symbol.unusable));
  const bool addresses = out.type.called == "type(c_ptr)" && symbol.array && symbol.dummy && !signature_;
  if (out.type.base == Base::other && !addresses)
    Semantics::refuse(owner, symbol.file, line, text("'", symbol.name, "' is of type ", name_of(out.type)));
  set_bounds(out, symbol, owner, given);
  if (out.is_record()) add_parts(out, owner);
  return out;
}

void ProcedureWriter::set_bounds(Variable &variable, const Symbol &symbol, const Unit &owner, const Given *given) {
  const auto refuse_bounds = [&](const std::string &what) {
    Semantics::refuse(owner, symbol.file, symbol.line > 0 ? symbol.line : line_, what);
  };
  // Bounds are those of the beginning.
  const auto bound = [&](const Expression &e) {
    if (const auto number = semantics_.integer(&e, owner)) return fortran::known(*number);
    if (&owner != &unit_) refuse_bounds(text("the bounds of '", symbol.name, "'"));
    const Amount out = amount(e);
    const bool changes = std::any_of(effects_.changed.begin(), effects_.changed.end(),
                                     [&](const std::string &name) { return reads(e, name); });
    return out.known() || (is_plain(out.code) && !changes) ? out : kept(out);
  };
  for (std::size_t d = 0; d < symbol.bounds.size(); ++d) {
    const Bound &one = symbol.bounds[d];
    Dimension dimension;
    if (one.lower) dimension.lower = bound(*one.lower);
    if (one.deferred) {
      if (!given || given->extents.size() != symbol.bounds.size())
        refuse_bounds(text("'", symbol.name, "(:)', an array of assumed shape"));
      dimension.assumed = true;
      dimension.extent =
          given->extents[d] ? fortran::known(*given->extents[d]) : Amount{0, text(variable.code, "_E", d + 1)};
    } else if (!one.assumed) {
      if (!one.upper) refuse_bounds(text("the bounds of '", symbol.name, "'"));
      Amount extent = bound(*one.upper) - dimension.lower + fortran::known(1);
      if (extent.known()) extent.number = std::max(0L, extent.number);
      dimension.extent = extent;
      dimension.assumed = symbol.dummy && given && !semantics_.integer(one.upper.get(), owner);
    } else if (d + 1 < symbol.bounds.size()) {
      refuse_bounds(text("the bounds of '", symbol.name, "'"));
    }
    variable.dimensions.push_back(std::move(dimension));
  }
  set_strides(variable.dimensions);
  for (std::size_t d = 0; given && d < given->strides.size() && d < symbol.bounds.size(); ++d)
    if (symbol.bounds[d].deferred && given->strides[d] != 0)
      variable.dimensions[d].stride = fortran::known(given->strides[d]);
}

void ProcedureWriter::add_parts(Variable &record, const Unit &owner) {
  const Record &type = *record.type.record;
  if (!type.unusable.empty())
    Semantics::refuse(*type.owner, type.file, type.line, text("the type '", type.name, "' ", type.unusable));
  if (depth_of(record.code) > deepest_part)
    Semantics::refuse(owner, type.file, type.line, text("the type '", type.name, "' is nested too deeply"));
  for (const Symbol &symbol : type.parts) {
    Variable part = variable_of(symbol, *type.owner, text(record.code, "_P_", symbol.name));
    if (part.array && !fortran::size_of(part.dimensions))
      Semantics::refuse(*type.owner, symbol.file, symbol.line,
                        text("the component '", symbol.name, "' has no constant shape"));
    record.parts.push_back(std::move(part));
  }
  if (record.parts.empty())
    Semantics::refuse(*type.owner, type.file, type.line, text("the type '", type.name, "' has no components"));
}

void ProcedureWriter::declare(const Variable &variable, const std::string &name) {
  std::vector<Variable> leaves;
  leaves_of(variable, leaves);
  for (const Variable &leaf : leaves) {
    const std::optional<long> size = fortran::size_of(leaf.dimensions);
    if (!size) refuse(text("the local array '", name, "' has no constant shape"));
    if (leaf.array && (*size <= 0 || *size > largest_local))
      refuse(text("the local array '", name, "' has ", *size, " elements"));
    emit_text(text(spelling(leaf.type), " ", leaf.code, leaf.array ? text("[", *size, "]") : "", ";"));
  }
}

// The values that the components of a type have from its definition.
void ProcedureWriter::initialise(const Variable &record) {
  const Record &type = *record.type.record;
  for (std::size_t n = 0; n < type.parts.size(); ++n) {
    const Symbol &symbol = type.parts[n];
    const Variable part = part_of(record, record.parts[n]);
    if (part.is_record()) {
      initialise(part);
      continue;
    }
    if (!symbol.value) continue;
    const auto refuse_value = [&] {
      Semantics::refuse(*type.owner, symbol.file, symbol.line, text("the value of the component '", symbol.name, "'"));
    };
    std::vector<Constant> values;
    if (symbol.array) {
      if (const auto all = semantics_.elements(symbol, *type.owner)) values = *all;
    } else if (const auto one = semantics_.constant(*symbol.value, *type.owner)) {
      values = {converted(*one, part.type)};
    }
    if (values.empty()) refuse_value();
    std::size_t own = 0; // in the order of the component's elements, which come first
    put_each(shape_of_view(part, symbol.name), [&](const Indices &at) {
      if (!at.empty() && !at[0].known()) refuse_value();
      store(part, at, {literal(values[own++ % values.size()]), part.type});
    });
  }
}

// A variable with an initial value that nothing changes is a constant.
bool ProcedureWriter::is_fixed(const std::string &name, const Meaning &meaning) {
  return meaning.symbol && meaning.symbol->value && !meaning.symbol->parameter && meaning.symbol->common.empty() &&
         meaning.owner->is_procedure() && !kernel_.effects().of(*meaning.owner).changed.contains(name);
}

// Declares what the procedure uses of its own.
void ProcedureWriter::locals() {
  const std::set<std::string> used = effects_.used;
  for (const std::string &name : used) {
    if (variables_.contains(name)) continue;
    const Meaning meaning = semantics_.find(unit_, name);
    const auto own = unit_.symbols.find(name);
    const bool is_own = own != unit_.symbols.end() && meaning.symbol == &own->second;
    if (is_own) {
      local(name, own->second);
    } else if (meaning.symbol && meaning.symbol->parameter) {
      constant_record(name, *meaning.symbol, *meaning.owner);
    } else if (meaning.nothing() && effects_.changed.contains(name)) {
      Symbol implied;
      implied.name = name;
      implied.line = line_;
      implied.file = file_;
      local(name, implied);
    } // else functions; what is never set is refused in use
  }
}

// A constant of a derived type. Others have their values where they stand.
void ProcedureWriter::constant_record(const std::string &name, const Symbol &symbol, const Unit &owner) {
  if (!symbol.typed || symbol.array || !symbol.value || semantics_.type_of(symbol, owner).base != Base::record) return;
  Variable constant = variable_of(symbol, owner, safe_name(name));
  declare(constant, name);
  put_record_assignment(constant, *symbol.value, name);
  constant.changeable = false;
  variables_[name] = std::move(constant);
}

void ProcedureWriter::local(const std::string &name, const Symbol &symbol) {
  if (!symbol.common.empty()) return; // found where it is used
  if (effects_.pointed.contains(name)) {
    Variable pointer;
    pointer.type = semantics_.type_of(symbol, unit_);
    pointer.code = name;
    pointer.pointer = true;
    variables_[name] = std::move(pointer);
    return;
  }
  if (symbol.parameter) return constant_record(name, symbol, unit_);
  const bool record = semantics_.type_of(symbol, unit_).base == Base::record;
  if (is_fixed(name, {&symbol, &unit_}) && !record) {
    if (symbol.array) {
      Variable constant = variable_of(symbol, unit_, kernel_.constant_array(symbol, unit_));
      constant.changeable = false;
      variables_[name] = std::move(constant);
      return;
    }
    if (const auto value = semantics_.constant(*symbol.value, unit_)) {
      Variable constant = variable_of(symbol, unit_, safe_name(name));
      const Constant of_type = converted(*value, constant.type);
      if (of_type.type == constant.type) {
        emit_text(text("const ", spelling(constant.type), " ", constant.code, " = ", literal(of_type), ";"));
        constant.changeable = false;
        variables_[name] = std::move(constant);
        return;
      }
    }
  }
  if (!symbol.array && !record && !effects_.changed.contains(name)) return; // the type of a function
  if ((symbol.saved || unit_.saves) && symbol.unusable.empty())
    Semantics::refuse(unit_, symbol.file, symbol.line, text("'", name, "' keeps its value between calls (save)"));
  line_ = symbol.line;
  file_ = symbol.file;
  Variable variable = variable_of(symbol, unit_, safe_name(name));
  declare(variable, name);
  variables_[name] = variable;
  if (record) initialise(variable);
  line_ = unit_.line;
  file_ = unit_.file;
}

// A variable of the procedure, of the one around it, of a module, or of a common block.
Variable &ProcedureWriter::variable(const std::string &name) {
  const auto found = variables_.find(name);
  if (found != variables_.end()) return found->second;
  const Meaning meaning = semantics_.find(unit_, name);
  const Symbol *const symbol = meaning.symbol;
  if (symbol && !symbol->parameter && (meaning.owner->kind == Unit::Kind::module || !symbol->common.empty()))
    return variables_[name] = kernel_.program_variable(*symbol, *meaning.owner);
  if (symbol && symbol->parameter && symbol->array) {
    Variable out;
    out.code = kernel_.constant_array(*symbol, *meaning.owner);
    out.type = semantics_.type_of(*symbol, *meaning.owner);
    out.array = true;
    out.changeable = false;
    set_bounds(out, *symbol, *meaning.owner, nullptr);
    return variables_[name] = out;
  }
  if (symbol && symbol->parameter) {
    if (semantics_.type_of(*symbol, *meaning.owner).base == Base::record)
      refuse(text("the constant '", name, "' of a derived type"));
    refuse(text("the value of the constant '", name, "' is not known to the last bit"));
  }
  if (meaning.procedure || meaning.generic) refuse(text("the procedure '", name, "' in place of a value"));
  if (symbol && meaning.owner != &unit_) refuse(text("the variable '", name, "' of the program around the kernel"));
  if (!symbol) semantics_.implicit_type(name, unit_); // says if nothing declares it
  refuse(text("'", name, "' is used and never set"));
}

bool ProcedureWriter::is_variable(const std::string &name) {
  if (variables_.contains(name)) return true;
  const Meaning meaning = semantics_.find(unit_, name);
  return meaning.symbol && (meaning.symbol->array || !meaning.symbol->common.empty() ||
                            (meaning.owner->kind == Unit::Kind::module && !meaning.symbol->parameter));
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
