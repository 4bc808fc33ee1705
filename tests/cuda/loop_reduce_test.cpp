// Loops that reduce through the built plugin, against plain loops here.
#include <algorithm>
#include <cmath>
#include <random>

#include "loop_mesh.hpp"

using namespace loop_test;
using samples::Loop;
using samples::program;

namespace {

TEST(CudaLoop, SumsAndExtrema) {
  for (const int elements : {1, 31, 257, 5000, 300000}) {
    Executor executor;
    Mesh mesh(1, 1);
    Loop loop("reduce",
              program("(const double *x, double *s, int *least, float *most) { *s += x[0]; s[1] += 2 * x[0];"
                      " if (x[0] < *least) *least = (int)x[0]; if (*most < x[0]) *most = (float)x[0]; }"),
              elements);
    loop.direct(0, OP_READ, d, 1)
        .reduced(OP_INC, d, 2)
        .reduced(OP_MIN, OP_TYPE_INT, 1)
        .reduced(OP_MAX, OP_TYPE_FLOAT, 1);
    loop.done();
    const std::vector<double> x = mesh.values<double>(elements);
    const Array<double> dx(executor, x);
    Kernel kernel(executor, loop);
    ASSERT_EQ(kernel.created, OP_OK) << message(executor);
    kernel.dat(0, dx);
    *kernel.place<int>(kernel.start, 2) = 100;
    *kernel.place<float>(kernel.start, 3) = -100;
    for (int turn = 0; turn < 2; ++turn) {
      const int begin = turn * (elements / 3);
      ASSERT_EQ(kernel.run(Plan(begin, elements)), OP_OK) << message(executor);
      double sum = 0;
      int least = 100;
      float most = -100;
      for (int i = begin; i < elements; ++i) {
        sum += x[static_cast<size_t>(i)];
        least = std::min(least, static_cast<int>(x[static_cast<size_t>(i)]));
        most = std::max(most, static_cast<float>(x[static_cast<size_t>(i)]));
      }
      EXPECT_EQ(kernel.place<double>(kernel.result, 1)[0], sum) << elements;
      EXPECT_EQ(kernel.place<double>(kernel.result, 1)[1], 2 * sum);
      EXPECT_EQ(*kernel.place<int>(kernel.result, 2), least);
      EXPECT_EQ(*kernel.place<float>(kernel.result, 3), most);
    }
  }
}

// Every sum has the same bits in every run.
TEST(CudaLoop, SumsDoNotDependOnTiming) {
  Executor executor;
  std::vector<double> x;
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i)
    x.push_back(std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 80)));
  Loop loop("sum", program("(const double *x, double *s) { *s += x[0]; }"), 20000);
  loop.direct(0, OP_READ, d, 1).reduced(OP_INC, d, 1).done();
  const Array<double> dx(executor, x);
  Kernel kernel(executor, loop);
  ASSERT_EQ(kernel.created, OP_OK) << message(executor);
  kernel.dat(0, dx);
  ASSERT_EQ(kernel.run(Plan(0, 20000)), OP_OK);
  const double first = *kernel.place<double>(kernel.result, 1);
  for (int turn = 0; turn < 5; ++turn) {
    ASSERT_EQ(kernel.run(Plan(0, 20000)), OP_OK);
    EXPECT_EQ(*kernel.place<double>(kernel.result, 1), first);
  }
}

