// Faces that a file lists several times, in several patches.
#pragma once

#include "meshfile/mesh_file.hpp"

namespace op2::core {

// A face of several patches stays in the one that lists it first; a note names each of the others and says how many of
// its faces these are. The mesh must have passed check_numbers().
void note_repeated_faces(MeshFile &mesh);

// That note: so many faces of a patch stay in another one. Both are places in mesh.patches.
void note_shared(MeshFile &mesh, std::size_t patch, std::size_t stays_in, int faces);

} // namespace op2::core

// SPDX-License-Identifier: MIT
