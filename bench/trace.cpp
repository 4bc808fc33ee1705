// trace.cpp: lines through tetrahedra, cubes and hexahedra that are bent, per step of Runge-Kutta's classical method,
// on one and two threads, and beside vtkStreamTracer on the same mesh with the same seeds and steps, where Debian's
// python3-vtk9 is installed. The velocity is the ABC flow (V. I. Arnold 1965, S. Childress 1970), whose lines fill the
// cube without order.
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/measure.hpp"
#include "common/report.hpp"
#include "common/settings.hpp"
#include "op2/op2.hpp"

namespace {

constexpr double edge = 6.283185307179586; // of the cube
constexpr double step = 0.02, longest = 12;

std::array<double, 3> abc_flow(const double *x) {
  const double a = std::sqrt(3.0), b = std::sqrt(2.0), c = 1;
  return {a * std::sin(x[2]) + c * std::cos(x[1]), b * std::sin(x[0]) + a * std::cos(x[2]),
          c * std::sin(x[1]) + b * std::cos(x[0])};
}

struct Cube {
  std::vector<double> x, velocity, seeds;
  std::vector<int> cells;
  int corners, count = 0;

  // n small cubes along each edge, six tetrahedra each if corners is 4. Nodes inside move by up to `bend` of a small
  // cube's edge.
  Cube(int n, int nodes_of_a_cell, int seed_count, double bend = 0) : corners(nodes_of_a_cell) {
    const int m = n + 1;
    unsigned moved = 54321;
    for (int node = 0; node < m * m * m; ++node) {
      const int place[] = {node % m, node / m % m, node / m / m};
      double at[3];
      for (int k = 0; k < 3; ++k) {
        moved = moved * 1664525u + 1013904223u;
        const bool inside = place[k] > 0 && place[k] < n;
        at[k] = edge / n * (place[k] + (inside ? bend * (static_cast<double>(moved >> 8) / (1 << 23) - 1) : 0));
      }
      const std::array<double, 3> v = abc_flow(at);
      x.insert(x.end(), at, at + 3);
      velocity.insert(velocity.end(), v.begin(), v.end());
    }
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) add(i, j, k, m);
    unsigned random = 12345;
    for (int i = 0; i < 3 * seed_count; ++i) {
      random = random * 1664525u + 1013904223u;
      seeds.push_back(edge * (0.1 + 0.8 * static_cast<double>(random >> 8) / (1 << 24)));
    }
  }

 private:
  void add(int i, int j, int k, int m) {
    const auto node = [&](int a, int b, int c) { return ((k + c) * m + j + b) * m + i + a; };
    const int c[] = {node(0, 0, 0), node(1, 0, 0), node(1, 1, 0), node(0, 1, 0),
                     node(0, 0, 1), node(1, 0, 1), node(1, 1, 1), node(0, 1, 1)};
    if (corners == 8) {
      cells.insert(cells.end(), c, c + 8);
      ++count;
      return;
    }
    for (const auto &[a, b] : {std::pair{1, 2}, {2, 3}, {3, 7}, {7, 4}, {4, 5}, {5, 1}}) {
      for (const int corner : {0, a, b, 6}) cells.push_back(c[corner]);
      ++count;
    }
  }
};

// The cube in the library.
struct Declared {
  explicit Declared(const Cube &cube)
      : nodes(static_cast<int>(cube.x.size() / 3), "nodes"),
        cells(cube.count, "cells"),
        cell_nodes(cells, nodes, cube.corners, cube.cells.data(), "cell_nodes"),
        x(nodes, cube.x.data(), "x"),
        velocity(nodes, cube.velocity.data(), "velocity"),
        view(x, "cube") {
    view.cells(cell_nodes, cube.corners == 4 ? OP_CELL_TETRAHEDRON : OP_CELL_HEXAHEDRON).field(velocity);
    tracer = op2::tracer(view, velocity);
  }
  op2::set nodes, cells;
  op2::map cell_nodes;
  op2::dat<double, 3> x, velocity;
  op2::view view;
  op2::tracer tracer;
};

op2::lines draw(const Declared &mesh, const Cube &cube, int threads) {
  op_trace_params params = OP_TRACE_PARAMS;
  params.unit = "length";
  params.step = step;
  params.longest_length = longest;
  params.threads = threads;
  return mesh.tracer.trace(static_cast<int>(cube.seeds.size() / 3), cube.seeds.data(), params);
}

long steps_of(const op2::lines &lines) {
  long out = 0;
  for (op_gindex i = 0; i < lines.size(); ++i) out += static_cast<long>(lines.ints("steps")[i]);
  return out;
}

// Seconds of the drawing alone, without what is prepared before.
double seconds_of(const op2::lines &lines) {
  const std::string info = lines.info();
  const std::size_t at = info.find("\"seconds\":");
  return at == std::string::npos ? 0 : std::strtod(info.c_str() + at + 10, nullptr);
}

