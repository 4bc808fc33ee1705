// settings.hpp: settings of the library for one piece of a program, and which figures can be judged under them.
#ifndef OP2_BENCH_SETTINGS_HPP
#define OP2_BENCH_SETTINGS_HPP

#include <op2/info.h>
#include <op2/init.h>

#include <cstdlib>
#include <memory>
#include <optional>
#include <string>

namespace bench {

// Does this library know the setting? Later versions than those that brought it do.
inline bool has_setting(const char *name) { return op_setting(name) != nullptr; }

// An environment variable has a value of its own in this scope; the library reads it when its context starts.
class Setting {
 public:
  Setting(const char *name, const std::string &value) : name_(name) {
    if (const char *old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  Setting(const Setting &) = delete;
  Setting &operator=(const Setting &) = delete;
  ~Setting() {
    if (old_)
      setenv(name_, old_->c_str(), 1);
    else
      unsetenv(name_);
  }

 private:
  const char *name_;
  std::optional<std::string> old_;
};

// Loops have code from their first run on, unless the environment says otherwise: what a short run does is measured by
// compile_cost.cpp alone.
inline const int code_at_once = setenv("OP2_JIT_MIN_ELEMENTS", "0", 0);

// While this lives, loops run in the forms that were compiled with the program.
inline std::unique_ptr<Setting> compiled_forms() {
  return has_setting("OP2_JIT") ? std::make_unique<Setting>("OP2_JIT", "off") : nullptr;
}

inline bool processor_has_avx512() {
#if defined(__x86_64__) || defined(__i386__)
  return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512dq") != 0;
#else
  return false;
#endif
}

// Why limits for code with the widest vectors have no meaning in this run; "" when they have.
inline std::string no_wide_vectors() {
  if (!processor_has_avx512()) return "this processor has no AVX-512";
  const char *const jit = std::getenv("OP2_JIT"), *const isa = std::getenv("OP2_JIT_ISA");
  if (jit && std::string(jit) != "on") return std::string("OP2_JIT=") + jit + " is set";
  if (isa && std::string(isa) != "native" && std::string(isa) != "avx512")
    return std::string("OP2_JIT_ISA=") + isa + " is set";
  return "";
}

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
