#include "types.hpp"

#include <algorithm>
#include <array>

namespace cgns {

int vtk_type(CGNS_ENUMT(ElementType_t) type) {
  switch (type) {
    case CGNS_ENUMV(NODE):
      return 1;
    case CGNS_ENUMV(BAR_2):
      return 3;
    case CGNS_ENUMV(BAR_3):
      return 21;
    case CGNS_ENUMV(TRI_3):
      return 5;
    case CGNS_ENUMV(TRI_6):
      return 22;
    case CGNS_ENUMV(QUAD_4):
      return 9;
    case CGNS_ENUMV(QUAD_8):
      return 23;
    case CGNS_ENUMV(QUAD_9):
      return 28;
    case CGNS_ENUMV(TETRA_4):
      return 10;
    case CGNS_ENUMV(TETRA_10):
      return 24;
    case CGNS_ENUMV(PYRA_5):
      return 14;
    case CGNS_ENUMV(PYRA_13):
      return 27;
    case CGNS_ENUMV(PYRA_14): // its last node, amid the base, is left out
      return 27;
    case CGNS_ENUMV(PENTA_6):
      return 13;
    case CGNS_ENUMV(PENTA_15):
      return 26;
    case CGNS_ENUMV(PENTA_18):
      return 32;
    case CGNS_ENUMV(HEXA_8):
      return 12;
    case CGNS_ENUMV(HEXA_20):
      return 25;
    case CGNS_ENUMV(HEXA_27):
      return 29;
    default:
      return 0;
  }
}

int dimension_of(int vtk) {
  constexpr std::array lines = {3, 21};
  constexpr std::array flat = {5, 22, 9, 23, 28, vtk_polygon};
  if (vtk == 1) return 0;
  if (std::find(lines.begin(), lines.end(), vtk) != lines.end()) return 1;
  return std::find(flat.begin(), flat.end(), vtk) != flat.end() ? 2 : 3;
}

} // namespace cgns

// SPDX-License-Identifier: MIT
