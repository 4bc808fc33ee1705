// trace_scale.cpp: tracing on many processes, by simulation. Draws particles through the ABC flow once on the whole
// mesh, divides the mesh among 16, 32, ... 8192 processes as the library does, and replays who traces which particle
// when: queues, messages and the end as in src/tracer, with times of a core measured here and a network by formula.
//
// Judged: particles and steps are all there at the end; where the library really traces the same particles on a few
// processes, as many of them are handed over.
#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include "common/report.hpp"
#include "trace_scale/trace_options.hpp"
#include "trace_scale/trace_table.hpp"
#ifdef OP2_BENCH_RANKS
#include "trace_scale/trace_real.hpp"
#endif

namespace {

using namespace trace_scale;
namespace tracer = op2::core::tracer;

class Study {
 public:
  explicit Study(const Asked &asked)
      : asked_(asked),
        flow_(asked.edge),
        options_(options_for(flow_, asked.most_steps)),
        seeds_(random_seeds(asked.particles)),
        paths_(draw_paths(flow_, options_, seeds_)),
        costs_(asked.costs) {
    const std::size_t enough = std::min<std::size_t>(seeds_.size(), 5000);
    if (!asked.step_is_given) costs_.step = step_seconds(flow_, options_, std::span(seeds_).first(enough), 1);
    alone_ = costs_.step * static_cast<double>(paths_.all_steps);
    division_.blocks = asked.blocks > 0 ? asked.blocks : 4;
  }

  void run() {
    std::printf("%d tetrahedra, %d particles, %lld steps, %.2f us each\n", flow_.cells->size(), asked_.particles,
                static_cast<long long>(paths_.all_steps), 1e6 * costs_.step);
    bench::result("trace_scale.model.step", 1e6 * costs_.step, "us", asked_.step_is_given ? "given" : "measured");
    scaling(division_.blocks);
    if (asked_.blocks == 0) scaling(16);
    for (const int processes : {64, 1024})
      if (processes <= asked_.most && !asked_.quick) vary(processes);
    std::vector<int> real = {2, 4, 8};
    if (asked_.real > 0) real = {asked_.real};
    if (asked_.real == 0 && asked_.quick) real = {2};
    for (const int processes : real) compare(processes);
    bench::exact("trace_scale.simulated.steps_difference", wrong_steps_, 0, "steps");
  }

 private:
  Row row_of(int processes, const Division &division) {
    const Pieces pieces(alone_process_, flow_, options_, division, processes);
    visits_ = visits_of(paths_, pieces);
    Row out;
    out.processes = processes;
    const auto particles = static_cast<double>(visits_.particles());
    out.handed_over = static_cast<double>(visits_.handed_over) / particles;
    out.came_back = static_cast<double>(visits_.came_back) / particles;
    out.cells = pieces.most_cells();
    return out;
  }

  // Of visits_.
  Outcome ended_by(tracer::Ending ending, int processes, tracer::Running running, Resting resting) {
    running.ending = ending;
    const Outcome out = simulate(visits_, processes, costs_, running, resting);
    wrong_steps_ += std::abs(static_cast<double>(out.steps - paths_.all_steps));
    return out;
  }

  void scaling(int blocks) {
    std::vector<Row> rows;
    Division division = division_;
    division.blocks = blocks;
    for (int processes = 16; processes <= asked_.most; processes *= 2) {
      if (processes * blocks > flow_.cells->size()) break; // there are pieces without cells
      Row row = row_of(processes, division);
      row.tree = ended_by(tracer::Ending::tree, processes, asked_.running, asked_.resting);
      row.broadcast = ended_by(tracer::Ending::broadcast, processes, asked_.running, asked_.resting);
      row.reduction = ended_by(tracer::Ending::reduction, processes, asked_.running, asked_.resting);
      rows.push_back(row);
    }
    print_scaling(rows, blocks, alone_);
    report_scaling(rows, blocks, alone_);
  }

  void vary(int processes);
  void compare(int processes);

