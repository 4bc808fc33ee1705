// Data between the user's arrays and the mesh, always in the order of the declaration: by process, or by global number.
#pragma once

#include "mesh/mesh.hpp"

namespace op2::core {

// What this process declared.
void fetch_own(Mesh &mesh, Dat &dat, void *to);
void put_own(Mesh &mesh, Dat &dat, const void *from);

// Elements [low, high] of the whole set, on every process. Throw OP_ERR_RANGE.
void fetch_range(Mesh &mesh, Dat &dat, void *to, idx_g_t low, idx_g_t high);
void put_range(Mesh &mesh, Dat &dat, const void *from, idx_g_t low, idx_g_t high);

// A host view of the rows of this process (op_dat_acquire): the library's own memory, or a copy in the order of the
// declaration, whose rows return when the view closes.
void *open_host_view(Mesh &mesh, Dat &dat, op_access access);
void close_host_view(Mesh &mesh, Dat &dat);

} // namespace op2::core
