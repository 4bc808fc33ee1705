// channel_nccl.cpp: messages by NCCL, grouped sends and receives on the halo stream. One communicator, on one stream.
#include <unistd.h>

#include <array>
#include <fstream>

#include "halo/channel.hpp"
#include "halo/nccl.hpp"

namespace op2::exec_cuda {

namespace {

constexpr unsigned look_every = 64; // rounds, for errors of NCCL's own threads

// The machine and the device, as NCCL tells devices apart.
struct DeviceIdentity {
  std::array<char, 256> machine{};
  std::array<char, 32> bus{};
  friend bool operator==(const DeviceIdentity &, const DeviceIdentity &) = default;
};

DeviceIdentity identity_of(const op_exec &exec) {
  DeviceIdentity identity;
  gethostname(identity.machine.data(), 128);
  std::ifstream boot("/proc/sys/kernel/random/boot_id"); // names of machines may be equal
  boot.getline(identity.machine.data() + 128, 127);
  PFN_cuDeviceGetPCIBusId_v4010 bus_of = nullptr;
  exec.driver.find_more("cuDeviceGetPCIBusId", 4010, bus_of);
  exec.driver.check(bus_of(identity.bus.data(), static_cast<int>(identity.bus.size()), exec.device), "ask for the bus");
  return identity;
}

class NcclChannel : public Channel {
 public:
  NcclChannel(op_exec &given, const op_exec_channel_params &params) : Channel(given, params) {}
  ~NcclChannel() override;
  void open(); // collective
  std::unique_ptr<ChannelHalo> make(const op_exec_channel_halo_params &params) override;
  void give_up() override;
  void look_for_errors() const;

  Nccl nccl;
  Nccl::Comm comm = nullptr;
};

class NcclHalo : public ChannelHalo {
 public:
  NcclHalo(NcclChannel &channel, const op_exec_channel_halo_params &params) : channel_(channel), messages_(params) {
    channel.meeting.together([&] {
      send_ = std::make_unique<Device>(channel.exec.driver, messages_.out_bytes);
      recv_ = std::make_unique<Device>(channel.exec.driver, messages_.in_bytes);
    });
  }
  ~NcclHalo() override { channel_.exec.driver.cuStreamSynchronize(channel_.exec.streams->halo); }
  CUdeviceptr send_buffer() const override { return send_->address(); }
  CUdeviceptr send() override;
  void taken() override {} // the next receives come behind it on the stream

 private:
  void queue(const Nccl &nccl);
  NcclChannel &channel_;
  ChannelMessages messages_;
  std::unique_ptr<Device> send_, recv_;
  unsigned rounds_ = 0;
};

void NcclChannel::open() {
  DeviceIdentity mine;
  meeting.together([&] {
    nccl = Nccl::load(setting(exec.host, "OP2_CUDA_PATH"));
    mine = identity_of(exec);
  });
  const std::vector<DeviceIdentity> all = meeting.gather(mine);
  for (size_t p = 0; p < all.size(); ++p)
    for (size_t q = 0; q < p; ++q)
      if (all[p] == all[q])
        throw Failure(OP_ERR_UNSUPPORTED, "processes " + std::to_string(q) + " and " + std::to_string(p) +
                                              " share device " + all[p].bus.data() + ", which NCCL does not serve");
  Nccl::UniqueId id{};
  meeting.together([&] {
    if (meeting.rank() == 0) nccl.check(nccl.ncclGetUniqueId(&id), "make an id");
  });
  id = meeting.gather(id).front();
  meeting.barrier(); // nobody starts NCCL while others still talk
  meeting.together(
      [&] { nccl.check(nccl.ncclCommInitRank(&comm, meeting.size(), id, meeting.rank()), "start a communicator"); });
}

NcclChannel::~NcclChannel() {
  if (!comm) return;
  exec.driver.cuStreamSynchronize(exec.streams->halo);
  nccl.ncclCommDestroy(comm);
}

std::unique_ptr<ChannelHalo> NcclChannel::make(const op_exec_channel_halo_params &params) {
  return std::make_unique<NcclHalo>(*this, params);
}

void NcclChannel::give_up() {
  if (comm) nccl.ncclCommAbort(comm); // what is under way ends
  comm = nullptr;
}

void NcclChannel::look_for_errors() const {
  if (!comm) throw Failure(OP_ERR_STATE, "link nccl: the job has failed before");
  Nccl::Result error = Nccl::success;
  nccl.check(nccl.ncclCommGetAsyncError(comm, &error), "look for errors");
  if (error != Nccl::in_progress) nccl.check(error, "messages sent before");
}

void NcclHalo::queue(const Nccl &nccl) {
  void *const stream = channel_.exec.streams->halo;
  for (const ChannelMessages::Message &to : messages_.out)
    if (to.bytes > 0)
      nccl.check(nccl.ncclSend(send_->as<const char>() + to.offset, to.bytes, Nccl::type_bytes, to.rank, channel_.comm,
                               stream),
                 "send");
  for (const ChannelMessages::Message &from : messages_.in)
    if (from.bytes > 0)
      nccl.check(nccl.ncclRecv(recv_->as<char>() + from.offset, from.bytes, Nccl::type_bytes, from.rank, channel_.comm,
                               stream),
                 "receive");
}

CUdeviceptr NcclHalo::send() {
  if (!channel_.comm || rounds_++ % look_every == 0) channel_.look_for_errors();
  const Nccl &nccl = channel_.nccl;
  nccl.check(nccl.ncclGroupStart(), "begin a group");
  try {
    queue(nccl);
  } catch (...) {
    nccl.ncclGroupEnd();
    throw;
  }
  nccl.check(nccl.ncclGroupEnd(), "end a group");
  return recv_->address();
}

} // namespace

std::unique_ptr<Channel> make_nccl_channel(op_exec &exec, const op_exec_channel_params &params) {
  auto made = std::make_unique<NcclChannel>(exec, params);
  made->open();
  return made;
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
