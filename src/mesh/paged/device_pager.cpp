#include "mesh/paged/device_pager.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace op2::core {

namespace {

constexpr std::size_t fewest_chunks = 16; // a loop uses several arrays, and the next unit comes meanwhile

} // namespace

DevicePager::DevicePager(Executor &executor, double limit)
    : executor_(executor), chunk_(executor.caps().chunk), most_(static_cast<std::size_t>(limit) / chunk_) {
  if (most_ < fewest_chunks)
    fail(OP_ERR_ARGUMENT, "setting OP2_DEVICE_MEMORY_LIMIT: ", fixed(1e-6 * limit, 1), " MB are less than ",
         fewest_chunks, " chunks of ", chunk_ / 1024, " KiB, in which the device has its memory; at least ",
         fewest_chunks * chunk_, " bytes are needed");
}

DevicePager::~DevicePager() {
  for (const Batch &batch : under_way_) executor_.forget(batch.event);
}

Storage DevicePager::add(char *host, op_space space, std::size_t bytes) {
  const std::size_t count = std::max<std::size_t>((bytes + chunk_ - 1) / chunk_, 1);
  Storage out = Storage::reserved(executor_, count * chunk_);
  arrays_.push_back({host, out.data(), space, bytes, std::vector<Chunk>(count)});
  out.paged() = PagedArray(*this, static_cast<int>(arrays_.size()) - 1);
  return out;
}

// Without exceptions, as objects end. The executor takes the memory back with the addresses.
void DevicePager::remove(int array, bool) {
  try {
    complete(last_);
  } catch (const Error &) { // the device has stopped
  }
  Array &gone = at(array);
  used_ -= static_cast<std::size_t>(
      std::ranges::count_if(gone.chunks, [](const Chunk &chunk) { return chunk.state != State::absent; }));
  gone = Array();
}

Chunks DevicePager::chunks_of(int array, std::size_t begin, std::size_t end) const {
  const std::size_t last = std::min((end + chunk_ - 1) / chunk_, at(array).chunks.size());
  return {array, static_cast<std::int64_t>(begin / chunk_), static_cast<std::int64_t>(last)};
}

// Calls act for the longest runs of chunks that are so.
template <class Is, class Act>
void DevicePager::each_run(std::span<const Chunks> chunks, const Is &is, const Act &act) {
  for (const Chunks &range : chunks) {
    std::vector<Chunk> &all = at(range.array).chunks;
    for (std::int64_t c = range.first; c < range.last; ++c) {
      const std::int64_t first = c;
      while (c < range.last && is(all[static_cast<std::size_t>(c)])) ++c;
      if (c > first) act(Chunks{range.array, first, c});
    }
  }
}

void DevicePager::commit(const Chunks &run, bool on) {
  const auto first = static_cast<std::size_t>(run.first), count = static_cast<std::size_t>(run.last - run.first);
  executor_.commit(at(run.array).device + first * chunk_, count * chunk_, on);
  used_ = on ? used_ + count : used_ - count;
  stats_.resident = used_ * chunk_;
  stats_.peak = std::max(stats_.peak, stats_.resident);
}

// Memory comes from chunks that are leaving.
void DevicePager::make_room(std::int64_t chunks) {
  const auto wanted = static_cast<std::size_t>(chunks);
  while (used_ + wanted > most_ && !under_way_.empty()) complete(under_way_.front().number);
  if (used_ + wanted > most_)
    fail(OP_ERR_INTERNAL, "chunks of dats and maps would need more memory of the device than OP2_DEVICE_MEMORY_LIMIT");
}

void DevicePager::send(std::vector<Chunks> chunks) {
  if (chunks.empty()) return;
  ++last_;
  for (const Chunks &run : chunks)
    for (std::int64_t c = run.first; c < run.last; ++c) at(run.array).chunks[static_cast<std::size_t>(c)].batch = last_;
  under_way_.push_back({last_, executor_.moved(), std::move(chunks)});
}

void DevicePager::complete(std::int64_t batch) {
  const double start = now();
  while (!under_way_.empty() && under_way_.front().number <= batch) {
    const Batch done = std::move(under_way_.front());
    under_way_.pop_front();
    executor_.wait(done.event);
    const auto of_batch = [&](State state) {
      return [&done, state](const Chunk &chunk) { return chunk.state == state && chunk.batch == done.number; };
    };
    const auto become = [&](const Chunks &run, State state) {
      for (std::int64_t c = run.first; c < run.last; ++c)
        at(run.array).chunks[static_cast<std::size_t>(c)].state = state;
    };
    each_run(done.chunks, of_batch(State::leaving), [&](const Chunks &run) {
      commit(run, false);
      become(run, State::absent);
    });
    each_run(done.chunks, of_batch(State::coming), [&](const Chunks &run) { become(run, State::clean); });
  }
  stats_.wait_seconds += now() - start;
}

void DevicePager::bring(std::span<const Chunks> chunks, bool with_values) {
  each_run(
      chunks, [](const Chunk &chunk) { return chunk.state == State::leaving; },
      [&](const Chunks &run) {
        for (std::int64_t c = run.first; c < run.last; ++c)
          complete(at(run.array).chunks[static_cast<std::size_t>(c)].batch);
      });
  std::vector<Chunks> sent;
  each_run(
      chunks, [](const Chunk &chunk) { return chunk.state == State::absent; },
      [&](const Chunks &run) {
        Array &array = at(run.array);
        make_room(run.last - run.first);
        commit(run, true);
        const auto begin = static_cast<std::size_t>(run.first) * chunk_;
        const std::size_t end = std::min(static_cast<std::size_t>(run.last) * chunk_, array.bytes);
        const bool copies = with_values && begin < end;
        for (std::int64_t c = run.first; c < run.last; ++c)
          array.chunks[static_cast<std::size_t>(c)].state = copies ? State::coming : State::clean;
        if (!copies) return;
        executor_.move(array.device + begin, executor_.caps().space, array.host + begin, array.space, end - begin);
        stats_.read_bytes += static_cast<double>(end - begin);
        ++stats_.requests;
        sent.push_back(run);
      });
  send(std::move(sent));
}

