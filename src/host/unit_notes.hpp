// Notes of the library in a loaded executable or shared object: texts of Fortran units (src/tools/text). Knows nothing
// of the library.
#pragma once

#include <string_view>
#include <vector>

namespace op2::core {

// Of the object that contains this address, in the order of its units. They stay as long as it is loaded.
std::vector<std::string_view> unit_notes(const void *address);

} // namespace op2::core

// SPDX-License-Identifier: MIT
