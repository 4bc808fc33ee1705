// library.cpp: the one place of this plugin that talks to the loader.
#include "library.hpp"

#include <dlfcn.h>
#include <unistd.h>

namespace op2::exec_cuda {

std::string in_folders(std::string_view folders, std::string_view name) {
  while (!folders.empty()) {
    const size_t colon = folders.find(':');
    std::string path(folders.substr(0, colon));
    folders.remove_prefix(colon == std::string_view::npos ? folders.size() : colon + 1);
    if (path.empty()) continue;
    path.append("/").append(name);
    if (access(path.c_str(), R_OK) == 0) return path;
  }
  return "";
}

void *load_library(const std::string &path, std::string &why) {
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (library) return library;
  const char *message = dlerror();
  why = message ? message : "no reason given";
  return nullptr;
}

void *find_symbol(void *library, const char *name) { return dlsym(library, name); }

std::string file_of(void *function) {
  Dl_info info{};
  return dladdr(function, &info) != 0 && info.dli_fname ? info.dli_fname : "";
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
