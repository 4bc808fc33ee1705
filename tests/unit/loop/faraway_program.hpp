// faraway_program.hpp: programs of random calls, the same for every back end: loops of all kinds, and between them
// everything that looks at data or changes it.
#pragma once

#include <string>
#include <vector>

namespace unit {

// What one call of the program gave the program, with the name of the call.
struct Observation {
  std::string call;
  std::vector<double> values;
  bool operator==(const Observation &) const = default;
};

// Runs `steps` random calls on a back end, from op_init to op_exit. Values are whole numbers, so that no sum is
// rounded.
std::vector<Observation> run_random_program(const std::string &backend, unsigned seed, int steps);

} // namespace unit

// SPDX-License-Identifier: MIT
