// channel_test.cpp: messages from device to device between two processes, through the plugin's C table. What must hold
// whatever the timing is shown by one process that is far ahead of the other, and by drivers that forget to wait.
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <numeric>

#include "runtime_host.hpp"

using namespace cuda_test;

namespace {

constexpr size_t row = 8; // bytes

// Where the two processes meet.
struct Room {
  pthread_barrier_t barrier;
  char table[2][1 << 16];
};

class Channels : public Device, public testing::WithParamInterface<const char *> {
 protected:
  void SetUp() override {
    void *at = mmap(nullptr, sizeof(Room), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(MAP_FAILED, at);
    room_ = static_cast<Room *>(at);
    pthread_barrierattr_t attributes;
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&room_->barrier, &attributes, 2);
    environment("FAKE_CUDA_DEVICES", "2"); // NCCL wants one for each
    environment("FAKE_CUDA_LEAKS", "1");
    environment("FAKE_CUDA_PATIENCE", "20");
    add_path(folder_of(OP2_FAKE_NCCL));
  }
  void TearDown() override {
    Device::TearDown();
    munmap(room_, sizeof(Room));
  }

  // Runs `body` in two processes of ranks 0 and 1; the first is this one. `surroundings` of the second may differ.
  template <class Body>
  void in_two(const Body &body, const std::map<int, std::pair<std::string, std::string>> &surroundings = {}) {
    const pid_t child = fork();
    rank = child == 0 ? 1 : 0;
    alarm(120);
    if (const auto own = surroundings.find(rank); own != surroundings.end())
      environment(own->second.first, own->second.second);
    ASSERT_EQ(OP_OK, try_open(rank)) << host.failure;
    environment("OP2_CUDA_PATH", host.settings["OP2_CUDA_PATH"]); // for the fake NCCL
    body();
    testing::internal::CaptureStderr();
    close();
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::string::npos, said.find("leak")) << "process " << rank << ": " << said;
    if (child == 0) _exit(HasFailure() ? 1 : 0);
    int status = 0;
    ASSERT_EQ(child, waitpid(child, &status, 0));
    EXPECT_EQ(0, status) << "the other process";
    alarm(0);
  }
  void meet() { pthread_barrier_wait(&room_->barrier); }

  op_status open_channel() {
    op_exec_channel_params params{};
    params.size = sizeof params;
    params.kind = GetParam();
    params.rank = rank;
    params.size_of = 2;
    params.context = this;
    params.allgather = [](void *context, const void *send, size_t bytes, void *recv) {
      Channels &self = *static_cast<Channels *>(context);
      std::memcpy(self.room_->table[self.rank], send, bytes);
      self.meet();
      for (size_t p = 0; p < 2; ++p) std::memcpy(static_cast<char *>(recv) + p * bytes, self.room_->table[p], bytes);
      self.meet();
      return OP_OK;
    };
    params.barrier = [](void *context) {
      static_cast<Channels *>(context)->meet();
      return OP_OK;
    };
    return ops().channel_open(exec, &params, &channel);
  }
  void close_channel() { ops().channel_close(exec, channel); }

