// VTK's numbers of types of cells, which SU2 uses as well.
#pragma once

#include <optional>

#include "meshfile/elements.hpp"

namespace op2::core {

inline constexpr int vtk_polygon = 7, vtk_polyhedron = 42;

inline std::optional<Element> vtk_element(int type) {
  switch (type) {
    case 1:
      return Element::point;
    case 3:
      return Element::line;
    case 5:
      return Element::triangle;
    case 9:
      return Element::quadrangle;
    case 10:
      return Element::tetrahedron;
    case 12:
      return Element::hexahedron;
    case 13:
      return Element::prism;
    case 14:
      return Element::pyramid;
    default:
      return std::nullopt;
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