// With OP2_CUDA_SUMS=ordered a sum has the bits of the plain one, block by block.
TEST(CudaLoop, SumsInOrder) {
  Executor executor;
  executor.host.settings["OP2_CUDA_SUMS"] = "ordered";
  std::vector<float> x;
  std::mt19937 random(3);
  for (int i = 0; i < 20000; ++i) x.push_back(static_cast<float>(random() % 1000003) / 7);
  Loop loop("sum", program("(const float *x, float *s) { *s += x[0]; }"), 20000);
  loop.direct(0, OP_READ, OP_TYPE_FLOAT, 1).reduced(OP_INC, OP_TYPE_FLOAT, 1).done();
  const Array<float> dx(executor, x);
  Kernel kernel(executor, loop);
  ASSERT_EQ(kernel.created, OP_OK) << message(executor);
  EXPECT_EQ(kernel.wish().plan, OP_PLAN_BLOCKS);
  kernel.dat(0, dx);
  const Plan plan(OP_PLAN_BLOCKS, 0, 20000, 300, [](int) { return std::vector<int>(); });
  ASSERT_EQ(kernel.run(plan), OP_OK) << message(executor);
  float sum = 0;
  for (size_t begin = 0; begin < x.size(); begin += 300) {
    float block = 0;
    for (size_t i = begin; i < std::min(begin + 300, x.size()); ++i) block += x[i];
    sum += block;
  }
  EXPECT_EQ(*kernel.place<float>(kernel.result, 1), sum);
}

// Among equal values the lowest element wins, also where elements run colour by colour.
TEST(CudaLoop, TheWinnerIsTheFirst) {
  for (const std::string race : {"auto", "colour"}) {
    Executor executor(race);
    Mesh mesh(4000, 700);
    Loop loop("winner",
              program("(const double *x, double *a, double *b, double *most, int *who, const int *i) {"
                      " a[0] += x[0]; b[0] += x[0]; if (*most < x[0]) { *most = x[0]; *who = *i; } }"),
              4000);
    loop.direct(0, OP_READ, d, 1).through(1, 0, 0, OP_INC, d, 1).through(1, 0, 1, OP_INC, d, 1).reduced(OP_MAX, d, 1);
    loop.payload(3, OP_TYPE_INT, 1).index().done();
    std::vector<double> x, r(700);
    for (int e = 0; e < 4000; ++e) x.push_back(static_cast<double>(mesh.random() % 50));
    const Array<double> dx(executor, x), dr(executor, r);
    const Array<int> map(executor, mesh.table);
    Kernel kernel(executor, loop);
    ASSERT_EQ(kernel.created, OP_OK) << message(executor);
    kernel.dat(0, dx).dat(1, dr).map(1, map, 2).dat(2, dr).map(2, map, 2);
    *kernel.place<double>(kernel.start, 3) = -5;
    *kernel.place<int>(kernel.start, 4) = -1;
    const op_exec_wish wish = kernel.wish();
    EXPECT_EQ(wish.plan, race == "auto" ? OP_PLAN_BLOCKS : OP_PLAN_BLOCK_COLOURS);
    const Plan coloured = mesh.colours(100, 4000, OP_PLAN_BLOCK_COLOURS, 16);
    const Plan plain(OP_PLAN_BLOCKS, 100, 4000, 16, [](int) { return std::vector<int>(); });
    ASSERT_EQ(kernel.run(race == "auto" ? plain : coloured), OP_OK) << message(executor);
    const auto first = std::max_element(x.begin() + 100, x.end());
    EXPECT_EQ(*kernel.place<double>(kernel.result, 3), *first);
    EXPECT_EQ(*kernel.place<int>(kernel.result, 4), static_cast<int>(first - x.begin())) << race;
    for (int e = 100; e < 4000; ++e) {
      of(r, mesh.at(e, 0)) += of(x, e);
      of(r, mesh.at(e, 1)) += of(x, e);
    }
    EXPECT_EQ(dr.get(), r);
  }
}

