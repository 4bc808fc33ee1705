#include "distributed/declared/map_rows.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "distributed/global_index.hpp"

namespace op2::core {

namespace {

std::span<const op_gindex> row_of(const Map &map, const MapRows &rows, std::size_t i) {
  const auto dim = static_cast<std::size_t>(map.dim);
  return std::span(rows.targets).subspan(i * dim, dim);
}

// Rows of one set by declared number, on one process or several.
class Places {
 public:
  explicit Places(const Set &set) : set_(set) {
    if (set.distributed) index_ = GlobalIndex(std::span(set.global.data(), static_cast<std::size_t>(set.rows())));
  }
  int of(op_gindex number) const { // -1: not here
    if (set_.distributed) return index_.find(number);
    return set_.renumbered() ? set_.place[static_cast<std::size_t>(number)] : static_cast<int>(number);
  }

 private:
  const Set &set_;
  GlobalIndex index_;
};

} // namespace

MapRows sorted_rows(const Map &map, MapRows rows) {
  if (std::ranges::is_sorted(rows.elements, std::ranges::less_equal())) return rows;
  std::vector<std::size_t> order(rows.elements.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rows.elements[i]; });
  MapRows out;
  out.elements.reserve(rows.elements.size());
  out.targets.reserve(rows.targets.size());
  for (const std::size_t i : order) {
    const std::span<const op_gindex> row = row_of(map, rows, i);
    if (out.elements.empty() || out.elements.back() != rows.elements[i]) {
      out.elements.push_back(rows.elements[i]);
      out.targets.insert(out.targets.end(), row.begin(), row.end());
    } else if (!std::ranges::equal(row, row_of(map, out, out.elements.size() - 1))) {
      fail(OP_ERR_ARGUMENT, "element ", rows.elements[i], " of set '", map.from->name,
           "' gets two different rows of map '", map.label, "'; pass one");
    }
  }
  return out;
}

MapRows rows_of_all(Mesh &mesh, const Map &map, const MapRows &mine) {
  if (!mesh.several()) return mine;
  std::string bytes;
  for (std::size_t i = 0; i < mine.elements.size(); ++i) {
    bytes.append(reinterpret_cast<const char *>(&mine.elements[i]), sizeof(op_gindex));
    const std::span<const op_gindex> row = row_of(map, mine, i);
    bytes.append(reinterpret_cast<const char *>(row.data()), row.size_bytes());
  }
  MapRows all;
  const std::size_t dim = static_cast<std::size_t>(map.dim);
  for (const std::string &theirs : mesh.communicator().allgather(bytes))
    for (std::size_t at = 0; at < theirs.size(); at += (1 + dim) * sizeof(op_gindex)) {
      op_gindex words[2];
      std::memcpy(words, theirs.data() + at, sizeof(op_gindex));
      all.elements.push_back(words[0]);
      all.targets.resize(all.targets.size() + dim);
      std::memcpy(all.targets.data() + (all.targets.size() - dim), theirs.data() + at + sizeof(op_gindex),
                  dim * sizeof(op_gindex));
    }
  return sorted_rows(map, std::move(all));
}

bool halos_suffice(const Mesh &mesh, const Map &map, const MapRows &rows) {
  if (!mesh.several()) return true;
  const Set &from = map.source(), &to = map.target();
  const Places elements(from), targets(to);
  for (std::size_t i = 0; i < rows.elements.size(); ++i) {
    const int row = elements.of(rows.elements[i]);
    const bool here = row >= 0 && row < map.table_rows();
    for (const op_gindex target : row_of(map, rows, i)) {
      const int place = targets.of(target);
      const bool owned = place >= 0 && place < to.size;
      if (!here && owned) return false;                         // the owner of a target must run the element
      if (here && place < 0) return false;                      // there is no copy of the target
      if (here && row < from.core_size && !owned) return false; // core elements do not wait for copies
    }
  }
  return true;
}

std::vector<int> write_rows_of_map(Mesh &mesh, Map &map, const MapRows &rows) {
  const Places elements(map.source()), targets(map.target());
  const std::size_t dim = static_cast<std::size_t>(map.dim);
  std::vector<int> written;
  written.reserve(rows.elements.size());
  for (std::size_t i = 0; i < rows.elements.size(); ++i) {
    const int row = elements.of(rows.elements[i]);
    if (row < 0 || row >= map.table_rows()) continue;
    written.push_back(row);
    int *entry = map.table.data() + static_cast<std::size_t>(row) * dim;
    for (const op_gindex target : row_of(map, rows, i)) *entry++ = targets.of(target);
  }
  std::ranges::sort(written);
  mesh.copies().refilled(map, map.table.size());
  Numbering::forget(map);
  map.entries_to_copies = -1;
  if (map.partial) ++map.revision; // loops exchange what the map reached before
  map.partial.reset();
  for (const auto &dat : mesh.dats())
    if (&dat->on() == &map.target()) dat->state.reached_otherwise(map.index);
  return written;
}

void write_targets_of_map(Map &map, const MapRows &rows) {
  const Set &from = map.source();
  const std::size_t dim = static_cast<std::size_t>(map.dim);
  const auto write = [&](std::size_t i, std::size_t row) {
    std::ranges::copy(row_of(map, rows, i), map.targets.begin() + static_cast<std::ptrdiff_t>(row * dim));
  };
  if (map.in_declared_order || from.global.empty()) {
    for (std::size_t i = 0; i < rows.elements.size(); ++i) {
      const op_gindex place = rows.elements[i] - from.declared_first;
      if (place >= 0 && place < from.declared_size) write(i, static_cast<std::size_t>(place));
    }
    return;
  }
  const GlobalIndex own(std::span(from.global.data(), static_cast<std::size_t>(from.size)));
  for (std::size_t i = 0; i < rows.elements.size(); ++i)
    if (const int row = own.find(rows.elements[i]); row >= 0) write(i, static_cast<std::size_t>(row));
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
