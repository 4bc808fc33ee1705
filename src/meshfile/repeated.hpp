// Faces that a file lists several times, in several patches.
#pragma once

#include "meshfile/mesh_file.hpp"

namespace op2::core {

// A face of several patches stays in the one that lists it first; a note names each of the others and says how many of
// its faces these are. The mesh must have passed check_numbers().
void note_repeated_faces(MeshFile &mesh);

} // namespace op2::core
