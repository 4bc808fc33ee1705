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
  bool resident = false; // blocks wait for each other, and perhaps for other processes
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
  std::shared_ptr<void> together;      // where blocks stand that run at the same time (grid.cpp)
};

// Blocks that a multiprocessor runs at a time; with how many multiprocessors a device has.
int blocks_at_a_time(int threads, std::size_t shared);
inline constexpr int multiprocessors = 4;

// Runs a whole grid now; one whose blocks wait for another process as far as it goes, and then answers `not_ready`: to
// be called again. Not `success`: the kernel did what it must not do, and a report says what.
int run_grid(Launch &launch);

} // namespace fake

// SPDX-License-Identifier: MIT
