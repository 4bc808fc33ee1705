// The source files that a program was compiled from, as its line tables name them (compiler option -g1 or -g). Reads
// them by libdw, which is opened when it is needed and need not be there. Knows nothing of the library.
#pragma once

#include <string>
#include <vector>

namespace op2::core {

struct CompiledFrom {
  // The file of the function with this address; "" if unknown. Where it was included by another file, that one.
  std::string file;
  // The files of all parts of the executable or shared object with the address, each once, as the compiler was given
  // them: in the folder where it ran, unless that name is relative itself.
  std::vector<std::string> all;
};

// Empty without line tables, and where libdw.so.1 cannot be opened.
CompiledFrom compiled_from(const void *address);

} // namespace op2::core
