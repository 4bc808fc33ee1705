// Specialiser: the variables that kernels read besides their arguments.
#include "jit/specialiser.hpp"

namespace op2::core::jit {

// For a kernel in Fortran, text in C++ that the program gives may name what it likes: nothing but names connects them.
void Specialiser::find_constants(KernelText &kernel, const SpecialiseRequest &request) {
  if (!request.fortran)
    return constant_places_.find(kernel, {request.element, request.range, request.file}, request.constants);
  for (auto &[name, place] : kernel.places)
    for (const ConstantValue &constant : request.constants)
      if (constant.shape.name == name) place = {false, false, "", constant.variable, name + "@?"};
}

const ConstantValue *Specialiser::recall_constant(const std::string &place, const SpecialiseRequest &request) const {
  const KernelOfProgram kernel{request.element, request.range, request.file};
  return constant_places_.recall(place, kernel.address(), request.constants);
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
