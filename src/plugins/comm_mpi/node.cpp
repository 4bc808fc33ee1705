#include "node.hpp"

#include <sched.h>

#include "segment.hpp"

namespace op2::comm_mpi {

namespace {

// Waiting for another process of the node. It may be waiting for a message of ours, which MPI only moves when it is
// called, and it may need this core.
class Patience {
 public:
  explicit Patience(op_comm *comm) : comm_(comm) {}
  void pause() {
    constexpr int soon = 1000;
    if (++turns_ < soon) {
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause();
#endif
      return;
    }
    int nothing = 0;
    OP2_MPI(MPI_Iprobe, MPI_ANY_SOURCE, tag_nobody, comm_->comm, &nothing, MPI_STATUS_IGNORE);
    sched_yield();
  }

 private:
  op_comm *comm_;
  int turns_ = 0;
};

// The processes of the node, each with a segment for this exchange. Their names are for finding each other only.
class Node : public comm_common::Neighbourhood {
 public:
  Node(op_comm *comm, op_space space)
      : comm_(comm),
        prefix_(comm->segment_prefix + std::to_string(comm->segments++) + "-"),
        name_(name_of(own())),
        on_device_(static_cast<size_t>(comm->node_size)) {
    const char mine = space == OP_SPACE_CUDA ? 1 : 0; // processes need not agree
    OP2_MPI(MPI_Allgather, &mine, 1, MPI_CHAR, on_device_.data(), 1, MPI_CHAR, comm->node);
  }
  ~Node() override { forget(); }
  int own() const override { return comm_->node_rank; }

  int neighbour(int rank) const override {
    MPI_Group all = MPI_GROUP_NULL, node = MPI_GROUP_NULL;
    int out = MPI_UNDEFINED;
    OP2_MPI(MPI_Comm_group, comm_->comm, &all);
    OP2_MPI(MPI_Comm_group, comm_->node, &node);
    OP2_MPI(MPI_Group_translate_ranks, all, 1, &rank, node, &out);
    OP2_MPI(MPI_Group_free, &all);
    OP2_MPI(MPI_Group_free, &node);
    if (out == MPI_UNDEFINED || on_device(own()) || on_device(out)) return -1;
    return out;
  }
  char *make(size_t bytes) override {
    own_ = Segment::create(name_, bytes);
    return own_.data();
  }
  char *find(int neighbour) override {
    others_.push_back(Segment::open(name_of(neighbour)));
    return others_.back().data();
  }
  bool all_say(bool yes) override {
    int least = yes ? 1 : 0;
    OP2_MPI(MPI_Allreduce, MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm_->node);
    return least != 0;
  }
  void await(comm_common::Counter &counter, uint64_t least, int) override {
    Patience patience(comm_);
    while (counter.look() < least) patience.pause();
  }
  void forget() { Segment::forget(name_); } // of nothing, where there was no message to receive

 private:
  std::string name_of(int node_rank) const { return prefix_ + std::to_string(node_rank); }
  bool on_device(int node_rank) const { return on_device_[static_cast<size_t>(node_rank)] != 0; }
  op_comm *comm_;
  std::string prefix_, name_;
  std::vector<char> on_device_; // where the buffers of each process of the node lie
  Segment own_;
  std::vector<Segment> others_;
};

} // namespace

std::unique_ptr<comm_common::Mailboxes> node_mailboxes(op_comm *comm, const op_comm_halo_params &params, bool fine) {
  if (!comm->shares_memory) return nullptr; // the same on all of the node
  auto node = std::make_unique<Node>(comm, params.space);
  Node &here = *node;
  std::unique_ptr<comm_common::Mailboxes> made = comm_common::Mailboxes::make(std::move(node), params, fine);
  if (made) here.forget(); // all have found what they seek
  return made;
}

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
