// owner.hpp: divides the elements of a loop by the rows they write ("LocalWrite", Han and Tseng, "A comparison of
// parallelization techniques for irregular reductions", IPDPS 2001).
//
// Every row has one owner among the parts, and each part runs all elements that write a row of its own, in the order of
// the set. So a row receives what is added to it in that order, whatever the number of parts; no two parts ever write
// the same row; and parts need not wait for each other. The price: an element between two parts is run by both.
// Instead of the order of the set it may be any other one (plan/sequence), in which long runs of it are left.
#pragma once

#include <span>
#include <vector>

#include "plan/plan.hpp"

namespace op2::core {

// Rows are dealt out in grains of so many, against parts that write to one cache line; executors that cut direct loops
// at the same borders find the same data in their caches.
inline constexpr int owner_grain = 16;

// First row of each part and, last, `rows`: parts of equal size at multiples of the grain.
std::vector<int> even_borders(int rows, int parts);

// The lists of an owner plan. block_offset: the blocks of OP_PLAN_OWNER_BLOCKS, otherwise not looked at. Rows are dealt
// out evenly, or by the number of elements that write them where that would leave parts with much less to do.
// Errors: OP_ERR_RANGE for a target outside its rows, OP_ERR_INTERNAL for groups that hold the element itself.
OwnerLists owner_lists(const PlanRequest &request, std::span<const int> block_offset);

// What parts do, relative to running every element once: elements that are run by several parts or in scratch rows and
// the ends of runs cost extra. For a number of parts that depends on the elements only, so that the choice made with
// it, and with it the order of sums, does not depend on the number of threads. Below 1.2 on meshes in a good order, far
// above 2 where elements and rows are ordered without regard to each other.
double owner_work(const PlanRequest &request, std::span<const int> block_offset);

// More than this, and colours are taken. Colours run a loop over a well ordered mesh in 1.3 times the time of its
// natural order and more with vectors; the 16 parts of the measure are more than most machines' threads share a cut
// with.
inline constexpr double most_owner_work = 1.5;

} // namespace op2::core
