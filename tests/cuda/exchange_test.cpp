// exchange_test.cpp: exchanges that kernels start (OP2_GPU_DIRECT=kernel), in one launch with the elements of a loop, by
// a process that is its own neighbour. Blocks and threads run in an order that the seed shuffles, and stores for other
// devices arrive late (tests/cuda/fake/grid.cpp). A mistake that is planted in the device code must be seen with every
// seed.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <numeric>

#include "runtime_host.hpp"
#include "samples.hpp"

using namespace cuda_test;

namespace {

constexpr int owned = 3000, rows = 2 * owned; // copies of all own rows lie behind them
constexpr int seeds = 20, rounds = 6;

enum Verdict { right, wrong, failed };

class KernelExchange : public Device {
 protected:
  // Runs all rounds in a process of its own.
  Verdict verdict(int seed, const std::string &plant) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      environment("FAKE_CUDA_SEED", std::to_string(seed));
      environment("FAKE_CUDA_PATIENCE", "0.01");
      if (!plant.empty()) environment("FAKE_NVRTC_PLANT", plant);
      environment("FAKE_NVRTC_REAL", ""); // the text is that of the other tests
      if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout)) _exit(failed);
      _exit(run());
    }
    int status = 0;
    EXPECT_EQ(child, waitpid(child, &status, 0));
    return WIFEXITED(status) ? static_cast<Verdict>(WEXITSTATUS(status)) : failed;
  }
  int times_caught(const std::string &plant) {
    int caught = 0;
    for (int seed = 1; seed <= seeds; ++seed) caught += verdict(seed, plant) != right;
    return caught;
  }

  op_status open_channel() {
    op_exec_channel_params params{};
    params.size = sizeof params;
    params.kind = kind;
    params.size_of = 1;
    params.allgather = [](void *, const void *send, size_t bytes, void *recv) {
      std::memcpy(recv, send, bytes);
      return OP_OK;
    };
    params.barrier = [](void *) { return OP_OK; };
    if (const op_status status = ops().channel_open(exec, &params, &channel)) return status;
    const int32_t self = 0;
    const size_t offset[] = {0, owned * sizeof(double)};
    const op_exec_channel_halo_params halo_params{sizeof halo_params, 1, 1, &self, &self, offset, offset};
    return ops().channel_halo_create(exec, channel, &halo_params, &halo, &send);
  }
  op_exec_halo *upload(int first) {
    std::vector<int32_t> list(owned);
    std::iota(list.begin(), list.end(), first);
    const int32_t offset[] = {0, owned};
    const op_exec_halo_lists lists{sizeof lists, 1, 0, offset, list.data()};
    op_exec_halo *out = nullptr;
    return ops().halo_upload(exec, &lists, 1, &out) == OP_OK ? out : nullptr;
  }
  op_status run_part(int begin, int end) {
    op_exec_plan plan{};
    plan.size = sizeof plan;
    plan.kind = OP_PLAN_NONE;
    plan.begin = begin;
    plan.end = end;
    plan.ncolours = 1;
    op_exec_call call{};
    call.size = sizeof call;
    call.args = args.data();
    call.plan = &plan;
    call.begin = begin;
    call.end = end;
    call.loop_end = rows;
    return ops().loop_run(exec, kernel, &call);
  }
  // Element n doubles row n: the first half own rows, the others copies, which are rows of this round.
  bool make_loop() {
    op_exec_source source{};
    source.size = sizeof source;
    source.form = "element";
    source.device = &loop.text;
    if (ops().kernel_create(exec, &source, &loop.signature, &kernel) != OP_OK) return false;
    a = alloc<double>(rows);
    b = alloc<double>(rows);
    std::vector<int> numbers(rows);
    std::iota(numbers.begin(), numbers.end(), 0);
    map = alloc<int>(rows);
    put(map, numbers);
    for (const op_exec_arg &arg : loop.args) {
      op_range_arg range{};
      range.kind = arg.kind;
      range.access = arg.access;
      range.dim = 1;
      range.stride = sizeof(double);
      args.push_back(range);
    }
    args[0].base = reinterpret_cast<char *>(a);
    args[0].map = map;
    args[0].map_stride = 1;
    args[1].base = reinterpret_cast<char *>(b);
    return true;
  }
  bool run_loop() {
    const op_exec_halo_item item{reinterpret_cast<char *>(a), sizeof(double), 0, 0, 0, 0};
    op_event done = nullptr;
    const void *recv = nullptr;
    const bool ran = ops().halo_pack(exec, pack, &item, 1, send, OP_SPACE_CUDA, &done) == OP_OK &&
                     ops().channel_send(exec, halo, &recv) == OP_OK && run_part(0, owned) == OP_OK &&
                     ops().halo_unpack(exec, unpack, &item, 1, recv, OP_SPACE_CUDA, &done) == OP_OK &&
                     ops().channel_taken(exec, halo) == OP_OK && run_part(owned, rows) == OP_OK;
    ops().event_free(exec, done);
    return ran;
  }
  bool round_is_right(int round) {
    std::vector<double> values(owned), twice(rows);
    for (int i = 0; i < owned; ++i) values[static_cast<size_t>(i)] = 1000 * round + i;
    for (size_t i = 0; i < rows; ++i) twice[i] = 2 * values[i % owned];
    put(a, values);
    return run_loop() && get(b, rows) == twice;
  }
  Verdict run() {
    if (try_open() != OP_OK || open_channel() != OP_OK || !make_loop()) return failed;
    pack = upload(0);
    unpack = upload(owned);
    for (int round = 1; round <= rounds; ++round)
      if (!round_is_right(round)) return wrong;
    return right;
  }

  samples::Loop loop{"twice", samples::program("(const double *a, double *b) { *b = 2 * *a; }"), rows};
  const char *kind = "kernel";
  op_exec_channel *channel = nullptr;
  op_exec_channel_halo *halo = nullptr;
  op_exec_halo *pack = nullptr, *unpack = nullptr;
  op_exec_kernel *kernel = nullptr;
  void *send = nullptr;
  double *a = nullptr, *b = nullptr;
  int *map = nullptr;
  std::vector<op_range_arg> args;

  KernelExchange() {
    loop.through(0, 0, 0, OP_READ, OP_TYPE_DOUBLE, 1).direct(1, OP_WRITE, OP_TYPE_DOUBLE, 1).done();
  }
};

