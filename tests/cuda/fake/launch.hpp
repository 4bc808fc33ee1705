// launch.hpp: a kernel with what it is launched with, checked as the driver does.
#pragma once

#include <memory>

#include "call.hpp"
#include "module.hpp"

namespace fake {

// The launch; nothing when it is refused, and then what the call answers.
std::shared_ptr<Launch> make_launch(const Call &call, const KernelNode &wanted, int &answer);
Op op_of(const std::shared_ptr<Launch> &launch);
// Whether its module is loaded.
bool is_loaded(const Function *function);

} // namespace fake

// SPDX-License-Identifier: MIT
