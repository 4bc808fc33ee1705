// colour.hpp: colours blocks and elements so that equal colours do not collide.
//
// First-fit greedy colouring with a bit mask of used colours per target, as in OP2's op_plan_core (Mudalige, Giles,
// Reguly, Bertolli, Kelly: "OP2: An active library framework for solving unstructured mesh-based applications on
// multi-core and many-core architectures", InPar 2012), here with 64 colours a pass and without a limit to the number
// of colours.
#pragma once

#include <span>
#include <vector>

#include "plan/targets.hpp"

namespace op2::core {

// Colours of things numbered from 0. Colours are 0 ... count-1, all of them in use.
struct Colouring {
  std::vector<int> colour;
  int count = 0;
};

// One colour per block; block b holds the elements [block_offset[b], block_offset[b+1]).
Colouring colour_blocks(const SlotTable &table, std::span<const int> block_offset);

// One colour per element of [begin, end); the element n is number n - begin.
Colouring colour_elements(const SlotTable &table, int begin, int end);

// Colours the elements of each block separately, from 0. colour[n - block_offset[0]] is the colour of element n,
// count[b] the number of colours in block b.
struct BlockElementColouring {
  std::vector<int> colour, count;
};
BlockElementColouring colour_elements_in_blocks(const SlotTable &table, std::span<const int> block_offset);

// Lists things by colour: order[offset[c]] ... order[offset[c+1]-1] have colour c, ascending; `base` is added to each
// number.
struct ColourOrder {
  std::vector<int> offset, order;
};
ColourOrder order_by_colour(const Colouring &colouring, int base);

} // namespace op2::core

// SPDX-License-Identifier: MIT
