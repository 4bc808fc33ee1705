// Copies between the user's arrays and dats, in the order of the declaration. Collective.
#pragma once

#include "mesh/mesh.hpp"

namespace op2::core {

// The elements that this process declared. Throw OP_ERR_STATE if the dat is acquired.
void fetch_own(Mesh &mesh, Dat &dat, void *to);
void put_own(Mesh &mesh, Dat &dat, const void *from);

// Elements low ... high (inclusive) of the whole set, on every process. Throw OP_ERR_STATE, OP_ERR_RANGE.
void fetch_range(Mesh &mesh, Dat &dat, void *to, op_gindex low, op_gindex high);
void put_range(Mesh &mesh, Dat &dat, const void *from, op_gindex low, op_gindex high);

// A host view of this process's rows (op_dat_acquire): the library's own memory, or a copy in the order of the
// declaration, which close_host_view() writes back if `access` writes.
void *open_host_view(Mesh &mesh, Dat &dat, op_access access);
void close_host_view(Mesh &mesh, Dat &dat);

} // namespace op2::core

// SPDX-License-Identifier: MIT
