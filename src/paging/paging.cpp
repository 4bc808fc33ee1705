#include "paging/paging.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "paging/fault_handler.hpp"
#include "paging/memory.hpp"

namespace op2::core::paging {

namespace {

// Most of a request, unless a chunk is larger. Memory is given back in such pieces, too, so that requests can use it.
constexpr std::size_t request_bytes = 1 << 20;

bool is_absent(const Chunk &chunk) { return chunk.state == State::absent; }
bool is_clean(const Chunk &chunk) { return chunk.state == State::clean; }
bool can_be_stored(const Chunk &chunk) { return chunk.state == State::changed && chunk.pins == 0; }
bool can_be_forgotten(const Chunk &chunk) { return chunk.state == State::clean && chunk.pins == 0; }
bool can_be_dropped(const Chunk &chunk) { return can_be_stored(chunk) || can_be_forgotten(chunk); }
bool moves(const Chunk &chunk) {
  return chunk.state == State::writing || (chunk.state == State::reading && !chunk.arrived);
}

PagerOptions checked(PagerOptions options) {
  options.chunk = std::max<std::size_t>(1, (options.chunk + page_bytes() - 1) / page_bytes()) * page_bytes();
  if (options.io == IoWay::uring && !uring_works())
    fail(OP_ERR_UNSUPPORTED, "io_uring does not work here: the kernel forbids it, or libop2 was built without it");
  return options;
}

// Starts requests when its scope ends, however that is.
class Started {
 public:
  explicit Started(Engine &engine) : engine_(engine) {}
  ~Started() {
    if (!queue.empty()) engine_.start(queue);
  }
  Started(const Started &) = delete;
  Started &operator=(const Started &) = delete;
  RequestQueue queue;

 private:
  Engine &engine_;
};

} // namespace

Paging::Paging(const PagerOptions &options)
    : options_(checked(options)),
      file_(options.folder, options.direct),
      table_(options.limit),
      uring_(options.io == IoWay::uring || (options.io == IoWay::best && uring_works())) {
  watch_faults(*this);
}

Paging::~Paging() {
  for (std::size_t i = 0; i < table_.arrays().size(); ++i) remove(static_cast<int>(i), false);
  stop_watching_faults(*this);
}

template <class Act>
void Paging::each_range(std::span<const Chunks> ranges, const Act &act) const {
  for (const Chunks &range : ranges)
    if (Array *const array = table_.find(range.array)) act(*array, range.first, range.last);
}

int Paging::add(void *data, std::size_t bytes, const std::string &name, bool empty) {
  const auto start = reinterpret_cast<std::uintptr_t>(data), page = static_cast<std::uintptr_t>(page_bytes());
  const std::size_t skipped = (page - start % page) % page;
  const std::size_t whole = bytes > skipped ? (bytes - skipped) / page * page : 0;
  if (whole == 0) return -1;
  if (!engine_) {
    const auto completed = [this](Request &request) { complete(request); };
    engine_ = uring_ ? uring_engine(file_.number(), completed) : thread_engine(file_.number(), completed);
  }
  auto array = std::make_unique<Array>();
  array->name = name;
  array->skipped = skipped;
  array->begin = static_cast<char *>(data) + skipped;
  array->bytes = whole;
  array->chunk = options_.chunk;
  array->lead = reinterpret_cast<std::uintptr_t>(array->begin) % options_.chunk;
  array->chunks.resize(static_cast<std::size_t>(array->chunk_with(whole - 1) + 1));
  array->offset = file_.take(whole, name);
  const Hold hold(gate);
  return table_.add(std::move(array), empty).number;
}

void Paging::remove(int number, bool keep) {
  const Hold hold(gate);
  Array *const array = table_.find(number);
  if (!array) return;
  const Chunks all{number, 0, array->count()};
  if (keep) bring_gated({&all, 1}, {}, false);
  while (on_their_way({&all, 1})) wait_for_bell();
  enter_all({&all, 1}, false);
  if (!protect_writable(array->begin, array->bytes))
    fail(OP_ERR_MEMORY, "no memory for all of ", array->name, " (", array->bytes, " bytes)");
  const std::int64_t offset = array->offset;
  const std::size_t bytes = array->bytes;
  table_.remove(*array);
  file_.give(offset, bytes);
}

void Paging::ask(std::span<const Chunks> wanted, Asked how) {
  const Hold hold(gate);
  ask_gated(wanted, how);
}

void Paging::ask_gated(std::span<const Chunks> wanted, Asked how) {
  if (!engine_) return;
  await_room(wanted);
  Started started(*engine_);
  each_range(wanted, [&](Array &array, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      array.at(i).leaves = false;
      if (how.by_schedule) table_.claim(array.at(i), true);
    }
    each_run(array, first, last, request_bytes, is_absent, [&](std::int64_t begin, std::int64_t end) {
      if (how.counted) stats_.faults += end - begin;
      if (how.zeros)
        make(array, begin, end);
      else
        read(array, begin, end, started.queue);
    });
  });
}

