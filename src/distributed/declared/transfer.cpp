#include "distributed/declared/transfer.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/error.hpp"
#include "distributed/all_or_none.hpp"
#include "distributed/declared/exchange.hpp"
#include "mesh/rows.hpp"

namespace op2::core {

namespace {

void need_released(const Dat &dat) {
  if (dat.acquired >= 0) fail(OP_ERR_STATE, "dat '", dat.label, "' is acquired; call op_dat_release() first");
}

void need_range(const Dat &dat, op_gindex low, op_gindex high) {
  const Set &set = dat.on();
  if (low < 0 || high < low || high >= set.global_size)
    fail(OP_ERR_RANGE, "elements ", low, " to ", high, " of dat '", dat.label, "' are asked for; set '", set.label,
         "' has ", set.global_size, " elements, so ",
         set.global_size > 0 ? text("0 <= low <= high <= ", set.global_size - 1, " (both are included)")
                             : "there is nothing to ask for");
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

// With several processes: the rows of the declared part, in the order of the declaration.
std::vector<char> read_declared(Mesh &mesh, const Set &set, const Dat &dat) {
  const std::size_t row = static_cast<std::size_t>(dat.size);
  std::vector<char> declared(static_cast<std::size_t>(set.declared_size) * row);
  rows_to_declared(mesh, set, dat.host.data(), declared.data(), row);
  return declared;
}

// Is this so little that each process looks for its own rows of it, instead of moving the whole dat?
bool is_little(const Set &set, op_gindex low, op_gindex high) { return high - low < set.global_size / 8; }

// Elements [low, high] on every process, from their owners.
void gather_few(Mesh &mesh, const Set &set, const Dat &dat, void *to, op_gindex low, op_gindex high) {
  const std::size_t row = static_cast<std::size_t>(dat.size);
  std::string mine; // of each row its number and its values
  for (const OwnRow &own : own_rows_between(mesh, set, low, high)) {
    mine.append(reinterpret_cast<const char *>(&own.number), sizeof own.number);
    mine.append(dat.host.data() + static_cast<std::size_t>(own.row) * row, row);
  }
  for (const std::string &theirs : mesh.communicator().allgather(mine))
    for (std::size_t at = 0; at < theirs.size(); at += sizeof(op_gindex) + row) {
      op_gindex number;
      std::memcpy(&number, theirs.data() + at, sizeof number);
      std::memcpy(static_cast<char *>(to) + static_cast<std::size_t>(number - low) * row,
                  theirs.data() + at + sizeof number, row);
    }
}

// Elements [low, high] on every process, from the declared parts.
void gather_declared(Mesh &mesh, const Set &set, const Dat &dat, void *to, op_gindex low, op_gindex high) {
  const std::vector<char> declared = read_declared(mesh, set, dat);
  const std::size_t row = static_cast<std::size_t>(dat.size);
  const op_gindex first = std::clamp(low, set.declared_first, set.declared_first + set.declared_size);
  const op_gindex last = std::clamp(high + 1, set.declared_first, set.declared_first + set.declared_size);
  const std::size_t bytes = static_cast<std::size_t>(last - first) * row;
  Communicator &communicator = mesh.communicator();
  const TraceSpan gathering =
      mesh.copies().span(trace_lane::exchanges, "gather", dat, static_cast<std::size_t>(high - low + 1) * row);
  const std::size_t processes = static_cast<std::size_t>(communicator.size());
  std::vector<std::size_t> counts(processes), places(processes + 1), offsets(processes + 1, 0);
  for (std::size_t p = 0; p <= processes; ++p) places[p] = p * sizeof(std::size_t);
  communicator.allgatherv(&bytes, sizeof bytes, counts.data(), places.data());
  for (std::size_t p = 0; p < processes; ++p) offsets[p + 1] = offsets[p] + counts[p];
  communicator.allgatherv(declared.data() + static_cast<std::size_t>(first - set.declared_first) * row, bytes, to,
                          offsets.data());
}

void gather_all(Mesh &mesh, const Set &set, const Dat &dat, void *to) {
  if (set.global_size > 0) gather_declared(mesh, set, dat, to, 0, set.global_size - 1);
}

// Under Declare::root: the whole dat to process 0.
void gather_at_root(Mesh &mesh, const Set &set, const Dat &dat, void *to) {
  const std::vector<char> declared = read_declared(mesh, set, dat);
  const int root = 0;
  const std::size_t offset[] = {0, declared.size()};
  const std::size_t messages = declared.empty() ? 0 : 1;
  const SparseMessages received =
      mesh.communicator().sparse_exchange(std::span(&root, messages), std::span(offset, messages + 1), declared.data());
  const std::span<const char> all = received.all<char>(); // senders ascend, as declared parts do
  copy_bytes(to, all.data(), all.size());
}

void put_declared(Mesh &mesh, const Set &set, Dat &dat, const void *declared) {
  rows_from_declared(mesh, set, declared, dat.host.data(), static_cast<std::size_t>(dat.size));
}

// What this process declared, in the order of the declaration.
void read_declared(Mesh &mesh, const Set &set, const Dat &dat, void *to) {
  if (!mesh.several() || set.particles) return read_rows(set, dat, 0, set.size, to);
  if (mesh.declare().mode() == Declare::root) return gather_at_root(mesh, set, dat, to);
  if (mesh.declare().mode() != Declare::replicated) {
    const std::vector<char> declared = read_declared(mesh, set, dat);
    return copy_bytes(to, declared.data(), declared.size());
  }
  gather_all(mesh, set, dat, to);
}

void write_declared(Mesh &mesh, const Set &set, Dat &dat, const void *from) {
  if (!mesh.several() || set.particles) return write_rows(set, dat, 0, set.size, from);
  const std::size_t row = static_cast<std::size_t>(dat.size);
  const DeclaredRows given = mesh.declare().declared_rows(set, from, row);
  if (given.data()) return put_declared(mesh, set, dat, given.data());
  const std::vector<char> zeros(static_cast<std::size_t>(set.declared_size) *
                                row); // a new dat, declared without values here
  put_declared(mesh, set, dat, zeros.data());
}

// From where an executor has it.
void to_host(Mesh &mesh, Dat &dat, op_access access, bool partial) {
  all_or_none(mesh, "rows on their way to the host", [&] { mesh.copies().prepare_host(dat, access, partial); });
}

} // namespace

void fetch_own(Mesh &mesh, Dat &dat, void *to) {
  need_released(dat);
  const TraceSpan shown = mesh.copies().span(trace_lane::data, "fetch", dat, dat.own_bytes());
  to_host(mesh, dat, OP_READ, false);
  read_declared(mesh, dat.on(), dat, to);
}

void put_own(Mesh &mesh, Dat &dat, const void *from) {
  need_released(dat);
  const TraceSpan shown = mesh.copies().span(trace_lane::data, "put", dat, dat.own_bytes());
  write_declared(mesh, dat.on(), dat, from);
  mesh.copies().note_host(dat, OP_WRITE);
}

void fetch_range(Mesh &mesh, Dat &dat, void *to, op_gindex low, op_gindex high) {
  need_released(dat);
  const Set &set = dat.on();
  need_range(dat, low, high);
  const TraceSpan shown = mesh.copies().span(
      trace_lane::data, "fetch", dat, static_cast<std::size_t>(high - low + 1) * static_cast<std::size_t>(dat.size));
  to_host(mesh, dat, OP_READ, false);
  if (!mesh.several())
    read_rows(set, dat, static_cast<int>(low), static_cast<int>(high + 1), to);
  else if (is_little(set, low, high))
    gather_few(mesh, set, dat, to, low, high);
  else
    gather_declared(mesh, set, dat, to, low, high);
}

void put_range(Mesh &mesh, Dat &dat, const void *from, op_gindex low, op_gindex high) {
  need_released(dat);
  const Set &set = dat.on();
  need_range(dat, low, high);
  const std::size_t row = static_cast<std::size_t>(dat.size);
  const TraceSpan shown =
      mesh.copies().span(trace_lane::data, "put", dat, static_cast<std::size_t>(high - low + 1) * row);
  to_host(mesh, dat, OP_WRITE, high - low + 1 != set.global_size);
  if (mesh.several()) { // each takes the rows it owns from what everybody passes
    for (const OwnRow &own : own_rows_between(mesh, set, low, high))
      std::memcpy(dat.host.data() + static_cast<std::size_t>(own.row) * row,
                  static_cast<const char *>(from) + static_cast<std::size_t>(own.number - low) * row, row);
  } else {
    write_rows(set, dat, static_cast<int>(low), static_cast<int>(high + 1), from);
  }
  mesh.copies().note_host(dat, OP_WRITE);
}

void *open_host_view(Mesh &mesh, Dat &dat, op_access access) {
  const Set &set = dat.on();
  to_host(mesh, dat, access, access == OP_RW);
  if (set.renumbered() || mesh.several()) {
    Storage view;
    all_or_none(mesh, "memory for a host view", [&] {
      view = Storage(mesh.executor(), OP_SPACE_HOST,
                     static_cast<std::size_t>(set.passed) * static_cast<std::size_t>(dat.size));
    });
    // Under Declare::root all processes read the same, so that they decide the same.
    if (mesh.several() && mesh.declare().mode() == Declare::root && !set.particles)
      gather_all(mesh, set, dat, view.data());
    else
      read_declared(mesh, set, dat, view.data());
    dat.host_view = std::move(view);
  }
  dat.acquired = access;
  return dat.host_view.data() ? dat.host_view.data() : dat.host.data();
}

void close_host_view(Mesh &mesh, Dat &dat) {
  if (dat.host_view.data()) {
    if (writes_new(dat.acquired)) write_declared(mesh, dat.on(), dat, dat.host_view.data());
    dat.host_view = Storage();
  }
  mesh.copies().note_host(dat, dat.acquired);
  dat.acquired = -1;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
