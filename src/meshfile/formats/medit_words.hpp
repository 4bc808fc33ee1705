// The tables of Medit's files that hold elements: keyword in text files, code in binary ones.
#pragma once

#include <string_view>

#include "meshfile/elements.hpp"

namespace op2::core {

struct MeditTable {
  std::string_view word;
  int code;
  Element kind;
  int columns; // nodes; a reference stands behind them
};

inline constexpr std::array medit_tables = {
    MeditTable{"Edges", 5, Element::line, 2},
    MeditTable{"Triangles", 6, Element::triangle, 3},
    MeditTable{"Quadrilaterals", 7, Element::quadrangle, 4},
    MeditTable{"Tetrahedra", 8, Element::tetrahedron, 4},
    MeditTable{"Prisms", 9, Element::prism, 6},
    MeditTable{"Hexahedra", 10, Element::hexahedron, 8},
    MeditTable{"Hexaedra", 10, Element::hexahedron, 8},
    MeditTable{"Pyramids", 49, Element::pyramid, 5},
};

inline const MeditTable *find_medit_table(std::string_view word) {
  for (const MeditTable &table : medit_tables)
    if (table.word == word) return &table;
  return nullptr;
}

} // namespace op2::core
