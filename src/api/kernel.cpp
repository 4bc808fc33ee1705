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

op_status op_kernel_source(op_kernel_fn kernel, const char *name, const char *file, const char *text) {
  return guarded("op_kernel_source", [&] {
    if (!name || !*name) fail(OP_ERR_ARGUMENT, "the kernel's name is ", name ? "empty" : "NULL");
    if ((file != nullptr) == (text != nullptr))
      fail(OP_ERR_ARGUMENT, "kernel '", name, "': give either a file or a text, the other is NULL",
           file ? "; both are given" : "; none is given");
    given_texts().add_kernel({kernel, name, file ? file : "", text ? text : ""});
  });
}

op_status op_source_text(const char *file, const char *text) {
  return guarded("op_source_text", [&] {
    if (!file || !*file) fail(OP_ERR_ARGUMENT, "the name of the file is ", file ? "empty" : "NULL");
    if (!text) fail(OP_ERR_ARGUMENT, "the text of file '", file, "' is NULL");
    given_texts().add_file(file, text);
  });
}
