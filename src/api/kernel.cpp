// The door of kernel.h.
#include "op2/kernel.h"

#include "api/guard.hpp"
#include "api/kernel.hpp"

namespace op2::core {

jit::GivenTexts &given_texts() {
  static jit::GivenTexts &texts = *std::make_unique<jit::GivenTexts>().release(); // never destroyed, as the session
  return texts;
}

} // namespace op2::core

using namespace op2::core;

op_status op_kernel_source(op_kernel_fn kernel, const char *name, const char *text) {
  return guarded("op_kernel_source", [&] {
    if (!name || !*name) fail(OP_ERR_ARGUMENT, "the kernel's name is ", name ? "empty" : "NULL");
    if (!text) fail(OP_ERR_ARGUMENT, "the text of kernel '", name, "' is NULL");
    given_texts().add_kernel({kernel, name, text});
  });
}

// SPDX-License-Identifier: MIT
