// compile_cost.cpp: what the first call of each airfoil loop costs when its code must be compiled, and when a program
// before has left that code in the cache folder.
//
// Each figure is the first call of a loop in a process of its own, less a later call; with OP2_JIT=off it is what
// checks, plans and the first touch of memory cost anyway. Judged: the cache must save most of the compiler's time.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "airfoil/airfoil_library.hpp"
#include "common/measure.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"

namespace {

using Costs = std::array<double, AIRFOIL_KERNELS>;

Costs first_calls(const naca::Mesh &mesh) {
  AirfoilLibrary library(mesh, "seq", 1);
  Costs costs{};
  for (int kernel = 0; kernel < AIRFOIL_KERNELS; ++kernel) {
    const double first = bench::seconds([&] { library.run(kernel); });
    const double later = bench::seconds([&] { library.run(kernel); });
    costs[static_cast<std::size_t>(kernel)] = std::max(0.0, first - later);
  }
  return costs;
}

// first_calls() in a process of its own with these settings.
Costs in_process(const naca::Mesh &mesh, const std::string &jit, const std::string &cache) {
  int answers[2];
  if (pipe(answers) != 0) throw std::runtime_error("cannot make a pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) {
    int code = 1;
    try {
      const bench::Setting form("OP2_JIT", jit), folder("OP2_JIT_CACHE", cache);
      const Costs costs = first_calls(mesh);
      code = write(answers[1], costs.data(), sizeof costs) == sizeof costs ? 0 : 1;
    } catch (const std::exception &error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
    _exit(code);
  }
  close(answers[1]);
  Costs costs{};
  const bool answered = read(answers[0], costs.data(), sizeof costs) == sizeof costs;
  close(answers[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (!answered || status != 0) throw std::runtime_error("a process ended before it had run all loops");
  return costs;
}

// A folder that is gone at the end.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "op2_bench_XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("cannot make a folder " + name);
    name_ = name;
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(name_, ignored);
  }
  [[nodiscard]] const std::string &name() const { return name_; }

 private:
  std::string name_;
};

// Medians over the processes, loop by loop; all loops together behind them.
double report(const std::string &state, const std::vector<Costs> &processes) {
  double total = 0;
  for (std::size_t kernel = 0; kernel < AIRFOIL_KERNELS; ++kernel) {
    std::vector<double> costs;
    for (const Costs &process : processes) costs.push_back(process[kernel]);
    const double cost = bench::median(costs);
    bench::result("compile." + state + "." + airfoil_kernel_names[kernel], 1e3 * cost, "ms");
    total += cost;
  }
  bench::result("compile." + state + ".total", 1e3 * total, "ms");
  return total;
}

} // namespace

int main(int argc, char **argv) {
  const int processes = bench::quick(argc, argv) ? 1 : 11;
  const char *const judged = "compile.warm_to_cold.total", *const judged_first = "compile.first_to_cold.total";
  if (!bench::has_setting("OP2_JIT") || !bench::has_setting("OP2_JIT_CACHE")) {
    for (const char *name : {judged, judged_first})
      bench::skip(name, "this library has no settings OP2_JIT and OP2_JIT_CACHE");
    return 0;
  }
  const naca::Mesh mesh = naca::make_mesh(96, 144);
  std::vector<Costs> off, first, cold, warm;
  for (int i = 0; i < processes; ++i) {
    const Folder cache, cache_of_first;
    first.push_back(in_process(mesh, "auto", cache_of_first.name()));
    off.push_back(in_process(mesh, "off", cache.name()));
    cold.push_back(in_process(mesh, "on", cache.name()));
    warm.push_back(in_process(mesh, "on", cache.name()));
  }
  const double without = report("off", off), compiled = report("cold", cold), cached = report("warm", warm),
               begun = report("first", first);
  if (compiled - without < 0.01) {
    for (const char *name : {judged, judged_first})
      bench::skip(name, "nothing was compiled: no compiler, or the cache is not that folder");
    return 0;
  }
  for (const auto &[name, ratio, bound] :
       {std::tuple{judged, cached / compiled, 0.05}, std::tuple{judged_first, begun / compiled, 0.6}}) {
    bench::result(name, ratio, "x");
    bench::check(name, ratio, bound, bench::Better::below, "x");
  }
  return 0;
}

// SPDX-License-Identifier: MIT
