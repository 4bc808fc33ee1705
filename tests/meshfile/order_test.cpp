// order_test.cpp: what op2_mesh renumber and op2_mesh partition make of meshes in random order: all elements are still
// there, with the nodes, neighbours and patches that they had; neighbours stand near each other; parts are of one size
// with few faces between them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "op2/hdf5.h"
#include "op2/meshfile.h"
#include "op2/op2.h"

namespace {

using Random = std::mt19937;
std::size_t place(int i) { return static_cast<std::size_t>(i); }

// Numbers 0 ... n-1 in random order; std::shuffle is up to the library.
std::vector<int> random_order(int n, Random &random) {
  std::vector<int> out(place(n));
  std::iota(out.begin(), out.end(), 0);
  for (std::size_t i = out.size(); i > 1; --i) std::swap(out[i - 1], out[random() % i]);
  return out;
}

// A box of cubes of six tetrahedra each, nodes and cells in random order, with triangles on two of its sides: patches 7
// and 9.
std::string jumbled_box(int side) {
  Random random(3);
  const int n = side + 1, nodes = n * n * n;
  const std::vector<int> number = random_order(nodes, random);
  const auto node = [&](int i, int j, int k) { return 1 + number[place(i + n * (j + n * k))]; };
  std::vector<std::string> points(place(nodes)), cells, sides;
  constexpr int ways[6][3] = {{0, 1, 2}, {1, 0, 2}, {1, 2, 0}, {2, 1, 0}, {2, 0, 1}, {0, 2, 1}};
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        points[place(node(i, j, k) - 1)] = std::to_string(i) + " " + std::to_string(j) + " " + std::to_string(k) + " 0";
        if (i == side || j == side || k == side) continue;
        for (int way = 0; way < 6; ++way) { // from one corner to the other along the axes
          std::array<int, 3> at = {i, j, k};
          std::array<int, 4> cell = {node(i, j, k)};
          for (int step = 0; step < 3; ++step) {
            ++at[place(ways[way][step])];
            cell[place(step + 1)] = node(at[0], at[1], at[2]);
          }
          if (way % 2 == 1) std::swap(cell[0], cell[1]);
          std::string line;
          for (const int c : cell) line += std::to_string(c) + " ";
          cells.push_back(line + "0");
        }
      }
  for (int k = 0; k < side; ++k)
    for (int j = 0; j < side; ++j)
      for (const auto &[i, patch] : {std::pair{0, 7}, std::pair{side, 9}})
        for (const bool upper : {false, true}) { // the diagonal is that of the cells
          const int middle = upper ? node(i, j, k + 1) : node(i, j + 1, k);
          sides.push_back(std::to_string(node(i, j, k)) + " " + std::to_string(middle) + " " +
                          std::to_string(node(i, j + 1, k + 1)) + " " + std::to_string(patch));
        }
  const auto list = [](const std::string &title, const std::vector<std::string> &lines) {
    std::string out = title + "\n" + std::to_string(lines.size()) + "\n";
    for (const std::string &line : lines) out += line + "\n";
    return out;
  };
  std::vector<std::string> mixed(cells.size());
  const std::vector<int> order = random_order(static_cast<int>(cells.size()), random);
  for (std::size_t i = 0; i < cells.size(); ++i) mixed[place(order[i])] = cells[i];
  return "MeshVersionFormatted 2\nDimension 3\n" + list("Vertices", points) + list("Tetrahedra", mixed) +
         list("Triangles", sides) + "End\n";
}

// A rectangle of squares in the format of the airfoil programs, all numbers at random.
std::string jumbled_rectangle(int width, int height) {
  Random random(4);
  const std::vector<int> number = random_order((width + 1) * (height + 1), random),
                         cell_number = random_order(width * height, random);
  const auto node = [&](int i, int j) { return number[place(i + (width + 1) * j)]; };
  const auto cell = [&](int i, int j) { return cell_number[place(i + width * j)]; };
  const auto row = [](std::initializer_list<int> values) {
    std::string out;
    for (const int value : values) out += std::to_string(value) + " ";
    return out + "\n";
  };
  std::vector<std::string> nodes(number.size()), cells(cell_number.size()), edges, bedges;
  for (int j = 0; j <= height; ++j)
    for (int i = 0; i <= width; ++i) nodes[place(node(i, j))] = row({i, j});
  for (int j = 0; j < height; ++j)
    for (int i = 0; i < width; ++i) {
      cells[place(cell(i, j))] = row({node(i, j), node(i + 1, j), node(i + 1, j + 1), node(i, j + 1)});
      if (i > 0) edges.push_back(row({node(i, j + 1), node(i, j), cell(i, j), cell(i - 1, j)}));
      if (j > 0) edges.push_back(row({node(i, j), node(i + 1, j), cell(i, j), cell(i, j - 1)}));
      if (i == 0) bedges.push_back(row({node(i, j + 1), node(i, j), cell(i, j), 1}));
      if (i + 1 == width) bedges.push_back(row({node(i + 1, j), node(i + 1, j + 1), cell(i, j), 2}));
      if (j == 0) bedges.push_back(row({node(i, j), node(i + 1, j), cell(i, j), 1}));
      if (j + 1 == height) bedges.push_back(row({node(i + 1, j + 1), node(i, j + 1), cell(i, j), 2}));
    }
  std::string out = row({static_cast<int>(nodes.size()), static_cast<int>(cells.size()), static_cast<int>(edges.size()),
                         static_cast<int>(bedges.size())});
  const std::vector<int> order = random_order(static_cast<int>(edges.size()), random);
  for (const std::string &line : nodes) out += line;
  for (const std::string &line : cells) out += line;
  for (const int e : order) out += edges[place(e)];
  for (const std::string &line : bedges) out += line;
  return out;
}

