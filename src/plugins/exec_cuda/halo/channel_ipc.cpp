// channel_ipc.cpp: processes of one machine write into each other's device memory, and tell so by numbers that streams
// wait for.
//
// An exchange gives every process an inbox that the others may write to: room for two rounds of messages, and two words
// for each process: `arrived`, the last round whose message it has put here, and `left`, the last round of ours that it
// has taken out of its own inbox. Round r lies in half r % 2. On the halo stream of each process:
//   send:   for each receiver: wait until it has taken round r - 2 out, copy the message into its inbox, set its
//   `arrived`
//           for each sender:   wait until its `arrived` is r
//   taken:  for each sender:   set its `left` to r
// A wait of round r needs of other processes only what they queue up to round r, before any wait of theirs that needs
// something of r + 1. All queue the rounds in one order, so that none waits for ever.
#include "halo/channel_ipc.hpp"

#include <algorithm>
#include <cstring>
#include <ctime>
#include <utility>

namespace op2::exec_cuda {

IpcChannel::IpcChannel(op_exec &given, const op_exec_channel_params &params)
    : Channel(given, params), entries(given.driver), end_(given.driver) {
  int lowest = 0, highest = 0;
  exec.driver.check(exec.driver.cuCtxGetStreamPriorityRange(&lowest, &highest), "ask for the priorities of streams");
  exec.driver.check(exec.driver.cuStreamCreateWithPriority(&rescue_, CU_STREAM_NON_BLOCKING, highest), "make a stream");
}

std::unique_ptr<ChannelHalo> IpcChannel::make(const op_exec_channel_halo_params &params) {
  if (given_up) throw Failure(OP_ERR_STATE, "link ipc: the job has failed before");
  return std::make_unique<IpcHalo>(*this, params);
}

void IpcChannel::unmap(Inbox &inbox) const {
  for (const auto &[rank, base] : std::exchange(inbox.theirs, {}))
    if (rank != meeting.rank()) entries.close(base);
}

// A round that no one gets to soon. What waits for less goes on.
void IpcChannel::let_go(const Inbox &inbox) const {
  exec.driver.cuMemsetD8Async(inbox.memory->address(), 0x3f, words() * sizeof(uint32_t), rescue_);
}

void IpcChannel::give_up() {
  for (const Inbox *inbox : used) let_go(*inbox);
  for (const std::unique_ptr<Inbox> &inbox : retired) let_go(*inbox);
  exec.driver.cuStreamSynchronize(rescue_);
}

// Memory is freed when nobody writes to it any more.
IpcChannel::~IpcChannel() {
  // After a failure what another process still writes may set a word back, again and again, but not for ever.
  exec.driver.cuEventRecord(end_.get(), exec.streams->halo);
  for (int tries = 0; given_up && tries < 1000 && exec.driver.cuEventQuery(end_.get()) == CUDA_ERROR_NOT_READY;
       ++tries) {
    if (tries % 100 == 99) give_up();
    const timespec pause = {0, 1000000};
    nanosleep(&pause, nullptr);
  }
  if (!given_up) exec.driver.cuStreamSynchronize(exec.streams->halo);
  for (const std::unique_ptr<Inbox> &inbox : retired) unmap(*inbox);
  exec.driver.cuStreamDestroy(rescue_);
  try {
    if (joined) meeting.barrier();
  } catch (const Failure &) { // the processes end one way or another
  }
}

IpcHalo::IpcHalo(IpcChannel &channel, const op_exec_channel_halo_params &params, bool own_lines)
    : channel_(channel), exec_(channel.exec), messages_(params) {
  if (own_lines) messages_.align(cache_line);
  channel_.meeting.together([&] {
    exec_.driver.check(exec_.driver.cuStreamSynchronize(exec_.streams->halo), "wait for halos");
    for (const std::unique_ptr<Inbox> &inbox : channel_.retired) channel_.unmap(*inbox);
    allocate();
  });
  channel_.retired.clear(); // by now all processes have unmapped them
  std::vector<char> mine;
  channel_.meeting.together([&] { mine = offer(); });
  const std::vector<char> offers = channel_.meeting.gather_bytes(mine);
  try {
    channel_.meeting.together([&] { connect(offers); });
  } catch (...) { // nobody uses it, but some may have mapped it
    channel_.retired.push_back(std::move(inbox_));
    throw;
  }
  channel_.used.push_back(inbox_.get());
}

IpcHalo::~IpcHalo() {
  exec_.driver.cuStreamSynchronize(exec_.streams->halo); // the send buffer goes
  std::erase(channel_.used, inbox_.get());
  if (inbox_) channel_.retired.push_back(std::move(inbox_));
}

void IpcHalo::allocate() {
  half_ = whole_blocks(messages_.in_bytes, cache_line);
  send_ = std::make_unique<Device>(exec_.driver, messages_.out_bytes);
  inbox_ = std::make_unique<Inbox>(
      std::make_unique<Device>(exec_.driver, whole_blocks(rounds_at() + 2 * half_, shared_block)));
  exec_.driver.check(exec_.driver.cuMemsetD8Async(inbox_->memory->address(), 0, rounds_at(), exec_.streams->halo),
                     "clear flags");
  exec_.driver.check(exec_.driver.cuStreamSynchronize(exec_.streams->halo), "clear flags"); // before others set them
}

std::vector<char> IpcHalo::offer() const {
  const size_t processes = static_cast<size_t>(channel_.meeting.size());
  Offer offer{};
  exec_.driver.check(channel_.entries.get(&offer.handle, inbox_->memory->address()), "share device memory (CUDA IPC)");
  offer.half = half_;
  std::vector<size_t> layout(2 * processes, 0);
  for (const ChannelMessages::Message &message : messages_.in) {
    layout[static_cast<size_t>(message.rank)] = message.offset;
    layout[processes + static_cast<size_t>(message.rank)] = message.bytes;
  }
  std::vector<char> out(sizeof offer + layout.size() * sizeof(size_t));
  std::memcpy(out.data(), &offer, sizeof offer);
  std::memcpy(out.data() + sizeof offer, layout.data(), layout.size() * sizeof(size_t));
  return out;
}

CUdeviceptr IpcHalo::base_of(int rank, const Offer &offer) {
  if (rank == channel_.meeting.rank()) return inbox_->memory->address();
  if (const auto mapped = inbox_->theirs.find(rank); mapped != inbox_->theirs.end()) return mapped->second;
  CUdeviceptr base = 0;
  const CUresult status = channel_.entries.open(&base, offer.handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
  exec_.driver.check(status, "open device memory of process " + std::to_string(rank) + " (CUDA IPC)");
  inbox_->theirs[rank] = base;
  return base;
}

void IpcHalo::connect(const std::vector<char> &offers) {
  const size_t processes = static_cast<size_t>(channel_.meeting.size()), bytes = offers.size() / processes;
  const auto route = [&](const ChannelMessages::Message &message) {
    const char *at = offers.data() + bytes * static_cast<size_t>(message.rank);
    Offer offer;
    std::memcpy(&offer, at, sizeof offer);
    Route out{message, base_of(message.rank, offer), 0, offer.half};
    size_t expected = 0;
    const char *mine = at + sizeof offer + sizeof(size_t) * static_cast<size_t>(channel_.meeting.rank());
    std::memcpy(&out.offset, mine, sizeof out.offset);
    std::memcpy(&expected, mine + sizeof(size_t) * processes, sizeof expected);
    return std::pair(out, expected);
  };
  for (const ChannelMessages::Message &message : messages_.out) {
    const auto [out, expected] = route(message);
    if (expected != message.bytes)
      throw Failure(OP_ERR_STATE, "link ipc: a message of " + std::to_string(message.bytes) + " bytes for process " +
                                      std::to_string(message.rank) + ", which expects " + std::to_string(expected));
    out_.push_back(out);
  }
  for (const ChannelMessages::Message &message : messages_.in) in_.push_back(route(message).first);
}

void IpcHalo::wait(CUdeviceptr word, uint32_t round) const {
  exec_.driver.check(channel_.entries.wait(exec_.streams->halo, word, round, CU_STREAM_WAIT_VALUE_GEQ),
                     "wait for another process");
}

// The driver orders it behind what the stream wrote before, for whoever sees it.
void IpcHalo::write(CUdeviceptr word, uint32_t round) const {
  exec_.driver.check(channel_.entries.write(exec_.streams->halo, word, round, CU_STREAM_WRITE_VALUE_DEFAULT),
                     "tell another process");
}

CUdeviceptr IpcHalo::send() {
  if (channel_.given_up) throw Failure(OP_ERR_STATE, "link ipc: the job has failed before");
  const uint32_t round = ++round_;
  const size_t half = round % 2;
  const CUdeviceptr own = inbox_->memory->address();
  const int me = channel_.meeting.rank();
  for (const Route &to : out_) {
    if (round > 2) wait(left(own, to.message.rank), round - 2);
    if (to.message.bytes > 0)
      exec_.driver.check(
          exec_.driver.cuMemcpyDtoDAsync(slot(to.theirs, to.half, half, to.offset),
                                         send_->address() + to.message.offset, to.message.bytes, exec_.streams->halo),
          "copy to another process");
    write(arrived(to.theirs, me), round);
  }
  for (const Route &from : in_) wait(arrived(own, from.message.rank), round);
  return own + rounds_at() + half * half_;
}

void IpcHalo::taken() {
  for (const Route &from : in_) write(left(from.theirs, channel_.meeting.rank()), round_);
}

std::unique_ptr<Channel> make_ipc_channel(op_exec &exec, const op_exec_channel_params &params) {
  std::unique_ptr<IpcChannel> made;
  Meeting(params).together([&] { made = std::make_unique<IpcChannel>(exec, params); });
  made->joined = true;
  return made;
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
