#include "distributed/halo/transport.hpp"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace op2::core {

namespace {

bool host_reaches(op_space space) { return space == OP_SPACE_HOST || space == OP_SPACE_CUDA_PINNED; }

// Libraries say that they can send from a device's memory when they cannot, and the other way round; what arrives
// tells. "" = it works.
std::string problem_with(Executor &executor, Communicator &communicator, op_space space) try {
  constexpr std::size_t bytes = 4096;
  std::vector<unsigned char> sent(bytes), came(bytes, 0);
  for (std::size_t i = 0; i < bytes; ++i) sent[i] = static_cast<unsigned char>(i * 37 + 11);
  const Storage from(executor, space, bytes), to(executor, space, bytes);
  executor.copy(from.data(), space, sent.data(), OP_SPACE_HOST, bytes);
  executor.copy(to.data(), space, came.data(), OP_SPACE_HOST, bytes);
  // Copies to a device are ordered with its own work only. What is read back has got there, and all before it.
  executor.copy(came.data(), OP_SPACE_HOST, to.data(), space, bytes);
  if (!communicator.probe_space(space, from.data(), to.data(), bytes)) return "it cannot try";
  executor.copy(came.data(), OP_SPACE_HOST, to.data(), space, bytes);
  return came == sent ? "" : "other values arrive than were sent";
} catch (const Error &error) {
  return error.what();
}

bool can_send_from(const Communicator &communicator, op_space space) {
  const auto reached = communicator.spaces();
  return std::find(std::begin(reached), std::end(reached), space) != std::end(reached);
}

} // namespace

const char *name_of(op_space space) {
  switch (space) {
    case OP_SPACE_HOST:
      return "memory of the host";
    case OP_SPACE_CUDA_PINNED:
      return "pinned memory of the host";
    case OP_SPACE_CUDA:
      return "memory of the device";
    default:
      return "memory of the executor";
  }
}

op_space transport_by_host(const Executor &executor, const Communicator &communicator) {
  if (!executor.packs_halos()) return OP_SPACE_NONE;
  for (const op_space space : executor.caps().transport)
    if (space != OP_SPACE_NONE && host_reaches(space) && can_send_from(communicator, space)) return space;
  return OP_SPACE_NONE;
}

op_space choose_transport(Executor &executor, Communicator &communicator, const std::string &request, const Log &log,
                          std::string &why) {
  if (communicator.size() == 1 || !executor.packs_halos()) return OP_SPACE_NONE;
  std::string why_not;
  const auto refuse = [&why](const std::string &reason) { why += (why.empty() ? "" : "; ") + reason; };
  for (const op_space space : executor.caps().transport) {
    if (space == OP_SPACE_NONE) break;
    if (!host_reaches(space) && request != "auto" && request != "mpi") {
      if (why.empty()) refuse("OP2_GPU_DIRECT=" + request);
      continue;
    }
    if (!can_send_from(communicator, space)) {
      why_not += text("; ", communicator.name(), " does not reach ", name_of(space));
      refuse(text(communicator.name(), " does not reach ", name_of(space)));
      if (!host_reaches(space) && request == "mpi") // it was asked for, so the plugin is to say why
        log.write(OP_LOG_WARN,
                  text("OP2_GPU_DIRECT=mpi: ", communicator.name(), " does not reach ", name_of(space), ": ",
                       problem_with(executor, communicator, space), "; messages go through the host"));
      continue;
    }
    const std::string problem = host_reaches(space) ? "" : problem_with(executor, communicator, space);
    if (problem.empty()) {
      log.write(OP_LOG_INFO, text("messages between processes: from ", name_of(space), ", packed by executor ",
                                  executor.name(), why_not));
      return space;
    }
    const std::string refusal = text(communicator.name(), " says that it reaches ", name_of(space), ", but ", problem);
    refuse(refusal);
    log.write(OP_LOG_WARN, refusal + "; messages go through the host");
  }
  log.write(OP_LOG_INFO, text("messages between processes: rows go through the host", why_not));
  return OP_SPACE_NONE;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
