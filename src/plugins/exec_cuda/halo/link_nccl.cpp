// link_nccl.cpp: messages by NCCL, grouped sends and receives on the halo stream. One communicator, on one stream.
#include <unistd.h>

#include <array>
#include <fstream>

#include "halo/link.hpp"
#include "halo/nccl.hpp"

namespace op2::exec_cuda {

namespace {

constexpr unsigned look_every = 64; // rounds, for errors of NCCL's own threads

// The machine and the device, as NCCL tells devices apart.
struct Place {
  std::array<char, 256> machine{};
  std::array<char, 32> bus{};
  friend bool operator==(const Place &, const Place &) = default;
};

Place place_of(const op_exec &exec) {
  Place place;
  gethostname(place.machine.data(), 128);
  std::ifstream boot("/proc/sys/kernel/random/boot_id"); // names of machines may be equal
  boot.getline(place.machine.data() + 128, 127);
  PFN_cuDeviceGetPCIBusId_v4010 bus_of = nullptr;
  exec.driver.find_more("cuDeviceGetPCIBusId", 4010, bus_of);
  exec.driver.check(bus_of(place.bus.data(), static_cast<int>(place.bus.size()), exec.device), "ask for the bus");
  return place;
}

class NcclLink : public op_exec_link_s {
 public:
  NcclLink(op_exec &given, const op_exec_link_params &params) : op_exec_link_s(given, params) {}
  ~NcclLink() override;
  void open(); // collective
  std::unique_ptr<op_exec_link_halo_s> make(const op_exec_link_halo_params &params) override;
  void give_up() override;
  void look_for_errors() const;

  Nccl nccl;
  Nccl::Comm comm = nullptr;
};

class NcclHalo : public op_exec_link_halo_s {
 public:
  NcclHalo(NcclLink &link, const op_exec_link_halo_params &params) : link_(link), messages_(params) {
    link.meeting.together([&] {
      send_ = std::make_unique<Device>(link.exec.driver, messages_.out_bytes);
      recv_ = std::make_unique<Device>(link.exec.driver, messages_.in_bytes);
    });
  }
  ~NcclHalo() override { link_.exec.driver.cuStreamSynchronize(link_.exec.streams->halo); }
  CUdeviceptr send_buffer() const override { return send_->address(); }
  CUdeviceptr send() override;
  void taken() override {} // the next receives come behind it on the stream

 private:
  void queue(const Nccl &nccl);
  NcclLink &link_;
  LinkMessages messages_;
  std::unique_ptr<Device> send_, recv_;
  unsigned rounds_ = 0;
};

void NcclLink::open() {
  Place mine;
  meeting.together([&] {
    nccl = Nccl::load(setting(exec.host, "OP2_NCCL"));
    mine = place_of(exec);
  });
  const std::vector<Place> all = meeting.gather(mine);
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

NcclLink::~NcclLink() {
  if (!comm) return;
  exec.driver.cuStreamSynchronize(exec.streams->halo);
  nccl.ncclCommDestroy(comm);
}

std::unique_ptr<op_exec_link_halo_s> NcclLink::make(const op_exec_link_halo_params &params) {
  return std::make_unique<NcclHalo>(*this, params);
}

void NcclLink::give_up() {
  if (comm) nccl.ncclCommAbort(comm); // what is under way ends
  comm = nullptr;
}

void NcclLink::look_for_errors() const {
  if (!comm) throw Failure(OP_ERR_STATE, "link nccl: the job has failed before");
  Nccl::Result error = Nccl::success;
  nccl.check(nccl.ncclCommGetAsyncError(comm, &error), "look for errors");
  if (error != Nccl::in_progress) nccl.check(error, "messages sent before");
}

void NcclHalo::queue(const Nccl &nccl) {
  void *const stream = link_.exec.streams->halo;
  for (const LinkMessages::Message &to : messages_.out)
    if (to.bytes > 0)
      nccl.check(
          nccl.ncclSend(send_->as<const char>() + to.offset, to.bytes, Nccl::type_bytes, to.rank, link_.comm, stream),
          "send");
  for (const LinkMessages::Message &from : messages_.in)
    if (from.bytes > 0)
      nccl.check(
          nccl.ncclRecv(recv_->as<char>() + from.offset, from.bytes, Nccl::type_bytes, from.rank, link_.comm, stream),
          "receive");
}

CUdeviceptr NcclHalo::send() {
  if (!link_.comm || rounds_++ % look_every == 0) link_.look_for_errors();
  const Nccl &nccl = link_.nccl;
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

std::unique_ptr<op_exec_link_s> make_nccl_link(op_exec &exec, const op_exec_link_params &params) {
  auto made = std::make_unique<NcclLink>(exec, params);
  made->open();
  return made;
}

} // namespace op2::exec_cuda
