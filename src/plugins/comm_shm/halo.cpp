// Messages between neighbours that are always the same: mailboxes in memory of the receiver's.
#include <algorithm>
#include <vector>

#include "comm_shm.hpp"
#include "plugins/comm_common/mailboxes.hpp"

struct op_comm_halo_s {
  std::unique_ptr<op2::comm_common::Mailboxes> boxes; // NULL: there are no messages here
  std::vector<char *> send, recv;                     // places in the caller's buffers
  bool in_place = false;                              // messages may be written and read in the mailboxes
  bool under_way = false;
};

namespace op2::comm_shm {

namespace {

// All processes of the job, each with one piece of its memory for this exchange.
class Neighbours : public comm_common::Neighbourhood {
 public:
  Neighbours(op_comm *comm, bool &agreed) : comm_(comm), agreed_(agreed) {}
  ~Neighbours() override { comm_->memory.give_back(own_); }
  int own() const override { return comm_->rank(); }
  int neighbour(int rank) const override { return rank; }
  char *make(size_t bytes) override {
    own_ = comm_->memory.make(bytes);
    return own_.data();
  }
  char *find(int neighbour) override {
    const PieceAddress &address = addresses_[static_cast<size_t>(neighbour)];
    if (address.bytes == 0) return nullptr; // it does not expect any message
    others_.push_back(comm_->memory.find(address.offset, address.bytes));
    return others_.back().data();
  }
  // The first time all learn where the pieces lie.
  bool all_say(bool yes) override {
    const PieceAddress mine{own_.offset(), own_.size(), yes};
    bool all = true;
    comm_->board.share(
        sizeof mine, [&](char *into) { std::memcpy(into, &mine, sizeof mine); },
        [&] {
          addresses_.resize(static_cast<size_t>(comm_->size()));
          for (int rank = 0; rank < comm_->size(); ++rank) {
            PieceAddress &its = addresses_[static_cast<size_t>(rank)];
            std::memcpy(&its, comm_->board.of(rank), sizeof its);
            all = all && its.yes;
          }
        });
    agreed_ = all;
    return all;
  }
  void await(comm_common::Counter &counter, uint64_t least, int neighbour) override {
    comm_->memory.await(counter, least, neighbour);
  }

 private:
  struct PieceAddress {
    uint64_t offset, bytes, yes;
  };
  op_comm *comm_;
  bool &agreed_; // outlives the making of the mailboxes, during which alone it is used
  Piece own_;
  std::vector<Piece> others_;
  std::vector<PieceAddress> addresses_;
};

void check_neighbours(const op_comm *comm, int32_t count, const int32_t *ranks, const char *what) {
  for (int32_t i = 0; i < count; ++i)
    if (ranks[i] < 0 || ranks[i] >= comm->size())
      fail(OP_ERR_ARGUMENT, what, " ", i, ": there is no process ", ranks[i], " of ", comm->size());
}

void check(const op_comm *comm, const op_comm_halo_params &params) {
  if (!reaches(params.space))
    fail(OP_ERR_UNSUPPORTED, "messages from memory of kind ", params.space,
         "; plugin shm sends from memory the host can touch (", OP_SPACE_HOST, " and ", OP_SPACE_CUDA_PINNED, ") only");
  check_neighbours(comm, params.nsend, params.send_rank, "message to send");
  check_neighbours(comm, params.nrecv, params.recv_rank, "message to receive");
}

// The others must not wait for a process whose parameters are wrong.
std::unique_ptr<comm_common::Mailboxes> make_boxes(op_comm *comm, const op_comm_halo_params &params) {
  bool agreed = true;
  const auto make = [&](bool fine) {
    return comm_common::Mailboxes::make(std::make_unique<Neighbours>(comm, agreed), params, fine);
  };
  try {
    check(comm, params);
  } catch (...) {
    make(false);
    throw;
  }
  auto made = make(true);
  if (!agreed)
    fail(OP_ERR_PLUGIN,
         "some process has no shared memory for these messages, or refused them, or two processes do not "
         "agree how long the message between them is");
  return made;
}

} // namespace

op_status halo_create(op_comm *comm, const op_comm_halo_params *params, op_comm_halo **halo) {
  return entry(comm->host, [&] {
    auto made = std::make_unique<op_comm_halo>();
    for (int32_t i = 0; i < params->nsend; ++i)
      made->send.push_back(const_cast<char *>(static_cast<const char *>(params->send_buffer)) + params->send_offset[i]);
    for (int32_t i = 0; i < params->nrecv; ++i)
      made->recv.push_back(static_cast<char *>(params->recv_buffer) + params->recv_offset[i]);
    made->in_place = params->space == OP_SPACE_HOST; // a device sees its own pinned memory only
    made->boxes = make_boxes(comm, *params);
    *halo = made.release();
  });
}

op_status halo_start(op_comm *comm, op_comm_halo *halo) {
  return entry(comm->host, [&] {
    if (halo->under_way) fail(OP_ERR_STATE, "these messages are under way; wait for them before they start again");
    if (!halo->boxes) return;
    halo->boxes->start();
    halo->under_way = true;
  });
}

op_status halo_wait(op_comm *comm, op_comm_halo *halo) {
  return entry(comm->host, [&] {
    if (!halo->under_way) return;
    halo->under_way = false;
    halo->boxes->wait();
  });
}

// In a job that ends nothing arrives any more: the wait says so.
int halo_test(op_comm *comm, op_comm_halo *halo) {
  if (!halo->under_way) return 1;
  if (halo->boxes->arrived()) halo->under_way = false;
  return !halo->under_way || ending_of(comm->memory.job()).kind != Ending::none ? 1 : 0;
}

op_status halo_buffers(op_comm *comm, op_comm_halo *halo, void **send, const void **recv) {
  return entry(comm->host, [&] {
    if (halo->under_way)
      fail(OP_ERR_STATE, "these messages are under way; wait for them before they are written again");
    std::copy(halo->send.begin(), halo->send.end(), send);
    std::copy(halo->recv.begin(), halo->recv.end(), recv);
    if (halo->boxes && halo->in_place) halo->boxes->prepare(send, recv);
  });
}

void halo_free(op_comm *, op_comm_halo *halo) { const std::unique_ptr<op_comm_halo> mine(halo); }

} // namespace op2::comm_shm

// SPDX-License-Identifier: MIT
