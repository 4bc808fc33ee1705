// Types of elements in CGNS and in VTK.
#pragma once

#include <cgnslib.h>

namespace cgns {

inline constexpr int vtk_polygon = 7, vtk_polyhedron = 42;

// VTK's number for a type of elements, 0: none.
int vtk_type(CGNS_ENUMT(ElementType_t) type);

// The dimension of elements of VTK's type.
int dimension_of(int vtk);

} // namespace cgns

// SPDX-License-Identifier: MIT
