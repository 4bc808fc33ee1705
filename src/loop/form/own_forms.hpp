// The range functions that the program's own compiler made of a loop (op_loop_site::lanes), as forms to choose from.
#pragma once

#include <vector>

#include "loop/form/fast_form.hpp"

namespace op2::core {

// Those that this processor runs, with vectors of at most so many bytes, the widest one first; all have the same bits.
// Empty if there are none, if a payload goes with an extremum, or if they compute something else than the program's
// range function on a sample of the elements: a kernel that reads what it is to add to, for example.
std::vector<jit::Specialised> own_forms(const FastFormRequest &request, int vector_bytes);

// Whether generated code, whose sums over all elements are formed lane by lane, may have their bits.
bool sums_alike(const LoopSignature &what);

} // namespace op2::core
