// op2.hpp: libop2 for C++17. Header-only, on top of the C interface of op2.h.
//
//   op2::context context(argc, argv);
//   op2::set cells(ncell, "cells"), edges(nedge, "edges");
//   op2::map edge_cells(edges, cells, 2, table, "edge_cells");
//   op2::dat<double, 4> q(cells, initial, "q"), res(cells, nullptr, "res");
//   double rms = 0;
//   op_par_loop(flux, "flux", edges, op2::read(q, 0, edge_cells), op2::read(q, 1, edge_cells),
//               op2::inc(res, 0, edge_cells), op2::inc(res, 1, edge_cells), op2::gbl_inc(&rms));
//
// The types of the arguments contain value types, dims and access modes, which the compiler checks; the compiler
// inlines the kernel into a loop over elements. OP2's own notation, op_arg_dat(q, 0, edge_cells, 4, "double", OP_READ),
// works in the same program and is as fast if idx, dim and access are constants.
#ifndef OP2_OP2_HPP
#define OP2_OP2_HPP

#if !defined(__cplusplus) || __cplusplus < 201703L
#error "op2.hpp needs C++17; older C++ can use op2.h"
#endif

#include "op2/op2.h"

// Objects: errors, context, sets and maps, data, constants, files, particles, streamlines.
#include "op2/cpp/chain.hpp"
#include "op2/cpp/change.hpp"
#include "op2/cpp/constant.hpp"
#include "op2/cpp/context.hpp"
#include "op2/cpp/dat.hpp"
#include "op2/cpp/error.hpp"
#include "op2/cpp/file.hpp"
#include "op2/cpp/global.hpp"
#include "op2/cpp/mesh.hpp"
#include "op2/cpp/particles.hpp"
#include "op2/cpp/trace.hpp"
#include "op2/cpp/type_name.hpp"
#include "op2/cpp/view.hpp"
#include "op2/cpp/window.hpp"

// Loops: arguments in the notation of C++ and in that of OP2, op_par_loop, op_par_loop_until.
#include "op2/cpp/loop.hpp"
#include "op2/cpp/make_arg.hpp"
#include "op2/cpp/spelling.hpp"
#include "op2/cpp/until.hpp"

#endif

// SPDX-License-Identifier: MIT
