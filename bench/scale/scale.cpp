// scale.cpp: scale on paper. Divides the airfoil mesh into 2, 4, ... 8192 parts in one process, finds every part's
// halo, and says what an iteration would send, keep and cost by a latency-bandwidth model; then runs it on 2 and 4
// ranks.
//
//   T = sum over loops of t(elements) + latency * messages + bytes / bandwidth + reductions, of the slowest part
//
// t is measured for each loop on meshes of several sizes, latency and bandwidth between two ranks, or both are given.
// Judged: on 2 and 4 ranks the counted messages and bytes are exactly those on paper; memory falls with more parts.
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <thread>

#include "common/measure.hpp"
#include "common/report.hpp"
#include "scale/scale_chain.hpp"
#include "scale/scale_divide.hpp"
#include "scale/scale_measure.hpp"
#include "scale/scale_table.hpp"

namespace {

constexpr int iterations_in_a_chain[] = {1, 2, 3};

struct Options {
  bool quick = false;
  int cells = 0; // 0 = 1 008 000, or 41 472 with --quick
  int most = 0;  // parts; 0 = 8192, or 64 with --quick
  std::string method = "rcb", csv;
  double latency = 0, bandwidth = 0; // 0 = measured
};

[[noreturn]] void usage(const char *program, bool help) {
  std::fprintf(help ? stdout : stderr,
               "usage: %s [--quick] [--cells N] [--parts MOST] [--method rcb|inertial|hilbert|block] [--csv FILE]\n"
               "       [--alpha SECONDS --beta BYTES_PER_SECOND]    latency and bandwidth of another machine\n",
               program);
  std::exit(help ? 0 : 2);
}

double number(const char *program, const char *word, double least) {
  char *end = nullptr;
  const double value = std::strtod(word, &end);
  if (end == word || *end != '\0' || !(value >= least) || value > 1e12) usage(program, false);
  return value;
}

Options options_of(int argc, char **argv) {
  Options out;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help") usage(argv[0], true);
    if (word == "--quick") {
      out.quick = true;
      continue;
    }
    if (++i == argc) usage(argv[0], false);
    constexpr double fewest_cells = 12, tiniest = 1e-12;
    if (word == "--cells")
      out.cells = static_cast<int>(std::min(1e9, number(argv[0], argv[i], fewest_cells)));
    else if (word == "--parts")
      out.most = static_cast<int>(std::min(1e6, number(argv[0], argv[i], 2)));
    else if (word == "--method" && scale::known_method(argv[i]))
      out.method = argv[i];
    else if (word == "--csv")
      out.csv = argv[i];
    else if (word == "--alpha")
      out.latency = number(argv[0], argv[i], tiniest);
    else if (word == "--beta")
      out.bandwidth = number(argv[0], argv[i], 1);
    else
      usage(argv[0], false);
  }
  if ((out.latency > 0) != (out.bandwidth > 0)) usage(argv[0], false);
  if (out.cells == 0) out.cells = 3 * (out.quick ? 96 * 144 : 480 * 700);
  if (out.most == 0) out.most = out.quick ? 64 : 8192;
  return out;
}

class Study {
 public:
  explicit Study(const Options &options)
      : options_(options),
        grid_(scale::grid_of(options.cells)),
        mesh_(naca::make_mesh(grid_.I, grid_.J)),
        problem_(scale::airfoil(mesh_)),
        middles_(scale::cell_middles(mesh_)),
        schedule_(scale::schedule(problem_)),
        divider_(problem_) {}

  void run() {
    std::printf("%d cells, %d edges, %d nodes; divided by %s\n", mesh_.ncell, mesh_.nedge, mesh_.nnode,
                options_.method.c_str());
    std::printf("in each iteration\n%s", scale::summary(problem_, schedule_.later).c_str());
    measure();
    predict();
    if (scale::has_ranks())
      for (const int ranks : {2, 4}) {
        compare(ranks);
        compare_chains(ranks);
      }
    else
      bench::skip("scale.2_ranks.messages_difference", "built without MPI or without mpirun");
  }

