// Whether a device channel brings what was sent.
#pragma once

#include <string>

#include "distributed/halo/device_channel.hpp"

namespace op2::core {

struct ChannelProblem {
  std::string what;          // "" = there is none
  bool wrong_values = false; // messages came, or seemed to come; else something says itself that it cannot
};

// Exchanges messages of known contents several times, with all processes or, if there are many, with some. Whether
// there is a problem is the same on all processes. Collective.
ChannelProblem problem_with_channel(DeviceChannel &channel, Executor &executor, Communicator &communicator);

} // namespace op2::core
