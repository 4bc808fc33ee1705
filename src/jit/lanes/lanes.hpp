// Writes a kernel as members of a struct: for one element at a time, and for W elements at once.
#pragma once

#include <span>
#include <string>

#include "jit/text/kernel_text.hpp"

namespace op2::core::jit {

// A parameter of the kernel in the form for lanes: values that vary between lanes, or read-only scalars that are the
// same for all lanes.
enum class Use { lanes, uniform };

// Constants, types, helpers and the kernel, named op2_kernel, as members of a struct that already has members for
// text.declared. Mathematical functions are those of prelude/functions.h.
// types: those of the kernel's parameters, where they are not to be the text's own; "" or none: they are.
std::string scalar_members(const KernelText &text, std::span<const std::string> types = {});

// The same for lanes, where the struct names the types op2_double, op2_float, op2_int, op2_uint, op2_ll, op2_ull and
// op2_mask. `uses` has one item per parameter of the kernel. Results are bitwise equal to those of the scalar form.
// Throws Refusal, naming place and construct, for unsupported constructs.
std::string lane_members(const KernelText &text, std::span<const Use> uses);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
