// nvrtc_real.cpp: what the real NVRTC says about a program, for one of two architectures.
#include <dlfcn.h>
#include <elf.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sstream>
#include <string>

#include "nvrtc_program.hpp"

namespace fake {

namespace {

struct Real {
  int (*create)(void **, const char *, const char *, int, const char *const *, const char *const *) = nullptr;
  int (*compile)(void *, int, const char *const *) = nullptr;
  int (*log_size)(void *, std::size_t *) = nullptr;
  int (*log)(void *, char *) = nullptr;
  int (*cubin_size)(void *, std::size_t *) = nullptr;
  int (*cubin)(void *, char *) = nullptr;
  int (*destroy)(void **) = nullptr;
  std::string trouble;
};

template <class Function>
void find(void *library, const char *name, Function &function, std::string &trouble) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (!function) trouble = std::string("no ") + name + " in the real NVRTC";
}

Real open_real(const char *path) {
  Real real;
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    real.trouble = dlerror();
    return real;
  }
  find(library, "nvrtcCreateProgram", real.create, real.trouble);
  find(library, "nvrtcCompileProgram", real.compile, real.trouble);
  find(library, "nvrtcGetProgramLogSize", real.log_size, real.trouble);
  find(library, "nvrtcGetProgramLog", real.log, real.trouble);
  find(library, "nvrtcGetCUBINSize", real.cubin_size, real.trouble);
  find(library, "nvrtcGetCUBIN", real.cubin, real.trouble);
  find(library, "nvrtcDestroyProgram", real.destroy, real.trouble);
  return real;
}

// The options without the architecture that the caller asked for.
std::vector<std::string> without_arch(const std::vector<std::string> &options) {
  std::vector<std::string> rest;
  for (std::size_t i = 0; i < options.size(); i++) {
    if (options[i] == "-arch" || options[i] == "--gpu-architecture")
      i++; // its value is the next option
    else if (options[i].rfind("-arch=", 0) != 0 && options[i].rfind("--gpu-architecture=", 0) != 0)
      rest.push_back(options[i]);
  }
  return rest;
}

const Real &the_real(const char *path) {
  static const Real real = open_real(path);
  return real;
}

// The log, and the code where `cubin` is given.
Outcome compile_for(const Real &real, const Program &program, std::vector<std::string> options, const char *arch,
                    std::string *cubin = nullptr) {
  options.push_back(std::string("--gpu-architecture=") + arch);
  std::vector<const char *> words, names, texts;
  for (const std::string &option : options) words.push_back(option.c_str());
  for (const auto &[name, text] : program.headers) names.push_back(name.c_str()), texts.push_back(text.c_str());
  void *handle = nullptr;
  int code = real.create(&handle, program.source.c_str(), program.name.c_str(), static_cast<int>(names.size()),
                         texts.data(), names.data());
  if (code != 0) return {static_cast<Verdict>(code), "the real NVRTC takes no such program"};
  code = real.compile(handle, static_cast<int>(words.size()), words.data());
  std::size_t bytes = 0;
  std::string log;
  if (real.log_size(handle, &bytes) == 0 && bytes > 1) {
    log.resize(bytes);
    real.log(handle, log.data());
    log.resize(bytes - 1);
  }
  if (cubin && code == 0 && real.cubin_size(handle, &bytes) == 0) {
    cubin->resize(bytes);
    real.cubin(handle, cubin->data());
  }
  real.destroy(&handle);
  if (code == 0) return {Verdict::success, log};
  return {static_cast<Verdict>(code), log.empty() ? std::string("real NVRTC for ") + arch + ": no words" : log};
}

// Bytes of the section with this name.
std::size_t section_bytes(const std::string &object, const std::string &name) {
  Elf64_Ehdr head;
  if (object.size() < sizeof head) return 0;
  std::memcpy(&head, object.data(), sizeof head);
  const auto section = [&](std::size_t i) {
    Elf64_Shdr one{};
    const std::size_t at = head.e_shoff + i * head.e_shentsize;
    if (at + sizeof one <= object.size()) std::memcpy(&one, object.data() + at, sizeof one);
    return one;
  };
  const Elf64_Shdr names = section(head.e_shstrndx);
  for (std::size_t i = 0; i < head.e_shnum; i++) {
    const Elf64_Shdr one = section(i);
    const std::size_t at = names.sh_offset + one.sh_name;
    if (at < object.size() && name == object.c_str() + at) return one.sh_size;
  }
  return 0;
}

// ptxas says "Compiling entry function 'f' for 'sm_90'", then "0 bytes stack frame, 0 bytes spill stores, 0 bytes spill
// loads" and "Used 46 registers". Instructions have 16 bytes.
std::string resources_of(const std::string &log, const std::string &cubin, const char *arch) {
  std::istringstream lines(log);
  std::ostringstream out;
  std::string function;
  int stack = 0, stores = 0, loads = 0, registers = 0;
  for (std::string line; std::getline(lines, line);) {
    if (const auto at = line.find("entry function '"); at != std::string::npos)
      function = line.substr(at + 16, line.find('\'', at + 16) - at - 16);
    if (const auto at = line.find_first_of("0123456789"); at != std::string::npos)
      std::sscanf(line.c_str() + at, "%d bytes stack frame, %d bytes spill stores, %d bytes spill loads", &stack,
                  &stores, &loads);
    const auto used = line.find("Used ");
    if (used == std::string::npos || std::sscanf(line.c_str() + used, "Used %d registers", &registers) != 1) continue;
    out << function << ' ' << arch << ' ' << registers << ' ' << stack << ' ' << stores + loads << ' '
        << section_bytes(cubin, ".text." + function) / 16 << '\n';
  }
  return out.str();
}

} // namespace

void measure_really(Program &program, const std::vector<std::string> &options) {
  const char *path = std::getenv("FAKE_NVRTC_REAL");
  if (!path || !*path) return;
  std::vector<std::string> rest = without_arch(options);
  rest.emplace_back("--ptxas-options=-v");
  const std::string key = cache_key(std::string("resources") + path, program, rest) + ".txt";
  if (cache_load(key, program.resources)) return;
  const Real &real = the_real(path);
  for (const char *const arch : {"sm_80", "sm_90"}) {
    std::string cubin;
    const Outcome outcome = compile_for(real, program, rest, arch, &cubin);
    if (outcome.verdict == Verdict::success) program.resources += resources_of(outcome.log, cubin, arch);
  }
  cache_store(key, program.resources);
}

Outcome compile_really(const Program &program, const std::vector<std::string> &options) {
  const char *path = std::getenv("FAKE_NVRTC_REAL");
  if (!path || !*path) return {};
  const std::vector<std::string> rest = without_arch(options);
  const std::string key = cache_key(std::string("real") + path, program, rest) + ".ok";
  std::string found;
  if (cache_load(key, found)) return {};
  const Real &real = the_real(path);
  if (!real.trouble.empty()) return {Verdict::internal, "FAKE_NVRTC_REAL: " + real.trouble};
  // No text depends on the architecture, so half of the programs for each of two take half the time of all for both.
  const char *const arch = std::hash<std::string>{}(program.source) % 2 ? "sm_80" : "sm_90";
  Outcome outcome = compile_for(real, program, rest, arch);
  if (outcome.verdict != Verdict::success) return outcome;
  cache_store(key, std::string("compiled for ") + arch + "\n");
  return {};
}

} // namespace fake

// SPDX-License-Identifier: MIT