void DevicePager::load(std::span<const Chunks> chunks) { bring(chunks, true); }

void DevicePager::make(std::span<const Chunks> chunks) { bring(chunks, false); }

void DevicePager::wait(std::span<const Chunks> chunks, bool writes) {
  each_run(
      chunks, [](const Chunk &chunk) { return chunk.state == State::absent || chunk.state == State::leaving; },
      [&](const Chunks &run) { stats_.faults += run.last - run.first; });
  bring(chunks, true);
  std::int64_t batch = 0;
  for (const Chunks &range : chunks)
    for (std::int64_t c = range.first; c < range.last; ++c) {
      const Chunk &chunk = at(range.array).chunks[static_cast<std::size_t>(c)];
      if (chunk.state == State::coming) batch = std::max(batch, chunk.batch);
    }
  complete(batch);
  if (!writes) return;
  for (const Chunks &range : chunks)
    for (std::int64_t c = range.first; c < range.last; ++c)
      at(range.array).chunks[static_cast<std::size_t>(c)].state = State::changed;
}

void DevicePager::copy_to_host(const Chunks &run) {
  const Array &array = at(run.array);
  const auto begin = static_cast<std::size_t>(run.first) * chunk_;
  const std::size_t end = std::min(static_cast<std::size_t>(run.last) * chunk_, array.bytes);
  if (begin >= end) return;
  executor_.move(array.host + begin, array.space, array.device + begin, executor_.caps().space, end - begin);
  stats_.written_bytes += static_cast<double>(end - begin);
  ++stats_.requests;
}

// Memory is given back when loops that still use it have ended.
void DevicePager::leave(std::span<const Chunks> chunks, bool with_values) {
  if (with_values)
    each_run(
        chunks, [](const Chunk &chunk) { return chunk.state == State::changed; },
        [&](const Chunks &run) { copy_to_host(run); });
  std::vector<Chunks> sent;
  each_run(
      chunks, [](const Chunk &chunk) { return chunk.state != State::absent && chunk.state != State::leaving; },
      [&](const Chunks &run) {
        for (std::int64_t c = run.first; c < run.last; ++c)
          at(run.array).chunks[static_cast<std::size_t>(c)].state = State::leaving;
        sent.push_back(run);
      });
  send(std::move(sent));
}

void DevicePager::keep_only(std::span<const Chunks> keep) {
  std::vector<std::vector<char>> kept;
  for (const Array &array : arrays_) kept.emplace_back(array.chunks.size(), 0);
  for (const Chunks &range : keep)
    std::fill(kept[static_cast<std::size_t>(range.array)].begin() + range.first,
              kept[static_cast<std::size_t>(range.array)].begin() + range.last, 1);
  std::vector<Chunks> others;
  for (int a = 0; a < static_cast<int>(arrays_.size()); ++a)
    for (std::int64_t c = 0; c < chunks(a); ++c) {
      if (kept[static_cast<std::size_t>(a)][static_cast<std::size_t>(c)]) continue;
      if (!others.empty() && others.back().array == a && others.back().last == c)
        ++others.back().last;
      else
        others.push_back({a, c, c + 1});
    }
  leave(others, true);
}

void DevicePager::fetch(int array) {
  const Chunks all[] = {all_of(array)};
  std::vector<Chunks> changed;
  each_run(
      all, [](const Chunk &chunk) { return chunk.state == State::changed; },
      [&](const Chunks &run) {
        copy_to_host(run);
        changed.push_back(run);
        for (std::int64_t c = run.first; c < run.last; ++c)
          at(run.array).chunks[static_cast<std::size_t>(c)].state = State::clean;
      });
  send(std::move(changed));
  complete(last_); // also what left before
}

void DevicePager::forget(int array) {
  const Chunks all[] = {all_of(array)};
  leave(all, false);
  complete(last_);
}

void DevicePager::check_whole(std::span<const int> read, std::span<const int> written, const std::string &what) const {
  std::int64_t needed = 0;
  for (const std::span<const int> arrays : {read, written})
    for (const int array : arrays) needed += chunks(array);
  if (static_cast<std::size_t>(needed) <= most_) return;
  fail(OP_ERR_MEMORY, what, " runs as a whole and needs ", static_cast<std::size_t>(needed) * chunk_,
       " bytes of the device's memory at a time; OP2_DEVICE_MEMORY_LIMIT allows ", most_ * chunk_,
       ". OP2_LOG=info tells why the loop cannot be cut; OP2_RACE=atomic and OP2_RACE=gather allow that for loops that "
       "add through maps, and a larger limit for all");
}

void DevicePager::need_whole(std::span<const int> read, std::span<const int> written) {
  std::vector<Chunks> reads, writes;
  for (const int array : read) reads.push_back(all_of(array));
  for (const int array : written) writes.push_back(all_of(array));
  std::vector<Chunks> all = reads;
  all.insert(all.end(), writes.begin(), writes.end());
  keep_only(all);
  wait(reads, false);
  wait(writes, true);
}

std::string DevicePager::form() const { return text("chunks of ", chunk_ / 1024, " KiB"); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
