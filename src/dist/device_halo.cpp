#include "dist/device_halo.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace op2::core {

namespace {

// One list for each part: its rows for every neighbour, in the order of the messages.
op_exec_halo *upload(Executor &executor, std::size_t parts, const DeviceHalo::Side &side) {
  std::vector<std::vector<int>> offset(parts, std::vector<int>(side.messages + 1, 0)), row(parts);
  for (const DeviceHalo::Rows &rows : side.rows) {
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
  if (!out.rows.empty()) out_ = upload(executor, parts, out);
  try {
    if (!in.rows.empty()) in_ = upload(executor, parts, in);
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
}

void DeviceHalo::pack(std::span<const op_exec_halo_item> items) {
  if (out_) packed_ = executor_.halo_pack(out_, items, send_.data(), send_.space());
}

void DeviceHalo::wait() {
  executor_.wait(std::exchange(unpacked_, nullptr));
  executor_.wait(std::exchange(packed_, nullptr));
}

void DeviceHalo::unpack(std::span<const op_exec_halo_item> items) {
  if (in_) unpacked_ = executor_.halo_unpack(in_, items, recv_.data(), recv_.space());
}

} // namespace op2::core
