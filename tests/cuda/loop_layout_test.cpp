// Loops over dats in SoA have the results that they have in AoS, whichever way they run.
#include "loop_mesh.hpp"

using namespace loop_test;
using samples::Loop;
using samples::program;

namespace {

// A dat on the device in some layout; values are whole numbers.
template <class T>
struct Laid {
  Executor &executor;
  int count, dim;
  op_range_layout layout;
  Array<T> copy;

  static op_range_layout layout_of(int kind, int count) {
    const ptrdiff_t size = sizeof(T);
    return {kind == OP_LAYOUT_SOA ? (ptrdiff_t{count} + 3) * size : size, kind};
  }
  Laid(Executor &e, int kind, int dim_, const std::vector<T> &rows)
      : executor(e),
        count(static_cast<int>(rows.size()) / dim_),
        dim(dim_),
        layout(layout_of(kind, count)),
        copy(e, kind == OP_LAYOUT_AOS ? rows : std::vector<T>(static_cast<size_t>((count + 32) * dim), T(-1))) {
    std::vector<T> all = rows;
    if (kind != OP_LAYOUT_AOS) move(all, 0);
  }
  ptrdiff_t stride() const { return static_cast<ptrdiff_t>(sizeof(T)) * (layout.kind == OP_LAYOUT_SOA ? 1 : dim); }
  void move(std::vector<T> &rows, int to_rows) const {
    op_exec_rows all{};
    all.size = sizeof all;
    all.rows = reinterpret_cast<char *>(rows.data());
    all.copy = static_cast<char *>(copy.address);
    all.stride = stride();
    all.step = layout.step;
    all.count = count;
    all.dim = dim;
    all.type_size = static_cast<int>(sizeof(T));
    all.to_rows = to_rows;
    op_event done = nullptr;
    EXPECT_EQ(executor.ops->mem_copy_rows(executor.exec, &all, &done), OP_OK) << message(executor);
  }
  std::vector<T> get() const {
    if (layout.kind == OP_LAYOUT_AOS) return copy.get();
    std::vector<T> rows(static_cast<size_t>(count * dim));
    move(rows, 1);
    return rows;
  }
  // As argument i.
  void is(Kernel &kernel, int i) const {
    kernel.args[static_cast<size_t>(i)].base = static_cast<char *>(copy.address);
    kernel.args[static_cast<size_t>(i)].stride = stride();
  }
};

struct Plans { // live as long as the kernels
  const Mesh &mesh;
  std::map<int, std::unique_ptr<Plan>> plans;
  const Plan &get(const op_exec_plan_request &request) {
    std::unique_ptr<Plan> &plan = plans[request.plan];
    if (!plan && request.plan == OP_PLAN_NONE) plan = std::make_unique<Plan>(0, mesh.edges);
    if (!plan)
      plan = std::make_unique<Plan>(
          request.plan, 0, mesh.edges, std::max(request.block_size, 1),
          [&](int e) {
            return std::vector<int>{mesh.at(e, 0), mesh.at(e, 1)};
          },
          request.compact != 0);
    return *plan;
  }
};

struct Results {
  std::vector<double> added;
  std::vector<float> also;
  double sum = 0;
  bool operator==(const Results &) const = default;
};

// Reads directly and through a map, adds through maps to two dats, reduces, and has an argument that is off.
Results add_everywhere(const std::string &race, const std::string &form, int kind) {
  Executor executor(race);
  Mesh mesh(2000, 401);
  Loop loop("add",
            program("(const double *x, const double **c, double *a, double *b, const float *none, const int *i, "
                    "float **v, double *s) {"
                    " for (int j = 0; j < 5; ++j) { a[j] += x[j % 3]; b[j] -= gam * c[1][j % 2] + (none ? 1 : 0); }"
                    " v[0][1] += *i % 7; v[1][0] += 1; *s += x[2] + c[0][0]; }",
                    "double gam;"),
            mesh.edges);
  loop.direct(0, OP_READ, d, 3).vector(1, 0, 2, OP_READ, d, 2);
  loop.through(2, 0, 0, OP_INC, d, 5).through(2, 0, 1, OP_INC, d, 5).off().index();
  loop.vector(3, 0, 2, OP_INC, OP_TYPE_FLOAT, 2).reduced(OP_INC, d, 1);
  const double gam = 2;
  loop.constant(&gam, 0, 8);
  const Array<int> map(executor, mesh.table);
  const Laid<double> x(executor, kind, 3, mesh.values<double>(3 * mesh.edges));
  const Laid<double> c(executor, kind, 2, mesh.values<double>(2 * mesh.cells));
  const Laid<double> r(executor, kind, 5, mesh.values<double>(5 * mesh.cells));
  const Laid<float> v(executor, kind, 2, mesh.values<float>(2 * mesh.cells));
  const op_range_layout aos = {8, OP_LAYOUT_AOS};
  if (kind != OP_LAYOUT_AOS)
    loop.layouts = {x.layout, c.layout, r.layout, r.layout, {4, OP_LAYOUT_AOS}, aos, v.layout, aos};
  loop.done();
  Kernel kernel(executor, loop);
  EXPECT_EQ(kernel.created, OP_OK) << message(executor);
  if (!kernel.kernel) return {};
  for (const int i : {1, 2, 3, 6}) kernel.map(i, map, 2);
  x.is(kernel, 0), c.is(kernel, 1), r.is(kernel, 2), r.is(kernel, 3), v.is(kernel, 6);
  EXPECT_EQ(kernel.form(), form);
  Plans plans{mesh, {}};
  EXPECT_EQ(kernel.run(plans.get(kernel.plan_request())), OP_OK) << message(executor);
  return {r.get(), v.get(), *kernel.place<double>(kernel.result, 7)};
}

TEST(CudaLayouts, AddInEveryWay) {
  const std::pair<const char *, const char *> ways[] = {{"atomic", "cuda atomics"},
                                                        {"reproducible", "cuda colours"},
                                                        {"colour", "cuda staged colours, compact blocks"},
                                                        {"gather", "cuda gather"}};
  const Results expected = add_everywhere("atomic", "cuda atomics", OP_LAYOUT_AOS);
  EXPECT_NE(expected.sum, 0);
  for (const auto &[race, form] : ways)
    for (const int kind : {OP_LAYOUT_AOS, OP_LAYOUT_SOA})
      EXPECT_TRUE(add_everywhere(race, form, kind) == expected) << race << ", layout " << kind;
}

// Kernels that want rows themselves: pointers that may lead to the same row, one of which is written through.
std::vector<double> write_rows(const char *text, const std::vector<op_access> &access, bool vector, int kind) {
  Executor executor;
  Mesh mesh(1500, 200); // many edges have the same cell on both sides
  Loop loop("write", program(text), mesh.edges);
  loop.direct(0, OP_READ, d, 1);
  if (vector)
    loop.vector(1, 0, 2, access[0], d, 3);
  else
    for (size_t column = 0; column < access.size(); ++column)
      loop.through(1, 0, static_cast<int>(column % 2), access[column], d, 3);
  const Array<double> x(executor, mesh.values<double>(mesh.edges));
  const Laid<double> r(executor, kind, 3, mesh.values<double>(3 * mesh.cells));
  if (kind != OP_LAYOUT_AOS) {
    loop.layouts.assign(loop.args.size(), r.layout);
    loop.layouts[0] = {8, OP_LAYOUT_AOS};
  }
  loop.done();
  const Array<int> map(executor, mesh.table);
  Kernel kernel(executor, loop);
  EXPECT_EQ(kernel.created, OP_OK) << message(executor);
  kernel.dat(0, x);
  for (int i = 1; i < static_cast<int>(loop.args.size()); ++i) kernel.map(i, map, 2), r.is(kernel, i);
  const Plan plan = mesh.colours(0, mesh.edges);
  EXPECT_EQ(kernel.run(plan), OP_OK) << message(executor);
  return r.get();
}

TEST(CudaLayouts, PointersToTheSameRow) {
  struct Case {
    const char *text;
    std::vector<op_access> access;
    bool vector;
  };
  const std::vector<Case> cases = {
      {"(const double *x, double **v) { v[0][0] = x[0]; v[1][1] = v[0][0] + v[1][0]; v[0][2] += v[1][1]; }",
       {OP_RW},
       true},
      {"(const double *x, double *a, const double *b) { a[0] = x[0]; a[1] = b[0]; a[2] += b[1]; }",
       {OP_RW, OP_READ},
       false},
      {"(const double *x, const double *b, double *a, double *c) { a[0] = x[0] + b[1]; c[1] = b[0]; c[2] = 3 + a[0]; }",
       {OP_READ, OP_RW, OP_WRITE},
       false},
      {"(const double *x, double *a, double *b) { a[0] += x[0]; b[1] = b[1] / 2; b[0] -= 2; }",
       {OP_INC, OP_RW},
       false}};
  for (const Case &c : cases)
    EXPECT_EQ(write_rows(c.text, c.access, c.vector, OP_LAYOUT_SOA),
              write_rows(c.text, c.access, c.vector, OP_LAYOUT_AOS))
        << c.text;
}

} // namespace

// SPDX-License-Identifier: MIT
