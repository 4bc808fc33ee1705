// kernels_test.cpp: emulated device code computes what a device would, and its mistakes are found.
#include <algorithm>

#include "driver.hpp"

namespace {

using cuda::call;
using cuda::DevicePointer;

constexpr int launch_failed = 719;

class Kernels : public cuda::Driver {
 protected:
  int synchronize() { return call("cuStreamSynchronize", stream_); }

  // Runs a kernel that does something wrong; what it says about it.
  template <class Parameters>
  std::string complaint(const std::string &source, const char *name, unsigned blocks, unsigned threads, Parameters p) {
    void *const kernel = function(source, name);
    EXPECT_EQ(launch(kernel, blocks, threads, 1024, stream_, p), 0);
    testing::internal::CaptureStderr();
    EXPECT_EQ(synchronize(), launch_failed);
    return testing::internal::GetCapturedStderr();
  }
};

#define EXPECT_SAYS(text, words) EXPECT_NE((text).find(words), std::string::npos) << (text)

struct Vectors {
  DevicePointer x, y;
  double a;
  int n;
};

const char *const saxpy = R"(
struct vectors { const double *x; double *y; double a; int n; };
OP2_KERNEL_INDEPENDENT(saxpy, vectors) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < p.n) op2_at(p.y)[i] += p.a * op2_at(p.x)[i];
}
)";

TEST_F(Kernels, RunOverTheWholeGrid) {
  std::vector<double> x(1000), y(1000, 1.0);
  for (std::size_t i = 0; i < x.size(); i++) x[i] = static_cast<double>(i);
  const Vectors p{upload(x), upload(y), 2.0, 1000};
  EXPECT_EQ(launch(function(saxpy, "saxpy"), 8, 128, 0, stream_, p), 0);
  EXPECT_EQ(synchronize(), 0);
  y = download<double>(p.y, 1000);
  for (std::size_t i = 0; i < y.size(); i++) EXPECT_EQ(y[i], 1.0 + 2.0 * static_cast<double>(i));
}

struct Pointers {
  DevicePointer x, out;
};

const char *const block_sum = R"(
struct sums { const double *x; double *out; };
OP2_KERNEL(block_sum, sums) {
  double *shared = (double *)op2_shared();
  const int t = threadIdx.x;
  double v = op2_at(p.x)[blockIdx.x * blockDim.x + t];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (t % 32 == 0) shared[t / 32] = v;
  __syncthreads();
  if (t == 0) {
    double sum = 0;
    for (int w = 0; w < (int)blockDim.x / 32; w++) sum += shared[w];
    op2_at(p.out)[blockIdx.x] = sum;
  }
}
)";

TEST_F(Kernels, ShuffleAndWaitAtBarriers) {
  std::vector<double> x(4 * 256);
  for (std::size_t i = 0; i < x.size(); i++) x[i] = static_cast<double>(i % 7);
  const Pointers p{upload(x), allocate(4 * sizeof(double))};
  EXPECT_EQ(launch(function(block_sum, "block_sum"), 4, 256, 64, stream_, p), 0);
  EXPECT_EQ(synchronize(), 0);
  const auto sums = download<double>(p.out, 4);
  for (std::size_t b = 0; b < 4; b++) {
    double expected = 0;
    for (std::size_t i = 0; i < 256; i++) expected += x[256 * b + i];
    EXPECT_EQ(sums[b], expected);
  }
}

// Every shuffle and vote against what the lanes were told, in a block whose second warp is not full.
TEST_F(Kernels, LanesOfAWarp) {
  const Pointers p{0, allocate(5 * 40 * sizeof(int))};
  const char *const source = R"(
struct one { int *x, *out; };
OP2_KERNEL(lanes, one) {
  int *out = op2_at(p.out);
  const int t = threadIdx.x;
  const unsigned all = t < 32 ? 0xffffffffu : 0xffu;
  out[t] = __shfl_sync(all, t, 3);
  out[40 + t] = __shfl_up_sync(all, t, 1u, 8);
  out[80 + t] = __shfl_xor_sync(all, t, 1);
  out[120 + t] = (int)__ballot_sync(all, t % 2);
  out[160 + t] = __shfl_down_sync(all, t, 4u, 8);
}
)";
  EXPECT_EQ(launch(function(source, "lanes"), 1, 40, 0, stream_, p), 0);
  EXPECT_EQ(synchronize(), 0);
  const auto out = download<int>(p.out, 200);
  for (int t = 0; t < 40; t++) {
    const auto at = [&](int row) { return out[static_cast<std::size_t>(40 * row + t)]; };
    EXPECT_EQ(at(0), t / 32 * 32 + 3);
    EXPECT_EQ(at(1), t % 8 ? t - 1 : t);
    EXPECT_EQ(at(2), t ^ 1);
    EXPECT_EQ(at(3), t < 32 ? static_cast<int>(0xaaaaaaaau) : 0xaa);
    EXPECT_EQ(at(4), t % 8 < 4 ? t + 4 : t);
  }
}

