// Arrays of which only a part is in memory: the rest is in a private file, which has no name. An array keeps its
// address, so whoever has a pointer to it uses it as before. Memory is given back, and filled again, in chunks.
//
// Two ways bring chunks into memory. A schedule says what it needs, in time (load, wait), what it has changed, and what
// it needs no more (store, drop); reading and writing go on beside the computation. Whoever touches a chunk that is not
// in memory waits until it has been read (demand paging by page faults), and another chunk is written if the limit says
// so. So everything works, and schedules make it fast.
//
// Any thread may touch the arrays at any time: a chunk appears with all its values at once. One thread at a time calls
// the functions below. A failure that nobody can be told of at once is kept for the next wait() or settle(); what could
// not be written stays in memory. A touch whose chunk cannot be read ends as other page faults do, after a line on
// stderr.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>

namespace op2::core {

enum class IoWay : std::uint8_t { best, uring, threads };

struct PagerOptions {
  std::string folder;          // where the file is made; unlinked at once
  std::size_t limit = 0;       // bytes of arrays in memory, and of memory that is kept to be used again
  std::size_t chunk = 1 << 18; // bytes, a multiple of a page; from 2 MiB on with the kernel's large pages
  IoWay io = IoWay::best;      // uring: OP_ERR_UNSUPPORTED where the kernel does not allow it
  bool direct = true;          // past the kernel's page cache, where the file system allows it
  bool strict = false;         // chunks on their way are out of reach until wait(); for tests
};

// Chunks [first, last) of an array.
struct Chunks {
  int array = 0;
  std::int64_t first = 0, last = 0;
};

struct PagerStats {
  std::size_t resident = 0, peak = 0;       // bytes in memory, also those on their way: now, and the most there were
  std::int64_t faults = 0;                  // chunks that were read because somebody touched them
  double read_bytes = 0, written_bytes = 0; // all
  double wait_seconds = 0;                  // in wait(), settle() and faults, of all threads: not hidden
  double io_seconds = 0;                    // while at least one request was under way
  std::int64_t requests = 0;
};

// Whatever keeps arrays in chunks of which a part is in some memory with a limit: what schedules need of a Pager, for
// the memory of the process, and of a DevicePager (mesh/paged), for that of a device. The functions do what is said
// of those of Pager.
class ChunkStore {
 public:
  virtual ~ChunkStore() = default;
  virtual std::size_t limit() const = 0; // bytes
  virtual std::size_t chunk() const = 0;
  virtual Chunks chunks_of(int array, std::size_t begin, std::size_t end) const = 0;
  virtual std::int64_t chunks(int array) const = 0;
  virtual void load(std::span<const Chunks> chunks) = 0;
  virtual void make(std::span<const Chunks> chunks) = 0;
  virtual void wait(std::span<const Chunks> chunks, bool writes) = 0;
  virtual void store(std::span<const Chunks> chunks) = 0;
  virtual void drop(std::span<const Chunks> chunks) = 0;
  virtual void keep_only(std::span<const Chunks> keep) = 0;
  virtual void remove(int array, bool keep) = 0;
  virtual PagerStats stats() const = 0;
  virtual std::string form() const = 0;

  // keep_only(start), and whether the units of `owner` also ran last: then they are expected to run next, too.
  void begin_units(const void *owner, std::span<const Chunks> start) {
    repeat_ = std::exchange(owner_, owner) == owner;
    keep_only(start);
  }
  bool units_repeat() const { return repeat_; }

 private:
  const void *owner_ = nullptr;
  bool repeat_ = false;
};

class Pager : public ChunkStore {
 public:
  // Makes the file. Throws OP_ERR_FILE with the folder and the reason.
  explicit Pager(const PagerOptions &options);
  ~Pager() override; // all arrays have been removed
  Pager(const Pager &) = delete;
  Pager &operator=(const Pager &) = delete;

  // Pages `bytes` at `data`, which the caller has allocated: only pages that lie in it wholly; what is left over at
  // both ends stays in memory. All chunks are in memory and changed. The file gets room for the array at once: throws
  // OP_ERR_FILE if the file system has none. name: for messages, "dat 'q'". The number of the array; -1: it has
  // no whole page, which all functions take for an array without chunks. The memory is private and anonymous; whoever
  // gives a function of the system a part of it pins that part.
  // empty: the memory has no values yet, and no chunk is in memory.
  int add(void *data, std::size_t bytes, const std::string &name, bool empty = false);
  // The array is ordinary memory again. keep: with all its values in memory, over the limit if need be; throws
  // OP_ERR_FILE if they cannot be read, and the array stays. Nobody touches the array meanwhile.
  void remove(int array, bool keep) override;
  // Chunks begin where their addresses are multiples of their size; the first and the last one may be smaller.
  // The chunks that bytes [begin, end) of the array (counted from `data` of add()) lie in; what is always in memory has
  // none. And the reverse: the bytes of memory of some chunks.
  Chunks chunks_of(int array, std::size_t begin, std::size_t end) const override;
  std::int64_t chunks(int array) const override; // how many the array has
  std::size_t bytes_of(const Chunks &chunks) const;

  // Schedules. All return at once but wait() and settle(); requests that follow each other in an array are merged.
  // Begins to read what is not in memory and not on its way. Waits for room while chunks are being written; else it
  // passes the limit.
  void load(std::span<const Chunks> chunks) override;
  // As load(), for chunks whose values nobody needs: nothing is read; those that were not in memory are zeros.
  void make(std::span<const Chunks> chunks) override;
  // Until they are in memory; writes: they will be changed. Chunks that were not loaded are loaded now, and counted as
  // faults.
  void wait(std::span<const Chunks> chunks, bool writes) override;
  // Begins to write those that were changed; the memory is given back as soon as they are written, that of others at
  // once. Pinned chunks stay as they are.
  void store(std::span<const Chunks> chunks) override;
  // Gives memory back without writing; changes are lost, but for pinned chunks.
  void drop(std::span<const Chunks> chunks) override;
  // Until no request is under way. wait() and settle() throw OP_ERR_FILE what went wrong with requests
  // (OP_ERR_MEMORY: the kernel has no memory, or no ranges of pages), and can be repeated.
  void settle();
  // store() for all chunks in memory that are not in `keep`, also those on their way. Throws as settle().
  void keep_only(std::span<const Chunks> keep) override;
  // Gives memory back (writing what was changed) until at most `bytes` are in memory, oldest first. At once.
  void shrink_to(std::size_t bytes);

  // For functions of the system, which no page fault helps: brings bytes [begin, end) of the array into memory, over
  // the limit if need be, and keeps them there until unpin(). writes: they will be changed.
  void pin(int array, std::size_t begin, std::size_t end, bool writes);
  void unpin(int array, std::size_t begin, std::size_t end);

  const PagerOptions &options() const;
  std::size_t limit() const override { return options().limit; }
  std::size_t chunk() const override { return options().chunk; }
  PagerStats stats() const override;
  std::string form() const override; // "io_uring, direct" or "4 threads, page cache": for log and timing table

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
