#include "tools/op2_trace_arguments.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <optional>

#include "op2/op2.hpp"

namespace op2_trace {

const char *const usage =
    R"(usage: op2_trace MESH VELOCITY --seeds SEEDS --step S [-o lines.vtp] [OPTION]...

Draws the lines that particles follow through a velocity, and writes them to a file for
ParaView, VTK and op2_plot. MESH is a file that op2_mesh reads; VELOCITY is the name of a
dat in an HDF5 file of OP2's layout, with as many components as there are coordinates,
on nodes, on cells, or on the set of the only type of cells.

  --data FILE       where VELOCITY is; without it MESH itself, an HDF5 file
  --on SET          the set of VELOCITY, nodes or cells for example, where the number of
                    its rows leaves a choice
  --format F        of MESH: gmsh, openfoam, medit, su2, vtk, vtu, airfoil, cgns or hdf5;
                    without it by the file's first bytes and its name
  -o FILE           the lines, a file .vtp or .vtkhdf (lines.vtp)
  --json FILE       what was done: steps, messages, seconds, balance

  --seeds SEEDS     where lines begin; may be given several times. Points have as many
                    coordinates as the mesh, two or three.
        line:X,Y,Z:X,Y,Z:N           N points on a line, both ends included
        grid:X,Y,Z:X,Y,Z:NX,NY,NZ    a grid between two corners; 1 is in the middle
        file:NAME                    a text with a point on each line; # begins a remark

  --step S          length of a step; of rk45 the first one
  --unit U          of steps: time, length, or cells, the size of the cell (time)
  --method M        rk2, rk3, rk4 or, with control of the error, rk45 (rk4)
  --direction D     forward, backward or both (forward)
  --tolerance L     of rk45: the error of a step, a length (1e-6)
  --shortest-step S, --longest-step S    of rk45
  --most-steps N    of a line (10000)
  --longest-time T, --longest-length L   of a line
  --least-speed V   lines end where it is slower
  --every K         keep every K-th point only; 0: none but those of --turn (1)
  --turn R          keep points where the velocity has turned by more than R radians

  --threads N, --batch N, --division blocks|cyclic|bisection|mesh, --blocks N, --shuffle N,
  --overlap BYTES, --ending tree|broadcast|reduction
                    how the work is done; no line depends on it. op2/trace.h says more
  --progress        say on stderr what is being done: the steps of the work and the seconds
                    until then (on a terminal always), and, by OP2_LOG=info, how many lines
                    have ended and how long the rest of them will take
  --help, --version

Words like OP2_BACKEND=mpi+openmp or OP2_NUM_THREADS=4 are settings of the library. With
mpirun or op2_launch in front, several processes share the work; the file is the same.

Exit code: 0 done, 1 a file is wrong or cannot be read or written, or no seed is in the
mesh; 2 wrong use.
)";

void wrong_use(const std::string &what) { throw Trouble{2, what + "; op2_trace --help tells more"}; }

bool is_setting(const std::string &word) { return word.rfind("OP2_", 0) == 0 && word.find('=') != std::string::npos; }

