// demand.cpp: what happens when somebody touches a chunk that is not in memory. All of it runs in a signal handler, so
// it uses system calls, the gate, and what has been there before; nothing asks for memory of the program, or throws.
#include <cerrno>

#include "base/clock.hpp"
#include "paging/memory.hpp"
#include "paging/paging.hpp"

namespace op2::core::paging {

namespace {

// An instruction that needs several chunks at a time, more than the limit allows, must get them nevertheless.
constexpr std::size_t stuck_chunks = 8;
constexpr std::int64_t stuck_faults = 16;

} // namespace

Paging::Fault Paging::fault(const char *address, bool write, std::uint64_t cause) {
  for (bool waited = false;; waited = true) {
    Array *const array = table_.find(address);
    if (!array) return waited ? Fault::served : Fault::foreign; // it has become ordinary memory
    const std::int64_t i = array->chunk_with(static_cast<std::size_t>(address - array->begin));
    const Step step = serve(*array, array->at(i), write, cause);
    if (step != Step::again) return step == Step::done ? Fault::served : Fault::failed;
  }
}

// Goes as far as the closed gate allows.
Paging::Step Paging::serve(Array &array, Chunk &chunk, bool write, std::uint64_t cause) {
  const std::int64_t i = array.index_of(chunk);
  switch (chunk.state) {
    case State::changed: // somebody else's fault was faster, or the kernel would not make it writable
    case State::clean:
      if (!write || table_.change(array, i, i + 1)) return Step::done;
      fault_trouble_ = trouble_with(Trouble::Kind::memory, array.name, ENOMEM);
      return Step::failed;
    case State::writing:
      if (!write) return Step::done;
      wait_for_bell();
      return Step::again;
    case State::reading:
      if (!chunk.arrived) {
        wait_for_bell();
        return Step::again;
      }
      ++stats_.faults; // a schedule has loaded it, and not waited
      return enter(array, i) ? Step::again : Step::failed;
    case State::absent:
      break;
  }
  // The same instruction with the same registers: since this chunk's last fault nothing has gone on.
  const bool stuck = chunk.cause == cause && stats_.faults - chunk.fault <= stuck_faults;
  if (!make_room(array.bytes_of(i, i + 1), stuck)) return Step::again;
  return read_now(array, chunk, write, cause) ? Step::done : Step::failed;
}

// Goes one step on the way to room for a chunk. True: there is room, or nothing can be done for it. Opens the gate
// else, so that the state of all chunks may be another one.
bool Paging::make_room(std::size_t bytes, bool stuck) {
  const std::size_t limit = options_.limit + (stuck ? stuck_chunks * options_.chunk : 0);
  if (table_.resident() + bytes <= limit) return true;
  if (Chunk *const oldest = table_.oldest_unclaimed()) {
    send_away(*oldest);
    return false;
  }
  if (table_.leaving() == 0 && read_by_faults_ == 0) return true;
  wait_for_bell();
  return false;
}

void Paging::send_away(Chunk &chunk) {
  Array &array = *table_.find(chunk.array);
  const std::int64_t i = array.index_of(chunk);
  if (chunk.state == State::clean) {
    if (!table_.give_back(array, i, i + 1)) table_.claim(chunk, true); // nobody tries it again
    return;
  }
  if (!table_.begin_write(array, i, i + 1)) return table_.claim(chunk, true);
  const std::size_t bytes = array.bytes_of(i, i + 1);
  begin_io();
  gate.unlock();
  const int error = transfer(file_.number(), true, array.place(i), bytes,
                             array.offset + static_cast<std::int64_t>(array.start_of(i)));
  gate.lock();
  end_io(true, bytes, error);
  if (error != 0) {
    note(trouble_with(Trouble::Kind::writing, array.name, error));
    chunk.claimed = true; // it stays, over the limit; a schedule may store it again
  }
  table_.end_write(array, i, i + 1, error == 0);
  bell.ring();
}

bool Paging::read_now(Array &array, Chunk &chunk, bool write, std::uint64_t cause) {
  const std::int64_t i = array.index_of(chunk);
  const std::size_t bytes = array.bytes_of(i, i + 1);
  chunk.fault = ++stats_.faults;
  chunk.cause = cause;
  char *const memory = table_.memory_for(bytes);
  table_.expect(array, i, i + 1);
  ++read_by_faults_;
  begin_io();
  const double begin = now();
  gate.unlock();
  const int error = memory ? transfer(file_.number(), false, memory, bytes,
                                      array.offset + static_cast<std::int64_t>(array.start_of(i)))
                           : ENOMEM;
  gate.lock();
  stats_.wait_seconds += now() - begin;
  end_io(false, bytes, error);
  --read_by_faults_;
  bool in = error == 0;
  if (in) {
    in = table_.arrive(array, i, i + 1, memory, write);
    if (!in) fault_trouble_ = trouble_with(Trouble::Kind::memory, array.name, ENOMEM);
  } else {
    if (memory) end_memory(memory, bytes);
    table_.give_up(array, i, i + 1);
    fault_trouble_ = trouble_with(memory ? Trouble::Kind::reading : Trouble::Kind::memory, array.name, error);
  }
  bell.ring();
  return in;
}

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
