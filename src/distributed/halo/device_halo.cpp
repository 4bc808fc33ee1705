#include "distributed/halo/device_halo.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace op2::core {

namespace {

// One list for each part: its rows for every neighbour, in the order of the messages.
op_exec_halo *upload(Executor &executor, std::size_t parts, const DeviceHalo::Side &side) {
  std::vector<std::vector<int>> offset(parts, std::vector<int>(side.messages + 1, 0)), row(parts);
  for (const DeviceHalo::ItemRows &rows : side.rows) {
    std::vector<int> &to = row[rows.part];
    const std::size_t before = to.size();
    to.insert(to.end(), rows.listed.begin(), rows.listed.end());
    if (rows.listed.empty()) {
      to.resize(before + static_cast<std::size_t>(rows.count));
      std::iota(to.begin() + static_cast<std::ptrdiff_t>(before), to.end(), rows.first);
    }
    offset[rows.part][rows.message + 1] = static_cast<int>(to.size() - before);
  }
  std::vector<op_exec_halo_lists> lists;
  for (std::size_t p = 0; p < parts; ++p) {
    std::partial_sum(offset[p].begin(), offset[p].end(), offset[p].begin());
    lists.push_back(
        {sizeof(op_exec_halo_lists), static_cast<std::int32_t>(side.messages), 0, offset[p].data(), row[p].data()});
  }
  return executor.halo_upload(lists);
}

} // namespace

DeviceHalo::DeviceHalo(Executor &executor, op_space transport, std::size_t parts, const Side &out, const Side &in)
    : executor_(executor),
      send_(executor, transport, std::max<std::size_t>(out.bytes, 1)),
      recv_(executor, transport, std::max<std::size_t>(in.bytes, 1)) {
  upload_lists(parts, out, in);
}

DeviceHalo::DeviceHalo(Executor &executor, DeviceChannel &channel, std::size_t parts, const Side &out, const Ends &to,
                       const Side &in, const Ends &from)
    : executor_(executor), channel_(&channel) {
  op_exec_channel_halo_params params{};
  params.size = sizeof params;
  params.nsend = static_cast<std::int32_t>(to.ranks.size());
  params.nrecv = static_cast<std::int32_t>(from.ranks.size());
  params.send_rank = to.ranks.data();
  params.recv_rank = from.ranks.data();
  params.send_offset = to.offset.data();
  params.recv_offset = from.offset.data();
  channel_halo_ = channel.create(params, channel_send_);
  try {
    upload_lists(parts, out, in);
  } catch (...) {
    channel.free(channel_halo_);
    throw;
  }
}

void DeviceHalo::upload_lists(std::size_t parts, const Side &out, const Side &in) {
  if (!out.rows.empty()) out_ = upload(executor_, parts, out);
  try {
    if (!in.rows.empty()) in_ = upload(executor_, parts, in);
  } catch (...) {
    if (out_) executor_.halo_free(out_);
    throw;
  }
}

DeviceHalo::~DeviceHalo() {
  executor_.forget(std::exchange(packed_, nullptr));
  executor_.forget(std::exchange(unpacked_, nullptr));
  if (out_) executor_.halo_free(out_);
  if (in_) executor_.halo_free(in_);
  if (channel_) channel_->free(channel_halo_);
}

void DeviceHalo::pack(std::span<const op_exec_halo_item> items) {
  if (channel_) { // in the order of the device
    executor_.forget(std::exchange(unpacked_, nullptr));
    if (out_) executor_.forget(executor_.halo_pack(out_, items, channel_send_, executor_.caps().space));
    return;
  }
  if (out_) packed_ = executor_.halo_pack(out_, items, send_.data(), send_.space());
}

void DeviceHalo::wait() {
  executor_.wait(std::exchange(unpacked_, nullptr));
  executor_.wait(std::exchange(packed_, nullptr));
}

// Copies to a device are ordered with its own work only; one to the host that follows them is done when it returns.
void DeviceHalo::settle() {
  char last = 0;
  executor_.copy(&last, OP_SPACE_HOST, send_.data(), send_.space(), sizeof last);
}

void DeviceHalo::send() { channel_recv_ = channel_->send(channel_halo_); }

void DeviceHalo::unpack(std::span<const op_exec_halo_item> items) {
  if (channel_) {
    if (in_) unpacked_ = executor_.halo_unpack(in_, items, channel_recv_, executor_.caps().space);
    channel_->taken(channel_halo_);
    return;
  }
  if (in_) unpacked_ = executor_.halo_unpack(in_, items, recv_.data(), recv_.space());
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
