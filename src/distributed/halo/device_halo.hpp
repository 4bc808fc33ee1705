// The executor's side of an exchange, when rows lie in memory of its own: it packs messages into memory that the
// communicator can reach, and unpacks them from there, while other work of its goes on.
#pragma once

#include <span>
#include <vector>

#include "distributed/halo/device_channel.hpp"
#include "host/executor.hpp"
#include "op2/plugin/exec.h"

namespace op2::core {

class DeviceHalo {
 public:
  // Rows of one dat (an item, by its number) for or from one neighbour. Sorted by message, then as they lie in it.
  struct ItemRows {
    std::size_t part; // rows of one part lie in one message each, and have one dat
    std::size_t message;
    std::span<const int> listed; // these, or if there are none
    int first, count;            // a run of consecutive ones
  };
  struct Side { // what is sent, or what is received
    std::vector<ItemRows> rows;
    std::size_t messages, bytes;
  };
  DeviceHalo(Executor &executor, op_space transport, std::size_t parts, const Side &out, const Side &in);
  // With messages of a device channel, which needs to know whom they go to and come from. Collective.
  struct Ends {
    std::span<const int> ranks;
    std::span<const std::size_t> offset; // bytes, [ranks + 1]
  };
  DeviceHalo(Executor &executor, DeviceChannel &channel, std::size_t parts, const Side &out, const Ends &to,
             const Side &in, const Ends &from);
  ~DeviceHalo();
  DeviceHalo(const DeviceHalo &) = delete;
  DeviceHalo &operator=(const DeviceHalo &) = delete;

  char *send_buffer() const { return send_.data(); }
  char *recv_buffer() const { return recv_.data(); }
  op_space space() const { return send_.space(); }
  bool host_can_reach() const { return space() == OP_SPACE_HOST || space() == OP_SPACE_CUDA_PINNED; }

  // One item for each part, which is its list: where the rows of its dat are. pack() returns at once; wait() when
  // messages may leave, and those that arrived last have been taken out.
  void pack(std::span<const op_exec_halo_item> items);
  void wait();
  void settle(); // the same after rows were copied into the messages from elsewhere
  void unpack(std::span<const op_exec_halo_item> items); // returns at once; loops that run later see the rows
  // With a device channel, between the two and instead of wait(): what has been packed leaves. Returns at once.
  void send();
  bool has_channel() const { return channel_ != nullptr; }
  bool unpacked() const { return executor_.past(unpacked_); }

 private:
  void upload_lists(std::size_t parts, const Side &out, const Side &in);

  Executor &executor_;
  Storage send_, recv_;
  DeviceChannel *channel_ = nullptr; // instead of these two
  op_exec_channel_halo *channel_halo_ = nullptr;
  char *channel_send_ = nullptr;
  const char *channel_recv_ = nullptr;
  op_exec_halo *out_ = nullptr, *in_ = nullptr;
  op_event packed_ = nullptr, unpacked_ = nullptr;
};

} // namespace op2::core
