// meaning.cpp: names and types; see meaning.hpp. Constants are in constants.cpp.
#include "jit/fortran/meaning.hpp"

#include <algorithm>
#include <array>

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

namespace {

void check_doubt(const Unit &unit, int file, int line, int doubt, const std::string &name) {
  if (doubt < 0) return;
  Semantics::refuse(unit, file, line,
                    text("'", name, "' depends on ", unit.text->statements.doubts[static_cast<std::size_t>(doubt)],
                         ", which the text alone does not settle"));
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
      check_doubt(unit, inside->file, inside->line, inside->doubt, name);
      out.procedure = inside.get();
    }
  if (out.procedure) return out;
  if (const auto symbol = unit.symbols.find(name); symbol != unit.symbols.end()) {
    check_doubt(unit, symbol->second.file, symbol->second.line, symbol->second.doubt, name);
    return {&symbol->second, &unit, nullptr};
  }
  for (const std::string &generic : unit.generics)
    if (generic == name) Semantics::refuse(unit, unit.file, unit.line, text("the generic name '", name, "'"));
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
    std::string there;
    bool renamed = false;
    for (const auto &[here, original] : use.names) {
      if (here == name) there = original;
      renamed = renamed || (original == name && here != name);
    }
    if (there.empty() && (use.only || renamed)) continue;
    if (there.empty()) there = name;
    if (is_intrinsic_module(use.module)) continue;
    const Unit *module = project_.module(use.module);
    if (!module) {
      if (use.only) check_doubt(unit, use.file, use.line, use.doubt, name);
      continue;
    }
    const Meaning found = in_module(*module, there, seen);
    if (found.nothing()) continue;
    check_doubt(unit, use.file, use.line, use.doubt, name);
    if (!out.nothing() && (out.symbol != found.symbol || out.procedure != found.procedure))
      refuse(unit, use.file, use.line, text("'", name, "' is a name of several modules"));
    out = found;
  }
  return out;
}

Meaning Semantics::find(const Unit &scope, const std::string &name) {
  for (const std::string &macro : scope.text->statements.macros)
    if (lower(macro) == name)
      refuse(scope, scope.file, scope.line, text("'", macro, "' is a macro of the preprocessor"));
  for (const Unit *unit = &scope; unit; unit = unit->host) {
    Meaning out = own(*unit, name);
    Seen seen;
    if (out.nothing()) out = used(*unit, name, seen);
    if (!out.nothing()) return out;
    if (unit->name == name && unit->is_procedure()) return {nullptr, nullptr, unit};
    for (const auto &[unread, why] : unit->unread)
      if (unread == name) throw Refusal(why);
  }
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
      if (!scope.text->statements.missing.empty())
        missing = text("; not found: include '", scope.text->statements.missing[0], "'");
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
  if (symbol.base == Type::Base::other || out.kind > 0) return out;
  out.kind = symbol.kind ? kind_of(*symbol.kind, owner) : 4;
  const bool known = out.kind == 4 || (out.kind == 8 && out.base != Type::Base::logical) ||
                     (out.kind == 1 && out.base == Type::Base::logical);
  if (!known) refuse(owner, symbol.file, symbol.line, text("'", symbol.name, "' of kind ", out.kind));
  return out;
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
    case Type::Base::other:
      break;
  }
  return type.called.empty() ? "an unknown type" : type.called;
}

} // namespace op2::core::jit::fortran
