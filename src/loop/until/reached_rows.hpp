// The rows of dats that an element of a loop reaches, one by one, in the order of the arguments and their columns.
#pragma once

#include <algorithm>
#include <vector>

#include "loop/signature/signature.hpp"

namespace op2::core {

struct ReachedRow {
  std::size_t arg; // position of the argument
  const LoopArg *of;
  const int *map; // NULL: the element's own
  int map_stride, column;
  int row(int element) const { return map ? map[static_cast<std::ptrdiff_t>(element) * map_stride] : element; }
  char *place(int element) const { // on the host
    return of->dat->host.data() + static_cast<std::ptrdiff_t>(row(element)) * of->dat->size;
  }
  std::size_t bytes() const { return static_cast<std::size_t>(of->dat->size); }
};

// Those whose argument is wanted: wanted(arg). The signature must outlive them.
template <class Wanted>
std::vector<ReachedRow> reached_rows(const LoopSignature &what, const Wanted &wanted) {
  std::vector<ReachedRow> out;
  for (std::size_t i = 0; i < what.args.size(); ++i) {
    const LoopArg &arg = what.args[i];
    if (!arg.dat || !wanted(arg)) continue;
    for (int c = arg.column; c < arg.column + std::max(arg.count, 1); ++c)
      out.push_back({i, &arg, arg.map ? column_of(arg.map->table.data(), c) : nullptr, arg.map ? arg.map->dim : 0, c});
  }
  return out;
}

// Of dats that the loop writes, whatever for: rows that it only reads make no element wait for another one.
inline std::vector<ReachedRow> rows_of_written_dats(const LoopSignature &what) {
  return reached_rows(what, [&](const LoopArg &arg) {
    return std::ranges::any_of(what.dats,
                               [&](const DatUse &use) { return use.dat == arg.dat && writes_new(use.access); });
  });
}

// A number for each row of these dats, by dat: ints that all begin as -1.
class RowNotes {
 public:
  explicit RowNotes(const std::vector<ReachedRow> &rows) {
    for (const ReachedRow &row : rows) {
      const auto known = std::ranges::find(dats_, row.of->dat);
      of_.push_back(static_cast<std::size_t>(known - dats_.begin()));
      if (known == dats_.end()) dats_.push_back(row.of->dat);
    }
    clear();
  }
  void clear() {
    notes_.clear();
    for (const Dat *const dat : dats_) notes_.emplace_back(static_cast<std::size_t>(dat->on().rows()), -1);
  }
  // which: position in `rows`.
  int &operator()(std::size_t which, int row) { return notes_[of_[which]][static_cast<std::size_t>(row)]; }

 private:
  std::vector<const Dat *> dats_;
  std::vector<std::size_t> of_;
  std::vector<std::vector<int>> notes_;
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