TEST(CudaLoop, SumsAndIncrementsTogether) {
  for (const std::string race : {"auto", "global", "colour"}) {
    Executor executor(race);
    Mesh mesh(2500, 400);
    Loop loop("both", program("(const double *x, double *a, double *b, double *s) { *a += *x; *b -= *x; *s += *x; }"),
              2500);
    loop.direct(0, OP_READ, d, 1)
        .through(1, 0, 0, OP_INC, d, 1)
        .through(1, 0, 1, OP_INC, d, 1)
        .reduced(OP_INC, d, 1)
        .done();
    const std::vector<double> x = mesh.values<double>(2500);
    std::vector<double> r(400);
    double sum = 0;
    const Array<double> dx(executor, x), dr(executor, r);
    const Array<int> map(executor, mesh.table);
    Kernel kernel(executor, loop);
    ASSERT_EQ(kernel.created, OP_OK) << message(executor);
    kernel.dat(0, dx).dat(1, dr).map(1, map, 2).dat(2, dr).map(2, map, 2);
    const op_exec_wish wish = kernel.wish();
    const Plan plain(0, 2500), coloured = mesh.colours(0, 2500, wish.plan, std::max(wish.block_size, 1));
    ASSERT_EQ(kernel.run(race == "auto" ? plain : coloured), OP_OK) << message(executor);
    for (int e = 0; e < 2500; ++e) {
      of(r, mesh.at(e, 0)) += x[static_cast<size_t>(e)];
      of(r, mesh.at(e, 1)) -= x[static_cast<size_t>(e)];
      sum += x[static_cast<size_t>(e)];
    }
    EXPECT_EQ(dr.get(), r) << race;
    EXPECT_EQ(*kernel.place<double>(kernel.result, 3), sum) << race;
  }
}

TEST(CudaLoop, AReductionOfTheProgramsOwn) {
  Executor executor;
  Loop loop("own", program("(const double *x, double *r) { *r += *x; }"), 3000);
  loop.direct(0, OP_READ, d, 1).reduced(OP_REDUCE, d, 1).done();
  Mesh mesh(1, 1);
  const std::vector<double> x = mesh.values<double>(3000);
  const Array<double> dx(executor, x);
  Kernel kernel(executor, loop);
  ASSERT_EQ(kernel.created, OP_OK) << message(executor);
  kernel.dat(0, dx);
  ASSERT_EQ(kernel.run(Plan(OP_PLAN_BLOCKS, 0, 3000, 64, [](int) { return std::vector<int>(); })), OP_OK)
      << message(executor);
  double sum = 0;
  for (const double value : x) sum += value;
  EXPECT_EQ(*kernel.place<double>(kernel.result, 1), sum);
}

TEST(CudaLoop, AnEmptyRangeReducesNothing) {
  Executor executor;
  Loop loop("sum", program("(const double *x, double *s) { *s += x[0]; }"), 100);
  loop.direct(0, OP_READ, d, 1).reduced(OP_INC, d, 1).done();
  const Array<double> dx(executor, std::vector<double>(100, 1));
  Kernel kernel(executor, loop);
  ASSERT_EQ(kernel.created, OP_OK) << message(executor);
  kernel.dat(0, dx);
  *kernel.place<double>(kernel.start, 1) = 4;
  ASSERT_EQ(kernel.run(Plan(50, 50)), OP_OK) << message(executor);
  EXPECT_EQ(*kernel.place<double>(kernel.result, 1), 4);
}

TEST(CudaLoop, WithoutATextThereIsNoKernel) {
  Executor executor;
  Loop loop("silent", "", 10);
  loop.direct(0, OP_WRITE, d, 1).done();
  loop.text.text = nullptr;
  loop.text.why = "the kernel calls a function of a library";
  Kernel kernel(executor, loop);
  EXPECT_EQ(kernel.created, OP_ERR_UNSUPPORTED);
  EXPECT_EQ(message(executor), "loop 'silent' has no text for the GPU: the kernel calls a function of a library");
}

TEST(CudaLoop, ATextThatDoesNotCompileIsNoKernel) {
  Executor executor;
  Loop loop("broken", program("(double *x) { *x = unheard_of(1); }"), 10);
  loop.direct(0, OP_WRITE, d, 1).done();
  Kernel kernel(executor, loop);
  EXPECT_EQ(kernel.created, OP_ERR_UNSUPPORTED);
  EXPECT_NE(message(executor).find("broken"), std::string::npos) << message(executor);
  EXPECT_NE(message(executor).find("unheard_of"), std::string::npos) << message(executor);
}

} // namespace
