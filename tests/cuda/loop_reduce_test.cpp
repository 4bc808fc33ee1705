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
  EXPECT_EQ(kernel.plan_request().plan, OP_PLAN_BLOCKS);
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
    const op_exec_plan_request request = kernel.plan_request();
    EXPECT_EQ(request.plan, race == "auto" ? OP_PLAN_NONE : OP_PLAN_BLOCK_COLOURS);
    const Plan coloured = mesh.colours(100, 4000, OP_PLAN_BLOCK_COLOURS, 16), plain(100, 4000);
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

// Among many equals the first element gives each component its payload; a start that none beats keeps its own.
TEST(CudaLoop, ComponentsHaveWinnersOfTheirOwn) {
  constexpr int size = 150000; // more than one element for a thread
  for (const std::string sums : {"fast", "ordered"}) {
    Executor executor("auto", {{"OP2_CUDA_SUMS", sums}});
    Loop loop("winners",
              program("(const int *x, float *least, char *place, const int *i, double *sum, float *most, short *at) {"
                      " struct where { double x; int n; };"
                      " for (int c = 0; c < 3; ++c) if (x[c] < least[c]) { least[c] = x[c];"
                      " where *w = (where *)place + c; w->x = *i * 0.5; w->n = *i; }"
                      " *sum += x[0]; if (*most < x[1]) { *most = x[1]; at[0] = *i % 1000; at[1] = 7; } }"),
              size);
    loop.direct(0, OP_READ, OP_TYPE_INT, 3).reduced(OP_MIN, OP_TYPE_FLOAT, 3).payload(1, OP_TYPE_USER, 3).of_size(16);
    loop.index().reduced(OP_INC, d, 1).reduced(OP_MAX, OP_TYPE_FLOAT, 1).payload(5, OP_TYPE_USER, 1).of_size(4).done();
    Mesh mesh(1, 1);
    std::vector<int> x;
    for (int n = 0; n < 3 * size; ++n) x.push_back(static_cast<int>(mesh.random() % 5));
    const Array<int> dx(executor, x);
    Kernel kernel(executor, loop);
    ASSERT_EQ(kernel.created, OP_OK) << message(executor);
    kernel.dat(0, dx);
    struct Where {
      double x;
      int n;
    };
    const auto start = [&](auto *least, auto *place, float *most) {
      least[0] = 99, least[1] = 0, least[2] = 1.5f; // nothing is less than 0
      for (int c = 0; c < 3; ++c) place[c] = {-1, -c};
      *most = 3;
    };
    std::vector<float> least(3);
    std::vector<Where> place(3);
    float most = 0;
    start(least.data(), place.data(), &most);
    start(kernel.place<float>(kernel.start, 1), kernel.place<Where>(kernel.start, 2),
          kernel.place<float>(kernel.start, 5));
    const int begin = 77;
    int at = 0;
    for (int n = begin; n < size; ++n) {
      for (int c = 0; c < 3; ++c)
        if (static_cast<float>(of(x, 3 * n + c)) < of(least, c))
          of(least, c) = static_cast<float>(of(x, 3 * n + c)), of(place, c) = {n * 0.5, n};
      if (most < static_cast<float>(of(x, 3 * n + 1))) most = static_cast<float>(of(x, 3 * n + 1)), at = n % 1000;
    }
    const Plan plain(begin, size), blocks(OP_PLAN_BLOCKS, begin, size, 256, [](int) { return std::vector<int>(); });
    EXPECT_EQ(kernel.plan_request().plan, sums == "fast" ? OP_PLAN_NONE : OP_PLAN_BLOCKS);
    for (int turn = 0; turn < 2; ++turn) {
      ASSERT_EQ(kernel.run(sums == "fast" ? plain : blocks), OP_OK) << message(executor);
      for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(kernel.place<float>(kernel.result, 1)[c], of(least, c)) << sums << c;
        EXPECT_EQ(kernel.place<Where>(kernel.result, 2)[c].n, of(place, c).n) << sums << c;
        EXPECT_EQ(kernel.place<Where>(kernel.result, 2)[c].x, of(place, c).x) << sums << c;
      }
      EXPECT_EQ(*kernel.place<float>(kernel.result, 5), most);
      EXPECT_EQ(kernel.place<short>(kernel.result, 6)[0], at);
      EXPECT_EQ(kernel.place<short>(kernel.result, 6)[1], 7);
    }
  }
}

TEST(CudaLoop, SumsAndIncrementsTogether) {
  for (const std::string race : {"auto", "reproducible", "colour"}) {
    AddAndSum both(race, 2500, 400);
    ASSERT_EQ(both.kernel->created, OP_OK) << message(both.executor);
    const op_exec_plan_request request = both.kernel->plan_request();
    const Plan plain(0, 2500), coloured = both.mesh.colours(0, 2500, request.plan, std::max(request.block_size, 1));
    ASSERT_EQ(both.kernel->run(race == "auto" ? plain : coloured), OP_OK) << message(both.executor);
    EXPECT_EQ(both.dr.get(), both.r) << race;
    EXPECT_EQ(*both.kernel->place<double>(both.kernel->result, 3), both.sum) << race;
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

// SPDX-License-Identifier: MIT
