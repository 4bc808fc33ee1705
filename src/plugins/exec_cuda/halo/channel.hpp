// Device channels: messages between devices of several processes for which no host waits. Shared by all kinds: CUDA
// IPC memory by streams or by kernels, and NCCL.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "exec_cuda.hpp"

namespace op2::exec_cuda {

// Communication of the processes of a job while they make and free channels. Every call is collective.
class Meeting {
 public:
  explicit Meeting(const op_exec_channel_params &params) : params_(params) {}
  int rank() const { return params_.rank; }
  int size() const { return params_.size_of; }
  // Gathers the same number of bytes from each process, by rank.
  std::vector<char> gather_bytes(std::span<const char> mine) const;
  template <class T>
  std::vector<T> gather(const T &mine) const {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<T> all(static_cast<size_t>(size()));
    check(params_.allgather(params_.context, &mine, sizeof mine, all.data()));
    return all;
  }
  void barrier() const { check(params_.barrier(params_.context)); }
  // Runs `body` on each process. A failure on one is thrown on all.
  template <class Body>
  void together(Body &&body) const {
    std::string why;
    try {
      body();
    } catch (const std::exception &thrown) {
      why = thrown.what();
      if (why.empty()) why = "an exception";
    }
    agree(why);
  }

 private:
  void agree(const std::string &why) const;
  static void check(op_status status) {
    if (status != OP_OK) throw Failure(status, "link: the processes cannot talk to each other");
  }
  op_exec_channel_params params_;
};

} // namespace op2::exec_cuda

struct op_exec_channel_s {
  op_exec_channel_s(op_exec &given, const op_exec_channel_params &params) : exec(given), meeting(params) {}
  virtual ~op_exec_channel_s() = default; // collective; does not throw
  virtual std::unique_ptr<op_exec_channel_halo_s> make(const op_exec_channel_halo_params &params) = 0;
  virtual void give_up() = 0;
  op_exec &exec;
  const op2::exec_cuda::Meeting meeting;
  bool given_up = false;
};

struct op_exec_channel_halo_s {
  virtual ~op_exec_channel_halo_s() = default; // pending work on the halo stream may still use it
  virtual CUdeviceptr send_buffer() const = 0;
  virtual CUdeviceptr send() = 0; // address of the incoming messages
  virtual void taken() = 0;
};

namespace op2::exec_cuda {

using Channel = op_exec_channel_s;
using ChannelHalo = op_exec_channel_halo_s;

// The messages of an exchange, copied from the core's parameters.
struct ChannelMessages {
  struct Message {
    int rank;
    size_t offset, bytes;
  };
  explicit ChannelMessages(const op_exec_channel_halo_params &params);
  void align(size_t to); // where incoming messages begin
  std::vector<Message> out, in;
  size_t out_bytes = 0, in_bytes = 0;
};

// channel_ipc.cpp, channel_kernel.cpp, channel_nccl.cpp. Collective; throw OP_ERR_UNSUPPORTED with the reason if this
// kind of channel is not possible.
std::unique_ptr<Channel> make_ipc_channel(op_exec &exec, const op_exec_channel_params &params);
std::unique_ptr<Channel> make_kernel_channel(op_exec &exec, const op_exec_channel_params &params);
std::unique_ptr<Channel> make_nccl_channel(op_exec &exec, const op_exec_channel_params &params);

// channel.cpp
op_status channel_open(op_exec *exec, const op_exec_channel_params *params, op_exec_channel **channel);
void channel_close(op_exec *exec, op_exec_channel *channel);
op_status channel_halo_create(op_exec *exec, op_exec_channel *channel, const op_exec_channel_halo_params *params,
                              op_exec_channel_halo **halo, void **send);
void channel_halo_free(op_exec *exec, op_exec_channel_halo *halo);
op_status channel_send(op_exec *exec, op_exec_channel_halo *halo, const void **recv);
op_status channel_taken(op_exec *exec, op_exec_channel_halo *halo);
void channel_give_up(op_exec *exec, op_exec_channel *channel);

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
