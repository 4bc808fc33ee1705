// google.hpp: runs Google Benchmark's benchmarks and reports their medians as lines of report.hpp.
//
// Register with names of the form SECTION.ROW.COLUMN and bench::repeated(); then bench::run_google() in main.
#ifndef OP2_BENCH_GOOGLE_HPP
#define OP2_BENCH_GOOGLE_HPP

#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

#include "common/measure.hpp"
#include "common/report.hpp"

namespace bench {

// Seconds per iteration, by name of the benchmark.
using Medians = std::map<std::string, double>;

class LineReporter : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context &) override { return true; }
  void ReportRuns(const std::vector<Run> &runs) override {
    for (const Run &run : runs) {
      if (run.error_occurred) skip(run.run_name.function_name, run.error_message);
      if (run.error_occurred || run.run_type != Run::RT_Aggregate || run.aggregate_name != "median") continue;
      const double time = run.GetAdjustedRealTime();
      result(run.run_name.function_name, time, benchmark::GetTimeUnitString(run.time_unit));
      medians[run.run_name.function_name] = time / benchmark::GetTimeUnitMultiplier(run.time_unit);
    }
  }

  Medians medians;
};

// Eleven repetitions of at least min_seconds each.
inline void repeated(benchmark::internal::Benchmark *b, double min_seconds, benchmark::TimeUnit unit) {
  b->MinTime(min_seconds)->Repetitions(fewest_pairs)->ReportAggregatesOnly(true)->Unit(unit)->UseRealTime();
}

inline Medians run_google() {
  char name[] = "bench";
  char *arguments[] = {name, nullptr};
  int count = 1;
  benchmark::Initialize(&count, arguments);
  LineReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  return reporter.medians;
}

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
