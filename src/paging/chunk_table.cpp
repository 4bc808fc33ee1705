#include "paging/chunk_table.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace op2::core::paging {

void Ages::append(Chunk &chunk) {
  chunk.list = this;
  chunk.before = last_;
  chunk.after = nullptr;
  (last_ ? last_->after : first_) = &chunk;
  last_ = &chunk;
}

void Ages::take_out(Chunk &chunk) {
  if (!chunk.list) return;
  (chunk.before ? chunk.before->after : chunk.list->first_) = chunk.after;
  (chunk.after ? chunk.after->before : chunk.list->last_) = chunk.before;
  chunk.list = nullptr;
}

std::size_t Array::start_of(std::int64_t i) const {
  return i == 0 ? 0 : std::min(bytes, static_cast<std::size_t>(i) * chunk - lead);
}

Array &ChunkTable::add(std::unique_ptr<Array> array, bool empty) {
  auto slot = std::find(arrays_.begin(), arrays_.end(), nullptr);
  if (slot == arrays_.end()) slot = arrays_.insert(slot, nullptr);
  *slot = std::move(array);
  Array &added = **slot;
  added.number = static_cast<int>(slot - arrays_.begin());
  for (Chunk &chunk : added.chunks) {
    chunk.array = added.number;
    list(chunk);
  }
  const std::size_t peak = peak_;
  count(added.bytes);
  if (empty && give_back(added, 0, added.count())) peak_ = peak;
  return added;
}

void ChunkTable::remove(Array &array) {
  for (Chunk &chunk : array.chunks) {
    Ages::take_out(chunk);
    const std::int64_t i = array.index_of(chunk);
    if (chunk.state != State::absent) resident_ -= array.bytes_of(i, i + 1);
  }
  arrays_[static_cast<std::size_t>(array.number)].reset();
}

Array *ChunkTable::find(int number) const {
  return number >= 0 && static_cast<std::size_t>(number) < arrays_.size()
             ? arrays_[static_cast<std::size_t>(number)].get()
             : nullptr;
}

Array *ChunkTable::find(const char *address) const {
  for (const auto &array : arrays_)
    if (array && address >= array->begin && address < array->begin + array->bytes) return array.get();
  return nullptr;
}

void ChunkTable::count(std::size_t bytes) {
  resident_ += bytes;
  peak_ = std::max(peak_, resident_);
  keep_pool_below(limit_);
}

void ChunkTable::keep_pool_below(std::size_t bytes) { pool_.shrink(bytes > resident_ ? bytes - resident_ : 0); }

char *ChunkTable::memory_for(std::size_t bytes) {
  char *const memory = pool_.take(bytes);
  return memory ? memory : new_memory(bytes);
}

void ChunkTable::list(Chunk &chunk) {
  chunk.age = ++clock_;
  (chunk.claimed ? claimed_ : unclaimed_).append(chunk);
}

void ChunkTable::claim(Chunk &chunk, bool by_schedule) {
  if (chunk.claimed == by_schedule) return;
  chunk.claimed = by_schedule;
  if (!chunk.list) return;
  Ages::take_out(chunk);
  list(chunk);
}

Chunk *ChunkTable::oldest_unclaimed() const {
  Chunk *chunk = unclaimed_.oldest();
  while (chunk && chunk->pins > 0) chunk = chunk->after;
  return chunk;
}

Chunk *ChunkTable::oldest() const {
  Chunk *chunk = claimed_.oldest();
  while (chunk && chunk->pins > 0) chunk = chunk->after;
  Chunk *const other = oldest_unclaimed();
  return !chunk || (other && other->age < chunk->age) ? other : chunk;
}

bool ChunkTable::change(Array &array, std::int64_t first, std::int64_t last) {
  if (!protect_writable(array.place(first), array.bytes_of(first, last))) return false;
  for (std::int64_t i = first; i < last; ++i) array.at(i).state = State::changed;
  return true;
}

// Into the pool, at once, or in halves where the range is several ones for the kernel.
bool ChunkTable::give_back_pages(Array &array, std::int64_t first, std::int64_t last) {
  const std::size_t bytes = array.bytes_of(first, last);
  if (char *const memory = detach_memory(array.place(first), bytes)) {
    pool_.put(memory, bytes);
    return true;
  }
  if (last - first == 1) return give_back_memory(array.place(first), bytes);
  const std::int64_t middle = first + (last - first) / 2;
  const bool half = give_back_pages(array, first, middle);
  return give_back_pages(array, middle, last) && half;
}

bool ChunkTable::give_back(Array &array, std::int64_t first, std::int64_t last) {
  if (!give_back_pages(array, first, last)) return false;
  resident_ -= array.bytes_of(first, last);
  keep_pool_below(limit_);
  for (std::int64_t i = first; i < last; ++i) {
    Ages::take_out(array.at(i));
    array.at(i).state = State::absent;
    array.at(i).claimed = false;
  }
  return true;
}

bool ChunkTable::make(Array &array, std::int64_t first, std::int64_t last) {
  const std::size_t bytes = array.bytes_of(first, last);
  if (char *const memory = pool_.take(bytes)) {
    std::memset(memory, 0, bytes);
    expect(array, first, last);
    return arrive(array, first, last, memory, true);
  }
  if (!protect_writable(array.place(first), bytes)) return false;
  count(bytes);
  for (std::int64_t i = first; i < last; ++i) {
    array.at(i).state = State::changed;
    list(array.at(i));
  }
  return true;
}

void ChunkTable::expect(Array &array, std::int64_t first, std::int64_t last) {
  count(array.bytes_of(first, last));
  for (std::int64_t i = first; i < last; ++i) {
    array.at(i).state = State::reading;
    array.at(i).leaves = false;
  }
}

bool ChunkTable::arrive(Array &array, std::int64_t first, std::int64_t last, char *from, bool writable) {
  if (!move_memory(from, array.place(first), array.bytes_of(first, last), writable)) {
    give_up(array, first, last);
    return false;
  }
  for (std::int64_t i = first; i < last; ++i) {
    array.at(i).state = writable ? State::changed : State::clean;
    list(array.at(i));
  }
  return true;
}

void ChunkTable::give_up(Array &array, std::int64_t first, std::int64_t last) {
  resident_ -= array.bytes_of(first, last);
  for (std::int64_t i = first; i < last; ++i) {
    array.at(i).state = State::absent;
    array.at(i).claimed = false;
  }
}

bool ChunkTable::begin_write(Array &array, std::int64_t first, std::int64_t last) {
  if (!protect_readable(array.place(first), array.bytes_of(first, last))) return false;
  leaving_ += last - first;
  for (std::int64_t i = first; i < last; ++i) {
    Ages::take_out(array.at(i));
    array.at(i).state = State::writing;
    array.at(i).leaves = true;
  }
  return true;
}

void ChunkTable::end_write(Array &array, std::int64_t first, std::int64_t last, bool written) {
  leaving_ -= last - first;
  for (std::int64_t i = first; i < last; ++i) {
    array.at(i).state = written ? State::clean : State::changed;
    list(array.at(i));
  }
  if (!written) {
    protect_writable(array.place(first), array.bytes_of(first, last)); // if not now, then at the next fault
    return;
  }
  each_run(
      array, first, last, any_bytes, [](const Chunk &chunk) { return chunk.leaves && chunk.pins == 0; },
      [&](std::int64_t begin, std::int64_t end) { give_back(array, begin, end); });
}

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
