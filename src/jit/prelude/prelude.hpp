// The texts every generated file begins with: headers of src/jit/prelude, compiled into the library.
#pragma once

#include <string_view>

namespace op2::core::jit {

std::string_view args_prelude();        // prelude/args.h
std::string_view values_prelude();      // prelude/values.h
std::string_view vector_math_prelude(); // prelude/vector_math.h, for functions by whole vectors; before the next
std::string_view scalar_math_prelude(); // prelude/scalar_math.h, for text whose vectors the compiler makes, before the
                                        // next; or after device.h
std::string_view functions_prelude();   // prelude/functions.h, which needs it
std::string_view elements_prelude();    // prelude/elements.h, after that of functions, or of devices
std::string_view rows_prelude();        // prelude/rows.h, which needs both
std::string_view runs_prelude();        // prelude/runs.h, which needs them all
std::string_view grouped_prelude();     // prelude/grouped.h, for loops that add whole vectors in runs
std::string_view register_rows_prelude(); // prelude/register_rows.h, for loops that keep rows in registers
std::string_view layouts_prelude();     // prelude/layouts.h, for loops with rows that are not contiguous
std::string_view device_prelude();      // prelude/device.h, for single numbers; needs none of them

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