  // Rows that go to the other process and come from it.
  struct Exchange {
    size_t out = 0, in = 0; // rows
    char *dat_out = nullptr, *dat_in = nullptr;
    op_exec_halo *pack = nullptr, *unpack = nullptr;
    op_exec_channel_halo *halo = nullptr;
    void *send = nullptr;
    const void *recv = nullptr;
  };
  op_exec_halo *upload(size_t rows) {
    std::vector<int32_t> list(rows);
    std::iota(list.begin(), list.end(), 0);
    const int32_t offset[] = {0, static_cast<int32_t>(rows)};
    const op_exec_halo_lists lists{sizeof lists, 1, 0, offset, list.data()};
    op_exec_halo *halo = nullptr;
    EXPECT_EQ(OP_OK, ops().halo_upload(exec, &lists, 1, &halo)) << host.failure;
    return halo;
  }
  op_status create(Exchange &e) {
    const int32_t other = 1 - rank;
    const size_t send_offset[] = {0, e.out * row}, recv_offset[] = {0, e.in * row};
    op_exec_channel_halo_params params{sizeof params, e.out > 0, e.in > 0, &other, &other, send_offset, recv_offset};
    return ops().channel_halo_create(exec, channel, &params, &e.halo, &e.send);
  }
  Exchange make(size_t out, size_t in) {
    Exchange e{out, in};
    EXPECT_EQ(OP_OK, create(e)) << host.failure;
    e.dat_out = alloc(out * row);
    e.dat_in = alloc(in * row);
    e.pack = upload(out);
    e.unpack = upload(in);
    return e;
  }
  void free_all(Exchange &e) {
    ops().channel_halo_free(exec, e.halo);
    ops().halo_free(exec, e.pack);
    ops().halo_free(exec, e.unpack);
    free(e.dat_out);
    free(e.dat_in);
  }
  static std::vector<char> values(int from, int round, size_t rows) {
    return pattern(rows * row, static_cast<unsigned>(100 * from + round));
  }
  void pack(Exchange &e, int round) {
    put(e.dat_out, values(rank, round, e.out));
    const op_exec_halo_item item{e.dat_out, row, 0, 0, 0, 0};
    op_event done = nullptr;
    EXPECT_EQ(OP_OK, ops().halo_pack(exec, e.pack, &item, 1, e.send, OP_SPACE_CUDA, &done)) << host.failure;
    ops().event_free(exec, done);
  }
  void send(Exchange &e, int round) {
    if (e.out > 0) pack(e, round);
    EXPECT_EQ(OP_OK, ops().channel_send(exec, e.halo, &e.recv)) << host.failure;
  }
  op_event take(Exchange &e) {
    const op_exec_halo_item item{e.dat_in, row, 0, 0, 0, 0};
    op_event done = nullptr;
    EXPECT_EQ(OP_OK, ops().halo_unpack(exec, e.unpack, &item, 1, e.recv, OP_SPACE_CUDA, &done));
    EXPECT_EQ(OP_OK, ops().channel_taken(exec, e.halo)) << host.failure;
    return done;
  }
  bool came(Exchange &e, op_event taken, int round) {
    finish(taken);
    return get(e.dat_in, e.in * row) == values(1 - rank, round, e.in);
  }
  // The device does all it can, while nobody waits for it.
  bool let_run(op_event event) {
    for (int i = 0; i < 300 && ops().event_query(exec, event) == 0; ++i) usleep(100);
    return ops().event_query(exec, event) != 0;
  }

  int rank = 0;
  op_exec_channel *channel = nullptr;

