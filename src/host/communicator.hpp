// An opened communicator: the entry table of comm.h with failures as exceptions.
#pragma once

#include <cstdint>
#include <string>

#include "host/registry.hpp"
#include "op2/plugin/comm.h"

namespace op2::core {

class Communicator {
 public:
  Communicator(Registry &registry, const Services &services, const std::string &name);
  ~Communicator();
  Communicator(const Communicator &) = delete;
  Communicator &operator=(const Communicator &) = delete;

  const std::string &name() const { return name_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  int node_rank() const { return ops_.node_rank(comm_); }
  int node_size() const { return ops_.node_size(comm_); }

  void abort(int code) { ops_.abort(comm_, code); }
  void barrier() { check(ops_.barrier(comm_), "barrier"); }
  // Sum over all processes, and over those of lower rank.
  std::int64_t sum(std::int64_t value);
  std::int64_t sum_before(std::int64_t value);
  // offsets[size() + 1]: bytes of each process in `recv`.
  void allgatherv(const void *send, std::size_t bytes, void *recv, const std::size_t *offsets) {
    check(ops_.allgatherv(comm_, send, bytes, recv, offsets), "allgatherv");
  }

 private:
  void check(op_status status, const char *entry) const;

  std::string name_;
  const Services &services_;
  op_comm_ops_v1 ops_;
  op_comm *comm_ = nullptr;
  int rank_ = 0, size_ = 1;
};

} // namespace op2::core
