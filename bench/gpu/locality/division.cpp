#include "gpu/locality/division.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "plan/colour.hpp"
#include "plan/compact.hpp"
#include "plan/order.hpp"

namespace bench::locality {

namespace {

std::size_t at(int number) { return static_cast<std::size_t>(number); }

std::vector<int> offsets(int elements, int most) {
  std::vector<int> out;
  for (int first = 0; first < elements; first += most) out.push_back(first);
  out.push_back(elements);
  return out;
}

std::vector<int> ascending(int count) {
  std::vector<int> out(at(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// Calls visit(element, row) for all rows of a set that the loop uses, each as often as it does.
template <class F>
void each_row(const Loop &loop, int set, const F &visit) {
  for (const LoopMap &map : loop.maps)
    for (std::size_t i = 0; map.set == set && i < map.table.size(); ++i)
      visit(static_cast<int>(i) / map.dim, map.table[i]);
}

// For each row of a set the elements that use it, or their blocks: ascending, each once.
std::vector<std::vector<int>> users(const Loop &loop, int set, const std::vector<int> &number_of_element) {
  std::vector<std::vector<int>> out(at(loop.rows(set)));
  each_row(loop, set, [&](int element, int row) { out[at(row)].push_back(number_of_element[at(element)]); });
  for (std::vector<int> &one : out) {
    std::sort(one.begin(), one.end());
    one.erase(std::unique(one.begin(), one.end()), one.end());
  }
  return out;
}

std::vector<int> block_of_element(const Division &division) {
  std::vector<int> out(division.element.size());
  for (int block = 0; block < division.blocks(); ++block)
    for (int place = division.offset[at(block)]; place < division.offset[at(block + 1)]; ++place)
      out[at(division.element[at(place)])] = block;
  return out;
}

} // namespace

Division consecutive(int elements, int most) { return {ascending(elements), offsets(elements, most), 0}; }

Division in_place(const Division &division) { return {ascending(division.offset.back()), division.offset, 0}; }

op2::core::SlotTable slots_of(const Loop &loop) {
  op2::core::SlotTable table;
  std::map<int, std::size_t> first; // by dat
  for (const LoopArg &arg : loop.args) {
    if (!arg.adds) continue;
    const auto [found, fresh] = first.try_emplace(arg.dat, table.slots);
    if (fresh) table.slots += at(loop.rows(loop.dat(arg).set));
    const LoopMap &map = loop.maps[at(arg.map)];
    table.accesses.push_back(
        {map.table.data() + arg.column, map.dim, arg.count, static_cast<std::ptrdiff_t>(found->second)});
  }
  return table;
}

Division compact(const Loop &loop, int most) {
  return {op2::core::compact_elements(slots_of(loop), 0, loop.elements, most).element, offsets(loop.elements, most), 0};
}

Division by_colour(const Loop &loop, const Division &division) {
  const Loop divided = in_order(loop, division.element);
  const std::vector<int> colour =
      op2::core::colour_elements_in_blocks(slots_of(divided), division.offset).colour; // by place
  std::vector<std::pair<int, int>> pairs;
  for (std::size_t place = 0; place < colour.size(); ++place)
    pairs.emplace_back(colour[place], division.element[place]);
  Division out = division;
  for (int block = 0; block < division.blocks(); ++block)
    std::sort(pairs.begin() + division.offset[at(block)], pairs.begin() + division.offset[at(block + 1)]);
  std::transform(pairs.begin(), pairs.end(), out.element.begin(), [](const auto &pair) { return pair.second; });
  return out;
}

Loop renumbered(Loop loop, int map) {
  using namespace op2::core;
  const auto view = [&](const LoopMap &m) { return OrderMap{m.table.data(), m.dim, loop.elements, loop.rows(m.set)}; };
  const int set = loop.maps[at(map)].set;
  const std::vector<int> place = inverse(reverse_cuthill_mckee(view(loop.maps[at(map)])));
  loop = in_order(loop, order_by_targets(view(loop.maps[at(map)]), place));
  loop = with_places(std::move(loop), set, place);
  for (const LoopMap &other : loop.maps)
    if (other.set != set) return with_places(loop, other.set, inverse(order_by_first_touch(view(other), {})));
  return loop;
}

PartSizes part_sizes(int elements, int most, double tolerance) {
  PartSizes out;
  out.size = std::max(static_cast<int>(std::floor(most / tolerance)), 1);
  out.parts = (elements + out.size - 1) / out.size;
  out.tolerance = static_cast<double>(most) / out.size;
  return out;
}

ElementGraph element_graph(const Loop &loop) {
  std::vector<std::vector<int>> neighbours(at(loop.elements)); // once for each row that both use
  for (int set = 0; set < static_cast<int>(loop.set_rows.size()); ++set)
    for (const std::vector<int> &clique : users(loop, set, ascending(loop.elements)))
      for (const int a : clique)
        for (const int b : clique)
          if (a != b) neighbours[at(a)].push_back(b);
  ElementGraph out;
  out.offset = {0};
  for (std::vector<int> &list : neighbours) {
    std::sort(list.begin(), list.end());
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i > 0 && list[i] == list[i - 1]) {
        ++out.weight.back();
        continue;
      }
      out.neighbour.push_back(list[i]);
      out.weight.push_back(1);
    }
    out.offset.push_back(static_cast<std::int64_t>(out.neighbour.size()));
    list = {};
  }
  return out;
}

namespace {

// Moves one element at a time to where it has most in common, until no part is too large.
class Repair {
 public:
  Repair(const ElementGraph &graph, std::vector<int> &part, int most) : graph_(graph), part_(part), most_(most) {
    members_.resize(at(1 + *std::max_element(part.begin(), part.end())));
    for (int n = 0; n < static_cast<int>(part.size()); ++n) members_[at(part[at(n)])].push_back(n);
  }
  int run() {
    int moved = 0;
    for (int p = 0; p < static_cast<int>(members_.size()); ++p) // new parts come behind
      for (; size(p) > most_; ++moved) move_one(p);
    return moved;
  }

