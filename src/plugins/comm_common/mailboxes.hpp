// Messages of an exchange between processes of one machine, handed over in memory that both see: the sender writes into
// the receiver's mailbox, and nobody need call a library for a message to arrive.
#pragma once

#include <memory>
#include <vector>

#include "counter.hpp"
#include "entry.hpp"

namespace op2::comm_common {

// What a communicator offers the mailboxes of one exchange. It lives as long as they do, and what it has mapped too.
class Neighbourhood {
 public:
  virtual ~Neighbourhood() = default;
  // The number of a process among those that share memory, -1: it does not.
  virtual int neighbour(int rank) const = 0;
  virtual int own() const = 0;
  // Zeros on a page of their own that the others find; NULL when there is no such memory.
  virtual char *make(size_t bytes) = 0;
  virtual char *find(int neighbour) = 0;
  // Collective over those that share memory: whether all say yes. What make() made is there for others afterwards.
  virtual bool all_say(bool yes) = 0;
  // Returns when the counter has reached the number. A failure, thrown, when it never will.
  virtual void await(Counter &counter, uint64_t least, int neighbour) = 0;
};

// The messages of one exchange that go through shared memory. Two slots for each, taken in turn, so a sender may be one
// exchange ahead of the receiver.
class Mailboxes {
 public:
  // Collective over the neighbourhood, whatever went wrong before on some process (`fine`). NULL on all of them when
  // some process cannot share memory, and where no message goes through it.
  static std::unique_ptr<Mailboxes> make(std::unique_ptr<Neighbourhood> around, const op_comm_halo_params &params,
                                         bool fine);

  bool sends(int32_t message) const { return out_place_[static_cast<size_t>(message)] >= 0; }
  bool receives(int32_t message) const { return in_place_[static_cast<size_t>(message)] >= 0; }
  // Where messages of the next exchange are to be written, and its arrivals will lie. What arrived last is given up.
  void prepare(void **send, const void **recv);
  void start(); // without prepare() messages come from the buffers and go there
  bool arrived();
  void wait();

 private:
  struct Box { // in the receiver's memory
    alignas(64) int64_t from;
    uint64_t bytes, place[2];
    Counter sent;  // exchanges whose message lies here
    Counter taken; // exchanges whose message is not needed any more
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
  std::vector<int> in_place_, out_place_; // of the caller's messages; -1: not here
  uint64_t round_ = 0;
  bool prepared_ = false; // the caller writes and reads in the slots
};

} // namespace op2::comm_common
