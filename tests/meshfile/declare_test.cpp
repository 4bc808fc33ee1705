// declare_test.cpp: meshfile.h as programs use it: the arrays, the declared objects, one loop over all faces, files and
// back.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "op2/op2.hpp"

namespace {

class Program : public testing::Test {
 protected:
  void SetUp() override {
    setenv("OP2_BACKEND", "seq", 0);
    setenv("OP2_ERROR", "return", 1);
    setenv("OP2_JIT", "off", 1);
    ASSERT_EQ(op_init(0, nullptr, 0), OP_OK) << op_last_error();
    ASSERT_EQ(op_mesh_read(OP2_MESH_DATA "/two_cubes", nullptr, &mesh_), OP_OK) << op_last_error();
  }
  void TearDown() override {
    EXPECT_EQ(op_mesh_free(mesh_), OP_OK);
    op_exit();
  }

  op_mesh mesh_ = nullptr;
};

TEST_F(Program, Arrays) {
  EXPECT_EQ(op_mesh_size(mesh_, "nodes"), 12);
  EXPECT_EQ(op_mesh_size(mesh_, "faces"), 1);
  EXPECT_EQ(op_mesh_size(mesh_, "patches"), 2);
  int rows = 0, dim = 0, id = -1;
  const int *cells = op_mesh_ints(mesh_, "face_cells", &rows, &dim);
  ASSERT_TRUE(cells);
  EXPECT_EQ(rows, 1);
  EXPECT_EQ(dim, 2);
  EXPECT_EQ(std::vector<int>(cells, cells + 2), (std::vector<int>{0, 1}));
  ASSERT_TRUE(op_mesh_reals(mesh_, "x", &rows, &dim));
  EXPECT_EQ(rows * dim, 36);
  EXPECT_STREQ(op_mesh_patch(mesh_, 1, &id), "walls");
  EXPECT_EQ(id, 1);
  EXPECT_EQ(op_mesh_check(mesh_, nullptr, 0), 0);
  std::array<char, 20> begin{};
  EXPECT_GT(op_mesh_info(mesh_, begin.data(), begin.size()), 100);
  EXPECT_STREQ(begin.data(), "format      openfoa");
}

// What flows out of the cells through all faces, from the velocity x: each has its volume.
void through(const double *a, const double *b, const double *c, const double *d, double sign, double *cell) {
  double normal = 0; // the x component of the area of the face
  const auto add = [&](const double *p, const double *q, const double *r) {
    normal += 0.5 * ((q[1] - p[1]) * (r[2] - p[2]) - (q[2] - p[2]) * (r[1] - p[1]));
  };
  add(a, b, c);
  add(a, c, d);
  *cell += sign * normal * 0.25 * (a[0] + b[0] + c[0] + d[0]);
}
void inner(const double *a, const double *b, const double *c, const double *d, double *left, double *right) {
  through(a, b, c, d, 1, left);
  through(a, b, c, d, -1, right);
}
void outer(const double *a, const double *b, const double *c, const double *d, double *cell) {
  through(a, b, c, d, 1, cell);
}

TEST_F(Program, DeclaresWhatLoopsNeed) {
  ASSERT_EQ(op_mesh_declare(mesh_), OP_OK) << op_last_error();
  const op_set faces = op_mesh_set(mesh_, "faces"), bfaces = op_mesh_set(mesh_, "bfaces");
  const op_dat x = op_mesh_dat(mesh_, "x");
  const op_map face_nodes = op_mesh_map(mesh_, "face_nodes"), bface_nodes = op_mesh_map(mesh_, "bface_nodes");
  ASSERT_TRUE(faces && bfaces && x && face_nodes && bface_nodes);
  const op_dat volume = op_decl_dat(op_mesh_set(mesh_, "cells"), 1, "double", nullptr, "volume");
  const auto node = [&](op_map map, int k) { return op_arg_dat(x, k, map, 3, "double", OP_READ); };
  op_par_loop(inner, "inner", faces, node(face_nodes, 0), node(face_nodes, 1), node(face_nodes, 2), node(face_nodes, 3),
              op_arg_dat(volume, 0, op_mesh_map(mesh_, "face_cells"), 1, "double", OP_INC),
              op_arg_dat(volume, 1, op_mesh_map(mesh_, "face_cells"), 1, "double", OP_INC));
  op_par_loop(outer, "outer", bfaces, node(bface_nodes, 0), node(bface_nodes, 1), node(bface_nodes, 2),
              node(bface_nodes, 3), op_arg_dat(volume, 0, op_mesh_map(mesh_, "bface_cells"), 1, "double", OP_INC));
  // One process writes, all read.
  const std::string stem = "meshfile_declared_" + std::to_string(getppid());
  for (const char *end : {".vtu", ".cgns"}) {
    const op_status written = op_mesh_dump(mesh_, (stem + end).c_str());
    if (end == std::string(".cgns") && written == OP_ERR_BACKEND) continue; // the plugin is not there
    ASSERT_EQ(written, OP_OK) << op_last_error();
    op_mesh again = nullptr;
    ASSERT_EQ(op_mesh_read((stem + end).c_str(), nullptr, &again), OP_OK) << op_last_error();
    EXPECT_EQ(op_mesh_size(again, "cells"), 2);
    EXPECT_EQ(op_mesh_free(again), OP_OK);
  }
  std::array<double, 2> volumes{};
  ASSERT_EQ(op_fetch_data_all(volume, volumes.data()), OP_OK);
  EXPECT_EQ(volumes, (std::array<double, 2>{1, 1}));
  for (const char *end : {".vtu", ".cgns"}) unlink((stem + end).c_str()); // all have read them
}

// The arrays of a mesh that went to a file in another order and came back.
TEST_F(Program, FilesAndBack) {
  const std::string file = "meshfile_test_" + std::to_string(getpid()) + ".h5";
  const std::array<int, 2> turned = {1, 0};
  ASSERT_EQ(op_mesh_reorder(mesh_, "cells", turned.data()), OP_OK);
  ASSERT_EQ(op_mesh_divide(mesh_, 2), OP_OK) << op_last_error();
  if (op_mesh_dump(mesh_, file.c_str()) == OP_ERR_BACKEND) GTEST_SKIP() << op_last_error();
  op_mesh again = nullptr;
  ASSERT_EQ(op_mesh_read(file.c_str(), nullptr, &again), OP_OK) << op_last_error();
  for (const char *name : {"face_cells", "face_nodes", "bface_cells", "bface_nodes", "bface_patch"}) {
    int rows = 0, dim = 0, more_rows = 0, more_dim = 0;
    const int *first = op_mesh_ints(mesh_, name, &rows, &dim),
              *second = op_mesh_ints(again, name, &more_rows, &more_dim);
    ASSERT_TRUE(first && second) << name;
    ASSERT_EQ(rows * dim, more_rows * more_dim) << name;
    EXPECT_TRUE(std::equal(first, first + rows * dim, second)) << name;
  }
  EXPECT_EQ(op_mesh_ints(again, "face_cells", nullptr, nullptr)[0], 1);
  EXPECT_STREQ(op_mesh_patch(again, 0, nullptr), "inlet");
  EXPECT_EQ(op_mesh_free(again), OP_OK);
  // OP2's own way reads the same file.
  const op_set cells = op_decl_set_hdf5(file.c_str(), "cells");
  ASSERT_TRUE(cells) << op_last_error();
  const op_dat part = op_decl_dat_hdf5(cells, 1, "int", file.c_str(), "partvec0002");
  ASSERT_TRUE(part) << op_last_error();
  std::array<int, 2> parts{};
  ASSERT_EQ(op_fetch_data(part, parts.data()), OP_OK);
  EXPECT_EQ(parts[0] + parts[1], 1);
  unlink(file.c_str());
}

// A file that a test writes and that goes with it.
class TextFile {
 public:
  TextFile(const std::string &end, const std::string &text) : path_("meshfile_test_" + std::to_string(getpid()) + end) {
    std::ofstream(path_) << text;
  }
  ~TextFile() { unlink(path_.c_str()); }
  TextFile(const TextFile &) = delete;
  TextFile &operator=(const TextFile &) = delete;
  const char *path() const { return path_.c_str(); }