  Asked asked_;
  Flow flow_;
  Options options_;
  std::vector<Vector> seeds_;
  Paths paths_;
  Costs costs_;
  Division division_;
  Alone alone_process_;
  Visits visits_;
  double alone_ = 0, wrong_steps_ = 0;
};

void Study::vary(int processes) {
  const auto resting_so = [&](const tracer::Running &running, Resting resting) {
    return ended_by(tracer::Ending::tree, processes, running, resting);
  };
  const auto tree = [&](const tracer::Running &running) { return resting_so(running, asked_.resting); };
  std::vector<Variant> blocks, dealings, overlaps, batches, waits;
  for (const int count : {1, 4, 16}) {
    Division division = division_;
    division.blocks = count;
    Row row = row_of(processes, division);
    row.tree = tree(asked_.running);
    blocks.push_back({std::to_string(count), row});
  }
  for (const auto &[name, dealing] : {std::pair{"shuffled", tracer::Dealing::shuffled},
                                      {"in turn", tracer::Dealing::in_turn},
                                      {"together", tracer::Dealing::together}}) {
    Division division = division_;
    division.dealing = dealing;
    Row row = row_of(processes, division);
    row.tree = tree(asked_.running);
    dealings.push_back({name, row});
  }
  for (const int mebibytes : {0, 1, 8, 64}) {
    Division division = division_;
    division.overlap = static_cast<std::size_t>(mebibytes) << 20;
    Row row = row_of(processes, division);
    row.tree = tree(asked_.running);
    overlaps.push_back({std::to_string(mebibytes) + " MiB", row});
  }
  Row row = row_of(processes, division_);
  for (const int batch : {1, 8, 32, 128, 1024}) {
    tracer::Running running = asked_.running;
    running.batch = batch;
    row.tree = tree(running);
    batches.push_back({std::to_string(batch), row});
  }
  for (const auto &[name, wait] :
       {std::pair{"0", 0.0}, {"10 us", 1e-5}, {"100 us", 1e-4}, {"1 ms", 1e-3}, {"10 ms", 1e-2}})
    for (const Resting resting : {Resting::naps, Resting::looks}) {
      tracer::Running running = asked_.running;
      running.longest_wait = wait;
      row.tree = resting_so(running, resting);
      waits.push_back({std::string(name) + (resting == Resting::naps ? ", naps" : ", never asleep"), row});
    }
  print_variants("blocks of each process", blocks, alone_);
  print_variants("how blocks are dealt", dealings, alone_);
  print_variants("overlap", overlaps, alone_);
  print_variants("particles in a batch", batches, alone_);
  print_variants("longest wait, and how processes rest", waits, alone_);
  for (const auto &[what, variants] : {std::pair{"blocks", &blocks}, {"overlap", &overlaps}, {"batch", &batches}})
    for (const auto &[name, with] : *variants)
      bench::result("trace_scale." + std::to_string(processes) + "." + what + "_" + name.substr(0, name.find(' ')),
                    1e3 * with.tree.seconds, "ms", "simulated");
}

// Judged are counts; seconds are shown, of the median one of some runs. A step costs what it does while as many threads
// as there are cores for them draw at once. More processes than cores share these.
void Study::compare(int processes) {
  const std::string name = "trace_scale." + std::to_string(processes) + "_processes.";
#ifdef OP2_BENCH_RANKS
  constexpr std::size_t enough = 20'000; // a real run takes as long as the work of all
  if (seeds_.size() > enough) {
    seeds_.resize(enough);
    paths_ = draw_paths(flow_, options_, seeds_);
  }
  row_of(processes, division_);
  struct Pair {
    double measured, simulated, own; // own: with a core for each process
    double ratio() const { return measured / simulated; }
  };
  std::vector<Pair> runs;
  RealRun real;
  Outcome simulated;
  for (int i = 0; i < (asked_.quick ? 1 : 5); ++i) {
    const int cores = std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, processes);
    costs_.step = step_seconds(flow_, options_, seeds_, cores);
    const double own = ended_by(tracer::Ending::tree, processes, asked_.running, asked_.resting).seconds;
    costs_.cores = cores < processes ? cores : 0;
    simulated = ended_by(tracer::Ending::tree, processes, asked_.running, asked_.resting);
    costs_.cores = 0;
    real = run_really(flow_, options_, division_, asked_.running, seeds_, processes);
    runs.push_back({real.counts.all, simulated.seconds, own});
  }
  std::sort(runs.begin(), runs.end(), [](const Pair &a, const Pair &b) { return a.ratio() < b.ratio(); });
  const Pair &median = runs[runs.size() / 2];
  bench::exact(name + "handed_over_difference", std::abs(static_cast<double>(visits_.handed_over - real.counts.sent)),
               0, "particles");
  bench::exact(name + "came_back_difference", std::abs(static_cast<double>(visits_.came_back - real.counts.returned)),
               0, "particles");
  bench::exact(name + "lines_difference", std::abs(static_cast<double>(simulated.finished - real.lines)), 0, "lines");
  bench::result(name + "handed_over", static_cast<double>(real.counts.sent), "particles");
  bench::result(name + "simulated", 1e3 * median.own, "ms", "with a core for each process");
  bench::result(name + "simulated_here", 1e3 * median.simulated, "ms", "with the cores that there are");
  bench::result(name + "measured", 1e3 * median.measured, "ms", "processes are threads here");
  bench::result(name + "measured_to_simulated", median.ratio(), "x", "with the cores that there are");
  bench::result(name + "messages_simulated", static_cast<double>(simulated.particle_messages), "messages");
  bench::result(name + "messages_measured", static_cast<double>(real.counts.particle_messages), "messages");
#else
  bench::skip(name + "handed_over_difference", "built without tests/unit, which has processes as threads");
#endif
}

} // namespace

int main(int argc, char **argv) {
  const Asked asked = asked_of(argc, argv);
  try {
    Study(asked).run();
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
}

// SPDX-License-Identifier: MIT
