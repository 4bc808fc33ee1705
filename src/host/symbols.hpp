// The symbols of the program and its libraries, also those that the dynamic linker does not know: read from the tables
// in their files. Knows nothing of the library; the Fortran modules have a copy of their own.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace op2::core {

// The symbol of the function that begins at this address; "" if there is none, as in a program that was stripped.
std::string function_symbol(const void *address);

// All symbols of functions that begin there, as they are in C++: "flow::flux(double const*, double*)". Empty as above.
std::vector<std::string> function_names(const void *address);

// Whether both addresses lie in the same executable or shared object.
bool same_object(const void *address, const void *other);

// A function with one of these names (without scope), of the shared object that contains the address, in whose place
// the dynamic linker takes that of another object; "" if there is none. An executable's own functions come first.
std::string replaced_function(const void *address, const std::set<std::string> &names);

struct VariablePlace {
  const void *address = nullptr; // NULL: no such symbol
  std::size_t bytes = 0;
};
// A variable of the executable or shared object that contains the address `of`.
VariablePlace variable_place(const void *of, const std::string &symbol);

} // namespace op2::core

// SPDX-License-Identifier: MIT
