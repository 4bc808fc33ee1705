// gpu_patterns.cpp: what patterns of messages between processes with GPUs cost when the host sends and waits, when
// streams do (OP2_GPU_DIRECT=ipc), and when kernels do: calls, stream operations, waits of the host and flags of an
// exchange on the emulated driver; times, and what the two ways gain, on a GPU.
//
// Starts itself again under op2_launch for each pattern and way, so no MPI is needed.
#include <op2/compat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <map>
#include <op2/op2.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/measure.hpp"
#include "common/report.hpp"
#include "gpu/gpu_driver.hpp"
#include "gpu/patterns/patterns.hpp"
#include "gpu/patterns/trace_counts.hpp"

namespace {

struct Way {
  const char *name, *setting;
};
constexpr std::array ways = {Way{"host", "off"}, Way{"stream", "ipc"}, Way{"kernel", "kernel"}};
constexpr int first_rounds = 12; // until sequences of launches are known and ways have been measured

struct Options {
  bool quick = false;
  std::string only; // a pattern
};

// What one process says of a pattern and a size, in one round.
struct Figures {
  int n = 0;
  bool emulated = false;
  bench::TraceCounts counts;
  double seconds = 0, answer = 0;
};

const bench::PatternKind &find(const std::string &name) {
  for (const bench::PatternKind &kind : bench::patterns())
    if (name == kind.name) return kind;
  throw std::runtime_error("there is no pattern '" + name + "'");
}

double time_now() { // when all work is done
  double wall = 0;
  op_timers(nullptr, &wall);
  return wall;
}

// In a process of the job: rank 0 prints the figures for each size.
void measure(const bench::PatternKind &kind, int n, int rounds, const std::string &trace) {
  const op2::context context("shm+cuda", 1);
  int rank = 0;
  op_rank(&rank);
  const std::unique_ptr<bench::Pattern> pattern = kind.make(n);
  for (int i = 0; i < first_rounds; ++i) pattern->round();
  bench::TraceCounts before, after, done;
  const double start = time_now();
  const bool emulated = before.read(trace);
  for (int i = 0; i < rounds; ++i) pattern->round();
  after.read(trace); // before the clock waits
  const double seconds = (time_now() - start) / rounds, answer = pattern->answer();
  if (rank != 0) return;
  done.read(trace); // kernels raise flags when they run
  after.flags = done.flags;
  const bench::TraceCounts each = after.since(before, rounds);
  std::printf("figures %d %d %.9g %.9g %.9g %.9g %.9g %.9g %.17g\n", n, emulated ? 1 : 0, each.calls, each.operations,
              each.waits, each.flags, each.packs, seconds, answer);
}

std::vector<Figures> run_processes(const char *program, const bench::PatternKind &kind, const Way &way,
                                   const Options &options, const std::string &folder) {
  setenv("OP2_GPU_DIRECT", way.setting, 1);
  setenv("FAKE_CUDA_TRACE", (folder + "/" + kind.name + way.name + ".%p").c_str(), 1);
  const std::string command = std::string(OP2_BENCH_LAUNCH) + " -n " +
                              std::to_string(options.quick ? std::min(kind.processes, 4) : kind.processes) + " '" +
                              program + "'" + (options.quick ? " --quick" : "") + " --in-job " + kind.name;
  std::FILE *const out = popen(command.c_str(), "r");
  if (!out) throw std::runtime_error("cannot start " + command);
  std::vector<Figures> all;
  std::array<char, 512> line{};
  while (std::fgets(line.data(), static_cast<int>(line.size()), out)) {
    std::istringstream words(line.data());
    std::string word;
    Figures f;
    auto &c = f.counts;
    if (words >> word >> f.n >> f.emulated >> c.calls >> c.operations >> c.waits >> c.flags >> c.packs >> f.seconds >>
            f.answer &&
        word == "figures")
      all.push_back(f);
  }
  if (pclose(out) != 0 || all.empty())
    throw std::runtime_error(std::string("pattern ") + kind.name + " fails with messages by the " + way.name);
  return all;
}

// exchanges: of a round, which the launches that pack rows tell where loops do not pack themselves.
void show_counts(const std::string &row, const bench::PatternKind &kind, const Way &way, const Figures &f,
                 double exchanges) {
  const auto each = [&](const char *column, double count) {
    bench::result(row + "." + way.name + "_" + column, count / exchanges, "count");
  };
  each("calls", f.counts.calls);
  each("operations", f.counts.operations);
  each("waits", f.counts.waits);
  each("flags", f.counts.flags);
  const bool by_host = std::strcmp(way.name, "host") == 0;
  if (!by_host && !kind.host_looks) bench::exact(row + "." + way.name + "_waits", f.counts.waits, 0, "count");
  // The host sees each round of a search, so nothing can be put on streams ahead.
  if (kind.host_looks) bench::exact(row + "." + way.name + "_ahead", f.counts.waits > 0 ? 0 : 1, 0, "count");
}

void compare(const char *program, const bench::PatternKind &kind, const Options &options, const std::string &folder) {
  std::vector<std::vector<Figures>> all;
  for (const Way &way : ways) all.push_back(run_processes(program, kind, way, options, folder));
  for (std::size_t i = 0; i < all[0].size(); ++i) {
    const Figures &host = all[0][i];
    const std::string row = std::string("gpu_patterns.") + kind.name + "." + std::to_string(host.n);
    if (host.emulated) bench::result(row + ".exchanges", host.counts.packs, "count");
    for (std::size_t w = 0; w < ways.size(); ++w) {
      const Figures &f = all[w].at(i);
      bench::exact(row + "." + ways[w].name + "_difference", f.answer == host.answer ? 0 : 1, 0, "count");
      if (f.emulated) {
        show_counts(row, kind, ways[w], f, host.counts.packs);
        continue; // an emulated device has no time
      }
      bench::result(row + "." + ways[w].name, 1e6 * f.seconds, "us");
      if (w > 0) bench::result(row + "." + ways[w].name + "_gain", 100 * (1 - f.seconds / host.seconds), "%");
    }
  }
}

Options read_options(int argc, char **argv, std::string &in_job) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--quick") {
      options.quick = true;
    } else if ((word == "--pattern" || word == "--in-job") && i + 1 < argc) {
      (word == "--pattern" ? options.only : in_job) = argv[++i];
    } else {
      std::string names;
      for (const bench::PatternKind &kind : bench::patterns()) names += std::string(" ") + kind.name;
      std::fprintf(word == "--help" ? stdout : stderr, "usage: %s [--quick] [--pattern NAME]\nNAME:%s\n", argv[0],
                   names.c_str());
      std::exit(word == "--help" ? 0 : 2);
    }
  }
  return options;
}

