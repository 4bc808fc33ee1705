// What libop2 says of its objects: the services of op2/library.h, with failures as exceptions.
#pragma once

#include "op2/library.h"

namespace op2::core::tracer {

// Throws OP_ERR_STATE where libop2 is older than this library.
const op_library_v1 &services();
// Throws what the entry that has returned `status` says.
void check(op_status status);

struct SetFacts : op_library_set {
  op_set handle;
};
struct MapFacts : op_library_map {
  op_map handle;
};
struct DatFacts : op_library_dat {
  op_dat handle;
};
struct ViewFacts : op_library_view {
  op_view handle;
};
// Throw OP_ERR_HANDLE; `what` is what the handle is called in the message.
SetFacts facts_of(op_set handle, const char *what = "the set");
MapFacts facts_of(op_map handle, const char *what = "the map");
DatFacts facts_of(op_dat handle, const char *what = "the dat");
ViewFacts facts_of(op_view handle);
op_library_cells cells_of(const ViewFacts &view, int number);

// Rows of this process' declared part, in the order of the declaration. Collective.
void put_declared(const DatFacts &dat, const void *rows);

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
