// Libraries of NVIDIA that are loaded when they are wanted, never linked and never unloaded: threads of their own may
// run.
#pragma once

#include <string>

namespace op2::exec_cuda {

// NULL: not loaded, `why` says the reason.
void *load_library(const std::string &path, std::string &why);
void *find_symbol(void *library, const char *name); // NULL: there is none
std::string file_of(void *function);                // path of the library it is in, "" = unknown

} // namespace op2::exec_cuda