 private:
  struct Division {
    std::vector<std::vector<int>> owner;
    std::vector<scale::SetHalo> halos;
    double seconds;
  };
  Division divide(int parts) {
    const double start = bench::now();
    Division out;
    out.owner = divider_.divide(options_.method, scale::airfoil_cells, middles_, parts);
    out.halos = scale::build_halos(problem_, out.owner, parts);
    out.seconds = bench::now() - start;
    return out;
  }
  [[nodiscard]] int samples() const { return options_.quick ? bench::pairs_to_show : 10 * bench::fewest_pairs; }
  void measure();
  void predict();
  void compare(int ranks);
  void compare_chains(int ranks);
  void predict_chains(const Division &division, const scale::Row &apart) const;
  void compare_times(int ranks, const scale::RealRun &real, const std::vector<scale::SetHalo> &halos) const;
  void compare_halos(const scale::RealRun &real, const std::vector<scale::SetHalo> &halos,
                     const std::string &name) const;

  Options options_;
  scale::Grid grid_;
  naca::Mesh mesh_;
  scale::Problem problem_;
  std::vector<double> middles_;
  scale::Schedule schedule_;
  scale::Divider divider_;
  scale::MeasuredLoops loops_;
  scale::Wire wire_;
  double alone_ = 0; // seconds of an iteration on one process, by the times of the loops
};

void Study::measure() {
  std::vector<scale::Grid> grids;
  for (const int cells : {100, 300, 1000, 4000, 20000, 100000})
    if (cells < mesh_.ncell / 2) grids.push_back(scale::grid_of(cells));
  grids.push_back(grid_);
  loops_ = scale::measure_loops(grids);
  for (const int loop : problem_.iteration) {
    const std::size_t number = static_cast<std::size_t>(loop);
    alone_ += loops_.fastest[number].of(problem_.sets[static_cast<std::size_t>(problem_.loops[number].set)].size);
  }
  const char *from = "given";
  if (options_.latency > 0) {
    wire_ = {options_.latency, options_.bandwidth};
  } else if (scale::has_ranks()) {
    wire_ = scale::measure_wire(2, samples());
    from = "measured between two ranks here";
  } else {
    wire_ = {2e-6, 1e10};
    from = "assumed, there is no MPI here";
  }
  std::printf(
      "one process: %.1f us in an iteration, the loops alone %.1f us, %.2f ns per cell; latency %.2f us, "
      "bandwidth %.2f GB/s (%s)\n",
      1e6 * loops_.fastest_iteration, 1e6 * alone_, 1e9 * alone_ / mesh_.ncell, 1e6 * wire_.latency,
      1e-9 * wire_.bandwidth, from);
  bench::result("scale.model.latency", 1e6 * wire_.latency, "us", from);
  bench::result("scale.model.bandwidth", 1e-9 * wire_.bandwidth, "GB/s", from);
  bench::result("scale.1.predicted", 1e3 * alone_, "ms");
  bench::result("scale.1.measured", 1e3 * loops_.fastest_iteration, "ms");
}

void Study::predict() {
  std::vector<scale::Row> rows;
  scale::print_header();
  double worst_growth = 0;
  for (int parts = 2; parts <= options_.most; parts *= 2) {
    const Division division = divide(parts);
    rows.push_back(scale::row_of(problem_, division.halos, schedule_, loops_.fastest, wire_, parts));
    rows.back().seconds = division.seconds;
    scale::print_row(rows.back(), alone_);
    predict_chains(division, rows.back());
    if (rows.size() > 1)
      worst_growth = std::max(worst_growth, rows.back().memory.most / rows[rows.size() - 2].memory.most);
  }
  for (const scale::Row &row : rows) scale::report_row(row, alone_);
  if (rows.size() > 1) bench::exact("scale.memory.twice_the_parts", worst_growth, 1, "x");
  if (options_.csv.empty()) return;
  const std::unique_ptr<std::FILE, int (*)(std::FILE *)> file(std::fopen(options_.csv.c_str(), "w"), std::fclose);
  if (!file) throw std::runtime_error("cannot write " + options_.csv + ": " + std::strerror(errno));
  scale::write_csv(file.get(), problem_, rows, alone_);
}

