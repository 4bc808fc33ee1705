// Declarations as doors of other headers make them: without a guard, so that a failure is told once, as that of the
// call that the program made. Each throws an Error, and is collective.
#pragma once

#include "op2/types.h"

namespace op2::core {

op_set declare_set(idx_l_t size, const char *name);

// Index: idx_l_t or idx_g_t.
template <class Index>
op_map declare_map(op_set from, op_set to, int dim, const Index *entries, const char *name);

// A set that is in parts takes the values of a new dat where its rows are. type_size: of a type of the program's own; 0
// for built-in types.
op_dat declare_dat(op_set set, int dim, const char *type, int type_size, const void *data, const char *name,
                   bool temporary);

} // namespace op2::core
