// Where the sources of a program may be: near it, and where its line tables say.
#pragma once

#include <string>
#include <vector>

#include "jit/preprocess/source_files.hpp"

namespace op2::core::jit {

// Build tools may name sources relative to the build folder (ccache does), which is that of the program or above it.
// Folders that everybody may write to, such as /tmp, are no place to take text from.
std::vector<std::string> folders_above(const std::string &program);

// Of sources in Fortran, in groups of files and folders: the file of the function with this address, all files that the
// program was compiled from, the folders of these, those above: a module without procedures, which may lie beside them,
// is not in tables of level 1.
std::vector<std::vector<std::string>> places_by_tables(const void *address, const SourceFiles &files);

} // namespace op2::core::jit
