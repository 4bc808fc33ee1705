// The transport of halo messages for executors with their own memory.
#pragma once

#include <string>

#include "base/log.hpp"
#include "host/communicator.hpp"
#include "host/executor.hpp"

namespace op2::core {

class DeviceChannel; // distributed/halo/device_channel.hpp

struct Transport {
  op_space space = OP_SPACE_NONE; // of messages that the executor packs; OP_SPACE_NONE: rows go through the host
  std::size_t limit = 0;          // exchanges with a longer message, in bytes, use `beyond`; 0: no limit
  op_space beyond = OP_SPACE_NONE;
  DeviceChannel *device_channel = nullptr; // not NULL: messages go from device to device

  op_space space_for(std::size_t longest_message) const {
    return limit > 0 && longest_message > limit ? beyond : space;
  }
};

// The first of the executor's spaces that the communicator can reach; memory of a device only if a message of known
// contents arrives. request: setting OP2_GPU_DIRECT. OP_SPACE_NONE: rows go through the host. Not collective: processes
// may choose differently.
op_space choose_transport(Executor &executor, Communicator &communicator, const std::string &request, const Log &log);
// The first that the host reaches too, else OP_SPACE_NONE.
op_space host_transport(Executor &executor, Communicator &communicator);

const char *name_of(op_space space); // "memory of the device"

} // namespace op2::core
