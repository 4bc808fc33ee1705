// The symbols of the program and its libraries, also those that the dynamic linker does not know: read from the tables
// in their files. Knows nothing of the library; the Fortran modules have a copy of their own.
#pragma once

#include <cstddef>
#include <string>

namespace op2::core {

// The symbol of the function that begins at this address; "" if there is none, as in a program that was stripped.
std::string function_symbol(const void *address);

struct VariablePlace {
  const void *address = nullptr; // NULL: no such symbol
  std::size_t bytes = 0;
};
// A variable of the executable or shared object that contains the address `of`.
VariablePlace variable_place(const void *of, const std::string &symbol);

} // namespace op2::core
