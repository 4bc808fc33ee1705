// Messages in device memory that processes of one machine share (CUDA IPC), and the numbers that tell of them: what
// channel_ipc.cpp, whose streams wait for the numbers, and channel_kernel.cpp, whose kernels do, have in common.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "halo/channel.hpp"

namespace op2::exec_cuda {

inline constexpr size_t cache_line = 256;
// Small blocks of the driver lie in one of 2 MiB with others, and it is such a block that is shared.
inline constexpr size_t shared_block = size_t{2} << 20;
constexpr size_t whole_blocks(size_t bytes, size_t to) { return (bytes + to - 1) / to * to; }

struct IpcEntries {
  PFN_cuIpcGetMemHandle_v4010 get = nullptr;
  PFN_cuIpcOpenMemHandle_v11000 open = nullptr;
  PFN_cuIpcCloseMemHandle_v4010 close = nullptr;
  PFN_cuStreamWriteValue32_v11070 write = nullptr;
  PFN_cuStreamWaitValue32_v11070 wait = nullptr;

  explicit IpcEntries(const Driver &driver) {
    driver.find_more("cuIpcGetMemHandle", 4010, get);
    driver.find_more("cuIpcOpenMemHandle", 11000, open);
    driver.find_more("cuIpcCloseMemHandle", 4010, close);
    driver.find_more("cuStreamWriteValue32", 11070, write);
    driver.find_more("cuStreamWaitValue32", 11070, wait);
  }
};

// Memory of this process that others write to, and theirs that it writes to. Both live on after the exchange that used
// them: others may be behind.
struct Inbox {
  explicit Inbox(std::unique_ptr<Device> given) : memory(std::move(given)) {}
  std::unique_ptr<Device> memory;
  std::map<int, CUdeviceptr> theirs; // by rank
};

class IpcChannel : public Channel {
 public:
  IpcChannel(op_exec &given, const op_exec_channel_params &params);
  ~IpcChannel() override;
  std::unique_ptr<ChannelHalo> make(const op_exec_channel_halo_params &params) override;
  void give_up() override;

  void unmap(Inbox &inbox) const;
  size_t words() const { return 2 * static_cast<size_t>(meeting.size()); }
  IpcEntries entries;
  bool joined = false; // all processes have it
  std::vector<Inbox *> used;
  std::vector<std::unique_ptr<Inbox>> retired;

 private:
  void let_go(const Inbox &inbox) const;
  CUstream rescue_ = nullptr;
  Event end_;
};

class IpcHalo : public ChannelHalo {
 public:
  // own_lines: every message that comes begins at a multiple of cache_line. Else messages lie one after another.
  IpcHalo(IpcChannel &channel, const op_exec_channel_halo_params &params, bool own_lines = false);
  ~IpcHalo() override;
  CUdeviceptr send_buffer() const override { return send_->address(); }
  CUdeviceptr send() override;
  void taken() override;

 protected:
  struct Route {
    ChannelMessages::Message message;
    CUdeviceptr theirs = 0; // of the other's inbox
    size_t offset = 0, half = 0;
  };
  size_t rounds_at() const { return whole_blocks(channel_.words() * sizeof(uint32_t), cache_line); }
  CUdeviceptr arrived(CUdeviceptr inbox, int from) const { return inbox + 4 * static_cast<size_t>(from); }
  CUdeviceptr left(CUdeviceptr inbox, int at) const { return arrived(inbox, channel_.meeting.size() + at); }
  CUdeviceptr slot(CUdeviceptr inbox, size_t half_bytes, size_t half, size_t offset) const {
    return inbox + rounds_at() + half * half_bytes + offset;
  }

  IpcChannel &channel_;
  op_exec &exec_;
  ChannelMessages messages_;
  std::unique_ptr<Inbox> inbox_;
  size_t half_ = 0;
  std::vector<Route> out_, in_;
  uint32_t round_ = 0;

 private:
  struct Offer { // what others need to know about an inbox; behind it the offset and length of each process' message
    CUipcMemHandle handle;
    size_t half; // bytes of one round
  };
  void allocate();
  std::vector<char> offer() const;
  void connect(const std::vector<char> &offers);
  CUdeviceptr base_of(int rank, const Offer &offer);
  void wait(CUdeviceptr word, uint32_t round) const;
  void write(CUdeviceptr word, uint32_t round) const;

  std::unique_ptr<Device> send_;
};

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
