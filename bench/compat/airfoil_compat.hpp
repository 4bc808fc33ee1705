// airfoil_compat.hpp: the airfoil solver as a program for OP2, behind functions: OP2's headers and op2.hpp do not meet
// in one file.
#ifndef OP2_BENCH_AIRFOIL_COMPAT_HPP
#define OP2_BENCH_AIRFOIL_COMPAT_HPP

#include "naca_mesh.hpp"

// Starts the library and declares the mesh, as an OP2 program's main does. Once in a process.
void compat_airfoil_begin(const naca::Mesh &mesh);

// One iteration: save_soln, then two stages of the other four. Returns the sum of squares of the last update.
double compat_airfoil_iterate();

#endif

// SPDX-License-Identifier: MIT
