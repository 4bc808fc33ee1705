// What programs written for OP2 expect of this library beyond its own interface. The rest of the library knows its own
// words only; this folder has OP2's:
//   op2_program    options of such programs (arguments or environment), and what the programs rely on
//   hand_loops     loops that the program runs itself
//   timing_tables  the timing tables in OP2's formats
// OP2's headers, which such programs include, are in include/op2/compat.
#pragma once

#include <functional>
#include <string>

#include "base/settings.hpp"
#include "mesh/dialect.hpp"

namespace op2::core {

// flags, here and below: those of op_init_params; OP_LOCAL_INDICES = a program in OP2's words. warn: receives likely
// mistakes.
Dialect dialect_of(int flags, std::function<void(const std::string &)> warn);

// The settings of a program that may have OP2's options. Throws what Settings::load() throws.
Settings load_settings(int argc, const char *const *argv, int flags = 0);

} // namespace op2::core

// SPDX-License-Identifier: MIT
