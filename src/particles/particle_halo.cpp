#include "particles/particle_halo.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "distributed/all_or_none.hpp"
#include "mesh/numbering.hpp"
#include "particles/in_parts.hpp"

namespace op2::core {

namespace {

// Where the particles of each cell will begin, once they are sorted.
void count_by_cell(const std::vector<int> &cell, int cells, std::vector<int> &begin) {
  begin.assign(static_cast<std::size_t>(cells) + 1, 0);
  for (const int its : cell) ++begin[static_cast<std::size_t>(its) + 1];
  for (std::size_t c = 1; c < begin.size(); ++c) begin[c] += begin[c - 1];
}

// The particles in cells that others execute, and for each cell their number and identities.
struct Exported {
  HaloList list;
  std::vector<int> ranks; // all neighbours, with and without particles
  std::vector<std::size_t> offset = {0};
  std::vector<op_gindex> words;
};

Exported exported_of(const HaloList &cells, const std::vector<int> &begin, const long long *identity) {
  Exported out;
  for (std::size_t n = 0; n < cells.ranks.size(); ++n) {
    const std::size_t before = out.list.row.size();
    for (int i = cells.offset[n]; i < cells.offset[n + 1]; ++i) {
      const auto cell = static_cast<std::size_t>(cells.row[static_cast<std::size_t>(i)]);
      out.words.push_back(begin[cell + 1] - begin[cell]);
      for (int row = begin[cell]; row < begin[cell + 1]; ++row) {
        out.words.push_back(identity[row]);
        out.list.row.push_back(row);
      }
    }
    out.ranks.push_back(cells.ranks[n]);
    out.offset.push_back(out.words.size() * sizeof(op_gindex));
    if (out.list.row.size() == before) continue;
    out.list.ranks.push_back(cells.ranks[n]);
    out.list.offset.push_back(static_cast<int>(out.list.row.size()));
  }
  return out;
}

} // namespace

bool order_by_cell(Set &set, ParticleRows &rows, std::vector<int> &order) {
  std::vector<int> &begin = set.particles->begin_of_cell;
  count_by_cell(set.particles->in->table, set.particles->cells->size, begin);
  const int *const cell = rows.cell();
  const long long *const identity = rows.identity();
  const auto before = [&](int a, int b) { return cell[a] != cell[b] ? cell[a] < cell[b] : identity[a] < identity[b]; };
  bool sorted = true;
  for (int row = 1; row < set.size && sorted; ++row) sorted = before(row - 1, row);
  if (sorted) return false;
  order.resize(static_cast<std::size_t>(set.size));
  for (int row = 0; row < set.size; ++row)
    order[static_cast<std::size_t>(begin[static_cast<std::size_t>(cell[row])]++)] = row;
  std::copy_backward(begin.begin(), begin.end() - 1, begin.end()); // each has become its cell's end
  begin.front() = 0;
  constexpr int few = 24; // of one cell
  for (std::size_t c = 0; c + 1 < begin.size(); ++c) {
    if (begin[c + 1] - begin[c] > few) {
      std::sort(order.begin() + begin[c], order.begin() + begin[c + 1], before);
      continue;
    }
    for (auto i = static_cast<std::size_t>(begin[c]) + 1; i < static_cast<std::size_t>(begin[c + 1]); ++i)
      for (std::size_t at = i; at > static_cast<std::size_t>(begin[c]) && before(order[at], order[at - 1]); --at)
        std::swap(order[at], order[at - 1]);
  }
  return true;
}

void drop_copies(Set &set) {
  set.layers.clear();
  set.copies = set.exec_size = set.nonexec_size = 0;
  set.at_most = {};
  set.particles->in->table.resize(static_cast<std::size_t>(set.size));
}

void share_particles(Mesh &mesh, Set &set, ParticleRows &rows) {
  const Set &cells = *set.particles->cells;
  set.core_size = set.size;
  if (!mesh.several()) return;
  std::vector<int> &begin = set.particles->begin_of_cell;
  set.core_size = begin[static_cast<std::size_t>(cells.core_size)];
  const HaloPart &part = cells.layers.front().exec;
  Exported exported = exported_of(part.exported, begin, rows.identity());
  const SparseMessages received =
      mesh.communicator().sparse_exchange(exported.ranks, exported.offset, exported.words.data());
  set.layers.emplace_back();
  HaloPart &its = set.layers.front().exec;
  its.exported = std::move(exported.list);
  its.imported.first = set.size;
  set.layers.front().nonexec.imported.first = set.size;
  std::vector<int> cell_of_copy;
  std::vector<op_gindex> identity_of_copy;
  for (int m = 0; m < received.count(); ++m) {
    const auto n = static_cast<std::size_t>(std::ranges::lower_bound(part.imported.ranks, received.sender(m)) -
                                            part.imported.ranks.begin());
    const std::span<const op_gindex> words = received.values<op_gindex>(m);
    std::size_t at = 0;
    for (int c = part.imported.offset[n]; c < part.imported.offset[n + 1]; ++c) {
      const auto count = static_cast<std::size_t>(words[at++]);
      identity_of_copy.insert(identity_of_copy.end(), words.begin() + static_cast<std::ptrdiff_t>(at),
                              words.begin() + static_cast<std::ptrdiff_t>(at + count));
      cell_of_copy.insert(cell_of_copy.end(), count, part.imported.first + c);
      at += count;
      begin.push_back(set.size + static_cast<int>(cell_of_copy.size())); // copies of cells lie in this order
    }
    const int copies = static_cast<int>(cell_of_copy.size());
    if (copies == its.imported.offset.back()) continue;
    its.imported.ranks.push_back(received.sender(m));
    its.imported.offset.push_back(copies);
  }
  all_or_none(mesh, "memory for copies of particles",
              [&] { rows.make_room(static_cast<std::size_t>(set.size) + cell_of_copy.size()); });
  set.copies = set.exec_size = static_cast<int>(cell_of_copy.size());
  set.layers.front().nonexec.imported.first = set.rows();
  set.particles->in->table.insert(set.particles->in->table.end(), cell_of_copy.begin(), cell_of_copy.end());
  std::ranges::copy(identity_of_copy, rows.identity() + set.size);
}

void fill_tables(Mesh &mesh, Set &set, const ParticleRows &rows_of_set) {
  Particles &its = *set.particles;
  const auto refilled = [&](Map &map) {
    mesh.copies().refilled(map, static_cast<std::size_t>(set.room) * static_cast<std::size_t>(map.dim));
    Numbering::forget(map);
  };
  refilled(*its.in);
  for (const Particles::Follower &follower : its.followers) {
    std::vector<int> &table = follower.map->table;
    const auto dim = static_cast<std::size_t>(follower.of_cells->dim);
    table.reserve(static_cast<std::size_t>(set.room) * dim);
    table.resize(its.in->table.size() * dim);
    const int *const rows = follower.of_cells->table.data(), *const cell = its.in->table.data();
    in_parts(rows_of_set.threads(), its.in->table.size(), [&](std::size_t begin, std::size_t end) {
      int *out = table.data() + begin * dim;
      for (std::size_t row = begin; row < end; ++row)
        for (std::size_t column = 0; column < dim; ++column)
          *out++ = rows[static_cast<std::size_t>(cell[row]) * dim + column];
    });
    refilled(*follower.map);
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
