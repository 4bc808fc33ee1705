// plan.hpp: the inspector. Divides a range of elements into blocks and colours so that an executor can run it in
// parallel.
//
// Pure functions: integers in, a value out; no threads, no global state. Maps are borrowed for the call. A plan depends
// only on the request. Only the parts of owner plans depend on the number of threads, and the order of sums is the same
// for any number of parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "op2/plugin/exec.h"
#include "plan/sequence.hpp"

namespace op2::core {

// Some columns of one map, as one argument of a loop uses them. Element n reaches the targets
// map[n * map_stride + column + j], j < count; all in [0, rows). map == nullptr: itself, n < rows.
struct ColumnSet {
  const int *map = nullptr;
  int map_stride = 0;
  int column = 0;
  int count = 1;
  int rows = 0;
  int number = -1; // of the map, for the lists of owner plans
};

inline bool is_owner_kind(int kind) { return kind == OP_PLAN_OWNER || kind == OP_PLAN_OWNER_BLOCKS; }
inline bool is_colour_kind(int kind) { return kind >= OP_PLAN_BLOCK_COLOURS && kind <= OP_PLAN_GLOBAL_COLOURS; }

// All conflicting accesses to one dat: two elements collide if they reach the same target through any columns of one
// group. An element does not collide with itself.
struct ConflictGroup {
  std::vector<ColumnSet> columns;
};

struct PlanRequest {
  int kind = OP_PLAN_NONE; // OP_PLAN_...
  int begin = 0, end = 0;  // the elements; end <= begin: none
  int block_size = 0;      // most elements in a block; <= 0: default_block_size(end - begin)
  std::vector<ConflictGroup> groups;
  int parts = 1; // owner plans
  // Owner plans: parts run their elements in this order, which covers [begin, end); empty = the natural order. Reduced
  // values of copies (SequenceRun::own == false) are discarded.
  std::span<const SequenceRun> sequence = {};
  bool compact = false; // element colours: blocks of elements that share targets, at any positions
};

// The lists of an owner plan, from plan/owner; arrays as in op_exec_plan.
struct OwnerLists {
  std::vector<int> part_offset, group_offset, column_map, column, local, slot_row;
  std::vector<op_exec_segment> segments;
  std::vector<std::int64_t> local_offset, slot_offset;
  std::vector<std::vector<std::uint16_t>> part_of_grain; // [group][owner_grain rows each]: whose the rows are
};

// The contents by kind (arrays as in op_exec_plan, owned by the plan; an empty range has no blocks and no colours):
//   OP_PLAN_NONE             one block, the whole range, of one colour, so a walk over colours and blocks always works
//   OP_PLAN_BLOCKS           blocks of block_size (the last one may be shorter), one colour; groups are ignored
//   OP_PLAN_BLOCK_COLOURS    the same blocks by colour; blocks of equal colour hold no two elements that collide
//   OP_PLAN_ELEMENT_COLOURS  also element_colour[end - begin] (from 0 in each block) and block_element_colours[nblocks]
//                            compact: place n of the blocks holds the element element[n - begin]; colours are by place
//   OP_PLAN_GLOBAL_COLOURS   no blocks, block_offset = {begin}; order lists the elements by colour
//   OP_PLAN_OWNER            one block of one colour, and `owner`
//   OP_PLAN_OWNER_BLOCKS     the blocks of OP_PLAN_BLOCKS in one colour, and `owner`; a sequence also cuts blocks where
//                            its runs begin
// block_offset has nblocks + 1 entries and colour_offset ncolours + 1, always.
struct Plan {
  int kind = OP_PLAN_NONE;
  int begin = 0, end = 0;
  std::vector<int> block_offset, colour_offset, order, element, element_colour, block_element_colours;
  int ncolours = 0;
  int first_loose = 0; // block colours: colours from here on are those that plan/adapt gave to changed blocks
  OwnerLists owner;

  // The plan for executors; points into this plan. Arrays that the kind does not have are NULL.
  op_exec_plan view() const;
};

// Builds the division. Colours are first fit: each block (element), in ascending order, takes the lowest colour that no
// colliding earlier block (element) has. Cost: elements x columns x passes of 64 colours. Errors: OP_ERR_RANGE
// for a target outside its rows, OP_ERR_INTERNAL for an unknown kind or impossible columns.
Plan build_plan(const PlanRequest &request);

// The name of a kind in messages: "block colours".
const char *plan_kind_name(int kind);

// Number of different targets that the elements [begin, end) reach through all the columns, which lead to one set: the
// rows of a dat that a loop moves at least once.
std::int64_t count_distinct_targets(std::span<const ColumnSet> columns, int begin, int end);

} // namespace op2::core

// SPDX-License-Identifier: MIT
