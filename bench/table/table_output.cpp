// table_output.cpp: the table for people and the JSON for programs.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "table/table.hpp"

namespace {

constexpr std::size_t most_columns = 8;

struct Name {
  std::string section, row, column; // SECTION.ROW.COLUMN
};

Name split(const std::string &name) {
  const std::size_t first = name.find('.'), last = name.rfind('.');
  if (first == std::string::npos) return {name, "", ""};
  if (first == last) return {name.substr(0, first), "", name.substr(last + 1)};
  return {name.substr(0, first), name.substr(first + 1, last - first - 1), name.substr(last + 1)};
}

// Four digits, as many as anyone reads.
std::string number(double value) {
  char text[40];
  const double size = std::fabs(value);
  const bool whole = size == std::floor(size); // a count
  const int digits = whole ? 0 : size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0;
  if (!std::isfinite(value) || (size != 0 && (size < 1e-3 || size >= 1e7)))
    std::snprintf(text, sizeof text, "%.3g", value);
  else
    std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

double load(const Machine &machine) {
  for (const auto &[key, value] : machine)
    if (key == "load_before") return std::strtod(value.c_str(), nullptr);
  return 0;
}

// The results of one section in one unit, as rows and columns in the order in which they came.
struct Section {
  std::string name, unit;
  std::vector<std::string> rows, columns;
  std::vector<const Result *> cells;
};

void add_once(std::vector<std::string> &list, const std::string &entry) {
  if (std::find(list.begin(), list.end(), entry) == list.end()) list.push_back(entry);
}

std::vector<Section> sections(const std::vector<Result> &results) {
  std::vector<Section> out;
  for (const Result &result : results) {
    const Name name = split(result.name);
    auto found = std::find_if(out.begin(), out.end(), [&](const Section &section) {
      return section.name == name.section && section.unit == result.unit;
    });
    if (found == out.end()) found = out.insert(out.end(), Section{name.section, result.unit, {}, {}, {}});
    add_once(found->rows, name.row);
    add_once(found->columns, name.column);
    found->cells.push_back(&result);
  }
  return out;
}

void print_list(const Section &section) {
  std::printf("\n%s, %s\n", section.name.c_str(), section.unit.c_str());
  for (const Result *cell : section.cells)
    std::printf("  %-44s %12s  %s\n", cell->name.c_str(), number(cell->value).c_str(), cell->detail.c_str());
}

void print_section(const Section &section) {
  if (section.columns.size() > most_columns) return print_list(section);
  std::size_t first = section.name.size() + section.unit.size() + 2;
  for (const std::string &row : section.rows) first = std::max(first, row.size() + 2);
  const int width = static_cast<int>(first);
  std::printf("\n%-*s", width, (section.name + ", " + section.unit).c_str());
  for (const std::string &column : section.columns)
    std::printf("  %*s", static_cast<int>(std::max<std::size_t>(9, column.size())), column.c_str());
  std::printf("\n");
  for (const std::string &row : section.rows) {
    std::printf("  %-*s", width - 2, row.c_str());
    std::string details;
    for (const std::string &column : section.columns) {
      const auto found = std::find_if(section.cells.begin(), section.cells.end(), [&](const Result *cell) {
        const Name name = split(cell->name);
        return name.row == row && name.column == column;
      });
      const bool there = found != section.cells.end();
      std::printf("  %*s", static_cast<int>(std::max<std::size_t>(9, column.size())),
                  there ? number((*found)->value).c_str() : "");
      if (there && !(*found)->detail.empty()) details += "  " + (*found)->detail;
    }
    std::printf("%s\n", details.c_str());
  }
}

std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (code < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", code);
      out += escape;
    } else {
      out += c;
    }
  }
  return out + "\"";
}

// JSON has no infinities and no NaN.
std::string json_number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

// A list of things, one per line.
template <class T, class Write>
void json_array(std::ostream &out, const char *name, const std::vector<T> &list, Write write) {
  out << ",\n  \"" << name << "\": [";
  const char *separator = "\n    ";
  for (const T &entry : list) {
    out << separator << write(entry);
    separator = ",\n    ";
  }
  out << (list.empty() ? "]" : "\n  ]");
}

} // namespace

void print_table(const Report &report, const Machine &machine) {
  for (const auto &[key, value] : machine) std::printf("%-16s %s\n", key.c_str(), value.c_str());
  if (load(machine) > 0.5) std::printf("note: other programs were running before the start; do not trust the times\n");
  for (const Section &section : sections(report.results)) print_section(section);
  std::printf("\nchecks\n");
  for (const Check &check : report.checks)
    std::printf("  %-6s %-44s %10s %s, limit %s %s%s\n", check.ok() ? "ok" : "FAILED", check.name.c_str(),
                number(check.value).c_str(), check.unit.c_str(), check.below ? "<=" : ">=", number(check.limit).c_str(),
                check.exact ? ", exact" : "");
  for (const Skip &skip : report.skipped)
    std::printf("  %-6s %-44s %s\n", "skip", skip.name.c_str(), skip.reason.c_str());
  for (const std::string &problem : report.problems) std::printf("  FAILED %s\n", problem.c_str());
}

std::string json(const Report &report, const Machine &machine, const std::string &mode) {
  std::ostringstream out;
  out << "{\n  \"machine\": {";
  const char *separator = "";
  for (const auto &[key, value] : machine) {
    char *end = nullptr;
    const double as_number = std::strtod(value.c_str(), &end);
    const bool numeric = !value.empty() && *end == '\0';
    out << separator << quoted(key) << ": " << (numeric ? json_number(as_number) : quoted(value));
    separator = ", ";
  }
  out << "},\n  \"mode\": " << quoted(mode);
  json_array(out, "checks", report.checks, [](const Check &check) {
    return "{\"name\": " + quoted(check.name) + ", \"value\": " + json_number(check.value) +
           ", \"limit\": " + json_number(check.limit) + ", \"better\": " + (check.below ? "\"below\"" : "\"above\"") +
           ", \"unit\": " + quoted(check.unit) + ", \"exact\": " + (check.exact ? "true" : "false") +
           ", \"ok\": " + (check.ok() ? "true" : "false") + "}";
  });
  json_array(out, "results", report.results, [](const Result &result) {
    return "{\"name\": " + quoted(result.name) + ", \"value\": " + json_number(result.value) +
           ", \"unit\": " + quoted(result.unit) + ", \"detail\": " + quoted(result.detail) + "}";
  });
  json_array(out, "skipped", report.skipped, [](const Skip &skip) {
    return "{\"name\": " + quoted(skip.name) + ", \"reason\": " + quoted(skip.reason) + "}";
  });
  json_array(out, "problems", report.problems, [](const std::string &problem) { return quoted(problem); });
  out << "\n}\n";
  return out.str();
}

// SPDX-License-Identifier: MIT
