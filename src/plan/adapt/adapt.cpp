#include "plan/adapt/adapt.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "plan/colour.hpp"
#include "plan/targets.hpp"

namespace op2::core {

namespace {

constexpr int most_changed = 4; // one of so many elements; of more, the whole plan is built anew
constexpr int most_loose = 4;   // the same for blocks

std::vector<int> colours_of_blocks(const Plan &plan) {
  std::vector<int> colour(plan.order.size());
  for (int c = 0; c < plan.ncolours; ++c)
    for (int i = plan.colour_offset[static_cast<std::size_t>(c)];
         i < plan.colour_offset[static_cast<std::size_t>(c) + 1]; ++i)
      colour[static_cast<std::size_t>(plan.order[static_cast<std::size_t>(i)])] = c;
  return colour;
}

// Colours that no block has any more leave no gap.
void close_gaps(Plan &plan, Colouring &colouring) {
  std::vector<int> number(static_cast<std::size_t>(colouring.count), 0);
  for (const int colour : colouring.colour) number[static_cast<std::size_t>(colour)] = 1;
  int used = 0, tight = 0;
  for (int c = 0; c < colouring.count; ++c) {
    if (c == plan.first_loose) tight = used;
    int &of = number[static_cast<std::size_t>(c)];
    of = of ? used++ : -1;
  }
  plan.first_loose = plan.first_loose < colouring.count ? tight : used;
  for (int &colour : colouring.colour) colour = number[static_cast<std::size_t>(colour)];
  colouring.count = used;
}

// Changed blocks get colours of their own behind those of the others, and are coloured among themselves: so nothing
// must be known of the blocks that they meet.
bool adapt_colours(Plan &plan, const PlanRequest &request, std::span<const int> elements) {
  const std::vector<int> &offset = plan.block_offset;
  Colouring all{colours_of_blocks(plan), plan.ncolours};
  std::vector<char> loose(all.colour.size(), 0);
  for (std::size_t b = 0; b < loose.size(); ++b) loose[b] = all.colour[b] >= plan.first_loose;
  for (const int n : elements)
    loose[static_cast<std::size_t>(std::ranges::upper_bound(offset, n) - offset.begin()) - 1] = 1;
  std::vector<ElementRange> ranges;
  std::vector<std::size_t> block;
  std::vector<int> place = {0}; // of the blocks among the gathered elements
  for (std::size_t b = 0; b < loose.size(); ++b) {
    if (!loose[b]) continue;
    block.push_back(b);
    ranges.push_back({offset[b], offset[b + 1]});
    place.push_back(place.back() + offset[b + 1] - offset[b]);
  }
  if (block.size() * most_loose > loose.size()) return false;
  const GatheredSlots gathered = gather_slots(request.groups, ranges);
  const Colouring own = colour_blocks(gathered.table, place);
  for (std::size_t i = 0; i < block.size(); ++i) all.colour[block[i]] = plan.first_loose + own.colour[i];
  all.count = plan.first_loose + own.count;
  close_gaps(plan, all);
  ColourOrder sorted = order_by_colour(all, 0);
  plan.ncolours = all.count;
  plan.colour_offset = std::move(sorted.offset);
  plan.order = std::move(sorted.order);
  if (plan.kind != OP_PLAN_ELEMENT_COLOURS) return true;
  const BlockElementColouring inside = colour_elements_in_blocks(gathered.table, place);
  for (std::size_t i = 0; i < block.size(); ++i) {
    std::copy(inside.colour.begin() + place[i], inside.colour.begin() + place[i + 1],
              plan.element_colour.begin() + (offset[block[i]] - plan.begin));
    plan.block_element_colours[block[i]] = inside.count[i];
  }
  return true;
}

} // namespace

bool adapt_plan(Plan &plan, const PlanRequest &request, std::span<const int> elements) {
  if (plan.kind == OP_PLAN_NONE || plan.kind == OP_PLAN_BLOCKS || elements.empty()) return true;
  if (static_cast<std::int64_t>(elements.size()) * most_changed > plan.end - plan.begin) return false;
  if (is_owner_kind(plan.kind)) {
    if (!request.sequence.empty()) return false;
    adapt_owners(plan.owner, request, plan.block_offset, elements);
    return true;
  }
  if (plan.kind == OP_PLAN_GLOBAL_COLOURS || !plan.element.empty()) return false;
  return adapt_colours(plan, request, elements);
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
