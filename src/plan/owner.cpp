#include "plan/owner.hpp"

#include <limits>

#include "plan/owner_cut.hpp"

namespace op2::core {

using namespace owner_plan;

std::vector<int> even_borders(int rows, int parts) {
  const std::int64_t grains = grains_of(rows);
  std::vector<int> borders;
  for (int p = 0; p < parts; ++p)
    borders.push_back(static_cast<int>(std::min<std::int64_t>(grains * p / parts * owner_grain, rows)));
  borders.push_back(rows);
  return borders;
}

OwnerLists owner_lists(const PlanRequest &request, std::span<const int> block_offset) {
  const int parts = std::max(request.parts, 1);
  if (parts > std::numeric_limits<std::uint16_t>::max()) fail(OP_ERR_INTERNAL, "plan: ", parts, " parts");
  const std::vector<Column> columns = columns_of(request);
  OwnerLists lists;
  lists.part_offset = {0};
  lists.group_offset = {0};
  lists.slot_offset = {0};
  for (std::size_t c = 0; c < columns.size(); ++c) {
    lists.column_map.push_back(columns[c].map);
    lists.column.push_back(columns[c].number);
  }
  for (std::size_t g = 0; g < request.groups.size(); ++g)
    lists.group_offset.push_back(
        lists.group_offset.back() +
        static_cast<int>(std::ranges::count_if(columns, [g](const Column &c) { return c.group == g; })));
  if (columns.empty() && request.begin < request.end) fail(OP_ERR_INTERNAL, "plan: an owner plan without columns");

  Owners owners(request, columns, parts);
  Cut pieces = cut(request, block_offset, owners, parts);
  if (parts > 1 && pieces.uneven()) {
    owners.weigh(request.begin, request.end, parts);
    pieces = cut(request, block_offset, owners, parts);
  }
  int part = 0;
  for (const std::vector<Piece> &of_part : pieces.pieces()) {
    for (const Piece &piece : of_part) {
      const int table = piece.staged ? static_cast<int>(lists.local_offset.size()) : -1;
      lists.segments.push_back({piece.begin, piece.end, piece.block, table});
      if (piece.staged) add_table(lists, owners, piece, part, request.groups.size());
    }
    lists.part_offset.push_back(static_cast<int>(lists.segments.size()));
    ++part;
  }
  lists.part_of_grain = owners.parts_of_grains();
  return lists;
}

double owner_work(const PlanRequest &request, std::span<const int> block_offset) {
  const int parts = std::max(request.parts, 1);
  const std::vector<Column> columns = columns_of(request);
  if (request.end <= request.begin || columns.empty()) return 1;
  const Owners owners(request, columns, parts);
  return cut(request, block_offset, owners, parts).work() / (request.end - request.begin);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
