#include "io/view/series.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "base/json.hpp"
#include "base/text.hpp"

namespace op2::core {

namespace {

std::string six_digits(int number) {
  std::array<char, 16> digits{};
  std::snprintf(digits.data(), digits.size(), "%06d", number);
  return digits.data();
}

// The number behind `before` in a line; nothing when it is not there.
template <class Number>
std::optional<Number> number_behind(std::string_view line, std::string_view before) {
  const std::size_t found = line.find(before);
  if (found == std::string_view::npos) return {};
  const char *const begin = line.data() + found + before.size(), *const end = line.data() + line.size();
  Number value{};
  if (std::from_chars(begin, end, value).ec != std::errc()) return {};
  return value;
}

// The number in "out_000007.vtkhdf": the digits behind the last underscore.
std::optional<int> step_number(std::string_view line) {
  const std::size_t end = line.find("\", \"time\"");
  if (end == std::string_view::npos) return {};
  const std::string_view name = line.substr(0, end);
  const std::size_t digits = name.rfind('_');
  return digits == std::string_view::npos ? std::nullopt : number_behind<int>(name.substr(digits), "_");
}

} // namespace

int Series::make_room(double time) {
  std::erase_if(steps, [time](const SeriesStep &step) { return step.time >= time; });
  return steps.empty() ? 0 : steps.back().number + 1;
}

std::string last_part(const std::string &path) { return path.substr(path.rfind('/') + 1); } // npos + 1 is 0

std::string end_of(const std::string &path) {
  const std::string name = last_part(path);
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? "" : name.substr(dot);
}

std::string stem_of(const std::string &path) { return path.substr(0, path.size() - end_of(path).size()); }

std::string step_path(const std::string &path, int number, const std::string &end) {
  return text(stem_of(path), "_", six_digits(number), end);
}

std::string series_text(const Series &series, const std::string &path) {
  std::string out = "{\n  \"file-series-version\": \"1.0\",\n  \"files\": [\n";
  for (std::size_t n = 0; n < series.steps.size(); ++n) {
    const SeriesStep &step = series.steps[n];
    const std::string name = last_part(step_path(path, step.number, end_of(path)));
    out += text("    {\"name\": ", json_string(name), ", \"time\": ", number_text(step.time), "}",
                n + 1 < series.steps.size() ? "," : "", "\n");
  }
  return out + "  ]\n}\n";
}

std::optional<Series> read_series(std::string_view list) {
  Series out;
  if (list.find("\"file-series-version\"") == std::string_view::npos) return {};
  if (list.find("  ]\n}") == std::string_view::npos) return {}; // cut off behind a step
  while (!list.empty()) {
    const std::string_view line = list.substr(0, list.find('\n'));
    list.remove_prefix(std::min(list.size(), line.size() + 1));
    if (line.find("\"name\"") == std::string_view::npos) continue;
    const std::optional<int> number = step_number(line);
    const std::optional<double> time = number_behind<double>(line, "\"time\": ");
    if (!number || !time || *number < 0 ||
        (!out.steps.empty() && (*time <= out.steps.back().time || *number <= out.steps.back().number)))
      return {};
    out.steps.push_back({*number, *time, ""});
  }
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
