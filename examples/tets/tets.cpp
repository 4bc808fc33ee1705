// tets.cpp: transport of a concentration by flow and diffusion on a mesh of tetrahedra, in single precision.
//
// Three parts with known answers. `wave` has an exact solution: the error is measured on two meshes, with and without
// slopes. `uniform`: what is the same everywhere stays so in a flow without sources. `block` turns a block around the
// axis of the box, and limited slopes must not make it much higher or lower. In all of them what is inside at the end
// and what left must be what was there at first.
#include <op2/compat.h>
#include <op2/partition.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <limits>
#include <op2/op2.hpp>
#include <string>
#include <vector>

#include "box_mesh.hpp"
#include "command_line.hpp"
#include "tets_kernels.h"

namespace {

constexpr char usage[] =
    "usage: tets [n] [--part wave|uniform|block|all] [--jiggle P] [--shuffle S] [--result file] [--output file]\n"
    "Carry a concentration through a box of tetrahedra, in single precision, and check the result.\n"
    "  n              the mesh has 6*n*n*n cells, n at least 6; 12 when not given. The wave also runs with 2*n\n"
    "  --part         wave: compare with an exact solution; uniform: stay so; block: check bounds; all when not given\n"
    "  --jiggle P     move the nodes inside by up to P percent of the size of a cell, 0 to 20; 10 when not given\n"
    "  --shuffle S    number nodes, cells, edges and faces at random, S > 0 is the seed; not when not given\n"
    "  --result file  write a line `x y z c` for each node of the last run\n"
    "  --output file  write the times of the loops, as .csv or .json\n"
    "Arguments that begin with OP2_ or OP_ are settings of the library, e.g. OP2_BACKEND=openmp.\n"
    "Exit code: 0 passed, 1 failed, 2 wrong usage or a file that cannot be used.\n";

// What is to be carried, and by which flow: v = velocity + turn x (x - middle of the box).
struct Case {
  std::array<float, 3> velocity;
  float turn; // angular velocity around the z axis
  std::array<float, 6> diffusion;
  float amplitude, base;
  float end; // time
  bool block;
};
constexpr Case wave = {
    {1.0F, 0.6F, 0.3F}, 0.0F, {0.030F, 0.012F, 0.020F, 0.005F, -0.004F, 0.006F}, 0.5F, 1.0F, 0.4F, false};
constexpr Case block = {{}, 1.0F, {0.0005F, 0.0005F, 0.0005F}, 0.0F, 0.0F, 0.7F, true};
constexpr Case uniform = {{0.2F, 0.0F, 0.4F}, 1.0F, {0.01F, 0.01F, 0.01F}, 0.0F, 1.0F, 0.3F, false};
constexpr std::array wave_numbers = {5.0F, 3.0F, -4.0F};

// What kernels may read besides their arguments.
void set_constants(const Case &what, int n) {
  const auto &D = what.diffusion;
  const auto &k = wave_numbers;
  courant = 0.6F;
  small_square = 1e-3F / static_cast<float>(n * n * n); // vanishes faster than differences between neighbours, squared
  wave_base = what.base;
  wave_amplitude = what.amplitude;
  wave_decay = D[0] * k[0] * k[0] + D[1] * k[1] * k[1] + D[2] * k[2] * k[2] +
               2 * (D[3] * k[0] * k[1] + D[4] * k[0] * k[2] + D[5] * k[1] * k[2]);
  std::copy(k.begin(), k.end(), wave_vector);
  std::copy(what.velocity.begin(), what.velocity.end(), wave_velocity);
  std::copy(D.begin(), D.end(), wave_diffusion);
  op2::constant("courant", courant);
  op2::constant("small_square", small_square);
  op2::constant("wave_base", wave_base);
  op2::constant("wave_amplitude", wave_amplitude);
  op2::constant("wave_decay", wave_decay);
  op2::constant("wave_vector", wave_vector);
  op2::constant("wave_velocity", wave_velocity);
  op2::constant("wave_diffusion", wave_diffusion);
}

std::vector<float> flow_at_nodes(const box::Mesh &mesh, const Case &what) {
  std::vector<float> v(mesh.x.size());
  for (std::size_t n = 0; n < v.size(); n += 3) {
    v[n] = what.velocity[0] - what.turn * (mesh.x[n + 1] - 0.5F);
    v[n + 1] = what.velocity[1] + what.turn * (mesh.x[n] - 0.5F);
    v[n + 2] = what.velocity[2];
  }
  return v;
}

std::vector<float> concentration_at_first(const box::Mesh &mesh, const Case &what) {
  std::vector<float> c(mesh.x.size() / 3);
  for (std::size_t n = 0; n < c.size(); ++n) {
    const float *const x = &mesh.x[3 * n];
    const bool inside =
        std::fabs(x[0] - 0.7F) < 0.15F && std::fabs(x[1] - 0.5F) < 0.15F && std::fabs(x[2] - 0.5F) < 0.2F;
    c[n] = !what.block ? wave_value(x, 0) : inside ? 1.0F : 0.0F;
  }
  return c;
}

// A flow around the z axis does not pass the faces at the bottom and at the top.
std::vector<int> kinds_of_faces(const box::Mesh &mesh, const Case &what) {
  std::vector<int> kind(mesh.side.size());
  std::transform(mesh.side.begin(), mesh.side.end(), kind.begin(),
                 [&](int side) { return what.block && side >= 4 ? CLOSED : OPEN; });
  return kind;
}

template <class T>
std::vector<T> repeated(const std::vector<T> &row, int rows) {
  std::vector<T> out;
  for (int n = 0; n < rows; ++n) out.insert(out.end(), row.begin(), row.end());
  return out;
}

// An extremum and the element where it is.
struct Extremum {
  float value;
  int where = -1;
};

// The mesh and the data on it. With several processes the first one declares everything.
class Transport {
 public:
  Transport(const box::Mesh &mesh, const Case &what, bool slopes) : Transport(mesh, what, slopes, op_is_root() != 0) {}

