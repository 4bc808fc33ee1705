// Range functions, as C programs write them: the kernel inlined in a loop over elements.
#include <atomic>

#include "suite.hpp"

namespace conformance {

using Range = Topic;

void flux(const double *x0, const double *x1, const double *w, double *r0, double *r1, const double *scale,
          double *total, const int *number) {
  const double f = *scale * *w * (x1[0] - x0[1]) + 0.001 * *number;
  *r0 += f, *r1 -= f, *total += f;
}
OP_RANGE_FN(flux_range, flux(OP_VIA(0, const double, 2), OP_VIA(1, const double, 2), OP_DIRECT(2, const double, 1),
                             OP_VIA(3, double, 1), OP_VIA(4, double, 1), OP_GLOBAL(5, const double),
                             OP_GLOBAL(6, double), OP_INDEX()))

void norm(const double *x, double *y, double *s) { *y = x[0] * x[1], *s += *y; }
OP_RANGE_FN(norm_range, norm(OP_DIRECT(0, const double, 2), OP_DIRECT(1, double, 1), OP_GLOBAL(2, double)))
OP_RANGE_FN_WITH(norm_range_local, double s = *OP_GLOBAL(2, double),
                 norm(OP_DIRECT(0, const double, 2), OP_DIRECT(1, double, 1), &s), *OP_GLOBAL(2, double) = s)

// Each form in turn: the element form, both, the range form alone; without text, so that none gets other code.
std::vector<op_loop_site> forms(op_kernel_fn element, op_range_fn range) {
  std::vector<op_loop_site> out = {OP_LOOP_SITE(element, nullptr, "kernel"), OP_LOOP_SITE(element, range, "kernel"),
                                   OP_LOOP_SITE(nullptr, range, "kernel")};
  for (op_loop_site &site : out) site.text = nullptr;
  return out;
}

TEST_F(Range, DirectLoops) {
  for (const int size : every_size()) {
    SCOPED_TRACE(size);
    compare([size](Outcome &out) {
      const std::size_t n = static_cast<std::size_t>(size);
      const op_set cells = declare_set(size, "cells");
      const std::vector<double> x = reals(2 * n, 210);
      std::vector<double> y(n), sums;
      Sums exact(std::vector<double>(4, 1));
      for (std::size_t i = 0; i < n; ++i) {
        y[i] = x[2 * i] * x[2 * i + 1];
        for (std::size_t form = 0; form < 4; ++form) exact.add(form, y[i]);
      }
      std::vector<op_loop_site> sites = forms(reinterpret_cast<op_kernel_fn>(norm), norm_range);
      sites.push_back(OP_LOOP_SITE(reinterpret_cast<op_kernel_fn>(norm), norm_range_local, "norm"));
      const op_dat dx = declare_dat(cells, 2, x, "x");
      for (op_loop_site &site : sites) {
        const op_dat dy = declare_dat(cells, 1, std::vector<double>(n), "y");
        double sum = 1;
        const op_arg args[] = {direct(dx, OP_READ), direct(dy, OP_WRITE), global(&sum, 1, OP_INC)};
        EXPECT_OK(op_par_loop_site(&site, "norm", cells, 3, args));
        out.same("y", fetch<double>(dy), y);
        sums.push_back(sum);
      }
      out.sums("sums", sums, exact);
      sums.pop_back(); // "norm" has text, and generated code adds up in lanes
      Sums first(3);
      for (std::size_t form = 0; form < 3; ++form) {
        first.value[form] = exact.value[form];
        first.magnitude[form] = exact.magnitude[form];
      }
      out.ordered_sums("sums of the program's code", sums, first);
      out.same("sums by form", sums, std::vector<double>(3, sums[0]));
    });
  }
}

TEST_F(Range, IndirectLoops) {
  FOR_ONE_PROCESS("a range function that counts elements itself runs on one process only");
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set edges = declare_set(mesh.from, "edges"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(edges, nodes, mesh);
    const std::vector<double> x = reals(2 * mesh.targets(), 211), w = reals(mesh.elements(), 212);
    const op_dat dx = declare_dat(nodes, 2, x, "x"), dw = declare_dat(edges, 1, w, "w");
    double scale = 1.75;
    Sums res(mesh.targets()), exact(std::vector<double>(1));
    for (std::size_t n = 0; n < w.size(); ++n) {
      const double f =
          scale * w[n] * (x[2 * mesh.target(n, 1)] - x[2 * mesh.target(n, 0) + 1]) + 0.001 * static_cast<double>(n);
      res.add(mesh.target(n, 2), f), res.add(mesh.target(n, 3), -f), exact.add(0, f);
    }
    for (op_loop_site &site : forms(reinterpret_cast<op_kernel_fn>(flux), flux_range)) {
      const op_dat dres = declare_dat(nodes, 1, std::vector<double>(mesh.targets()), "res");
      double total = 0;
      const op_arg args[] = {through(map, 0, dx, OP_READ),  through(map, 1, dx, OP_READ),  direct(dw, OP_READ),
                             through(map, 2, dres, OP_INC), through(map, 3, dres, OP_INC), global(&scale, 1, OP_READ),
                             global(&total, 1, OP_INC),     op_arg_idx(-1, OP_ID)};
      EXPECT_OK(op_par_loop_site(&site, "flux", edges, 8, args));
      out.sums("res", fetch<double>(dres), res);
      out.sums<double>("total", {total}, exact);
    }
  });
}

