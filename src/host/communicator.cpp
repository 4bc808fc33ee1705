#include "host/communicator.hpp"

#include "base/error.hpp"
#include "host/tables.hpp"

namespace op2::core {

Communicator::Communicator(Registry &registry, const Services &services, const std::string &name)
    : name_(name), services_(services), ops_(comm_table(registry, registry.get(OP_PLUGIN_COMM, name))) {
  op_comm_params params{};
  params.size = sizeof params;
  params.host = services.table();
  check(ops_.open(&params, &comm_), "open");
  if (!comm_) fail(OP_ERR_PLUGIN, "communicator ", name_, ", open: it reports success but made nothing");
  rank_ = ops_.rank(comm_);
  size_ = ops_.size_of(comm_);
  const int node_rank = ops_.node_rank(comm_), node_size = ops_.node_size(comm_);
  if (rank_ >= 0 && rank_ < size_ && node_rank >= 0 && node_rank < node_size && node_size <= size_) return;
  ops_.close(comm_);
  fail(OP_ERR_PLUGIN, "communicator ", name_, ": it says this is process ", rank_, " of ", size_, " and ", node_rank,
       " of ", node_size, " on this node, which cannot be");
}

Communicator::~Communicator() { ops_.close(comm_); }

void Communicator::check(op_status status, const char *entry) const {
  if (status == OP_OK) return;
  const std::string story = services_.take_failure();
  fail(status, "communicator ", name_, ", ", entry, ": ", story.empty() ? status_name(status) : story);
}

std::int64_t Communicator::sum(std::int64_t value) {
  long long total = value;
  check(ops_.allreduce(comm_, &total, 1, OP_TYPE_LL, OP_COMM_SUM), "allreduce");
  return total;
}

std::int64_t Communicator::sum_before(std::int64_t value) {
  std::int64_t before = 0;
  check(ops_.exscan(comm_, &value, &before, 1), "exscan");
  return before;
}

} // namespace op2::core