  // From time 0 to the end of the case, in equal steps.
  void run() {
    op2::check(op_last_status());
    measure_mesh();
    Extremum limit = {std::numeric_limits<float>::max()};
    op_par_loop(time_step, "time_step", nodes, op2::read(part), op2::read(speed), op2::index(),
                op2::gbl_min(&limit.value), op2::payload(&limit.where, 3));
    steps = std::max(1, static_cast<int>(std::ceil(end / limit.value)));
    const float dt = end / static_cast<float>(steps);
    stage({0, 1, 0}); // changes nothing, sums up what there is
    first_mass = mass.fetch();
    op2::chain all("steps"); // no loop waits for a sum, so those of several steps may run together
    for (int n = 0; n < steps; ++n) {
      op_par_loop(save, "save", nodes, op2::read(c), op2::write(old));
      fluxes(end * static_cast<float>(n) / static_cast<float>(steps));
      stage({0, 1, dt});
      fluxes(end * static_cast<float>(n + 1) / static_cast<float>(steps));
      stage({0.5F, 0.5F, dt});
      op2::check(op_last_status());
    }
    all.end();
    lost = 0.5 * dt * leaving.fetch();
    last_mass = mass.fetch();
    highest = {most.fetch(), most_at.fetch()};
    lowest = {least.fetch(), least_at.fetch()};
  }

  // Root mean square of the difference from the wave.
  double error(Extremum &largest) {
    double square = 0;
    largest = {-1};
    op_par_loop(difference, "difference", nodes, op2::read(x), op2::read(part), op2::read(c), op2::gbl_read(&end),
                op2::index(), op2::gbl_inc(&square), op2::gbl_max(&largest.value), op2::payload(&largest.where, 6));
    op2::check(op_last_status());
    return std::sqrt(square); // the volume of the box is 1
  }

  [[nodiscard]] std::vector<float> concentration() const { return c.fetch_own(); }

