#include "mesh/paged/paged_data.hpp"

#include <algorithm>
#include <bit>

#include "base/text.hpp"
#include "mesh/paged/kept_rows.hpp"

namespace op2::core {

namespace {

constexpr std::size_t page = 4096, largest_chunk = std::size_t{1} << 20;
constexpr double chunks_in_limit = 256;

bool may_be_paged(const Dat &dat) { return !dat.freed && dat.host.data() && dat.storage != OP_STORAGE_MEMORY; }

double bytes_of(const Map &map) { return static_cast<double>(map.table.size() * sizeof(int)); }

// So that what a tile needs fits in well.
std::size_t chunk_for(double limit) {
  const auto wanted = static_cast<std::size_t>(limit / chunks_in_limit);
  return std::clamp(std::bit_floor(std::max<std::size_t>(wanted, 1)), page, largest_chunk);
}

// First there is room for them. empty: nothing has values yet.
void keep_copies(const Dat &dat, Pager &pager, bool empty) {
  if (dat.on().copies == 0) return;
  const Chunks chunks = kept_chunks(dat, pager);
  const std::size_t limit = pager.options().limit;
  pager.shrink_to(limit - std::min(limit, pager.bytes_of(chunks)));
  if (empty) pager.make({&chunks, 1});
  pager.pin(dat.host.paged().number(), dat.own_bytes(), dat.bytes(), true);
}

} // namespace

// Of data that always stays in memory.
double PagedData::unpaged_bytes() const {
  double out = 0;
  for (const auto &set : objects_.sets())
    out += static_cast<double>((set->original.size() + set->place.size()) * sizeof(int));
  for (const auto &dat : objects_.dats())
    if (!may_be_paged(*dat)) out += static_cast<double>(dat->host.bytes());
  if (!options_.maps)
    for (const auto &map : objects_.maps()) out += bytes_of(*map);
  return out;
}

double PagedData::needed() const {
  double out = unpaged_bytes();
  for (const auto &dat : objects_.dats())
    if (may_be_paged(*dat)) out += static_cast<double>(dat->host.bytes());
  for (const auto &map : objects_.maps()) out += options_.maps ? bytes_of(*map) : 0;
  return out;
}

// First there is room for the array.
void PagedData::add(PagedArray &to, void *data, std::size_t bytes, const std::string &name) {
  const std::size_t limit = pager_->options().limit;
  pager_->shrink_to(limit - std::min(limit, bytes));
  to = PagedArray(*pager_, data, bytes, name);
  if (bytes > limit) pager_->shrink_to(limit);
}

void PagedData::take() {
  known_ = objects_.dats().size() + objects_.maps().size();
  if (!pager_ && needed() <= options_.limit) return;
  if (!pager_) open(needed());
  for (const auto &dat : objects_.dats())
    if (may_be_paged(*dat) && !dat->host.paged().known()) {
      add(dat->host.paged(), dat->host.data(), dat->host.bytes(), text("dat '", dat->label, "'"));
      keep_copies(*dat, *pager_, false);
    }
  for (const auto &map : objects_.maps())
    if (options_.maps && !map->table.empty() && !map->paged.known())
      add(map->paged, map->table.data(), map->table.size() * sizeof(int), text("map '", map->label, "'"));
}

void PagedData::take_empty(Dat &dat) {
  const auto is_dat = [&](const auto &other) { return other.get() == &dat; };
  const bool declared = std::ranges::any_of(objects_.dats(), is_dat);
  const double all = needed() + (declared ? 0 : static_cast<double>(dat.host.bytes()));
  if (dat.on().particles || !may_be_paged(dat) || (!pager_ && all <= options_.limit)) return;
  if (!pager_) open(all);
  dat.host.page(*pager_, text("dat '", dat.label, "'"), true);
  keep_copies(dat, *pager_, true);
  take();
}

PagedArray PagedData::take_empty(void *table, std::size_t bytes, const std::string &map) {
  const double all = needed() + static_cast<double>(bytes);
  if (!options_.maps || bytes == 0 || (!pager_ && all <= options_.limit)) return {};
  if (!pager_) open(all);
  take();
  return {*pager_, table, bytes, text("map '", map, "'"), true};
}

void PagedData::open(double needed) {
  PagerOptions options = options_.pager;
  const double left = options_.limit - unpaged_bytes();
  if (options.chunk == 0) options.chunk = chunk_for(left);
  options.limit = static_cast<std::size_t>(std::max(left, 8.0 * static_cast<double>(options.chunk)));
  pager_ = std::make_unique<Pager>(options);
  log_.write(OP_LOG_INFO, text("dats and maps need ", fixed(1e-6 * needed, 1), " MB, and OP2_MEMORY_LIMIT allows ",
                               fixed(1e-6 * options_.limit, 1), " MB: they are paged in chunks of ",
                               options.chunk / 1024, " KiB, ", pager_->form(), ", in ", options.folder));
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
