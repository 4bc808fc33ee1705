// owner.hpp: divides the elements of a loop by the rows they write ("LocalWrite", Han and Tseng, "A comparison of
// parallelization techniques for irregular reductions", IPDPS 2001).
//
// One part owns each row, and a part runs all elements that write a row it owns, in the order of the set. So a row
// receives its increments in that order for any number of parts; no two parts ever write the same row; and parts need
// not wait for each other. The price: elements that write rows of two parts run twice.
// The order may also be another one that consists of long runs of the set's order (plan/sequence).
#pragma once

#include <span>
#include <vector>

#include "plan/plan.hpp"

namespace op2::core {

// Rows are distributed in grains of so many rows, so that parts rarely write to one cache line; executors that divide
// direct loops at the same borders find the same data in their caches.
inline constexpr int owner_grain = 16;

// First row of each part and, last, `rows`: parts of equal size at multiples of the grain.
std::vector<int> even_borders(int rows, int parts);

// The lists of an owner plan. block_offset: the blocks of OP_PLAN_OWNER_BLOCKS, otherwise ignored. Rows are
// distributed evenly, or by the number of elements that write them if equal parts have very unequal work.
// Errors: OP_ERR_RANGE for a target outside its rows, OP_ERR_INTERNAL for groups that contain the element itself.
OwnerLists owner_lists(const PlanRequest &request, std::span<const int> block_offset);

// The work of all parts, relative to running every element once: elements that several parts run or that use scratch
// rows, and ends of runs, cost extra. Below 1.2 on meshes in a good order for a few parts, far above 2 if the orders of
// elements and rows are unrelated.
double owner_work(const PlanRequest &request, std::span<const int> block_offset);

// Above this, op_exec_plan_request.otherwise replaces the owner plan. Colours take the elements of one block here and of
// the next one there. On two threads that took 1.5 to 2.1 times the time of owners, whose work was 1.08, for fluxes over
// 508 000 faces of tetrahedra, and 1.06 times in steps that calculate more (examples/euler3d); on 16 threads there, where
// the work of owners was 1.6, 0.7 times.
inline constexpr double most_owner_work = 1.5;

} // namespace op2::core

// SPDX-License-Identifier: MIT
