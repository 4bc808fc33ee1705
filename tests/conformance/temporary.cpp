// Temporary dats: scratch data that comes and goes while the library runs.
#include "op2/user_types.h"
#include "suite.hpp"

namespace conformance {

using Temporary = Topic;

// Zero at first, usable directly and through maps, gone after op_free_dat_temp(), zero again when declared anew.
TEST_F(Temporary, ComesAndGoes) {
  compare_on_meshes({quads(60, 50), random_map(2, 1, 4, 140), every_mesh()[0]}, [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<double> w = whole<double>(mesh.elements(), 141, -9, 9);
    const op_dat dw = declare_dat(cells, 1, w, "w");
    std::vector<double> sum(mesh.targets());
    for (std::size_t n = 0; n < w.size(); ++n) sum[mesh.target(n, 2)] += w[n];
    for (int round = 0; round < 5; ++round) {
      const op_dat scratch = op_decl_dat_temp(nodes, 1, "double", "scratch");
      ASSERT_NE(nullptr, scratch) << op_last_error();
      out.same("at first", fetch<double>(scratch), std::vector<double>(mesh.targets()));
      run([](const double *a, double *p) { *p += *a; }, "scatter", cells, direct(dw, OP_READ),
          through(map, 2, scratch, OP_INC));
      out.same("sum", fetch<double>(scratch), sum);
      EXPECT_OK(op_free_dat_temp(scratch));
    }
  });
}

// The name may return with another shape on another set; the loop that used the old one must not take it for the same.
TEST_F(Temporary, ReturnsInAnotherShape) {
  compare([](Outcome &out) {
    const op_set cells = declare_set(3000, "cells"), nodes = declare_set(40, "nodes");
    for (int round = 0; round < 3; ++round) {
      const op_dat one = op_decl_dat_temp(cells, 1, "double", "scratch");
      run([](double *p) { *p = 1; }, "fill", cells, direct(one, OP_WRITE));
      out.same("one", fetch<double>(one), std::vector<double>(3000, 1));
      EXPECT_OK(op_free_dat_temp(one));
      const op_dat two = op_decl_dat_temp(cells, 2, "int", "scratch");
      run([](int *p) { p[0] = 2, p[1] = 3; }, "fill", cells, direct(two, OP_WRITE));
      EXPECT_EQ(3, fetch<int>(two).back());
      EXPECT_OK(op_free_dat_temp(two));
      const op_dat three = op_decl_dat_temp(nodes, 1, "double", "scratch");
      run([](double *p) { *p += 4; }, "fill", nodes, direct(three, OP_INC));
      out.same("three", fetch<double>(three), std::vector<double>(40, 4));
      EXPECT_OK(op_free_dat_temp(three));
    }
  });
}

TEST_F(Temporary, OfAUserType) {
  compare([](Outcome &out) {
    struct Pair {
      int a, b;
    };
    const op_set cells = declare_set(700, "cells");
    const op_dat pairs = op_decl_dat_temp_char(cells, 2, "pair", sizeof(Pair), "pairs");
    ASSERT_NE(nullptr, pairs) << op_last_error();
    run([](Pair *p) { p[0].a += 1, p[0].b += 2, p[1].a += 3, p[1].b += 4; }, "fill", cells, direct(pairs, OP_RW));
    std::vector<Pair> wanted;
    for (int n = 0; n < 700; ++n) wanted.insert(wanted.end(), {Pair{1, 2}, Pair{3, 4}});
    out.same("pairs", fetch<Pair>(pairs), wanted);
    EXPECT_OK(op_free_dat_temp(pairs));
  });
}

TEST_F(Temporary, HandleIsInvalidOnceFreed) {
  const Session session;
  const op_set cells = declare_set(100, "cells");
  const op_dat scratch = op_decl_dat_temp(cells, 1, "double", "scratch");
  const auto touch = [&] {
    return try_run([](double *p) { *p += 1; }, "touch", cells, op_arg_dat(scratch, -1, OP_ID, 1, "double", OP_RW));
  };
  EXPECT_OK(touch());
  EXPECT_OK(op_free_dat_temp(scratch));
  std::vector<double> values(100);
  EXPECT_STATUS(OP_ERR_HANDLE, touch()); // the loop was prepared while the dat lived
  EXPECT_STATUS(OP_ERR_HANDLE, try_run([](double *p) { *p = 1; }, "other", cells,
                                       op_arg_dat(scratch, -1, OP_ID, 1, "double", OP_WRITE)));
  EXPECT_STATUS(OP_ERR_HANDLE, op_fetch_data(scratch, values.data()));
  EXPECT_STATUS(OP_ERR_HANDLE, op_free_dat_temp(scratch));
  EXPECT_EQ(-1, op_dat_dim(scratch));
  EXPECT_EQ(nullptr, op_dat_acquire(scratch, OP_READ));
}

TEST_F(Temporary, NamesAreUnique) {
  const Session session;
  const op_set cells = declare_set(10, "cells"), nodes = declare_set(20, "nodes");
  ASSERT_NE(nullptr, op_decl_dat(cells, 1, "double", nullptr, "lasting"));
  const op_dat scratch = op_decl_dat_temp(cells, 1, "double", "scratch");
  for (const char *name : {"lasting", "scratch"}) {
    EXPECT_EQ(nullptr, op_decl_dat_temp(nodes, 1, "double", name));
    EXPECT_STATUS(OP_ERR_ARGUMENT, op_last_status());
  }
  EXPECT_OK(op_free_dat_temp(scratch));
  EXPECT_NE(nullptr, op_decl_dat_temp(nodes, 1, "double", "scratch")) << op_last_error();
}

TEST_F(Temporary, OnlyTemporaryDatsCanBeFreed) {
  const Session session;
  const op_set cells = declare_set(10, "cells");
  const op_dat lasting = op_decl_dat(cells, 1, "double", nullptr, "lasting"),
               scratch = op_decl_dat_temp(cells, 1, "double", "scratch");
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_free_dat_temp(lasting));
  EXPECT_STATUS(OP_ERR_HANDLE, op_free_dat_temp(nullptr));
  ASSERT_NE(nullptr, op_dat_acquire(scratch, OP_RW));
  EXPECT_STATUS(OP_ERR_STATE, op_free_dat_temp(scratch)); // acquired
  EXPECT_OK(op_dat_release(scratch));
  EXPECT_OK(op_free_dat_temp(scratch));
}

// A thousand scratch dats with changing names, as a solver's work space.
TEST_F(Temporary, ManyOfThem) {
  const Session session;
  const op_set cells = declare_set(64, "cells");
  for (int round = 0; round < 1000; ++round) {
    const std::string name = "work" + std::to_string(round % 7);
    const op_dat scratch = op_decl_dat_temp(cells, 1 + round % 3, "double", name.c_str());
    ASSERT_NE(nullptr, scratch) << op_last_error();
    run([](double *p) { *p += 1; }, "work", cells, direct(scratch, OP_INC));
    ASSERT_EQ(1, fetch<double>(scratch)[0]);
    ASSERT_EQ(OP_OK, op_free_dat_temp(scratch)) << op_last_error();
  }
}

} // namespace conformance

// SPDX-License-Identifier: MIT
