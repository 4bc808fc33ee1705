// chains.cpp: loops that run together in tiles that stay in cache, in turn with loop after loop: iterations of airfoil,
// which reduce into globals of the library or, ending each chain, into variables, Jacobi relaxation with and without
// a residual, transport and flow on tetrahedra.
//
// Judged: ratios on one core and on two threads, on meshes that no cache holds; and that small meshes lose nothing.
// An argument that is no option names the only row to be measured ("airfoil.1M", "jacobi.4M.two_threads").
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "airfoil/airfoil_library.hpp"
#include "chain_rows/euler.hpp"
#include "chain_rows/tets.hpp"
#include "common/alternate.hpp"
#include "common/back_ends.hpp"
#include "common/report.hpp"

namespace {

// Neighbours of a node of a square grid share its value.
void spread(const double *a, const double *b, double *to_a, double *to_b) {
  *to_a += 0.25 * *b;
  *to_b += 0.25 * *a;
}

void relax(double *u, double *sum, const double *source) {
  *u = *sum + *source;
  *sum = 0.0;
}

void correct(double *u, double *sum, const double *source, double *change) {
  const double next = *sum + *source, difference = next - *u;
  *u = next;
  *sum = 0.0;
  *change += difference * difference;
}

struct Team {
  const char *name, *executor;
  int threads;
};
constexpr Team one{"", "seq", 1}, two{".two_threads", "openmp", 2};

class Jacobi {
 public:
  Jacobi(int width, const Team &team)
      : context_(team.executor, team.threads),
        nodes_(width * width, "nodes"),
        edges_(2 * width * (width - 1), "edges"),
        ends_(edges_, nodes_, 2, ends(width), "ends"),
        u_(nodes_, std::vector<double>(static_cast<std::size_t>(width) * static_cast<std::size_t>(width), 1.0), "u"),
        sum_(nodes_, nullptr, "sum"),
        source_(nodes_, nullptr, "source") {}

  void sweep(int count, bool together) {
    if (together) op_chain_begin("sweeps");
    for (int k = 0; k < count; ++k) {
      op_par_loop(spread, "spread", edges_, op2::read(u_, 0, ends_), op2::read(u_, 1, ends_), op2::inc(sum_, 0, ends_),
                  op2::inc(sum_, 1, ends_));
      op_par_loop(relax, "relax", nodes_, op2::rw(u_), op2::rw(sum_), op2::read(source_));
    }
    if (together) op_chain_end();
  }
  // With a sum in a variable after each sweep, as a program has it that looks whether it is done.
  void sweep_and_look(int count) {
    double change = 0;
    for (int k = 0; k < count; ++k) {
      op_par_loop(spread, "spread", edges_, op2::read(u_, 0, ends_), op2::read(u_, 1, ends_), op2::inc(sum_, 0, ends_),
                  op2::inc(sum_, 1, ends_));
      change = 0;
      op_par_loop(correct, "correct", nodes_, op2::rw(u_), op2::rw(sum_), op2::read(source_), op2::gbl_inc(&change));
    }
  }

 private:
  static std::vector<int> ends(int width) {
    std::vector<int> out;
    for (int j = 0; j < width; ++j)
      for (int i = 0; i < width; ++i) {
        const int n = j * width + i;
        if (i + 1 < width) out.insert(out.end(), {n, n + 1});
        if (j + 1 < width) out.insert(out.end(), {n, n + width});
      }
    return out;
  }

