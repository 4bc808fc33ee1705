// coverage.hpp: which functions of the library were really called with bad input, and whether that is all of them.
#pragma once

#include <istream>
#include <set>
#include <string>
#include <vector>

namespace badinput {

// Notes that an assertion about a refused, or a harmless, call of this function has been made.
void covered(const std::string &function);
const std::set<std::string> &all_covered();

// The functions that a linker's map file exports.
std::set<std::string> exported_functions(std::istream &map);

// Complaints about every function that is in one of the two only.
std::vector<std::string> complaints(const std::set<std::string> &exported, const std::set<std::string> &tested);

} // namespace badinput

// SPDX-License-Identifier: MIT