// How many counts of elements differ on any rank.
void Study::compare_halos(const scale::RealRun &real, const std::vector<scale::SetHalo> &halos,
                          const std::string &name) const {
  int differences = 0;
  for (std::size_t set = 0; set < halos.size(); ++set)
    for (std::size_t rank = 0; rank < real.messages.size(); ++rank)
      for (const auto &[paper, counted] :
           {std::pair{&halos[set].owned, &real.owned[set]}, std::pair{&halos[set].core, &real.core[set]},
            std::pair{&halos[set].exec, &real.exec[set]}, std::pair{&halos[set].nonexec, &real.nonexec[set]}})
        differences += (*paper)[rank] != (*counted)[rank] ? 1 : 0;
  bench::exact(name + "halo_differences", differences, 0, "counts");
}

// Two predictions: with a core and a memory for each rank, as the table has it, and with what the ranks share here. For
// the second one the loops are measured while as many processes as there are cores run them at once. On a machine with
// other work its parts are still luckier than a job whose ranks must all run to meet.
void Study::compare_times(int ranks, const scale::RealRun &real, const std::vector<scale::SetHalo> &halos) const {
  const scale::Wire wire = options_.latency > 0 ? wire_ : scale::measure_wire(ranks, samples());
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  const scale::MeasuredLoops shared =
      scale::measure_loops({scale::grid_of(mesh_.ncell / ranks)}, std::min(ranks, cores));
  const auto predicted = [&](const std::vector<scale::LoopTime> &times) {
    return scale::predict(problem_, halos, schedule_, times, wire, ranks);
  };
  const scale::Prediction free = predicted(loops_.fastest), here = predicted(shared.median);
  const double turns = std::max(1.0, static_cast<double>(ranks) / cores); // ranks on one core
  const double expected = turns * here.work + here.total - here.work;
  const std::string name = "scale." + std::to_string(ranks) + "_ranks.";
  bench::result(name + "measured", 1e3 * real.fastest, "ms");
  bench::result(name + "measured_median", 1e3 * real.iteration, "ms");
  bench::result(name + "predicted", 1e3 * free.total, "ms");
  bench::result(
      name + "predicted_here", 1e3 * expected, "ms",
      "sharing the memory" + (turns > 1 ? " and taking turns on " + std::to_string(cores) + " cores" : std::string()));
  bench::result(name + "measured_to_predicted_here", real.iteration / expected, "x", "medians");
  bench::result(name + "measured_to_one_process", real.fastest / loops_.fastest_iteration, "x");
}

// The residual once in a chain, and as often without chains.
void Study::predict_chains(const Division &division, const scale::Row &apart) const {
  for (const int iterations : iterations_in_a_chain) {
    const scale::ChainStudy chain = scale::chain_of(problem_, iterations);
    const std::vector<scale::DeepHalo> halos =
        scale::build_deep_halos(problem_, division.owner, apart.parts, chain.plan.depth);
    const scale::Prediction time = scale::predict(problem_, halos, chain, loops_.fastest, wire_, apart.parts);
    const scale::Traffic sent = scale::traffic(problem_, halos, chain, apart.parts);
    const double without = apart.time.total - apart.time.reductions + time.reductions;
    const double messages = static_cast<double>(sent.messages()) / iterations;
    std::printf(
        "       %d in a chain, %d layers: %5.2f of the messages, %5.2f of the bytes, %6.2f%% redundant, work %9.1f us, "
        "messages %7.1f us, total %9.1f us; without chains %9.1f us\n",
        iterations, chain.plan.depth, messages / static_cast<double>(apart.all_messages),
        static_cast<double>(sent.bytes()) / iterations / static_cast<double>(apart.all_bytes), 100 * time.redundant,
        1e6 * time.work, 1e6 * time.messages, 1e6 * time.total, 1e6 * without);
    const std::string name = "scale." + std::to_string(apart.parts) + ".chain" + std::to_string(iterations) + ".";
    bench::result(name + "predicted", 1e3 * time.total, "ms");
    bench::result(name + "without", 1e3 * without, "ms");
    bench::result(name + "messages", messages / static_cast<double>(apart.all_messages), "x",
                  "of those without chains");
    bench::result(name + "redundant", 100 * time.redundant, "%");
  }
}

