// view_job.cpp: writes views of two small meshes from any number of processes; read_back.py knows what must be in them.
//
//   view_job FOLDER replicated|local|again
//
// `again` continues a series that another run has written.
#include <op2/order.h>
#include <op2/partition.h>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <op2/op2.hpp>
#include <string>
#include <vector>

namespace {

void count_corner(const double *, int *degree) { *degree += 1; }
void double_it(double *p) { *p *= 2.0; }

// How processes declare a set's rows: all of them, or a block each.
struct Share {
  bool local = false;
  int rank = 0, processes = 1;
  [[nodiscard]] int first(int size) const { return local ? static_cast<int>(1LL * size * rank / processes) : 0; }
  [[nodiscard]] int count(int size) const {
    return local ? static_cast<int>(1LL * size * (rank + 1) / processes) - first(size) : size;
  }
  template <class T>
  [[nodiscard]] const T *of(const std::vector<T> &all, int dim) const {
    return all.data() + static_cast<std::ptrdiff_t>(first(static_cast<int>(all.size()) / dim)) * dim;
  }
};

template <class T, class F>
std::vector<T> values(int size, int dim, F &&at) {
  std::vector<T> out;
  for (int n = 0; n < size; ++n)
    for (int c = 0; c < dim; ++c) out.push_back(static_cast<T>(at(n, c)));
  return out;
}

// A plane: 12 x 9 squares, those on the right divided into two triangles each.
struct Plane {
  static constexpr int nx = 12, ny = 9, left = 7, nodes = (nx + 1) * (ny + 1);
  std::vector<double> x;
  std::vector<int> quads, triangles;
  // Their places among all cells, which are in no order.
  std::vector<int> quad_cells, triangle_cells;
  static constexpr int cells = ny * (2 * nx - left);
  static int place(int number) { return 5 * number % cells; }
  Plane() {
    int cell = 0;
    for (int j = 0; j <= ny; ++j)
      for (int i = 0; i <= nx; ++i) x.insert(x.end(), {i / 3.0, j / 7.0});
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const int a = j * (nx + 1) + i, b = a + 1, c = b + nx + 1, d = a + nx + 1;
        if (i < left) {
          quads.insert(quads.end(), {a, b, c, d});
          quad_cells.push_back(place(cell++));
        } else {
          triangles.insert(triangles.end(), {a, b, c, a, c, d});
          triangle_cells.insert(triangle_cells.end(), {place(cell), place(cell + 1)});
          cell += 2;
        }
      }
  }
};

