// The side of an executor with its own memory in an exchange: the executor packs messages into memory that the
// communicator can reach, and unpacks them from there, concurrently with its other work.
#pragma once

#include <span>
#include <vector>

#include "distributed/halo/device_channel.hpp"
#include "host/executor.hpp"
#include "op2/plugin/exec.h"

namespace op2::core {

class DeviceHalo {
 public:
  // Rows of one part for or from one neighbour. Sorted by message, then by position in the message.
  struct ItemRows {
    std::size_t part; // number; a part has rows of one dat
    std::size_t message;
    std::span<const int> listed; // these rows; if empty, the run
    int first, count;            // run of consecutive rows
  };
  struct Side { // the messages sent, or the messages received
    std::vector<ItemRows> rows;
    std::size_t messages, bytes;
  };
  DeviceHalo(Executor &executor, op_space transport, std::size_t parts, const Side &out, const Side &in);
  // With messages of a device channel, to and from the processes `ranks`. Collective.
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

  // items: for each part, where its dat's rows are. pack() returns at once; wait() returns when the packed messages may
  // be sent and the last unpack() has read the received messages.
  void pack(std::span<const op_exec_halo_item> items);
  void wait();
  void settle();                                         // waits for copies into the send buffer by the host
  void unpack(std::span<const op_exec_halo_item> items); // returns at once; loops that run later see the rows
  // With a device channel, between pack() and unpack(), not wait(): sends the messages. Returns at once.
  void send();
  bool has_channel() const { return channel_ != nullptr; }
  bool unpacked() const { return executor_.past(unpacked_); }

 private:
  void upload_lists(std::size_t parts, const Side &out, const Side &in);

  Executor &executor_;
  Storage send_, recv_;
  DeviceChannel *channel_ = nullptr; // replaces both buffers; NULL: none
  op_exec_channel_halo *channel_halo_ = nullptr;
  char *channel_send_ = nullptr;
  const char *channel_recv_ = nullptr;
  op_exec_halo *out_ = nullptr, *in_ = nullptr;
  op_event packed_ = nullptr, unpacked_ = nullptr;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
