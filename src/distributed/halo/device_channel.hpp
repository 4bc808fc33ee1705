// Messages from device to device in the order of the executors' queues: no host thread waits for them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "host/communicator.hpp"
#include "host/executor.hpp"

namespace op2::core {

// Connects all processes of a job. Constructor and destructor are collective; it must outlive its exchanges.
class DeviceChannel {
 public:
  DeviceChannel(Executor &executor, Communicator &communicator, const std::string &kind);
  ~DeviceChannel();
  DeviceChannel(const DeviceChannel &) = delete;
  DeviceChannel &operator=(const DeviceChannel &) = delete;

  // Collective. send: where to pack messages, in the executor's memory. send() returns where they arrive.
  op_exec_channel_halo *create(const op_exec_channel_halo_params &params, char *&send) {
    return executor_.channel_halo_create(channel_, params, send);
  }
  void free(op_exec_channel_halo *halo) noexcept { executor_.channel_halo_free(halo); }
  const char *send(op_exec_channel_halo *halo) { return executor_.channel_send(halo); }
  void taken(op_exec_channel_halo *halo) { executor_.channel_taken(halo); }
  // After a failure: this process's device stops waiting for messages; their values are undefined.
  void give_up() noexcept { executor_.channel_give_up(channel_); }
  const std::string &kind() const { return kind_; }

 private:
  Executor &executor_;
  Communicator &communicator_;
  const std::string kind_;
  op_exec_channel *channel_ = nullptr;
};

// A device channel of this kind if all processes support it and messages of known contents arrive; else NULL.
// Collective; all pass the same kind. asked: the user named it; a warning then says why it is not used.
// why: Transport::why, to which a refusal adds.
std::unique_ptr<DeviceChannel> choose_device_channel(Executor &executor, Communicator &communicator,
                                                     const std::string &kind, bool asked, const Log &log,
                                                     std::string &why);

} // namespace op2::core

// SPDX-License-Identifier: MIT