void write_plane(const std::string &folder, const Share &share, bool again) {
  const Plane plane;
  const int nquads = static_cast<int>(plane.quads.size()) / 4,
            ntriangles = static_cast<int>(plane.triangles.size()) / 3;
  const op2::set nodes(share.count(Plane::nodes), "nodes"), quads(share.count(nquads), "quads"),
      triangles(share.count(ntriangles), "triangles"), cells(share.count(Plane::cells), "cells");
  const op2::map quad_nodes(quads, nodes, 4, share.of(plane.quads, 4), "quad_nodes"),
      triangle_nodes(triangles, nodes, 3, share.of(plane.triangles, 3), "triangle_nodes"),
      quad_cells(quads, cells, 1, share.of(plane.quad_cells, 1), "quad_cells"),
      triangle_cells(triangles, cells, 1, share.of(plane.triangle_cells, 1), "triangle_cells");
  const auto dat = [&share](const op2::set &set, int size, int dim, const char *type, auto &&at, auto zero,
                            const char *name) {
    using T = decltype(zero);
    const std::vector<T> all = values<T>(size, dim, at);
    op_dat out = op_decl_dat_char(set, dim, type, sizeof(T), reinterpret_cast<const char *>(share.of(all, dim)), name);
    op2::check(out);
    return out;
  };
  const op2::dat<double, 2> x(nodes, share.of(plane.x, 2), "x");
  const op_dat temperature = dat(
                   nodes, Plane::nodes, 1, "double", [](int n, int) { return std::sqrt(n) / 3; }, 0.0, "T"),
               speed = dat(
                   nodes, Plane::nodes, 3, "float", [](int n, int c) { return n / 7.0 + c; }, 0.0F, "speed"),
               number = dat(
                   nodes, Plane::nodes, 1, "long long", [](int n, int) { return (1LL << 40) + n; }, 0LL, "number");
  const op2::dat<int, 1> degree(nodes, nullptr, "degree");
  const op2::dat<double, 1> p4(dat(
      quads, nquads, 1, "double", [](int n, int) { return n / 3.0; }, 0.0, "p_quads")),
      p3(dat(
          triangles, ntriangles, 1, "double", [](int n, int) { return n / 7.0; }, 0.0, "p_triangles"));
  const op_dat q = dat(
                   quads, nquads, 4, "double", [](int n, int c) { return n + c / 3.0; }, 0.0, "q"),
               kind = dat(
                   triangles, ntriangles, 1, "int", [](int n, int) { return n % 5; }, 0, "kind"),
               count = dat(
                   triangles, ntriangles, 2, "unsigned", [](int n, int c) { return 4000000000U + unsigned(n + c); }, 0U,
                   "count"),
               flag = dat(
                   quads, nquads, 1, "bool", [](int n, int) { return n % 2 == 0; }, static_cast<unsigned char>(0),
                   "flag"),
               of_cells = dat(
                   cells, Plane::cells, 2, "double", [](int n, int c) { return n / 3.0 + c; }, 0.0, "of_cells");
  op2::check(op_partition("RANDOM", "", nullptr, nullptr, nullptr));
  for (int c = 0; c < 4; ++c)
    op_par_loop(count_corner, "count_corner", quads, op2::read(p4), op2::inc(degree, c, quad_nodes));
  op2::check(op_renumber(triangle_nodes)); // all sets, the cells too
  op_par_loop(double_it, "double_it", quads, op2::rw(p4));

  op2::view view(x, "plane & <\"more\">");
  view.cells(quad_nodes, OP_CELL_QUADRILATERAL).cells(triangle_nodes, OP_CELL_TRIANGLE);
  view.field(p4, "pressure").field(p3, "pressure").field(q).field(kind).field(count).field(flag).field(of_cells);
  view.field(temperature)
      .field(speed, "a<b & \"c\" \xc3\xa4")
      .field(number)
      .field(degree)
      .field(temperature, "pressure");
  if (!again) {
    view.write(folder + "/plane.vtkhdf");
    view.write(folder + "/plane.xdmf");
    // One type of cells only.
    op2::view squares(x, "squares");
    squares.cells(quad_nodes, OP_CELL_QUADRILATERAL).field(p4, "pressure").field(q).field(of_cells);
    squares.write(folder + "/squares.xdmf");
  }
  // 0, 0.1, 0.2, and from there again: 0.2, 0.3.
  for (int step = again ? 2 : 0; step < (again ? 4 : 3); ++step) {
    view.write_step(folder + "/steps.vtkhdf", step / 10.0);
    view.write_step(folder + "/steps.xdmf", step / 10.0);
    op_par_loop(double_it, "double_it", quads, op2::rw(p4));
  }
}

