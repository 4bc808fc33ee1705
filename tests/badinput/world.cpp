// world.cpp: see world.hpp.
#include "world.hpp"

#include <gtest/gtest.h>

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <sstream>

#include "op2/compat.h"
#include "op2/global.h"
#include "op2/heads.h"
#include "op2/inspect.h"
#include "op2/particles.h"
#include "op2/partition.h"
#include "op2/reduction.h"

namespace badinput {

namespace {

World the_world;
op_lines the_lines = nullptr; // they outlive all sessions

void add_up(void *into, const void *from, int dim) {
  for (int i = 0; i < dim; ++i) static_cast<double *>(into)[i] += static_cast<const double *>(from)[i];
}

op_status init_seq() {
  op_init_params params = OP_INIT_PARAMS;
  params.backend = "seq";
  params.diags = 2; // op_diagnostic_output() prints
  return op_init_with(&params);
}

Handles declare() {
  const int pairs[] = {0, 1, 1, 2, 2, 3};
  const double on_nodes[] = {1, 2, 3, 4, 5, 6, 7, 8}, on_edges[] = {9, 10, 11}, zero = 0;
  Handles h;
  h.edges = op_decl_set(3, "edges");
  h.nodes = op_decl_set(4, "nodes");
  h.edge_nodes = op_decl_map(h.edges, h.nodes, 2, pairs, "edge_nodes");
  h.x = op_decl_dat(h.nodes, 2, "double", on_nodes, "x");
  h.length = op_decl_dat(h.edges, 1, "double", on_edges, "length");
  h.scratch = op_decl_dat_temp(h.nodes, 1, "int", "scratch");
  h.sum = op_decl_reduction("sum", "double", 0, add_up, &zero);
  h.total = op_decl_global(2, "double", on_nodes, "total");
  h.view = op_decl_view(h.x, "view");
  op_view_cells(h.view, h.edge_nodes, OP_CELL_LINE);
  op_view_field(h.view, h.length, nullptr);
  h.triangles = op_decl_set(1, "triangles");
  h.triangle_nodes = op_decl_map(h.triangles, h.nodes, 3, pairs + 1, "triangle_nodes");
  h.flow = op_decl_dat(h.nodes, 2, "double", on_nodes, "flow");
  h.flow_speed = op_decl_dat(h.nodes, 1, "double", on_nodes, "flow_speed");
  h.shape = op_decl_view(h.x, "shape");
  op_view_cells(h.shape, h.triangle_nodes, OP_CELL_TRIANGLE);
  h.tracer = op_decl_tracer(h.shape, h.flow);
  h.ions = op_decl_particles(h.triangles, "ions");
  h.ion_cell = op_particle_cell(h.ions);
  h.ion_nodes = op_map_compose(h.ion_cell, h.triangle_nodes, "ion_nodes");
  h.charge = op_decl_dat(h.ions, 1, "double", nullptr, "charge");
  const op_gindex in_cells[] = {0, 0};
  const op_particle_values charges{h.charge, on_edges};
  op_add_particles(h.ions, 2, in_cells, 1, &charges);
  EXPECT_EQ(OP_OK, op_last_status()) << op_last_error();
  return h;
}

// A file in memory, emptied before each use.
class MemoryFile {
 public:
  MemoryFile() : file_(memfd_create("badinput", 0)) { EXPECT_GE(file_, 0); }
  ~MemoryFile() { close(file_); }
  MemoryFile(const MemoryFile &) = delete;
  MemoryFile &operator=(const MemoryFile &) = delete;
  int number() const { return file_; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }
  void empty() const {
    EXPECT_EQ(0, ftruncate(file_, 0));
    lseek(file_, 0, SEEK_SET);
  }
  std::string content() const {
    std::string text(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), '\0');
    EXPECT_EQ(static_cast<ssize_t>(text.size()), pread(file_, text.data(), text.size(), 0));
    return text;
  }

