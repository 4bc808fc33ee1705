// async_output.cpp: airfoil that writes its flow field now and then: what a call in the background costs beside a copy
// of the same bytes, what it costs the run beside no output and beside the call that waits, and how that depends on the
// work between two outputs.
//
// Judged: the call takes at most twice as long as the copy; output every 50 iterations costs at most 10 %.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "airfoil/airfoil_library.hpp"
#include "common/measure.hpp"
#include "common/report.hpp"

namespace {

constexpr double most_to_memcpy = 2, most_to_none = 1.1;

enum class Output { none, waits, in_background };

void need(op_status status) {
  if (status != OP_OK) throw std::runtime_error(op_last_error());
}

// A solver and a place for its files, each of which holds the field once. Nothing is left of them.
class Run {
 public:
  explicit Run(const naca::Mesh &mesh) : cells_(mesh.ncell), library_(mesh, "self+seq", 1) {
    const char *const folder = std::getenv("TMPDIR");
    stem_ = (folder ? folder : "/tmp") + std::string("/op2_bench_async.") + std::to_string(getpid()) + ".";
    for (int i = 0; i < 3; ++i) library_.iterate(); // all is compiled and in place
    iterate(Output::in_background, 2, 1);           // pages of the copies
  }
  ~Run() { remove(); }
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;

  // Seconds of `outputs` times an output and iterations behind it, until all files are there.
  double iterate(Output output, int outputs, int iterations) {
    remove();
    const double seconds = bench::seconds([&] {
      for (int i = 0; i < outputs; ++i) {
        if (output != Output::none) write(output);
        for (int k = 0; k < iterations; ++k) library_.iterate();
      }
      need(op_io_wait(nullptr));
    });
    if (files_ != (output == Output::none ? 0 : outputs)) throw std::runtime_error("files are missing");
    return seconds;
  }
  // Of the call alone.
  double call() {
    remove();
    const double seconds = bench::seconds([&] { write(Output::in_background); });
    need(op_io_wait(nullptr));
    return seconds;
  }
  [[nodiscard]] std::size_t bytes() const { return sizeof(double) * 4 * static_cast<std::size_t>(cells_); }
  void copy(std::vector<double> &into) {
    library_.on_memory([&](const AirfoilArrays &arrays) {
      copied_ = bench::seconds([&] { std::memcpy(into.data(), arrays.q, bytes()); });
    });
  }
  [[nodiscard]] double copied() const { return copied_; }

 private:
  [[nodiscard]] std::string name(int number) const { return stem_ + std::to_string(number) + ".h5"; }
  void write(Output output) {
    const std::string file = name(files_++);
    need((output == Output::waits ? op_fetch_data_hdf5_file : op_fetch_data_hdf5_file_async)(library_.flow(),
                                                                                             file.c_str()));
  }
  void remove() {
    while (files_ > 0) std::remove(name(--files_).c_str());
  }

  int cells_, files_ = 0;
  double copied_ = 0;
  std::string stem_;
  AirfoilLibrary library_;
};

void measure_call(Run &run) {
  bench::Pairs pairs;
  std::vector<double> copy(run.bytes() / sizeof(double), 1.0);
  for (int i = 0; i < 2 * bench::fewest_pairs + 1; ++i) {
    run.copy(copy);
    pairs.add(run.copied(), run.call());
  }
  bench::result("async_output.call.memcpy", 1e3 * bench::median(pairs.yardstick), "ms");
  bench::result("async_output.call.call", 1e3 * bench::median(pairs.subject), "ms");
  bench::check("async_output.call.to_memcpy", pairs.ratio(), most_to_memcpy, bench::Better::below, "x");
}

void measure_loop(Run &run, int outputs) {
  constexpr int between = 50;
  bench::Pairs pairs;
  for (int i = 0; i < bench::fewest_pairs; ++i) {
    const double without = run.iterate(Output::none, outputs, between);
    pairs.add(without, run.iterate(Output::in_background, outputs, between));
  }
  bench::result("async_output.every_50.none", 1e3 * bench::median(pairs.yardstick), "ms");
  bench::result("async_output.every_50.background", 1e3 * bench::median(pairs.subject), "ms");
  if (std::thread::hardware_concurrency() > 1)
    bench::check("async_output.every_50.to_none", pairs.ratio(), most_to_none, bench::Better::below, "x");
  else
    bench::skip("async_output.every_50.to_none", "this machine has one core, and the thread none of its own");
}

// By the work between outputs: its ratio to the time of an output that waits, and how much of that is hidden. On a
// small mesh, where an output takes as long as some iterations.
void measure_curve(Run &run, int rounds) {
  constexpr int outputs = 4;
  for (const int between : {1, 2, 5, 10, 20, 50}) {
    std::vector<double> none, waits, background;
    for (int i = 0; i < rounds; ++i) {
      none.push_back(run.iterate(Output::none, outputs, between));
      waits.push_back(run.iterate(Output::waits, outputs, between));
      background.push_back(run.iterate(Output::in_background, outputs, between));
    }
    const double work = bench::median(none), all = bench::median(waits), seen = bench::median(background);
    const std::string row = "async_curve.every_" + std::to_string(between) + ".";
    bench::result(row + "waits_to_none", all / work, "x");
    bench::result(row + "background_to_none", seen / work, "x");
    if (all < 1.05 * work) continue; // what is left is noise
    bench::result(row + "work_to_output", work / (all - work), "x");
    bench::result(row + "hidden", 100 * (all - seen) / (all - work), "%");
  }
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  setenv("OP2_ERROR", "return", 1);
  try {
    const naca::Mesh small = naca::make_mesh(96, 144);
    {
      Run run(quick ? small : naca::make_mesh(240, 350));
      measure_call(run);
      measure_loop(run, quick ? 1 : 2);
    }
    Run run(small);
    measure_curve(run, quick ? 1 : 5);
    return 0;
  } catch (const std::exception &error) {
    if (op_last_status() != OP_ERR_BACKEND) {
      std::fprintf(stderr, "bench_async_output: %s\n", error.what());
      return 1;
    }
    bench::skip("async_output", "built without HDF5 (package libhdf5-dev)");
    return 0;
  }
}

// SPDX-License-Identifier: MIT
