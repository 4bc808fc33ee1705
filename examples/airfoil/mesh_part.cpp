// mesh_part.cpp: see mesh_part.hpp.
#include "mesh_part.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <op2/op2.hpp>
#include <stdexcept>

namespace {

// One number of each process, on all of them. No MPI is needed: a set with one element per process does it.
std::vector<long long> from_all(long long value, const char *what) {
  const op2::set processes(1, what);
  const op2::dat<long long, 1> values(processes, &value, what);
  return values.fetch_range(0, op_comm_size() - 1);
}

// The lines that begin in this process's part of the file.
std::vector<std::string> read_lines(const std::string &file, int rank, int size) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) throw std::runtime_error(file + ": " + std::strerror(errno));
  const long long bytes = in.tellg(), begin = bytes * rank / size, end = bytes * (rank + 1) / size;
  long long at = begin > 0 ? begin - 1 : 0;
  std::string line;
  in.seekg(at);
  if (begin > 0 && std::getline(in, line)) at += static_cast<long long>(line.size()) + 1; // the end of another's line
  std::vector<std::string> lines;
  while (at < end && std::getline(in, line)) {
    at += static_cast<long long>(line.size()) + 1;
    lines.push_back(line);
  }
  return lines;
}

// The numbers of one line, one after the other.
class Row {
 public:
  explicit Row(const std::string &line) : at_(line.c_str()) {}

  void read(int count, std::vector<double> &values) {
    char *after = nullptr;
    for (int n = 0; n < count; ++n, step(after)) values.push_back(std::strtod(at_, &after));
  }
  void read(int count, std::vector<int> &values) {
    char *after = nullptr;
    for (int n = 0; n < count; ++n, step(after)) {
      const long value = std::strtol(at_, &after, 10);
      good_ = good_ && value >= 0 && value <= 2147483647;
      values.push_back(static_cast<int>(value));
    }
  }
  [[nodiscard]] bool complete() const { return good_ && at_[std::strspn(at_, " \t\r")] == '\0'; }

 private:
  void step(const char *after) {
    good_ = good_ && after != at_;
    at_ = after;
  }
  const char *at_;
  bool good_ = true;
};

// Row `number` of the file behind its header: which set it belongs to follows from the sizes.
void read_row(Row &row, long long number, MeshPart &part) {
  if (number < part.nnode) return row.read(2, part.x);
  if ((number -= part.nnode) < part.ncell) return row.read(4, part.cell_nodes);
  if ((number -= part.ncell) < part.nedge) {
    row.read(2, part.edge_nodes);
    return row.read(2, part.edge_cells);
  }
  if (number - part.nedge >= part.nbedge) throw std::runtime_error("the mesh is complete, but the file goes on");
  row.read(2, part.bedge_nodes);
  row.read(1, part.bedge_cell);
  row.read(1, part.bound);
}

std::vector<long long> read_header(const std::string &file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<long long> counts(4);
  for (long long &count : counts)
    if (!(in >> count) || count < 0 || count > 2147483647) throw std::runtime_error(file + ": there is no header");
  return counts;
}

// Lines `first` ... of the file; the header is line 0.
void read_rows(const std::string &file, const std::vector<std::string> &lines, long long first, MeshPart &part) {
  for (std::size_t n = first == 0 ? 1 : 0; n < lines.size(); ++n) {
    const long long line = first + static_cast<long long>(n);
    Row row(lines[n]);
    read_row(row, line - 1, part);
    if (!row.complete()) throw std::runtime_error(file + ": line " + std::to_string(line + 1) + " is no such row");
  }
}

// Does it, and fails on all processes when it fails on one.
template <class Work>
void together(const char *what, Work &&work) {
  std::string message;
  bool failed = false;
  try {
    work();
  } catch (const std::exception &error) {
    failed = true;
    message = error.what();
  }
  for (const long long other : from_all(failed, what))
    if (other != 0) throw std::runtime_error(message);
}

} // namespace

MeshPart read_mesh_part(const std::string &file) {
  int rank = 0;
  op_rank(&rank);
  MeshPart part;
  std::vector<std::string> lines;
  together("file opened", [&] {
    const std::vector<long long> counts = read_header(file);
    part.nnode = static_cast<int>(counts[0]);
    part.ncell = static_cast<int>(counts[1]);
    part.nedge = static_cast<int>(counts[2]);
    part.nbedge = static_cast<int>(counts[3]);
    lines = read_lines(file, rank, op_comm_size());
  });
  long long first = 0, all = 0;
  const std::vector<long long> counts = from_all(static_cast<long long>(lines.size()), "lines");
  for (std::size_t p = 0; p < counts.size(); ++p) {
    if (p == static_cast<std::size_t>(rank)) first = all;
    all += counts[p];
  }
  together("rows read", [&] {
    if (all < 1LL + part.nnode + part.ncell + part.nedge + part.nbedge)
      throw std::runtime_error(file + ": the file ends before the mesh is complete");
    read_rows(file, lines, first, part);
  });
  return part;
}

airfoil_mesh MeshPart::rows() {
  const auto count = [](const auto &values, std::size_t each) { return static_cast<int>(values.size() / each); };
  airfoil_mesh rows;
  rows.nnode = count(x, 2);
  rows.ncell = count(cell_nodes, 4);
  rows.nedge = count(edge_nodes, 2);
  rows.nbedge = count(bound, 1);
  rows.x = x.data();
  rows.cell_nodes = cell_nodes.data();
  rows.edge_nodes = edge_nodes.data();
  rows.edge_cells = edge_cells.data();
  rows.bedge_nodes = bedge_nodes.data();
  rows.bedge_cell = bedge_cell.data();
  rows.bound = bound.data();
  return rows;
}

// SPDX-License-Identifier: MIT
