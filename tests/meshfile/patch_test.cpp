// patch_test.cpp: loops over one patch of a mesh, and which rows of a dat each call copies, on any number of processes.
//
// The mesh is a plate of 4 by 2 squares (data/plate.su2): cells 0 ... 3 below, 4 ... 7 above, nodes with integer
// coordinates, patches inlet (x = 0), outlet (x = 4), top (y = 2), and edges without a patch below.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <numeric>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "op2/info.h"
#include "op2/op2.hpp"

namespace {

class Plate : public testing::Test {
 protected:
  void SetUp() override {
    setenv("OP2_BACKEND", "seq", 0);
    setenv("OP2_ERROR", "return", 1);
    setenv("OP2_JIT", "off", 1);
    start();
  }
  void TearDown() override {
    stop();
    unsetenv("OP2_MAPS_BASE_INDEX");
  }
  void start() {
    ASSERT_EQ(op_init(0, nullptr, 0), OP_OK) << op_last_error();
    mesh_.emplace(OP2_MESH_DATA "/plate.su2");
  }
  void stop() {
    mesh_.reset();
    op_exit();
  }
  op2::mesh_file &mesh() { return *mesh_; }

  std::optional<op2::mesh_file> mesh_;
};

void take_number(const int *index, int *number) { *number = *index; }
void add_up(const int *cell, const int *patch, const double *const *x, int *faces, int *cells, int *patches,
            double *sum) {
  *faces += 1;
  *cells += *cell;
  *patches += *patch;
  *sum += x[0][0] + x[1][0];
}
void count_face(double *count) { *count += 1; }

struct Sums {
  int faces = 0, cells = 0, patches = 0;
  double x = 0;
  bool operator==(const Sums &other) const {
    return faces == other.faces && cells == other.cells && patches == other.patches && x == other.x;
  }
};
std::ostream &operator<<(std::ostream &out, const Sums &s) {
  return out << s.faces << " faces, cells " << s.cells << ", patches " << s.patches << ", x " << s.x;
}

// Numbers of the cells, ids of the patch and coordinates x of the nodes, summed over the faces of a patch.
Sums sums_of(const op2::mesh_file &mesh, const op2::dat<int, 1> &number, const std::string &name) {
  const op2::mesh_patch patch = mesh.patch(name);
  Sums out;
  op_par_loop(add_up, "add_up", patch.set(), op2::read(number, 0, patch.cells()),
              op2::read(mesh.dat<int, 1>("bface_patch"), 0, patch.bfaces()),
              op2::read(mesh.dat<double, 2>("x"), op2::all<2>, patch.nodes()), op2::gbl_inc(&out.faces),
              op2::gbl_inc(&out.cells), op2::gbl_inc(&out.patches), op2::gbl_inc(&out.x));
  return out;
}

op2::dat<int, 1> numbered_cells(const op2::mesh_file &mesh) {
  const op2::dat<int, 1> number(mesh.set("cells"), nullptr, "number");
  op_par_loop(take_number, "take_number", mesh.set("cells"), op2::index(), op2::write(number));
  return number;
}

const std::map<std::string, Sums> right = {
    {"inlet", {2, 0 + 4, 0, 0}}, {"outlet", {2, 3 + 7, 2, 16}}, {"top", {4, 22, 8, 16}}, {"none", {4, 6, -4, 16}}};

TEST_F(Plate, LoopsOverOnePatch) {
  mesh().declare();
  const op2::dat<int, 1> number = numbered_cells(mesh());
  for (const auto &[name, sums] : right) EXPECT_EQ(sums_of(mesh(), number, name), sums) << name;
  // Asked for again, and after loops that have divided the mesh.
  for (const auto &[name, sums] : right) EXPECT_EQ(sums_of(mesh(), number, name), sums) << name;
  EXPECT_EQ(op_set(mesh().patch("top").set()), op_set(mesh().patch("top").set()));
  EXPECT_STREQ(mesh().patch("top").set().name(), "patch_top");
  EXPECT_EQ(mesh().patch("top").set().global_size(), 4);
  EXPECT_EQ(mesh().patch("top").nodes().dim(), 2);
  EXPECT_EQ(op_set(mesh().patch("top").bfaces().to()), op_set(mesh().set("bfaces")));
}

TEST_F(Plate, AddsThroughThePatch) {
  mesh().declare();
  const op2::mesh_patch top = mesh().patch("top");
  const op2::dat<double, 1> count(mesh().set("cells"), nullptr, "count");
  op_par_loop(count_face, "count_face", top.set(), op2::inc(count, 0, top.cells()));
  EXPECT_EQ(count.fetch_all(), (std::vector<double>{0, 0, 0, 0, 1, 1, 1, 1}));
}

// Maps that count from 1 lead to the same elements.
TEST_F(Plate, WhateverTheProgramCountsFrom) {
  stop();
  setenv("OP2_MAPS_BASE_INDEX", "1", 1);
  start();
  mesh().declare();
  const op2::dat<int, 1> number = numbered_cells(mesh());
  for (const auto &[name, sums] : right) EXPECT_EQ(sums_of(mesh(), number, name), sums) << name;
}

// The set has the faces of the declaration, also when the mesh in memory has got another order since.
TEST_F(Plate, ReorderedAfterTheDeclaration) {
  mesh().declare();
  std::vector<int> order(12);
  std::iota(order.rbegin(), order.rend(), 0);
  mesh().reorder("bfaces", order);
  EXPECT_EQ(sums_of(mesh(), numbered_cells(mesh()), "outlet"), right.at("outlet"));
}

TEST_F(Plate, ReorderedBeforeTheDeclaration) {
  std::vector<int> order(12);
  std::iota(order.rbegin(), order.rend(), 0);
  mesh().reorder("bfaces", order);
  mesh().declare();
  EXPECT_EQ(sums_of(mesh(), numbered_cells(mesh()), "outlet"), right.at("outlet"));
}

TEST_F(Plate, RefusedPatches) {
  const auto refused = [](const void *handle, op_status status, const std::string &words) {
    EXPECT_EQ(handle, nullptr);
    EXPECT_EQ(op_last_status(), status);
    EXPECT_NE(std::string(op_last_error()).find(words), std::string::npos) << op_last_error();
  };
  refused(op_mesh_patch_set(mesh(), "outlet"), OP_ERR_STATE, "call op_mesh_declare() first");
  mesh().declare();
  const std::string names = "the mesh has no patch 'outlets'; it has inlet, outlet, top and none";
  refused(op_mesh_patch_set(mesh(), "outlets"), OP_ERR_ARGUMENT, names);
  refused(op_mesh_patch_map(mesh(), "outlets", "cells"), OP_ERR_ARGUMENT, names);
  refused(op_mesh_patch_map(mesh(), "outlet", "faces"), OP_ERR_ARGUMENT,
          "no map leads from the faces of a patch to 'faces'; there are maps to bfaces, cells and nodes");
  try {
    (void)mesh().patch("outlets");
    ADD_FAILURE() << "no error";
  } catch (const op2::error &error) {
    EXPECT_NE(std::string(error.what()).find(names), std::string::npos) << error.what();
  }
}

// What a call wrote to stderr.
template <class Call>
std::string said(Call &&call) {
  testing::internal::CaptureStderr();
  call();
  return testing::internal::GetCapturedStderr();
}

// fetch_all() is the whole of a dat, fetch_own() what this process has declared of it; fetch() is that as well, and
// says once what is missing.
TEST_F(Plate, OwnPartsAndTheWhole) {
  mesh().declare();
  const op2::dat<double, 2> x = mesh().dat<double, 2>("x");
  std::vector<double> whole(30), copy(30);
  for (int node = 0; node < 15; ++node) {
    whole[2 * static_cast<std::size_t>(node)] = node % 5;
    whole[2 * static_cast<std::size_t>(node) + 1] = node / 5; // NOLINT: rows of five nodes
  }
  EXPECT_EQ(x.fetch_all(), whole);
  x.fetch_all(copy.data());
  EXPECT_EQ(copy, whole);
  const int rows = x.set().declared_size();
  const std::vector<double> own(whole.begin() + static_cast<std::ptrdiff_t>(2 * op_get_global_set_offset(x.set())),
                                whole.end());
  std::vector<double> part, same(2 * static_cast<std::size_t>(rows));
  EXPECT_EQ(said([&] {
              part = x.fetch_own();
              x.fetch_own(same.data());
            }),
            "");
  ASSERT_EQ(part.size(), 2 * static_cast<std::size_t>(rows));
  if (op_get_size(x.set()) != rows) { // parts, which OP2_DECLARE=replicated and root do not make
    EXPECT_EQ(part, std::vector<double>(own.begin(), own.begin() + 2 * rows));
  } else if (op_setting("OP2_DECLARE") != std::string("root") || op_is_root() != 0) {
    EXPECT_EQ(part, whole);
  }
  const bool warns = op_comm_size() > 1 && op_is_root() != 0 && rows < 15;
  const std::string warning = said([&] { EXPECT_EQ(x.fetch(), part); });
  if (warns) {
    EXPECT_NE(warning.find("of dat 'x' gives each process its own part, here " + std::to_string(rows) + " of 15"),
              std::string::npos)
        << warning;
    EXPECT_NE(warning.find("op_fetch_data_all() (C++: fetch_all())"), std::string::npos) << warning;
  } else {
    EXPECT_EQ(warning, "");
  }
  EXPECT_EQ(said([&] { EXPECT_EQ(x.fetch(), part); }), "") << "the second time";
}

#ifdef OP2_TESTS_HDF5
// A file that a program has written whose maps count from 1 is the same mesh.
TEST_F(Plate, FilesOfProgramsThatCountFromOne) {
  const std::string file = "meshfile_patches_" + std::to_string(getppid()) + ".h5";
  stop();
  setenv("OP2_MAPS_BASE_INDEX", "1", 1);
  start();
  mesh().declare();
  ASSERT_EQ(op_dump_to_hdf5(file.c_str()), OP_OK) << op_last_error();
  const op2::mesh_file again(file);
  for (const char *name : {"face_cells", "face_nodes", "bface_cells", "bface_nodes", "cell_nodes", "bface_patch"}) {
    const auto first = mesh().ints(name), second = again.ints(name);
    ASSERT_EQ(first.rows * first.dim, second.rows * second.dim) << name;
    EXPECT_TRUE(std::equal(first.data, first.data + first.rows * first.dim, second.data)) << name;
  }
  // And what op2_mesh writes counts from 0, which this program need not know.
  ASSERT_EQ(op_mesh_dump(mesh(), file.c_str()), OP_OK) << op_last_error();
  const op2::file plain(file);
  const op2::set cells = plain.declare_set("cells"), nodes = plain.declare_set("nodes");
  const op2::map corners = plain.declare_map(cells, nodes, "cell_nodes");
  double sum = 0;
  op_par_loop([](const double *const *x, double *all) { *all += x[0][0] + x[1][0] + x[2][0] + x[3][0]; }, "corners",
              cells, op2::read(plain.declare_dat<double, 2>(nodes, "x"), op2::all<4>, corners), op2::gbl_inc(&sum));
  EXPECT_EQ(sum, 64);
  op_barrier();
  if (op_is_root()) std::remove(file.c_str());
}
#endif

} // namespace

// SPDX-License-Identifier: MIT
