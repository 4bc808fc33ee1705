#include "plan/colour.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>

namespace op2::core {
namespace {

constexpr int colours_per_pass = 64;
constexpr std::uint64_t all_used = ~std::uint64_t{0};

// Which of the 64 colours of the present pass are taken, slot by slot.
class Masks {
 public:
  explicit Masks(const SlotTable &table) : accesses_(table.accesses), used_(table.slots) {
    for (const Access &access : accesses_) columns_ += static_cast<std::size_t>(access.count);
  }

  // Colours taken at the slots of the elements [first, last). Stops early when none is left: what a block sees in a
  // pass that has no colour for it, so a block waiting for a later pass costs little.
  std::uint64_t used(int first, int last) const {
    constexpr int chunk = 32;
    std::uint64_t mask = 0;
    while (first < last && mask != all_used) {
      const int stop = last - first > chunk ? first + chunk : last;
      for (const Access &access : accesses_)
        for_each_slot(access, first, stop, [&](std::size_t slot) { mask |= used_[slot]; });
      first = stop;
    }
    return mask;
  }

  void take(int first, int last, std::uint64_t colour) {
    for (const Access &access : accesses_)
      for_each_slot(access, first, last, [&](std::size_t slot) { used_[slot] |= colour; });
  }

  void clear(int first, int last) {
    for (const Access &access : accesses_)
      for_each_slot(access, first, last, [&](std::size_t slot) { used_[slot] = 0; });
  }

  void clear() { std::ranges::fill(used_, 0); }

  // Whether visiting `elements` elements one by one is dearer than sweeping over all slots.
  bool sweep_is_cheaper(std::size_t elements) const { return elements * columns_ >= used_.size() / 8; }

 private:
  std::span<const Access> accesses_;
  std::vector<std::uint64_t> used_;
  std::size_t columns_ = 0;
};

// First fit over the items first ... last-1. range(i) gives the elements of an item, assign(i, colour) takes the
// result. Returns the number of colours. `waiting` is scratch. The marks of the items must be clear, and are left
// behind.
//
// A pass offers the colours base ... base+63 to the items still without one, in ascending order. That is plain first
// fit: an item comes to a pass only if earlier items it collides with hold all lower colours; and all earlier items
// that get a colour of this pass have it when the item's turn comes, since they were looked at before. So the lowest
// free bit is the lowest free colour. The first item of a pass finds clear marks, hence every pass colours something
// and the passes end.
template <class Range, class Assign>
int first_fit(Masks &masks, int first, int last, std::vector<int> &waiting, Range range, Assign assign) {
  int base = 0, colours = 0;
  const auto try_item = [&](int item) {
    const auto [from, to] = range(item);
    const std::uint64_t used = masks.used(from, to);
    if (used == all_used) return false;
    const int bit = std::countr_one(used);
    masks.take(from, to, std::uint64_t{1} << bit);
    assign(item, base + bit);
    colours = std::max(colours, base + bit + 1);
    return true;
  };

  waiting.clear();
  for (int item = first; item < last; ++item)
    if (!try_item(item)) waiting.push_back(item);

  while (!waiting.empty()) {
    base += colours_per_pass;
    std::size_t elements = 0;
    for (const int item : waiting) elements += static_cast<std::size_t>(range(item).to - range(item).from);
    if (masks.sweep_is_cheaper(elements)) {
      masks.clear();
    } else { // only slots of waiting items will be looked at again
      for (const int item : waiting) masks.clear(range(item).from, range(item).to);
    }
    std::size_t kept = 0;
    for (const int item : waiting)
      if (!try_item(item)) waiting[kept++] = item;
    waiting.resize(kept);
  }
  return colours;
}

struct Range {
  int from, to;
};

Range single(int element) { return {element, element + 1}; }

} // namespace

Colouring colour_blocks(const SlotTable &table, std::span<const int> block_offset) {
  const std::size_t nblocks = block_offset.size() - 1;
  Colouring result{std::vector<int>(nblocks), 0};
  Masks masks(table);
  std::vector<int> waiting;
  const auto range = [&](int block) {
    const auto b = static_cast<std::size_t>(block);
    return Range{block_offset[b], block_offset[b + 1]};
  };
  const auto assign = [&](int block, int colour) { result.colour[static_cast<std::size_t>(block)] = colour; };
  result.count = first_fit(masks, 0, static_cast<int>(nblocks), waiting, range, assign);
  return result;
}

Colouring colour_elements(const SlotTable &table, int begin, int end) {
  Colouring result;
  if (begin >= end) return result;
  result.colour.resize(static_cast<std::size_t>(end - begin));
  Masks masks(table);
  std::vector<int> waiting;
  const auto assign = [&](int n, int colour) { result.colour[static_cast<std::size_t>(n - begin)] = colour; };
  result.count = first_fit(masks, begin, end, waiting, single, assign);
  return result;
}

BlockElementColouring colour_elements_in_blocks(const SlotTable &table, std::span<const int> block_offset) {
  const std::size_t nblocks = block_offset.size() - 1;
  const int begin = block_offset.front();
  BlockElementColouring result;
  result.colour.resize(static_cast<std::size_t>(block_offset.back() - begin));
  result.count.resize(nblocks);
  Masks masks(table);
  std::vector<int> waiting;
  const auto assign = [&](int n, int colour) { result.colour[static_cast<std::size_t>(n - begin)] = colour; };
  for (std::size_t b = 0; b < nblocks; ++b) {
    const int first = block_offset[b], last = block_offset[b + 1];
    result.count[b] = first_fit(masks, first, last, waiting, single, assign);
    masks.clear(first, last); // the slots of this block are still in cache; sweeping over all of them would not be
  }
  return result;
}

// A counting sort, stable, hence ascending within a colour.
ColourOrder order_by_colour(const Colouring &colouring, int base) {
  ColourOrder result;
  result.offset.resize(static_cast<std::size_t>(colouring.count) + 1);
  result.order.resize(colouring.colour.size());
  for (const int colour : colouring.colour) ++result.offset[static_cast<std::size_t>(colour) + 1];
  std::partial_sum(result.offset.begin(), result.offset.end(), result.offset.begin());
  std::vector<int> next(result.offset.begin(), result.offset.end() - 1);
  int number = base;
  for (const int colour : colouring.colour)
    result.order[static_cast<std::size_t>(next[static_cast<std::size_t>(colour)]++)] = number++;
  return result;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
