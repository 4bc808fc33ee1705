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
  DeviceChannel *device_channel = nullptr; // not NULL: messages go from device to device
  bool chooses = false; // measured conditions choose for each exchange: the channel, or the host by way of `space`
  std::string why = {}; // what better ways were refused, for people: "no messages ... by ipc: ...; ..."; "" = none
};

// The first of the executor's spaces that the communicator can reach; memory of a device only if a message of known
// contents arrives. request: setting OP2_GPU_DIRECT. OP_SPACE_NONE: rows go through the host. Not collective: processes
// may choose differently. why: Transport::why, to which this function adds.
op_space choose_transport(Executor &executor, Communicator &communicator, const std::string &request, const Log &log,
                          std::string &why);

// The first of the executor's spaces that the host and the communicator reach; OP_SPACE_NONE: there is none.
op_space transport_by_host(const Executor &executor, const Communicator &communicator);

const char *name_of(op_space space); // "memory of the device"

} // namespace op2::core

// SPDX-License-Identifier: MIT
