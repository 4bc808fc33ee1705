// module.hpp: objects made by the fake compiler, loaded as modules.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "shim_table.h"

namespace fake {

class Module;

struct Function {
  std::string name;
  Module *module = nullptr;
  void (*thread)(void **args) = nullptr;                                   // runs one thread
  void (*block)(void **args, const unsigned *order, unsigned n) = nullptr; // runs a block of independent ones
  std::size_t parameter_bytes = 0;
  int shared_limit = 48 * 1024;
};

class Module {
 public:
  // Nothing when the bytes are no object of the fake compiler.
  static std::shared_ptr<Module> load(const void *image);
  Module(void *library, op2_fake_object *object) : library_(library), object_(object) {}
  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;
  Function *function(const std::string &name);
  void *variable(const std::string &name, std::size_t &bytes);
  std::string text(const char *name) const; // a constant of the compiler's; empty: it has none
  bool owns(const Function *function) const;
  op2_fake_object *object() const { return object_; }

 private:
  void *library_;
  op2_fake_object *object_;
  std::map<std::string, std::unique_ptr<Function>> functions_;
};

struct Launch {
  std::shared_ptr<Module> module;
  const Function *function = nullptr;
  unsigned blocks = 1, threads = 1;
  std::size_t shared = 0;
  std::vector<long double> parameters; // aligned for any type
};

// Runs a whole grid now. Not `success`: the kernel did what it must not do, and a report says what.
int run_grid(Launch &launch);

} // namespace fake

// SPDX-License-Identifier: MIT
