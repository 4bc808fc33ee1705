// count_test.cpp: counts of emulated kernels equal what can be said of them in closed form.
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "driver.hpp"

namespace {

using cuda::call;
using cuda::DevicePointer;

const std::string file = testing::TempDir() + "op2_counts_" + std::to_string(getpid()) + ".txt";
// Before anybody uses the driver. What a GPU's compiler makes of these kernels does not matter.
const int asked = setenv("OP2_CUDA_COUNT", file.c_str(), 1) + setenv("FAKE_NVRTC_REAL", "", 1);

struct Two {
  DevicePointer x, y;
};
struct Mapped {
  DevicePointer x, y, map;
};

class Count : public cuda::Driver {
 protected:
  static void SetUpTestSuite() { compiler_ = std::system("g++ --version > /dev/null 2>&1") == 0; }
  static void TearDownTestSuite() {
    std::remove(file.c_str());
    std::remove((file + ".json").c_str());
  }
  void SetUp() override {
    if (!compiler_) GTEST_SKIP() << "counts need g++";
    cuda::Driver::SetUp();
  }
  void TearDown() override {
    if (compiler_) cuda::Driver::TearDown();
  }

  // Runs a kernel with the body over `blocks` times `threads`.
  template <class Parameters>
  void run(const std::string &name, const std::string &body, unsigned blocks, unsigned threads, Parameters p,
           unsigned shared = 0) {
    kernel_ = name;
    const std::string text = "struct params { double *x, *y; " +
                             std::string(sizeof p > sizeof(Two) ? "const int *map; " : "") + "};\nOP2_KERNEL(" + name +
                             ", params) {\n  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
                             "  double *x = op2_at(p.x), *y = op2_at(p.y);\n" +
                             body + "\n}\n";
    EXPECT_EQ(launch(function(text, name.c_str()), blocks, threads, shared, stream_, p), 0);
    EXPECT_EQ(call("cuStreamSynchronize", stream_), 0);
    EXPECT_EQ(call("fakeWriteCounts"), 0);
    std::ifstream in(file + ".json");
    json_.assign(std::istreambuf_iterator<char>(in), {});
  }
  // A number of the last kernel, or of its accesses to a region.
  double count(const std::string &what, const std::string &region = "", const std::string &use = "") const {
    std::size_t at = json_.rfind("\"kernel\": \"" + kernel_ + "\"");
    if (at != std::string::npos && !region.empty())
      at = json_.find("{\"name\": \"" + region + "\", \"use\": \"" + use + "\"", at);
    if (at != std::string::npos) at = json_.find("\"" + what + "\": ", at);
    if (at == std::string::npos) {
      ADD_FAILURE() << "no " << what << " of " << kernel_ << " " << region << " " << use << " in\n" << json_;
      return -1;
    }
    return std::strtod(json_.c_str() + at + what.size() + 4, nullptr);
  }
  DevicePointer doubles(std::size_t n) { return upload(std::vector<double>(n, 1.0)); }

