// The messages that a sparse exchange returns to the core.
#pragma once

#include <algorithm>
#include <vector>

#include "entry.hpp"

namespace op2::comm_common {

constexpr size_t message_alignment = 64;

struct Message {
  int from;
  size_t bytes;
  HostMemory<char> data;
};

template <class T>
HostMemory<T> memory(const op_host_v1 *host, size_t count) {
  HostMemory<T> out(static_cast<T *>(host->alloc(std::max(count, size_t{1}) * sizeof(T), message_alignment)), {host});
  if (!out) fail(OP_ERR_MEMORY, "no memory for ", count * sizeof(T), " bytes of messages");
  return out;
}

// Moves the messages to `received`, senders ascending, those of one sender in their order.
void deliver(const op_host_v1 *host, std::vector<Message> &messages, op_comm_messages &received);

} // namespace op2::comm_common

// SPDX-License-Identifier: MIT
