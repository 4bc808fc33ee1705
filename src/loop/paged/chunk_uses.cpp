#include "loop/paged/chunk_uses.hpp"

#include <algorithm>

#include "mesh/paged/kept_rows.hpp"

namespace op2::core {

namespace {

constexpr std::size_t narrow = 4; // chunks, of rows of which all are taken as touched
constexpr std::uint8_t is_read = 1, is_written = 2, is_kept = 4;

} // namespace

ChunkUses::ChunkUses(std::span<Loop *const> loops, const ChunkStore &pager) : pager_(pager) {
  for (const Loop *loop : loops) {
    std::vector<Access> accesses;
    for (const LoopArg &arg : loop->signature().args) {
      const bool writes = arg.access != OP_READ;
      if (arg.map) {
        const std::size_t row = static_cast<std::size_t>(arg.map->dim) * sizeof(int);
        add_access(accesses, arg.map->paged_number(), row, nullptr, 0, false);
      }
      if (!arg.dat) continue;
      const std::size_t row = static_cast<std::size_t>(arg.dat->size);
      const int number = arg.dat->paged_number();
      if (!arg.map) add_access(accesses, number, row, nullptr, 0, writes);
      for (int c = 0; arg.map && c < std::max(arg.count, 1); ++c)
        add_access(accesses, number, row, arg.map, arg.column + c, writes);
    }
    note_first_access(*loop);
    loops_.push_back(std::move(accesses));
  }
  for (const PagedArrayUse &array : uses_) touched_.emplace_back(static_cast<std::size_t>(array.chunks), 0);
  for (const Loop *loop : loops)
    for (const DatUse &use : loop->signature().dats) leave_out_kept(*use.dat);
  span_.assign(uses_.size(), {0, 0});
}

void ChunkUses::leave_out_kept(const Dat &dat) {
  if (dat.host.paged().number() < 0) return;
  std::vector<std::uint8_t> &touched = touched_[static_cast<std::size_t>(number_of(dat.host.paged().number()))];
  const Chunks kept = kept_chunks(dat, pager_);
  std::fill(touched.begin() + kept.first, touched.begin() + kept.last, is_kept);
}

int ChunkUses::number_of(int pager_number) {
  const auto known = std::ranges::find(numbers_, pager_number);
  if (known != numbers_.end()) return static_cast<int>(known - numbers_.begin());
  numbers_.push_back(pager_number);
  uses_.push_back({pager_.chunks(pager_number)});
  accessed_.push_back(0);
  return static_cast<int>(numbers_.size()) - 1;
}

// map: NULL if elements access their own rows.
void ChunkUses::add_access(std::vector<Access> &out, int pager_number, std::size_t row_bytes, const Map *map,
                           int map_column, bool writes) {
  if (pager_number < 0) return;
  const int array = number_of(pager_number);
  const int *const column = map ? column_of(map->table.data(), map_column) : nullptr;
  for (Access &other : out)
    if (other.array == array && other.reach.column == column) {
      other.writes = other.writes || writes;
      return;
    }
  out.push_back({array, row_bytes, {0, column, map ? map->dim : 0}, map ? map->table_rows() : 0, writes});
}

// All rows, and whole rows, are written by a direct loop; at least those of this process. Copies of others' do not
// count.
void ChunkUses::note_first_access(const Loop &loop) {
  for (const DatUse &use : loop.signature().dats) {
    const int number = use.dat->paged_number();
    if (number < 0) continue;
    const int array = number_of(number);
    if (accessed_[static_cast<std::size_t>(array)]) continue;
    accessed_[static_cast<std::size_t>(array)] = 1;
    PagedArrayUse &of = uses_[static_cast<std::size_t>(array)];
    of.written_first = use.access == OP_WRITE && !use.partial && use.dat->set == &loop.signature().set;
    of.scratch = use.dat->storage == OP_STORAGE_SCRATCH;
  }
}

void ChunkUses::add(int loop, int begin, int end) {
  if (begin >= end) return;
  for (const Access &access : loops_[static_cast<std::size_t>(loop)]) {
    if (!access.reach.column)
      touch(access, begin, end);
    else
      touch_through(access, begin, end);
  }
}

// By blocks of elements, which reach rows close to each other in a mesh in good order; one by one where they do not, as
// beside rows of the boundary between processes, which are behind all others.
void ChunkUses::touch_through(const Access &access, int begin, int end) {
  const Extent *const extents = extents_.of(access.reach, access.size);
  for (int b = begin / extent_block; b * extent_block < end; ++b) {
    const Extent &extent = extents[b];
    const std::size_t width = static_cast<std::size_t>(extent.most - extent.least) * access.row_bytes;
    if (width <= narrow * pager_.chunk()) {
      touch(access, extent.least, static_cast<std::int64_t>(extent.most) + 1);
      continue;
    }
    const int first = std::max(begin, b * extent_block), last = std::min(end, (b + 1) * extent_block);
    for (int e = first; e < last; ++e) {
      const std::int64_t row = reached_row(access.reach, e);
      touch(access, row, row + 1);
    }
  }
}

void ChunkUses::touch(const Access &access, std::int64_t first_row, std::int64_t last_row) {
  const std::size_t a = static_cast<std::size_t>(access.array);
  // Generated code may read the value behind a row.
  const Chunks chunks = pager_.chunks_of(numbers_[a], static_cast<std::size_t>(first_row) * access.row_bytes,
                                         static_cast<std::size_t>(last_row) * access.row_bytes + Dat::room_behind);
  const std::uint8_t mark = access.writes ? is_read | is_written : is_read;
  std::vector<std::uint8_t> &touched = touched_[a];
  for (std::int64_t c = chunks.first; c < chunks.last; ++c) {
    std::uint8_t &now = touched[static_cast<std::size_t>(c)];
    if (now == is_kept || (now & mark) == mark) continue;
    undo_.push_back({access.array, c, now});
    if (now == 0) ++count_;
    now |= mark;
    auto &[first, last] = span_[a];
    if (first == last) first = last = c;
    first = std::min(first, c), last = std::max(last, c + 1);
  }
}

void ChunkUses::undo() {
  for (auto it = undo_.rbegin(); it != undo_.rend(); ++it) {
    touched_[static_cast<std::size_t>(it->array)][static_cast<std::size_t>(it->chunk)] = it->before;
    if (it->before == 0) --count_;
  }
  undo_.clear();
}

UnitUses ChunkUses::take() {
  UnitUses out;
  for (std::size_t a = 0; a < touched_.size(); ++a) {
    auto &[first, last] = span_[a];
    for (std::int64_t c = first; c < last; ++c) {
      std::uint8_t &now = touched_[a][static_cast<std::size_t>(c)];
      if (now == 0 || now == is_kept) continue;
      const std::uint8_t mark = std::exchange(now, std::uint8_t{0});
      const bool writes = (mark & is_written) != 0;
      if (!out.empty() && out.back().chunks.array == static_cast<int>(a) && out.back().chunks.last == c &&
          out.back().writes == writes)
        ++out.back().chunks.last;
      else
        out.push_back({{static_cast<int>(a), c, c + 1}, writes});
    }
    first = last = 0;
  }
  count_ = 0;
  undo_.clear();
  return out;
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