// The names of a mesh's arrays.
struct Names {
  const char *cell_nodes, *face_nodes, *face_cells, *bface_nodes, *bface_cells, *patch, *x;
  bool one_type; // cells have a set of their own; else tetrahedra with their places among the cells
};
constexpr Names of_generators = {"tetrahedra_nodes", "face_nodes",  "face_cells", "bface_nodes",
                                 "bface_cells",      "bface_patch", "x",          false};
constexpr Names of_airfoil = {"pcell", "pedge", "pecell", "pbedge", "pbecell", "p_bound", "p_x", true};

// A mesh that was read. What it holds does not depend on any order: elements are known by the coordinates of their
// nodes.
class Content {
 public:
  using Point = std::vector<double>;
  using Points = std::vector<Point>;

  Content(const std::string &file, const Names &names) {
    op_mesh mesh = nullptr;
    EXPECT_EQ(op_mesh_read(file.c_str(), nullptr, &mesh), OP_OK) << op_last_error();
    if (!mesh) return;
    int rows = 0, dim = 0;
    const double *x = op_mesh_reals(mesh, names.x, &rows, &dim);
    for (int n = 0; x && n < rows; ++n) x_.emplace_back(x + n * dim, x + (n + 1) * dim);
    const std::vector<std::vector<int>> nodes = ints(mesh, names.cell_nodes);
    const std::vector<std::vector<int>> places =
        names.one_type ? std::vector<std::vector<int>>() : ints(mesh, "tetrahedra_cells");
    cell.resize(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i)
      cell[places.empty() ? i : place(places[i][0])] = corners(nodes[i], true);
    face_cells = ints(mesh, names.face_cells);
    face_nodes = ints(mesh, names.face_nodes);
    for (std::size_t f = 0; f < face_cells.size(); ++f)
      faces.emplace(corners(face_nodes[f], false), cell[place(face_cells[f][0])], cell[place(face_cells[f][1])]);
    const std::vector<std::vector<int>> outer = ints(mesh, names.bface_nodes), inside = ints(mesh, names.bface_cells),
                                        patch = ints(mesh, names.patch);
    for (std::size_t f = 0; f < outer.size(); ++f)
      bfaces.emplace(corners(outer[f], false), cell[place(inside[f][0])], patch[f][0]);
    EXPECT_EQ(op_mesh_free(mesh), OP_OK);
  }

  // Of each cell: the coordinates of its nodes, sorted.
  std::vector<Points> cell;
  // Nodes in their turn, and the cells to the left and to the right.
  std::multiset<std::tuple<Points, Points, Points>> faces;
  std::multiset<std::tuple<Points, Points, int>> bfaces; // the last one: the patch
  std::vector<std::vector<int>> face_cells, face_nodes;

 private:
  static std::vector<std::vector<int>> ints(op_mesh mesh, const char *name) {
    int rows = 0, dim = 0;
    const int *values = op_mesh_ints(mesh, name, &rows, &dim);
    EXPECT_TRUE(values) << name << ": " << op_last_error();
    std::vector<std::vector<int>> out;
    for (int n = 0; values && n < rows; ++n) out.emplace_back(values + n * dim, values + (n + 1) * dim);
    return out;
  }
  // Sorted, or in their turn from the smallest one on.
  Points corners(const std::vector<int> &nodes, bool sorted) const {
    Points out;
    for (const int n : nodes) out.push_back(x_.at(place(n)));
    if (sorted)
      std::sort(out.begin(), out.end());
    else
      std::rotate(out.begin(), std::min_element(out.begin(), out.end()), out.end());
    return out;
  }
  Points x_;
};

void expect_same_content(const Content &found, const Content &given) {
  EXPECT_EQ(std::multiset<Content::Points>(found.cell.begin(), found.cell.end()),
            std::multiset<Content::Points>(given.cell.begin(), given.cell.end()));
  EXPECT_TRUE(found.faces == given.faces) << "a face has other nodes or cells";
  EXPECT_TRUE(found.bfaces == given.bfaces) << "a boundary face has other nodes, another cell or patch";
}

