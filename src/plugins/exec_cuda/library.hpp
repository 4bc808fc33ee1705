// Libraries of NVIDIA, loaded at run time, never linked and never unloaded, as they may run their own threads.
#pragma once

#include <string>
#include <string_view>

namespace op2::exec_cuda {

// The path of the first readable file of this name in folders that are separated by ':' (setting OP2_CUDA_PATH);
// "" = there is none.
std::string in_folders(std::string_view folders, std::string_view name);

// NULL: not loaded; `why` has the reason.
void *load_library(const std::string &path, std::string &why);
void *find_symbol(void *library, const char *name); // NULL: there is none
std::string file_of(void *function);                // path of its library, "" = unknown

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
