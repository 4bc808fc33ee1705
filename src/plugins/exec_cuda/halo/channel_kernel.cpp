// channel_kernel.cpp: messages that kernels send and wait for (device/exchange.h), in memory that processes share as in
// channel_ipc.cpp: the same inbox, the same words, the same rounds in two halves. The driver only launches.
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include "halo/channel_ipc.hpp"
#include "halo/exchange.hpp"

namespace op2::exec_cuda {

namespace {

// Waits for the end of other processes, which no kernel could see: their messages never come. A process of a channel
// that has not been closed must not end.
class Watch {
 public:
  Watch(op_exec &exec, unsigned *lost, const std::vector<int> &processes, int own) : lost_(lost) {
    stop_ = eventfd(0, EFD_CLOEXEC);
    files_.push_back({stop_, POLLIN, 0});
    for (size_t rank = 0; rank < processes.size(); ++rank) {
      if (processes[rank] == own) continue;
      const long file = syscall(SYS_pidfd_open, processes[rank], 0);
      if (file < 0) continue; // an old kernel: a launcher ends the job
      files_.push_back({static_cast<int>(file), POLLIN, 0});
      ranks_.push_back(static_cast<int>(rank));
    }
    thread_ = std::thread([this, &exec] { watch(exec); });
  }
  ~Watch() {
    const uint64_t one = 1;
    if (::write(stop_, &one, sizeof one) == sizeof one) thread_.join();
    for (const pollfd &file : files_) ::close(file.fd);
  }
  Watch(const Watch &) = delete;
  Watch &operator=(const Watch &) = delete;

 private:
  void watch(op_exec &exec) {
    while (poll(files_.data(), files_.size(), -1) < 0) {
    }
    if (files_[0].revents != 0) return;
    for (size_t i = 0; i < ranks_.size(); ++i)
      if (files_[i + 1].revents != 0) exec.lost = ranks_[i];
    *static_cast<volatile unsigned *>(lost_) = 1; // after the name: kernels end now, and the host asks for it then
  }

  unsigned *lost_;
  int stop_ = -1;
  std::vector<pollfd> files_;
  std::vector<int> ranks_;
  std::thread thread_;
};

class KernelChannel : public IpcChannel {
 public:
  KernelChannel(op_exec &given, const op_exec_channel_params &params);
  ~KernelChannel() override;
  std::unique_ptr<ChannelHalo> make(const op_exec_channel_halo_params &params) override;
  void give_up() override;
  void begin_watch(const std::vector<int> &processes) {
    watch_ = std::make_unique<Watch>(exec, lost(), processes, getpid());
  }
  unsigned *lost() const { return reinterpret_cast<unsigned *>(lost_.data()); }

 private:
  Pinned lost_; // one word that kernels look at while they wait
  std::unique_ptr<Watch> watch_;
  bool told_ = false;
};

class KernelMessages : public IpcHalo, public KernelHalo {
 public:
  KernelMessages(KernelChannel &channel, const op_exec_channel_halo_params &params);
  ~KernelMessages() override;
  CUdeviceptr send() override;
  void taken() override;
  void describe(op2_exchange_params &params) const override;

