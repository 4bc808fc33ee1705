// naca_mesh.cpp: the geometry, the numbering and the text form of the airfoil mesh.
#include "naca_mesh.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <utility>

namespace naca {
namespace {

constexpr int decimals = 6;
constexpr double far_field = 3.0;       // half width and height of the mapped domain
constexpr double branch_point = 0.0077; // lies inside the nose, so that the square root unfolds the profile

// Cubic spline through (x, y) whose third derivative is continuous at the second and at the last but one point
// ("not a knot"). The unknowns are the slopes at the points; one tridiagonal system gives them.
class Spline {
 public:
  Spline(std::vector<double> x, std::vector<double> y) : x_(std::move(x)), y_(std::move(y)), slope_(x_.size()) {
    const std::size_t n = x_.size();
    std::vector<double> h(n - 1), d(n - 1), lower(n), diagonal(n), upper(n);
    for (std::size_t i = 0; i + 1 < n; ++i) {
      h[i] = x_[i + 1] - x_[i];
      d[i] = (y_[i + 1] - y_[i]) / h[i];
    }
    end_condition(h[0], h[1], d[0], d[1], diagonal[0], upper[0], slope_[0]);
    for (std::size_t i = 1; i + 1 < n; ++i) {
      lower[i] = h[i];
      diagonal[i] = 2 * (h[i - 1] + h[i]);
      upper[i] = h[i - 1];
      slope_[i] = 3 * (h[i] * d[i - 1] + h[i - 1] * d[i]);
    }
    end_condition(h[n - 2], h[n - 3], d[n - 2], d[n - 3], diagonal[n - 1], lower[n - 1], slope_[n - 1]);
    for (std::size_t i = 1; i < n; ++i) {
      const double factor = lower[i] / diagonal[i - 1];
      diagonal[i] -= factor * upper[i - 1];
      slope_[i] -= factor * slope_[i - 1];
    }
    slope_[n - 1] /= diagonal[n - 1];
    for (std::size_t i = n - 1; i-- > 0;) slope_[i] = (slope_[i] - upper[i] * slope_[i + 1]) / diagonal[i];
  }

  // Value at t; the first and last piece also serve what lies outside. Calls with growing t are fast.
  double operator()(double t) {
    while (piece_ + 2 < x_.size() && t >= x_[piece_ + 1]) ++piece_;
    while (piece_ > 0 && t < x_[piece_]) --piece_;
    const std::size_t i = piece_;
    const double h = x_[i + 1] - x_[i], d = (y_[i + 1] - y_[i]) / h, s = t - x_[i];
    const double c2 = (3 * d - 2 * slope_[i] - slope_[i + 1]) / h;
    const double c3 = (slope_[i] + slope_[i + 1] - 2 * d) / (h * h);
    return y_[i] + s * (slope_[i] + s * (c2 + s * c3));
  }

 private:
  // The equation of an end point: h0, d0 belong to its interval, h1, d1 to the next one inwards.
  static void end_condition(double h0, double h1, double d0, double d1, double &own, double &next, double &right) {
    own = h1;
    next = h0 + h1;
    right = ((h0 + 2 * next) * h1 * d0 + h0 * h0 * d1) / next;
  }

  std::vector<double> x_, y_, slope_;
  std::size_t piece_ = 0;
};

// The profile, mapped and mirrored: a smooth curve over the real axis of the mapped plane.
Spline mapped_surface() {
  constexpr int points = 100;
  const double half_pi = std::acos(0.0);
  std::array<std::complex<double>, points> upper;
  for (int i = 0; i < points; ++i) {
    const double s = std::sin(half_pi * i / (points - 1)), x = s * s;
    double y = 0.594689181 * (0.298222773 * std::sqrt(x) - 0.127125232 * x - 0.357907906 * x * x +
                              0.291984971 * x * x * x - 0.105174696 * x * x * x * x);
    if (i == points - 1) y = 0;
    upper[static_cast<std::size_t>(i)] = std::sqrt(std::complex<double>(x - branch_point, y));
  }
  std::vector<double> real, imaginary;
  for (std::size_t i = points; i-- > 1;) {
    real.push_back(-upper[i].real());
    imaginary.push_back(upper[i].imag());
  }
  for (const auto &z : upper) {
    real.push_back(z.real());
    imaginary.push_back(z.imag());
  }
  return Spline(std::move(real), std::move(imaginary));
}

// What remains of a coordinate after printing and reading it.
double rounded(double value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, decimals).ptr;
  std::from_chars(text, end, value);
  return value;
}

// Point i of n + 1. Many coordinates lie exactly between two six-decimal numbers: the order of the operations decides
// where they go, and with it the eleventh digit of the published residuals.
double equally_spaced(double first, double last, int i, int n) { return first + i * (last - first) / n; }

// The points of row 0 in the mapped plane: [3I + 1][2].
std::vector<double> mapped_base(int I) {
  Spline surface = mapped_surface();
  const int width = 3 * I;
  std::vector<double> out;
  for (int i = 0; i <= width; ++i) {
    const double x = equally_spaced(-far_field, far_field, i, width);
    out.push_back(x);
    out.push_back(i > I && i < 2 * I ? surface(x) : 0.0);
  }
  return out;
}

// The number of edges of the airfoil mesh, the largest of all counts.
int check_size(int I, int J) {
  if (I < 2 || J < 2) throw std::invalid_argument("the mesh needs I >= 2 and J >= 2");
  const long long i = I, j = J, edges = (3 * i - 1) * j + 3 * i * (j - 1) + i;
  if (edges > INT_MAX) throw std::invalid_argument("the mesh would have more than 2147483647 edges");
  return static_cast<int>(edges);
}

// Lines of numbers, collected in a buffer and written in large pieces.
class Text {
 public:
  explicit Text(std::FILE *file) : file_(file), buffer_(1 << 20) {}

