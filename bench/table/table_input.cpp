// table_input.cpp: reads the lines of the benchmark programs, and says what machine this is.
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>
#include <string_view>
#include <thread>

#include "table/table.hpp"

bool Check::ok() const {
  return std::isfinite(value) && std::isfinite(limit) && (below ? value <= limit : value >= limit);
}

bool Report::ok() const {
  for (const Check &check : checks)
    if (!check.ok()) return false;
  return problems.empty();
}

namespace {

std::string rest_of(std::istringstream &line) {
  std::string text;
  std::getline(line >> std::ws, text);
  return text;
}

// Streams do not read "nan" and "inf", which programs may well print.
bool read_number(std::istringstream &line, double &value) {
  std::string word;
  if (!(line >> word)) return false;
  char *end = nullptr;
  value = std::strtod(word.c_str(), &end);
  return end != word.c_str() && *end == '\0';
}

bool read_result(std::istringstream &line, Report &report) {
  Result result{};
  if (!(line >> result.name) || !read_number(line, result.value) || !(line >> result.unit)) return false;
  result.detail = rest_of(line);
  report.results.push_back(result);
  return true;
}

bool read_check(std::istringstream &line, Report &report) {
  Check check{};
  std::string side;
  if (!(line >> check.name) || !read_number(line, check.value) || !read_number(line, check.limit) || !(line >> side))
    return false;
  if (side != "below" && side != "above") return false;
  check.below = side == "below";
  if (!(line >> check.unit)) return false;
  const std::string kind = rest_of(line);
  if (!kind.empty() && kind != "exact") return false;
  check.exact = kind == "exact";
  report.checks.push_back(check);
  return true;
}

bool read_skip(std::istringstream &line, Report &report) {
  Skip skip;
  if (!(line >> skip.name)) return false;
  skip.reason = rest_of(line);
  if (skip.reason.empty()) return false;
  report.skipped.push_back(skip);
  return true;
}

} // namespace

Report read_report(std::istream &lines) {
  Report report;
  std::set<std::string> names;
  std::string text;
  while (std::getline(lines, text)) {
    std::istringstream line(text);
    std::string kind, name;
    line >> kind;
    bool good = true;
    if (kind == "result")
      good = read_result(line, report);
    else if (kind == "check")
      good = read_check(line, report);
    else if (kind == "skip")
      good = read_skip(line, report);
    else {
      std::cerr << text << '\n';
      continue;
    }
    std::istringstream(text) >> kind >> name;
    if (!good)
      report.problems.push_back("not understood: " + text);
    else if (!names.insert(kind + " " + name).second)
      report.problems.push_back("said twice: " + kind + " " + name);
  }
  if (report.results.empty() && report.checks.empty() && report.skipped.empty() && report.problems.empty())
    report.problems.push_back("nothing was measured");
  return report;
}

namespace {

std::string first_value(const char *file, const std::string &key) {
  std::ifstream in(file);
  std::string line;
  while (std::getline(in, line)) {
    if (line.rfind(key, 0) != 0) continue;
    const std::size_t value = line.find_first_not_of(" \t", line.find(':') + 1);
    return value == std::string::npos ? "" : line.substr(value);
  }
  return "unknown";
}

// The variables that change what is measured.
std::string settings() {
  std::string out;
  for (char **entry = environ; *entry; ++entry)
    for (const char *prefix : {"OP2_", "OMP_", "GOMP_", "KMP_"})
      if (std::string_view(*entry).rfind(prefix, 0) == 0) out.append(out.empty() ? "" : " ").append(*entry);
  return out.empty() ? "none" : out;
}

// As the system reports them, of one core and the last one; a virtual machine may show those of a whole chip.
std::string caches() {
#if defined(_SC_LEVEL2_CACHE_SIZE) // glibc
  const auto kib = [](int name) { return std::to_string(std::max(sysconf(name), 0L) / 1024) + " KiB"; };
  return "level 2 " + kib(_SC_LEVEL2_CACHE_SIZE) + ", level 3 " + kib(_SC_LEVEL3_CACHE_SIZE);
#else
  return "unknown";
#endif
}

} // namespace

Machine this_machine(const std::string &load) {
  return {{"cores", std::to_string(std::thread::hardware_concurrency())},
          {"cpu", first_value("/proc/cpuinfo", "model name")},
          {"caches", caches()},
          {"compiler", OP2_BENCH_COMPILER},
          {"flags", OP2_BENCH_FLAGS},
          {"settings", settings()},
          {"load_before", load}};
}

// SPDX-License-Identifier: MIT
