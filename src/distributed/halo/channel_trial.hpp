// Tests whether a device channel delivers the values that were sent.
#pragma once

#include <string>

#include "distributed/halo/device_channel.hpp"

namespace op2::core {

struct ChannelProblem {
  std::string what;          // "" = no problem
  bool wrong_values = false; // wrong values arrived, and no error was reported
};

// Exchanges messages of known contents several times: with all processes, or with some if there are more than 32. All
// processes agree whether there is a problem. Collective.
ChannelProblem problem_with_channel(DeviceChannel &channel, Executor &executor, Communicator &communicator);

} // namespace op2::core

// SPDX-License-Identifier: MIT