  void coordinate(double value) {
    separate();
    used_ = std::to_chars(used_, limit(), value, std::chars_format::fixed, decimals).ptr;
  }
  void number(int value) {
    separate();
    used_ = std::to_chars(used_, limit(), value).ptr;
  }
  void end_line() {
    *used_++ = '\n';
    line_start_ = true;
    if (limit() - used_ < 512) flush();
  }
  bool flush() {
    const auto size = static_cast<std::size_t>(used_ - buffer_.data());
    good_ = std::fwrite(buffer_.data(), 1, size, file_) == size && good_;
    used_ = buffer_.data();
    return good_;
  }

 private:
  void separate() {
    if (!line_start_) *used_++ = ' ';
    line_start_ = false;
  }
  char *limit() { return buffer_.data() + buffer_.size(); }

  std::FILE *file_;
  std::vector<char> buffer_;
  char *used_ = buffer_.data();
  bool line_start_ = true, good_ = true;
};

void write_rows(Text &text, const std::vector<int> &rows, std::size_t dim, std::size_t begin) {
  for (std::size_t k = 0; k < dim; ++k) text.number(rows[begin * dim + k]);
}

bool write_text(const Mesh &mesh, std::FILE *file) {
  Text text(file);
  for (int count : {mesh.nnode, mesh.ncell, mesh.nedge, mesh.nbedge}) text.number(count);
  text.end_line();
  for (std::size_t n = 0; n < mesh.x.size(); n += 2) {
    text.coordinate(mesh.x[n]);
    text.coordinate(mesh.x[n + 1]);
    text.end_line();
  }
  for (std::size_t n = 0; n < static_cast<std::size_t>(mesh.ncell); ++n) {
    write_rows(text, mesh.cell_nodes, 4, n);
    text.end_line();
  }
  for (std::size_t n = 0; n < static_cast<std::size_t>(mesh.nedge); ++n) {
    write_rows(text, mesh.edge_nodes, 2, n);
    write_rows(text, mesh.edge_cells, 2, n);
    text.end_line();
  }
  for (std::size_t n = 0; n < static_cast<std::size_t>(mesh.nbedge); ++n) {
    write_rows(text, mesh.bedge_nodes, 2, n);
    text.number(mesh.bedge_cell[n]);
    text.number(mesh.bound[n]);
    text.end_line();
  }
  return text.flush();
}

} // namespace

MeshRows::MeshRows(int I, int J)
    : nnode(0), ncell(0), nedge(check_size(I, J)), nbedge(I + 3 * I + 2 * J), I_(I), J_(J), width_(3 * I) {
  nnode = (width_ + 1) * (J + 1);
  ncell = width_ * J;
  base_ = mapped_base(I);
}

void MeshRows::points(int j, std::vector<double> &x) const {
  for (std::size_t i = 0; i < base_.size(); i += 2) {
    const double y = equally_spaced(base_[i + 1], far_field, j, J_);
    x.push_back(rounded(base_[i] * base_[i] - y * y));
    x.push_back(rounded(2 * base_[i] * y));
  }
}

void MeshRows::cells(int j, std::vector<int> &cell_nodes) const {
  for (int i = 0; i < width_; ++i)
    cell_nodes.insert(cell_nodes.end(), {node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)});
}

void MeshRows::edges(int j, std::vector<int> &edge_nodes, std::vector<int> &edge_cells) const {
  const auto edge = [&](int n1, int n2, int c1, int c2) {
    edge_nodes.insert(edge_nodes.end(), {n1, n2});
    edge_cells.insert(edge_cells.end(), {c1, c2});
  };
  for (int i = 0; i < width_; ++i) {
    // The wake: the first row meets itself behind the profile; its nodes exist twice.
    if (j == 0 && i < I_) edge(node(i, 0), node(i + 1, 0), cell(width_ - 1 - i, 0), cell(i, 0));
    if (j + 1 < J_) edge(node(i, j + 1), node(i + 1, j + 1), cell(i, j), cell(i, j + 1));
    if (i + 1 < width_) edge(node(i + 1, j), node(i + 1, j + 1), cell(i + 1, j), cell(i, j));
  }
}