void prepare() {
  for (const auto &[name, value] : std::map<const char *, const char *>{{"OP2_DECLARE", "local"},
                                                                        {"OP2_PARTITION", "off"},
                                                                        {"OP2_RENUMBER", "off"},
                                                                        {"OP2_FALLBACK", "error"},
                                                                        {"OP2_CHAIN_DEPTH", "4"},
                                                                        {"OP2_RACE", "gather"}}) // for the same bits
    setenv(name, value, 1);
}

std::string replaced(std::string text, const std::string &what, const std::string &by) {
  if (const std::size_t at = text.find(what); at != std::string::npos) text.replace(at, what.size(), by);
  return text;
}

} // namespace

int main(int argc, char **argv) try {
  std::string in_job;
  const Options options = read_options(argc, argv, in_job);
  if (!in_job.empty()) {
    const char *const trace = std::getenv("FAKE_CUDA_TRACE");
    const std::string file = replaced(trace ? trace : "", "%p", std::to_string(getpid()));
    for (const int n : options.quick ? std::vector<int>{4} : std::vector<int>{4, 16, 64})
      measure(find(in_job), n, options.quick ? 4 : 50, file);
    return 0;
  }
  std::string why;
  if (!bench::GpuDriver::open(why)) {
    bench::skip("gpu_patterns", why);
    return 0;
  }
  prepare();
  std::string folder = (std::filesystem::temp_directory_path() / "op2_patterns.XXXXXX").string();
  if (!mkdtemp(folder.data())) throw std::runtime_error("cannot make a folder for counts");
  for (const bench::PatternKind &kind : bench::patterns())
    if (options.only.empty() || options.only == kind.name) compare(argv[0], kind, options, folder);
  std::filesystem::remove_all(folder);
  return 0;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}

// SPDX-License-Identifier: MIT
