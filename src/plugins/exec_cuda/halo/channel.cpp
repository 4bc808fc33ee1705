// channel.cpp: entries of channels, and how processes agree about them.
#include "halo/channel.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace op2::exec_cuda {

std::vector<char> Meeting::gather_bytes(std::span<const char> mine) const {
  std::vector<char> all(mine.size() * static_cast<size_t>(size()));
  check(params_.allgather(params_.context, mine.data(), mine.size(), all.data()));
  return all;
}

void Meeting::agree(const std::string &why) const {
  using Words = std::array<char, 400>;
  Words mine{};
  std::copy_n(why.begin(), std::min(why.size(), mine.size() - 1), mine.begin());
  const std::vector<Words> all = gather(mine);
  for (size_t p = 0; p < all.size(); ++p)
    if (all[p][0] != '\0')
      throw Failure(OP_ERR_UNSUPPORTED, "process " + std::to_string(p) + ": " + std::string(all[p].data()));
}

ChannelMessages::ChannelMessages(const op_exec_channel_halo_params &params) {
  const auto list = [](int32_t n, const int32_t *rank, const size_t *offset, std::vector<Message> &to) {
    for (int32_t i = 0; i < n; ++i) to.push_back({rank[i], offset[i], offset[i + 1] - offset[i]});
    return offset[n];
  };
  out_bytes = list(params.nsend, params.send_rank, params.send_offset, out);
  in_bytes = list(params.nrecv, params.recv_rank, params.recv_offset, in);
}

void ChannelMessages::align(size_t to) {
  in_bytes = 0;
  for (Message &message : in) {
    message.offset = in_bytes;
    in_bytes += (message.bytes + to - 1) / to * to;
  }
}

op_status channel_open(op_exec *exec, const op_exec_channel_params *params, op_exec_channel **channel) {
  return entry(exec, [&] {
    const std::string kind = params->kind ? params->kind : "";
    if (kind == "ipc")
      *channel = make_ipc_channel(*exec, *params).release();
    else if (kind == "kernel")
      *channel = make_kernel_channel(*exec, *params).release();
    else if (kind == "nccl")
      *channel = make_nccl_channel(*exec, *params).release();
    else
      throw Failure(OP_ERR_UNSUPPORTED, "link '" + kind + "': there are ipc, kernel and nccl");
  });
}

void channel_close(op_exec *exec, op_exec_channel *channel) {
  std::unique_ptr<Channel> owner(channel);
  if (owner) entry(exec, [&] { owner.reset(); });
}

op_status channel_halo_create(op_exec *exec, op_exec_channel *channel, const op_exec_channel_halo_params *params,
                              op_exec_channel_halo **halo, void **send) {
  return entry(exec, [&] {
    std::unique_ptr<ChannelHalo> made = channel->make(*params);
    *send = reinterpret_cast<void *>(made->send_buffer()); // NOLINT: device addresses are numbers
    *halo = made.release();
  });
}

void channel_halo_free(op_exec *exec, op_exec_channel_halo *halo) {
  std::unique_ptr<ChannelHalo> owner(halo);
  if (owner) entry(exec, [&] { owner.reset(); });
}

op_status channel_send(op_exec *exec, op_exec_channel_halo *halo, const void **recv) {
  return entry_of_loop(exec, [&] { *recv = reinterpret_cast<const void *>(halo->send()); }); // NOLINT
}

op_status channel_taken(op_exec *exec, op_exec_channel_halo *halo) {
  return entry_of_loop(exec, [&] { halo->taken(); });
}

void channel_give_up(op_exec *exec, op_exec_channel *channel) {
  entry(exec, [&] {
    channel->given_up = true;
    channel->give_up();
  });
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
