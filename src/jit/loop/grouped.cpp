#include "jit/loop/grouped.hpp"

#include <algorithm>
#include <numeric>

namespace op2::core::jit {

namespace {

constexpr int reach = block_lanes - 1; // rows of a group begin so far apart at most
constexpr int longest_row = 4;
constexpr int most_vectors = 32; // of what one block brings

bool same_places(const std::vector<ColumnPlace> &a, const std::vector<ColumnPlace> &b) {
  return std::ranges::equal(
      a, b, [](const ColumnPlace &x, const ColumnPlace &y) { return x.group == y.group && x.offset == y.offset; });
}

// From the lowest row of each map on, those within reach are a group.
std::vector<ColumnPlace> places_from(std::span<const NamedColumn> columns, std::ptrdiff_t from, int period) {
  std::vector<ColumnPlace> out;
  std::vector<int> first;
  for (int phase = 0; phase < period; ++phase)
    for (const NamedColumn &column : columns) {
      out.push_back({column.map, column.column, phase, 0, 0});
      first.push_back(column.entries.entries[(from + phase) * column.entries.step]);
    }
  std::vector<std::size_t> order(out.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return std::pair(out[k].map, first[k]); });
  int group = -1, lowest = 0, map = -1;
  for (const std::size_t k : order) {
    if (out[k].map != map || first[k] - lowest > reach) ++group, lowest = first[k], map = out[k].map;
    out[k].group = group;
    out[k].offset = first[k] - lowest;
  }
  return out;
}

const ColumnPlace *place_of(const LoopParts &parts, int arg, int column, int phase) {
  for (const ColumnPlace &place : parts.shape().places)
    if (place.map == parts.arg(arg).map && place.column == parts.arg(arg).column + column && place.phase == phase)
      return &place;
  return nullptr;
}

// All columns of a dat, or none.
GroupedDat grouped_dat(const LoopParts &parts, int first, int period) {
  struct Placed {
    GroupedColumn column;
    int group;
  };
  std::vector<Placed> all;
  for (int phase = 0; phase < period; ++phase)
    for (int i = first; i < parts.nargs(); ++i)
      for (int j = 0; parts.is_row(i) && parts.same_dat(i) == first && j < parts.pointers(i); ++j) {
        const ColumnPlace *const place = place_of(parts, i, j, phase);
        if (!place) return {first, {}};
        all.push_back({{i, j, phase, place->offset}, place->group});
      }
  // A column with a higher first row brings what is of an earlier element.
  std::ranges::stable_sort(all, {}, [](const Placed &p) { return std::pair(p.group, -p.column.offset); });
  GroupedDat out{first, {}};
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k == 0 || all[k].group != all[k - 1].group) out.groups.emplace_back();
    out.groups.back().push_back(all[k].column);
  }
  for (std::vector<GroupedColumn> &group : out.groups) {
    const int lowest = std::ranges::min(group, {}, &GroupedColumn::offset).offset;
    for (GroupedColumn &column : group) column.offset -= lowest;
  }
  return out;
}

// Rows of several values are vectors already: they gain where columns share them.
bool pays(const GroupedDat &dat, const LoopParts &parts, int lanes) {
  const int dim = parts.arg(dat.arg).dim;
  std::size_t columns = 0, most = 0;
  for (const std::vector<GroupedColumn> &group : dat.groups) {
    columns += group.size();
    most = std::max(most, group.size());
    for (const GroupedColumn &column : group)
      if (column.offset > lanes) return false;
  }
  return columns > 0 && columns * static_cast<std::size_t>(dim) <= most_vectors &&
         (most > 1 || (dim == 1 && lanes > 4));
}

} // namespace

std::vector<ColumnPlace> column_places(std::span<const NamedColumn> columns, int period, int size) {
  if (period == 0 || columns.empty()) return {};
  std::vector<std::pair<std::vector<ColumnPlace>, int>> found; // and how often
  for (const std::ptrdiff_t from : sampled_blocks(size, period)) {
    if (!std::ranges::all_of(columns, [&](const NamedColumn &c) { return counts_up(c.entries, from, period); }))
      continue;
    std::vector<ColumnPlace> here = places_from(columns, from, period);
    const auto same = std::ranges::find_if(found, [&](const auto &other) { return same_places(other.first, here); });
    if (same == found.end())
      found.emplace_back(std::move(here), 1);
    else
      ++same->second;
  }
  const auto most = std::ranges::max_element(found, {}, [](const auto &f) { return f.second; });
  return most == found.end() ? std::vector<ColumnPlace>() : most->first;
}

std::vector<GroupedDat> grouped_dats(const LoopParts &parts, int lanes, int period) {
  std::vector<GroupedDat> out;
  if (period == 0 || !parts.shape().grouped) return out;
  for (int i = 0; i < parts.nargs(); ++i) {
    if (!parts.added(i) || parts.same_dat(i) != i || parts.arg(i).dim > longest_row) continue;
    GroupedDat dat = grouped_dat(parts, i, period);
    if (pays(dat, parts, lanes)) out.push_back(std::move(dat));
  }
  return out;
}

bool is_grouped(const std::vector<GroupedDat> &dats, const LoopParts &parts, int arg) {
  return parts.is_row(arg) &&
         std::ranges::any_of(dats, [&](const GroupedDat &dat) { return dat.arg == parts.same_dat(arg); });
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
