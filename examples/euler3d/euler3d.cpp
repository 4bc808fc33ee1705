// euler3d.cpp: compressible flow without friction around and through anything, on meshes of general polyhedra.
//
// Without a mesh from a file, parts with known answers on generated meshes. `free`: a free stream stays one on any
// mesh. `closed`: a blast in a box loses no mass and no energy. `open`: what is lost has left through the surface.
// `channel`: a disturbance leaves a channel. `wedge`: the pressure behind an oblique shock. `spot`: warm gas drifts.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "box_parts.hpp"
#include "command_line.hpp"
#include "flow.hpp"
#include "flow_file.hpp"

namespace {

constexpr char usage[] =
    "usage: euler3d [n] [--mesh hexahedra|tetrahedra|polyhedra|all]\n"
    "               [--part free|closed|open|channel|wedge|spot|all] [--order 1|2] [--result file] [--output file]\n"
    "       euler3d --file mesh [--mach M] [--alpha A] [--walls names] [--symmetry names] [--order 1|2]\n"
    "               [--steps N] [--factor F] [--view file] [--output file]\n"
    "               [--lines file.vtp --seeds x,y,z:x,y,z:N [--lines-every K]]\n"
    "Compressible flow without friction through a box or a mesh of yours, with checks of the result.\n"
    "  n              the box is n*n*n small cubes, n at least 5; in tetrahedra six of each. 8 when not given\n"
    "  --mesh         what the box is made of; nodes inside are moved at random; all when not given\n"
    "  --part         free: a free stream stays; closed, open: nothing is lost; channel: becomes steady; wedge: the\n"
    "                 pressure behind a shock; spot: is carried, by both orders; all when not given\n"
    "  --order        2: with limited slopes, in the parts free, closed, open and channel and with --file; 1 when not\n"
    "                 given. 2 is sharper, takes two to three times as long for a step, and needs more of them until "
    "the\n"
    "                 flow is steady: a few more on hexahedra and polyhedra, many on tetrahedra, where its use is in "
    "flows\n"
    "                 that change in time\n"
    "  --result file  write a line `density momentum[3] energy` for each cell of the last run\n"
    "  --file mesh    in HDF5, as op2_mesh convert writes it: the flow from the free stream to the steady state. "
    "Every\n"
    "                 process reads its part\n"
    "  --mach M       of the free stream; 0.5 when not given\n"
    "  --alpha A      its angle from the x to the y axis, degrees; 0 when not given\n"
    "  --walls, --symmetry  names of patches of the boundary, separated by commas; outside of others is the free "
    "stream\n"
    "  --steps N      at most so many time steps; 0: only what must hold on the mesh; 1000 when not given\n"
    "  --factor F     until the residual is F times smaller than at first; 100 when not given\n"
    "  --view file    write pressure coefficient and Mach number at the boundary, as .vtkhdf or .xdmf, for pictures\n"
    "  --lines file   every K steps (100 when not given) draw streamlines from N seeds between two points, and write\n"
    "                 them to file_STEP.vtp; lines end after 1000 steps of half a cell\n"
    "  --output file  write the times of the loops, as .csv or .json\n"
    "Arguments that begin with OP2_ or OP_ are settings of the library, e.g. OP2_BACKEND=openmp.\n"
    "Exit code: 0 passed, 1 failed, 2 wrong usage or a file that cannot be used.\n";

constexpr std::array<std::pair<const char *, poly::Kind>, 3> kinds_of_mesh = {{{"hexahedra", poly::Kind::hexahedra},
                                                                               {"tetrahedra", poly::Kind::tetrahedra},
                                                                               {"polyhedra", poly::Kind::polyhedra}}};
const std::array<std::string, 7> parts = {"free", "closed", "open", "channel", "wedge", "spot", "all"};

struct Options {
  int n = 8, order = 1, steps = 1000, factor = 100;
  double mach = 0.5, alpha = 0;
  std::string file, mach_text, alpha_text, walls, symmetry, view;
  std::string mesh = "all", part = "all", result, output, seeds;
  euler::LineWishes lines;
};

// One line per cell; the digits can be read back exactly.
bool write_result(const std::string &name, const std::vector<double> &state) {
  if (name.empty() || state.empty()) return true;
  std::FILE *file = std::fopen(name.c_str(), "w");
  if (!file) return false;
  for (std::size_t n = 0; n < state.size(); ++n) std::fprintf(file, "%.17g%c", state[n], n % 5 == 4 ? '\n' : ' ');
  const bool good = std::ferror(file) == 0;
  return std::fclose(file) == 0 && good;
}

double seconds() {
  double now = 0.0;
  op_timers(nullptr, &now);
  return now;
}

// All parts on all meshes of a box.
bool run_box(const Options &options, bool &written) {
  const auto wanted = [&](const char *part) { return options.part == part || options.part == "all"; };
  bool good = true;
  for (const auto &[name, kind] : kinds_of_mesh) {
    if (options.mesh != name && options.mesh != "all") continue;
    const poly::Mesh mesh = poly::make_mesh(kind, options.n);
    op_printf("%s: %d cells, %d faces, %d boundary faces, %d nodes\n", name, mesh.ncell, mesh.nface, mesh.nbface,
              mesh.nnode);
    euler::BoxParts run(mesh, options.n, options.order);
    if (wanted("free")) run.keep_free_stream();
    if (wanted("closed")) run.keep_everything();
    if (wanted("open")) run.account_for_everything();
    if (wanted("channel")) run.calm_down();
    if (wanted("wedge")) run.turn_by_shock();
    if (wanted("spot")) run.carry_spot();
    good = good && run.verdict.good;
    written = write_result(options.result, run.solver.state.fetch_own());
  }
  return good;
}

bool run_flow(const Options &options) {
  euler::Case what{options.mach, options.alpha, 0, 0, 0, std::vector<int>(PATCHES + 1, FAR_FIELD), options.order};
  const op2::file file(options.file);
  const euler::Mesh mesh = euler::read_mesh(file);
  const euler::Patches patches(file);
  op_printf("%s: %lld cells, %lld faces, %lld boundary faces, %lld nodes; boundary: %s\n", options.file.c_str(),
            mesh.cells.global_size(), mesh.faces.global_size(), mesh.bfaces.global_size(), mesh.nodes.global_size(),
            patches.names().c_str());
  patches.mark(options.walls, WALL, what.kinds);
  patches.mark(options.symmetry, SYMMETRY, what.kinds);
  euler::Flow run(mesh, what);
  run.keep_free_stream();
  run.keep_everything();
  if (options.steps > 0) {
    run.account_for_everything();
    std::optional<euler::FlowLines> lines;
    if (!options.lines.file.empty()) lines.emplace(file, mesh, options.lines);
    run.settle(options.steps, options.factor, lines ? &*lines : nullptr);
    if (lines) op_printf("%d files of streamlines in %.3f s\n", lines->pictures, lines->seconds);
  }
  if (!options.view.empty()) run.write_view(options.view);
  return run.verdict.good;
}

int solve(const Options &options) {
  op_printf("euler3d with %s\n", op_backend());
  const double start = seconds();
  bool written = true;
  const bool good = options.file.empty() ? run_box(options, written) : run_flow(options);
  op_timing_output();
  op_printf("%.3f s\n", seconds() - start);
  if (!example::write_table(options.output)) return example::error;
  if (!written) {
    std::fprintf(stderr, "euler3d: cannot write %s\n", options.result.c_str());
    return example::error;
  }
  op_printf("This test is considered %s\n", good ? "PASSED" : "FAILED");
  return good ? example::passed : example::failed;
}

// A number that stands in an option, if there is one.
bool read_number(const std::string &text, double &value, double least, double most) {
  if (text.empty()) return true;
  char *end = nullptr;
  value = std::strtod(text.c_str(), &end);
  return *end == '\0' && value >= least && value <= most;
}

bool parse(int argc, char **argv, Options &options, example::CommandLine &line) {
  if (!line.parse(argc, argv, {{"n", &options.n, 5, poly::largest_n}},
                  {{"--mesh", nullptr, 0, 0, &options.mesh},
                   {"--part", nullptr, 0, 0, &options.part},
                   {"--order", &options.order, 1, 2},
                   {"--file", nullptr, 0, 0, &options.file},
                   {"--mach", nullptr, 0, 0, &options.mach_text},
                   {"--alpha", nullptr, 0, 0, &options.alpha_text},
                   {"--walls", nullptr, 0, 0, &options.walls},
                   {"--symmetry", nullptr, 0, 0, &options.symmetry},
                   {"--steps", &options.steps, 0, 10000000},
                   {"--factor", &options.factor, 1, 1000000000},
                   {"--view", nullptr, 0, 0, &options.view},
                   {"--lines", nullptr, 0, 0, &options.lines.file},
                   {"--seeds", nullptr, 0, 0, &options.seeds},
                   {"--lines-every", &options.lines.every, 1, 10000000},
                   {"--result", nullptr, 0, 0, &options.result},
                   {"--output", nullptr, 0, 0, &options.output}}))
    return false;
  const auto known = [](const auto &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!known(parts, options.part)) return line.complain("there is no part ", options.part);
  if (!known(std::array<std::string, 4>{"hexahedra", "tetrahedra", "polyhedra", "all"}, options.mesh))
    return line.complain("there is no mesh of ", options.mesh);
  if (!read_number(options.mach_text, options.mach, 0.01, 10))
    return line.complain("--mach needs a number from 0.01 to 10, not ", options.mach_text);
  if (!read_number(options.alpha_text, options.alpha, -90, 90))
    return line.complain("--alpha needs a number from -90 to 90, not ", options.alpha_text);
  euler::LineWishes &lines = options.lines;
  const std::size_t length = lines.file.size();
  if (length > 0 && (length < 5 || lines.file.compare(length - 4, 4, ".vtp") != 0))
    return line.complain("--lines needs a file name that ends with .vtp, not ", lines.file);
  if (lines.file.empty() != options.seeds.empty())
    return line.complain("--lines needs ", "--seeds, and the other way round");
  if (!options.seeds.empty() &&
      (std::sscanf(options.seeds.c_str(), "%lf,%lf,%lf:%lf,%lf,%lf:%d", &lines.from[0], &lines.from[1], &lines.from[2],
                   &lines.to[0], &lines.to[1], &lines.to[2], &lines.count) != 7 ||
       lines.count < 1))
    return line.complain("--seeds needs x,y,z:x,y,z:N, not ", options.seeds);
  if (!options.output.empty() && !example::is_table(options.output))
    return line.complain("--output needs a file name that ends with .csv or .json, not ", options.output);
  return true;
}

} // namespace

int main(int argc, char **argv) {
  try {
    op2::context context(argc, argv);
    example::CommandLine line("euler3d", usage);
    Options options;
    return parse(argc, argv, options, line) ? solve(options) : line.exit_code();
  } catch (const std::exception &error) { // with OP2_ERROR=return also what the library refuses
    std::fprintf(stderr, "euler3d: %s\n", error.what());
    return example::error;
  }
}

// SPDX-License-Identifier: MIT
