#include "plan/plan.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "plan/blocks.hpp"
#include "plan/colour.hpp"
#include "plan/compact.hpp"
#include "plan/owner.hpp"
#include "plan/targets.hpp"

namespace op2::core {
namespace {

template <class T>
const T *pointer_or_null(const std::vector<T> &values) {
  return values.empty() ? nullptr : values.data();
}

void set_order(Plan &plan, const Colouring &colouring, int base) {
  ColourOrder sorted = order_by_colour(colouring, base);
  plan.ncolours = colouring.count;
  plan.colour_offset = std::move(sorted.offset);
  plan.order = std::move(sorted.order);
}

void cut_at_runs(std::vector<int> &block_offset, std::span<const SequenceRun> sequence) {
  for (const SequenceRun &run : sequence) block_offset.push_back(run.begin);
  std::ranges::sort(block_offset);
  block_offset.erase(std::unique(block_offset.begin(), block_offset.end()), block_offset.end());
}

// All blocks in one colour; none for no blocks.
Colouring uncoloured(std::size_t nblocks) { return {std::vector<int>(nblocks), nblocks > 0 ? 1 : 0}; }

} // namespace

const char *plan_kind_name(int kind) {
  static constexpr const char *names[] = {"one range",      "blocks", "block colours",      "element colours",
                                          "global colours", "owner",  "owner, whole blocks"};
  static_assert(OP_PLAN_NONE == 0 && OP_PLAN_BLOCKS == 1 && OP_PLAN_BLOCK_COLOURS == 2 &&
                OP_PLAN_ELEMENT_COLOURS == 3 && OP_PLAN_GLOBAL_COLOURS == 4 && OP_PLAN_OWNER == 5 &&
                OP_PLAN_OWNER_BLOCKS == 6);
  return kind >= OP_PLAN_NONE && kind <= OP_PLAN_OWNER_BLOCKS ? names[kind] : "unknown";
}

op_exec_plan Plan::view() const {
  op_exec_plan result{};
  result.size = sizeof(result);
  result.kind = kind;
  result.begin = begin;
  result.end = end;
  result.nblocks = block_offset.empty() ? 0 : static_cast<int>(block_offset.size()) - 1;
  result.block_offset = pointer_or_null(block_offset);
  result.ncolours = ncolours;
  result.colour_offset = pointer_or_null(colour_offset);
  result.order = pointer_or_null(order);
  result.element_colour = pointer_or_null(element_colour);
  result.block_element_colours = pointer_or_null(block_element_colours);
  result.element = pointer_or_null(element);
  if (!is_owner_kind(kind)) return result;
  result.nparts = static_cast<int>(owner.part_offset.size()) - 1;
  result.ngroups = static_cast<int>(owner.group_offset.size()) - 1;
  result.part_offset = pointer_or_null(owner.part_offset);
  result.segments = pointer_or_null(owner.segments);
  result.group_offset = pointer_or_null(owner.group_offset);
  result.column_map = pointer_or_null(owner.column_map);
  result.column = pointer_or_null(owner.column);
  result.local_offset = pointer_or_null(owner.local_offset);
  result.local = pointer_or_null(owner.local);
  result.slot_offset = pointer_or_null(owner.slot_offset);
  result.slot_row = pointer_or_null(owner.slot_row);
  return result;
}

Plan build_plan(const PlanRequest &request) {
  if (request.kind < OP_PLAN_NONE || request.kind > OP_PLAN_OWNER_BLOCKS)
    fail(OP_ERR_INTERNAL, "plan: unknown kind ", request.kind);
  if (request.begin < 0) fail(OP_ERR_INTERNAL, "plan: a range begins at ", request.begin);
  Plan plan;
  plan.kind = request.kind;
  plan.begin = request.begin;
  plan.end = request.end > request.begin ? request.end : request.begin;

  if (plan.kind == OP_PLAN_GLOBAL_COLOURS) {
    plan.block_offset = {plan.begin};
    set_order(plan, colour_elements(find_slots(request.groups, plan.begin, plan.end), plan.begin, plan.end),
              plan.begin);
    return plan;
  }

  const int elements = plan.end - plan.begin;
  int block_size = request.block_size > 0 ? request.block_size : default_block_size(elements);
  if ((plan.kind == OP_PLAN_NONE || plan.kind == OP_PLAN_OWNER) && elements > 0) block_size = elements;
  plan.block_offset = split_blocks(plan.begin, plan.end, block_size);
  if (plan.kind == OP_PLAN_OWNER_BLOCKS) cut_at_runs(plan.block_offset, request.sequence);
  if (plan.kind == OP_PLAN_NONE || plan.kind == OP_PLAN_BLOCKS || is_owner_kind(plan.kind)) {
    set_order(plan, uncoloured(plan.block_offset.size() - 1), 0);
    if (is_owner_kind(plan.kind)) plan.owner = owner_lists(request, plan.block_offset);
    return plan;
  }

  SlotTable table = find_slots(request.groups, plan.begin, plan.end);
  CompactElements elements_by_place;
  std::vector<int> blocks = plan.block_offset;
  if (request.compact && plan.kind == OP_PLAN_ELEMENT_COLOURS) {
    elements_by_place = compact_elements(table, plan.begin, plan.end, block_size);
    table = elements_by_place.table;
    for (int &place : blocks) place -= plan.begin;
    plan.element = std::move(elements_by_place.element);
  }
  set_order(plan, colour_blocks(table, blocks), 0);
  plan.first_loose = plan.ncolours;
  if (plan.kind == OP_PLAN_ELEMENT_COLOURS) {
    BlockElementColouring inside = colour_elements_in_blocks(table, blocks);
    plan.element_colour = std::move(inside.colour);
    plan.block_element_colours = std::move(inside.count);
  }
  return plan;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
