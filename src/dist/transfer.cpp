#include "dist/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "mesh/rows.hpp"

namespace op2::core {

namespace {

const Set &set_of(const Mesh &mesh, const Dat &dat) { return *mesh.sets()[static_cast<std::size_t>(dat.set->index)]; }

void need_released(const Dat &dat) {
  if (dat.acquired >= 0) fail(OP_ERR_STATE, "dat '", dat.label, "' is acquired; call op_dat_release() first");
}

void copy_bytes(void *to, const void *from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

// The elements first ... last-1 of this process, by their numbers of the declaration.
std::span<const int> rows_of(const Set &set, int first, int last) {
  return std::span(set.place).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first));
}

void read_rows(const Set &set, const Dat &dat, int first, int last, void *to) {
  const std::size_t row = static_cast<std::size_t>(dat.size);
  if (set.renumbered())
    gather_rows(static_cast<char *>(to), dat.host.data(), rows_of(set, first, last), row);
  else
    copy_bytes(to, dat.host.data() + static_cast<std::size_t>(first) * row,
               static_cast<std::size_t>(last - first) * row);
}

void write_rows(const Set &set, Dat &dat, int first, int last, const void *from) {
  const std::size_t row = static_cast<std::size_t>(dat.size);
  if (set.renumbered())
    scatter_rows(dat.host.data(), static_cast<const char *>(from), rows_of(set, first, last), row);
  else
    copy_bytes(dat.host.data() + static_cast<std::size_t>(first) * row, from,
               static_cast<std::size_t>(last - first) * row);
}

struct Range {         // the part of a global range that this process owns
  idx_g_t first, last; // [first, last), global numbers
};

Range own_part(const Set &set, const Dat &dat, idx_g_t low, idx_g_t high) {
  if (low < 0 || high < low || high >= set.global_size)
    fail(OP_ERR_RANGE, "elements ", low, " to ", high, " of dat '", dat.label, "' are asked for; set '", set.label,
         "' has ", set.global_size, " elements, so ",
         set.global_size > 0 ? text("0 <= low <= high <= ", set.global_size - 1, " (both are included)")
                             : "there is nothing to ask for");
  const idx_g_t first = std::clamp(low, set.global_offset, set.global_offset + set.size);
  const idx_g_t last = std::clamp(high + 1, set.global_offset, set.global_offset + set.size);
  return {first, last};
}

} // namespace

void fetch_own(Mesh &mesh, Dat &dat, void *to) {
  need_released(dat);
  const TraceSpan shown = mesh.span(trace_lane::data, "fetch", dat, dat.bytes());
  mesh.prepare_host(dat, OP_READ, false);
  read_rows(set_of(mesh, dat), dat, 0, dat.set->size, to);
}

void put_own(Mesh &mesh, Dat &dat, const void *from) {
  need_released(dat);
  const TraceSpan shown = mesh.span(trace_lane::data, "put", dat, dat.bytes());
  write_rows(set_of(mesh, dat), dat, 0, dat.set->size, from);
  mesh.note_host(dat, OP_WRITE);
}

void fetch_range(Mesh &mesh, Dat &dat, void *to, idx_g_t low, idx_g_t high) {
  need_released(dat);
  const Set &set = set_of(mesh, dat);
  const Range own = own_part(set, dat, low, high);
  const std::size_t row = static_cast<std::size_t>(dat.size);
  const std::size_t wanted = static_cast<std::size_t>(high - low + 1) * row;
  const TraceSpan shown = mesh.span(trace_lane::data, "fetch", dat, wanted);
  mesh.prepare_host(dat, OP_READ, false);
  const std::size_t bytes = static_cast<std::size_t>(own.last - own.first) * row;
  const int first = static_cast<int>(own.first - set.global_offset),
            last = static_cast<int>(own.last - set.global_offset);
  std::vector<char> moved(set.renumbered() ? bytes : 0);
  const char *rows = dat.host.data() + static_cast<std::size_t>(first) * row;
  if (set.renumbered()) {
    read_rows(set, dat, first, last, moved.data());
    rows = moved.data();
  }
  Communicator &communicator = mesh.communicator();
  const std::size_t processes = static_cast<std::size_t>(communicator.size());
  std::vector<std::size_t> counts(processes), places(processes + 1), offsets(processes + 1, 0);
  const TraceSpan gathering = mesh.span(trace_lane::exchanges, "gather", dat, wanted);
  for (std::size_t p = 0; p <= processes; ++p) places[p] = p * sizeof(std::size_t);
  communicator.allgatherv(&bytes, sizeof bytes, counts.data(), places.data());
  for (std::size_t p = 0; p < processes; ++p) offsets[p + 1] = offsets[p] + counts[p];
  communicator.allgatherv(rows, bytes, to, offsets.data());
}

void put_range(Mesh &mesh, Dat &dat, const void *from, idx_g_t low, idx_g_t high) {
  need_released(dat);
  const Set &set = set_of(mesh, dat);
  const Range own = own_part(set, dat, low, high);
  const bool whole = own.last - own.first == set.size;
  const std::size_t row = static_cast<std::size_t>(dat.size);
  const TraceSpan shown = mesh.span(trace_lane::data, "put", dat, static_cast<std::size_t>(own.last - own.first) * row);
  mesh.prepare_host(dat, OP_WRITE, !whole);
  write_rows(set, dat, static_cast<int>(own.first - set.global_offset), static_cast<int>(own.last - set.global_offset),
             static_cast<const char *>(from) + static_cast<std::size_t>(own.first - low) * row);
  mesh.note_host(dat, OP_WRITE);
}

void *open_window(Mesh &mesh, Dat &dat, op_access access) {
  const Set &set = set_of(mesh, dat);
  mesh.prepare_host(dat, access, access == OP_RW);
  if (set.renumbered()) {
    Storage window(mesh.executor(), OP_SPACE_HOST, dat.bytes());
    read_rows(set, dat, 0, set.size, window.data());
    dat.window = std::move(window);
  }
  dat.acquired = access;
  return dat.window.data() ? dat.window.data() : dat.host.data();
}

void close_window(Mesh &mesh, Dat &dat) {
  if (dat.window.data()) {
    if (writes_new(dat.acquired)) write_rows(set_of(mesh, dat), dat, 0, dat.set->size, dat.window.data());
    dat.window = Storage();
  }
  mesh.note_host(dat, dat.acquired);
  dat.acquired = -1;
}

} // namespace op2::core