 private:
  Room *room_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(, Channels, testing::Values("ipc", "kernel", "nccl"),
                         [](const auto &info) { return info.param; });

TEST_P(Channels, EveryRoundBringsItsValues) {
  in_two([&] {
    ASSERT_EQ(OP_OK, open_channel()) << host.failure;
    for (const auto &[there, back] : {std::pair<size_t, size_t>{100, 30}, {1, 20000}, {40, 0}}) {
      Exchange e = rank == 0 ? make(there, back) : make(back, there);
      for (int round = 0; round < 7; ++round) {
        send(e, round);
        if (e.in > 0) {
          EXPECT_TRUE(came(e, take(e), round)) << "round " << round;
        } else {
          EXPECT_EQ(OP_OK, ops().channel_taken(exec, e.halo)) << host.failure;
        }
      }
      free_all(e);
    }
    close_channel();
  });
}

// Nothing says when the other process sends, so the host must be able to go on.
TEST_P(Channels, NobodyWaitsOnTheHost) {
  in_two([&] {
    ASSERT_EQ(OP_OK, open_channel()) << host.failure;
    Exchange e = rank == 0 ? make(500, 0) : make(0, 500);
    if (rank == 1) {
      send(e, 0);
      const op_event taken = take(e);
      EXPECT_FALSE(let_run(taken)) << "unpacked before anything was sent";
      meet();
      EXPECT_TRUE(came(e, taken, 0));
    } else {
      meet();
      send(e, 0);
      EXPECT_EQ(OP_OK, ops().channel_taken(exec, e.halo)) << host.failure;
    }
    meet();
    free_all(e);
    close_channel();
  });
}

class StreamChannels : public Channels {}; // it is the driver that waits
INSTANTIATE_TEST_SUITE_P(, StreamChannels, testing::Values("ipc", "nccl"), [](const auto &info) { return info.param; });

// The same with a driver that does not wait: the test above can fail.
TEST_P(StreamChannels, AForgottenWaitIsSeen) {
  in_two(
      [&] {
        ASSERT_EQ(OP_OK, open_channel()) << host.failure;
        Exchange e = rank == 0 ? make(500, 0) : make(0, 500);
        if (rank == 1) {
          send(e, 0);
          const op_event taken = take(e);
          EXPECT_TRUE(let_run(taken));
          EXPECT_FALSE(came(e, taken, 0));
          meet();
        } else {
          meet();
          send(e, 0);
        }
        meet();
        free_all(e);
        close_channel();
      },
      {{1, {"FAKE_CUDA_FAULT", "drop_value_wait"}}});
}

// A process that sends four rounds before the other has taken one must not write over what is not taken yet.
class FarAhead : public Channels {
 protected:
  bool all_come() {
    EXPECT_EQ(OP_OK, open_channel()) << host.failure;
    Exchange e = rank == 0 ? make(500, 0) : make(0, 500);
    bool right = true;
    if (rank == 0) {
      for (int round = 0; round < 4; ++round) {
        send(e, round);
        EXPECT_EQ(OP_OK, ops().channel_taken(exec, e.halo));
      }
      op_event last = nullptr;
      const op_exec_halo_item item{e.dat_out, row, 0, 0, 0, 0};
      char *const page = alloc(1, OP_SPACE_CUDA_PINNED);
      if (std::string(GetParam()) == "kernel") // on the stream of loops
        last = copy(e.dat_out, OP_SPACE_CUDA, page, OP_SPACE_CUDA_PINNED, 1);
      else
        EXPECT_EQ(OP_OK, ops().halo_pack(exec, e.pack, &item, 1, e.send, OP_SPACE_CUDA, &last));
      let_run(last);
      meet();
      finish(last);
      free(page, OP_SPACE_CUDA_PINNED);
    } else {
      meet();
      for (int round = 0; round < 4; ++round) {
        send(e, round);
        right = came(e, take(e), round) && right;
      }
    }
    meet();
    free_all(e);
    close_channel();
    return right;
  }
};
INSTANTIATE_TEST_SUITE_P(, FarAhead, testing::Values("ipc", "kernel", "nccl"),
                         [](const auto &info) { return info.param; });

TEST_P(FarAhead, WaitsUntilTheOtherHasTakenItsMessages) {
  in_two([&] { EXPECT_TRUE(all_come()); });
}

class StreamFarAhead : public FarAhead {};
INSTANTIATE_TEST_SUITE_P(, StreamFarAhead, testing::Values("ipc", "nccl"), [](const auto &info) { return info.param; });

TEST_P(StreamFarAhead, WithoutThatMessagesAreOverwritten) {
  in_two([&] { EXPECT_EQ(rank == 0, all_come()); }, {{0, {"FAKE_CUDA_FAULT", "drop_value_wait"}}});
}

class KernelFarAhead : public FarAhead {};
INSTANTIATE_TEST_SUITE_P(, KernelFarAhead, testing::Values("kernel"));

// Planted: kernels do not wait for the half of the buffer that they write to. Each time in new processes.
TEST_P(KernelFarAhead, EarlyReuseOfABufferIsSeen) {
  int caught = 0;
  for (int seed = 1; seed <= 20; ++seed) {
    const pid_t child = fork();
    if (child == 0) {
      environment("FAKE_CUDA_SEED", std::to_string(seed));
      in_two([&] { EXPECT_EQ(rank == 0, all_come()); },
             {{0, {"FAKE_NVRTC_PLANT", "await(op2_at(to.left), p.round - 2, lost)=>"}}});
      _exit(HasFailure() ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    caught += status == 0;
  }
  EXPECT_EQ(20, caught);
}

// What another process would have sent never comes: the job ends with its name.
TEST_P(KernelFarAhead, ALostNeighbourIsNamed) {
  const pid_t first = fork();
  if (first != 0) {
    int status = 1;
    waitpid(first, &status, 0);
    EXPECT_EQ(0, status);
    return;
  }
  in_two([&] {
    ASSERT_EQ(OP_OK, open_channel()) << host.failure;
    Exchange e = rank == 0 ? make(0, 500) : make(500, 0);
    if (rank == 1) {
      meet();
      _exit(0);
    }
    send(e, 0);
    const op_event taken = take(e);
    meet();
    EXPECT_EQ(OP_ERR_PLUGIN, ops().event_wait(exec, taken));
    EXPECT_TRUE(contains(host.failure, "link kernel: process 1 has ended, whose rows this process waits for"));
    _exit(HasFailure() ? 1 : 0);
  });
}

TEST_P(Channels, AfterAFailureOfTheJobWhatWaitsGoesOn) {
  in_two([&] {
    ASSERT_EQ(OP_OK, open_channel()) << host.failure;
    Exchange e = rank == 0 ? make(500, 0) : make(0, 500);
    if (rank == 1) { // the other one never sends
      send(e, 0);
      const op_event taken = take(e);
      EXPECT_FALSE(let_run(taken));
      ops().channel_give_up(exec, channel);
      finish(taken);
      EXPECT_NE(OP_OK, ops().channel_send(exec, e.halo, &e.recv));
      EXPECT_TRUE(contains(host.failure, "the job has failed before"));
    }
    free_all(e);
    close_channel();
  });
}

class Ipc : public Channels {};
INSTANTIATE_TEST_SUITE_P(, Ipc, testing::Values("ipc"));

TEST_P(Ipc, SizesMustMatch) {
  in_two([&] {
    ASSERT_EQ(OP_OK, open_channel()) << host.failure;
    Exchange e{rank == 0 ? 10u : 0u, rank == 0 ? 0u : 20u};
    EXPECT_EQ(OP_ERR_UNSUPPORTED, create(e));
    EXPECT_TRUE(contains(host.failure, "process 0: link ipc: a message of 80 bytes for process 1, which expects 160"));
    close_channel();
  });
}

TEST_P(Ipc, AFailureOfOneIsAFailureOfAll) {
  in_two(
      [&] {
        ASSERT_EQ(OP_OK, open_channel()) << host.failure;
        Exchange e{10, 10};
        EXPECT_EQ(OP_ERR_UNSUPPORTED, create(e));
        EXPECT_TRUE(contains(host.failure,
                             "process 1: open device memory of process 0 (CUDA IPC): "
                             "CUDA_ERROR_NOT_PERMITTED"));
        close_channel();
      },
      {{1, {"FAKE_CUDA_IPC", "closed"}}});
}

class NcclChannel : public Channels {};
INSTANTIATE_TEST_SUITE_P(, NcclChannel, testing::Values("nccl"));

TEST_P(NcclChannel, SharedDevicesAreRefused) {
  environment("FAKE_CUDA_DEVICES", "1");
  in_two([&] {
    EXPECT_EQ(OP_ERR_UNSUPPORTED, open_channel());
    EXPECT_TRUE(contains(host.failure, "processes 0 and 1 share device 0000:0A:00.0, which NCCL does not serve"));
  });
}

TEST_P(NcclChannel, ItMustBeThere) {
  const Copy none("/dev/null", "libnccl.so.2"); // an empty file
  host.settings["OP2_CUDA_PATH"] = "";
  add_path(none.folder());
  in_two([&] {
    EXPECT_EQ(OP_ERR_UNSUPPORTED, open_channel());
    EXPECT_TRUE(contains(host.failure, none.path()));
    EXPECT_TRUE(contains(host.failure, "setting OP2_CUDA_PATH names its folder"));
  });
}

TEST_P(NcclChannel, ItMustStart) {
  environment("FAKE_NCCL", "init_fails");
  in_two([&] {
    EXPECT_EQ(OP_ERR_UNSUPPORTED, open_channel());
    EXPECT_TRUE(contains(host.failure, "process 0: NCCL, start a communicator: unhandled system error (2)"));
  });
}

} // namespace

// SPDX-License-Identifier: MIT