namespace {

std::vector<std::string> split(const std::string &word, char at) {
  std::vector<std::string> out{""};
  for (const char c : word)
    if (c == at)
      out.emplace_back();
    else
      out.back() += c;
  return out;
}

// The number that is the whole of the word.
std::optional<double> real(const std::string &word) {
  char *end = nullptr;
  const double out = std::strtod(word.c_str(), &end);
  if (word.empty() || std::isspace(static_cast<unsigned char>(word[0])) || *end != '\0') return std::nullopt;
  return out;
}

std::optional<long long> whole(const std::string &word, long long least, long long most) {
  char *end = nullptr;
  errno = 0;
  const long long out = std::strtoll(word.c_str(), &end, 10);
  if (word.empty() || *end != '\0' || errno != 0 || out < least || out > most) return std::nullopt;
  return out;
}

double need_real(const std::string &option, const std::string &word) {
  if (const std::optional<double> out = real(word)) return *out;
  wrong_use(option + " " + word + ": a number is expected");
}

template <class Whole>
void take_whole(const std::string &option, const std::string &word, Whole &out) {
  constexpr auto most =
      std::min<unsigned long long>(std::numeric_limits<Whole>::max(), std::numeric_limits<long long>::max());
  const std::optional<long long> found = whole(word, 0, static_cast<long long>(most));
  if (!found) wrong_use(option + " " + word + ": a whole number, 0 or more, is expected");
  out = static_cast<Whole>(*found);
}

std::vector<double> point_of(const std::string &word, const std::string &text) {
  std::vector<double> out;
  for (const std::string &part : split(text, ',')) {
    const std::optional<double> value = real(part);
    if (!value) wrong_use("--seeds " + word + ": '" + text + "' is no point, which is X,Y or X,Y,Z");
    out.push_back(*value);
  }
  return out;
}

Seeds seeds_of(const std::string &word) {
  Seeds out;
  out.word = word;
  if (word.rfind("file:", 0) == 0) {
    out.file = word.substr(5);
    if (out.file.empty()) wrong_use("--seeds " + word + ": the name of the file is missing");
    return out;
  }
  const std::vector<std::string> parts = split(word, ':');
  const bool line = parts[0] == "line";
  if (!line && parts[0] != "grid") wrong_use("--seeds " + word + ": it begins with line:, grid: or file:");
  if (parts.size() != 4)
    wrong_use("--seeds " + word + ": " + (line ? "line:POINT:POINT:N" : "grid:CORNER:CORNER:NX,NY,NZ") +
              " is expected");
  out.from = point_of(word, parts[1]);
  out.to = point_of(word, parts[2]);
  for (const std::string &part : split(parts[3], ',')) {
    const std::optional<long long> value = whole(part, 1, std::numeric_limits<op_index>::max());
    if (!value) wrong_use("--seeds " + word + ": '" + part + "' is no number of points, which is 1 or more");
    out.counts.push_back(static_cast<op_index>(*value));
  }
  if (out.from.size() != out.to.size() || out.counts.size() != (line ? 1 : out.from.size()))
    wrong_use("--seeds " + word + ": " +
              (line ? "two points of the same dimension and one number are expected"
                    : "two corners and as many numbers as coordinates are expected"));
  return out;
}

void read_option(Arguments &o, const std::string &name, const std::string &value) {
  op_trace_params &p = o.params;
  const std::map<std::string, std::string *> texts = {
      {"--data", &o.data},     {"--on", &o.on},         {"--format", &o.format},    {"-o", &o.out},
      {"--json", &o.json},     {"--method", &o.method}, {"--unit", &o.unit},        {"--direction", &o.direction},
      {"--ending", &o.ending}, {"--output", &o.out},    {"--division", &o.division}};
  const std::map<std::string, double *> reals = {{"--step", &p.step},
                                                 {"--tolerance", &p.tolerance},
                                                 {"--shortest-step", &p.shortest_step},
                                                 {"--longest-step", &p.longest_step},
                                                 {"--longest-time", &p.longest_time},
                                                 {"--longest-length", &p.longest_length},
                                                 {"--least-speed", &p.least_speed},
                                                 {"--turn", &p.turn}};
  const std::map<std::string, int *> ints = {
      {"--every", &p.every}, {"--threads", &p.threads}, {"--batch", &p.batch}, {"--blocks", &p.blocks}};
  if (const auto text = texts.find(name); text != texts.end())
    *text->second = value;
  else if (const auto number = reals.find(name); number != reals.end())
    *number->second = need_real(name, value);
  else if (const auto count = ints.find(name); count != ints.end())
    take_whole(name, value, *count->second);
  else if (name == "--most-steps")
    take_whole(name, value, p.most_steps);
  else if (name == "--shuffle")
    take_whole(name, value, p.shuffle);
  else if (name == "--overlap")
    take_whole(name, value, p.overlap);
  else if (name == "--seeds")
    o.seeds.push_back(seeds_of(value));
  else
    wrong_use("option '" + name + "' is unknown");
}

bool is_hdf5(const std::string &path) {
  std::array<char, 8> first{};
  std::ifstream(path, std::ios::binary).read(first.data(), first.size());
  return std::memcmp(first.data(), "\x89HDF\r\n\x1a\n", first.size()) == 0;
}

// What would fail after the work is done fails before it.
void look_ahead(Arguments &arguments) {
  const auto ends_with = [&](const std::string &end) {
    return arguments.out.size() >= end.size() &&
           arguments.out.compare(arguments.out.size() - end.size(), end.size(), end) == 0;
  };
  if (!ends_with(".vtp") && !ends_with(".vtkhdf"))
    wrong_use("-o " + arguments.out + ": lines are written to files .vtp and .vtkhdf");
  for (const std::string &file : {arguments.out, arguments.json}) {
    if (file.empty()) continue;
    const std::size_t slash = file.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : file.substr(0, slash + 1);
    if (access(folder.c_str(), W_OK) != 0)
      throw Trouble{1, "cannot write '" + file + "': " + std::strerror(errno) + " (folder '" + folder + "')"};
  }
  if (!arguments.data.empty()) return;
  if (access(arguments.mesh.c_str(), R_OK) == 0 && !is_hdf5(arguments.mesh))
    wrong_use("'" + arguments.mesh + "' is no HDF5 file; name the one with the velocity by --data");
  arguments.data = arguments.mesh;
}

void add_file(const std::string &path, int dim, std::vector<double> &out) {
  std::ifstream file(path);
  if (!file) throw Trouble{1, "cannot read '" + path + "': " + std::strerror(errno)};
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    line = line.substr(0, line.find('#'));
    for (char &c : line)
      if (c == ',' || c == '\t' || c == '\r') c = ' ';
    int count = 0;
    for (const std::string &word : split(line, ' ')) {
      if (word.empty()) continue;
      const std::optional<double> value = real(word);
      if (!value) throw Trouble{1, path + ": line " + std::to_string(number) + ": '" + word + "' is no number"};
      out.push_back(*value);
      ++count;
    }
    if (count != 0 && count != dim)
      throw Trouble{1, path + ": line " + std::to_string(number) + " has " + std::to_string(count) +
                           " numbers instead of " + std::to_string(dim) + ", the coordinates of a point"};
  }
}

} // namespace

