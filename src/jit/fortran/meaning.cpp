// meaning.cpp: names and types; see meaning.hpp. Constants are in constants.cpp.
#include "jit/fortran/meaning.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.hpp"
#include "jit/fortran/parse/words.hpp"

namespace op2::core::jit::fortran {

namespace {

bool is_intrinsic_module(const std::string &name) {
  return name == "iso_c_binding" || name == "iso_fortran_env" || name.starts_with("ieee_");
}

} // namespace

void Semantics::refuse(const Unit &unit, int file, int line, const std::string &what) {
  throw Refusal(text(unit.text->place(file, line), ": ", what));
}

namespace {} // namespace

bool has_no_mathematics(const std::string &module) {
  constexpr std::array<std::string_view, 6> others = {"mpi", "mpi_f08", "hdf5", "netcdf", "omp_lib", "openacc"};
  return module.starts_with("op2") || std::find(others.begin(), others.end(), module) != others.end();
}

namespace {

// What the module calls that which the statement brings as `name`; "" = it does not bring it.
std::string name_there(const Use &use, const std::string &name) {
  bool renamed = false;
  for (const auto &[here, original] : use.names) {
    if (here == name) return original;
    renamed = renamed || original == name;
  }
  return use.only || renamed ? "" : name;
}

bool is_shown(const Unit &module, const std::string &name) {
  const auto own = module.shown.find(name);
  return own != module.shown.end() ? own->second : !module.hidden;
}

// Its own names.
Meaning own(const Unit &unit, const std::string &name) {
  Meaning out;
  for (const std::unique_ptr<Unit> &inside : unit.inside)
    if (inside->name == name) {
      if (out.procedure)
        Semantics::refuse(unit, inside->file, inside->line, text("'", name, "' is defined more than once"));
      out.procedure = inside.get();
    }
  if (const auto record = unit.records.find(name); record != unit.records.end()) out.record = &record->second;
  if (const auto generic = unit.generics.find(name); generic != unit.generics.end()) {
    out.generic = &generic->second;
    out.owner = &unit;
  }
  if (!out.nothing()) return out;
  if (const auto symbol = unit.symbols.find(name); symbol != unit.symbols.end()) return {&symbol->second, &unit};
  return out;
}

} // namespace

Meaning Semantics::in_module(const Unit &module, const std::string &name, Seen &seen) {
  if (!is_shown(module, name) || !seen.insert({&module, name}).second) return {};
  const Meaning out = own(module, name);
  return out.nothing() ? used(module, name, seen) : out;
}

// Names of the modules that a unit uses.
Meaning Semantics::used(const Unit &unit, const std::string &name, Seen &seen) {
  Meaning out;
  for (const Use &use : unit.uses) {
    const std::string there = name_there(use, name);
    if (there.empty()) continue;
    if (is_intrinsic_module(use.module)) continue;
    const Unit *module = project_.module(use.module);
    if (!module) continue;
    const Meaning found = in_module(*module, there, seen);
    if (found.nothing()) continue;
    if (!out.nothing() && (out.symbol != found.symbol || out.procedure != found.procedure ||
                           out.record != found.record || out.generic != found.generic))
      refuse(unit, use.file, use.line, text("'", name, "' is a name of several modules"));
    out = found;
  }
  return out;
}

Meaning Semantics::find(const Unit &scope, const std::string &name) {
  for (const Unit *unit = &scope; unit; unit = unit->host) {
    Meaning out = own(*unit, name);
    Seen seen;
    if (out.nothing()) out = used(*unit, name, seen);
    if (!out.nothing()) return out;
    if (unit->name == name && unit->is_procedure()) return {nullptr, nullptr, unit, nullptr, nullptr};
    for (const auto &[unread, why] : unit->unread)
      if (unread == name) throw Refusal(why);
  }
  return {};
}

// In one scope, and in the modules that it uses.
std::string Semantics::own_in(const Unit &unit, const std::string &name, Seen &seen) {
  if (!seen.insert({&unit, name}).second) return {};
  const auto symbol = unit.symbols.find(name);
  if ((symbol != unit.symbols.end() && symbol->second.unusable == "is external") || unit.outside.contains(name) ||
      unit.generics.contains(name))
    return "is external";
  for (const Use &use : unit.uses) {
    const std::string there = name_there(use, name);
    if (there.empty() || is_intrinsic_module(use.module) || has_no_mathematics(use.module)) continue;
    const Unit *const module = project_.module(use.module);
    if (!module) return text("may be of module '", use.module, "', whose text is not found");
    if (!is_shown(*module, there)) continue;
    if (std::string out = own_in(*module, there, seen); !out.empty()) return out;
  }
  return {};
}

std::string Semantics::may_be_own(const Unit &scope, const std::string &name) {
  Seen seen;
  for (const Unit *unit = &scope; unit; unit = unit->host)
    if (std::string out = own_in(*unit, name, seen); !out.empty()) return out;
  return {};
}

Type Semantics::implicit_type(const std::string &name, const Unit &scope) {
  for (const Unit *unit = &scope; unit; unit = unit->host) {
    if (unit->implicit_none) {
      std::string missing;
      for (const Use &use : scope.uses)
        if (!is_intrinsic_module(use.module) && !project_.module(use.module))
          missing = text("; module '", use.module, "' is not found");
      if (scope.host)
        for (const Use &use : scope.host->uses)
          if (!is_intrinsic_module(use.module) && !project_.module(use.module))
            missing = text("; module '", use.module, "' is not found");
      if (!scope.text->statements.missing.empty()) missing = text("; ", scope.text->statements.missing[0]);
      refuse(scope, scope.file, scope.line, text("'", name, "', of which nothing is known", missing));
    }
    if (const auto rule = unit->implicit.find(name[0]); rule != unit->implicit.end())
      return type_of(rule->second, *unit);
  }
  return name[0] >= 'i' && name[0] <= 'n' ? Type{Type::Base::integer, 4, ""} : Type{Type::Base::real, 4, ""};
}

Type Semantics::type_of(const Symbol &symbol, const Unit &owner) {
  if (!symbol.typed) return implicit_type(symbol.name, owner);
  Type out{symbol.base, symbol.bytes, symbol.called};
  if (symbol.base == Type::Base::other && symbol.called.starts_with("type(")) {
    out.record = record(symbol.called.substr(5, symbol.called.size() - 6), owner);
    if (out.record) out.base = Type::Base::record;
  }
  if (symbol.base == Type::Base::other || out.kind > 0) return out;
  out.kind = symbol.kind ? kind_of(*symbol.kind, owner) : 4;
  const bool known = out.kind == 4 || (out.kind == 8 && out.base != Type::Base::logical) ||
                     (out.kind == 1 && out.base == Type::Base::logical);
  if (!known) refuse(owner, symbol.file, symbol.line, text("'", symbol.name, "' of kind ", out.kind));
  return out;
}

const Record *Semantics::record(const std::string &name, const Unit &scope) {
  return name == "c_ptr" || name == "c_funptr" ? nullptr : find(scope, name).record;
}

// In the order of the block, each at a multiple of its size, as compilers place them.
long Semantics::common_offset(const Symbol &symbol, const Unit &owner) {
  const auto refuse_here = [&] {
    refuse(owner, symbol.file, symbol.line, text("the place of '", symbol.name, "' in its common block"));
  };
  long at = 0;
  for (const std::string &name : owner.commons.at(symbol.common)) {
    const Symbol &one = owner.symbols.at(name);
    const Type type = type_of(one, owner);
    const auto extents = this->extents(one, owner);
    if (type.kind == 0 || !extents || !one.unusable.empty()) refuse_here();
    long size = type.kind;
    at = (at + size - 1) / size * size;
    if (name == symbol.name) return at;
    for (const long extent : *extents) {
      if (extent > (1L << 24)) refuse_here();
      size *= extent;
      if (size > (1L << 40)) refuse_here();
    }
    at += size;
  }
  refuse(owner, symbol.file, symbol.line, text("the place of '", symbol.name, "' in its common block"));
}

int Semantics::kind_of(const Expression &expression, const Unit &scope) {
  if (const std::optional<long> value = integer(&expression, scope)) return static_cast<int>(*value);
  refuse(scope, scope.file, scope.line, text("the kind '", expression.word, "', which is not known"));
}

std::optional<std::vector<long>> Semantics::extents(const Symbol &array, const Unit &owner) {
  std::vector<long> out;
  for (const Bound &bound : array.bounds) {
    const std::optional<long> lower = bound.lower ? integer(bound.lower.get(), owner) : 1;
    const std::optional<long> upper = integer(bound.upper.get(), owner);
    if (!lower || !upper) return std::nullopt;
    out.push_back(std::max(0L, *upper - *lower + 1));
  }
  return out;
}

Type common_type(const Type &a, const Type &b) {
  if (a.base == b.base) return a.kind >= b.kind ? a : b;
  return a.base == Type::Base::real ? a : b;
}

std::string name_of(const Type &type) {
  switch (type.base) {
    case Type::Base::integer:
      return text("integer(", type.kind, ")");
    case Type::Base::real:
      return text("real(", type.kind, ")");
    case Type::Base::logical:
      return text("logical(", type.kind, ")");
    case Type::Base::record:
    case Type::Base::other:
      break;
  }
  return type.called.empty() ? "an unknown type" : type.called;
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
