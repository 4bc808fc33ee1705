// Renumbers airfoil's mesh in an HDF5 file in less memory than the mesh takes, by sorting in files.
#pragma once

#include <cstddef>
#include <string>

// The rows of IN in another order to OUT, which appears when it is complete: nodes along a Hilbert curve, cells by the
// first of their nodes in that order, edges and boundary edges by the first of their cells. `memory`: bytes for what is
// sorted; scratch files lie in the folder of OUT and take 112 bytes a cell. Throws std::runtime_error: the file cannot
// be read or written, is no mesh with airfoil's names, or has arrays of rows beside them, whose order nobody would
// change.
void renumber_in_files(const std::string &in, const std::string &out, std::size_t memory);

// SPDX-License-Identifier: MIT
