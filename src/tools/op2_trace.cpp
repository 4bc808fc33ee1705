// op2_trace: lines of particles through a velocity on a mesh, both from files.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "op2/info.h"
#include "op2/op2.hpp"
#include "op2/partition.h"
#include "tools/op2_trace_arguments.hpp"

using namespace op2_trace;

namespace {

// ---- the mesh -------------------------------------------------------------------------------------------------------

struct Type {
  const char *set, *map;
  op_cell_type type;
  int dim;
};
constexpr Type types[] = {{"triangles", "triangles_nodes", OP_CELL_TRIANGLE, 2},
                          {"quadrangles", "quadrangles_nodes", OP_CELL_QUADRILATERAL, 2},
                          {"tetrahedra", "tetrahedra_nodes", OP_CELL_TETRAHEDRON, 3},
                          {"pyramids", "pyramids_nodes", OP_CELL_PYRAMID, 3},
                          {"prisms", "prisms_nodes", OP_CELL_PRISM, 3},
                          {"hexahedra", "hexahedra_nodes", OP_CELL_HEXAHEDRON, 3}};
constexpr Type airfoil_cells = {"cells", "pcell", OP_CELL_QUADRILATERAL, 2};

struct Domain {
  int dim = 0;
  op_set nodes = nullptr, cells = nullptr;
  op_view view = nullptr;
  std::vector<op_set> sets; // those that a velocity can be on
  std::string extent;       // "from 0,0 to 1,1"
};

std::string point_text(const double *x, int dim) {
  std::string out;
  for (int k = 0; k < dim; ++k) {
    char number[32];
    std::snprintf(number, sizeof number, "%.6g", x[k]);
    if (k > 0) out += ',';
    out += number;
  }
  return out;
}

std::string extent_of(const double *x, int rows, int dim) {
  std::array<double, 3> low{}, high{};
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < dim; ++k) {
      const double value = x[static_cast<std::size_t>(i) * static_cast<std::size_t>(dim) + static_cast<std::size_t>(k)];
      const auto at = static_cast<std::size_t>(k);
      low[at] = i == 0 ? value : std::min(low[at], value);
      high[at] = i == 0 ? value : std::max(high[at], value);
    }
  return "from " + point_text(low.data(), dim) + " to " + point_text(high.data(), dim);
}

struct FreeMesh {
  void operator()(op_mesh mesh) const { op_mesh_free(mesh); }
};
using MeshFile = std::unique_ptr<op_mesh_core, FreeMesh>;

bool has_array(const MeshFile &mesh, const char *name) {
  const bool out = op_mesh_ints(mesh.get(), name, nullptr, nullptr) != nullptr;
  op_clear_error();
  return out;
}

Domain domain_of(const Arguments &arguments) {
  op_mesh read = nullptr;
  op2::check(op_mesh_read(arguments.mesh.c_str(), arguments.format.c_str(), &read));
  const MeshFile mesh(read);
  const bool airfoil = has_array(mesh, "pcell");
  const char *const coordinates = airfoil ? "p_x" : "x";
  Domain out;
  int rows = 0;
  const double *const x = op2::check(op_mesh_reals(mesh.get(), coordinates, &rows, &out.dim));
  out.extent = extent_of(x, rows, out.dim);
  op2::check(op_mesh_declare(mesh.get()));
  out.nodes = op2::check(op_mesh_set(mesh.get(), "nodes"));
  out.cells = op2::check(op_mesh_set(mesh.get(), "cells"));
  out.view = op2::check(op_decl_view(op2::check(op_mesh_dat(mesh.get(), coordinates)), "mesh"));
  std::vector<Type> found;
  if (airfoil) found.push_back(airfoil_cells);
  for (const Type &type : types)
    if (type.dim == out.dim && has_array(mesh, type.map)) found.push_back(type);
  op_gindex known = 0;
  for (const Type &type : found) {
    op2::check(op_view_cells(out.view, op2::check(op_mesh_map(mesh.get(), type.map)), type.type));
    known += op_mesh_size(mesh.get(), type.set);
  }
  const char *const needed = out.dim == 2 ? "triangles or quadrangles" : "tetrahedra, pyramids, prisms or hexahedra";
  if (known == 0) throw Trouble{1, "'" + arguments.mesh + "' has no " + needed + " for lines to go through"};
  if (const op_gindex others = op_mesh_size(mesh.get(), "cells") - known; others > 0 && op_is_root())
    std::fprintf(stderr, "op2_trace: warning: %lld cells are no %s; lines end there\n", static_cast<long long>(others),
                 needed);
  out.sets = {out.nodes, out.cells};
  if (found.size() == 1 && !airfoil) out.sets.push_back(op2::check(op_mesh_set(mesh.get(), found[0].set)));
  return out;
}