// What leaves makes room for what comes. The gate is open meanwhile, so that chunks may have come by page faults.
void Paging::await_room(std::span<const Chunks> wanted) {
  const auto leaves = [](const Request &request) {
    for (std::int64_t i = request.first; i < request.last; ++i)
      if (request.array->at(i).leaves) return true;
    return false;
  };
  while (std::ranges::any_of(requests_, leaves)) {
    std::size_t bytes = 0;
    each_range(wanted, [&](Array &array, std::int64_t first, std::int64_t last) {
      each_run(array, first, last, any_bytes, is_absent,
               [&](std::int64_t begin, std::int64_t end) { bytes += array.bytes_of(begin, end); });
    });
    if (bytes == 0 || table_.resident() + bytes <= options_.limit) return;
    wait_for_bell();
  }
}

Request &Paging::new_request(Array &array, std::int64_t first, std::int64_t last) {
  Request &request = requests_.emplace_back();
  request.self = std::prev(requests_.end());
  request.bytes = array.bytes_of(first, last);
  request.offset = array.offset + static_cast<std::int64_t>(array.start_of(first));
  request.array = &array;
  request.first = first;
  request.last = last;
  return request;
}

void Paging::read(Array &array, std::int64_t first, std::int64_t last, RequestQueue &queue) {
  Request &request = new_request(array, first, last);
  request.memory = table_.memory_for(request.bytes);
  if (!request.memory) {
    note(trouble_with(Trouble::Kind::memory, array.name, ENOMEM));
    requests_.pop_back();
    return;
  }
  table_.expect(array, first, last);
  begin_io();
  queue.append(request);
}

void Paging::make(Array &array, std::int64_t first, std::int64_t last) {
  if (options_.strict) {
    table_.expect(array, first, last);
    for (std::int64_t i = first; i < last; ++i) array.at(i).arrived = true;
  } else if (!table_.make(array, first, last)) {
    note(trouble_with(Trouble::Kind::memory, array.name, ENOMEM));
  }
}

// A chunk that has arrived comes within reach.
bool Paging::enter(Array &array, std::int64_t i) {
  Chunk &chunk = array.at(i);
  chunk.arrived = false;
  char *const from = std::exchange(chunk.read_to, nullptr);
  bool in = false;
  if (from) {
    in = table_.arrive(array, i, i + 1, from);
  } else {
    const bool by_schedule = chunk.claimed;
    table_.give_up(array, i, i + 1);
    chunk.claimed = by_schedule;
    in = table_.make(array, i, i + 1);
  }
  if (!in) note(fault_trouble_ = trouble_with(Trouble::Kind::memory, array.name, ENOMEM));
  return in;
}

bool Paging::on_their_way(std::span<const Chunks> wanted) const {
  bool any = false;
  each_range(wanted, [&](Array &array, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last && !any; ++i) any = moves(array.at(i));
  });
  return any;
}

// Makes chunks that have arrived usable. False: some are not in memory.
bool Paging::enter_all(std::span<const Chunks> wanted, bool writes) {
  bool all = true;
  each_range(wanted, [&](Array &array, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      if (array.at(i).arrived) enter(array, i);
      all = all && !is_absent(array.at(i));
    }
    if (writes)
      each_run(array, first, last, any_bytes, is_clean, [&](std::int64_t begin, std::int64_t end) {
        if (!table_.change(array, begin, end)) note(trouble_with(Trouble::Kind::memory, array.name, ENOMEM));
      });
  });
  return all;
}

void Paging::bring(std::span<const Chunks> wanted, Asked how, bool writes) {
  const Hold hold(gate);
  bring_gated(wanted, how, writes);
}

void Paging::bring_gated(std::span<const Chunks> wanted, Asked how, bool writes) {
  for (bool all = false; !all;) {
    ask_gated(wanted, how);
    while (on_their_way(wanted)) wait_for_bell();
    all = enter_all(wanted, writes);
    throw_trouble();
  }
}

void Paging::store(std::span<const Chunks> chunks) {
  const Hold hold(gate);
  store_gated(chunks);
}

void Paging::store_gated(std::span<const Chunks> chunks) {
  if (!engine_) return;
  Started started(*engine_);
  each_range(chunks, [&](Array &array, std::int64_t first, std::int64_t last) {
    let_go(array, first, last);
    each_run(array, first, last, request_bytes, can_be_forgotten,
             [&](std::int64_t begin, std::int64_t end) { table_.give_back(array, begin, end); });
    each_run(array, first, last, request_bytes, can_be_stored,
             [&](std::int64_t begin, std::int64_t end) { write(array, begin, end, started.queue); });
  });
}

void Paging::write(Array &array, std::int64_t first, std::int64_t last, RequestQueue &queue) {
  Request &request = new_request(array, first, last);
  request.write = true;
  request.memory = array.place(first);
  if (!table_.begin_write(array, first, last)) {
    note(trouble_with(Trouble::Kind::memory, array.name, ENOMEM));
    requests_.pop_back();
    return;
  }
  begin_io();
  queue.append(request);
}

