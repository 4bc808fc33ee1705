// trace_job.cpp FOLDER: lines through a mesh of hexahedra below and tetrahedra above, drawn in several ways by however
// many processes there are, one file for each way: FOLDER/WAY.vtp. All must have the same bytes, on any number of
// processes; trace.sh compares. Prints a line for each way, and complains about points and neighbours that are wrong.
// trace_job FOLDER long: one line that takes minutes.
// trace_job FOLDER vtkhdf: one file, lines.vtkhdf.
// trace_job FOLDER many: a million seeds, of which none may be forgotten.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "op2/op2.hpp"
#include "op2/partition.h"

namespace {

constexpr int n = 8, m = n + 1, half = n / 2; // cubes along each edge of the cube from -1 to 1
constexpr int hexes = n * n * half, tets = 6 * n * n * half;
int failures = 0;

void expect(bool fine, const std::string &what) {
  if (fine) return;
  ++failures;
  std::printf("WRONG: %s\n", what.c_str());
}

struct Mesh {
  std::vector<double> x, velocity, of_cells;
  std::vector<int> hex_nodes, tet_nodes, hex_cells, tet_cells;

  Mesh() {
    for (int k = 0; k < m; ++k)
      for (int j = 0; j < m; ++j)
        for (int i = 0; i < m; ++i) {
          const double at[] = {-1 + 2.0 * i / n, -1 + 2.0 * j / n, -1 + 2.0 * k / n};
          x.insert(x.end(), at, at + 3);
          const double v[] = {-at[1] + 0.3 * at[2], at[0] + 0.25 * at[1] * at[1], 0.25 * at[0] - 0.125 * at[1]};
          velocity.insert(velocity.end(), v, v + 3);
        }
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i) cube(i, j, k);
    // In `cells` hexahedra and tetrahedra are in the order of the declaration, but backwards.
    for (int c = 0; c < hexes + tets; ++c) (c < hexes ? hex_cells : tet_cells).push_back(hexes + tets - 1 - c);
    of_cells.resize(3 * static_cast<std::size_t>(hexes + tets));
    for (std::size_t i = 0; i < of_cells.size(); ++i) of_cells[i] = 0.5 + 0.25 * std::cos(static_cast<double>(i % 7));
  }

 private:
  void cube(int i, int j, int k) {
    const auto node = [&](int a, int b, int c) { return ((k + c) * m + j + b) * m + i + a; };
    const int c[] = {node(0, 0, 0), node(1, 0, 0), node(1, 1, 0), node(0, 1, 0),
                     node(0, 0, 1), node(1, 0, 1), node(1, 1, 1), node(0, 1, 1)};
    if (k < half) {
      hex_nodes.insert(hex_nodes.end(), c, c + 8);
      return;
    }
    for (const auto &[a, b] : {std::pair{1, 2}, {2, 3}, {3, 7}, {7, 4}, {4, 5}, {5, 1}})
      for (const int corner : {0, a, b, 6}) tet_nodes.push_back(c[corner]);
  }
};

// The share of `count` things that this process passes.
struct Share {
  int begin, end;
};
Share share(int count) {
  int rank = 0;
  op_rank(&rank);
  const int size = op_comm_size();
  return {static_cast<int>(static_cast<long>(count) * rank / size),
          static_cast<int>(static_cast<long>(count) * (rank + 1) / size)};
}

std::vector<double> seeds_of_this_process() {
  std::vector<double> all(3 * 6 * 6 * 6);
  const double low[] = {-0.95, -0.9, -1.1}, high[] = {0.9, 0.95, 0.9}; // the lowest are outside
  const int counts[] = {6, 6, 6};
  op2::check(op_seed_grid(3, low, high, counts, all.data()));
  const Share own = share(static_cast<int>(all.size() / 3));
  return {all.begin() + 3 * own.begin, all.begin() + 3 * own.end};
}

op_trace_params usual() {
  op_trace_params out = OP_TRACE_PARAMS;
  out.step = 0.25; // over several cells
  out.longest_time = 20;
  out.direction = "both";
  out.every = 2;
  return out;
}

