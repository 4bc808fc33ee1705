// Messages of an exchange between processes of one node, handed over in memory that both see: the sender writes into
// the receiver's mailbox, and nobody need call MPI for a message to arrive.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "comm_mpi.hpp"

namespace op2::comm_mpi {

// Memory with a name that other processes of this user can open.
class Segment {
 public:
  Segment() = default;
  ~Segment();
  Segment(Segment &&other) noexcept;
  Segment &operator=(Segment &&other) noexcept;
  static Segment create(const std::string &name, size_t bytes); // zeros; empty when that is not possible
  static Segment open(const std::string &name);
  static void forget(const std::string &name); // no more is it found; whoever has it keeps it
  char *data() const { return data_; }
  size_t size() const { return bytes_; }

 private:
  char *data_ = nullptr;
  size_t bytes_ = 0;
};

// The messages of one exchange that stay on the node. Two slots for each, taken in turn, so a sender may be one
// exchange ahead of the receiver. Waiting for a slot or a message lets MPI move on what else is under way.
class Mailboxes {
 public:
  // Collective over the node, whatever went wrong before on some process (`fine`). NULL on all of them when some
  // process cannot share memory, or when no message stays on the node.
  static std::unique_ptr<Mailboxes> make(op_comm *comm, const op_comm_halo_params &params, bool fine);

  bool sends(int32_t message) const { return out_place_[static_cast<size_t>(message)] >= 0; }
  bool receives(int32_t message) const { return in_place_[static_cast<size_t>(message)] >= 0; }
  // Where messages of the next exchange are to be written, and its arrivals will lie. What arrived last is given up.
  void prepare(void **send, const void **recv);
  void start(); // without prepare() messages come from the buffers and go there
  bool arrived();
  void wait();

 private:
  struct Box { // in the receiver's memory, each counter on a cache line of its own
    alignas(64) int64_t from;
    uint64_t bytes, place[2];
    alignas(64) uint64_t sent;  // exchanges whose message lies here
    alignas(64) uint64_t taken; // exchanges whose message is not needed any more
  };
  struct Message {
    Box *box;
    char *slot[2];
    char *buffer; // the caller's
    size_t bytes;
    bool done;
  };
  explicit Mailboxes(op_comm *comm) : comm_(comm) {}
  bool make_own(const op_comm_halo_params &params, const std::vector<int> &node_rank, const std::string &name);
  bool find_others(const op_comm_halo_params &params, const std::vector<int> &node_rank, const std::string &prefix);
  bool has_room(const Message &message) const;
  bool receive(Message &message) const;
  void give_up_arrivals();
  void await_room();

  op_comm *comm_;
  Segment own_;
  std::vector<Segment> others_;
  std::vector<Message> in_, out_;
  std::vector<int> in_place_, out_place_; // of the caller's messages; -1: not here
  uint64_t round_ = 0;
  bool prepared_ = false; // the caller writes and reads in the slots
};

} // namespace op2::comm_mpi
