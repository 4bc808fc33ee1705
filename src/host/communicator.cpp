#include "host/communicator.hpp"

#include <exception>
#include <utility>

#include "base/error.hpp"

namespace op2::core {

SparseMessages::~SparseMessages() {
  if (!host_) return;
  host_->free(messages_.rank);
  host_->free(messages_.offset);
  host_->free(messages_.data);
}

SparseMessages::SparseMessages(SparseMessages &&other) noexcept
    : messages_(std::exchange(other.messages_, {})), host_(std::exchange(other.host_, nullptr)) {}

SparseMessages &SparseMessages::operator=(SparseMessages &&other) noexcept {
  std::swap(messages_, other.messages_);
  std::swap(host_, other.host_);
  return *this;
}

Communicator::Communicator(const std::string &name, const op_comm_ops_v1 &ops, op_comm *opened, const op_host_v1 *host,
                           std::function<std::string()> take_failure)
    : name_(name),
      host_(host),
      take_failure_(std::move(take_failure)),
      closes_(false),
      ops_(ops),
      comm_(opened),
      rank_(ops.rank(opened)),
      size_(ops.size_of(opened)) {}

Communicator::~Communicator() {
  if (closes_) ops_.close(comm_);
}

void Communicator::check(op_status status, const char *entry) const {
  if (status == OP_OK) return;
  const std::string message = take_failure_();
  fail(status, "communicator ", name_, ", ", entry, ": ", message.empty() ? status_name(status) : message);
}

std::int64_t Communicator::reduce(std::int64_t value, int operation) {
  long long total = value;
  allreduce(&total, 1, OP_TYPE_LL, operation);
  return total;
}

std::int64_t Communicator::sum_before(std::int64_t value) {
  std::int64_t before = 0;
  check(ops_.exscan(comm_, &value, &before, 1), "exscan");
  return before;
}

std::vector<std::string> Communicator::allgather(const std::string &bytes) {
  const std::size_t processes = static_cast<std::size_t>(size_);
  std::vector<std::size_t> places(processes + 1), sizes(processes), offsets(processes + 1, 0);
  for (std::size_t p = 0; p <= processes; ++p) places[p] = p * sizeof(std::size_t);
  const std::size_t own = bytes.size();
  allgatherv(&own, sizeof own, sizes.data(), places.data());
  for (std::size_t p = 0; p < processes; ++p) offsets[p + 1] = offsets[p] + sizes[p];
  std::string all(offsets.back(), '\0');
  allgatherv(bytes.data(), own, all.data(), offsets.data());
  std::vector<std::string> out;
  for (std::size_t p = 0; p < processes; ++p) out.push_back(all.substr(offsets[p], sizes[p]));
  return out;
}

void Communicator::post(int rank, const void *data, std::size_t bytes) {
  if (!ops_.post || !ops_.poll)
    fail(OP_ERR_UNSUPPORTED, "communicator ", name_,
         " cannot send messages at any time (it has no entries post and poll)");
  check(ops_.post(comm_, rank, data, bytes), "post");
}

SparseMessages Communicator::poll() {
  op_comm_messages received{};
  received.size = sizeof received;
  if (ops_.poll) check(ops_.poll(comm_, &received), "poll");
  return SparseMessages(received, host_);
}

SparseMessages Communicator::sparse_exchange(std::span<const int> ranks, std::span<const std::size_t> offset,
                                             const void *data) {
  op_comm_messages received{};
  received.size = sizeof received;
  check(ops_.sparse_exchange(comm_, static_cast<std::int32_t>(ranks.size()), ranks.data(), offset.data(), data,
                             &received),
        "sparse_exchange");
  return SparseMessages(received, host_);
}

namespace {

struct Combining {
  op_comm_combine_fn combine;
  void *context;
  std::exception_ptr failure;
};

// Others wait for what this process sends afterwards, though none of it counts.
void combine_or_keep(void *context, void *into, const void *later) {
  Combining &combining = *static_cast<Combining *>(context);
  if (combining.failure) return;
  try {
    combining.combine(combining.context, into, later);
  } catch (...) {
    combining.failure = std::current_exception();
  }
}

} // namespace

void Communicator::allreduce_record(void *record, std::size_t bytes, op_comm_combine_fn combine, void *context) {
  if (size_ == 1) return;
  Combining combining{combine, context, nullptr};
  check(ops_.allreduce_record(comm_, record, bytes, combine_or_keep, &combining), "allreduce_record");
  if (combining.failure) std::rethrow_exception(combining.failure);
}

std::array<op_space, 4> Communicator::spaces() const {
  op_comm_caps caps{};
  caps.size = sizeof caps;
  check(ops_.caps(comm_, &caps), "caps");
  return {caps.spaces[0], caps.spaces[1], caps.spaces[2], caps.spaces[3]};
}

bool Communicator::thread_multiple() const {
  op_comm_caps caps{};
  caps.size = sizeof caps;
  check(ops_.caps(comm_, &caps), "caps");
  return caps.thread_multiple != 0;
}

bool Communicator::probe_space(op_space space, void *from, void *to, std::size_t bytes) {
  if (!ops_.probe_space) return false;
  check(ops_.probe_space(comm_, space, from, to, bytes), "probe_space");
  return true;
}

op_comm_halo *Communicator::halo_create(const op_comm_halo_params &params) {
  op_comm_halo *halo = nullptr;
  check(ops_.halo_create(comm_, &params, &halo), "halo_create");
  return halo;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