 private:
  const unsigned *lost_;
  std::unique_ptr<Device> to_, from_, no_chunks_, state_;
};

KernelChannel::KernelChannel(op_exec &given, const op_exec_channel_params &params)
    : IpcChannel(given, params), lost_(given.driver, sizeof(unsigned)) {
  *lost() = 0;
  if (!exec.exchanges) exec.exchanges = std::make_unique<Exchanges>(exec);
}

KernelChannel::~KernelChannel() {
  exec.host->log(exec.host, OP_LOG_INFO, ("link kernel: " + exec.exchanges->report()).c_str());
  exec.driver.cuStreamSynchronize(exec.streams->compute);
  watch_.reset(); // from now on others may end
}

void KernelChannel::give_up() {
  *static_cast<volatile unsigned *>(lost()) = 1;
  IpcChannel::give_up();
}

// One block that waits, one for each message that leaves, one for each that comes.
std::unique_ptr<ChannelHalo> KernelChannel::make(const op_exec_channel_halo_params &params) {
  const int blocks = params.nsend + params.nrecv + 1;
  int fits = 0;
  meeting.together([&] {
    exec.driver.check(exec.driver.cuStreamSynchronize(exec.streams->compute), "wait for exchanges");
    fits = exec.exchanges->fits(blocks) ? 1 : 0;
  });
  bool all = true;
  for (const int one : meeting.gather(fits)) all = all && one == 1;
  if (all && !given_up) return std::make_unique<KernelMessages>(*this, params);
  if (!all && !told_)
    exec.host->log(exec.host, OP_LOG_INFO,
                   ("link kernel: the device of a process does not run at a time what an exchange needs, " +
                    std::to_string(blocks) + " blocks here; streams send and wait")
                       .c_str());
  told_ = true;
  return IpcChannel::make(params);
}

template <class T>
std::unique_ptr<Device> table_of(op_exec &exec, const std::vector<T> &entries) {
  auto out = std::make_unique<Device>(exec.driver, std::max<size_t>(1, entries.size()) * sizeof(T));
  exec.upload->put(out->address(), entries.data(), entries.size() * sizeof(T));
  return out;
}

template <class T>
T *at(CUdeviceptr address) {
  return reinterpret_cast<T *>(address); // NOLINT: device addresses are numbers
}

KernelMessages::KernelMessages(KernelChannel &channel, const op_exec_channel_halo_params &params)
    : IpcHalo(channel, params, true), lost_(channel.lost()) {
  resident_ = params.nsend + params.nrecv + 1;
  const CUdeviceptr own = inbox_->memory->address();
  const int me = channel.meeting.rank();
  std::vector<op2_exchange_to> to;
  for (const Route &r : out_)
    to.push_back({{at<char>(slot(r.theirs, r.half, 0, r.offset)), at<char>(slot(r.theirs, r.half, 1, r.offset))},
                  at<unsigned>(arrived(r.theirs, me)),
                  at<unsigned>(left(own, r.message.rank))});
  std::vector<op2_exchange_from> from;
  for (const Route &r : in_)
    from.push_back({{at<char>(slot(own, half_, 0, r.message.offset)), at<char>(slot(own, half_, 1, r.message.offset))},
                    at<unsigned>(arrived(own, r.message.rank)),
                    at<unsigned>(left(r.theirs, me))});
  const std::vector<unsigned> zeros(OP2_EXCHANGE_STATE + to.size() + from.size(), 0);
  // Others wait for this process by now, so that a failure here is one of the whole job.
  to_ = table_of(exec_, to);
  from_ = table_of(exec_, from);
  no_chunks_ = table_of(exec_, zeros);
  state_ = table_of(exec_, zeros);
  exec_.exchanges->add(send_buffer(), *this);
  exec_.exchanges->add(own, *this);
}

KernelMessages::~KernelMessages() {
  exec_.exchanges->remove(*this);
  exec_.driver.cuStreamSynchronize(exec_.streams->compute); // the tables go
}

void KernelMessages::describe(op2_exchange_params &params) const {
  params.to = to_->as<const op2_exchange_to>();
  params.from = from_->as<const op2_exchange_from>();
  params.nto = static_cast<unsigned>(out_.size());
  params.nfrom = static_cast<unsigned>(in_.size());
  params.pack_chunks = no_chunks_->as<const unsigned>();
  params.state = state_->as<unsigned>();
  params.lost = lost_;
  params.round = round_;
}

CUdeviceptr KernelMessages::send() {
  if (channel_.given_up) throw Failure(OP_ERR_STATE, "link kernel: the job has failed before");
  exec_.exchanges->flush(); // a round of these messages may be held back
  ++round_;
  exec_.exchanges->send(*this);
  set_unpack(nullptr);
  return inbox_->memory->address();
}

void KernelMessages::taken() { exec_.exchanges->receive(*this); }

} // namespace

void need_all_processes(const op_exec &exec) {
  const int rank = exec.lost;
  if (rank >= 0)
    throw Failure(OP_ERR_PLUGIN, "link kernel: process " + std::to_string(rank) +
                                     " has ended, whose rows this process waits for; its own messages say why");
}

std::unique_ptr<Channel> make_kernel_channel(op_exec &exec, const op_exec_channel_params &params) {
  std::unique_ptr<KernelChannel> made;
  const Meeting meeting(params);
  meeting.together([&] { made = std::make_unique<KernelChannel>(exec, params); });
  made->joined = true;
  made->begin_watch(meeting.gather(static_cast<int>(getpid())));
  return made;
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
