// Keeps dats and maps within a limit of memory of a device (OP2_DEVICE_MEMORY_LIMIT): each has addresses for all of its
// rows on the device, and memory for some chunks of them. The memory of the host has the rest, and what the device has
// changed comes there before its chunk leaves.
//
// Chunks travel beside the loops of the device. One thread at a time calls the functions.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "host/executor.hpp"

namespace op2::core {

class DevicePager : public ChunkStore {
 public:
  // limit: bytes; throws OP_ERR_ARGUMENT if that is too little for any loop.
  DevicePager(Executor &executor, double limit);
  ~DevicePager() override; // all arrays have been removed

  // New addresses for `bytes` at `host`, of which no chunk has memory. space: of the memory of the host.
  Storage add(char *host, op_space space, std::size_t bytes);
  void remove(int array, bool keep) override;

  std::size_t limit() const override { return most_ * chunk_; }
  std::size_t chunk() const override { return chunk_; }
  Chunks chunks_of(int array, std::size_t begin, std::size_t end) const override;
  std::int64_t chunks(int array) const override { return static_cast<std::int64_t>(at(array).chunks.size()); }
  void load(std::span<const Chunks> chunks) override;
  void make(std::span<const Chunks> chunks) override; // with undefined values
  void wait(std::span<const Chunks> chunks, bool writes) override;
  void store(std::span<const Chunks> chunks) override { leave(chunks, true); }
  void drop(std::span<const Chunks> chunks) override { leave(chunks, false); }
  void keep_only(std::span<const Chunks> keep) override;

  // All values of the array are in the memory of the host.
  void fetch(int array);
  // The values in the memory of the host are the right ones: no chunk of the array has memory.
  void forget(int array);
  // All chunks of some arrays have memory and values, of which `written` will be changed.
  void need_whole(std::span<const int> read, std::span<const int> written);
  // Throws OP_ERR_MEMORY if they need more than the limit; what: for whom, "the loop".
  void check_whole(std::span<const int> read, std::span<const int> written, const std::string &what) const;

  PagerStats stats() const override { return stats_; }
  std::string form() const override;

 private:
  enum class State : std::uint8_t { absent, coming, clean, changed, leaving };
  struct Chunk {
    State state = State::absent;
    std::int64_t batch = 0; // the last one that it travels with, or that takes its memory
  };
  struct Array {
    char *host = nullptr, *device = nullptr; // NULL: removed
    op_space space = OP_SPACE_NONE;
    std::size_t bytes = 0;
    std::vector<Chunk> chunks;
  };
  // Chunks that travel together.
  struct Batch {
    std::int64_t number;
    op_event event;
    std::vector<Chunks> chunks;
  };
  const Array &at(int array) const { return arrays_[static_cast<std::size_t>(array)]; }
  Array &at(int array) { return arrays_[static_cast<std::size_t>(array)]; }
  Chunks all_of(int array) const { return {array, 0, chunks(array)}; }
  template <class Is, class Act>
  void each_run(std::span<const Chunks> chunks, const Is &is, const Act &act);
  void bring(std::span<const Chunks> chunks, bool with_values);
  void leave(std::span<const Chunks> chunks, bool with_values);
  void copy_to_host(const Chunks &run);
  void commit(const Chunks &run, bool on);
  void make_room(std::int64_t chunks);
  void send(std::vector<Chunks> chunks);
  void complete(std::int64_t batch); // and all before

  Executor &executor_;
  std::size_t chunk_, most_; // bytes; chunks
  std::size_t used_ = 0;     // chunks with memory
  std::vector<Array> arrays_;
  std::deque<Batch> under_way_;
  std::int64_t last_ = 0;
  PagerStats stats_;
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
