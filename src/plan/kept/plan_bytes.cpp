#include "plan/kept/plan_bytes.hpp"

#include <vector>

#include "host/kept/kept_findings.hpp"

namespace op2::core {

namespace {

// Calls f for all arrays of a plan but the parts of grains, in one order.
template <class AnyPlan, class F>
void each_array(AnyPlan &plan, const F &f) {
  f(plan.block_offset), f(plan.colour_offset), f(plan.order), f(plan.element), f(plan.element_colour);
  f(plan.block_element_colours);
  auto &owner = plan.owner;
  f(owner.part_offset), f(owner.group_offset), f(owner.column_map), f(owner.column), f(owner.local);
  f(owner.slot_row), f(owner.segments), f(owner.local_offset), f(owner.slot_offset);
}

} // namespace

std::string bytes_of_plan(const Plan &plan) {
  std::string bytes;
  add_array(bytes, std::vector<int>{plan.kind, plan.begin, plan.end, plan.ncolours, plan.first_loose,
                                    static_cast<int>(plan.owner.part_of_grain.size())});
  each_array(plan, [&](const auto &array) { add_array(bytes, array); });
  for (const auto &part : plan.owner.part_of_grain) add_array(bytes, part);
  return bytes;
}

std::optional<Plan> plan_of_bytes(std::string_view bytes, int begin, int end) {
  std::vector<int> head;
  if (!take_array(bytes, head) || head.size() != 6 || head[1] != begin || head[2] != end || head[5] < 0)
    return std::nullopt;
  Plan plan;
  plan.kind = head[0], plan.begin = begin, plan.end = end, plan.ncolours = head[3], plan.first_loose = head[4];
  bool good = true;
  each_array(plan, [&](auto &array) { good = good && take_array(bytes, array); });
  for (int g = 0; good && g < head[5]; ++g) good = take_array(bytes, plan.owner.part_of_grain.emplace_back());
  if (!good || !bytes.empty()) return std::nullopt;
  return plan;
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
