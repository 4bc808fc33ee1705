// Which chunks of which arrays are in memory: their states, the protection of their pages, their ages, and the bytes
// that count. Every function needs the closed gate, and none but add() asks for memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "paging/gate.hpp"
#include "paging/memory.hpp"

namespace op2::core::paging {

// absent: out of reach, without memory. reading: so too, its values are on their way. clean: to be read, and as in the
// file. changed: to be read and written. writing: to be read. Pages of no other chunks than those that are `changed`
// can be written.
enum class State : std::uint8_t { absent, reading, clean, changed, writing };

class Ages;

struct Chunk {
  State state = State::changed;
  bool claimed = false;    // a schedule has loaded it, and has not stored or dropped it
  bool leaves = false;     // when it has been read, or written, its memory is given back
  bool arrived = false;    // has been read, but is kept out of reach: in memory at read_to, NULL: zeros
  char *read_to = nullptr; //
  int pins = 0;            //
  std::int64_t fault = 0;  // which fault brought it last
  std::uint64_t cause = 0; // and what the processor was doing then
  std::uint64_t age = 0;   //
  Ages *list = nullptr;    // in which it is
  Chunk *before = nullptr, *after = nullptr;
  int array = 0;
};

// Chunks in the order in which they came.
class Ages {
 public:
  void append(Chunk &chunk);
  static void take_out(Chunk &chunk);
  Chunk *oldest() const { return first_; } // then Chunk::after

 private:
  Chunk *first_ = nullptr, *last_ = nullptr;
};

struct Array {
  int number = 0;
  std::string name;
  std::size_t skipped = 0; // bytes before the first whole page
  char *begin = nullptr;   //
  std::size_t bytes = 0;   // whole pages
  std::size_t chunk = 0;   // bytes of a chunk; the first and the last one may be smaller
  std::size_t lead = 0;    // bytes that the first one lacks: the others begin at multiples of their size, so that the
                           // kernel can have large pages
  std::int64_t offset = 0; // in the file
  std::vector<Chunk> chunks;

  std::int64_t count() const { return static_cast<std::int64_t>(chunks.size()); }
  Chunk &at(std::int64_t i) { return chunks[static_cast<std::size_t>(i)]; }
  std::size_t start_of(std::int64_t i) const;
  std::int64_t chunk_with(std::size_t byte) const { return static_cast<std::int64_t>((byte + lead) / chunk); }
  char *place(std::int64_t i) const { return begin + start_of(i); }
  std::size_t bytes_of(std::int64_t first, std::int64_t last) const { return start_of(last) - start_of(first); }
  std::int64_t index_of(const Chunk &chunk_of_it) const { return &chunk_of_it - chunks.data(); }
};

// Calls act(first, last) for the longest runs of chunks in [first, last), of at most `most` bytes or one chunk, for
// which is(chunk).
template <class Is, class Act>
void each_run(Array &array, std::int64_t first, std::int64_t last, std::size_t most, const Is &is, const Act &act) {
  for (std::int64_t i = first; i < last;) {
    if (!is(array.at(i))) {
      ++i;
      continue;
    }
    const std::int64_t begin = i;
    do ++i;
    while (i < last && is(array.at(i)) && array.bytes_of(begin, i + 1) <= most);
    act(begin, i);
  }
}
inline constexpr std::size_t any_bytes = SIZE_MAX;

class ChunkTable {
 public:
  explicit ChunkTable(std::size_t limit) : limit_(limit) {}
  // All chunks are changed; empty: absent, as nobody has touched the memory.
  Array &add(std::unique_ptr<Array> array, bool empty);
  // The array is no longer paged; no chunk is on its way.
  void remove(Array &array);
  Array *find(int number) const; // NULL: none
  Array *find(const char *address) const;
  std::span<const std::unique_ptr<Array>> arrays() const { return arrays_; }

  // Each takes chunks [first, last) of one state to another one. False: the kernel refuses, and nothing has changed.
  bool change(Array &array, std::int64_t first, std::int64_t last);    // clean, changed -> changed
  bool give_back(Array &array, std::int64_t first, std::int64_t last); // clean, changed -> absent
  bool make(Array &array, std::int64_t first, std::int64_t last);      // absent -> changed, zeros
  void expect(Array &array, std::int64_t first, std::int64_t last);    // absent -> reading
  // reading -> clean, or changed; from: new_memory() with the values. False: absent, and `from` has ended.
  bool arrive(Array &array, std::int64_t first, std::int64_t last, char *from, bool writable = false);
  void give_up(Array &array, std::int64_t first, std::int64_t last);     // reading -> absent
  bool begin_write(Array &array, std::int64_t first, std::int64_t last); // changed -> writing
  // writing -> clean, or absent if nobody wants the chunk; after an error -> changed.
  void end_write(Array &array, std::int64_t first, std::int64_t last, bool written);

  // Memory to read to, from what was given back if possible; NULL: there is none.
  char *memory_for(std::size_t bytes);
  void keep_pool_below(std::size_t bytes); // together with the chunks in memory

  void claim(Chunk &chunk, bool by_schedule);
  Chunk *oldest_unclaimed() const; // that can be given back; NULL: none
  Chunk *oldest() const;           // that can be given back, whoever brought it

  std::size_t resident() const { return resident_; }
  std::size_t peak() const { return peak_; }
  std::int64_t leaving() const { return leaving_; } // chunks that are being written and then given back

 private:
  void count(std::size_t bytes);
  void list(Chunk &chunk);
  bool give_back_pages(Array &array, std::int64_t first, std::int64_t last);

  std::size_t limit_;
  MemoryPool pool_;                            // up to the limit, together with the chunks in memory
  std::vector<std::unique_ptr<Array>> arrays_; // by number; NULL: removed
  Ages unclaimed_, claimed_;
  std::uint64_t clock_ = 0;
  std::size_t resident_ = 0, peak_ = 0;
  std::int64_t leaving_ = 0;
};

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
