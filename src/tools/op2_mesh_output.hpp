// What op2_mesh must not write: the files that it reads, and files under the name of a format that they have not.
#pragma once

#include <string>

// Why OUT cannot be written, or "". parts: how many pieces a .pvtu gets, 0: one. Nothing is opened for writing.
std::string wrong_output(const std::string &in, const std::string &out, int parts);

// "HDF5", "VTK", "CGNS": what a file of this name becomes.
const char *written_format(const std::string &out);

// SPDX-License-Identifier: MIT