// How far apart the entries of a map's rows are.
struct Distance {
  int most = 0;
  double mean = 0;
};
Distance distance_in(const std::vector<std::vector<int>> &map) {
  Distance out;
  double sum = 0;
  for (const std::vector<int> &row : map) {
    const auto [low, high] = std::minmax_element(row.begin(), row.end());
    out.most = std::max(out.most, *high - *low);
    sum += *high - *low;
  }
  out.mean = sum / static_cast<double>(map.size());
  return out;
}
// How far apart the cells of one face and of the next one are, on average.
double distance_of_faces(const std::vector<std::vector<int>> &face_cells) {
  double sum = 0;
  for (std::size_t f = 1; f < face_cells.size(); ++f) sum += std::abs(face_cells[f][0] - face_cells[f - 1][0]);
  return sum / static_cast<double>(face_cells.size() - 1);
}

class Tool : public testing::TestWithParam<bool> { // airfoil's format?
 protected:
  void SetUp() override {
    setenv("OP2_BACKEND", "seq", 0);
    setenv("OP2_ERROR", "return", 1);
    ASSERT_EQ(op_init(0, nullptr, 0), OP_OK) << op_last_error();
    stem_ = testing::TempDir() + "op2_order_" + std::to_string(getpid());
    given = stem_ + (GetParam() ? ".dat" : ".mesh");
    made = stem_ + ".h5";
    std::ofstream(given) << (GetParam() ? jumbled_rectangle(40, 30) : jumbled_box(6));
#ifndef OP2_TESTS_HDF5
    GTEST_SKIP() << "no files without HDF5";
#endif
    run("convert", "");
  }
  void TearDown() override {
    op_exit();
    unlink(given.c_str());
    unlink(made.c_str());
  }
  void run(const std::string &command, const std::string &options) const {
    ASSERT_EQ(0, std::system((OP2_MESH_TOOL " " + command + " '" + given + "' '" + made + "' " + options).c_str()));
  }
  static const Names &names() { return GetParam() ? of_airfoil : of_generators; }
  std::string given, made;

 private:
  std::string stem_;
};

TEST_P(Tool, RenumberBringsNeighboursTogether) {
  const Content before(given, names());
  ASSERT_GT(before.cell.size(), 1000u);
  const double cells = static_cast<double>(before.cell.size());
  ASSERT_GT(distance_in(before.face_cells).mean, cells / 4) << "in random order it is a third";
  std::map<std::string, std::vector<std::vector<int>>> face_cells; // that each method leads to
  std::vector<std::string> methods = {"", "--method rcm", "--method hilbert"};
#ifdef OP2_TESTS_SCOTCH
  methods.push_back("--method scotch");
#endif
  for (const std::string &options : methods) {
    SCOPED_TRACE(options);
    run("renumber", options);
    const Content after(made, names());
    expect_same_content(after, before);
    face_cells[options] = after.face_cells;
    const Distance cell = distance_in(after.face_cells), old_cell = distance_in(before.face_cells);
    EXPECT_LT(cell.mean, old_cell.mean / 4);
    if (options != "--method hilbert") {
      EXPECT_LT(cell.most, old_cell.most / 3); // the curve has a few far jumps
    }
    EXPECT_LT(distance_in(after.face_nodes).mean, distance_in(before.face_nodes).mean / 3);
    EXPECT_LT(distance_of_faces(after.face_cells), cells / 20) << "faces do not follow their cells";
  }
  EXPECT_TRUE(face_cells.at("") == face_cells.at("--method rcm"));
  face_cells.erase("");
  for (const auto &[method, mine] : face_cells)
    for (const auto &[other, theirs] : face_cells)
      EXPECT_TRUE(method == other || mine != theirs) << method << " makes the order of " << other;
}

// On both meshes a straight cut by a plane and two half planes costs less than a tenth of the faces, random parts three
// quarters of them.
TEST_P(Tool, PartitionMakesEqualPartsWithFewFacesBetween) {
  const Content before(given, names());
  run("partition", "-n 4");
  const Content after(made, names());
  expect_same_content(after, before);
  const op_set cells = op_decl_set_hdf5(made.c_str(), "cells"); // as op_partition() gets it
  const op_dat dat = op_decl_dat_hdf5(cells, 1, "int", made.c_str(), "partvec0004");
  ASSERT_TRUE(dat) << op_last_error();
  ASSERT_EQ(op_get_size(cells), static_cast<int>(before.cell.size()));
  std::vector<int> part_of(before.cell.size());
  ASSERT_EQ(op_fetch_data(dat, part_of.data()), OP_OK);
  std::array<int, 4> size{};
  for (const int part : part_of) {
    ASSERT_GE(part, 0);
    ASSERT_LT(part, 4);
    ++size[place(part)];
  }
  const double fair = static_cast<double>(before.cell.size()) / 4;
  for (const int each : size) EXPECT_NEAR(each, fair, 0.05 * fair);
  const auto cut = std::count_if(after.face_cells.begin(), after.face_cells.end(), [&](const std::vector<int> &sides) {
    return part_of[place(sides[0])] != part_of[place(sides[1])];
  });
  EXPECT_LT(static_cast<double>(cut), 0.12 * static_cast<double>(after.face_cells.size()));
}

INSTANTIATE_TEST_SUITE_P(OfMeshes, Tool, testing::Bool(),
                         [](const auto &of) { return of.param ? "Airfoil" : "Tetrahedra"; });

} // namespace

// SPDX-License-Identifier: MIT
