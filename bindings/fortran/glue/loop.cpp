// Loops: what the library wants to know about a kernel, found by the kernel's address.
#include <memory>
#include <unordered_map>

#include "glue.hpp"
#include "host/symbols.hpp"
#include "op2/fortran_support.h"
#include "op2/kernel.h"
#include "op2/until.h"

#undef op_par_loop
#undef op_par_loop_until

namespace {

using namespace op2::fortran;

struct Kernel {
  op_loop_site site{};
  std::string symbol; // of the kernel: the library finds its text by it
  std::string name;   // of the loop, when the program gives none
  std::string c_name; // of its text in C, from which the library makes code
};

Kernel &kernel_at(op_kernel_fn address) {
  static std::unordered_map<op_kernel_fn, std::unique_ptr<Kernel>> all;
  static Kernel *last = nullptr;
  if (last && last->site.element == address) return *last;
  std::unique_ptr<Kernel> &entry = all[address];
  if (!entry) {
    entry = std::make_unique<Kernel>();
    entry->site.size = sizeof(op_loop_site);
    entry->site.element = address;
    entry->site.flags = OP_SITE_INDEX_BY_KIND | OP_SITE_FORTRAN;
    entry->symbol = op2::core::function_symbol(reinterpret_cast<const void *>(address));
    if (!entry->symbol.empty()) entry->site.kernel_name = entry->symbol.c_str();
    entry->name = name_as_written(entry->symbol);
    if (entry->name.empty()) entry->name = "loop_" + std::to_string(all.size());
  }
  return *(last = entry.get());
}

template <class Run>
void run(const Run &run_site, op_kernel_fn address, const char *name, int length, op_set set, int nargs,
         const op_arg *args) {
  Kernel &kernel = kernel_at(address);
  while (length > 0 && name[length - 1] == ' ') --length;
  const std::string own(name, static_cast<std::size_t>(length));
  report_loop(run_site(&kernel.site, own.empty() ? kernel.name.c_str() : own.c_str(), set, nargs, args));
}

} // namespace

extern "C" {

void op2f_par_loop(op_kernel_fn address, const char *name, int length, op_set set, int nargs, const op_arg *args) {
  run(op_par_loop_site, address, name, length, set, nargs, args);
}

void op2f_par_loop_until(op_kernel_fn address, const char *name, int length, op_set set, int nargs,
                         const op_arg *args) {
  run(op_par_loop_until_site, address, name, length, set, nargs, args);
}

void op2f_arg_stop(op_arg *arg, op_gindex *number) { op_arg_stop_to(arg, number, 1); }

void op2f_kernel_range(op_kernel_fn address, op_range_fn range) { kernel_at(address).site.range = range; }

void op2f_kernel_source(op_kernel_fn address, const char *name, const char *text) {
  if (op_kernel_source(address, name, text) != OP_OK) return;
  Kernel &kernel = kernel_at(address);
  kernel.c_name = name;
  kernel.site.kernel_name = kernel.c_name.c_str();
}

} // extern "C"

// SPDX-License-Identifier: MIT