// The schedule needs them no more; those on their way leave when they have arrived.
void Paging::let_go(Array &array, std::int64_t first, std::int64_t last) {
  for (std::int64_t i = first; i < last; ++i) {
    Chunk &chunk = array.at(i);
    table_.claim(chunk, false);
    chunk.leaves = true;
    if (chunk.arrived) enter(array, i);
  }
}

void Paging::drop(std::span<const Chunks> chunks) {
  const Hold hold(gate);
  each_range(chunks, [&](Array &array, std::int64_t first, std::int64_t last) {
    let_go(array, first, last);
    each_run(array, first, last, request_bytes, can_be_dropped,
             [&](std::int64_t begin, std::int64_t end) { table_.give_back(array, begin, end); });
  });
}

void Paging::settle() {
  const Hold hold(gate);
  settle_gated();
}

void Paging::settle_gated() {
  while (!requests_.empty()) wait_for_bell();
  throw_trouble();
}

void Paging::keep_only(std::span<const Chunks> keep) {
  const Hold hold(gate);
  std::vector<Chunks> others;
  for (const auto &array : table_.arrays()) {
    if (!array) continue;
    std::vector<char> kept(array->chunks.size());
    for (const Chunks &range : keep)
      if (range.array == array->number) std::fill(kept.begin() + range.first, kept.begin() + range.last, 1);
    for (std::int64_t i = 0, begin = 0; i <= array->count(); ++i) {
      if (i < array->count() && !kept[static_cast<std::size_t>(i)]) continue;
      if (i > begin) others.push_back({array->number, begin, i});
      begin = i + 1;
    }
  }
  store_gated(others);
  throw_trouble();
}

void Paging::shrink_to(std::size_t bytes) {
  const Hold hold(gate);
  settle_gated();
  for (table_.keep_pool_below(bytes); table_.resident() > bytes; table_.keep_pool_below(bytes)) {
    Chunk *const oldest = table_.oldest();
    if (!oldest) return;
    Array &array = *table_.find(oldest->array);
    const std::int64_t i = array.index_of(*oldest);
    // With neighbours that were changed, up to one request.
    std::int64_t end = i + 1;
    while (end < array.count() && array.bytes_of(i, end) < table_.resident() - bytes &&
           array.bytes_of(i, end) < request_bytes && can_be_dropped(array.at(end)))
      ++end;
    const Chunks some{array.number, i, end};
    store_gated({&some, 1});
    settle_gated();
  }
}

void Paging::pin(const Chunks &chunks, int by) {
  const Hold hold(gate);
  each_range({&chunks, 1}, [&](Array &array, std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) array.at(i).pins += by;
  });
}

void Paging::complete(Request &request) {
  const Hold hold(gate);
  end_io(request.write, request.bytes, request.error);
  if (request.write) {
    if (request.error != 0) note(trouble_with(Trouble::Kind::writing, request.array->name, request.error));
    table_.end_write(*request.array, request.first, request.last, request.error == 0);
  } else {
    complete_read(request);
  }
  requests_.erase(request.self);
  bell.ring();
}

void Paging::complete_read(Request &request) {
  Array &array = *request.array;
  const std::int64_t first = request.first, last = request.last;
  if (request.error != 0) {
    note(trouble_with(Trouble::Kind::reading, array.name, request.error));
    end_memory(request.memory, request.bytes);
    table_.give_up(array, first, last);
    return;
  }
  if (options_.strict) {
    for (std::int64_t i = first; i < last; ++i) {
      array.at(i).arrived = true;
      array.at(i).read_to = request.memory + array.bytes_of(first, i);
      if (array.at(i).leaves) enter(array, i);
    }
  } else if (!table_.arrive(array, first, last, request.memory)) {
    note(trouble_with(Trouble::Kind::memory, array.name, ENOMEM));
  }
  each_run(
      array, first, last, any_bytes, [](const Chunk &chunk) { return chunk.leaves && can_be_forgotten(chunk); },
      [&](std::int64_t begin, std::int64_t end) { table_.give_back(array, begin, end); });
}

Chunks Paging::chunks_of(int number, std::size_t begin, std::size_t end) const {
  const Hold hold(gate);
  const Array *const array = table_.find(number);
  if (!array) return {number, 0, 0};
  const std::size_t from = std::max(begin, array->skipped) - array->skipped;
  const std::size_t to = std::min(std::max(end, array->skipped) - array->skipped, array->bytes);
  if (from >= to) return {number, 0, 0};
  return {number, array->chunk_with(from), array->chunk_with(to - 1) + 1};
}

std::int64_t Paging::chunks(int number) const {
  const Hold hold(gate);
  const Array *const array = table_.find(number);
  return array ? array->count() : 0;
}

std::size_t Paging::bytes_of(const Chunks &chunks) const {
  const Hold hold(gate);
  const Array *const array = table_.find(chunks.array);
  return array ? array->bytes_of(chunks.first, chunks.last) : 0;
}

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
