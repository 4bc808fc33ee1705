// whole_tables.hpp: what the tables of times say of several processes, as people, CSV and JSON readers see it.
#pragma once

#include <gtest/gtest.h>
#include <op2/op2.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "json.hpp"

namespace whole {

// Runs of one loop, and one dat of it; bytes of both processes.
struct Count {
  double exchanges = 0, avoided = 0, partial = 0, messages = 0, sent = 0, saved = 0;
  friend bool operator==(const Count &, const Count &) = default;
  friend std::ostream &operator<<(std::ostream &out, const Count &c) {
    return out << c.exchanges << " exchanges, " << c.avoided << " avoided, " << c.partial << " partial, " << c.messages
               << " messages, " << c.sent << " bytes, " << c.saved << " saved";
  }
};
using Counts = std::map<std::string, Count>; // "average", "average/q"
struct Facts {
  Counts counts;
  double halo_bytes = 0, halo_bytes_of_one = 0, halo_bytes_at_most = 0; // the second of the process with most
  double partition_seconds = 0, move_seconds = 0, halo_seconds = 0;     // of the slowest
  // What one process says of the division.
  template <class Value>
  void add(const Value &value) {
    halo_bytes += value("halo_bytes");
    halo_bytes_of_one = std::max(halo_bytes_of_one, value("halo_bytes"));
    halo_bytes_at_most += value("halo_bytes_at_most");
    partition_seconds = std::max(partition_seconds, value("partition_seconds"));
    move_seconds = std::max(move_seconds, value("move_seconds"));
    halo_seconds = std::max(halo_seconds, value("halo_seconds"));
  }
};

inline Facts from_json(const std::string &text) {
  Facts out;
  for (const unit::Json &process : unit::parse_json(text).items) {
    const auto add = [&](const std::string &name, const unit::Json &row, double messages) {
      const auto value = [&](const char *field) { return row[field].value; };
      Count &count = out.counts[name]; // all processes run the same loops: of runs, not a sum
      count = {value("exchanges"),
               value("avoided"),
               value("partial"),
               count.messages + messages,
               count.sent + value("sent_bytes"),
               count.saved + value("saved_bytes")};
    };
    for (const unit::Json &loop : process["loops"].items) {
      const std::string name = loop["loop"].text;
      add(name, loop, loop["messages"].value);
      for (const unit::Json &dat : loop["dats"].items) add(name + "/" + dat["dat"].text, dat, 0);
    }
    const unit::Json &division = process["division"];
    out.add([&](const char *field) { return division[field].value; });
  }
  return out;
}

// Fields in quotes may have commas; none here has quotes or several lines.
inline std::vector<std::string> fields_of_csv(const std::string &line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : line)
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

inline std::vector<std::map<std::string, std::string>> rows_of_csv(const std::string &text) {
  std::vector<std::string> heading;
  std::vector<std::map<std::string, std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::vector<std::string> fields = fields_of_csv(line);
    if (heading.empty()) {
      heading = fields;
      continue;
    }
    EXPECT_EQ(fields.size(), heading.size()) << line;
    rows.emplace_back();
    for (std::size_t i = 0; i < std::min(fields.size(), heading.size()); ++i) rows.back()[heading[i]] = fields[i];
  }
  return rows;
}

inline Facts from_csv(const std::string &text) {
  Facts out;
  for (auto &row : rows_of_csv(text)) {
    const auto value = [&](const char *column) { return row[column].empty() ? 0.0 : std::stod(row[column]); };
    if (row["record"] == "division") {
      out.add(value);
      continue;
    }
    Count &count = out.counts[row["loop"] + (row["record"] == "dat" ? "/" + row["dat"] : "")];
    count = {value("exchanges"),
             value("avoided"),
             value("partial"),
             count.messages + value("messages"),
             count.sent + value("sent_bytes"),
             count.saved + value("saved_bytes")};
  }
  return out;
}

inline double bytes(double megabytes) { return std::round(megabytes * 1e6); }

// From what op_timing_output() prints.
inline Facts from_table(const std::string &text) {
  Facts out;
  std::istringstream lines(text.substr(std::min(text.size(), text.find("  exchanged between 2 processes\n"))));
  std::string line, loop, name;
  std::getline(lines, line);
  std::getline(lines, line);
  while (std::getline(lines, line) && !line.empty()) {
    if (line.starts_with("  messages of ")) continue; // their path
    const bool dat = line.starts_with("    ");
    std::istringstream in(line);
    Count count;
    in >> name >> count.exchanges >> count.avoided >> count.partial;
    if (!dat) in >> count.messages;
    in >> count.sent >> count.saved;
    EXPECT_TRUE(in) << line;
    count.sent = bytes(count.sent), count.saved = bytes(count.saved);
    if (!dat) loop = name;
    out.counts[dat ? loop + "/" + name : name] = count;
  }
  const std::size_t division = text.find("  divided between 2 processes: ");
  EXPECT_NE(division, text.npos) << text;
  EXPECT_EQ(std::sscanf(text.c_str() + std::min(division, text.size()),
                        "  divided between 2 processes: partition %lf s, rows moved in %lf s, halos made in %lf s\n"
                        "  halos take %lf MB, on one process up to %lf MB; %lf MB were expected at most\n",
                        &out.partition_seconds, &out.move_seconds, &out.halo_seconds, &out.halo_bytes,
                        &out.halo_bytes_of_one, &out.halo_bytes_at_most),
            6)
      << text;
  for (double *const count : {&out.halo_bytes, &out.halo_bytes_of_one, &out.halo_bytes_at_most}) *count *= 1e6;
  return out;
}

inline std::string printed_table(int rank) {
  std::fflush(stdout);
  if (rank == 0) testing::internal::CaptureStdout();
  EXPECT_EQ(op_timing_output(), OP_OK) << op_last_error();
  std::fflush(stdout);
  return rank == 0 ? testing::internal::GetCapturedStdout() : "";
}

} // namespace whole

// SPDX-License-Identifier: MIT
