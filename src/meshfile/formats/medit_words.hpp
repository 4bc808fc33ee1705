// The tables of Medit's files that hold elements: keyword in text files, code in binary ones.
#pragma once

#include <string_view>

#include "meshfile/elements.hpp"

namespace op2::core {

struct MeditTable {
  std::string_view word;
  int code;
  Element kind;
  int columns; // nodes, the corners first; a reference stands behind them

  bool higher() const { return columns > element_nodes(kind); }
};

inline constexpr std::array medit_tables = {
    MeditTable{"Edges", 5, Element::line, 2},
    MeditTable{"EdgesP2", 25, Element::line, 3},
    MeditTable{"EdgesP3", 92, Element::line, 4},
    MeditTable{"EdgesP4", 93, Element::line, 5},
    MeditTable{"Triangles", 6, Element::triangle, 3},
    MeditTable{"TrianglesP2", 24, Element::triangle, 6},
    MeditTable{"TrianglesP3", 90, Element::triangle, 10},
    MeditTable{"TrianglesP4", 91, Element::triangle, 15},
    MeditTable{"Quadrilaterals", 7, Element::quadrangle, 4},
    MeditTable{"QuadrilateralsQ2", 27, Element::quadrangle, 9},
    MeditTable{"QuadrilateralsQ3", 88, Element::quadrangle, 16},
    MeditTable{"QuadrilateralsQ4", 89, Element::quadrangle, 25},
    MeditTable{"Tetrahedra", 8, Element::tetrahedron, 4},
    MeditTable{"TetrahedraP2", 30, Element::tetrahedron, 10},
    MeditTable{"TetrahedraP3", 96, Element::tetrahedron, 20},
    MeditTable{"TetrahedraP4", 97, Element::tetrahedron, 35},
    MeditTable{"Prisms", 9, Element::prism, 6},
    MeditTable{"PrismsP2", 86, Element::prism, 18},
    MeditTable{"PrismsP3", 102, Element::prism, 40},
    MeditTable{"PrismsP4", 103, Element::prism, 75},
    MeditTable{"Hexahedra", 10, Element::hexahedron, 8},
    MeditTable{"Hexaedra", 10, Element::hexahedron, 8},
    MeditTable{"HexahedraQ2", 33, Element::hexahedron, 27},
    MeditTable{"HexahedraQ3", 98, Element::hexahedron, 64},
    MeditTable{"HexahedraQ4", 99, Element::hexahedron, 125},
    MeditTable{"Pyramids", 49, Element::pyramid, 5},
    MeditTable{"PyramidsP2", 87, Element::pyramid, 14},
    MeditTable{"PyramidsP3", 100, Element::pyramid, 30},
    MeditTable{"PyramidsP4", 101, Element::pyramid, 55},
};

inline const MeditTable *find_medit_table(std::string_view word) {
  for (const MeditTable &table : medit_tables)
    if (table.word == word) return &table;
  return nullptr;
}

// Other tables by their codes, for messages.
struct MeditName {
  int code;
  std::string_view word;
};

inline constexpr std::array medit_names = {
    MeditName{13, "Corners"},           MeditName{14, "Ridges"},
    MeditName{15, "RequiredVertices"},  MeditName{16, "RequiredEdges"},
    MeditName{17, "RequiredTriangles"}, MeditName{18, "RequiredQuadrilaterals"},
    MeditName{20, "NormalAtVertices"},  MeditName{46, "Polyhedra"},
    MeditName{47, "Polygons"},          MeditName{50, "BoundingBox"},
    MeditName{59, "Tangents"},          MeditName{60, "Normals"},
    MeditName{61, "TangentAtVertices"}, MeditName{62, "SolAtVertices"},
    MeditName{81, "Comments"},          MeditName{155, "FloatingPointPrecision"},
};

// Tables that cannot be passed over: without them there are other cells than the file has.
inline bool medit_refuses(std::string_view word) {
  return word == "Polyhedra" || word == "Polygons" || word.ends_with("Ordering");
}

// What a file of Medit becomes when all its tables have been read.
inline void finish_medit(MeshFile &mesh, Elements &elements, bool higher, const std::vector<std::string> &left_out) {
  elements.once();
  elements.note_groups(mesh, "reference");
  elements.finish(mesh, "ref");
  if (higher) {
    mesh.notes.push_back("elements of higher order: only their corners are taken");
    drop_unused_nodes(mesh);
  }
  note_left_out(mesh, "tables", left_out);
  drop_flat_coordinate(mesh);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
