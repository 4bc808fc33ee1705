// In which memory messages lie that an executor with memory of its own packs.
#pragma once

#include <string>

#include "base/log.hpp"
#include "host/communicator.hpp"
#include "host/executor.hpp"

namespace op2::core {

// The first of the executor's spaces that the communicator can reach; memory of a device only where a message of known
// contents arrives. wish: setting OP2_GPU_DIRECT. OP_SPACE_NONE: rows go through the host. Not collective: processes
// need not choose the same.
op_space choose_transport(Executor &executor, Communicator &communicator, const std::string &wish, const Log &log);
// The first that the host reaches as well.
op_space host_transport(Executor &executor, Communicator &communicator);

const char *name_of(op_space space); // "memory of the device"

} // namespace op2::core
