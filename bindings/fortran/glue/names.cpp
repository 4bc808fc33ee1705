// The names of kernels, which Fortran programs do not give: what their symbols were made of.
#include <cstring>

#include "glue.hpp"

namespace op2::fortran {

namespace {

// Behind the last place where a mark stands, if there is one.
bool cut_behind(std::string &name, const char *mark) {
  const std::size_t at = name.rfind(mark);
  if (at == std::string::npos || at + std::strlen(mark) >= name.size()) return false;
  name.erase(0, at + std::strlen(mark));
  return true;
}

} // namespace

// Compilers add the module and an underscore: __module_MOD_name and name_ (gfortran), _QMmodulePname (flang),
// module_mp_name_ (Intel). Functions inside others and copies of the optimiser have more behind a dot.
std::string name_as_written(std::string name) {
  if (const std::size_t dot = name.find('.'); dot != std::string::npos && dot > 0) name.erase(dot);
  if (name.starts_with("__") && cut_behind(name, "_MOD_")) return name;
  if (name.starts_with("_Q") && cut_behind(name, "P")) return name;
  if (cut_behind(name, "_mp_") || !name.starts_with("_"))
    while (name.size() > 1 && name.back() == '_') name.pop_back();
  return name;
}

} // namespace op2::fortran

// SPDX-License-Identifier: MIT
