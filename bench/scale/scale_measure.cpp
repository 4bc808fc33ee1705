// scale_measure.cpp: see scale_measure.hpp.
#include "scale/scale_measure.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "airfoil/airfoil_c.h"

namespace scale {

namespace {

using Lines = std::vector<std::istringstream>;

std::string quoted(const std::string &word) {
  std::string out = "'";
  return out.append(word).append("'");
}

// What a program says on stdout.
Lines run(const std::string &command) {
  struct Close {
    void operator()(std::FILE *stream) const { pclose(stream); }
  };
  std::unique_ptr<std::FILE, Close> stream(popen(command.c_str(), "r"));
  if (!stream) throw std::runtime_error("cannot start " + command);
  std::string text;
  std::array<char, 4096> piece{};
  while (const std::size_t got = std::fread(piece.data(), 1, piece.size(), stream.get()))
    text.append(piece.data(), got);
  if (pclose(stream.release()) != 0) throw std::runtime_error("this failed: " + command);
  Lines lines;
  std::istringstream all(text);
  for (std::string line; std::getline(all, line);) lines.emplace_back(line);
  return lines;
}

// Messages are counted where MPI gets them, so all of them must go there.
// make_room: ranks that wait leave their cores to others. Without it messages are faster, if every rank has a core.
Lines run_ranks(int ranks, bool make_room, const std::string &arguments) {
  // More ranks than cores, or a start as root in a container, must not stop it.
  for (const char *variable :
       {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"})
    setenv(variable, "1", 0);
  std::ostringstream command;
  command << "OMPI_MCA_mpi_yield_when_idle=" << (make_room ? 1 : 0)
          << " OP2_DECLARE=local OP2_SHARED_MEMORY=off OP2_CHAIN_DEPTH=100 " << quoted(OP2_BENCH_MPIRUN)
          << " --bind-to none -n " << ranks << ' ' << quoted(OP2_BENCH_SCALE_RANKS) << ' ' << arguments;
  return run(command.str());
}

class PartFile {
 public:
  explicit PartFile(const std::vector<int> &part) {
    const char *folder = std::getenv("TMPDIR");
    name_ = std::string(folder ? folder : "/tmp") + "/op2_scale_XXXXXX";
    const int file = mkstemp(name_.data());
    if (file < 0) throw std::runtime_error("cannot make a file in the folder for temporary files");
    close(file);
    std::ofstream out(name_, std::ios::binary);
    out.write(reinterpret_cast<const char *>(part.data()), static_cast<std::streamsize>(part.size() * sizeof(int)));
    if (!out.flush()) throw std::runtime_error("cannot write the parts");
  }
  PartFile(const PartFile &) = delete;
  PartFile &operator=(const PartFile &) = delete;
  ~PartFile() { std::remove(name_.c_str()); }
  const std::string &name() const { return name_; }

 private:
  std::string name_;
};

} // namespace

Grid grid_of(int cells) {
  constexpr double width_to_length = 35.0 / 24; // of the 1M mesh of sizes.hpp: J to I
  const int I = std::max(2, static_cast<int>(std::lround(std::sqrt(cells / (3 * width_to_length)))));
  return {I, std::max(2, static_cast<int>(std::lround(cells / (3.0 * I))))};
}

MeasuredLoops measure_loops(const std::vector<Grid> &grids, int at_once) {
  std::ostringstream command;
  for (int process = 0; process < at_once; ++process) {
    command << quoted(OP2_BENCH_SCALE_LOOPS);
    for (const Grid &grid : grids) command << ' ' << grid.I << ' ' << grid.J;
    command << (at_once > 1 ? " & " : "");
  }
  if (at_once > 1) command << "wait";
  struct Times {
    double fastest = 0, median = 0;
  };
  std::map<std::pair<int, int>, Times> slowest; // process, by loop and elements
  MeasuredLoops out;
  std::size_t meshes = 0;
  for (std::istringstream &line : run(command.str())) {
    std::string what;
    int number = 0, elements = 0;
    Times said;
    if (!(line >> what >> number >> elements >> said.fastest >> said.median)) continue;
    if (what == "loop" && number >= 0 && number < AIRFOIL_KERNELS) {
      Times &times = slowest[{number, elements}];
      times.fastest = std::max(times.fastest, said.fastest);
      times.median = std::max(times.median, said.median);
    } else if (what == "iteration") {
      ++meshes;
      out.fastest_iteration = said.fastest;
    }
  }
  if (meshes != static_cast<std::size_t>(at_once) * grids.size())
    throw std::runtime_error("the loops were not all measured");
  out.fastest.resize(AIRFOIL_KERNELS);
  out.median.resize(AIRFOIL_KERNELS);
  for (const auto &[loop, times] : slowest) {
    out.fastest[static_cast<std::size_t>(loop.first)].add(loop.second, times.fastest);
    out.median[static_cast<std::size_t>(loop.first)].add(loop.second, times.median);
  }
  return out;
}

bool has_ranks() { return *OP2_BENCH_SCALE_RANKS != '\0'; }

Wire measure_wire(int ranks, int samples) {
  double small = 0, smallest = 0, large = 0, largest = 0; // seconds and bytes
  for (std::istringstream &line : run_ranks(ranks, static_cast<unsigned>(ranks) > std::thread::hardware_concurrency(),
                                            "links " + std::to_string(samples))) {
    std::string what;
    double bytes = 0, seconds = 0;
    if (!(line >> what >> bytes >> seconds) || what != "link") continue;
    if (smallest == 0) {
      smallest = bytes;
      small = seconds;
    }
    largest = bytes;
    large = seconds;
  }
  if (largest <= smallest) throw std::runtime_error("no times of messages");
  return {small, (largest - smallest) / std::max(large - small, 1e-12)};
}

RealRun run_on_ranks(int ranks, const Grid &grid, const std::vector<int> &part, int iterations, int chain) {
  const PartFile file(part);
  RealRun out;
  constexpr std::size_t sets = 4;
  for (auto *counts : {&out.owned, &out.core, &out.exec, &out.nonexec})
    counts->assign(sets, std::vector<int>(static_cast<std::size_t>(ranks), -1));
  std::ostringstream arguments;
  arguments << "airfoil " << grid.I << ' ' << grid.J << ' ' << quoted(file.name()) << ' ' << iterations << ' ' << chain;
  for (std::istringstream &line : run_ranks(ranks, true, arguments.str())) {
    std::string what;
    line >> what;
    std::size_t rank = 0, set = 0;
    if (what == "iteration") {
      line >> out.iteration >> out.fastest;
    } else if (what == "rank") {
      std::int64_t messages = 0, bytes = 0;
      line >> rank >> messages >> bytes;
      out.messages.push_back(messages);
      out.bytes.push_back(bytes);
    } else if (what == "set" && line >> rank >> set && rank < static_cast<std::size_t>(ranks) && set < sets) {
      for (auto *counts : {&out.owned, &out.core, &out.exec, &out.nonexec}) line >> (*counts)[set][rank];
    }
  }
  if (out.iteration <= 0 || out.messages.size() != static_cast<std::size_t>(ranks))
    throw std::runtime_error("the real run said too little");
  return out;
}

} // namespace scale

// SPDX-License-Identifier: MIT
