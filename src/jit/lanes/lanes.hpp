// A kernel's text, written again: as members of a struct for one element at a time, and for W elements at once.
#pragma once

#include <span>
#include <string>

#include "jit/text/kernel_text.hpp"

namespace op2::core::jit {

// What a parameter of the kernel is in the form for lanes: values that differ from lane to lane, or the scalars
// themselves, which are only read and the same for all.
enum class Use { lanes, uniform };

// Constants, types, helpers and the kernel, named op2_kernel, as members of a struct that already has members for
// text.declared. Functions of mathematics are those of prelude/functions.h.
std::string scalar_members(const KernelText &text);

// The same for lanes, where the struct names the types op2_double, op2_float, op2_int, op2_uint, op2_ll, op2_ull and
// op2_mask. `uses` has one item per parameter of the kernel. Its results equal those of the scalar form in every bit.
// Throws Refusal, naming place and construct, for what cannot be written so.
std::string lane_members(const KernelText &text, std::span<const Use> uses);

} // namespace op2::core::jit