// ---- the velocity ---------------------------------------------------------------------------------------------------

// The set of the mesh that the velocity is on, by its number of rows.
op_set set_of_velocity(const Arguments &arguments, const Domain &domain, op_gindex rows) {
  std::string sizes;
  std::vector<op_set> fitting;
  for (op_set set : domain.sets) {
    const std::string name = op_set_name(set);
    sizes += (sizes.empty() ? "" : ", ") + std::to_string(op_get_size(set)) + " " + name;
    if (name == arguments.on) return set;
    // Sets of one type have other numbers than cells; they are taken by their name only.
    if (op_get_size(set) == rows && (set == domain.nodes || set == domain.cells)) fitting.push_back(set);
  }
  if (!arguments.on.empty()) wrong_use("--on " + arguments.on + ": the mesh has " + sizes);
  if (fitting.size() == 2)
    wrong_use("there are as many nodes as cells; say by --on nodes or --on cells which '" + arguments.velocity +
              "' is on");
  if (fitting.empty())
    throw Trouble{1, "dat '" + arguments.velocity + "' in '" + arguments.data + "' has " + std::to_string(rows) +
                         " rows, but the mesh has " + sizes};
  return fitting[0];
}

op_dat velocity_of(const Arguments &arguments, const Domain &domain) {
  const char *const file = arguments.data.c_str(), *const name = arguments.velocity.c_str();
  // Its number of rows: a set that nothing else belongs to.
  op_set all = op_decl_set_hdf5_infer_size(file, (arguments.velocity + ", rows").c_str(), name);
  if (!all) {
    const op2::error failed(op_last_status(), op_last_error());
    if (std::strstr(failed.what(), "there is no such dataset"))
      throw Trouble{1, "there is no dat '" + arguments.velocity + "' in '" + arguments.data + "'; 'h5ls " +
                           arguments.data + "' lists what there is"};
    throw failed;
  }
  op_set set = set_of_velocity(arguments, domain, op_get_size(all));
  return op2::check(op_decl_dat_hdf5(set, 0, "double", file, name));
}

// ---- the work -------------------------------------------------------------------------------------------------------

// Seconds since the beginning, and what takes them.
class Clock {
 public:
  explicit Clock(bool says) : says_(says) {}
  double begin(const std::string &what) {
    const double now = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    if (says_ && op_is_root()) std::fprintf(stderr, "op2_trace: %6.1f s  %s\n", now, what.c_str());
    const double out = now - last_;
    last_ = now;
    return out;
  }

 private:
  bool says_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  double last_ = 0;
};

// A number of op_lines_info().
double number_in(const std::string &json, const std::string &name) {
  const std::size_t at = json.find("\"" + name + "\":");
  return at == std::string::npos ? 0 : std::strtod(json.c_str() + at + name.size() + 3, nullptr);
}

// How many lines have ended why.
std::string ends_of(const op2::lines &lines) {
  std::map<op_gindex, op_gindex> counts;
  const op_gindex *const end = lines.ints("end");
  for (op_gindex i = 0; i < lines.size(); ++i) ++counts[end[i]];
  std::string out;
  for (const auto &[why, count] : counts)
    out +=
        (out.empty() ? "" : ", ") + std::string(op_line_end_name(static_cast<int>(why))) + ": " + std::to_string(count);
  return out;
}

op_gindex drawn(const op2::lines &lines) {
  const op_gindex *const begin = lines.ints("begin");
  op_gindex out = 0;
  for (op_gindex i = 0; i < lines.size(); ++i) out += begin[i + 1] > begin[i] ? 1 : 0;
  return out;
}

