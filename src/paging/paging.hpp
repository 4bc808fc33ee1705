// A pager from inside: chunks that are asked for, requests under way, and what page faults do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "paging/chunk_table.hpp"
#include "paging/engine.hpp"
#include "paging/pager.hpp"
#include "paging/private_file.hpp"
#include "paging/trouble.hpp"

namespace op2::core::paging {

class Paging {
 public:
  explicit Paging(const PagerOptions &options);
  ~Paging();
  Paging(const Paging &) = delete;
  Paging &operator=(const Paging &) = delete;

  int add(void *data, std::size_t bytes, const std::string &name, bool empty);
  void remove(int array, bool keep);

  // How chunks are asked for. by_schedule: page faults do not send them away. counted: as faults. zeros: not read.
  struct Asked {
    bool by_schedule = true, counted = false, zeros = false;
  };
  void ask(std::span<const Chunks> wanted, Asked how);                // begins to read
  void bring(std::span<const Chunks> wanted, Asked how, bool writes); // asks, and waits
  void store(std::span<const Chunks> chunks);
  void drop(std::span<const Chunks> chunks);
  void settle();
  void keep_only(std::span<const Chunks> keep);
  void shrink_to(std::size_t bytes);
  void pin(const Chunks &chunks, int by);

  Chunks chunks_of(int array, std::size_t begin, std::size_t end) const;
  std::int64_t chunks(int array) const;
  std::size_t bytes_of(const Chunks &chunks) const;
  PagerStats stats() const;
  std::string form() const;
  const PagerOptions &options() const { return options_; }

  // Somebody has touched an address in vain; write: to change it; cause: a number for what the processor was doing. The
  // gate is closed, and is opened meanwhile. foreign: the address is in no array. failed: trouble() says why.
  enum class Fault { foreign, served, failed };
  Fault fault(const char *address, bool write, std::uint64_t cause);
  const Trouble &fault_trouble() const { return fault_trouble_; }
  const std::string &folder() const { return file_.folder(); }
  Paging *next = nullptr; // of all pagers, behind the gate

 private:
  using Hold = std::unique_lock<Gate>;
  template <class Act>
  void each_range(std::span<const Chunks> ranges, const Act &act) const;

  // paging.cpp
  void ask_gated(std::span<const Chunks> wanted, Asked how);
  void await_room(std::span<const Chunks> wanted);
  void bring_gated(std::span<const Chunks> wanted, Asked how, bool writes);
  void read(Array &array, std::int64_t first, std::int64_t last, RequestQueue &queue);
  void make(Array &array, std::int64_t first, std::int64_t last);
  void write(Array &array, std::int64_t first, std::int64_t last, RequestQueue &queue);
  Request &new_request(Array &array, std::int64_t first, std::int64_t last);
  void store_gated(std::span<const Chunks> chunks);
  void let_go(Array &array, std::int64_t first, std::int64_t last);
  bool enter(Array &array, std::int64_t i);
  bool on_their_way(std::span<const Chunks> wanted) const;
  bool enter_all(std::span<const Chunks> wanted, bool writes);
  void settle_gated();
  void complete(Request &request);
  void complete_read(Request &request);

  // demand.cpp
  enum class Step { again, done, failed };
  Step serve(Array &array, Chunk &chunk, bool write, std::uint64_t cause);
  bool make_room(std::size_t bytes, bool stuck);
  void send_away(Chunk &chunk);
  bool read_now(Array &array, Chunk &chunk, bool write, std::uint64_t cause);

  // accounts.cpp
  void begin_io();
  void end_io(bool write, std::size_t bytes, int error);
  void note(const Trouble &trouble);
  void throw_trouble();
  void wait_for_bell();

  PagerOptions options_;
  PrivateFile file_;
  ChunkTable table_;
  std::list<Request> requests_; // under way
  Trouble trouble_;             // for the next wait() or settle()
  Trouble fault_trouble_;       // of a page fault
  PagerStats stats_;
  int io_ = 0; // transfers under way
  double io_since_ = 0;
  std::int64_t read_by_faults_ = 0; // chunks that faults are reading now
  bool uring_;
  std::unique_ptr<Engine> engine_; // from the first array on
};

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
