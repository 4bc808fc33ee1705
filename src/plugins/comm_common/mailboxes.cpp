#include "mailboxes.hpp"

#include <cstring>
#include <utility>

namespace op2::comm_common {

namespace {

constexpr size_t line = 64;

size_t whole_lines(size_t bytes) { return (bytes + line - 1) / line * line; }

} // namespace

std::unique_ptr<Mailboxes> Mailboxes::make(std::unique_ptr<Neighbourhood> around, const op_comm_halo_params &params,
                                           bool fine) {
  Neighbourhood &others = *around;
  std::unique_ptr<Mailboxes> made(new Mailboxes(std::move(around)));
  // Whatever goes wrong here, the others wait for what this process says.
  const auto works = [](auto &&step) {
    try {
      return step();
    } catch (...) { // no memory; messages will do, or fail with a reason
      return false;
    }
  };
  const bool all_made = others.all_say(fine && works([&] { return made->make_own(params); }));
  const bool all_found = others.all_say(all_made && works([&] { return made->find_others(params); }));
  return all_found && !(made->in_.empty() && made->out_.empty()) ? std::move(made) : nullptr;
}

bool Mailboxes::make_own(const op_comm_halo_params &params) {
  const size_t messages = static_cast<size_t>(params.nrecv);
  in_place_.assign(messages, -1);
  std::vector<size_t> here;
  size_t bytes = line;
  for (size_t i = 0; i < messages; ++i) {
    const size_t length = params.recv_offset[i + 1] - params.recv_offset[i];
    if (length == 0 || around_->neighbour(params.recv_rank[i]) < 0) continue;
    here.push_back(i);
    bytes += sizeof(Box) + 2 * whole_lines(length);
  }
  if (here.empty()) return true;
  char *const own = around_->make(bytes);
  if (!own) return false;
  // A line in front says how many boxes there are.
  const uint64_t count = here.size();
  std::memcpy(own, &count, sizeof count);
  Box *box = reinterpret_cast<Box *>(own + line);
  size_t place = line + here.size() * sizeof(Box);
  for (const size_t i : here) {
    const size_t length = params.recv_offset[i + 1] - params.recv_offset[i];
    const int from = around_->neighbour(params.recv_rank[i]);
    box->from = from;
    box->bytes = length;
    for (uint64_t &slot : box->place) {
      slot = place;
      place += whole_lines(length);
    }
    in_place_[i] = static_cast<int>(in_.size());
    char *const into = static_cast<char *>(params.recv_buffer) + params.recv_offset[i];
    in_.push_back({box, {own + box->place[0], own + box->place[1]}, into, length, from, true});
    ++box;
  }
  return true;
}

bool Mailboxes::find_others(const op_comm_halo_params &params) {
  const size_t messages = static_cast<size_t>(params.nsend);
  out_place_.assign(messages, -1);
  for (size_t i = 0; i < messages; ++i) {
    const size_t length = params.send_offset[i + 1] - params.send_offset[i];
    const int to = around_->neighbour(params.send_rank[i]);
    if (length == 0 || to < 0) continue;
    char *const other = around_->find(to);
    if (!other) return false;
    uint64_t count = 0;
    std::memcpy(&count, other, sizeof count);
    Box *box = reinterpret_cast<Box *>(other + line), *const end = box + count;
    while (box != end && box->from != around_->own()) ++box;
    if (box == end || box->bytes != length) return false; // the two disagree
    out_place_[i] = static_cast<int>(out_.size());
    char *const from = const_cast<char *>(static_cast<const char *>(params.send_buffer)) + params.send_offset[i];
    out_.push_back({box, {other + box->place[0], other + box->place[1]}, from, length, to, true});
  }
  return true;
}

void Mailboxes::give_up_arrivals() {
  for (const Message &message : in_) message.box->taken.tell(round_);
}

void Mailboxes::await_room() {
  if (round_ < 2) return;
  for (const Message &message : out_) around_->await(message.box->taken, round_ - 1, message.neighbour);
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
  for (Message &message : out_) message.box->sent.tell(round_);
  for (Message &message : in_) message.done = false;
}

bool Mailboxes::receive(Message &message) const {
  if (message.done) return true;
  if (message.box->sent.look() < round_) return false;
  if (!prepared_) {
    std::memcpy(message.buffer, message.slot[(round_ - 1) % 2], message.bytes);
    message.box->taken.tell(round_);
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
  for (Message &message : in_) {
    if (!receive(message)) around_->await(message.box->sent, round_, message.neighbour);
    (void)receive(message);
  }
  prepared_ = false;
}

} // namespace op2::comm_common

// SPDX-License-Identifier: MIT
