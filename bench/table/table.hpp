// table.hpp: what the benchmark programs said, gathered; see report.hpp for their lines.
#ifndef OP2_BENCH_TABLE_HPP
#define OP2_BENCH_TABLE_HPP

#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

struct Result {
  std::string name;
  double value;
  std::string unit, detail;
};

struct Check {
  std::string name;
  double value, limit;
  bool below; // the value must not be above the limit; else: not below it
  std::string unit;
  bool exact; // of counts or answers, not of times
  [[nodiscard]] bool ok() const;
};

struct Skip {
  std::string name, reason;
};

struct Report {
  std::vector<Result> results;
  std::vector<Check> checks;
  std::vector<Skip> skipped;
  std::vector<std::string> problems; // lines that cannot be understood
  // No check failed, and all lines were understood.
  [[nodiscard]] bool ok() const;
};

// Names and values of what the figures were measured on; no name of the machine. `load`: before anything was started.
using Machine = std::vector<std::pair<std::string, std::string>>;
Machine this_machine(const std::string &load);

// Lines of other kinds are shown on stderr and otherwise ignored.
Report read_report(std::istream &lines);

void print_table(const Report &report, const Machine &machine);

// {"machine": {}, "mode": "", "checks": [], "results": [], "skipped": [], "problems": []}
std::string json(const Report &report, const Machine &machine, const std::string &mode);

#endif

// SPDX-License-Identifier: MIT
