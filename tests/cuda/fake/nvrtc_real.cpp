// nvrtc_real.cpp: what the real NVRTC says about a program, for one of two architectures.
#include <dlfcn.h>

#include <cstdlib>
#include <functional>
#include <string>

#include "nvrtc_program.hpp"

namespace fake {

namespace {

struct Real {
  int (*create)(void **, const char *, const char *, int, const char *const *, const char *const *) = nullptr;
  int (*compile)(void *, int, const char *const *) = nullptr;
  int (*log_size)(void *, std::size_t *) = nullptr;
  int (*log)(void *, char *) = nullptr;
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

Outcome compile_for(const Real &real, const Program &program, std::vector<std::string> options, const char *arch) {
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
  real.destroy(&handle);
  if (code == 0) return {};
  return {static_cast<Verdict>(code), log.empty() ? std::string("real NVRTC for ") + arch + ": no words" : log};
}

} // namespace

Outcome compile_really(const Program &program, const std::vector<std::string> &options) {
  const char *path = std::getenv("FAKE_NVRTC_REAL");
  if (!path || !*path) return {};
  const std::vector<std::string> rest = without_arch(options);
  const std::string key = cache_key(std::string("real") + path, program, rest) + ".ok";
  std::string found;
  if (cache_load(key, found)) return {};
  static const Real real = open_real(path);
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