TEST_F(KernelExchange, IsRightInEveryOrderOfBlocks) { EXPECT_EQ(0, times_caught("")); }

TEST_F(KernelExchange, IsRightWithTheFewestBlocks) {
  environment("FAKE_CUDA_RESIDENT", "1"); // four at a time; three are needed
  EXPECT_EQ(0, times_caught(""));
}

TEST_F(KernelExchange, IsOneLaunchWithAllElements) {
  ASSERT_EQ(right, run()) << host.failure;
  ops().kernel_free(exec, kernel);
  ops().channel_halo_free(exec, halo);
  ops().halo_free(exec, pack);
  ops().halo_free(exec, unpack);
  ops().channel_close(exec, channel);
  EXPECT_TRUE(contains(host.log, "link kernel: 6 exchanges in one launch with the elements of a loop, 0 launches of"));
}

// How often the host waits for the device in ten loops with an exchange each, which do not reduce.
TEST_F(KernelExchange, NoCallSynchronisesBetweenLoops) {
  const Copy trace("/dev/null", "trace");
  environment("FAKE_CUDA_TRACE", trace.path());
  const auto calls = [&] {
    std::ifstream file(trace.path());
    return std::vector<std::string>(std::istream_iterator<std::string>(file), {});
  };
  for (const char *const way : {"kernel", "ipc"}) {
    const pid_t child = fork();
    if (child == 0) {
      kind = way;
      if (run() != right) _exit(100);
      const size_t before = calls().size();
      for (int loops = 0; loops < 10; ++loops)
        if (!run_loop()) _exit(101);
      const std::vector<std::string> all = calls();
      _exit(static_cast<int>(std::count_if(all.begin() + static_cast<ptrdiff_t>(before), all.end(), [](const auto &word) {
        return contains(word, "Synchronize") || contains(word, "cuMemcpyDtoH") || word == "cuMemcpyHtoD";
      })));
    }
    int status = 0;
    ASSERT_EQ(child, waitpid(child, &status, 0));
    EXPECT_EQ(0, status) << way << ": " << WEXITSTATUS(status) << " calls";
  }
}

TEST_F(KernelExchange, MissingFenceIsSeen) {
  EXPECT_EQ(seeds, times_caught("op2_fence_system(); // the rows before the flag=>"));
}

TEST_F(KernelExchange, FlagOfTheLastRoundIsSeen) {
  EXPECT_EQ(seeds, times_caught("await(op2_at(from.arrived), p.round, lost)=>await(op2_at(from.arrived), p.round - 1, lost)"));
}

TEST_F(KernelExchange, InteriorBlockThatWaitsIsSeen) {
  environment("FAKE_CUDA_RESIDENT", "1");
  EXPECT_EQ(seeds, times_caught("        chunk = at;\n        return true;=>"
                                "        await(unpacked, p.unpack_blocks, lost);\n        chunk = at;\n        return true;"));
}

TEST_F(KernelExchange, SendBehindAReceiveIsSeen) {
  EXPECT_EQ(seeds, times_caught("await(op2_at(to.left), p.round - 2, lost)=>await(&ready[0], 1, lost)"));
}

} // namespace

// SPDX-License-Identifier: MIT
