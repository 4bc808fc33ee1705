// Loops of every kind through the built plugin, against plain loops here.
#include <algorithm>
#include <random>

#include "loop_mesh.hpp"

using namespace loop_test;
using samples::Loop;
using samples::program;

namespace {

TEST(CudaLoop, ADirectLoopFollowsItsConstant) {
  Executor executor;
  double gam = 3;
  Loop loop("scale", program("(const double *x, double *r) { r[0] = gam * x[0] + x[1]; }", "double gam;"), 1000);
  loop.direct(0, OP_READ, d, 2).direct(1, OP_WRITE, d, 1).constant(&gam, 0, 8).done();
  Mesh mesh(1, 1);
  const std::vector<double> x = mesh.values<double>(2000);
  const Array<double> dx(executor, x), dr(executor, std::vector<double>(1000));
  Kernel kernel(executor, loop);
  ASSERT_EQ(kernel.created, OP_OK) << message(executor);
  EXPECT_EQ(kernel.form(), "cuda");
  kernel.dat(0, dx).dat(1, dr);
  for (int turn = 0; turn < 2; ++turn) {
    gam = 3 + turn;
    ASSERT_EQ(kernel.run(Plan(0, 1000)), OP_OK) << message(executor);
    std::vector<double> r = dr.get();
    for (int i = 0; i < 1000; ++i)
      ASSERT_EQ(of(r, i), gam * x[2 * static_cast<size_t>(i)] + x[2 * static_cast<size_t>(i) + 1]);
  }
}

template <class T>
void add_through_maps(const std::string &race, const std::string &form, op_type_id type, const std::string &name,
                      int dim) {
  Executor executor(race);
  Mesh mesh(3000, 500);
  Loop loop("add",
            program("(const " + name + " *x, " + name + " *a, " + name + " *b) { for (int j = 0; j < " +
                    std::to_string(dim) + "; ++j) { a[j] += x[0]; b[j] += x[0] * j; } }"),
            3000);
  loop.direct(0, OP_READ, type, 1).through(1, 0, 0, OP_INC, type, dim).through(1, 0, 1, OP_INC, type, dim).done();
  const std::vector<T> x = mesh.values<T>(3000);
  std::vector<T> r = mesh.values<T>(500 * dim);
  const Array<T> dx(executor, x), dr(executor, r);
  const Array<int> map(executor, mesh.table);
  Kernel kernel(executor, loop);
  ASSERT_EQ(kernel.created, OP_OK) << message(executor);
  kernel.dat(0, dx).dat(1, dr).map(1, map, 2).dat(2, dr).map(2, map, 2);
  for (int e = 0; e < 3000; ++e)
    for (int j = 0; j < dim; ++j) {
      of(r, mesh.at(e, 0) * dim + j) = static_cast<T>(of(r, mesh.at(e, 0) * dim + j) + x[static_cast<size_t>(e)]);
      of(r, mesh.at(e, 1) * dim + j) =
          static_cast<T>(of(r, mesh.at(e, 1) * dim + j) + x[static_cast<size_t>(e)] * static_cast<T>(j));
    }
  const op_exec_plan_request request = kernel.plan_request();
  EXPECT_EQ(kernel.form(), form);
  if (request.plan == OP_PLAN_NONE) { // in two parts
    ASSERT_EQ(kernel.run(Plan(0, 1000)), OP_OK) << message(executor);
    ASSERT_EQ(kernel.run(Plan(1000, 3000)), OP_OK) << message(executor);
  } else {
    const int block = std::max(request.block_size, 1);
    const bool compact = request.compact != 0;
    const Plan first = mesh.colours(0, 1000, request.plan, block, compact);
    const Plan second = mesh.colours(1000, 3000, request.plan, block, compact);
    ASSERT_EQ(kernel.run(first), OP_OK) << message(executor);
    ASSERT_EQ(kernel.run(second), OP_OK) << message(executor);
  }
  EXPECT_EQ(dr.get(), r);
}

TEST(CudaLoop, AddsByAtomics) {
  add_through_maps<double>("auto", "cuda atomics", OP_TYPE_DOUBLE, "double", 3);
  add_through_maps<float>("atomic", "cuda atomics", OP_TYPE_FLOAT, "float", 1);
  add_through_maps<int>("auto", "cuda atomics", OP_TYPE_INT, "int", 2);
  add_through_maps<unsigned>("auto", "cuda atomics", OP_TYPE_UINT, "unsigned", 1);
  add_through_maps<long long>("auto", "cuda atomics", OP_TYPE_LL, "long long", 4);
  add_through_maps<unsigned long long>("auto", "cuda atomics", OP_TYPE_ULL, "unsigned long long", 1);
}

TEST(CudaLoop, AddsByColours) {
  add_through_maps<double>("reproducible", "cuda colours", OP_TYPE_DOUBLE, "double", 3);
  add_through_maps<double>("colour", "cuda colours", OP_TYPE_DOUBLE, "double", 300); // too much for shared memory
}

TEST(CudaLoop, AddsInSharedMemory) {
  const std::string form = "cuda staged colours, compact blocks";
  add_through_maps<int>("colour", form, OP_TYPE_INT, "int", 1);
  add_through_maps<int>("colour", form, OP_TYPE_INT, "int", 3);
  add_through_maps<double>("colour", form, OP_TYPE_DOUBLE, "double", 4);
  add_through_maps<double>("colour", form, OP_TYPE_DOUBLE, "double", 20);
  add_through_maps<float>("colour", form, OP_TYPE_FLOAT, "float", 33);
  add_through_maps<float>("colour", form, OP_TYPE_FLOAT, "float", 50);
}

TEST(CudaLoop, AddsByGathering) {
  add_through_maps<double>("gather", "cuda gather", OP_TYPE_DOUBLE, "double", 4);
  add_through_maps<float>("gather", "cuda gather", OP_TYPE_FLOAT, "float", 1);
  add_through_maps<long long>("gather", "cuda gather", OP_TYPE_LL, "long long", 3);
  add_through_maps<double>("gather", "cuda gather", OP_TYPE_DOUBLE, "double", 100);
}

// Sums that depend on the order of their terms have the bits of scalar code, also where an element adds to one row
// twice and where it adds to its own.
TEST(CudaLoop, GatheringKeepsTheOrderOfScalarCode) {
  constexpr int n = 3000;
  Executor executor("gather");
  Mesh mesh(n, 200);
  Loop loop("add",
            program("(const double *x, double *a, double **v, double *own) { a[0] += x[0] * 0.3; a[1] += x[0];"
                    " v[0][0] += x[0] / 7; v[1][0] += x[0] / 3; own[0] += x[0] * 1e-9; }"),
            n);
  loop.direct(0, OP_READ, d, 1).through(1, 0, 1, OP_INC, d, 2).vector(1, 0, 2, OP_INC, d, 2).direct(1, OP_INC, d, 2);
  loop.done();
  const std::vector<double> x = mesh.values<double>(n);
  std::vector<double> r = mesh.values<double>(2 * n);
  const Array<double> dx(executor, x), dr(executor, r);
  const Array<int> map(executor, mesh.table);
  Kernel kernel(executor, loop);
  ASSERT_EQ(kernel.created, OP_OK) << message(executor);
  kernel.dat(0, dx).dat(1, dr).map(1, map, 2).dat(2, dr).map(2, map, 2).dat(3, dr);
  for (int e = 0; e < n; ++e) {
    const double value = x[static_cast<size_t>(e)];
    of(r, 2 * mesh.at(e, 1)) += value * 0.3;
    of(r, 2 * mesh.at(e, 1) + 1) += value;
    of(r, 2 * mesh.at(e, 0)) += value / 7;
    of(r, 2 * mesh.at(e, 1)) += value / 3;
    of(r, 2 * e) += value * 1e-9;
  }
  EXPECT_EQ(kernel.plan_request().plan, OP_PLAN_NONE);
  ASSERT_EQ(kernel.run(Plan(0, 1234)), OP_OK) << message(executor);
  ASSERT_EQ(kernel.run(Plan(1234, n)), OP_OK) << message(executor);
  EXPECT_EQ(dr.get(), r);
}

// Other writes than increments have colours.
TEST(CudaLoop, OnlyIncrementsAreGathered) {
  Executor executor("gather");
  Loop loop("set", program("(const double *x, double *a) { a[0] = x[0]; }"), 100);
  loop.direct(0, OP_READ, d, 1).through(1, 0, 0, OP_RW, d, 4).done();
  const Kernel kernel(executor, loop);
  ASSERT_EQ(kernel.created, OP_OK) << message(executor);
  EXPECT_STREQ(executor.ops->kernel_form(executor.exec, kernel.kernel), "cuda colours");
}

TEST(CudaLoop, AddsToLongRows) { add_through_maps<double>("auto", "cuda atomics", OP_TYPE_DOUBLE, "double", 100); }

TEST(CudaLoop, WritesThroughMapsByColours) {
  Executor executor;
  Mesh mesh(2000, 400);
  Loop loop("most", program("(const double *x, double *a) { if (a[0] < x[0]) a[0] = x[0]; a[1] = a[0] + 1; }"), 2000);
  loop.direct(0, OP_READ, d, 1).through(1, 0, 1, OP_RW, d, 2).done();
  const std::vector<double> x = mesh.values<double>(2000);
  std::vector<double> r(800, -1000);
  const Array<double> dx(executor, x), dr(executor, r);
  const Array<int> map(executor, mesh.table);
  Kernel kernel(executor, loop);
  ASSERT_EQ(kernel.created, OP_OK) << message(executor);
  EXPECT_EQ(kernel.plan_request().plan, OP_PLAN_GLOBAL_COLOURS);
  kernel.dat(0, dx).dat(1, dr).map(1, map, 2);
  const Plan plan(OP_PLAN_GLOBAL_COLOURS, 0, 2000, 1, [&](int e) { return std::vector<int>{mesh.at(e, 1)}; });
  ASSERT_EQ(kernel.run(plan), OP_OK) << message(executor);
  for (int e = 0; e < 2000; ++e) {
    double &most = of(r, 2 * mesh.at(e, 1));
    most = std::max(most, x[static_cast<size_t>(e)]);
    of(r, 2 * mesh.at(e, 1) + 1) = most + 1;
  }
  EXPECT_EQ(dr.get(), r);
}

TEST(CudaLoop, VectorsNothingAndNumbers) {
  Executor executor;
  Mesh mesh(1500, 300);
  Loop loop("many",
            program("(double **x, const float *none, const int *i, const int *t, const int *own, double **a) {"
                    "  if (!none) for (int j = 0; j < 2; ++j) a[j][1] += x[j][0] + *i + *t * 2 + *own; }"),
            1500);
  loop.vector(0, 0, 2, OP_READ, d, 2)
      .off()
      .index()
      .map_index(0, 1)
      .map_index(-1, 0)
      .vector(1, 0, 2, OP_INC, d, 2)
      .done();
  const std::vector<double> x = mesh.values<double>(600);
  const std::vector<int> own = mesh.values<int>(1500);
  std::vector<double> r(600, 5);
  const Array<double> dx(executor, x), dr(executor, r);
  const Array<int> map(executor, mesh.table), down(executor, own);
  Kernel kernel(executor, loop);
  ASSERT_EQ(kernel.created, OP_OK) << message(executor);
  kernel.dat(0, dx).map(0, map, 2).map(3, map, 2).map(4, down, 1).dat(5, dr).map(5, map, 2);
  ASSERT_EQ(kernel.run(Plan(0, 1500)), OP_OK) << message(executor);
  for (int e = 0; e < 1500; ++e)
    for (int j = 0; j < 2; ++j)
      of(r, 2 * mesh.at(e, j) + 1) +=
          x[static_cast<size_t>(2 * mesh.at(e, j))] + e + 2 * mesh.at(e, 1) + own[static_cast<size_t>(e)];
  EXPECT_EQ(dr.get(), r);
}

TEST(CudaLoop, GlobalsAreThoseOfTheCall) {
  Executor executor;
  Loop loop("globals", program("(const double *g, const float *h, double *r) { r[0] += g[1] + h[999]; }"), 300);
  loop.global(d, 2).global(OP_TYPE_FLOAT, 1000).direct(0, OP_RW, d, 1).done();
  const Array<double> dr(executor, std::vector<double>(300));
  Kernel kernel(executor, loop);
  ASSERT_EQ(kernel.created, OP_OK) << message(executor);
  std::vector<double> g = {0, 1};
  std::vector<float> h(1000, 0);
  kernel.global(0, g.data()).global(1, h.data()).dat(2, dr);
  for (int turn = 0; turn < 5; ++turn) { // and may change as soon as it returns
    g[1] = turn;
    h[999] = static_cast<float>(10 * turn);
    ASSERT_EQ(kernel.run(Plan(0, 300)), OP_OK) << message(executor);
  }
  EXPECT_EQ(dr.get(), std::vector<double>(300, 110));
}

TEST(CudaLoop, TypesOfTheProgram) {
  struct Point {
    double x, y;
    char c[8];
  };
  Executor executor;
  Mesh mesh(500, 100);
  const std::string more = "struct point { double x, y; char c[8]; };\n";
  Loop loop("points", program("(const point *p, point *q) { q->x += p->y; q->c[3] = 7; }", "", more), 500);
  loop.direct(0, OP_READ, OP_TYPE_USER, 1).of_size(24).through(1, 0, 0, OP_RW, OP_TYPE_USER, 1).of_size(24).done();
  std::vector<Point> p(500), q(100);
  for (int i = 0; i < 500; ++i) of(p, i) = {0, double(i), {}};
  const Array<Point> dp(executor, p), dq(executor, q);
  const Array<int> map(executor, mesh.table);
  Kernel kernel(executor, loop);
  ASSERT_EQ(kernel.created, OP_OK) << message(executor);
  kernel.dat(0, dp).dat(1, dq).map(1, map, 2);
  const Plan plan = mesh.colours(0, 500);
  ASSERT_EQ(kernel.run(plan), OP_OK) << message(executor);
  for (int e = 0; e < 500; ++e) of(q, mesh.at(e, 0)).x += e;
  const std::vector<Point> got = dq.get();
  for (int c = 0; c < 100; ++c) EXPECT_EQ(got[static_cast<size_t>(c)].x, of(q, c).x);
}

// A large loop tries each way a few times, and all are right; then one is kept. The next run knows it, which is another
// kernel here.
TEST(CudaLoop, MeasuresWhichWayIsTheFastestAndRemembersIt) {
  AddAndSum both("auto", 40000, 3000);
  ASSERT_EQ(both.kernel->created, OP_OK) << message(both.executor);
  const Mesh &mesh = both.mesh;
  const Plan whole(0, 40000); // plans live as long as the kernel
  std::map<int, std::unique_ptr<Plan>> blocks;
  const auto plan_for = [&](const op_exec_plan_request &request) -> const Plan & {
    if (request.plan == OP_PLAN_NONE) return whole;
    std::unique_ptr<Plan> &plan = blocks[request.compact];
    if (!plan)
      plan.reset(new Plan(mesh.colours(0, 40000, request.plan, std::max(request.block_size, 1), request.compact != 0)));
    return *plan;
  };
  std::map<std::string, int> seen;
  int turn = 0;
  for (op_exec_plan_request request = both.kernel->plan_request(); request.again && turn < 20;
       request = both.kernel->plan_request(), ++turn) {
    ++seen[both.kernel->form()];
    both.dr.put(std::vector<double>(3000));
    ASSERT_EQ(both.kernel->run(plan_for(request)), OP_OK) << message(both.executor);
    EXPECT_EQ(both.dr.get(), both.r) << both.kernel->form();
    EXPECT_EQ(*both.kernel->place<double>(both.kernel->result, 3), both.sum) << both.kernel->form();
  }
  EXPECT_EQ(seen, (std::map<std::string, int>{
                      {"cuda atomics", 3}, {"cuda staged atomics", 3}, {"cuda staged atomics, compact blocks", 3}}));
  const std::string form = both.kernel->form();
  Kernel next(both.executor, both.loop);
  EXPECT_EQ(next.plan_request().again, 0);
  EXPECT_EQ(next.form(), form);
  both.loop.signature.set_size = 39999; // another mesh
  EXPECT_EQ(Kernel(both.executor, both.loop).plan_request().again, 1);
}

// What is a way of threads on CPUs acts as `auto`.
TEST(CudaLoop, OwnersAreMeasuredAsByDefault) {
  EXPECT_EQ(AddAndSum("owner", 40000, 3000).kernel->plan_request().again, 1);
  EXPECT_EQ(AddAndSum("atomic", 40000, 3000).kernel->plan_request().again, 0);
}

// Blocks so large that their rows do not fit: another way is taken.
TEST(CudaLoop, BlocksTooLargeForSharedMemory) {
  Executor executor("colour");
  Mesh mesh(4000, 3500);
  Loop loop("add", program("(const double *x, double *a, double *b) { a[1] += *x; b[2] += *x; }"), 4000);
  loop.direct(0, OP_READ, d, 1).through(1, 0, 0, OP_INC, d, 4).through(1, 0, 1, OP_INC, d, 4).done();
  const Array<double> dx(executor, std::vector<double>(4000, 1)), dr(executor, std::vector<double>(4 * 3500));
  const Array<int> map(executor, mesh.table);
  Kernel kernel(executor, loop);
  ASSERT_EQ(kernel.created, OP_OK) << message(executor);
  kernel.dat(0, dx).dat(1, dr).map(1, map, 2).dat(2, dr).map(2, map, 2);
  const Plan plan = mesh.colours(0, 4000, OP_PLAN_ELEMENT_COLOURS, 4000);
  ASSERT_EQ(kernel.run(plan), OP_OK) << message(executor);
  EXPECT_EQ(kernel.form(), "cuda atomics");
  std::vector<double> r(4 * 3500);
  for (int e = 0; e < 4000; ++e) of(r, 4 * mesh.at(e, 0) + 1) += 1, of(r, 4 * mesh.at(e, 1) + 2) += 1;
  EXPECT_EQ(dr.get(), r);
}

// Two elements of one colour add to one row: the sums may be right by chance, the emulated device sees it all the same.
op_status run_with_wrong_colours(const std::string &race, int32_t kind, int block, void (*spoil)(Plan &)) {
  Executor executor(race);
  Mesh mesh(1000, 500);
  Loop loop("add", program("(const double *x, double *a, double *b) { *a += *x; *b += *x; }"), 1000);
  loop.direct(0, OP_READ, d, 1).through(1, 0, 0, OP_INC, d, 1).through(1, 0, 1, OP_INC, d, 1).done();
  const Array<double> dx(executor, std::vector<double>(1000, 1)), dr(executor, std::vector<double>(500));
  const Array<int> map(executor, mesh.table);
  Kernel kernel(executor, loop);
  EXPECT_EQ(kernel.created, OP_OK) << message(executor);
  kernel.dat(0, dx).dat(1, dr).map(1, map, 2).dat(2, dr).map(2, map, 2);
  Plan plan = mesh.colours(0, 1000, kind, block);
  spoil(plan);
  op_status status = kernel.run(plan);
  std::vector<double> there(500);
  if (status == OP_OK) status = dr.copy(there.data(), OP_SPACE_HOST, dr.address, OP_SPACE_CUDA);
  return status;
}

TEST(CudaLoop, WrongColoursAreSeen) {
  if (cuda_path().empty()) GTEST_SKIP() << "a real device does not watch who adds";
  EXPECT_EQ(run_with_wrong_colours("reproducible", OP_PLAN_GLOBAL_COLOURS, 1, [](Plan &) {}), OP_OK);
  EXPECT_NE(
      run_with_wrong_colours("reproducible", OP_PLAN_GLOBAL_COLOURS, 1, [](Plan &plan) { plan.colour_offset[1] += 5; }),
      OP_OK);
  EXPECT_EQ(run_with_wrong_colours("colour", OP_PLAN_ELEMENT_COLOURS, 64, [](Plan &) {}), OP_OK);
  EXPECT_NE(
      run_with_wrong_colours("colour", OP_PLAN_ELEMENT_COLOURS, 64, [](Plan &plan) { plan.colour_offset[1] += 1; }),
      OP_OK)
      << "two blocks";
  EXPECT_NE(run_with_wrong_colours("colour", OP_PLAN_ELEMENT_COLOURS, 64,
                                   [](Plan &plan) { // two elements of a block
                                     for (int32_t &colour : plan.element_colour) colour = std::max(colour - 1, 0);
                                   }),
            OP_OK);
}

} // namespace

// SPDX-License-Identifier: MIT
