// report.hpp: how a benchmark program says what it measured: lines on stdout that bench/run.sh gathers and judges.
//
//   result NAME VALUE UNIT [DETAIL...]
//   check NAME VALUE LIMIT below|above UNIT [exact]   VALUE must not be above (not below) LIMIT
//   skip NAME REASON...
//
// NAME is SECTION.ROW.COLUMN, ROW may have more dots: the table prints one line per row and one column per last part.
// Names and units have no blanks; a name is used once per kind. UNIT "x" is a ratio.
// An exact check is one of counts or answers: it holds on every machine, whatever else that has to do. The others are
// of times. Programs return 0 when they could measure; whether a figure is good is for the reader of the lines to say.
#ifndef OP2_BENCH_REPORT_HPP
#define OP2_BENCH_REPORT_HPP

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

namespace bench {

inline void result(const std::string &name, double value, const char *unit, const std::string &detail = "") {
  std::printf("result %s %.9g %s%s%s\n", name.c_str(), value, unit, detail.empty() ? "" : " ", detail.c_str());
  std::fflush(stdout);
}

enum class Better { below, above };

inline void check(const std::string &name, double value, double limit, Better better, const char *unit) {
  std::printf("check %s %.9g %.9g %s %s\n", name.c_str(), value, limit, better == Better::below ? "below" : "above",
              unit);
  std::fflush(stdout);
}

// A count or an answer must not be above `most`.
inline void exact(const std::string &name, double value, double most, const char *unit) {
  std::printf("check %s %.9g %.9g below %s exact\n", name.c_str(), value, most, unit);
  std::fflush(stdout);
}

// The larger difference of those found so far; one that is not a number is the largest of all.
inline void raise(double &worst, double found) {
  worst = std::max(worst, std::isnan(found) ? std::numeric_limits<double>::infinity() : found);
}

inline void skip(const std::string &name, const std::string &reason) {
  std::printf("skip %s %s\n", name.c_str(), reason.c_str());
  std::fflush(stdout);
}

// The one option that all programs share: --quick, for the small mesh alone: all that is exact, and no ratio that needs
// a large one. Anything else ends the program with code 2 and a usage line.
inline bool quick(int argc, char **argv) {
  if (argc == 1) return false;
  if (argc == 2 && std::strcmp(argv[1], "--quick") == 0) return true;
  const bool help = argc == 2 && std::strcmp(argv[1], "--help") == 0;
  std::fprintf(help ? stdout : stderr, "usage: %s [--quick]\n", argv[0]);
  std::exit(help ? 0 : 2);
}

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