  int steps = 0;
  double first_mass = 0, last_mass = 0, lost = 0; // in the box: at first, at the end; left through the surface
  Extremum highest{}, lowest{}, quality{}; // concentration at the end; volume of a cell to its longest edge cubed

 private:
  Transport(const box::Mesh &mesh, const Case &what, bool slopes, bool here)
      : nodes(here ? mesh.nnode : 0, "nodes"),
        edges(here ? mesh.nedge : 0, "edges"),
        cells(here ? mesh.ncell : 0, "cells"),
        faces(here ? mesh.nface : 0, "faces"),
        cell_nodes(cells, nodes, 4, mesh.cell_nodes.data(), "cell_nodes"),
        cell_edges(cells, edges, 6, mesh.cell_edges.data(), "cell_edges"),
        edge_nodes(edges, nodes, 2, mesh.edge_nodes.data(), "edge_nodes"),
        face_nodes(faces, nodes, 3, mesh.face_nodes.data(), "face_nodes"),
        x(nodes, mesh.x.data(), "x"),
        v(nodes, flow_at_nodes(mesh, what).data(), "v"),
        grad(nodes, nullptr, "grad"),
        normal(edges, nullptr, "normal"),
        c(nodes, concentration_at_first(mesh, what).data(), "c"),
        old(nodes, nullptr, "old"),
        res(nodes, nullptr, "res"),
        part(nodes, nullptr, "part"),
        speed(nodes, nullptr, "speed"),
        flow(edges, nullptr, "flow"),
        volume(cells, nullptr, "volume"),
        shape(cells, nullptr, "shape"),
        D(cells, repeated(std::vector(what.diffusion.begin(), what.diffusion.end()), mesh.ncell).data(), "D"),
        kind(faces, kinds_of_faces(mesh, what).data(), "kind"),
        end(what.end),
        slopes_(slopes) {
    op_partition("AUTO", "", edges, edge_nodes, x);
  }

  void measure_mesh() {
    quality = {std::numeric_limits<float>::max()};
    op_par_loop(tet_geometry, "tet_geometry", cells, op2::read(x, op2::all<4>, cell_nodes), op2::read(D),
                op2::write(shape), op2::write(volume), op2::inc(part, op2::all<4>, cell_nodes),
                op2::inc(speed, op2::all<4>, cell_nodes), op2::index(), op2::gbl_min(&quality.value),
                op2::payload(&quality.where, 7));
    op_par_loop(edge_normals, "edge_normals", cells, op2::read(shape), op2::read(volume),
                op2::inc(normal, op2::all<6>, cell_edges));
    op_par_loop(edge_flow, "edge_flow", edges, op2::read(normal), op2::read(v, 0, edge_nodes),
                op2::read(v, 1, edge_nodes), op2::write(flow), op2::inc(speed, 0, edge_nodes),
                op2::inc(speed, 1, edge_nodes));
  }

  void fluxes(float time) {
    op_par_loop(diffuse, "diffuse", cells, op2::read(c, op2::all<4>, cell_nodes), op2::read(shape), op2::read(volume),
                op2::read(D), op2::inc(grad, op2::all<4>, cell_nodes), op2::inc(res, op2::all<4>, cell_nodes));
    if (slopes_) op_par_loop(average, "average", nodes, op2::read(part), op2::rw(grad));
    op_par_loop(flux, "flux", edges, op2::read(flow), op2::read(x, 0, edge_nodes), op2::read(x, 1, edge_nodes),
                op2::read(c, 0, edge_nodes), op2::read(c, 1, edge_nodes),
                op2::opt(slopes_, op2::read(grad, 0, edge_nodes)), op2::opt(slopes_, op2::read(grad, 1, edge_nodes)),
                op2::inc(res, 0, edge_nodes), op2::inc(res, 1, edge_nodes));
    op_par_loop(surface, "surface", faces, op2::read(kind), op2::read(x, op2::all<3>, face_nodes),
                op2::read(v, op2::all<3>, face_nodes), op2::read(c, op2::all<3>, face_nodes), op2::gbl_read(&time),
                op2::inc(res, op2::all<3>, face_nodes), op2::gbl_inc(leaving));
  }