TEST_F(Kernels, ConstantsComeThroughTheModule) {
  const char *const source = R"(
extern "C" __constant__ double op2_values[2];
struct one { double *x, *out; };
OP2_KERNEL_INDEPENDENT(constants, one) { op2_at(p.out)[threadIdx.x] = op2_values[threadIdx.x]; }
)";
  void *const kernel = function(source, "constants");
  DevicePointer values = 0;
  std::size_t bytes = 0;
  ASSERT_EQ(call("cuModuleGetGlobal", &values, &bytes, last_module(), "op2_values"), 0);
  EXPECT_EQ(bytes, 16u);
  const double given[2] = {3.5, -1};
  EXPECT_EQ(call("cuMemcpyHtoDAsync", values, static_cast<const void *>(given), bytes, stream_), 0);
  const Pointers p{0, allocate(16)};
  EXPECT_EQ(launch(kernel, 1, 2, 0, stream_, p), 0);
  EXPECT_EQ(synchronize(), 0);
  EXPECT_EQ(download<double>(p.out, 2), (std::vector<double>{3.5, -1}));
  EXPECT_EQ(call("cuModuleGetGlobal", &values, &bytes, last_module(), "no_such_name"), 500);
}

TEST_F(Kernels, SharedMemoryIsPoisonedForEveryBlock) {
  const char *const source = R"(
struct one { double *x, *out; };
OP2_KERNEL(leave, one) {
  double *shared = (double *)op2_shared();
  op2_at(p.out)[blockIdx.x] = shared[0];
  shared[0] = 1;
}
)";
  const Pointers p{0, allocate(4 * sizeof(double))};
  EXPECT_EQ(launch(function(source, "leave"), 4, 1, 8, stream_, p), 0);
  EXPECT_EQ(synchronize(), 0);
  for (const double x : download<double>(p.out, 4)) EXPECT_NE(x, x);
}

// Who relies on an order of blocks or threads shall not get it.
TEST_F(Kernels, OrderIsShuffled) {
  const char *const source = R"(
struct one { int *turn, *out; };
OP2_KERNEL(fibers, one) { op2_at(p.out)[atomicAdd(op2_at(p.turn), 1)] = blockIdx.x * blockDim.x + threadIdx.x; }
OP2_KERNEL_INDEPENDENT(loop, one) { op2_at(p.out)[atomicAdd(op2_at(p.turn), 1)] = blockIdx.x * blockDim.x + threadIdx.x; }
)";
  function(source, "fibers");
  for (const char *name : {"fibers", "loop"}) {
    void *kernel = nullptr;
    ASSERT_EQ(call("cuModuleGetFunction", &kernel, last_module(), name), 0);
    const Pointers p{upload(std::vector<int>{0}), allocate(64 * sizeof(int))};
    EXPECT_EQ(launch(kernel, 8, 8, 0, stream_, p), 0);
    EXPECT_EQ(synchronize(), 0);
    std::vector<int> order = download<int>(p.out, 64);
    EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
    EXPECT_NE(order[0] / 8, 0) << "the first block comes first";
    std::sort(order.begin(), order.end());
    for (int i = 0; i < 64; i++) EXPECT_EQ(order[static_cast<std::size_t>(i)], i);
  }
}

const char *const increments = R"(
struct edges { const int *cell; double *sum; };
OP2_KERNEL_INDEPENDENT(increments, edges) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  op2_add(&op2_at(p.sum)[op2_at(p.cell)[i]], 1.0);
}
OP2_KERNEL_INDEPENDENT(atomics, edges) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  op2_atomic_add(&op2_at(p.sum)[op2_at(p.cell)[i]], 1.0);
}
)";

TEST_F(Kernels, WrongColourIsFound) {
  const Pointers p{upload(std::vector<int>{0, 1, 2, 1}), upload(std::vector<double>(3))};
  const std::string text = complaint(increments, "increments", 2, 2, p);
  EXPECT_SAYS(text, "kernel increments");
  EXPECT_SAYS(text, "race");
  EXPECT_SAYS(text, "8 bytes after the start of an allocation of 24 bytes");
}

