// op2_trace_arguments.hpp: what users say to op2_trace.
#pragma once

#include <string>
#include <vector>

#include "op2/trace.h"

namespace op2_trace {

// What the user has to know, and the exit code.
struct Trouble {
  int code;
  std::string what;
};
[[noreturn]] void wrong_use(const std::string &what);

// Where lines begin: a word of --seeds.
struct Seeds {
  std::string word, file;
  std::vector<double> from, to;
  std::vector<op_index> counts;
};

struct Arguments {
  std::string mesh, velocity, data, on, format, out = "lines.vtp", json;
  std::vector<Seeds> seeds;
  bool progress = false;
  op_trace_params params = OP_TRACE_PARAMS; // but for the texts, which are in words
  std::string method, unit, direction, division, ending;
};

extern const char *const usage;
bool is_setting(const std::string &word); // of the library: OP2_...=...
// Throws Trouble where they are wrong, or a file that they name cannot be read or written.
Arguments read_arguments(const std::vector<std::string> &words);

op_trace_params params_of(const Arguments &arguments); // points to its words

// All seeds, as points of this dim. Throws Trouble.
std::vector<double> all_seeds(const std::vector<Seeds> &seeds, int dim);

} // namespace op2_trace

// SPDX-License-Identifier: MIT