 private:
  std::string path_;
};

std::vector<int> ints_of(op_mesh mesh, const char *name) {
  int rows = 0, dim = 0;
  const int *const first = op_mesh_ints(mesh, name, &rows, &dim);
  return first ? std::vector<int>(first, first + rows * dim) : std::vector<int>();
}

// Three squares in a row, the last one cut in two where `triangles`.
std::string row_of_squares(bool triangles) {
  return std::string("NDIME= 2\nNELEM= ") + (triangles ? "4" : "3") + "\n9 0 1 5 4\n9 1 2 6 5\n" +
         (triangles ? "5 2 3 7\n5 2 7 6\n" : "9 2 3 7 6\n") +
         "NPOIN= 8\n0 0\n1 0\n2 0\n3 0\n0 1\n1 1\n2 1\n3 1\nNMARK= 0\n";
}

// Cells of one type have a map of their own, in their own order: also when only they, and not the set of the type, got
// another one, and in a file that such a mesh was written to.
TEST_F(Program, CellsOfOneTypeHaveTheirNodes) {
  const TextFile text(".su2", row_of_squares(false));
  op_mesh mesh = nullptr, again = nullptr;
  ASSERT_EQ(op_mesh_read(text.path(), nullptr, &mesh), OP_OK) << op_last_error();
  EXPECT_EQ(ints_of(mesh, "cell_nodes"), (std::vector<int>{0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6}));
  const std::array<int, 3> order = {2, 0, 1};
  ASSERT_EQ(op_mesh_reorder(mesh, "cells", order.data()), OP_OK);
  const std::vector<int> expected = {2, 3, 7, 6, 0, 1, 5, 4, 1, 2, 6, 5};
  EXPECT_EQ(ints_of(mesh, "cell_nodes"), expected);
  EXPECT_EQ(ints_of(mesh, "quadrangles_nodes"), (std::vector<int>{0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6}));
  EXPECT_EQ(ints_of(mesh, "quadrangles_cells"), (std::vector<int>{1, 2, 0}));
  ASSERT_EQ(op_mesh_declare(mesh), OP_OK) << op_last_error();
  const op_map declared = op_mesh_map(mesh, "cell_nodes");
  ASSERT_TRUE(declared) << op_last_error();
  EXPECT_EQ(op_map_dim(declared), 4);
  EXPECT_EQ(op_map_from(declared), op_mesh_set(mesh, "cells"));
  const TextFile file(".h5", "");
  const op_status written = op_mesh_dump(mesh, file.path());
  EXPECT_EQ(op_mesh_free(mesh), OP_OK);
  if (written == OP_ERR_BACKEND) GTEST_SKIP() << op_last_error();
  ASSERT_EQ(op_mesh_read(file.path(), nullptr, &again), OP_OK) << op_last_error();
  EXPECT_EQ(ints_of(again, "cell_nodes"), expected);
  EXPECT_EQ(op_mesh_free(again), OP_OK);
  const op_map map = op_decl_map_hdf5(op_decl_set_hdf5(file.path(), "cells"), op_decl_set_hdf5(file.path(), "nodes"), 4,
                                      file.path(), "cell_nodes");
  EXPECT_TRUE(map) << op_last_error();
}

TEST_F(Program, CellsOfSeveralTypesHaveNone) {
  const TextFile text(".su2", row_of_squares(true));
  op_mesh mesh = nullptr;
  ASSERT_EQ(op_mesh_read(text.path(), nullptr, &mesh), OP_OK) << op_last_error();
  EXPECT_EQ(op_mesh_ints(mesh, "cell_nodes", nullptr, nullptr), nullptr);
  EXPECT_EQ(op_last_status(), OP_ERR_ARGUMENT);
  EXPECT_EQ(ints_of(mesh, "triangles_cells"), (std::vector<int>{2, 3}));
  EXPECT_EQ(op_mesh_free(mesh), OP_OK);
}

// Without the plugin that is said, not that the file is wrong.
TEST_F(Program, CgnsNeedsItsPlugin) {
  const std::string file = "meshfile_test_" + std::to_string(getpid()) + ".cgns";
  std::ofstream(file) << "not a mesh";
  op_mesh mesh = nullptr;
  const op_status status = op_mesh_read(file.c_str(), nullptr, &mesh);
  EXPECT_EQ(nullptr, mesh);
  if (status == OP_ERR_BACKEND)
    EXPECT_NE(std::string(op_last_error()).find("mesh_cgns"), std::string::npos) << op_last_error();
  else
    EXPECT_EQ(OP_ERR_FILE, status) << op_last_error();
  unlink(file.c_str());
  const op_status written = op_mesh_dump(mesh_, file.c_str());
  EXPECT_EQ(written, status == OP_ERR_BACKEND ? OP_ERR_BACKEND : OP_OK) << op_last_error();
  EXPECT_EQ(access(file.c_str(), F_OK) == 0, written == OP_OK);
  unlink(file.c_str());
}

} // namespace

// SPDX-License-Identifier: MIT
