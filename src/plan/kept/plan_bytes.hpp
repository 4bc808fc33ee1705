// Plans as bytes, for later runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "plan/plan.hpp"

namespace op2::core {

std::string bytes_of_plan(const Plan &plan);
// nullopt: the bytes are those of no plan of this range.
std::optional<Plan> plan_of_bytes(std::string_view bytes, int begin, int end);

} // namespace op2::core
// SPDX-License-Identifier: MIT
