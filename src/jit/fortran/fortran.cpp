// fortran.cpp: see fortran.hpp.
#include "jit/fortran/fortran.hpp"

#include <cstdlib>
#include <stdexcept>

#include "base/text.hpp"
#include "jit/fortran/kernel_writer.hpp"
#include "jit/fortran/quiet_floats.hpp"

namespace op2::core::jit::fortran {

std::optional<KernelName> kernel_name(const std::string &symbol) {
  if (symbol.empty() || symbol.find('.') != std::string::npos) return std::nullopt;
  if (symbol.starts_with("__")) {
    const std::size_t at = symbol.find("_MOD_");
    if (at == std::string::npos || at < 3) return std::nullopt;
    return KernelName{symbol.substr(2, at - 2), symbol.substr(at + 5)};
  }
  if (symbol.starts_with("_QM")) {
    const std::size_t at = symbol.rfind('P');
    if (at == std::string::npos || at < 4 || symbol.find_first_of("FS", 3) != std::string::npos) return std::nullopt;
    return KernelName{symbol.substr(3, at - 3), symbol.substr(at + 1)};
  }
  if (symbol.starts_with("_QP")) return KernelName{"", symbol.substr(3)};
  std::string name = symbol;
  if (name.back() == '_') name.pop_back();
  if (name.empty() || name.front() == '_') return std::nullopt;
  if (const std::size_t at = name.find("_mp_"); at != std::string::npos)
    return KernelName{name.substr(0, at), name.substr(at + 4)};
  return KernelName{"", name};
}

PartOfVariable part_of_variable(const std::string &name) {
  const std::size_t at = name.rfind("_AT"); // no name of Fortran has capitals
  if (at == std::string::npos) return {name, 0, true};
  return {name.substr(0, at), static_cast<std::size_t>(std::strtoull(name.c_str() + at + 3, nullptr, 10)), false};
}

std::vector<std::string> variable_symbols(const std::string &symbol) {
  const std::size_t at = symbol.find("_MOD_");
  if (symbol == "__BLNK__") return {symbol, "_QC"};
  if (at == std::string::npos && symbol.ends_with("_") && !symbol.starts_with("_"))
    return {symbol, text("_QC", symbol.substr(0, symbol.size() - 1))}; // a common block
  if (!symbol.starts_with("__") || at == std::string::npos) return {};
  const std::string module = symbol.substr(2, at - 2), name = symbol.substr(at + 5);
  return {symbol, text("_QM", module, "E", name), text(module, "_mp_", name, "_")};
}

const Unit &kernel_unit(const std::string &symbol, Project &project) {
  const std::optional<KernelName> name = kernel_name(symbol);
  if (!name)
    throw NoText(symbol.empty() ? std::string("the kernel has no name in the symbols of the program, as after strip, "
                                              "by which its text could be found")
                                : text("'", symbol, "' is no procedure of a module and no external one"));
  const bool external = name->module.empty();
  const Unit *unit = external ? project.external(name->procedure) : project.module(name->module);
  if (!unit)
    throw NoText(text("the text of ", external ? "procedure '" : "module '", external ? name->procedure : name->module,
                      "' is not found", project.left_out().empty() ? "" : text(" (", project.left_out(), ")")));
  const Unit *kernel = external ? unit : nullptr;
  for (const std::unique_ptr<Unit> &inside : unit->inside)
    if (!external && inside->name == name->procedure) {
      if (kernel)
        Semantics::refuse(*unit, inside->file, inside->line, text("'", inside->name, "' is defined more than once"));
      kernel = inside.get();
    }
  if (!kernel)
    throw Refusal(text(unit->text->path, ":", unit->line, ": module '", name->module, "' has no procedure '",
                       name->procedure, "'"));
  return *kernel;
}

KernelText fortran_kernel(const std::string &symbol, Project &project) {
  const QuietFloats quiet; // constants are computed
  const Unit &kernel = kernel_unit(symbol, project);
  try {
    return KernelWriter(project).write(kernel);
  } catch (const std::out_of_range &) { // of a table: the text is not what it seems
    Semantics::refuse(kernel, kernel.file, kernel.line, text("'", kernel.name, "' is not understood"));
  }
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