 private:
  int file_;
};

// What body() prints on stdout.
template <class Body>
std::string printed_by(Body body) {
  static const MemoryFile file;
  file.empty();
  std::fflush(stdout);
  const int before = dup(STDOUT_FILENO);
  dup2(file.number(), STDOUT_FILENO);
  body();
  std::fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
  return file.content();
}

template <class T>
void put_values(std::ostream &out, op_dat dat, std::size_t count) {
  std::vector<T> values(count);
  if (op_fetch_data(dat, values.data()) != OP_OK) out << " (" << op_last_error() << ")"; // acquired
  for (const T &value : values) out << ' ' << std::hexfloat << value;                    // every bit
  out << '\n';
}

} // namespace

World &world() { return the_world; }

void start_world() {
  the_world = {};
  ASSERT_EQ(OP_OK, init_seq()) << op_last_error();
  the_world.old = declare();
  op_trace_params params = OP_TRACE_PARAMS;
  params.step = 1;
  if (!the_lines) {
    ASSERT_EQ(OP_OK, op_trace(the_world.old.tracer, 0, nullptr, &params, &the_lines)) << op_last_error();
  }
  ASSERT_EQ(OP_OK, op_exit());
  ASSERT_EQ(OP_OK, init_seq());
  static_cast<Handles &>(the_world) = declare();
  the_world.freed = op_decl_dat_temp(the_world.nodes, 1, "int", "freed");
  ASSERT_EQ(OP_OK, op_free_dat_temp(the_world.freed));
}

void end_world() {
  EXPECT_EQ(OP_OK, op_exit());
  the_world = {};
}

op_lines some_lines() {
  if (!the_lines) {
    start_world();
    end_world();
  }
  return the_lines;
}

std::string state_of_mesh() {
  std::ostringstream out;
  out << "initialised " << op_is_initialised() << ", back end " << op_backend() << ", partitioned "
      << op_is_partitioned() << ", of the program " << the_world.global << '\n';
  if (!op_is_initialised() || !the_world.edges) return out.str();
  const World &w = the_world;
  out << printed_by([] { op_diagnostic_output(); }); // names, sizes and dims of all objects
  for (const op_set set : {w.edges, w.nodes, w.ions})
    out << op_set_name(set) << ' ' << op_get_size(set) << ' ' << set->index << ' ' << op_get_size_local_full(set)
        << '\n';
  out << op_map_name(w.edge_nodes) << ' ' << w.edge_nodes->index << ':';
  for (int i = 0; i < 6; ++i) out << ' ' << w.edge_nodes->map[i];
  out << '\n';
  for (const op_dat dat : {w.x, w.length, w.scratch, w.charge})
    out << op_dat_name(dat) << ' ' << dat->index << ' ' << op_dat_dim(dat) << ' ' << op_dat_type(dat) << ' '
        << op_set_name(op_dat_set(dat)) << ' ' << dat->dirty_hd << ' ' << dat->dirtybit << '\n';
  put_values<double>(out, w.x, 8);
  put_values<double>(out, w.length, 3);
  put_values<int>(out, w.scratch, 4);
  const auto ions = static_cast<std::size_t>(op_get_size_local(w.ions));
  put_values<double>(out, w.charge, ions);
  put_values<long long>(out, op_particle_identity(w.ions), ions);
  put_values<long long>(out, op_particle_next(w.ions), ions);
  return out.str();
}

std::string state() {
  const std::string mesh = state_of_mesh();
  if (!op_is_initialised()) return mesh;
  static const MemoryFile timings;
  timings.empty();
  op_timings_to_csv(timings.path().c_str()); // a row for each loop that was ever run
  return mesh + timings.content();
}

void *zeroed_memory() {
  static std::array<char, 4096> memory{};
  return memory.data();
}

void *garbage_memory() {
  static std::array<unsigned char, 4096> memory = [] {
    std::array<unsigned char, 4096> bytes{};
    bytes.fill(0xA5);
    return bytes;
  }();
  return memory.data();
}

void idle_kernel(void *) {}
op_kernel_fn idle() { return reinterpret_cast<op_kernel_fn>(&idle_kernel); }

} // namespace badinput

// SPDX-License-Identifier: MIT
