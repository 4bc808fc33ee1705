// Time steps in the order of writing, and the texts that list them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace op2::core {

struct SeriesStep {
  int number; // in the names of its files
  double time;
  std::string text; // its lines in the list
};

struct Series {
  std::vector<SeriesStep> steps; // ascending in time and number
  bool mesh_written = false;     // for formats whose steps do not contain the mesh

  // Drops the steps at `time` or later; returns the number of the new step.
  int make_room(double time);
};

// Of "dir/out.xdmf": stem "dir/out", end ".xdmf".
std::string stem_of(const std::string &path);
std::string end_of(const std::string &path);
std::string last_part(const std::string &path);                                     // without its folder
std::string step_path(const std::string &path, int number, const std::string &end); // "out_000007.h5"

// A list for ParaView: {"file-series-version": "1.0", "files": [{"name": "out_000007.vtkhdf", "time": 0.5}]}.
std::string series_text(const Series &series, const std::string &path);
// The steps of a list from series_text(); nullopt for any other or an incomplete text.
std::optional<Series> read_series(std::string_view list);

} // namespace op2::core

// SPDX-License-Identifier: MIT
