// Loads libraries one after the other and runs the loop of each; "close" unloads each before the next one.
#include <dlfcn.h>
#include <row.hpp>
using step_fn = int (*)(op_set, op_dat, op_dat, int, const double *, double *);
int main(int argc, char **argv) {
  const bool close = argc > 1 && std::strcmp(argv[1], "close") == 0;
  row::start(1, argv);
  std::vector<double> y(row::count);
  int wrong = 0;
  for (int i = 2; i < argc; ++i) {
    void *const library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return std::puts(dlerror()), 4;
    const step_fn step = reinterpret_cast<step_fn>(dlsym(library, "library_step"));
    for (int n = 0; n < 2; ++n)
      wrong += step(row::cells, row::columns<double>::in, row::columns<double>::out, row::count,
                    row::columns<double>::x.data(), y.data());
    if (close) dlclose(library);
  }
  return row::finish() + wrong;
}

// SPDX-License-Identifier: MIT
