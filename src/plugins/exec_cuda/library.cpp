// library.cpp: the one place of this plugin that talks to the loader.
#include "library.hpp"

#include <dlfcn.h>

namespace op2::exec_cuda {

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
