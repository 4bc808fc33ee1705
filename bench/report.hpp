// report.hpp: how a benchmark program says what it measured: lines on stdout that bench/run.sh gathers and judges.
//
//   result NAME VALUE UNIT [DETAIL...]
//   check NAME VALUE LIMIT below|above UNIT      VALUE must not be above (not below) LIMIT
//   skip NAME REASON...
//
// NAME is SECTION.ROW.COLUMN, ROW may have more dots: the table prints one line per row and one column per last part.
// Names and units have no blanks; a name is used once per kind. UNIT "x" is a ratio.
// Programs return 0 when they could measure; whether a figure is good is for the reader of the lines to say.
#ifndef OP2_BENCH_REPORT_HPP
#define OP2_BENCH_REPORT_HPP

#include <cstdio>
#include <cstdlib>
#include <cstring>
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

inline void skip(const std::string &name, const std::string &reason) {
  std::printf("skip %s %s\n", name.c_str(), reason.c_str());
  std::fflush(stdout);
}

// The one option that all programs share: --quick. Anything else ends the program with code 2 and a usage line.
inline bool quick(int argc, char **argv) {
  if (argc == 1) return false;
  if (argc == 2 && std::strcmp(argv[1], "--quick") == 0) return true;
  const bool help = argc == 2 && std::strcmp(argv[1], "--help") == 0;
  std::fprintf(help ? stdout : stderr, "usage: %s [--quick]\n", argv[0]);
  std::exit(help ? 0 : 2);
}

} // namespace bench

#endif
