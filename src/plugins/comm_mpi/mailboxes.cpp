#include "mailboxes.hpp"

#include <sched.h>

#include <atomic>
#include <cstring>

namespace op2::comm_mpi {

namespace {

constexpr size_t line = 64;

size_t whole_lines(size_t bytes) { return (bytes + line - 1) / line * line; }

uint64_t look(uint64_t &counter) { return std::atomic_ref<uint64_t>(counter).load(std::memory_order_acquire); }
void tell(uint64_t &counter, uint64_t value) {
  std::atomic_ref<uint64_t>(counter).store(value, std::memory_order_release);
}

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

// Ranks in the node, MPI_UNDEFINED for those elsewhere.
std::vector<int> ranks_in_node(op_comm *comm, int32_t count, const int32_t *ranks) {
  std::vector<int> out(static_cast<size_t>(count), MPI_UNDEFINED);
  if (count == 0) return out;
  MPI_Group all = MPI_GROUP_NULL, node = MPI_GROUP_NULL;
  OP2_MPI(MPI_Comm_group, comm->comm, &all);
  OP2_MPI(MPI_Comm_group, comm->node, &node);
  OP2_MPI(MPI_Group_translate_ranks, all, count, ranks, node, out.data());
  OP2_MPI(MPI_Group_free, &all);
  OP2_MPI(MPI_Group_free, &node);
  return out;
}

// The name is for finding each other only.
struct Name {
  const std::string &name;
  explicit Name(const std::string &of) : name(of) {}
  ~Name() { Segment::forget(name); } // of nothing, where there was no message to receive
  Name(const Name &) = delete;
  Name &operator=(const Name &) = delete;
};

bool all_say(op_comm *comm, bool yes) {
  int least = yes ? 1 : 0;
  OP2_MPI(MPI_Allreduce, MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, comm->node);
  return least != 0;
}

} // namespace

std::unique_ptr<Mailboxes> Mailboxes::make(op_comm *comm, const op_comm_halo_params &params, bool fine) {
  if (!comm->shares_memory) return nullptr; // the same on all of the node
  std::unique_ptr<Mailboxes> made(new Mailboxes(comm));
  const std::string prefix = comm->segment_prefix + std::to_string(comm->segments++) + "-";
  const std::string name = prefix + std::to_string(comm->node_rank);
  const Name named{name};
  // Whatever goes wrong here, the others of the node wait for what this process says.
  const auto works = [](auto &&step) {
    try {
      return step();
    } catch (...) { // no memory; messages will do, or fail with a reason
      return false;
    }
  };
  const bool all_made = all_say(
      comm,
      fine && works([&] { return made->make_own(params, ranks_in_node(comm, params.nrecv, params.recv_rank), name); }));
  const bool all_found =
      all_say(comm, all_made && works([&] {
                      return made->find_others(params, ranks_in_node(comm, params.nsend, params.send_rank), prefix);
                    }));
  return all_found && !(made->in_.empty() && made->out_.empty()) ? std::move(made) : nullptr;
}

bool Mailboxes::make_own(const op_comm_halo_params &params, const std::vector<int> &node_rank,
                         const std::string &name) {
  in_place_.assign(node_rank.size(), -1);
  size_t boxes = 0, bytes = 0;
  for (size_t i = 0; i < node_rank.size(); ++i) {
    const size_t length = params.recv_offset[i + 1] - params.recv_offset[i];
    if (node_rank[i] == MPI_UNDEFINED || length == 0) continue;
    ++boxes;
    bytes += sizeof(Box) + 2 * whole_lines(length);
  }
  if (boxes == 0) return true;
  own_ = Segment::create(name, bytes + line);
  if (!own_.data()) return false;
  // A line in front says how many boxes there are.
  const uint64_t count = boxes;
  std::memcpy(own_.data(), &count, sizeof count);
  Box *box = reinterpret_cast<Box *>(own_.data() + line);
  size_t place = line + boxes * sizeof(Box);
  for (size_t i = 0; i < node_rank.size(); ++i) {
    const size_t length = params.recv_offset[i + 1] - params.recv_offset[i];
    if (node_rank[i] == MPI_UNDEFINED || length == 0) continue;
    box->from = node_rank[i];
    box->bytes = length;
    for (uint64_t &slot : box->place) {
      slot = place;
      place += whole_lines(length);
    }
    in_place_[i] = static_cast<int>(in_.size());
    in_.push_back({box,
                   {own_.data() + box->place[0], own_.data() + box->place[1]},
                   static_cast<char *>(params.recv_buffer) + params.recv_offset[i],
                   length,
                   true});
    ++box;
  }
  return true;
}

bool Mailboxes::find_others(const op_comm_halo_params &params, const std::vector<int> &node_rank,
                            const std::string &prefix) {
  out_place_.assign(node_rank.size(), -1);
  for (size_t i = 0; i < node_rank.size(); ++i) {
    const size_t length = params.send_offset[i + 1] - params.send_offset[i];
    if (node_rank[i] == MPI_UNDEFINED || length == 0) continue;
    Segment other = Segment::open(prefix + std::to_string(node_rank[i]));
    if (!other.data()) return false;
    uint64_t count = 0;
    std::memcpy(&count, other.data(), sizeof count);
    Box *box = reinterpret_cast<Box *>(other.data() + line), *const end = box + count;
    while (box != end && box->from != comm_->node_rank) ++box;
    if (box == end || box->bytes != length) return false; // MPI will say what is wrong
    out_place_[i] = static_cast<int>(out_.size());
    out_.push_back({box,
                    {other.data() + box->place[0], other.data() + box->place[1]},
                    const_cast<char *>(static_cast<const char *>(params.send_buffer)) + params.send_offset[i],
                    length,
                    true});
    others_.push_back(std::move(other));
  }
  return true;
}

bool Mailboxes::has_room(const Message &message) const { return look(message.box->taken) + 2 > round_; }

void Mailboxes::give_up_arrivals() {
  for (const Message &message : in_) tell(message.box->taken, round_);
}

void Mailboxes::await_room() {
  Patience patience(comm_);
  for (const Message &message : out_)
    while (!has_room(message)) patience.pause();
}

// `round_` counts exchanges that were started; slots alternate.
void Mailboxes::prepare(void **send, const void **recv) {
  give_up_arrivals();
  await_room();
  for (size_t i = 0; i < out_place_.size(); ++i)
    if (out_place_[i] >= 0) send[i] = out_[static_cast<size_t>(out_place_[i])].slot[round_ % 2];
  for (size_t i = 0; i < in_place_.size(); ++i)
    if (in_place_[i] >= 0) recv[i] = in_[static_cast<size_t>(in_place_[i])].slot[round_ % 2];
  prepared_ = true;
}

void Mailboxes::start() {
  if (!prepared_) {
    give_up_arrivals();
    await_room();
    for (const Message &message : out_) std::memcpy(message.slot[round_ % 2], message.buffer, message.bytes);
  }
  ++round_;
  for (Message &message : out_) tell(message.box->sent, round_);
  for (Message &message : in_) message.done = false;
}

bool Mailboxes::receive(Message &message) const {
  if (message.done) return true;
  if (look(message.box->sent) < round_) return false;
  if (!prepared_) {
    std::memcpy(message.buffer, message.slot[(round_ - 1) % 2], message.bytes);
    tell(message.box->taken, round_);
  }
  return message.done = true;
}

bool Mailboxes::arrived() {
  bool all = true;
  for (Message &message : in_) all = receive(message) && all;
  if (all) prepared_ = false;
  return all;
}

void Mailboxes::wait() {
  Patience patience(comm_);
  for (Message &message : in_)
    while (!receive(message)) patience.pause();
  prepared_ = false;
}

} // namespace op2::comm_mpi
