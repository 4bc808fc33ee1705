// The types of elements in Gmsh's files. The corners of an element stand before its other nodes, whatever its order is.
#include "meshfile/formats/gmsh_common.hpp"

namespace op2::core {

namespace {

// Types with consecutive numbers, and how many nodes each has (0: no more).
struct TypeRow {
  Element kind;
  int first;
  std::array<int, 7> nodes;
};

constexpr std::array type_rows = {
    TypeRow{Element::point, 15, {1}},
    TypeRow{Element::line, 1, {2}},
    TypeRow{Element::line, 8, {3}},
    TypeRow{Element::line, 26, {4, 5, 6}},
    TypeRow{Element::line, 62, {7, 8, 9, 10, 11}},
    TypeRow{Element::triangle, 2, {3}},
    TypeRow{Element::triangle, 9, {6}},
    TypeRow{Element::triangle, 20, {9, 10, 12, 15, 15, 21}},
    TypeRow{Element::triangle, 42, {28, 36, 45, 55, 66}},
    TypeRow{Element::triangle, 52, {18, 21, 24, 27, 30}},
    TypeRow{Element::quadrangle, 3, {4}},
    TypeRow{Element::quadrangle, 10, {9}},
    TypeRow{Element::quadrangle, 16, {8}},
    TypeRow{Element::quadrangle, 36, {16, 25, 36, 12, 16, 20}},
    TypeRow{Element::quadrangle, 47, {49, 64, 81, 100, 121}},
    TypeRow{Element::quadrangle, 57, {24, 28, 32, 36, 40}},
    TypeRow{Element::tetrahedron, 4, {4}},
    TypeRow{Element::tetrahedron, 11, {10}},
    TypeRow{Element::tetrahedron, 29, {20, 35, 56, 22, 28}},
    TypeRow{Element::tetrahedron, 71, {84, 120, 165, 220, 286}},
    TypeRow{Element::tetrahedron, 79, {34, 40, 46, 52, 58}},
    TypeRow{Element::hexahedron, 5, {8}},
    TypeRow{Element::hexahedron, 12, {27}},
    TypeRow{Element::hexahedron, 17, {20}},
    TypeRow{Element::hexahedron, 92, {64, 125, 216, 343, 512, 729, 1000}},
    TypeRow{Element::prism, 6, {6}},
    TypeRow{Element::prism, 13, {18}},
    TypeRow{Element::prism, 18, {15}},
    TypeRow{Element::prism, 90, {40, 75}},
    TypeRow{Element::prism, 106, {126, 196, 288, 405, 550}},
    TypeRow{Element::pyramid, 7, {5}},
    TypeRow{Element::pyramid, 14, {14}},
    TypeRow{Element::pyramid, 19, {13}},
    TypeRow{Element::pyramid, 118, {30, 55, 91, 140, 204, 285, 385}},
};

const char *refused_type(int number) {
  const auto between = [&](int first, int last) { return number >= first && number <= last; };
  if (number == 34) return "polygons";
  if (number == 35) return "polyhedra";
  if (between(67, 70)) return "borders of elements";
  if (between(84, 89) || number == 132) return "elements of order zero";
  // Versions of Gmsh do not agree on how many nodes these have.
  if (between(99, 105)) return "hexahedra of third order or above without nodes inside";
  if (between(111, 117)) return "prisms of third order or above without nodes inside";
  if (between(125, 131)) return "pyramids of third order or above without nodes inside";
  if (between(133, 136)) return "parts of elements";
  if (number == 137) return "tetrahedra of 16 nodes";
  if (number == 138) return "triangles of 4 nodes";
  if (number == 139) return "tetrahedra of 5 nodes";
  return number == 140 ? "trihedra" : "which Gmsh does not have";
}

} // namespace

GmshType gmsh_type(const Cursor &in, int number) {
  for (const TypeRow &row : type_rows) {
    if (number < row.first || number - row.first >= static_cast<int>(row.nodes.size())) continue;
    const int nodes = row.nodes[static_cast<std::size_t>(number - row.first)];
    if (nodes > 0) return {row.kind, nodes, nodes > element_nodes(row.kind)};
  }
  in.fail_here(text("elements of type ", number, " (", refused_type(number), ") cannot be read"));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
