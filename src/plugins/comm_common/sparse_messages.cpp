#include "sparse_messages.hpp"

#include <cstring>

namespace op2::comm_common {

void deliver(const op_host_v1 *host, std::vector<Message> &messages, op_comm_messages &received) {
  std::stable_sort(messages.begin(), messages.end(),
                   [](const Message &a, const Message &b) { return a.from < b.from; });
  HostMemory<int32_t> rank = memory<int32_t>(host, messages.size());
  HostMemory<size_t> offset = memory<size_t>(host, messages.size() + 1);
  size_t at = 0;
  for (size_t m = 0; m < messages.size(); ++m) {
    rank.get()[m] = messages[m].from;
    offset.get()[m] = at;
    at += messages[m].bytes;
  }
  offset.get()[messages.size()] = at;
  HostMemory<char> data;
  if (messages.size() == 1) {
    data = std::move(messages[0].data);
  } else {
    data = memory<char>(host, at);
    for (size_t m = 0; m < messages.size(); ++m) {
      if (messages[m].bytes > 0) std::memcpy(data.get() + offset.get()[m], messages[m].data.get(), messages[m].bytes);
      messages[m].data.reset(); // not all twice at the same time
    }
  }
  received.count = static_cast<int32_t>(messages.size());
  received.rank = rank.release();
  received.offset = offset.release();
  received.data = data.release();
}

} // namespace op2::comm_common

// SPDX-License-Identifier: MIT