void Study::compare_chains(int ranks) {
  const Division division = divide(ranks);
  for (const int iterations : iterations_in_a_chain) {
    const scale::ChainStudy chain = scale::chain_of(problem_, iterations);
    const scale::Traffic paper = scale::traffic(
        problem_, scale::build_deep_halos(problem_, division.owner, ranks, chain.plan.depth), chain, ranks);
    const scale::RealRun real = scale::run_on_ranks(ranks, grid_, division.owner[scale::airfoil_cells], 3, iterations);
    std::int64_t messages = 0, bytes = 0;
    for (std::size_t rank = 0; rank < real.messages.size(); ++rank) {
      messages += std::abs(real.messages[rank] - paper.messages_out[rank]);
      bytes += std::abs(real.bytes[rank] - paper.bytes_out[rank]);
      std::printf(
          "rank %zu of %d, %d iterations in a chain: %lld messages, %lld bytes in a chain; on paper %lld, %lld\n", rank,
          ranks, iterations, static_cast<long long>(real.messages[rank]), static_cast<long long>(real.bytes[rank]),
          static_cast<long long>(paper.messages_out[rank]), static_cast<long long>(paper.bytes_out[rank]));
    }
    const std::string name = "scale." + std::to_string(ranks) + "_ranks.chain" + std::to_string(iterations) + ".";
    bench::exact(name + "messages_difference", static_cast<double>(messages), 0, "messages");
    bench::exact(name + "bytes_difference", static_cast<double>(bytes), 0, "bytes");
  }
}

void Study::compare(int ranks) {
  const Division division = divide(ranks);
  const int iterations = options_.quick ? 5 : 30;
  const scale::RealRun real = scale::run_on_ranks(ranks, grid_, division.owner[scale::airfoil_cells], iterations);
  const scale::Traffic paper = scale::traffic(problem_, division.halos, schedule_.later, ranks);
  const std::string name = "scale." + std::to_string(ranks) + "_ranks.";
  std::int64_t messages = 0, bytes = 0; // of all ranks: how far off
  for (std::size_t rank = 0; rank < real.messages.size(); ++rank) {
    messages += std::abs(real.messages[rank] - paper.messages_out[rank]);
    bytes += std::abs(real.bytes[rank] - paper.bytes_out[rank]);
    std::printf("rank %zu of %d: %lld messages, %lld bytes in an iteration; on paper %lld, %lld\n", rank, ranks,
                static_cast<long long>(real.messages[rank]), static_cast<long long>(real.bytes[rank]),
                static_cast<long long>(paper.messages_out[rank]), static_cast<long long>(paper.bytes_out[rank]));
  }
  bench::exact(name + "messages_difference", static_cast<double>(messages), 0, "messages");
  bench::exact(name + "bytes_difference", static_cast<double>(bytes), 0, "bytes");
  compare_halos(real, division.halos, name);
  compare_times(ranks, real, division.halos);
}

} // namespace

int main(int argc, char **argv) {
  const Options options = options_of(argc, argv);
  try {
    Study(options).run();
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
    return 1;
  }
}

// SPDX-License-Identifier: MIT