  void stage(const std::array<float, 3> &weights) {
    mass.put(0);
    most.put(-std::numeric_limits<float>::max());
    least.put(std::numeric_limits<float>::max());
    op_par_loop(update, "update", nodes, op2::read(old), op2::read(part), op2::rw(c), op2::rw(res), op2::write(grad),
                op2::gbl_read<3>(weights.data()), op2::index(), op2::gbl_inc(mass), op2::gbl_max(most),
                op2::payload(most_at, 8), op2::gbl_min(least), op2::payload(least_at, 10));
  }

  op2::set nodes, edges, cells, faces;
  op2::map cell_nodes, cell_edges, edge_nodes, face_nodes;
  op2::dat<float, 3> x, v, grad, normal;
  op2::dat<float, 1> c, old, res, part, speed, flow, volume;
  op2::dat<float, 12> shape;
  op2::dat<float, 6> D;
  op2::dat<int, 1> kind;
  // What loops sum up and compare, without ending the chain: of all steps, and of the last stage.
  op2::global<double> leaving{"leaving"}, mass{"mass"};
  op2::global<float> most{"most"}, least{"least"};
  op2::global<int> most_at{"most_at", -1}, least_at{"least_at", -1};
  float end;
  bool slopes_;
};

struct Options {
  int n = 12, jiggle = 10, shuffle = 0;
  std::string part = "all", result, output;
};

// One line per node; floats are written so that they can be read back exactly.
bool write_result(const std::string &name, const box::Mesh &mesh, const std::vector<float> &c) {
  if (name.empty() || c.empty()) return true;
  std::FILE *file = std::fopen(name.c_str(), "w");
  if (!file) return false;
  const auto wide = [](float value) { return static_cast<double>(value); };
  for (std::size_t n = 0; n < c.size(); ++n)
    std::fprintf(file, "%.9g %.9g %.9g %.9g\n", wide(mesh.x[3 * n]), wide(mesh.x[3 * n + 1]), wide(mesh.x[3 * n + 2]),
                 wide(c[n]));
  const bool good = std::ferror(file) == 0;
  return std::fclose(file) == 0 && good;
}

// The parts in a row; each prints what it finds and says whether that is right.
class Parts {
 public:
  explicit Parts(const Options &options) : options_(options) {}

  bool good = true;    // so far
  bool written = true; // the result file, if one was asked for

  // The error against the exact solution must fall with the square of the mesh width, without slopes with the first
  // power of it. On meshes of this size neither order is fully reached.
  void compare_with_wave() {
    for (const bool slopes : {true, false}) {
      const double coarse = wave_error(options_.n, slopes), fine = wave_error(2 * options_.n, slopes);
      require(slopes ? "order with slopes" : "order without slopes", std::log2(coarse / fine), slopes ? 1.7 : 0.6,
              slopes ? 3.0 : 1.4);
    }
  }

  void keep_uniform() { stay_between("uniform", uniform, 1 - 2e-5, 1 + 2e-5); }

  // The block is a few cells wide: limited slopes let it undershoot a little, others also overshoot.
  void turn_block() { stay_between("block", block, -0.07, 1.05); }

 private:
  [[nodiscard]] box::Mesh make_mesh(int n) const { return box::make_mesh({n, options_.jiggle, options_.shuffle}); }

  void require(const char *what, double value, double low, double high) {
    const bool fine = value >= low && value <= high; // false for what is not a number
    op_printf("  %s: %.7g, allowed %g to %g%s\n", what, value, low, high, fine ? "" : "  WRONG");
    good = good && fine;
  }

  double wave_error(int n, bool slopes) {
    const box::Mesh mesh = make_mesh(n);
    set_constants(wave, n);
    Transport transport(mesh, wave, slopes);
    run(transport, mesh, slopes ? "wave with slopes" : "wave without slopes");
    Extremum largest{};
    const double error = transport.error(largest);
    op_printf("  error %.6e, largest %.6e at node %d\n", error, static_cast<double>(largest.value), largest.where);
    return error;
  }