struct Way {
  const char *name;
  void (*set)(op_trace_params &params);
};
constexpr Way ways[] = {
    {"plain", [](op_trace_params &) {}},
    {"threads", [](op_trace_params &p) { p.threads = 2, p.batch = 5; }},
    {"blocks", [](op_trace_params &p) { p.blocks = 4, p.shuffle = 7; }},
    {"many_blocks", [](op_trace_params &p) { p.blocks = 16, p.overlap = 20'000; }},
    {"cyclic", [](op_trace_params &p) { p.division = "cyclic", p.blocks = 3; }},
    {"bisection", [](op_trace_params &p) { p.division = "bisection", p.blocks = 2; }},
    {"overlap", [](op_trace_params &p) { p.overlap = 100'000, p.threads = 2; }},
    {"mesh", [](op_trace_params &p) { p.division = "mesh"; }},
    {"broadcast", [](op_trace_params &p) { p.division = "mesh", p.ending = "broadcast"; }},
    {"reduction", [](op_trace_params &p) { p.ending = "reduction"; }},
};

void check_places(const op2::tracer &tracer) {
  std::vector<double> points;
  std::vector<int> expected; // of hexahedra; -1 outside, -2 among the tetrahedra
  const Share own = share(200);
  for (int i = own.begin; i < own.end; ++i) {
    const double at[] = {-1.02 + 2.04 * (i * 37 % 200) / 200, -1 + 2.0 * (i * 61 % 200) / 200, -1 + 2.0 * i / 200};
    points.insert(points.end(), at, at + 3);
    const auto cube = [](double x) { // the first of two where they meet
      const double along = (x + 1) * n / 2;
      return std::max(0, static_cast<int>(std::ceil(along)) - 1);
    };
    const bool inside = std::fabs(at[0]) <= 1;
    expected.push_back(!inside ? -1 : at[2] > 0 ? -2 : (cube(at[2]) * n + cube(at[1])) * n + cube(at[0]));
  }
  const op2::tracer::places found = tracer.locate(static_cast<int>(expected.size()), points.data());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const bool fine = expected[i] == -2 ? found.cell[i] >= hexes : found.cell[i] == expected[i];
    expect(fine, "point " + std::to_string(i) + " is in cell " + std::to_string(found.cell[i]) + ", expected is " +
                     std::to_string(expected[i]));
    expect((found.process[i] >= 0) == (found.cell[i] >= 0) && found.process[i] < op_comm_size(), "the process");
  }
}

void check_neighbours(const op2::tracer &tracer, op_map hex_nodes) {
  const op_dat dat = tracer.neighbours(hex_nodes, "neighbours");
  std::vector<long long> all(6 * hexes);
  op2::check(op_fetch_data_all(dat, all.data()));
  const int side[6][3] = {{0, 0, -1}, {0, 0, 1}, {0, -1, 0}, {1, 0, 0}, {0, 1, 0}, {-1, 0, 0}};
  for (int k = 0; k < half; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i)
        for (int s = 0; s < 6; ++s) {
          const int a = i + side[s][0], b = j + side[s][1], c = k + side[s][2];
          // A quadrangle has no neighbour where two triangles lie on it.
          const bool any = a >= 0 && a < n && b >= 0 && b < n && c >= 0 && c < half;
          const int cell = (k * n + j) * n + i, expected = any ? (c * n + b) * n + a : -1;
          expect(all[static_cast<std::size_t>(6 * cell + s)] == expected,
                 "side " + std::to_string(s) + " of cell " + std::to_string(cell));
        }
}

// A number of op_lines_info(), the first of this name behind `from`.
double told(const std::string &info, const std::string &name, const char *from = "{") {
  const std::string word = '"' + name + "\":";
  const std::size_t at = info.find(word, info.find(from));
  return at == std::string::npos ? -1 : std::atof(info.c_str() + at + word.size());
}

// Processes work or wait in the seconds of the slowest one.
void check_seconds(const std::string &info) {
  const double all = told(info, "seconds"), working = told(info, "working_seconds"),
               waiting = told(info, "waiting_seconds"), processes = told(info, "processes");
  expect(processes == op_comm_size() && all > 0 && told(info, "dividing_seconds") > 0, "what is told in " + info);
  expect(working > 0 && working <= all * processes + 1e-5 && waiting >= 0, "seconds of work in " + info);
  expect(working + waiting <= all * processes + 1e-5, "seconds of work and waiting in " + info);
  for (const char *imbalance : {"imbalance_of_steps", "imbalance_of_seconds"})
    expect(told(info, imbalance) >= 1 && told(info, imbalance) <= processes, std::string(imbalance) + " in " + info);
}

std::vector<double> repeated(op_set nodes, const double *value) {
  std::vector<double> out;
  for (int i = 0; i < op_get_size_declared(nodes); ++i) out.insert(out.end(), value, value + 3);
  return out;
}

// From a velocity along x to one along y: parabolas, forward and backward.
void check_pathlines(const op2::tracer &tracer, op_dat velocity, op_set nodes, const std::vector<double> &seeds) {
  const double first[] = {0.1, 0, 0}, last[] = {0, 0.2, 0}, duration = 2;
  op2::check(op_put_data(velocity, repeated(nodes, first).data()));
  const op_dat later = op_decl_dat(nodes, 3, "double", repeated(nodes, last).data(), "later");
  tracer.pathlines(later, duration);
  op_trace_params params = usual();
  params.direction = "both";
  const op2::lines lines = tracer.trace(static_cast<int>(seeds.size() / 3), seeds.data(), params);
  int complete = 0;
  for (op_gindex i = 0; i < lines.size(); ++i) {
    if (lines.ints("end")[i] != OP_LINE_TIME) continue;
    ++complete;
    const double sign = i % 2 == 0 ? 1 : -1, *const seed = &seeds[3 * static_cast<std::size_t>(i / 2)],
                 *const end = lines.reals("end_x") + 3 * i;
    const double away = std::fabs(end[0] - seed[0] - sign * 0.1) + std::fabs(end[1] - seed[1] - sign * 0.2) +
                        std::fabs(end[2] - seed[2]) + std::fabs(lines.reals("end_time")[i] - sign * duration);
    expect(away < 1e-12, "end of pathline " + std::to_string(i));
  }
  expect(op_comm_size() > 1 || complete > 100, "pathlines end with the time");
  tracer.pathlines(nullptr, 0);
}

// A saddle stretches by exp(t) everywhere.
void check_exponents(const op2::tracer &tracer, const Mesh &mesh, op_dat velocity, op_set nodes) {
  std::vector<double> all(mesh.x.size(), 0.0);
  for (std::size_t i = 0; i < mesh.x.size(); i += 3) all[i] = mesh.x[i], all[i + 1] = -mesh.x[i + 1];
  op2::check(op_put_data_all(velocity, all.data()));
  const op_dat exponent = op_decl_dat(nodes, 1, "double", nullptr, "exponent");
  op_trace_params params = usual();
  params.direction = "forward";
  params.step = 0.05;
  params.longest_time = 0.5;
  params.blocks = 3;
  tracer.ftle(params, exponent);
  std::vector<double> found(mesh.x.size() / 3);
  op2::check(op_fetch_data_all(exponent, found.data()));
  double sum = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double x = std::fabs(mesh.x[3 * i]);
    if (x < 0.3)
      expect(std::fabs(found[i] - 1) < 1e-6,
             "exponent of node " + std::to_string(i) + " is " + std::to_string(found[i]));
    if (x > 0.9) expect(std::isnan(found[i]), "exponent of node " + std::to_string(i) + ", whose particle leaves");
    if (!std::isnan(found[i])) sum += found[i] * static_cast<double>(i % 17);
  }
  op_printf("exponents %a\n", sum);
}

// A million short lines: each seed is outside, or its line has an end for a reason that fits, once.
void check_many(const op2::tracer &tracer) {
  constexpr int along = 100;
  const double low[] = {-1.01, -1, -1}, high[] = {0.99, 1, 1};
  const int counts[] = {along, along, along};
  std::vector<double> seeds(3 * along * along * along);
  op2::check(op_seed_grid(3, low, high, counts, seeds.data()));
  const Share own = share(along * along * along);
  op_trace_params params = OP_TRACE_PARAMS;
  params.step = 0.25;
  params.most_steps = 4;
  params.every = 0;
  const op2::lines lines = tracer.trace(own.end - own.begin, seeds.data() + 3 * own.begin, params);
  expect(lines.size() == own.end - own.begin, "the number of lines");
  long long left = 0, stepped = 0, outside = 0;
  for (op_gindex i = 0; i < lines.size(); ++i) {
    const double *const seed = &seeds[3 * static_cast<std::size_t>(own.begin + i)];
    switch (lines.ints("end")[i]) {
      case OP_LINE_OUTSIDE:
        ++outside;
        expect(seed[0] < -1, "a seed that is outside");
        break;
      case OP_LINE_LEFT:
        ++left;
        break;
      case OP_LINE_STEPS:
        ++stepped;
        expect(lines.ints("steps")[i] == params.most_steps, "steps of a line");
        break;
      default:
        expect(false, "end of line " + std::to_string(i));
    }
  }
  // Of all processes.
  const std::string info = lines.info();
  const auto ends = [&info](const char *name) { return static_cast<long long>(told(info, name, "\"ends\"")); };
  expect(ends("outside") == along * along, "seeds that are outside in " + info);
  expect(ends("left") + ends("steps") == along * along * (along - 1), "finished lines in " + info);
  expect(op_comm_size() > 1 || (ends("left") == left && ends("steps") == stepped && ends("outside") == outside),
         "ends of lines in " + info);
  op_printf("%s\n", info.c_str());
}

int run(const std::string &folder, const std::string &what) {
  const Mesh mesh;
  op2::set nodes(m * m * m, "nodes"), hex(hexes, "hexahedra"), tet(tets, "tetrahedra"), cells(hexes + tets, "cells");
  op2::map hex_nodes(hex, nodes, 8, mesh.hex_nodes.data(), "hex_nodes"),
      tet_nodes(tet, nodes, 4, mesh.tet_nodes.data(), "tet_nodes"),
      hex_cells(hex, cells, 1, mesh.hex_cells.data(), "hex_cells"),
      tet_cells(tet, cells, 1, mesh.tet_cells.data(), "tet_cells");
  op2::dat<double, 3> x(nodes, mesh.x.data(), "x"), velocity(nodes, mesh.velocity.data(), "velocity"),
      of_cells(cells, mesh.of_cells.data(), "of_cells");
  op2::view view(x, "flow");
  view.cells(hex_nodes, OP_CELL_HEXAHEDRON).cells(tet_nodes, OP_CELL_TETRAHEDRON);
  op2::check(op_partition("RCB", "", nodes, nullptr, x));
  const op2::tracer tracer(view, velocity), through_cells(view, of_cells);
  const std::vector<double> seeds = seeds_of_this_process();
  const int count = static_cast<int>(seeds.size() / 3);
  if (what == "vtkhdf") {
    tracer.trace(count, seeds.data(), usual()).write(folder + "/lines.vtkhdf");
    return 0;
  }
  if (what == "many") {
    check_many(tracer);
    return failures > 0 ? 1 : 0;
  }
  if (what == "long") {
    op_trace_params params = usual();
    params.step = 1e-7;
    params.longest_time = 0;
    params.most_steps = 2'000'000'000;
    params.every = 0;
    op_printf("tracing\n");
    std::fflush(stdout);
    (void)tracer.trace(count, seeds.data(), params);
    return 1;
  }
  for (const Way &way : ways) {
    op_trace_params params = usual();
    way.set(params);
    const op2::lines lines = tracer.trace(count, seeds.data(), params);
    lines.write(folder + "/" + way.name + ".vtp");
    op_printf("%s %s\n", way.name, lines.info().c_str());
    check_seconds(lines.info());
    params.every = 0;
    params.direction = "backward";
    through_cells.trace(count, seeds.data(), params).write(folder + "/cells_" + way.name + ".vtp");
  }
  // Velocities that have changed.
  const std::vector<double> slower(3 * static_cast<std::size_t>(op_get_size_declared(nodes)), 0.125);
  op2::check(op_put_data(velocity, slower.data()));
  const op2::lines straight = tracer.trace(count, seeds.data(), usual());
  for (op_gindex i = 0; i < straight.size(); ++i)
    expect(
        straight.ints("end")[i] == OP_LINE_OUTSIDE || std::fabs(straight.reals("length")[i] / (0.125 * std::sqrt(3.0)) -
                                                                std::fabs(straight.reals("end_time")[i])) < 1e-9,
        "length of a straight line");
  check_pathlines(tracer, velocity, nodes, seeds);
  check_exponents(tracer, mesh, velocity, nodes);
  check_places(tracer);
  check_neighbours(tracer, hex_nodes);
  return failures > 0 ? 1 : 0;
}

} // namespace

int main(int argc, char **argv) {
  op2::context context(argc, argv);
  return argc < 2 ? 2 : run(argv[1], argc > 2 ? argv[2] : "");
}

// SPDX-License-Identifier: MIT