  static inline bool compiler_ = false;
  std::string kernel_, json_;
};

TEST_F(Count, StrideOne) {
  run("stride_one", "y[i] = x[i];", 8, 128, Two{doubles(1024), doubles(1024)});
  EXPECT_EQ(count("threads"), 128);
  EXPECT_EQ(count("blocks"), 8);
  EXPECT_EQ(count("elements"), 1024);
  EXPECT_EQ(count("requests"), 64); // 32 warps, a load and a store
  EXPECT_EQ(count("sectors"), 64 * 8);
  EXPECT_EQ(count("l2_sectors"), 64 * 8);
  EXPECT_EQ(count("memory_sectors"), 64 * 8);
  EXPECT_EQ(count("compulsory_bytes"), 16 * 1024);
  EXPECT_EQ(count("requests", "x", "read"), 32);
  EXPECT_EQ(count("lanes", "y", "written"), 1024);
  EXPECT_EQ(count("split_steps"), 0);
}

TEST_F(Count, StrideTwoFetchesTwiceAsMuch) {
  run("stride_two", "y[i] = x[2 * i];", 4, 256, Two{doubles(2048), doubles(1024)});
  EXPECT_EQ(count("sectors", "x", "read"), 32 * 16);
  EXPECT_EQ(count("memory_sectors", "x", "read"), 32 * 16);
  EXPECT_EQ(count("compulsory_bytes", "x", "read"), 8 * 1024);
  EXPECT_EQ(count("sectors", "y", "written"), 32 * 8);
}

TEST_F(Count, GathersOfKnownMaps) {
  std::vector<int> map(1024);
  const DevicePointer x = doubles(4096), y = doubles(1024);
  const auto sectors = [&](const char *name, auto &&target) {
    for (int i = 0; i < 1024; i++) map[static_cast<std::size_t>(i)] = target(i);
    run(name, "y[i] = x[op2_at(p.map)[i]];", 8, 128, Mapped{x, y, upload(map)});
    EXPECT_EQ(count("sectors", "map", "read"), 32 * 4) << name;
    double expected = 0;
    for (std::size_t warp = 0; warp < 1024; warp += 32) {
      std::set<int> distinct;
      for (std::size_t lane = 0; lane < 32; lane++) distinct.insert(map[warp + lane] / 4);
      expected += static_cast<double>(distinct.size());
    }
    EXPECT_EQ(count("sectors", "x", "read"), expected) << name;
    EXPECT_EQ(count("memory_sectors", "x", "read"), static_cast<double>([&] {
                std::set<int> distinct;
                for (const int target_row : map) distinct.insert(target_row / 4);
                return distinct.size();
              }()))
        << name;
    return expected;
  };
  EXPECT_EQ(sectors("backwards", [](int i) { return 1023 - i; }), 32 * 8);
  EXPECT_EQ(sectors("one_row", [](int) { return 7; }), 32);
  EXPECT_EQ(sectors("apart", [](int i) { return 4 * i; }), 32 * 32);
  EXPECT_EQ(sectors("in_pairs", [](int i) { return 4 * (i / 2); }), 32 * 16);
  sectors("mixed", [](int i) { return i * 2654435761u % 4096; });
}

// Threads that read rows of k doubles: what a request fetches, and what the first one leaves in L1 for the others.
TEST_F(Count, RowsOfOneToEightDoubles) {
  const std::string sum = "const int k = op2_at(p.map)[0];\ndouble s = 0;\nfor (int j = 0; j < k; j++) s += ";
  for (int k = 1; k <= 8; k++) {
    const DevicePointer x = doubles(1024 * 8), y = doubles(1024);
    const Mapped p{x, y, upload(std::vector<int>{k})};
    const double of_row = 32 * 8 * std::min(k, 4), all = 32 * 8 * k;
    run("row_after_row", sum + "x[k * i + j];\ny[i] = s;", 8, 128, p);
    EXPECT_EQ(count("requests", "x", "read"), 32 * k);
    EXPECT_EQ(count("sectors", "x", "read"), k * of_row);
    EXPECT_EQ(count("l2_sectors", "x", "read"), all);
    EXPECT_EQ(count("compulsory_bytes", "x", "read"), 1024 * 8 * k);
    run("component_after_component", sum + "x[1024 * j + i];\ny[i] = s;", 8, 128, p);
    EXPECT_EQ(count("sectors", "x", "read"), all);
    EXPECT_EQ(count("l2_sectors", "x", "read"), all);
    run("one_of_a_row", "y[i] = x[op2_at(p.map)[0] * i];", 8, 128, p); // of two: half of what comes is wasted
    EXPECT_EQ(count("memory_sectors", "x", "read"), of_row);
    EXPECT_EQ(count("compulsory_bytes", "x", "read"), 1024 * 8);
  }
}

TEST_F(Count, PairsMoveAtOnce) {
  run("pairs", "struct alignas(16) pair { double v[2]; };\n((pair *)y)[i] = ((const pair *)x)[i];", 8, 128,
      Two{doubles(2048), doubles(2048)});
  EXPECT_EQ(count("requests"), 64);
  EXPECT_EQ(count("sectors"), 64 * 16);
  EXPECT_EQ(count("lane_bytes"), 2 * 16 * 1024);
}

TEST_F(Count, AtomicsThatMeet) {
  const DevicePointer x = doubles(1024), y = doubles(1024);
  run("all_on_one", "atomicAdd(y, x[i]);", 2, 256, Two{x, y});
  EXPECT_EQ(count("atomics"), 512);
  EXPECT_EQ(count("warp_conflicts"), 16 * 31);
  EXPECT_EQ(count("block_conflicts"), 2 * 255);
  EXPECT_EQ(count("sectors", "y", "atomic"), 16);
  EXPECT_EQ(count("l2_sectors", "y", "atomic"), 16);
  EXPECT_EQ(count("memory_sectors", "y", "atomic"), 2); // there and back
  EXPECT_EQ(count("compulsory_bytes", "y", "atomic"), 16);
  run("each_on_its_own", "op2_atomic_add(&y[i], x[i]);", 2, 256, Two{x, y});
  EXPECT_EQ(count("atomics"), 512);
  EXPECT_EQ(count("warp_conflicts"), 0);
  EXPECT_EQ(count("block_conflicts"), 0);
  EXPECT_EQ(count("sectors", "y", "atomic"), 16 * 8);
  run("warps_on_the_same", "atomicAdd(&y[t % 32], x[i]);", 2, 256, Two{x, y});
  EXPECT_EQ(count("warp_conflicts"), 0);
  EXPECT_EQ(count("block_conflicts"), 2 * (256 - 32));
}

TEST_F(Count, BanksOfSharedMemory) {
  const DevicePointer x = doubles(1024), y = doubles(1024);
  const auto passes = [&](const std::string &type, int stride) {
    run("banks_of_" + type,
        type + " *s = (" + type + " *)op2_shared() + op2_at(p.map)[0] * t;\n*s = (" + type +
            ")x[i];\n__syncthreads();\ny[i] = *s;",
        3, 64, Mapped{x, y, upload(std::vector<int>{stride})}, 64 * 32 * 8);
    EXPECT_EQ(count("shared_requests"), 3 * 2 * 2);
    EXPECT_EQ(count("shared_passes") - count("shared_conflicts"), (type == "double" ? 2 : 1) * 12);
    return count("shared_passes") / 12;
  };
  EXPECT_EQ(passes("double", 1), 2); // halves of the warp take turns
  EXPECT_EQ(passes("double", 2), 4);
  EXPECT_EQ(passes("double", 32), 32);
  EXPECT_EQ(passes("double", 0), 2); // all read one word
  EXPECT_EQ(passes("float", 1), 1);
  EXPECT_EQ(passes("float", 2), 2);
  EXPECT_EQ(passes("float", 3), 1);
  EXPECT_EQ(passes("float", 32), 32);
}

TEST_F(Count, BarriersAndWaitsOfWarps) {
  run("barriers", "__syncthreads();\ny[i] = __shfl_down_sync(0xffffffffu, x[i], 1u);\n__syncthreads();", 4, 64,
      Two{doubles(256), doubles(256)});
  EXPECT_EQ(count("barriers"), 8);
  EXPECT_EQ(count("warp_waits"), 8);
}

TEST_F(Count, PartsOfWarps) {
  run("odd_ones", "if (t % 2) y[i] = x[i];", 4, 64, Two{doubles(256), doubles(256)});
  EXPECT_EQ(count("split_steps"), 8); // one piece of code in each warp
  EXPECT_EQ(count("sectors", "x", "read"), 8 * 8);
  EXPECT_EQ(count("compulsory_bytes", "x", "read"), 128 * 8);
  EXPECT_EQ(count("elements"), 128);
  run("whole_warps", "if (t / 32) y[i] = x[i];", 4, 64, Two{doubles(256), doubles(256)});
  EXPECT_EQ(count("split_steps"), 0);
}

TEST_F(Count, CachesKeepWhatFits) {
  const std::string twice = "double s = 0;\nfor (int k = 0; k < 2; k++) {\nfor (int j = 0; j < ";
  const std::string rest = "; j++) s += x[j * 1024 + t];\n__syncthreads();\n}\ny[i] = s;";
  const Two p{doubles(8192), doubles(2048)};
  run("fits", twice + "2" + rest, 2, 1024, p); // 16 KiB
  EXPECT_EQ(count("sectors", "x", "read"), 2 * 2 * 512);
  EXPECT_EQ(count("l2_sectors", "x", "read"), 2 * 512); // each block reads for itself
  EXPECT_EQ(count("memory_sectors", "x", "read"), 512);
  run("does_not_fit", twice + "8" + rest, 2, 1024, p); // 64 KiB
  EXPECT_EQ(count("l2_sectors", "x", "read"), 2 * 2 * 2048);
  EXPECT_EQ(count("memory_sectors", "x", "read"), 2048);
}

// Launches of one kernel on the same data add up, and each call moves its bytes anew.
TEST_F(Count, LaunchesAddUp) {
  const Two p{doubles(64), doubles(64)};
  run("again", "y[i] = x[i];", 1, 64, p);
  void *const module = last_module();
  void *found = nullptr;
  EXPECT_EQ(call("cuModuleGetFunction", &found, module, "again"), 0);
  EXPECT_EQ(launch(found, 1, 64, 0, stream_, p), 0);
  EXPECT_EQ(call("cuStreamSynchronize", stream_), 0);
  EXPECT_EQ(call("fakeWriteCounts"), 0);
  std::ifstream in(file + ".json");
  json_.assign(std::istreambuf_iterator<char>(in), {});
  EXPECT_EQ(count("launches"), 2);
  EXPECT_EQ(count("sectors"), 2 * 2 * 2 * 8);
  EXPECT_EQ(count("compulsory_bytes"), 2 * 1024);
}

TEST_F(Count, TheTableHasALineForEachKernel) {
  run("in_the_table", "y[i] = x[i];", 1, 32, Two{doubles(32), doubles(32)});
  std::ifstream in(file);
  const std::string table{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(
      table.find(
          "kernel/in_the_table      plain               32        1        32 |    16.0      1.00   1.00   1.00 |"),
      std::string::npos)
      << table;
  EXPECT_NE(table.find("kernel/in_the_table      plain          x read                     8.0      8.00 |         8   "
                       "      8         8         8"),
            std::string::npos)
      << table;
}

} // namespace

// SPDX-License-Identifier: MIT
