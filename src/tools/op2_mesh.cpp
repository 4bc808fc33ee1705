// op2_mesh: reads meshes of generators, looks at them, and writes them as HDF5 files for libop2 and OP2.
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "op2/info.h"
#include "op2/meshfile.h"
#include "op2/op2.h"
#include "op2/order.h"
#include "tools/op2_mesh_external.hpp"
#include "tools/op2_mesh_output.hpp"

namespace {

constexpr const char *usage =
    R"(usage: op2_mesh convert IN OUT [--format F] [--scale S]
       op2_mesh info FILE [--format F]
       op2_mesh check FILE [--format F]
       op2_mesh renumber IN OUT [--method rcm|hilbert|scotch] [--format F] [--scale S]
       op2_mesh renumber IN.h5 OUT.h5 --memory M
       op2_mesh partition IN OUT -n P [--format F] [--scale S]

convert    writes a mesh as HDF5: nodes, cells, faces with the cells on both sides,
           boundary faces with their patches
info       counts, patches, volumes, aspect ratio, bandwidth
check      what is wrong with a mesh; exit code 1 when there is something
renumber   as convert, with neighbouring nodes, cells and faces side by side
partition  as convert, with the part of each cell in the dataset partvec000P

OUT is an HDF5 file, e.g. mesh.h5; a name with .vtu makes a file for VTK, and one with
.pvtu a list of such files, with partition one for each part; one with .cgns makes a
CGNS file, with partition a zone for each part. OUT is never a file of IN, nor has it
the name of a format that is not written, such as mesh.msh.

  --format F   gmsh, openfoam, medit, su2, vtk, vtu, airfoil, cgns or hdf5; without
               it by the file's first bytes and its name
  --scale S    multiply all coordinates, e.g. by 0.001 for millimetres
  --memory M   renumber airfoil's mesh in M MiB of memory, whatever its size: nodes along a
               Hilbert curve, by sorting in files beside OUT
  --progress   say on stderr what is being done, also when that is no terminal
  --help, --version

FILE and IN may be files that op2_mesh has written. An OpenFOAM mesh is a folder:
the case, its folder constant, or polyMesh itself.

Exit code: 0 done, 1 the file is wrong or cannot be read or written, or check
has findings; 2 wrong use.
)";

[[noreturn]] void wrong_use(const std::string &what) {
  std::fprintf(stderr, "op2_mesh: %s; op2_mesh --help tells more\n", what.c_str());
  std::exit(2);
}

struct Options {
  std::string command, in, out, format, method;
  double scale = 1;
  int parts = 0;
  std::size_t memory = 0; // bytes; 0: the mesh is read as a whole
  bool progress = isatty(STDERR_FILENO) == 1;
};

// A number that is the whole of the word.
double number(const std::string &option, const std::string &word) {
  char *end = nullptr;
  const double out = std::strtod(word.c_str(), &end);
  if (word.empty() || *end != '\0' || !(out > 0)) wrong_use(option + " " + word + ": a number above zero is expected");
  return out;
}

void read_option(Options &options, const std::string &word, const std::string &value) {
  if (word == "--format") {
    options.format = value;
  } else if (word == "--scale") {
    options.scale = number(word, value);
  } else if (word == "--method" && options.command == "renumber") {
    options.method = value;
  } else if (word == "--memory" && options.command == "renumber") {
    options.memory = static_cast<std::size_t>(std::min(number(word, value), 1e9) * (1 << 20));
  } else if (word == "-n" && options.command == "partition") {
    const double parts = number(word, value);
    options.parts = parts <= 1e6 ? static_cast<int>(parts) : 0;
    if (options.parts != parts || options.parts < 1) wrong_use("-n " + value + ": a number of parts is expected");
  } else {
    wrong_use("option '" + word + "' is unknown to " + options.command);
  }
}

Options read_arguments(const std::vector<std::string> &words) {
  if (words.empty()) wrong_use("a command is expected");
  Options out;
  out.command = words[0];
  bool known = false;
  for (const char *command : {"convert", "info", "check", "renumber", "partition"}) known |= out.command == command;
  if (!known) wrong_use("there is no command '" + out.command + "'");
  std::vector<std::string> names;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (words[i] == "--progress") {
      out.progress = true;
    } else if (words[i].size() > 1 && words[i][0] == '-') {
      if (i + 1 == words.size()) wrong_use("option '" + words[i] + "' is unknown or lacks its value");
      read_option(out, words[i], words[i + 1]);
      ++i;
    } else {
      names.push_back(words[i]);
    }
  }
  const std::size_t wanted = out.command == "info" || out.command == "check" ? 1 : 2;
  if (names.size() != wanted)
    wrong_use(out.command + (wanted == 1 ? " needs one file" : " needs two files: what to read and what to write"));
  if (out.command == "partition" && out.parts == 0) wrong_use("partition needs -n P");
  if (out.memory > 0 && (out.scale != 1 || !out.format.empty() || (!out.method.empty() && out.method != "hilbert")))
    wrong_use("--memory goes with no other option than --method hilbert");
  if (out.memory > 0 && std::string(written_format(names.back())) != "HDF5")
    wrong_use("--memory writes HDF5, and " + names.back() + " has the name of another format");
  out.in = names[0];
  if (wanted == 2) out.out = names[1];
  if (const std::string wrong = wanted == 2 ? wrong_output(out.in, out.out, out.parts) : ""; !wrong.empty())
    wrong_use(wrong);
  return out;
}

// What went wrong is printed, and that is the end.
void need(bool done) {
  if (done) return;
  std::fprintf(stderr, "op2_mesh: %s\n", op_last_error());
  std::exit(1);
}

