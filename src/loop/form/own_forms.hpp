// The range functions that the program's own compiler made of a loop (op_loop_site::lanes), as forms to choose from.
#pragma once

#include <string_view>
#include <vector>

#include "loop/form/fast_form.hpp"

namespace op2::core {

// Those that this processor runs, with vectors of at most so many bytes, the widest one first; all have the same bits
// but `range_form`, which is the last one.
// Empty if there are none, if a payload goes with an extremum, or if they compute something else than the program's
// range function on a sample of the elements: a kernel that reads what it is to add to, for example.
std::vector<jit::Specialised> own_forms(const FastFormRequest &request, int vector_bytes);

// The program's range function as a form. Where the compiler has fused its products and sums, or generated code sums
// lane by lane, it has other last bits than the other forms.
inline constexpr std::string_view range_form = "range";
inline bool is_own_form(std::string_view name) { return name.starts_with("own ") || name == range_form; }

// Whether code that works on copies of rows may compute something else than the range function: where a kernel reads
// what it adds to, or compares addresses of rows. Other loops are not tried, so that a kernel that counts its calls, or
// prints, runs once for each element.
bool copies_may_tell(const LoopSignature &what);

// Whether the compiler may have fused products and sums of the range function, while forms in lanes fuse none.
bool fuses(const op_loop_site &site);

// The program's own code that takes turns with generated code of so many lanes: own forms, and the range function where
// no other process and no setting asks for the same bits.
std::vector<jit::Specialised> rivals(const FastFormRequest &request, int lanes);

// Whether the range function may be taken where its last bits are not those of generated code: in units whose compiler
// fuses products and sums, except for sums over all elements, and in loops over long rows, of which code that takes
// several elements at once may need twice the time.
bool may_round(const FastFormRequest &request);

// Whether generated code of so many lanes has the bits of own forms: sums over all elements have a part for each lane,
// unless the loop also adds to rows through maps.
bool sums_alike(const LoopSignature &what, int lanes);
bool adds_to_rows(const LoopSignature &what); // through maps

} // namespace op2::core

// SPDX-License-Identifier: MIT