  op2::context context_;
  op2::set nodes_, edges_;
  op2::map ends_;
  op2::dat<double, 1> u_, sum_, source_;
};

std::string only; // the row to be measured, "" = all

// processes: of each kind, one after the other: where pages lie makes more of a difference in cache than what is
// judged.
void measure(const std::string &name, double most, int pairs, int processes,
             const std::function<bench::Variant::Run(bool)> &prepare) {
  if (!only.empty() && only != name) return;
  const std::string row = "chains." + name;
  bench::Pairs times;
  for (int p = 0; p < processes; ++p) {
    bench::Variant apart("loop after loop", [&] { return prepare(false); });
    bench::Variant together("chain", [&] { return prepare(true); });
    for (int warm = 0; warm < 64; ++warm) apart.sample(), together.sample(); // forms and tiles are chosen by time
    const bench::Pairs more = bench::alternate(apart, together, pairs);
    for (std::size_t k = 0; k < more.subject.size(); ++k) times.add(more.yardstick[k], more.subject[k]);
  }
  bench::result(row + ".apart", 1e3 * bench::median(times.yardstick), "ms");
  bench::result(row + ".chain", 1e3 * bench::median(times.subject), "ms");
  bench::check(row + ".chain_to_apart", times.ratio(), most, bench::Better::below, "x");
}

// in_chain: iterations; 0: those that OP2_CHAIN=auto makes of a program that reduces into its variables
void airfoil(const std::string &size, int i, int j, int in_chain, int iterations, const Team &team, double most,
             int pairs) {
  measure("airfoil." + size + team.name, most, pairs, most > 1 ? 5 : 1, [&](bool together) -> bench::Variant::Run {
    setenv("OP2_CHAIN", together && in_chain == 0 ? "auto" : "off", 1);
    const auto library = std::make_shared<AirfoilLibrary>(naca::make_mesh(i, j), team.executor, team.threads);
    return [library, iterations, chain = together ? in_chain : 0] {
      for (int k = 0; k < iterations; k += std::max(chain, 1))
        if (chain > 0)
          library->iterate_in_chain(chain);
        else
          library->iterate();
    };
  });
}

void jacobi(const std::string &size, int width, const Team &team, double most, int pairs) {
  measure("jacobi." + size + team.name, most, pairs, 1, [&](bool together) -> bench::Variant::Run {
    const auto problem = std::make_shared<Jacobi>(width, team);
    return [problem, together] { problem->sweep(20, together); };
  });
}

// What OP2_CHAIN=auto makes of programs that look at a sum after each sweep.
void residual(const std::string &size, int width, const Team &team, double most, int pairs) {
  measure("residual." + size + team.name, most, pairs, 5, [&](bool together) -> bench::Variant::Run {
    setenv("OP2_CHAIN", together ? "auto" : "off", 1);
    const auto problem = std::make_shared<Jacobi>(width, team);
    return [problem] { problem->sweep_and_look(100); };
  });
}

void tets(const std::string &size, int n, const Team &team, double most, int pairs) {
  measure("tets." + size + team.name, most, pairs, 1, [&](bool together) -> bench::Variant::Run {
    const auto steps = std::make_shared<TetSteps>(n, team.executor, team.threads);
    return [steps, together] { steps->run(2, together); };
  });
}

void euler(const std::string &size, int n, int order, const Team &team, double most, int pairs) {
  measure("euler3d." + size + team.name, most, pairs, most > 1 ? 5 : 1, [&](bool together) -> bench::Variant::Run {
    const auto steps = std::make_shared<EulerSteps>(n, order, team.executor, team.threads);
    return [steps, together] { steps->run(1, together); };
  });
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 1 && argv[argc - 1][0] != '-') only = argv[--argc];
  const bool quick = bench::quick(argc, argv);
  const int pairs = quick ? bench::pairs_to_show : 11;
  const bool threads = std::thread::hardware_concurrency() >= 2 && bench::has_executor("openmp");
  if (!threads) bench::skip("chains.two_threads", "it takes two cores and executor openmp");
  for (const Team &team : {one, two}) {
    if (team.threads > 1 && !threads) continue;
    airfoil("40k", 96, 144, 0, 10, team, 1.02, pairs);
    residual("40k", 200, team, 1.02, pairs);
    if (quick) continue;
    const double most = team.threads > 1 ? 0.80 : 0.75;
    airfoil("40k_globals", 96, 144, 1, 10, team, 1.02, pairs);
    airfoil("1M_variables", 480, 700, 0, 4, team, 1.02, pairs);
    airfoil("1M", 480, 700, 1, 4, team, most, pairs);
    airfoil("1M_4", 480, 700, 4, 4, team, most, pairs);
    airfoil("1M_7", 480, 700, 7, 7, team, most, pairs);
    airfoil("4M_4", 960, 1400, 4, 4, team, most, pairs);
    jacobi("4M", 2000, team, 0.50, pairs);
    euler("384k", 40, 1, team, 1.02, pairs);
    euler("1.3M", 60, 1, team, 0.95, pairs);
    euler("384k_slopes", 40, 2, team, 0.95, pairs);
    if (team.threads == 1) tets("1M", 55, team, 0.85, pairs);
  }
  return 0;
}

// SPDX-License-Identifier: MIT
