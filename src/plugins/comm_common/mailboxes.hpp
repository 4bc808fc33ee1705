// Messages of an exchange between processes of one machine through shared memory: the sender writes into the receiver's
// mailbox, and a message arrives without calls of the receiver.
#pragma once

#include <memory>
#include <vector>

#include "counter.hpp"
#include "entry.hpp"

namespace op2::comm_common {

// What a communicator provides for the mailboxes of one exchange. It and its mappings live as long as they do.
class Neighbourhood {
 public:
  virtual ~Neighbourhood() = default;
  // The number of a process among those that share memory; -1: it does not share it.
  virtual int neighbour(int rank) const = 0;
  virtual int own() const = 0;
  // Zeroed memory on its own pages, which other processes can find(); NULL if there is none.
  virtual char *make(size_t bytes) = 0;
  virtual char *find(int neighbour) = 0;
  // Collective over the processes that share memory: whether all pass true. Afterwards find() finds what make() made.
  virtual bool all_say(bool yes) = 0;
  // Returns when the counter has reached `least`. Throws a Failure when it never will.
  virtual void await(Counter &counter, uint64_t least, int neighbour) = 0;
};

// The messages of one exchange that go through shared memory. Each has two slots, used alternately, so a sender may be
// one exchange ahead of the receiver.
class Mailboxes {
 public:
  // Collective over the neighbourhood. fine: false after a failure on this process. NULL on all processes if one cannot
  // share memory, and on a process without messages through it.
  static std::unique_ptr<Mailboxes> make(std::unique_ptr<Neighbourhood> around, const op_comm_halo_params &params,
                                         bool fine);

  bool sends(int32_t message) const { return out_place_[static_cast<size_t>(message)] >= 0; }
  bool receives(int32_t message) const { return in_place_[static_cast<size_t>(message)] >= 0; }
  // Returns where the caller writes the messages of the next exchange and where its arrivals will lie. Ends the use of
  // the last arrivals.
  void prepare(void **send, const void **recv);
  void start(); // without prepare(): copies messages from and to the buffers
  bool arrived();
  void wait();

 private:
  struct Box { // in the receiver's memory
    alignas(64) int64_t from;
    uint64_t bytes, place[2];
    Counter sent;  // exchanges whose message lies here
    Counter taken; // exchanges whose message the receiver has used
  };
  struct Message {
    Box *box;
    char *slot[2];
    char *buffer; // the caller's
    size_t bytes;
    int neighbour;
    bool done;
  };
  explicit Mailboxes(std::unique_ptr<Neighbourhood> around) : around_(std::move(around)) {}
  bool make_own(const op_comm_halo_params &params);
  bool find_others(const op_comm_halo_params &params);
  bool receive(Message &message) const;
  void give_up_arrivals();
  void await_room();

  std::unique_ptr<Neighbourhood> around_;
  std::vector<Message> in_, out_;
  std::vector<int> in_place_, out_place_; // by message of the caller; -1: not in shared memory
  uint64_t round_ = 0;
  bool prepared_ = false; // the caller writes and reads in the slots
};

} // namespace op2::comm_common

// SPDX-License-Identifier: MIT
