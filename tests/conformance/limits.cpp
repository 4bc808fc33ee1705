// The edges: no elements, no arguments, 64 arguments.
#include <utility>

#include "op2/reduction.h"
#include "suite.hpp"

namespace conformance {

using Limits = Topic;

// A loop over an empty set changes nothing: no rows, no globals, no payloads.
TEST_F(Limits, EmptySet) {
  compare([](Outcome &out) {
    const op_set none = declare_set(0, "none"), nodes = declare_set(5, "nodes");
    const op_map map = declare_map(none, nodes, {"", 0, 5, 2, {}});
    const op_dat dnone = declare_dat(none, 3, std::vector<double>(), "none"),
                 dx = declare_dat(nodes, 1, std::vector<double>(5, 8), "x");
    double sum = 3, least = 4, most = 5;
    int where = 6;
    unsigned product = 7;
    const unsigned one = 1;
    const op_reduction times = op_decl_reduction(
        "times", "uint", sizeof one,
        [](void *into, const void *from, int) {
          *static_cast<unsigned *>(into) *= *static_cast<const unsigned *>(from);
        },
        &one);
    run([](double *a, double *b, double **c, double *s, double *l, double *m, int *w,
           unsigned *p) { *a = *b = *c[0] = *s = *l = *m = -1, *w = -1, *p = 0; },
        "nobody", none, direct(dnone, OP_RW), through(map, 1, dx, OP_WRITE), rows(map, 2, dx, OP_RW),
        global(&sum, 1, OP_INC), global(&least, 1, OP_MIN), global(&most, 1, OP_MAX),
        op_arg_payload(&where, 1, "int", 5), op_arg_gbl_reduce(&product, 1, "uint", times));
    out.same("x", fetch<double>(dx), std::vector<double>(5, 8));
    out.same<double>("globals", {sum, least, most}, {3, 4, 5});
    EXPECT_EQ(6, where);
    EXPECT_EQ(7u, product);
    EXPECT_TRUE(fetch<double>(dnone).empty());
    EXPECT_EQ(0, op_get_size(none));
  });
}

// A kernel of N parameters: writes the weighted sum of the N - 1 rows it reads.
template <std::size_t>
using Row = const int *;
template <class Sequence>
struct Wide;
template <std::size_t... I>
struct Wide<std::index_sequence<I...>> {
  static void kernel(int *sum, Row<I>... x) { *sum = (0 + ... + (static_cast<int>(I + 1) * *x)); }
};

template <std::size_t N>
void run_wide(Outcome &out, const Topology &mesh) {
  if (processes() > 1 && N % 16 > 1) return; // each divides a mesh of its own
  const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
  const op_map map = declare_map(cells, nodes, mesh);
  const std::vector<int> x = whole<int>(mesh.targets(), 190, -99, 99), y = whole<int>(mesh.elements(), 191, -99, 99);
  std::vector<int> sum(mesh.elements());
  const op_dat dx = declare_dat(nodes, 1, x, "x"), dy = declare_dat(cells, 1, y, "y"),
               dsum = declare_dat(cells, 1, sum, "sum");
  std::vector<op_arg> args = {direct(dsum, OP_WRITE)};
  for (std::size_t i = 0; i + 1 < N; ++i) // every third directly, the others through the columns of the map
    args.push_back(i % 3 == 2 ? direct(dy, OP_READ) : through(map, static_cast<int>(i % 4), dx, OP_READ));
  EXPECT_OK(op_par_loop(reinterpret_cast<op_kernel_fn>(Wide<std::make_index_sequence<N - 1>>::kernel), "wide", cells,
                        static_cast<int>(N), args.data()));
  for (std::size_t n = 0; n < sum.size(); ++n)
    for (std::size_t i = 0; i + 1 < N; ++i)
      sum[n] += static_cast<int>(i + 1) * (i % 3 == 2 ? y[n] : x[mesh.target(n, i % 4)]);
  out.same("sum", fetch<int>(dsum), sum);
}

TEST_F(Limits, OneToSixtyFourArguments) {
  const Topology mesh = random_map(2000, 700, 4, 192);
  compare([&mesh](Outcome &out) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (run_wide<I + 1>(out, mesh), ...); }
    (std::make_index_sequence<OP_MAX_ARGS>());
  });
}

TEST_F(Limits, SixtyFourIncrements) {
  compare_on_meshes(
      {random_map(2, 1, 4, 193), shuffled(quads(50, 40), 194), random_map(3000, 200, 4, 195)},
      [](const Topology &mesh, Outcome &out) {
        const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
        const op_map map = declare_map(cells, nodes, mesh);
        const op_dat dsum = declare_dat(nodes, 1, std::vector<int>(mesh.targets()), "sum");
        std::vector<op_arg> args;
        for (int i = 0; i < OP_MAX_ARGS; ++i) args.push_back(through(map, i % 4, dsum, OP_INC));
        const auto kernel = []<std::size_t... I>(std::index_sequence<I...>) {
          return +[](decltype(I, static_cast<int *>(nullptr))... p) { ((*p += static_cast<int>(I % 4)), ...); };
        }
        (std::make_index_sequence<OP_MAX_ARGS>());
        EXPECT_OK(op_par_loop(reinterpret_cast<op_kernel_fn>(kernel), "many", cells, OP_MAX_ARGS, args.data()));
        std::vector<int> sum(mesh.targets());
        for (std::size_t n = 0; n < mesh.elements(); ++n)
          for (std::size_t c = 0; c < 4; ++c) sum[mesh.target(n, c)] += 16 * static_cast<int>(c);
        out.same("sum", fetch<int>(dsum), sum);
      });
}

TEST_F(Limits, NumberOfArgumentsIsChecked) {
  const Session session;
  const op_set cells = declare_set(10, "cells");
  const op_dat dx = op_decl_dat(cells, 1, "int", nullptr, "x");
  const std::vector<op_arg> args(OP_MAX_ARGS + 1, direct(dx, OP_READ));
  const auto kernel = reinterpret_cast<op_kernel_fn>(+[](const int *) {});
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_par_loop(kernel, "65", cells, OP_MAX_ARGS + 1, args.data()));
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_par_loop(kernel, "-1", cells, -1, args.data()));
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_par_loop(kernel, "no array", cells, 1, nullptr));
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_par_loop(nullptr, "no kernel", cells, 1, args.data()));
  EXPECT_OK(op_par_loop(kernel, "one", cells, 1, args.data()));
}

} // namespace conformance

// SPDX-License-Identifier: MIT