// What a range function is told about each kind of argument, and that its calls cover every element once.
std::atomic<int> surprises; // facts that were not as promised
void expect_fact(bool fact) { surprises += fact ? 0 : 1; }

void look_range(const op_range_ctx *ctx, int begin, int end) {
  const op_range_arg *a = ctx->args;
  expect_fact(ctx->size >= sizeof(op_range_ctx) && ctx->nargs == 7 && begin <= end && ctx->element == nullptr);
  expect_fact(a[0].kind == OP_RANGE_DIRECT && a[0].stride == 3 * sizeof(int) && a[0].dim == 3 && a[0].access == OP_RW &&
              a[0].count == 0);
  expect_fact(a[1].kind == OP_RANGE_INDIRECT && a[1].stride == sizeof(double) && a[1].dim == 1 &&
              a[1].access == OP_READ);
  expect_fact(a[2].kind == OP_RANGE_VECTOR && a[2].count == 3 && a[2].access == OP_READ);
  expect_fact(a[3].kind == OP_RANGE_GLOBAL && a[3].stride == 0 && a[3].dim == 2 && a[3].base != nullptr &&
              a[3].access == OP_READ);
  expect_fact(a[4].kind == OP_RANGE_INDEX);
  expect_fact(a[5].kind == OP_RANGE_MAP_INDEX && a[5].map != nullptr);
  expect_fact(a[6].kind == OP_RANGE_ABSENT && a[6].base == nullptr);
  for (int n = begin; n < end; ++n) {
    int *row = reinterpret_cast<int *>(a[0].base + n * a[0].stride);
    const int target = a[1].map[static_cast<std::ptrdiff_t>(n) * a[1].map_stride];
    double sum = *reinterpret_cast<const double *>(a[1].base + target * a[1].stride);
    for (int j = 0; j < a[2].count; ++j)
      sum += *reinterpret_cast<const double *>(
          a[2].base + a[2].map[static_cast<std::ptrdiff_t>(n) * a[2].map_stride + j] * a[2].stride);
    row[0] += 1; // visits
    row[1] = static_cast<int>(sum) + *reinterpret_cast<const int *>(a[3].base + sizeof(int));
    row[2] = a[5].map[static_cast<std::ptrdiff_t>(n) * a[5].map_stride];
  }
}

TEST_F(Range, WhatARangeFunctionIsTold) {
  FOR_ONE_PROCESS("a range function that counts elements itself runs on one process only");
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<double> x = whole<double>(mesh.targets(), 213, -99, 99);
    const op_dat dx = declare_dat(nodes, 1, x, "x"),
                 drow = declare_dat(cells, 3, std::vector<int>(3 * mesh.elements()), "row");
    int pair[2] = {5, 7};
    op_loop_site site = OP_LOOP_SITE(nullptr, look_range, nullptr);
    const op_arg args[] = {direct(drow, OP_RW),
                           through(map, 3, dx, OP_READ),
                           rows(map, 3, dx, OP_READ),
                           global(pair, 2, OP_READ),
                           op_arg_idx(-1, OP_ID),
                           op_arg_idx(2, map),
                           op_opt_arg_dat(0, dx, 0, map, 1, "double", OP_READ)};
    surprises = 0;
    EXPECT_OK(op_par_loop_site(&site, "look", cells, 7, args));
    EXPECT_EQ(0, surprises.load());
    std::vector<int> row;
    for (std::size_t n = 0; n < mesh.elements(); ++n) {
      double sum = 0;
      for (std::size_t c = 0; c < 4; ++c) sum += x[mesh.target(n, c)];
      row.insert(row.end(), {1, static_cast<int>(sum) + 7, mesh.table[4 * n + 2]});
    }
    out.same("row", fetch<int>(drow), row);
  });
}

TEST_F(Range, SiteIsChecked) {
  const Session session;
  const op_set cells = declare_set(10, "cells");
  op_loop_site nothing = OP_LOOP_SITE(nullptr, nullptr, "nothing"), small = OP_LOOP_SITE(nullptr, look_range, "small");
  small.size = 8;
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_par_loop_site(nullptr, "none", cells, 0, nullptr));
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_par_loop_site(&nothing, "nothing", cells, 0, nullptr));
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_par_loop_site(&small, "small", cells, 0, nullptr));
}

} // namespace conformance

// SPDX-License-Identifier: MIT