// How far a point is from the polyline.
double distance_to(const op2::lines &lines, op_gindex line, const double *point) {
  const double *const x = lines.reals("x");
  double best = 1e300;
  for (op_gindex i = lines.ints("begin")[line]; i + 1 < lines.ints("begin")[line + 1]; ++i) {
    double along = 0, square = 0, away = 0;
    for (int k = 0; k < 3; ++k) {
      const double side = x[3 * (i + 1) + k] - x[3 * i + k];
      along += side * (point[k] - x[3 * i + k]);
      square += side * side;
    }
    const double t = square > 0 ? std::fmin(1, std::fmax(0, along / square)) : 0;
    for (int k = 0; k < 3; ++k) {
      const double d = point[k] - (x[3 * i + k] + t * (x[3 * (i + 1) + k] - x[3 * i + k]));
      away += d * d;
    }
    best = std::fmin(best, std::sqrt(away));
  }
  return best;
}

// The peer, in a process of its own: nanoseconds of a step, and the ends of its lines.
struct Peer {
  double ns = 0;
  std::vector<double> ends;
};

Peer trace_by_vtk(const Declared &mesh, const Cube &cube) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("op2_bench_trace_" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::string file = (folder / "cube.vtkhdf").string(), seeds = (folder / "seeds").string();
  mesh.view.write(file);
  if (std::FILE *out = std::fopen(seeds.c_str(), "w")) {
    for (std::size_t i = 0; i < cube.seeds.size(); i += 3)
      std::fprintf(out, "%.17g %.17g %.17g\n", cube.seeds[i], cube.seeds[i + 1], cube.seeds[i + 2]);
    std::fclose(out);
  }
  const std::string command = "/usr/bin/python3 '" OP2_BENCH_FOLDER "/trace_vtk.py' '" + file + "' '" + seeds + "' " +
                              std::to_string(step) + " " + std::to_string(longest) + " 2>/dev/null";
  Peer out;
  if (std::FILE *in = popen(command.c_str(), "r")) {
    double at[3];
    if (std::fscanf(in, "%lf", &out.ns) != 1) out.ns = 0;
    while (std::fscanf(in, "%lf %lf %lf", &at[0], &at[1], &at[2]) == 3) out.ends.insert(out.ends.end(), at, at + 3);
    pclose(in);
  }
  std::filesystem::remove_all(folder);
  return out;
}

void compare(const std::string &name, const Declared &mesh, const Cube &cube, const op2::lines &lines, double ns) {
  const Peer vtk = trace_by_vtk(mesh, cube);
  if (vtk.ns <= 0 || vtk.ends.size() != cube.seeds.size()) {
    bench::skip(name + ".vtk", "vtkStreamTracer did not run (package python3-vtk9)");
    return;
  }
  bench::result(name + ".vtk", vtk.ns, "ns");
  bench::check(name + ".to_vtk", ns / vtk.ns, 0.33, bench::Better::below, "x");
  std::vector<double> away;
  for (op_gindex line = 0; line < lines.size(); ++line) away.push_back(distance_to(lines, line, &vtk.ends[3 * line]));
  bench::result(name + ".from_vtk", bench::median(away), "length", "median distance of its ends from our lines");
}

void measure(const std::string &name, const Cube &cube, bool quick) {
  const Declared mesh(cube);
  const bool two = std::thread::hardware_concurrency() > 1;
  bench::Pairs pairs;
  std::vector<double> ns;
  const op2::lines once = draw(mesh, cube, 1), twice = draw(mesh, cube, 2);
  const long steps = steps_of(once);
  for (int pair = 0; pair < (quick ? bench::pairs_to_show : bench::fewest_pairs); ++pair) {
    const double alone = seconds_of(draw(mesh, cube, 1));
    pairs.add(seconds_of(draw(mesh, cube, 2)), alone);
    ns.push_back(alone * 1e9 / static_cast<double>(steps));
  }
  bench::result(name + ".one_thread", bench::median(ns), "ns");
  if (two)
    bench::check(name + ".two_threads", pairs.ratio(), 1.8, bench::Better::above, "x");
  else
    bench::skip(name + ".two_threads", "there is one core");
  double differ = steps_of(twice) == steps && twice.points() == once.points() ? 0 : 1;
  for (op_gindex i = 0; differ == 0 && i < 3 * once.points(); ++i)
    if (once.reals("x")[i] != twice.reals("x")[i]) differ = 1;
  bench::exact(name + ".same_bits", differ, 0, "lines");
  double running = 0;
  for (op_gindex i = 0; i < once.size(); ++i) running += once.ints("end")[i] == 0 ? 1 : 0;
  bench::exact(name + ".without_end", running, 0, "lines");
  if (!quick) compare(name, mesh, cube, once, bench::median(ns));
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  const bench::Setting executor("OP2_BACKEND", "seq");
  op2::context context;
  const int n = quick ? 8 : 32, seeds = quick ? 50 : 500;
  measure("trace.tetrahedra", Cube(n, 4, seeds), quick);
  measure("trace.hexahedra", Cube(n, 8, seeds), quick);
  measure("trace.bent_hexahedra", Cube(n, 8, seeds, 0.2), quick);
  return 0;
}

// SPDX-License-Identifier: MIT