  void stay_between(const char *name, const Case &what, double low, double high) {
    const box::Mesh mesh = make_mesh(options_.n);
    set_constants(what, options_.n);
    Transport transport(mesh, what, true);
    run(transport, mesh, name);
    op_printf("  highest at node %d, lowest at node %d\n", transport.highest.where, transport.lowest.where);
    require("highest", static_cast<double>(transport.highest.value), low, high);
    require("lowest", static_cast<double>(transport.lowest.value), low, high);
  }

  // What was in the box at first is still in it or has left: not a matter of accuracy, only of rounding.
  void run(Transport &transport, const box::Mesh &mesh, const char *what) {
    op_printf("%s on %d nodes, %d edges, %d cells, %d faces\n", what, mesh.nnode, mesh.nedge, mesh.ncell, mesh.nface);
    transport.run();
    op_printf("  %d steps; the flattest cell is %d, volume/longest^3 %.5f\n", transport.steps, transport.quality.where,
              static_cast<double>(transport.quality.value));
    op_printf("  in the box %.9f, at first %.9f, left %.9f\n", transport.last_mass, transport.first_mass,
              transport.lost);
    const double unexplained = transport.last_mass + transport.lost - transport.first_mass;
    require("relative difference", unexplained / transport.first_mass, -1e-5, 1e-5);
    written = write_result(options_.result, mesh, transport.concentration());
  }

  Options options_;
};

double seconds() {
  double now = 0.0;
  op_timers(nullptr, &now);
  return now;
}

int solve(const Options &options) {
  op_printf("tets with %s\n", op_backend());
  const double start = seconds();
  Parts parts(options);
  const auto wanted = [&](const char *part) { return options.part == part || options.part == "all"; };
  if (wanted("wave")) parts.compare_with_wave();
  if (wanted("uniform")) parts.keep_uniform();
  if (wanted("block")) parts.turn_block();
  op_timing_output();
  op_printf("%.3f s\n", seconds() - start);
  if (!example::write_table(options.output)) return example::error;
  if (!parts.written) {
    std::fprintf(stderr, "tets: cannot write %s\n", options.result.c_str());
    return example::error;
  }
  op_printf("This test is considered %s\n", parts.good ? "PASSED" : "FAILED");
  return parts.good ? example::passed : example::failed;
}

bool parse(int argc, char **argv, Options &options, example::CommandLine &line) {
  if (!line.parse(argc, argv, {{"n", &options.n, 6, box::largest_n}},
                  {{"--part", nullptr, 0, 0, &options.part},
                   {"--jiggle", &options.jiggle, 0, 20},
                   {"--shuffle", &options.shuffle, 1, 1000000},
                   {"--result", nullptr, 0, 0, &options.result},
                   {"--output", nullptr, 0, 0, &options.output}}))
    return false;
  const bool wave = options.part == "wave" || options.part == "all";
  if (!wave && options.part != "uniform" && options.part != "block")
    return line.complain("--part needs wave, uniform, block or all, not ", options.part);
  if (wave && 2 * options.n > box::largest_n)
    return line.complain("the wave's second run is on twice as many cells in each direction: n must be at most ",
                         std::to_string(box::largest_n / 2));
  if (!options.output.empty() && !example::is_table(options.output))
    return line.complain("--output needs a file name that ends with .csv or .json, not ", options.output);
  return true;
}

} // namespace

int main(int argc, char **argv) {
  try {
    op2::context context(argc, argv);
    example::CommandLine line("tets", usage);
    Options options;
    return parse(argc, argv, options, line) ? solve(options) : line.exit_code();
  } catch (const std::exception &error) { // with OP2_ERROR=return also what the library refuses
    std::fprintf(stderr, "tets: %s\n", error.what());
    return example::error;
  }
}

// SPDX-License-Identifier: MIT
