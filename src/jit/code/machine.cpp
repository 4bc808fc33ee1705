#include "jit/code/machine.hpp"

#include <sys/auxv.h>
#include <sys/utsname.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string_view>

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

#include "base/error.hpp"
#include "base/sha256.hpp"

namespace op2::core::jit {

namespace {

// A level of instructions with a name of its own.
struct Level {
  const char *isa;
  int vector_bytes;
  std::vector<std::string> flags;
};

#if defined(__x86_64__)

constexpr const char *processors = "x86-64";

bool runs(std::string_view isa) {
  // These also ask the operating system, which must save the registers.
  if (isa == "avx512")
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd") && runs("avx2");
  if (isa == "avx2")
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
  return true;
}

// Widest first. The names of the psABI stand for whole sets of instructions, so that one choice of vectors brings the
// rest with it.
std::vector<Level> levels() {
  return {{"avx512", 64, {"-march=x86-64-v4", "-mprefer-vector-width=512"}},
          {"avx2", 32, {"-march=x86-64-v3"}},
          {"sse2", 16, {"-march=x86-64"}}};
}

// Everything by which -march=native chooses.
std::string processor() {
  std::string out;
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(0, &a, &b, &c, &d)) out = text(std::hex, b, "-", d, "-", c);
  if (__get_cpuid(1, &a, &b, &c, &d)) out += text(std::hex, "-", a, "-", c, "-", d); // b names the core we run on
  for (const unsigned page : {0u, 1u})
    if (__get_cpuid_count(7, page, &a, &b, &c, &d)) out += text(std::hex, "-", a, "-", b, "-", c, "-", d);
  if (__get_cpuid(0x80000001u, &a, &b, &c, &d)) out += text(std::hex, "-", c, "-", d);
  return out + (runs("avx512") ? "-512" : runs("avx2") ? "-256" : "");
}

std::vector<std::string> native_flags(int bytes) {
  if (bytes == 64) return {"-march=native", "-mprefer-vector-width=512"};
  return {"-march=native"};
}

#else

#if defined(__aarch64__)
constexpr const char *processors = "aarch64";
constexpr int native_bytes = 16; // NEON; every such processor has it
std::vector<std::string> native_flags(int) { return {"-mcpu=native"}; }
#else
constexpr const char *processors = "this kind of";
constexpr int native_bytes = 16; // what compilers break down to whatever there is
std::vector<std::string> native_flags(int) { return {}; }
#endif

bool runs(std::string_view) { return false; }
std::vector<Level> levels() { return {}; }

std::string processor() {
  utsname system{};
  uname(&system);
  std::string out = text(system.machine, std::hex, "-", getauxval(AT_HWCAP));
#ifdef AT_HWCAP2
  out += text(std::hex, "-", getauxval(AT_HWCAP2));
#endif
  // Cores of several kinds may sit in one machine: all lines that name a kind count, in the order they first come.
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    for (const char *start : {"CPU implementer", "CPU variant", "CPU part", "CPU revision", "cpu\t", "uarch", "isa"})
      if (line.starts_with(start) && out.find(line) == std::string::npos) out += text("-", line);
  return out;
}

#endif

// Asked once: in a virtual machine the hypervisor answers for the processor, which takes long.
const std::string &native_identity() {
  static const std::string identity = text("native-", hex(sha256(processor()), 32));
  return identity;
}

int widest() {
#if defined(__x86_64__)
  for (const Level &level : levels())
    if (runs(level.isa)) return level.vector_bytes;
  return 16;
#else
  return native_bytes;
#endif
}

Machine machine_for(const std::string &isa) {
  Machine machine;
  machine.isa = isa;
  if (isa == "native" || isa == "scalar") {
    const int bytes = widest();
    machine.vector_bytes = isa == "native" ? bytes : 0;
    machine.flags = native_flags(bytes);
    machine.identity = native_identity();
    for (const Level &level : levels())
      if (runs(level.isa) && level.vector_bytes == bytes) machine.others.emplace_back(level.isa);
    return machine;
  }
  for (const Level &level : levels())
    if (isa == level.isa && runs(isa)) {
      machine.vector_bytes = level.vector_bytes;
      machine.flags = level.flags;
      machine.identity = level.isa;
      return machine;
    }
  fail(OP_ERR_ARGUMENT, "setting OP2_JIT_ISA='", isa, "': this ", processors,
       " processor does not have these instructions; 'native' takes what it has");
}

// glibc has had a library of vector functions on x86-64 since 2.22, and all that prelude/vector_math.h names
// since 2.35.
bool has_vector_math() {
#if defined(__x86_64__) && defined(__GLIBC__)
  int major = 0, minor = 0;
  return std::sscanf(gnu_get_libc_version(), "%d.%d", &major, &minor) == 2 && (major > 2 || minor >= 35);
#else
  return false;
#endif
}

} // namespace

Machine find_machine(const std::string &isa, bool vector_math) {
  Machine out = machine_for(isa);
#if defined(__x86_64__)
  out.straight_line_flags = {"-ftree-slp-vectorize", "-mno-fma", "-mno-fma4", "-mno-avx512f"};
#endif
  if (!vector_math || out.vector_bytes == 0 || !has_vector_math()) return out;
  out.vector_math = true;
  out.flags.insert(out.flags.end(), {"-Wl,--no-as-needed", "-lmvec"}); // the library is named before what needs it
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