class Progress {
 public:
  explicit Progress(bool on) : on_(on) {}
  void step(const std::string &what) const {
    if (!on_) return;
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    std::fprintf(stderr, "op2_mesh: %6.1f s  %s\n", seconds, what.c_str());
  }

 private:
  bool on_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct FreeMesh {
  void operator()(op_mesh mesh) const { op_mesh_free(mesh); }
};
using Mesh = std::unique_ptr<op_mesh_core, FreeMesh>;

// The text of op_mesh_info() or op_mesh_check().
std::string text_of(const Mesh &mesh, int (*ask)(op_mesh, char *, size_t)) {
  op_clear_error();
  const int length = ask(mesh.get(), nullptr, 0);
  need(op_last_status() == OP_OK);
  std::string out(static_cast<std::size_t>(length) + 1, '\0');
  ask(mesh.get(), out.data(), out.size());
  out.pop_back();
  return out;
}

Mesh read(const Options &options, const Progress &progress) {
  progress.step("reading " + options.in);
  op_mesh mesh = nullptr;
  need(op_mesh_read(options.in.c_str(), options.format.c_str(), &mesh) == OP_OK);
  Mesh out(mesh);
  if (options.scale != 1) need(op_mesh_scale(mesh, options.scale) == OP_OK);
  return out;
}

bool is_airfoil(const Mesh &mesh) {
  const bool out = op_mesh_ints(mesh.get(), "pedge", nullptr, nullptr) != nullptr;
  op_clear_error();
  return out;
}

// All sets in the order that the library gives them.
void renumber(const Mesh &mesh, const std::string &method) {
  const bool airfoil = is_airfoil(mesh);
  need(op_mesh_declare(mesh.get()) == OP_OK);
  op_renumber_params params = OP_RENUMBER_PARAMS;
  params.method = method.empty() ? "rcm" : method.c_str();
  if (method == "hilbert") {
    params.coordinates = op_mesh_dat(mesh.get(), airfoil ? "p_x" : "x");
    params.base = op_mesh_map(mesh.get(), airfoil ? "pcell" : "face_nodes");
  } else {
    params.base = op_mesh_map(mesh.get(), airfoil ? "pecell" : "face_cells");
  }
  need(op_renumber_with(&params) == OP_OK);
  for (const char *name : {"nodes", "cells", "faces", "bfaces", "edges", "bedges", "triangles", "quadrangles",
                           "tetrahedra", "pyramids", "prisms", "hexahedra"}) {
    const int size = op_mesh_size(mesh.get(), name);
    if (size < 0) continue; // not in this mesh
    std::vector<int> order(static_cast<std::size_t>(size));
    if (size == 0) continue;
    need(op_get_order(op_mesh_set(mesh.get(), name), order.data()) == OP_OK);
    need(op_mesh_reorder(mesh.get(), name, order.data()) == OP_OK);
  }
  op_clear_error();
}

// What the mesh does not keep of its file, which only `info` would tell otherwise.
void tell_notes(const Mesh &mesh) {
  std::istringstream info(text_of(mesh, op_mesh_info));
  for (std::string line; std::getline(info, line);)
    if (line.rfind("note ", 0) == 0) std::fprintf(stderr, "op2_mesh: %s\n", line.c_str());
}

int run(const Options &options) {
  const Progress progress(options.progress);
  const Mesh mesh = read(options, progress);
  if (options.command == "info") {
    progress.step("measuring");
    std::fputs(text_of(mesh, op_mesh_info).c_str(), stdout);
    return 0;
  }
  if (options.command == "check") {
    progress.step("checking");
    const std::string findings = text_of(mesh, op_mesh_check);
    std::fputs(findings.empty() ? "clean\n" : findings.c_str(), stdout);
    return findings.empty() ? 0 : 1;
  }
  tell_notes(mesh);
  if (options.command == "renumber") {
    progress.step("renumbering");
    renumber(mesh, options.method);
  }
  if (options.command == "partition") {
    progress.step("dividing the cells into " + std::to_string(options.parts) + " parts");
    need(op_mesh_divide(mesh.get(), options.parts) == OP_OK);
  }
  progress.step("writing " + options.out);
  need(op_mesh_dump(mesh.get(), options.out.c_str()) == OP_OK);
  progress.step("done");
  std::printf("wrote %s (%s): %d nodes, %d cells\n", options.out.c_str(), written_format(options.out),
              op_mesh_size(mesh.get(), "nodes"), op_mesh_size(mesh.get(), "cells"));
  return 0;
}

int run_in_files(const Options &options) {
#ifdef WITH_HDF5
  try {
    renumber_in_files(options.in, options.out, options.memory);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "op2_mesh: %s\n", error.what());
    return 1;
  }
  std::printf("wrote %s (HDF5)\n", options.out.c_str());
  return 0;
#else
  std::fprintf(stderr, "op2_mesh: %s: --memory needs HDF5, and libop2 was built without\n", options.in.c_str());
  return 1;
#endif
}

} // namespace

int main(int argc, char **argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  for (const std::string &word : words) {
    if (word == "--help" || word == "-h") return std::fputs(usage, stdout) < 0;
    if (word == "--version") return std::printf("op2_mesh of %s\n", op_build_info()) < 0;
  }
  const Options options = read_arguments(words);
  if (options.memory > 0) return run_in_files(options);
  op_set_error_handler(op_error_return, nullptr);
  const char *arguments[] = {argv[0], "OP2_ERROR=return", nullptr};
  if (!std::getenv("OP2_BACKEND")) setenv("OP2_BACKEND", "seq", 0); // one process, no threads: it is all about files
  need(op_init(2, const_cast<char **>(arguments), 0) == OP_OK);
  const int code = run(options);
  op_exit();
  return std::fflush(stdout) == 0 ? code : 1;
}

// SPDX-License-Identifier: MIT