TEST_F(Kernels, RightColoursAndAtomicsAreQuiet) {
  const Pointers p{upload(std::vector<int>{0, 1, 2, 3}), upload(std::vector<double>(4))};
  const Pointers same{upload(std::vector<int>{0, 0, 0, 0}), upload(std::vector<double>(1))};
  void *const kernel = function(increments, "increments");
  void *atomics = nullptr;
  ASSERT_EQ(call("cuModuleGetFunction", &atomics, last_module(), "atomics"), 0);
  for (int colour = 0; colour < 2; colour++) EXPECT_EQ(launch(kernel, 2, 2, 0, stream_, p), 0);
  EXPECT_EQ(launch(atomics, 2, 2, 0, stream_, same), 0);
  EXPECT_EQ(synchronize(), 0);
  EXPECT_EQ(download<double>(p.out, 4), std::vector<double>(4, 2.0));
  EXPECT_EQ(download<double>(same.out, 1), std::vector<double>(1, 4.0));
}

// The emulation runs threads one after the other, so the sums of a race come out right: only the log can find it.
TEST_F(Kernels, SumsOfARaceAreRight) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto run = [&] {
    const Pointers p{upload(std::vector<int>{0, 1, 2, 1}), upload(std::vector<double>(3))};
    launch(function(increments, "increments"), 2, 2, 0, stream_, p);
    synchronize();
    std::exit(download<double>(p.out, 3) == std::vector<double>{1, 2, 1} ? 0 : 1);
  };
  setenv("FAKE_CUDA_KEEP_GOING", "1", 1);
  EXPECT_EXIT(run(), testing::ExitedWithCode(0), "race");
  unsetenv("FAKE_CUDA_KEEP_GOING");
}

TEST_F(Kernels, BarriersOrderAdditionsOfABlock) {
  const char *const source = R"(
struct one { double *x, *out; };
OP2_KERNEL(ordered, one) {
  double *shared = (double *)op2_shared();
  if (threadIdx.x == 0) shared[0] = 0;
  for (int t = 0; t < (int)blockDim.x; t++) {
    __syncthreads();
    if ((int)threadIdx.x == t) op2_add(&shared[0], 1.0);
  }
  __syncthreads();
  if (threadIdx.x == 0) op2_at(p.out)[blockIdx.x] = shared[0];
}
)";
  const Pointers p{0, allocate(24)};
  EXPECT_EQ(launch(function(source, "ordered"), 3, 8, 8, stream_, p), 0);
  EXPECT_EQ(synchronize(), 0);
  EXPECT_EQ(download<double>(p.out, 3), std::vector<double>(3, 8.0));
}

TEST_F(Kernels, MissingBarrierInSharedMemoryIsFound) {
  const char *const source = R"(
struct one { double *x, *out; };
OP2_KERNEL(hasty, one) {
  double *shared = (double *)op2_shared();
  op2_add(&shared[threadIdx.x / 2], 1.0);
}
)";
  EXPECT_SAYS(complaint(source, "hasty", 1, 4, Pointers{}), "race");
}

TEST_F(Kernels, DivergentBarriersAreFound) {
  const char *const source = R"(
struct one { double *x, *out; };
OP2_KERNEL(leaves, one) {
  if (threadIdx.x == 5) return;
  __syncthreads();
}
OP2_KERNEL(elsewhere, one) {
  if (threadIdx.x < 3)
    __syncthreads();
  else
    __syncthreads();
}
OP2_KERNEL(half_a_warp, one) {
  if (threadIdx.x < 16) __shfl_down_sync(0xffffffffu, 1, 1u);
  else __syncthreads();
}
)";
  EXPECT_SAYS(complaint(source, "leaves", 1, 8, Pointers{}), "thread 5 has left the kernel");
  TearDown(), SetUp();
  EXPECT_SAYS(complaint(source, "elsewhere", 1, 8, Pointers{}), "divergent barrier");
  TearDown(), SetUp();
  EXPECT_SAYS(complaint(source, "half_a_warp", 1, 32, Pointers{}), "divergent warp");
}

TEST_F(Kernels, BarrierOfIndependentThreadsIsFound) {
  const char *const source = R"(
struct one { double *x, *out; };
OP2_KERNEL_INDEPENDENT(together, one) { __syncthreads(); }
)";
  EXPECT_SAYS(complaint(source, "together", 1, 8, Pointers{}), "independent");
}

const char *const pokes = R"(
struct one { double *x, *out; };
OP2_KERNEL(poke, one) { op2_at(p.out)[threadIdx.x] = 1; }
OP2_KERNEL_INDEPENDENT(raw, one) { p.out[threadIdx.x] = 1; }
OP2_KERNEL(deep, one) {
  volatile double big[100000];
  for (int i = 99999; i >= 0; i--) big[i] = i;
}
)";

