// An opened communicator: the entry table of comm.h, with failures as exceptions. Collective as comm.h says.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "host/plugins/registry.hpp"
#include "op2/plugin/comm.h"

namespace op2::core {

// Received messages by ascending sender; owns their memory.
class SparseMessages {
 public:
  SparseMessages() = default;
  explicit SparseMessages(op_comm_messages received, const op_host_v1 *host) : messages_(received), host_(host) {}
  ~SparseMessages();
  SparseMessages(SparseMessages &&other) noexcept;
  SparseMessages &operator=(SparseMessages &&other) noexcept;

  int count() const { return messages_.count; }
  int sender(int message) const { return messages_.rank[message]; }
  // The values of one message, or of all in order; valid as long as this object.
  template <class T>
  std::span<const T> values(int message) const {
    return range<T>(messages_.offset[message], messages_.offset[message + 1]);
  }
  template <class T>
  std::span<const T> all() const {
    return count() > 0 ? range<T>(0, messages_.offset[count()]) : std::span<const T>();
  }

 private:
  template <class T>
  std::span<const T> range(std::size_t begin, std::size_t end) const {
    return {reinterpret_cast<const T *>(static_cast<const char *>(messages_.data) + begin), (end - begin) / sizeof(T)};
  }
  op_comm_messages messages_{};
  const op_host_v1 *host_ = nullptr;
};

class Communicator {
 public:
  // Opens one; the destructor closes it.
  Communicator(Registry &registry, const Services &services, const std::string &name, const int *native = nullptr);
  // One that another owner has opened and will close. take_failure: what its last entry that failed says.
  Communicator(const std::string &name, const op_comm_ops_v1 &ops, op_comm *opened, const op_host_v1 *host,
               std::function<std::string()> take_failure);
  ~Communicator();
  Communicator(const Communicator &) = delete;
  Communicator &operator=(const Communicator &) = delete;

  const std::string &name() const { return name_; }
  const op_comm_ops_v1 &table() const { return ops_; }
  op_comm *handle() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  int node_rank() const { return ops_.node_rank(comm_); }
  int node_size() const { return ops_.node_size(comm_); }

  void abort(int code) { ops_.abort(comm_, code); }
  // Whether this process shall report why the job ends.
  bool claim_failure() { return !ops_.claim_failure || ops_.claim_failure(comm_) != 0; }
  void barrier() { check(ops_.barrier(comm_), "barrier"); }
  void bcast(void *data, std::size_t bytes, int root) { check(ops_.bcast(comm_, data, bytes, root), "bcast"); }
  // Over all processes; sum_before(): over those of lower rank.
  std::int64_t sum(std::int64_t value) { return reduce(value, OP_COMM_SUM); }
  std::int64_t min(std::int64_t value) { return reduce(value, OP_COMM_MIN); }
  std::int64_t max(std::int64_t value) { return reduce(value, OP_COMM_MAX); }
  void allreduce(void *data, std::size_t count, op_type_id type, int operation) {
    check(ops_.allreduce(comm_, data, count, type, operation), "allreduce");
  }
  std::int64_t sum_before(std::int64_t value);
  // offsets[size() + 1]: where the bytes of each process begin in `recv`, and their end.
  void allgatherv(const void *send, std::size_t bytes, void *recv, const std::size_t *offsets) {
    check(ops_.allgatherv(comm_, send, bytes, recv, offsets), "allgatherv");
  }
  // The bytes of each process, by rank; any number from each.
  std::vector<std::string> allgather(const std::string &bytes);
  // Sends data[offset[i] ... offset[i + 1] - 1], in bytes, to ranks[i], all distinct. Returns the received messages.
  SparseMessages sparse_exchange(std::span<const int> ranks, std::span<const std::size_t> offset, const void *data);
  // Messages at any time, not collective (comm.h). Throw OP_ERR_UNSUPPORTED where the communicator has none.
  void post(int rank, const void *data, std::size_t bytes);
  SparseMessages poll();
  // Combines the records in the order of the ranks; the same bits on all processes. What combine() throws comes out on
  // the processes on which it throws, after all have done their part.
  void allreduce_record(void *record, std::size_t bytes, op_comm_combine_fn combine, void *context);

  // Persistent messages between the same buffers. The caller of halo_create() frees the halo.
  op_comm_halo *halo_create(const op_comm_halo_params &params);
  void halo_start(op_comm_halo *halo) { check(ops_.halo_start(comm_, halo), "halo_start"); }
  void halo_wait(op_comm_halo *halo) { check(ops_.halo_wait(comm_, halo), "halo_wait"); }
  // Addresses for the messages of the next halo_start(); false: those in the buffers of halo_create().
  bool halo_buffers(op_comm_halo *halo, void **send, const void **recv) {
    if (ops_.halo_buffers) check(ops_.halo_buffers(comm_, halo, send, recv), "halo_buffers");
    return ops_.halo_buffers;
  }
  bool halo_wants_tests(op_comm_halo *halo) {
    return ops_.halo_test && ops_.halo_wants_tests && ops_.halo_wants_tests(comm_, halo) != 0;
  }
  bool can_test() const { return ops_.halo_test != nullptr; }
  bool halo_test(op_comm_halo *halo) { return ops_.halo_test && ops_.halo_test(comm_, halo) != 0; }
  void halo_free(op_comm_halo *halo) noexcept { ops_.halo_free(comm_, halo); }

  // Spaces that it can send from and receive into; unused entries are OP_SPACE_NONE.
  std::array<op_space, 4> spaces() const;
  // Whether several threads may use it.
  bool thread_multiple() const;
  // A test message within this process, between addresses of that space; false: no such entry. Not collective.
  bool probe_space(op_space space, void *from, void *to, std::size_t bytes);

  // The plugin's own communicator as an integer (`kind` 0: MPI's Fortran handle); false: it has none.
  bool native(int kind, std::int64_t &handle) const {
    return ops_.native && ops_.native(comm_, kind, &handle) == OP_OK;
  }

 private:
  void check(op_status status, const char *entry) const;
  std::int64_t reduce(std::int64_t value, int operation);

  std::string name_;
  const op_host_v1 *host_;
  std::function<std::string()> take_failure_;
  bool closes_;
  op_comm_ops_v1 ops_;
  op_comm *comm_ = nullptr;
  int rank_ = 0, size_ = 1;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