// One cell of each solid type, and lines and points.
void write_solids(const std::string &folder, const Share &share) {
  const std::vector<float> x = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1,    0,    1,
                                1, 1, 1, 0, 1, 1, 2, 0, 0, 2, 1, 0, 2, 1, 1, 0.5F, 0.5F, 1.1F};
  const int count = static_cast<int>(x.size()) / 3;
  const std::vector<int> hexahedron = {0, 1, 2, 3, 4, 5, 6, 7}, prism = {1, 8, 5, 2, 9, 6}, pyramid = {4, 5, 6, 7, 11},
                         tetrahedron = {1, 8, 5, 10}, line = {0, 1, 1, 2}, vertex = {11};
  const op2::set nodes(share.count(count), "nodes");
  const op2::dat<float, 3> place(nodes, share.of(x, 3), "place");
  op2::view view(place, "solids");
  const auto add = [&](const std::vector<int> &table, int dim, op_cell_type type, const char *name) {
    const int size = static_cast<int>(table.size()) / dim;
    const op2::set cells(share.count(size), name);
    view.cells(op2::map(cells, nodes, dim, share.of(table, dim), name), type);
    const std::vector<double> all = values<double>(size, 1, [type](int n, int) { return type + n / 3.0; });
    view.field(op2::dat<double, 1>(cells, share.of(all, 1), name), "mass");
  };
  add(hexahedron, 8, OP_CELL_HEXAHEDRON, "hexahedra");
  add(prism, 6, OP_CELL_PRISM, "prisms");
  add(pyramid, 5, OP_CELL_PYRAMID, "pyramids");
  add(tetrahedron, 4, OP_CELL_TETRAHEDRON, "tetrahedra");
  view.write(folder + "/solids.xdmf"); // meshio does not read mixtures with lines
  add(line, 2, OP_CELL_LINE, "lines");
  add(vertex, 1, OP_CELL_VERTEX, "points");
  view.write(folder + "/solids.vtkhdf");
  view.write(folder + "/all.xdmf");
}

// Cells of second order, and polygons of two lengths; where the nodes are plays no part.
void write_curved(const std::string &folder, const Share &share) {
  constexpr int count = 40;
  const op2::set nodes(share.count(count), "nodes");
  const std::vector<double> x = values<double>(count, 3, [](int n, int c) { return (n * (c + 2)) % 11; });
  const op2::dat<double, 3> place(nodes, share.of(x, 3), "place");
  struct Kind {
    op_cell_type type;
    int nodes;
    const char *name;
  };
  const std::vector<Kind> kinds = {{OP_CELL_QUADRATIC_LINE, 3, "line3"},
                                   {OP_CELL_QUADRATIC_TRIANGLE, 6, "triangle6"},
                                   {OP_CELL_QUADRATIC_QUADRILATERAL, 8, "quad8"},
                                   {OP_CELL_QUADRATIC_TETRAHEDRON, 10, "tetra10"},
                                   {OP_CELL_QUADRATIC_HEXAHEDRON, 20, "hexahedron20"},
                                   {OP_CELL_QUADRATIC_PRISM, 15, "wedge15"},
                                   {OP_CELL_QUADRATIC_PYRAMID, 13, "pyramid13"},
                                   {OP_CELL_POLYGON, 5, "polygon5"},
                                   {OP_CELL_POLYGON, 7, "polygon7"}};
  op2::view all(place, "curved");
  for (const Kind &kind : kinds) { // two cells of each
    std::vector<int> table;
    for (int n = 0; n < 2 * kind.nodes; ++n) table.push_back((kind.type + 3 * n) % count);
    const op2::set cells(share.count(2), kind.name);
    const op2::map map(cells, nodes, kind.nodes, share.of(table, kind.nodes), kind.name);
    all.cells(map, kind.type);
    op2::view(place, kind.name).cells(map, kind.type).write(folder + "/" + kind.name + ".xdmf");
  }
  all.write(folder + "/curved.vtkhdf");
  all.write(folder + "/curved.xdmf");
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  try {
    const std::string folder = argv[1], how = argv[2];
    char declare[] = "OP2_DECLARE=local", replicated[] = "OP2_DECLARE=replicated";
    std::vector<char *> arguments(argv, argv + 1);
    arguments.push_back(how == "local" ? declare : replicated);
    const op2::context context(static_cast<int>(arguments.size()), arguments.data());
    Share share{how == "local", 0, op_comm_size()};
    op_rank(&share.rank);
    write_plane(folder, share, how == "again");
    if (how != "again") write_solids(folder, share);
    if (how != "again") write_curved(folder, share);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "view_job: %s\n", error.what());
    return 1;
  }
  return 0;
}

// SPDX-License-Identifier: MIT