void MeshRows::boundary(std::vector<int> &bedge_nodes, std::vector<int> &bedge_cell, std::vector<int> &bound) const {
  const auto edge = [&](int n1, int n2, int c, int kind) {
    bedge_nodes.insert(bedge_nodes.end(), {n1, n2});
    bedge_cell.push_back(c);
    bound.push_back(kind);
  };
  constexpr int wall = 1, open = 2;
  for (int i = I_; i < 2 * I_; ++i) edge(node(i + 1, 0), node(i, 0), cell(i, 0), wall);
  for (int j = 0; j < J_; ++j) edge(node(width_, j + 1), node(width_, j), cell(width_ - 1, j), open);
  for (int i = width_ - 1; i >= 0; --i) edge(node(i, J_), node(i + 1, J_), cell(i, J_ - 1), open);
  for (int j = J_ - 1; j >= 0; --j) edge(node(0, j), node(0, j + 1), cell(0, j), open);
}

Mesh make_mesh(int I, int J) {
  const MeshRows rows(I, J);
  Mesh mesh;
  mesh.nnode = rows.nnode;
  mesh.ncell = rows.ncell;
  mesh.nedge = rows.nedge;
  mesh.nbedge = rows.nbedge;
  mesh.x.reserve(2 * static_cast<std::size_t>(mesh.nnode));
  mesh.cell_nodes.reserve(4 * static_cast<std::size_t>(mesh.ncell));
  mesh.edge_nodes.reserve(2 * static_cast<std::size_t>(mesh.nedge));
  mesh.edge_cells.reserve(2 * static_cast<std::size_t>(mesh.nedge));
  for (int j = 0; j < rows.point_rows(); ++j) rows.points(j, mesh.x);
  for (int j = 0; j < rows.cell_rows(); ++j) {
    rows.cells(j, mesh.cell_nodes);
    rows.edges(j, mesh.edge_nodes, mesh.edge_cells);
  }
  rows.boundary(mesh.bedge_nodes, mesh.bedge_cell, mesh.bound);
  return mesh;
}

FemMesh make_fem_mesh(int I, int J) {
  const MeshRows rows(I, J);
  const int width = 3 * I;
  // In the first row a point of the wake and its mirror image are one node. It takes the place of the latter, so that
  // numbers begin behind the first half of the wake.
  const auto node = [I, width](int i, int j) {
    const int number = i + j * (width + 1) - (I + 1);
    return number >= 0 ? number : 2 * I - 1 - i;
  };
  FemMesh mesh;
  mesh.nnode = (width + 1) * (J + 1) - (I + 1);
  mesh.ncell = width * J;
  mesh.nbnode = width + 2 * J;
  for (int j = 0; j < rows.point_rows(); ++j) rows.points(j, mesh.x);
  mesh.x.erase(mesh.x.begin(), mesh.x.begin() + 2 * (I + 1));
  mesh.cell_nodes.reserve(4 * static_cast<std::size_t>(mesh.ncell));
  for (int j = 0; j < J; ++j)
    for (int i = 0; i < width; ++i)
      mesh.cell_nodes.insert(mesh.cell_nodes.end(), {node(i, j), node(i + 1, j), node(i, j + 1), node(i + 1, j + 1)});
  mesh.boundary.push_back(node(width, 0)); // both ends of the first row
  for (int j = 1; j < J; ++j) mesh.boundary.insert(mesh.boundary.end(), {node(0, j), node(width, j)});
  for (int i = 0; i <= width; ++i) mesh.boundary.push_back(node(i, J));
  return mesh;
}

void write_mesh(const Mesh &mesh, const std::string &file) {
  // A device or a pipe takes the text as it comes; renaming would replace it by a file.
  const auto kind = std::filesystem::status(file).type();
  const bool direct = kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found;
  const std::string part = direct ? file : file + ".part" + std::to_string(::getpid());
  std::FILE *out = std::fopen(part.c_str(), "wb");
  if (!out) throw std::runtime_error("cannot create " + part + ": " + std::strerror(errno));
  const bool written = write_text(mesh, out);
  const bool closed = std::fclose(out) == 0;
  if (!written || !closed || (!direct && std::rename(part.c_str(), file.c_str()) != 0)) {
    if (!direct) std::remove(part.c_str());
    throw std::runtime_error("cannot write " + file);
  }
}

} // namespace naca

// SPDX-License-Identifier: MIT
