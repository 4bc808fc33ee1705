// Constants belong to variables of the program: two source files may have one of the same name each.
#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "host/program/symbol_table.hpp"
#include "mesh/checks.hpp"
#include "mesh/declarations.hpp"

namespace op2::core {

namespace {

enum class Named { yes, no, unknown };

// Whether a variable of this name begins at the address. Fortran has "__flow_MOD_gam".
Named is_variable(const Constant &constant) {
  const std::optional<LoadedObject> object = object_with(constant.variable);
  if (!object) return Named::no; // a stack, or memory that was allocated
  const SymbolTable table(*object);
  if (!table.complete()) return Named::unknown;
  return table.has_variable(constant.variable, constant.name) ? Named::yes : Named::no;
}

} // namespace

bool may_be_variable(const void *address, const std::string &label) {
  return is_variable({label, {}, 0, {}, 0, address}) != Named::no;
}

std::string constant_label(const char *name) {
  std::string label = name;
  if (label.starts_with('&') || label.starts_with('(') || label.starts_with('*'))
    label.erase(0, label.find_last_of("&)* ") + 1);
  return label.empty() ? name : label;
}

const Constant &Declarations::constant(const char *name, int dim, const char *type, int type_size, const void *data) {
  need_name(name);
  const std::string label = constant_label(name);
  if (!data) fail(OP_ERR_ARGUMENT, "the value of constant '", label, "' is NULL");
  const ElementType element = sized_type(type, type_size, label.c_str());
  const int bytes = row_bytes(dim, element, label.c_str());
  Constant constant{label, element, dim, {}, 0, data};
  constant.value.assign(static_cast<const char *>(data), static_cast<const char *>(data) + bytes);
  make_room_for(constant);
  return objects_.set_constant(std::move(constant));
}

// What other declarations of the same name mean once this one has come.
void Declarations::make_room_for(Constant &constant) {
  const auto among = [&](const auto &wanted) -> const Constant * {
    const auto found = std::ranges::find_if(
        objects_.constants(), [&](const Constant &old) { return old.name == constant.name && wanted(old); });
    return found == objects_.constants().end() ? nullptr : &*found;
  };
  const auto of_no_variable = [](const Constant &old) { return old.of_no_variable; };
  const auto same = [&](const Constant &old) { return old.variable == constant.variable; };
  const auto another = [&](const Constant &old) { return !same(old) && !old.of_no_variable; };
  if (const Constant *const old = among(same)) {
    constant.of_no_variable = old->of_no_variable;
  } else if (among([](const Constant &) { return true; })) {
    const Named here = is_variable(constant);
    bool variables = false, unclear = here == Named::unknown;
    while (const Constant *const other =
               among([&](const Constant &old) { return another(old) && is_variable(old) == Named::no; }))
      objects_.remove_constant(*other);
    if (among(another)) {
      variables = true;
      unclear =
          unclear || among([&](const Constant &old) { return another(old) && is_variable(old) == Named::unknown; });
    }
    // The value may be meant for one of the variables of that name, which nobody can tell.
    constant.of_no_variable = here == Named::no && variables;
    if (unclear || (constant.of_no_variable && !among(of_no_variable))) objects_.constants_are_unclear();
  }
  // It held until the next declaration.
  if (const Constant *const before = among(of_no_variable); before && !same(*before)) objects_.remove_constant(*before);
}

void Declarations::restore(const Constant &constant, const void *data) {
  Constant copy = constant;
  copy.value.assign(static_cast<const char *>(data), static_cast<const char *>(data) + constant.value.size());
  objects_.set_constant(std::move(copy));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
