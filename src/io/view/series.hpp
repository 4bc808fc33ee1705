// Steps in time that were written one after another, and the texts that list them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace op2::core {

struct SeriesStep {
  int number; // of its files
  double time;
  std::string text; // its lines in the list
};

struct Series {
  std::vector<SeriesStep> steps; // ascending in time and number
  bool mesh_written = false;     // where steps do not contain it

  // Drops the steps at this time or later; returns the number of the new one.
  int make_room(double time);
};

// "out.xdmf" -> "out", and the parts of names: "out" and ".xdmf".
std::string stem_of(const std::string &path);
std::string end_of(const std::string &path);
std::string last_part(const std::string &path);                                     // without its folder
std::string step_path(const std::string &path, int number, const std::string &end); // "out_000007.h5"

// The shortest text that is read as this number.
std::string number_text(double value);

// Lists of ParaView: {"file-series-version": "1.0", "files": [{"name": "out_000007.vtkhdf", "time": 0.5}]}.
std::string series_text(const Series &series, const std::string &path);
// The steps of a list that series_text() made; nothing where it is another one, or not whole.
std::optional<Series> read_series(std::string_view list);

} // namespace op2::core
