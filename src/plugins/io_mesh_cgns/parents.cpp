#include "parents.hpp"

#include <algorithm>

namespace cgns {

Parents read_parents(const File &file, const std::string &section, cgsize_t first, cgsize_t faces) {
  Parents out{first, {}, {}};
  for (const char *name : {"ParentElements", "ParentData"}) {
    const std::vector<std::int64_t> table = file.columns(section + name, faces);
    if (table.empty()) continue;
    const auto rows = static_cast<std::ptrdiff_t>(faces);
    if (table.size() < 2 * static_cast<std::size_t>(faces)) refuse(section + name + " has one column instead of two");
    out.left.assign(table.begin(), table.begin() + rows);
    out.right.assign(table.begin() + rows, table.begin() + 2 * rows); // behind them stand sides of the cells
    break;
  }
  return out;
}

std::vector<std::vector<cgsize_t>> cells_of_parents(const std::vector<Parents> &all, cgsize_t cells,
                                                    const std::string &zone) {
  std::int64_t lowest = 0, highest = 0;
  for (const Parents &one : all)
    for (const std::vector<std::int64_t> *side : {&one.left, &one.right})
      for (const std::int64_t cell : *side) {
        if (cell < 0) refuse("zone " + zone + ": a face has the parent " + std::to_string(cell));
        if (cell == 0) continue;
        lowest = lowest == 0 ? cell : std::min(lowest, cell);
        highest = std::max(highest, cell);
      }
  if (lowest == 0 || highest - lowest != static_cast<std::int64_t>(cells) - 1)
    refuse("zone " + zone + " has " + std::to_string(cells) +
           " cells, but ParentElements of its faces name cells from " + std::to_string(lowest) + " to " +
           std::to_string(highest));
  std::size_t faces = 0;
  for (const Parents &one : all) faces += one.left.size();
  std::vector<std::vector<cgsize_t>> out;
  if (static_cast<std::size_t>(cells) > 2 * faces) refuse("zone " + zone + " has cells without faces");
  out.resize(static_cast<std::size_t>(cells));
  for (const Parents &one : all)
    for (std::size_t i = 0; i < one.left.size(); ++i) {
      const cgsize_t face = one.first_face + static_cast<cgsize_t>(i);
      if (one.left[i] > 0) out[static_cast<std::size_t>(one.left[i] - lowest)].push_back(face);
      if (one.right[i] > 0) out[static_cast<std::size_t>(one.right[i] - lowest)].push_back(-face);
    }
  if (const auto none = std::ranges::find_if(out, [](const auto &faces_of) { return faces_of.empty(); });
      none != out.end())
    refuse("zone " + zone + ": no face names cell " + std::to_string(lowest + (none - out.begin())) +
           " in ParentElements");
  return out;
}

} // namespace cgns

// SPDX-License-Identifier: MIT
