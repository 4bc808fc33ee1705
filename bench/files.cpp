// files.cpp: declaring the airfoil mesh from an HDF5 file, 4 million cells, beside a plain read() of the same file into
// fresh memory. Both find the file in the system's cache. Also: writing it, beside a plain write() and fsync().
//
// Judged: reading is at least 0.6 times as fast.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "common/measure.hpp"
#include "common/report.hpp"
#include "naca_mesh.hpp"
#include "op2/op2.hpp"

namespace {

constexpr double least = 0.6;

[[noreturn]] void give_up(const char *what) {
  std::fprintf(stderr, "bench_files: %s\n", what);
  std::exit(1);
}

// Its own place, and nothing is left of it.
class Scratch {
 public:
  Scratch() {
    const char *const folder = std::getenv("TMPDIR");
    path_ = (folder ? folder : "/tmp") + std::string("/op2_bench_files.") + std::to_string(getpid());
  }
  ~Scratch() {
    std::remove(mesh().c_str());
    std::remove(plain().c_str());
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  [[nodiscard]] std::string mesh() const { return path_ + ".h5"; }
  [[nodiscard]] std::string plain() const { return path_ + ".bytes"; }

 private:
  std::string path_;
};

void declare(const naca::Mesh &m) {
  const op2::set nodes(m.nnode, "nodes"), edges(m.nedge, "edges"), bedges(m.nbedge, "bedges"), cells(m.ncell, "cells");
  const op2::map pedge(edges, nodes, 2, m.edge_nodes, "pedge"), pecell(edges, cells, 2, m.edge_cells, "pecell");
  const op2::map pbedge(bedges, nodes, 2, m.bedge_nodes, "pbedge"), pbecell(bedges, cells, 1, m.bedge_cell, "pbecell");
  const op2::map pcell(cells, nodes, 4, m.cell_nodes, "pcell");
  const op2::dat<double, 2> x(nodes, m.x, "p_x");
  const op2::dat<double, 4> q(cells, nullptr, "p_q");
  const op2::dat<int, 1> bound(bedges, m.bound, "p_bound");
}

void declare_from(const std::string &path) {
  const char *const f = path.c_str();
  const op_set nodes = op_decl_set_hdf5(f, "nodes"), edges = op_decl_set_hdf5(f, "edges");
  const op_set bedges = op_decl_set_hdf5(f, "bedges"), cells = op_decl_set_hdf5(f, "cells");
  op_decl_map_hdf5(edges, nodes, 2, f, "pedge");
  op_decl_map_hdf5(edges, cells, 2, f, "pecell");
  op_decl_map_hdf5(bedges, nodes, 2, f, "pbedge");
  op_decl_map_hdf5(bedges, cells, 1, f, "pbecell");
  op_decl_map_hdf5(cells, nodes, 4, f, "pcell");
  op_decl_dat_hdf5(nodes, 2, "double", f, "p_x");
  op_decl_dat_hdf5(cells, 4, "double", f, "p_q");
  op_decl_dat_hdf5(bedges, 1, "int", f, "p_bound");
}

std::size_t size_of(const std::string &path) {
  struct stat facts;
  if (stat(path.c_str(), &facts) != 0) give_up("the file is not there");
  return static_cast<std::size_t>(facts.st_size);
}

// Into memory that nobody has touched. One call brings at most 2 GiB.
void read_plainly(const std::string &path, std::size_t bytes) {
  const std::unique_ptr<char, decltype(&std::free)> memory(static_cast<char *>(std::malloc(bytes)), std::free);
  const int file = open(path.c_str(), O_RDONLY);
  for (std::size_t at = 0; at < bytes;) {
    const ssize_t got = read(file, memory.get() + at, bytes - at);
    if (got <= 0) give_up("cannot be read");
    at += static_cast<std::size_t>(got);
  }
  close(file);
}

void write_plainly(const std::string &path, const std::vector<char> &bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (std::size_t at = 0; at < bytes.size();) {
    const ssize_t put = write(file, bytes.data() + at, bytes.size() - at);
    if (put <= 0) give_up("cannot be written");
    at += static_cast<std::size_t>(put);
  }
  fsync(file);
  close(file);
}

void start() {
  if (op_init(0, nullptr, 0) != OP_OK) give_up(op_last_error());
}

void measure_reading(const std::string &path, std::size_t bytes) {
  bench::Pairs pairs;
  for (int i = 0; i < bench::fewest_pairs + 1; ++i) {
    const double plain = bench::seconds([&] { read_plainly(path, bytes); });
    start();
    const double mesh = bench::seconds([&] { declare_from(path); });
    if (op_last_status() != OP_OK) give_up(op_last_error());
    op_exit();
    if (i > 0) pairs.add(plain, mesh); // the first fills the cache
  }
  const double gigabytes = 1e-9 * static_cast<double>(bytes);
  bench::result("files.read.plain", gigabytes / bench::median(pairs.yardstick), "GB/s");
  bench::result("files.read.hdf5", gigabytes / bench::median(pairs.subject), "GB/s");
  bench::check("files.read.speed", 1 / pairs.ratio(), least, bench::Better::above, "x");
}

void measure_writing(const naca::Mesh &mesh, const Scratch &scratch, std::size_t bytes) {
  bench::Pairs pairs;
  const std::vector<char> zeros(bytes);
  start();
  declare(mesh);
  for (int i = 0; i < 3; ++i) {
    const double plain = bench::seconds([&] { write_plainly(scratch.plain(), zeros); });
    const double dumped = bench::seconds([&] { op_dump_to_hdf5(scratch.mesh().c_str()); });
    pairs.add(plain, dumped);
  }
  if (op_last_status() != OP_OK) give_up(op_last_error());
  op_exit();
  const double gigabytes = 1e-9 * static_cast<double>(bytes);
  bench::result("files.write.plain", gigabytes / bench::median(pairs.yardstick), "GB/s");
  bench::result("files.write.hdf5", gigabytes / bench::median(pairs.subject), "GB/s");
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  setenv("OP2_BACKEND", "self+seq", 1);
  setenv("OP2_ERROR", "return", 1);
  const naca::Mesh mesh = quick ? naca::make_mesh(200, 200) : naca::make_mesh(1000, 1334);
  const Scratch scratch;
  start();
  declare(mesh);
  if (op_dump_to_hdf5(scratch.mesh().c_str()) != OP_OK) {
    bench::skip("files",
                op_last_status() == OP_ERR_BACKEND ? "built without HDF5 (package libhdf5-dev)" : op_last_error());
    return 0;
  }
  op_exit();
  const std::size_t bytes = size_of(scratch.mesh());
  bench::result("files.mesh.size", 1e-6 * static_cast<double>(bytes), "MB");
  measure_reading(scratch.mesh(), bytes);
  measure_writing(mesh, scratch, bytes);
  return 0;
}

// SPDX-License-Identifier: MIT
