// What programs written for OP2 expect of this library beyond its own interface. The rest of the library knows its own
// words only; this folder has OP2's:
//   op2_program    options of OP2's programs (arguments or environment), and the settings of this library that they set
//   timing_tables  the timing tables in OP2's formats
// OP2's headers, which such programs include, are in include/op2/compat.
#pragma once

#include "base/settings.hpp"

namespace op2::core {

// The settings of a program that may have OP2's options. Throws what Settings::load() throws.
Settings load_settings(int argc, const char *const *argv);

} // namespace op2::core
