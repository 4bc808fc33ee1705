// world.hpp: a small mesh in a running session, a text of everything that can be seen of it, and handles that are no
// good.
#pragma once

#include <string>
#include <vector>

#include "op2/op2.h"
#include "op2/trace.h"
#include "op2/view.h"

namespace badinput {

// Handles of all kinds, as one session gave them.
struct Handles {
  op_set edges = nullptr, nodes = nullptr;
  op_map edge_nodes = nullptr;
  op_dat x = nullptr;       // on nodes, 2 x double
  op_dat length = nullptr;  // on edges, 1 x double
  op_dat scratch = nullptr; // temporary, on nodes, 1 x int
  op_reduction sum = nullptr;
  op_global total = nullptr;  // 2 x double
  op_view view = nullptr;     // of nodes and edges, with field length
  op_set triangles = nullptr; // one
  op_map triangle_nodes = nullptr;
  op_dat flow = nullptr;       // a velocity on nodes, 2 x double
  op_view shape = nullptr;     // of nodes and triangles
  op_dat flow_speed = nullptr; // on nodes, 1 x double
  op_tracer tracer = nullptr;
  op_set ions = nullptr; // two particles in the triangle
  op_map ion_cell = nullptr, ion_nodes = nullptr;
  op_dat charge = nullptr; // on ions, 1 x double
};

struct World : Handles {
  Handles old;            // of a session that has ended
  op_dat freed = nullptr; // a temporary dat of this session that was freed
  double global = 1.5;    // a variable of the program
};

// What bad input is tried on: made by start_world(), gone after end_world().
World &world();
void start_world();
void end_world();
// Of a session that has ended; may start and end one.
op_lines some_lines();

// Everything that the public interface shows of the session and its mesh. Refused calls must not change it.
std::string state();
// The same without the counts of loops.
std::string state_of_mesh();

// Memory that is no handle: readable, of the size of any handle's object.
void *zeroed_memory();
void *garbage_memory();

// A kernel that can be called and does nothing; one that counts its calls.
void idle_kernel(void *);
op_kernel_fn idle();

} // namespace badinput

// SPDX-License-Identifier: MIT
