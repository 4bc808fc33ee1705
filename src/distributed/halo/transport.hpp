// How messages with rows of halos go where the executor has memory of its own.
#pragma once

#include <string>

#include "base/log.hpp"
#include "host/communicator.hpp"
#include "host/executor.hpp"

namespace op2::core {

class DeviceChannel; // distributed/halo/device_channel.hpp

struct Transport {
  op_space space = OP_SPACE_NONE; // where messages lie that the executor packs; OP_SPACE_NONE: rows go through the host
  std::size_t limit = 0;          // exchanges with a longer message, in bytes, take `beyond`; 0: none does
  op_space beyond = OP_SPACE_NONE;
  DeviceChannel *device_channel = nullptr; // brings them from device to device instead

  op_space space_for(std::size_t longest_message) const {
    return limit > 0 && longest_message > limit ? beyond : space;
  }
};

// The first of the executor's spaces that the communicator can reach; memory of a device only where a message of known
// contents arrives. request: setting OP2_GPU_DIRECT. OP_SPACE_NONE: rows go through the host. Not collective: processes
// need not choose the same.
op_space choose_transport(Executor &executor, Communicator &communicator, const std::string &request, const Log &log);
// The first that the host reaches as well.
op_space host_transport(Executor &executor, Communicator &communicator);

const char *name_of(op_space space); // "memory of the device"

} // namespace op2::core