void run(const Arguments &arguments) {
  Clock clock(arguments.progress);
  clock.begin("reading '" + arguments.mesh + "'");
  const Domain domain = domain_of(arguments);
  op_dat velocity = velocity_of(arguments, domain);
  const op2::tracer tracer(domain.view, velocity);
  const std::vector<double> seeds = all_seeds(arguments.seeds, domain.dim);
  if (arguments.division == "mesh" && op_comm_size() > 1)
    op2::check(op_partition("AUTO", nullptr, nullptr, nullptr, nullptr));
  // The first process has all seeds, so it has all lines: what is said of them needs no other one.
  const auto count = static_cast<op_index>(seeds.size() / static_cast<std::size_t>(domain.dim));
  const double reading = clock.begin("dividing the mesh, and lines from " + std::to_string(count) + " seeds");
  const op2::lines lines = tracer.trace(op_is_root() ? count : 0, seeds.data(), params_of(arguments));
  const std::string info = lines.info();
  const double all = clock.begin("writing '" + arguments.out + "'"),
               tracing = std::min(number_in(info, "seconds"), all);
  lines.write(arguments.out);
  const double writing = clock.begin("done");
  if (!op_is_root()) return;
  if (!arguments.json.empty() && !(std::ofstream(arguments.json) << info << std::endl))
    throw Trouble{1, "cannot write '" + arguments.json + "': " + std::strerror(errno)};
  const double steps = number_in(info, "steps");
  std::printf("lines       %lld from %lld seeds, %lld points\n", static_cast<long long>(drawn(lines)),
              static_cast<long long>(count), static_cast<long long>(lines.points()));
  std::printf("ends        %s\n", ends_of(lines).c_str());
  std::printf("steps       %.0f, %.3g per second\n", steps, tracing > 0 ? steps / tracing : 0.0);
  std::printf("seconds     reading %.2f, dividing %.2f, tracing %.2f, writing %.2f\n", reading, all - tracing, tracing,
              writing);
  std::printf("file        %s\n", arguments.out.c_str());
  if (drawn(lines) == 0)
    throw Trouble{1, count == 0 ? "there are no seeds" : "no seed is in the mesh, which reaches " + domain.extent};
}

// The exit code of what `work` does. Processes fail alike, and the first one tells.
template <class Work>
int told(Work &&work) {
  Trouble trouble{0, ""};
  try {
    work();
  } catch (const Trouble &its) {
    trouble = its;
  } catch (const std::exception &error) {
    trouble = {1, error.what()};
    // Without the name of the library's function, which users have not called.
    if (trouble.what.rfind("op_", 0) == 0) trouble.what.erase(0, trouble.what.find(": ") + 2);
  }
  if (trouble.code != 0 && op_is_root()) std::fprintf(stderr, "op2_trace: %s\n", trouble.what.c_str());
  return trouble.code;
}

} // namespace

int main(int argc, char **argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (const std::string &word : words) {
    if (word == "--help" || word == "-h") return op_printf("%s", usage), 0;
    if (word == "--version") return op_printf("op2_trace of %s\n", op_build_info()), 0;
  }
  // Settings first: they say which process is the one that tells.
  std::vector<std::string> settings{argv[0], "OP2_ERROR=return"};
  if (std::find(words.begin(), words.end(), "--progress") != words.end()) settings.emplace_back("OP2_LOG=info");
  for (const std::string &word : words)
    if (is_setting(word)) settings.push_back(word);
  std::vector<char *> arguments;
  for (std::string &word : settings) arguments.push_back(word.data());
  op_set_error_handler(op_error_return, nullptr);
  const auto given = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  if (op_init(given, arguments.data(), 0) != OP_OK) {
    std::fprintf(stderr, "op2_trace: %s\n", op_last_error());
    return 1;
  }
  int code = told([&] { run(read_arguments(words)); });
  if (op_exit() != OP_OK) code = std::max(code, 1);
  return std::fflush(stdout) == 0 ? code : 1;
}

// SPDX-License-Identifier: MIT
