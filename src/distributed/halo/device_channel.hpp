// Messages that go from device to device in the order of the executors' queues: nobody waits for them on the host.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "host/communicator.hpp"
#include "host/executor.hpp"

namespace op2::core {

// One with all processes of a job. Making and ending it is collective; it must outlive its exchanges.
class DeviceChannel {
 public:
  DeviceChannel(Executor &executor, Communicator &communicator, const std::string &kind);
  ~DeviceChannel();
  DeviceChannel(const DeviceChannel &) = delete;
  DeviceChannel &operator=(const DeviceChannel &) = delete;

  // Collective. `send`: where messages are to lie, in the executor's memory.
  op_exec_channel_halo *create(const op_exec_channel_halo_params &params, char *&send) {
    return executor_.channel_halo_create(channel_, params, send);
  }
  void free(op_exec_channel_halo *halo) noexcept { executor_.channel_halo_free(halo); }
  const char *send(op_exec_channel_halo *halo) { return executor_.channel_send(halo); }
  void taken(op_exec_channel_halo *halo) { executor_.channel_taken(halo); }
  // After a failure that leaves others without messages: work of this process's device that waits for theirs goes on.
  void give_up() noexcept { executor_.channel_give_up(channel_); }

 private:
  Executor &executor_;
  Communicator &communicator_;
  op_exec_channel *channel_ = nullptr;
};

// A device channel of this kind, if all processes can have it and messages of known contents arrive; else NULL.
// Collective, the kind is that of all. asked: the user named it, and is told why it cannot be.
std::unique_ptr<DeviceChannel> choose_device_channel(Executor &executor, Communicator &communicator,
                                                     const std::string &kind, bool asked, const Log &log);

} // namespace op2::core
