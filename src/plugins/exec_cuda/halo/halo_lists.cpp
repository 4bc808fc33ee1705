// halo_lists.cpp: lists of rows go to the device once, and so does what a combination of items makes of them.
#include <algorithm>
#include <climits>

#include "halo/halo.hpp"

namespace op2::exec_cuda {

namespace {

constexpr size_t most_plans = 256; // of one halo; temporary dats make new ones again and again
constexpr unsigned block_words = OP2_HALO_THREADS * OP2_HALO_WORDS;
constexpr size_t most_segment_words = size_t{1} << 31;

// The longest words that a row can be cut into, in the dat and at an address of the message.
unsigned log2_word(size_t dat, size_t row_bytes, size_t message) {
  unsigned log2 = 4;
  while (log2 > 0 && ((dat | row_bytes | message) & ((size_t{1} << log2) - 1)) != 0) --log2;
  return log2;
}

class PlanMaker {
 public:
  PlanMaker(const op_exec_halo &halo, size_t buffer) : halo_(halo), buffer_(buffer) {}

  void begin_message(int32_t neighbour) {
    message_ = static_cast<unsigned>(neighbour);
    bytes = 0;
  }

  void add(const op_exec_halo_item &item, int32_t neighbour) {
    if (item.list < 0 || static_cast<size_t>(item.list) >= halo_.lists.size())
      throw Failure(OP_ERR_ARGUMENT,
                    "halo: list " + std::to_string(item.list) + " of " + std::to_string(halo_.lists.size()));
    const op_exec_halo_s::List &list = halo_.lists[static_cast<size_t>(item.list)];
    const size_t number = static_cast<size_t>(neighbour);
    if (number + 1 >= list.offset.size()) return;
    const size_t begin = static_cast<size_t>(list.offset[number]), end = static_cast<size_t>(list.offset[number + 1]);
    if (item.row_bytes == 0) return;
    const size_t words_of_bytes = item.row_bytes; // at worst a word is a byte
    const size_t most_rows = std::max<size_t>(1, most_segment_words / words_of_bytes);
    for (size_t row = begin; row < end; row += most_rows)
      add_rows(item, list.first + row, std::min(most_rows, end - row));
  }

  std::vector<op2_halo_segment> segments;
  size_t bytes = 0;
  size_t blocks = 0;

 private:
  void add_rows(const op_exec_halo_item &item, size_t first, size_t count) {
    op2_halo_segment segment{};
    segment.dat = item.base;
    segment.rows = halo_.rows->as<const int>() + first;
    segment.offset = bytes;
    const size_t together = item.type_size > 0 ? static_cast<size_t>(item.type_size) : item.row_bytes;
    segment.log2_bytes = log2_word(reinterpret_cast<size_t>(item.base), together, buffer_ + bytes);
    segment.words = static_cast<unsigned>(item.row_bytes >> segment.log2_bytes);
    segment.all_words = segment.words * static_cast<unsigned>(count);
    segment.first_block = static_cast<unsigned>(blocks);
    segment.message = message_;
    if (item.type_size > 0) {
      segment.type_size = static_cast<unsigned>(item.type_size);
      segment.stride = item.stride;
      segment.step = item.step;
    }
    blocks += (segment.all_words + block_words - 1) / block_words;
    bytes += count * item.row_bytes;
    segments.push_back(segment);
  }

  const op_exec_halo &halo_;
  size_t buffer_;
  unsigned message_ = 0;
};

constexpr size_t by_message = 16; // instead of the alignment of a buffer, which is less

HaloPlan make_plan(op_exec &exec, const op_exec_halo &halo, std::span<const op_exec_halo_item> items, size_t buffer) {
  PlanMaker maker(halo, buffer);
  std::vector<unsigned> chunks;
  for (int32_t neighbour = 0; neighbour < halo.neighbours; ++neighbour) {
    const size_t before = maker.blocks;
    if (buffer == by_message) maker.begin_message(neighbour);
    for (const op_exec_halo_item &item : items) maker.add(item, neighbour);
    chunks.push_back(static_cast<unsigned>(maker.blocks - before));
  }
  if (maker.blocks > static_cast<size_t>(INT_MAX))
    throw Failure(OP_ERR_UNSUPPORTED, "halo: " + std::to_string(maker.bytes) + " bytes are too many for one message");
  HaloPlan plan;
  plan.bytes = maker.bytes;
  plan.blocks = static_cast<unsigned>(maker.blocks);
  plan.nsegments = static_cast<unsigned>(maker.segments.size());
  const std::span<const op2_halo_segment> segments = maker.segments;
  plan.segments = std::make_unique<Device>(exec.driver, segments.size_bytes());
  exec.halo->upload().put(plan.segments->address(), segments);
  if (buffer != by_message) return plan;
  const std::span<const unsigned> counts = chunks;
  plan.chunks = std::make_unique<Device>(exec.driver, counts.size_bytes());
  exec.halo->upload().put(plan.chunks->address(), counts);
  exec.streams->order(exec.streams->halo, exec.streams->compute);
  return plan;
}

const HaloPlan &find_plan(op_exec &exec, op_exec_halo &halo, std::span<const op_exec_halo_item> items,
                          size_t alignment) {
  std::vector<size_t> key{alignment};
  for (const op_exec_halo_item &item : items) {
    key.push_back(reinterpret_cast<size_t>(item.base));
    key.push_back(item.row_bytes);
    key.push_back(static_cast<size_t>(item.list));
    key.push_back(static_cast<size_t>(item.type_size));
    if (item.type_size == 0) continue;
    key.push_back(static_cast<size_t>(item.step));
  }
  const auto found = halo.plans.find(key);
  if (found != halo.plans.end()) return found->second;
  if (halo.plans.size() >= most_plans) {
    exec.streams->wait_all(); // kernels may still read them
    halo.plans.clear();
  }
  return halo.plans.emplace(std::move(key), make_plan(exec, halo, items, alignment)).first->second;
}

} // namespace

const HaloPlan &plan_of(op_exec &exec, op_exec_halo &halo, std::span<const op_exec_halo_item> items,
                        CUdeviceptr buffer) {
  return find_plan(exec, halo, items, static_cast<size_t>(buffer) & 15);
}

const HaloPlan &plan_by_message(op_exec &exec, op_exec_halo &halo, std::span<const op_exec_halo_item> items) {
  return find_plan(exec, halo, items, by_message);
}

op_status halo_upload(op_exec *exec, const op_exec_halo_lists *lists, int32_t nlists, op_exec_halo **halo) {
  return entry(exec, [&] {
    auto made = std::make_unique<op_exec_halo_s>();
    std::vector<int32_t> rows;
    for (int32_t i = 0; i < nlists; ++i) {
      const op_exec_halo_lists &list = lists[i];
      const size_t n = static_cast<size_t>(list.neighbours);
      made->lists.push_back({std::vector<int32_t>(list.offset, list.offset + n + 1), rows.size()});
      rows.insert(rows.end(), list.rows, list.rows + list.offset[n]);
      made->neighbours = std::max(made->neighbours, list.neighbours);
    }
    const std::span<const int32_t> all = rows;
    made->rows = std::make_unique<Device>(exec->driver, all.size_bytes());
    exec->halo->upload().put(made->rows->address(), all);
    *halo = made.release();
  });
}

void halo_free(op_exec *exec, op_exec_halo *halo) {
  if (!halo) return;
  std::unique_ptr<op_exec_halo_s> owner(halo);
  entry(exec, [&] {
    exec->driver.cuStreamSynchronize(exec->streams->halo); // kernels may still read the lists
    owner.reset();
  });
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