 private:
  int size(int p) const { return static_cast<int>(members_[at(p)].size()); }

  void move_one(int from) {
    int best = members_[at(from)].back(), to = -1, gain = 0;
    for (const int n : members_[at(from)]) {
      std::map<int, int> common; // rows, by part
      for (std::int64_t e = graph_.offset[at(n)]; e < graph_.offset[at(n + 1)]; ++e)
        common[part_[at(graph_.neighbour[static_cast<std::size_t>(e)])]] += graph_.weight[static_cast<std::size_t>(e)];
      for (const auto &[other, rows] : common)
        if (other != from && size(other) < most_ && (to < 0 || rows - common[from] > gain))
          best = n, to = other, gain = rows - common[from];
    }
    if (to < 0) to = part_with_room();
    std::erase(members_[at(from)], best);
    members_[at(to)].push_back(best);
    part_[at(best)] = to;
  }
  // Away from the part: the last one, or one more.
  int part_with_room() {
    if (size(static_cast<int>(members_.size()) - 1) >= most_) members_.emplace_back();
    return static_cast<int>(members_.size()) - 1;
  }

  const ElementGraph &graph_;
  std::vector<int> &part_;
  const int most_;
  std::vector<std::vector<int>> members_;
};

} // namespace

Division blocks_of_parts(const ElementGraph &graph, std::vector<int> part, int most) {
  Division out;
  out.moved = Repair(graph, part, most).run();
  std::map<int, int> first; // element of each part
  for (int n = static_cast<int>(part.size()) - 1; n >= 0; --n) first[part[at(n)]] = n;
  out.element = ascending(static_cast<int>(part.size()));
  const auto key = [&](int n) { return std::pair(first.at(part[at(n)]), n); };
  std::sort(out.element.begin(), out.element.end(), [&](int a, int b) { return key(a) < key(b); });
  for (std::size_t i = 0; i < out.element.size(); ++i)
    if (i == 0 || part[at(out.element[i])] != part[at(out.element[i - 1])]) out.offset.push_back(static_cast<int>(i));
  out.offset.push_back(static_cast<int>(part.size()));
  return out;
}

std::vector<int> grouped_places(const Loop &loop, int set, const Division &division) {
  const std::vector<std::vector<int>> blocks = users(loop, set, block_of_element(division));
  std::vector<int> order = ascending(loop.rows(set)), place(order.size());
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    const std::vector<int> &of_a = blocks[at(a)], &of_b = blocks[at(b)];
    return of_a.size() != of_b.size() ? of_a.size() < of_b.size() : of_a < of_b;
  });
  for (std::size_t i = 0; i < order.size(); ++i) place[at(order[i])] = static_cast<int>(i);
  return place;
}

Sharing sharing(const Loop &loop, const Division &division) {
  Sharing out;
  double loads = 0, rows = 0;
  const std::vector<int> block = block_of_element(division);
  for (int set = 0; set < static_cast<int>(loop.set_rows.size()); ++set)
    for (const std::vector<int> &blocks : users(loop, set, block)) {
      const std::uint64_t k = blocks.size();
      if (k == 0) continue;
      loads += static_cast<double>(k);
      rows += 1;
      out.repeats += k - 1;
      out.cliques += (k * k - k) / 2;
    }
  out.loads_of_row = rows > 0 ? loads / rows : 0;
  return out;
}

} // namespace bench::locality

// SPDX-License-Identifier: MIT
