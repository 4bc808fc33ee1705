#include "particles/particle_rows.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "mesh/rows.hpp"
#include "particles/in_parts.hpp"

namespace op2::core {

namespace {

std::size_t row_of(const Dat &dat) { return static_cast<std::size_t>(dat.size); }

} // namespace

int ParticleRows::threads() const {
  return mesh_.executor().caps().host_code ? mesh_.executor().caps().concurrency : 1;
}

void ParticleRows::to_host() {
  for_dats([this](Dat &dat) { mesh_.copies().prepare_host(dat, OP_RW, true); });
}

void ParticleRows::changed() {
  for_dats([this](Dat &dat) { mesh_.copies().note_host(dat, OP_WRITE); });
}

void ParticleRows::make_room(std::size_t rows) {
  if (rows > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    fail(OP_ERR_UNSUPPORTED, "particles '", set_.label, "': more than 2^31 - 1 on one process");
  if (rows <= static_cast<std::size_t>(set_.room)) return;
  // A quarter more, so that a growing set is not copied each time.
  const auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
  set_.room = static_cast<int>(std::min(most, rows + rows / 4 + 16));
  spare_.clear();
  for_dats([this](Dat &dat) { mesh_.copies().grow(dat); });
  its().in->table.reserve(static_cast<std::size_t>(set_.room));
}

void ParticleRows::move(std::span<const int> to, std::span<const int> from) {
  std::vector<char> taken;
  for_dats([&](Dat &dat) {
    taken.resize(from.size() * row_of(dat));
    gather_rows(taken.data(), dat.host.data(), from, row_of(dat));
    scatter_rows(dat.host.data(), taken.data(), to, row_of(dat));
  });
  taken.resize(from.size() * sizeof(int));
  gather_rows(taken.data(), reinterpret_cast<const char *>(cell()), from, sizeof(int));
  scatter_rows(reinterpret_cast<char *>(cell()), taken.data(), to, sizeof(int));
}

void ParticleRows::reorder() {
  std::erase_if(spare_, [](const auto &of) { return of.first->freed; });
  for_dats([&](Dat &dat) {
    Storage &other = spare_[&dat];
    if (!other.data()) other = Storage(mesh_.executor(), OP_SPACE_HOST, dat.room_bytes() + Dat::room_behind);
  });
  cells_.resize(order.size());
  in_parts(threads(), order.size(), [&](std::size_t begin, std::size_t end) {
    const std::span<const int> from = std::span(order).subspan(begin, end - begin);
    for_dats([&](const Dat &dat) {
      gather_rows(spare_.at(&dat).data() + begin * row_of(dat), dat.host.data(), from, row_of(dat));
    });
    for (std::size_t row = begin; row < end; ++row) cells_[row] = cell()[order[row]];
  });
  for_dats([&](Dat &dat) {
    std::swap(spare_[&dat], dat.host);
    dat.data = dat.host.data();
  });
  std::ranges::copy(cells_, cell()); // the table keeps its address
}

std::size_t ParticleRows::record_bytes() const {
  std::size_t bytes = 0;
  for_dats([&](const Dat &dat) { bytes += row_of(dat); });
  return bytes;
}

void ParticleRows::pack(std::span<const int> rows, std::string &records) const {
  for (const int row : rows)
    for_dats([&](const Dat &dat) {
      records.append(dat.host.data() + static_cast<std::size_t>(row) * row_of(dat), row_of(dat));
    });
}

void ParticleRows::append(std::span<const char> records, std::span<const int> cells) {
  const char *from = records.data();
  for (std::size_t i = 0; i < cells.size(); ++i)
    for_dats([&](Dat &dat) {
      std::memcpy(dat.host.data() + (static_cast<std::size_t>(set_.size) + i) * row_of(dat), from, row_of(dat));
      from += row_of(dat);
    });
  its().in->table.insert(its().in->table.end(), cells.begin(), cells.end());
  set_.size += static_cast<int>(cells.size());
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