Arguments read_arguments(const std::vector<std::string> &words) {
  Arguments out;
  out.progress = isatty(STDERR_FILENO) == 1;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string &word = words[i];
    if (word == "--progress") {
      out.progress = true;
    } else if (word.size() > 1 && word[0] == '-') {
      if (i + 1 == words.size()) wrong_use("option '" + word + "' is unknown or lacks its value");
      read_option(out, word, words[++i]);
    } else if (!is_setting(word)) {
      names.push_back(word);
    }
  }
  if (names.size() != 2) wrong_use("a mesh and the name of a velocity are expected");
  out.mesh = names[0];
  out.velocity = names[1];
  if (out.seeds.empty()) wrong_use("--seeds is missing: where do lines begin?");
  if (out.params.step == 0) wrong_use("--step is missing, e.g. --unit cells --step 0.2 for a fifth of a cell");
  look_ahead(out);
  return out;
}

std::vector<double> all_seeds(const std::vector<Seeds> &seeds, int dim) {
  std::vector<double> out;
  const auto most = static_cast<std::size_t>(std::numeric_limits<op_index>::max()),
             each = static_cast<std::size_t>(dim);
  for (const Seeds &one : seeds) {
    if (!one.file.empty()) {
      add_file(one.file, dim, out);
    } else {
      if (one.from.size() != each)
        wrong_use("--seeds " + one.word + ": its points have " + std::to_string(one.from.size()) +
                  " coordinates, and those of the mesh " + std::to_string(dim));
      std::size_t count = 1;
      for (const op_index n : one.counts) count = std::min(count * static_cast<std::size_t>(n), most + 1);
      const std::size_t before = out.size();
      if (before / each + count > most) wrong_use("--seeds " + one.word + ": too many points");
      out.resize(before + count * each);
      if (one.counts.size() == 1)
        op2::check(op_seed_line(dim, one.from.data(), one.to.data(), one.counts[0], out.data() + before));
      else
        op2::check(op_seed_grid(dim, one.from.data(), one.to.data(), one.counts.data(), out.data() + before));
    }
  }
  if (out.size() / each > most) wrong_use("there are too many seeds");
  return out;
}

op_trace_params params_of(const Arguments &arguments) {
  op_trace_params out = arguments.params;
  const auto text = [](const std::string &word) { return word.empty() ? nullptr : word.c_str(); };
  out.method = text(arguments.method);
  out.unit = text(arguments.unit);
  out.direction = text(arguments.direction);
  out.division = text(arguments.division);
  out.ending = text(arguments.ending);
  return out;
}

} // namespace op2_trace

// SPDX-License-Identifier: MIT
