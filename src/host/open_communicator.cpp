// The communicator of a context, from its plugin.
#include "base/error.hpp"
#include "host/communicator.hpp"
#include "host/plugins/tables.hpp"

namespace op2::core {

Communicator::Communicator(Registry &registry, const Services &services, const std::string &name, const int *native)
    : name_(name),
      host_(services.table()),
      take_failure_([&services] { return services.take_failure(); }),
      closes_(true),
      ops_(comm_table(registry, registry.get(OP_PLUGIN_COMM, name))) {
  op_comm_params params{};
  params.size = sizeof params;
  params.host = host_;
  params.native_given = native != nullptr;
  if (native) params.native = *native;
  check(ops_.open(&params, &comm_), "open");
  if (!comm_) fail(OP_ERR_PLUGIN, "communicator ", name_, ", open: it reports success but made nothing");
  rank_ = ops_.rank(comm_);
  size_ = ops_.size_of(comm_);
  const int node_rank = ops_.node_rank(comm_), node_size = ops_.node_size(comm_);
  const bool counted = rank_ >= 0 && rank_ < size_ && node_rank >= 0 && node_rank < node_size && node_size <= size_;
  if (counted && (size_ == 1 || (ops_.sparse_exchange && ops_.allreduce_record))) return;
  ops_.close(comm_);
  if (counted)
    fail(OP_ERR_PLUGIN, "communicator ", name_, " runs ", size_, " processes and lacks the entry ",
         ops_.sparse_exchange ? "allreduce_record" : "sparse_exchange", ", which several processes need");
  fail(OP_ERR_PLUGIN, "communicator ", name_, ": it says this is process ", rank_, " of ", size_, " and ", node_rank,
       " of ", node_size, " on this node, which cannot be");
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