TEST_F(Kernels, FaultsNameTheKernel) {
  std::vector<double> host(8);
  const auto address = reinterpret_cast<DevicePointer>(host.data());
  EXPECT_SAYS(complaint(pokes, "poke", 1, 1, Pointers{0, 0}), "kernel poke, block 0, thread 0");
  TearDown(), SetUp();
  EXPECT_SAYS(complaint(pokes, "raw", 1, 1, Pointers{0, allocate(8)}), "without op2_at");
  TearDown(), SetUp();
  EXPECT_SAYS(complaint(pokes, "poke", 1, 1, Pointers{0, address}), "memory of the host that is not pinned");
  TearDown(), SetUp();
  EXPECT_SAYS(complaint(pokes, "deep", 1, 1, Pointers{}), "is not there");
  TearDown(), SetUp();
  EXPECT_SAYS(complaint(pokes, "poke", 1, 1000, Pointers{0, allocate(4096)}), "is not there");
  TearDown(), SetUp();
  const DevicePointer freed = allocate(64);
  EXPECT_EQ(call("cuMemFree", freed), 0);
  EXPECT_SAYS(complaint(pokes, "poke", 1, 1, Pointers{0, freed}), "leads to no device memory");
}

TEST_F(Kernels, PinnedMemoryIsForTheDeviceToo) {
  auto *host = static_cast<double *>(pinned(8 * sizeof(double)));
  DevicePointer mapped = 0;
  ASSERT_EQ(call("cuMemHostGetDevicePointer", &mapped, static_cast<void *>(host), 0u), 0);
  EXPECT_EQ(launch(function(pokes, "poke"), 1, 8, 0, stream_, Pointers{0, mapped}), 0);
  EXPECT_EQ(synchronize(), 0);
  for (int i = 0; i < 8; i++) EXPECT_EQ(host[i], 1);
}

TEST_F(Kernels, FailureSticks) {
  complaint(pokes, "poke", 1, 1, Pointers{});
  DevicePointer pointer = 0;
  EXPECT_EQ(call("cuMemAlloc", &pointer, std::size_t{8}), launch_failed);
  EXPECT_EQ(call("cuCtxSynchronize"), launch_failed);
}

TEST_F(Kernels, LaunchesOutOfRangeAreRefused) {
  void *const kernel = function(pokes, "poke");
  testing::internal::CaptureStderr();
  EXPECT_EQ(launch(kernel, 0, 1, 0, stream_, Pointers{}), 1);
  EXPECT_EQ(launch(kernel, 1, 1025, 0, stream_, Pointers{}), 1);
  EXPECT_EQ(launch(kernel, 1, 1, 60000, stream_, Pointers{}), 1); // more than 48 KB must be asked for
  EXPECT_EQ(call("cuFuncSetAttribute", kernel, 8, 60000), 0);
  EXPECT_EQ(call("cuFuncSetAttribute", kernel, 8, 300000), 1);
  testing::internal::GetCapturedStderr();
  EXPECT_EQ(launch(kernel, 1, 1, 60000, stream_, Pointers{0, allocate(8)}), 0);
  EXPECT_EQ(synchronize(), 0);
  void *missing = nullptr;
  EXPECT_EQ(call("cuModuleGetFunction", &missing, last_module(), "no_such_name"), 500);
}

// Of two stores for another device the second may be seen first, unless a fence lies between: a litmus test.
std::string messages(const std::string &fence) {
  return R"(
struct litmus { unsigned *data, *flag, *seen; };
OP2_KERNEL_RESIDENT(litmus_messages, litmus) {
  unsigned *const data = op2_at(p.data) + threadIdx.x, *const flag = op2_at(p.flag) + threadIdx.x;
  if (blockIdx.x == 0) {
    op2_signal(data, 1);
    )" + fence + R"(
    op2_signal(flag, 1);
    return;
  }
  while (op2_look(flag) == 0) op2_pause();
  op2_fence_system();
  op2_at(p.seen)[threadIdx.x] = op2_look(data);
}
)";
}

class Litmus : public Kernels {
 protected:
  // How many of 64 threads see the flag of another block and not what lies before it.
  int passed_by(const std::string &fence) {
    struct {
      DevicePointer data, flag, seen;
    } const p{upload(std::vector<unsigned>(64)), upload(std::vector<unsigned>(64)), upload(std::vector<unsigned>(64))};
    EXPECT_EQ(launch(function(messages(fence), "litmus_messages"), 2, 64, 0, stream_, p), 0);
    EXPECT_EQ(synchronize(), 0);
    const std::vector<unsigned> seen = download<unsigned>(p.seen, 64);
    return static_cast<int>(std::count(seen.begin(), seen.end(), 0u));
  }
};

TEST_F(Litmus, AFenceKeepsTheOrderOfStores) {
  for (int run = 0; run < 20; ++run) EXPECT_EQ(0, passed_by("op2_fence_system();"));
}

TEST_F(Litmus, WithoutAFenceStoresPassEachOther) {
  for (int run = 0; run < 20; ++run) EXPECT_GT(passed_by(""), 0);
}

} // namespace

// SPDX-License-Identifier: MIT
