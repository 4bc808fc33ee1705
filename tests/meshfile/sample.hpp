// sample.hpp: two small meshes of known faces and volume, and writers for every format.
#pragma once

#include <string>
#include <vector>

#include "meshfile/elements.hpp"

namespace meshes {

struct Piece {
  op2::core::Element kind;
  std::vector<int> nodes;
  int patch = 0; // place in Sample::patches, of sides
};

struct Sample {
  int dim;
  std::vector<double> x; // three for each node
  std::vector<Piece> cells, sides;
  std::vector<std::string> patches;
  int interior, boundary; // faces
  double volume;
};

// A square beside another one of two triangles, from (0, 0) to (2, 1); four patches.
Sample strip();
// A hexahedron with a prism at its side, a pyramid on top and a tetrahedron at the pyramid; two patches of three sides.
Sample mixed();

enum class Form { text, binary, swapped };

std::string gmsh2(const Sample &sample, Form form);
std::string gmsh4(const Sample &sample, Form form);
std::string medit(const Sample &sample);
std::string medit_binary(const Sample &sample, int version, bool swapped);
std::string su2(const Sample &sample);
// Binary forms of legacy VTK files have one order of bytes.
std::string vtk(const Sample &sample, Form form, bool version5);
// All cells as polyhedra, some of their sides the wrong way round.
std::string vtk_polyhedra(const Sample &sample);
enum class Encoding { text, base64, appended_raw, appended_base64 };
// packed: as zlib keeps what cannot be compressed. swapped: the most significant byte first.
std::string vtu(const Sample &sample, Encoding encoding, bool wide, bool packed = false, bool swapped = false);

} // namespace meshes

// SPDX-License-Identifier: MIT
