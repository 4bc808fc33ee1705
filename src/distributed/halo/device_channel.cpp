#include "distributed/halo/device_channel.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "distributed/halo/channel_trial.hpp"

namespace op2::core {

namespace {

// For the executor's plugin, which must not see exceptions.
template <class Body>
op_status as_status(Body &&body) noexcept {
  try {
    body();
    return OP_OK;
  } catch (const Error &error) {
    return error.code;
  } catch (...) {
    return OP_ERR_PLUGIN;
  }
}

op_status allgather(void *context, const void *send, std::size_t bytes, void *recv) {
  return as_status([&] {
    Communicator &communicator = *static_cast<Communicator *>(context);
    std::vector<std::size_t> offset(static_cast<std::size_t>(communicator.size()) + 1);
    for (std::size_t p = 0; p < offset.size(); ++p) offset[p] = p * bytes;
    communicator.allgatherv(send, bytes, recv, offset.data());
  });
}

op_status barrier(void *context) {
  return as_status([&] { static_cast<Communicator *>(context)->barrier(); });
}

// "" = all processes would like to try.
std::string problem_before(Executor &executor, Communicator &communicator, const std::string &kind) {
  const bool able = executor.packs_halos() && executor.has_device_channels();
  if (communicator.min(able ? 1 : 0) == 0) return "an executor of this job has no links";
  if (kind != "nccl" && communicator.min(communicator.node_size() == communicator.size() ? 1 : 0) == 0)
    return "the processes are on several machines";
  return "";
}

} // namespace

DeviceChannel::DeviceChannel(Executor &executor, Communicator &communicator, const std::string &kind)
    : executor_(executor), communicator_(communicator), kind_(kind) {
  op_exec_channel_params params{};
  params.size = sizeof params;
  params.kind = kind.c_str();
  params.rank = communicator.rank();
  params.size_of = communicator.size();
  params.context = &communicator_;
  params.allgather = allgather;
  params.barrier = barrier;
  channel_ = executor.channel_open(params);
}

DeviceChannel::~DeviceChannel() { executor_.channel_close(channel_); }

std::unique_ptr<DeviceChannel> choose_device_channel(Executor &executor, Communicator &communicator,
                                                     const std::string &kind, bool asked, const Log &log,
                                                     std::string &why) {
  if (communicator.size() == 1) return nullptr;
  ChannelProblem problem{problem_before(executor, communicator, kind)};
  std::unique_ptr<DeviceChannel> channel;
  try {
    if (problem.what.empty()) channel = std::make_unique<DeviceChannel>(executor, communicator, kind);
  } catch (const Error &error) { // on all processes alike
    problem.what = error.what();
  }
  if (channel) problem = problem_with_channel(*channel, executor, communicator);
  if (problem.what.empty()) {
    log.write(OP_LOG_INFO, text("messages between processes: from device to device by ", kind, ", packed by executor ",
                                executor.name()));
    return channel;
  }
  const std::string refusal = text("no messages from device to device by ", kind, ": ", problem.what);
  why += (why.empty() ? "" : "; ") + refusal;
  // One that brings wrong values is a surprise. Processes without a device have nothing to tell.
  if (executor.caps().separate_memory || asked)
    log.write(asked || problem.wrong_values ? OP_LOG_WARN : OP_LOG_INFO,
              (asked ? "OP2_GPU_DIRECT=" + kind + ": " : "") + refusal);
  return nullptr;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
