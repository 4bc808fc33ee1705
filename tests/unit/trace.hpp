// trace.hpp: reading traces back: the events of a file, and what must hold for every trace.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "json.hpp"
#include "support.hpp"

namespace unit {

inline std::string content_of(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// A folder of this test's own, empty at first and removed at the end.
class Folder {
 public:
  Folder() : path_(std::filesystem::path(testing::TempDir()) / ("op2_trace." + std::to_string(getpid()))) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  std::string operator/(const std::string &name) const { return (path_ / name).string(); }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(path_), std::filesystem::directory_iterator()));
  }

 private:
  std::filesystem::path path_;
};

// The events of a trace; an unfinished one lacks its bracket.
inline std::vector<Json> events_of(const std::string &path, bool finished = true) {
  const Json all = parse_json(content_of(path) + (finished ? "" : "]"));
  EXPECT_EQ(Json::array, all.kind);
  for (const Json &event : all.items)
    for (const char *field : {"name", "ph", "pid", "tid"}) EXPECT_TRUE(event.has(field)) << field;
  return all.items;
}

inline std::vector<Json> spans(const std::vector<Json> &events, int lane, const std::string &name = "") {
  std::vector<Json> out;
  for (const Json &event : events)
    if (event["ph"].text == "X" && event["tid"].value == lane && (name.empty() || event["name"].text == name))
      out.push_back(event);
  return out;
}

// Two spans of a lane lie apart or one inside the other; events come in the order in which they end. Times are rounded
// to nanoseconds, which is why neighbours may overlap by one.
inline void expect_order(const std::vector<Json> &events) {
  constexpr double rounding = 0.0011; // microseconds
  struct Span {
    double begin, end;
  };
  std::map<double, std::vector<Span>> lanes;
  for (const Json &event : events)
    if (event["ph"].text == "X") {
      EXPECT_GE(event["dur"].value, 0);
      lanes[event["tid"].value].push_back({event["ts"].value, event["ts"].value + event["dur"].value});
    }
  for (const auto &[lane, all] : lanes)
    for (std::size_t i = 1; i < all.size(); ++i) {
      const Span &before = all[i - 1], &after = all[i];
      EXPECT_LE(before.end, after.end + rounding) << "lane " << lane;
      EXPECT_TRUE(after.begin >= before.end - rounding || after.begin <= before.begin + rounding) << "lane " << lane;
    }
}

} // namespace unit

// SPDX-License-Identifier: MIT
