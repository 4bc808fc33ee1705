// nvrtc_program.hpp: one program of the fake NVRTC and the two compilers that look at it.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace fake {

enum class Verdict : int {
  success = 0,
  program_creation = 2,
  invalid_input = 3,
  invalid_program = 4,
  invalid_option = 5,
  compilation = 6,
  name_expression = 10,
  internal = 11
};

struct Program {
  std::string source, name;
  std::vector<std::pair<std::string, std::string>> headers; // name, text
  std::vector<std::string> expressions;
  std::string log, object;
  std::string resources; // of the real code, one line for each kernel and architecture, see count.hpp
};

struct Outcome {
  Verdict verdict = Verdict::success;
  std::string log;
};

// Whether kernels tell the driver of their accesses (OP2_CUDA_COUNT).
bool counting();

// The compiler of the host with the shim: fills in the object.
Outcome compile_for_host(Program &program, const std::vector<std::string> &options);

// The real library, where the environment names one, for sm_80 or for sm_90. Success where there is none.
Outcome compile_really(const Program &program, const std::vector<std::string> &options);

// Fills in the resources: the real library's code for sm_80 and for sm_90. Nothing where there is no such library.
void measure_really(Program &program, const std::vector<std::string> &options);

// ---- the folder FAKE_NVRTC_CACHE; nothing is kept and nothing found where it is not set ----

// A name for everything that decides a result; `what` tells kinds of results apart.
std::string cache_key(const std::string &what, const Program &program, const std::vector<std::string> &options);
bool cache_load(const std::string &key, std::string &bytes);
void cache_store(const std::string &key, const std::string &bytes);

std::string read_file(const std::string &path);
bool write_file(const std::string &path, const std::string &bytes);

} // namespace fake

// SPDX-License-Identifier: MIT
