// nvrtc.cpp: the entry points of the fake NVRTC.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "abi.hpp"
#include "nvrtc_program.hpp"

using fake::Program;
using fake::Verdict;

namespace {

constexpr std::array architectures = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};

int answer(Verdict verdict) { return static_cast<int>(verdict); }
Program *program_of(void *handle) { return static_cast<Program *>(handle); }

int give(const std::string &bytes, char *out) {
  if (!bytes.empty()) std::memcpy(out, bytes.data(), bytes.size());
  return answer(Verdict::success);
}

} // namespace

FAKE_ENTRY nvrtcVersion(int *major, int *minor) {
  *major = 13;
  // Code that counts is not code that does not, in whatever cache, with what the real library says or without.
  const char *const real = std::getenv("FAKE_NVRTC_REAL");
  *minor = !fake::counting() ? 0 : real && *real ? 90 : 91;
  return answer(Verdict::success);
}

FAKE_ENTRY nvrtcGetNumSupportedArchs(int *count) {
  *count = static_cast<int>(architectures.size());
  return answer(Verdict::success);
}

FAKE_ENTRY nvrtcGetSupportedArchs(int *out) {
  std::copy(architectures.begin(), architectures.end(), out);
  return answer(Verdict::success);
}

extern "C" __attribute__((visibility("default"))) const char *nvrtcGetErrorString(int code) {
  switch (static_cast<Verdict>(code)) {
    case Verdict::success:
      return "NVRTC_SUCCESS";
    case Verdict::program_creation:
      return "NVRTC_ERROR_PROGRAM_CREATION_FAILURE";
    case Verdict::invalid_input:
      return "NVRTC_ERROR_INVALID_INPUT";
    case Verdict::invalid_program:
      return "NVRTC_ERROR_INVALID_PROGRAM";
    case Verdict::invalid_option:
      return "NVRTC_ERROR_INVALID_OPTION";
    case Verdict::compilation:
      return "NVRTC_ERROR_COMPILATION";
    case Verdict::name_expression:
      return "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
    case Verdict::internal:
      return "NVRTC_ERROR_INTERNAL_ERROR";
  }
  return "NVRTC_ERROR unknown";
}

FAKE_ENTRY nvrtcCreateProgram(void **handle, const char *source, const char *name, int count,
                              const char *const *headers, const char *const *names) {
  if (!handle || !source || count < 0) return answer(Verdict::invalid_input);
  auto program = std::make_unique<Program>();
  program->source = source;
  program->name = name && *name ? name : "default_program";
  for (int i = 0; i < count; i++) program->headers.emplace_back(names[i], headers[i]);
  *handle = program.release();
  return answer(Verdict::success);
}

FAKE_ENTRY nvrtcDestroyProgram(void **handle) {
  if (!handle || !*handle) return answer(Verdict::invalid_program);
  const std::unique_ptr<Program> last(program_of(*handle));
  *handle = nullptr;
  return answer(Verdict::success);
}

FAKE_ENTRY nvrtcCompileProgram(void *handle, int count, const char *const *given) {
  if (!handle) return answer(Verdict::invalid_program);
  Program &program = *program_of(handle);
  const std::vector<std::string> options(given, given + count);
  fake::Outcome outcome = fake::compile_really(program, options);
  if (outcome.verdict == Verdict::success && fake::counting()) fake::measure_really(program, options);
  if (outcome.verdict == Verdict::success) outcome = fake::compile_for_host(program, options);
  program.log = outcome.log;
  return answer(outcome.verdict);
}

FAKE_ENTRY nvrtcGetCUBINSize(void *handle, std::size_t *bytes) {
  if (!handle) return answer(Verdict::invalid_program);
  *bytes = program_of(handle)->object.size();
  return answer(Verdict::success);
}
FAKE_ENTRY nvrtcGetCUBIN(void *handle, char *out) { return give(program_of(handle)->object, out); }
FAKE_ENTRY nvrtcGetPTXSize(void *handle, std::size_t *bytes) { return nvrtcGetCUBINSize(handle, bytes); }
FAKE_ENTRY nvrtcGetPTX(void *handle, char *out) { return nvrtcGetCUBIN(handle, out); }

FAKE_ENTRY nvrtcGetProgramLogSize(void *handle, std::size_t *bytes) {
  if (!handle) return answer(Verdict::invalid_program);
  *bytes = program_of(handle)->log.size() + 1;
  return answer(Verdict::success);
}
FAKE_ENTRY nvrtcGetProgramLog(void *handle, char *out) {
  const std::string &log = program_of(handle)->log;
  std::memcpy(out, log.c_str(), log.size() + 1);
  return answer(Verdict::success);
}

// Kernels have C names here, so an expression is its own lowered name.
FAKE_ENTRY nvrtcAddNameExpression(void *handle, const char *expression) {
  program_of(handle)->expressions.emplace_back(expression);
  return answer(Verdict::success);
}
FAKE_ENTRY nvrtcGetLoweredName(void *handle, const char *expression, const char **name) {
  for (const std::string &one : program_of(handle)->expressions)
    if (one == expression) {
      *name = one.c_str();
      return answer(Verdict::success);
    }
  return answer(Verdict::name_expression);
}

// SPDX-License-Identifier: MIT
