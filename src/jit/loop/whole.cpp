#include "jit/loop/whole.hpp"

#include <algorithm>
#include <numeric>

namespace op2::core::jit {

namespace {

constexpr int reach = block_lanes - 1; // rows of a group begin so far apart at most
constexpr int longest_row = 4;
constexpr int most_vectors = 32; // of what one block brings

bool same_places(const std::vector<NearColumn> &a, const std::vector<NearColumn> &b) {
  return std::ranges::equal(
      a, b, [](const NearColumn &x, const NearColumn &y) { return x.group == y.group && x.offset == y.offset; });
}

// From the lowest row of each map on, those within reach are a group.
std::vector<NearColumn> places_from(std::span<const NamedColumn> columns, std::ptrdiff_t from, int period) {
  std::vector<NearColumn> out;
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

const NearColumn *place_of(const LoopParts &parts, int arg, int column, int phase) {
  for (const NearColumn &place : parts.shape().near)
    if (place.map == parts.arg(arg).map && place.column == parts.arg(arg).column + column && place.phase == phase)
      return &place;
  return nullptr;
}

// All columns of a dat, or none.
WholeDat whole_dat(const LoopParts &parts, int first, int period) {
  struct Placed {
    WholeColumn column;
    int group;
  };
  std::vector<Placed> all;
  for (int phase = 0; phase < period; ++phase)
    for (int i = first; i < parts.nargs(); ++i)
      for (int j = 0; parts.is_row(i) && parts.same_dat(i) == first && j < parts.pointers(i); ++j) {
        const NearColumn *const place = place_of(parts, i, j, phase);
        if (!place) return {first, {}};
        all.push_back({{i, j, phase, place->offset}, place->group});
      }
  // A column with a higher first row brings what is of an earlier element.
  std::ranges::stable_sort(all, {}, [](const Placed &p) { return std::pair(p.group, -p.column.offset); });
  WholeDat out{first, {}};
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (k == 0 || all[k].group != all[k - 1].group) out.groups.emplace_back();
    out.groups.back().push_back(all[k].column);
  }
  for (std::vector<WholeColumn> &group : out.groups) {
    const int lowest = std::ranges::min(group, {}, &WholeColumn::offset).offset;
    for (WholeColumn &column : group) column.offset -= lowest;
  }
  return out;
}

// Rows of several values are vectors already: they gain where columns share them.
bool pays(const WholeDat &dat, const LoopParts &parts, int lanes) {
  const int dim = parts.arg(dat.arg).dim;
  std::size_t columns = 0, most = 0;
  for (const std::vector<WholeColumn> &group : dat.groups) {
    columns += group.size();
    most = std::max(most, group.size());
    for (const WholeColumn &column : group)
      if (column.offset > lanes) return false;
  }
  return columns > 0 && columns * static_cast<std::size_t>(dim) <= most_vectors &&
         (most > 1 || (dim == 1 && lanes > 4));
}

} // namespace

std::vector<NearColumn> near_columns(std::span<const NamedColumn> columns, int period, int size) {
  if (period == 0 || columns.empty()) return {};
  std::vector<std::pair<std::vector<NearColumn>, int>> found; // and how often
  for (const std::ptrdiff_t from : sampled_blocks(size, period)) {
    if (!std::ranges::all_of(columns, [&](const NamedColumn &c) { return counts_up(c.entries, from, period); }))
      continue;
    std::vector<NearColumn> here = places_from(columns, from, period);
    const auto same = std::ranges::find_if(found, [&](const auto &other) { return same_places(other.first, here); });
    if (same == found.end())
      found.emplace_back(std::move(here), 1);
    else
      ++same->second;
  }
  const auto most = std::ranges::max_element(found, {}, [](const auto &f) { return f.second; });
  return most == found.end() ? std::vector<NearColumn>() : most->first;
}

std::vector<WholeDat> whole_dats(const LoopParts &parts, int lanes, int period) {
  std::vector<WholeDat> out;
  if (period == 0 || !parts.shape().whole) return out;
  for (int i = 0; i < parts.nargs(); ++i) {
    if (!parts.added(i) || parts.same_dat(i) != i || parts.arg(i).dim > longest_row) continue;
    WholeDat dat = whole_dat(parts, i, period);
    if (pays(dat, parts, lanes)) out.push_back(std::move(dat));
  }
  return out;
}

bool is_whole(const std::vector<WholeDat> &dats, const LoopParts &parts, int arg) {
  return parts.is_row(arg) &&
         std::ranges::any_of(dats, [&](const WholeDat &dat) { return dat.arg == parts.same_dat(arg); });
}

} // namespace op2::core::jit
