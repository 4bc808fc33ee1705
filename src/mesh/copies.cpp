#include "mesh/copies.hpp"

#include <cstring>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "mesh/paged/device_pager.hpp"
#include "mesh/paged/paged_data.hpp"
#include "mesh/rows.hpp"

namespace op2::core {

TraceSpan Copies::span(int lane, const char *verb, const Dat &dat, std::size_t bytes) const {
  if (!trace_) return {};
  const JsonFields facts = JsonFields().add("dat", dat.label).add("set", dat.set->name);
  return {*trace_, trace_->subject(lane, text(verb, " ", dat.label), facts, "bytes"), static_cast<std::int64_t>(bytes)};
}

void Copies::prepare_exec(Dat &dat, op_access access, bool partial) {
  if (!dat.state.copy_to_exec(access, partial)) return;
  if (!dat.layout.aos()) return convert(dat, false);
  const TraceSpan shown = span(trace_lane::data, "upload", dat, dat.bytes());
  if (device_)
    device_->forget(dat.remote.paged().number()); // loops bring what they need
  else
    executor_.copy(dat.remote.data(), dat.remote.space(), dat.host.data(), OP_SPACE_HOST, dat.bytes());
  dat.state.copied();
  show_state(dat);
}

void Copies::prepare_host(Dat &dat, op_access access, bool partial) {
  if (!dat.state.copy_to_host(access, partial)) return;
  if (!dat.layout.aos()) return convert(dat, true);
  const TraceSpan shown = span(trace_lane::data, "download", dat, dat.bytes());
  if (device_)
    device_->fetch(dat.remote.paged().number());
  else
    executor_.copy(dat.host.data(), OP_SPACE_HOST, dat.remote.data(), dat.remote.space(), dat.bytes());
  dat.state.copied();
  show_state(dat);
}

void Copies::note_exec(Dat &dat, op_access access) {
  dat.state.used_by_exec(access);
  show_state(dat);
}

void Copies::note_host(Dat &dat, op_access access) {
  dat.state.used_by_host(access);
  show_state(dat);
}

void Copies::note_exchanged(Dat &dat, bool exec, bool nonexec, bool on_exec) {
  dat.state.exchanged(exec, nonexec, on_exec);
  show_state(dat);
}

void Copies::note_exchanged(Dat &dat, const Map &map, bool on_exec) {
  dat.state.exchanged_by(map.index, on_exec);
  show_state(dat);
}

void Copies::note_current(Dat &dat, int level) {
  dat.state.set_current_to(level);
  show_state(dat);
}

void Copies::note_spoilt(Dat &dat) {
  dat.state.halos_are_new();
  show_state(dat);
}

void Copies::prepare_loop(Dat &dat, op_access access, bool partial, bool in_layout) {
  if (dat.split && !in_layout)
    prepare_host(dat, access, partial);
  else
    prepare_exec(dat, access, partial);
}

void Copies::note_loop(Dat &dat, op_access access, bool in_layout) {
  if (dat.split && !in_layout)
    note_host(dat, access);
  else
    note_exec(dat, access);
}

// Zeros everywhere: vectors of generated code never reach what is left over, but whole copies may be added up.
Storage Copies::layout_copy(const Dat &dat) {
  const std::size_t bytes = dat.layout.bytes();
  Storage copy(executor_, OP_SPACE_HOST, bytes);
  // Each component by itself, so that its pages lie near the threads that work on these rows.
  const std::size_t parts = dat.layout.kind == OP_LAYOUT_SOA ? static_cast<std::size_t>(dat.dim) : 1;
  for (std::size_t i = 0; i < parts; ++i) executor_.zero(OP_SPACE_HOST, copy.data() + bytes / parts * i, bytes / parts);
  return copy;
}

bool Copies::split(Dat &dat) try {
  if (dat.split) return true;
  dat.remote = layout_copy(dat);
  dat.state.separate();
  dat.split = true;
  show_state(dat);
  return true;
} catch (const Error &error) {
  if (error.code != OP_ERR_MEMORY) throw;
  return false;
}

void Copies::convert(Dat &dat, bool to_rows) {
  const char *const here = to_rows ? "to rows" : "to layout", *const there = to_rows ? "download" : "upload";
  const TraceSpan shown = span(trace_lane::data, dat.split ? here : there, dat, dat.bytes());
  const double start = now();
  if (!dat.split)
    convert_far(dat, to_rows);
  else if (to_rows)
    layout_to_rows(dat.host.data(), dat.remote.data(), dat.layout);
  else
    rows_to_layout(dat.remote.data(), dat.host.data(), dat.layout);
  ++conversions_.count;
  conversions_.seconds += now() - start;
  dat.state.copied();
  show_state(dat);
}

// The copy is in memory of the executor's own: it puts the values in order there, or the host does before they leave or
// when they have come.
void Copies::convert_far(Dat &dat, bool to_rows) {
  if (executor_.copies_rows()) {
    op_exec_rows rows{};
    rows.size = sizeof rows;
    rows.rows = dat.host.data();
    rows.copy = dat.remote.data();
    rows.stride = dat.layout.stride();
    rows.step = dat.layout.step();
    rows.count = dat.layout.rows;
    rows.dim = dat.dim;
    rows.type_size = dat.layout.value_bytes;
    rows.to_rows = to_rows ? 1 : 0;
    executor_.copy_rows(rows);
    return;
  }
  const std::size_t bytes = dat.layout.bytes();
  const Storage ordered = layout_copy(dat);
  if (to_rows) {
    executor_.copy(ordered.data(), OP_SPACE_HOST, dat.remote.data(), dat.remote.space(), bytes);
    layout_to_rows(dat.host.data(), ordered.data(), dat.layout);
  } else {
    rows_to_layout(ordered.data(), dat.host.data(), dat.layout);
    executor_.copy(dat.remote.data(), dat.remote.space(), ordered.data(), OP_SPACE_HOST, bytes);
  }
}

void Copies::show_state(Dat &dat) const {
  dat.dirtybit = dat.state.halo_stale() ? 1 : 0;
  dat.dirty_hd = dat.state.host_valid() ? (dat.state.exec_valid() ? 0 : 1) : 2;
}

void Copies::allocate_rows(Dat &object) {
  const bool separate = executor_.caps().separate_memory != 0;
  object.layout = with_rows(object.layout, object.on().rows()); // the set may have been divided anew
  const std::size_t rows = object.room_bytes() + Dat::room_behind,
                    there = object.layout.aos() ? rows : object.layout.bytes();
  // Parts of the rows travel beside loops: so they lie in page-locked memory.
  Storage host(executor_, device_ ? OP_SPACE_CUDA_PINNED : OP_SPACE_HOST, rows);
  Storage remote = device_        ? device_->add(host.data(), host.space(), rows)
                   : separate     ? Storage(executor_, executor_.caps().space, there)
                   : object.split ? layout_copy(object) // loops from before it was freed want it
                                  : Storage();
  object.host = std::move(host);
  if (paged_) paged_->take_empty(object);
  object.remote = std::move(remote);
  object.data = object.host.data();
  object.data_d = separate && !device_ ? object.remote.data() : nullptr;
  object.state = Coherence(separate || object.split);
  object.state.used_by_host(OP_WRITE);
  show_state(object);
}

void Copies::allocate(Dat &object, const void *data) try {
  allocate_rows(object);
  const Set &owner = object.on();
  if (data && owner.renumbered())
    gather_rows(object.host.data(), static_cast<const char *>(data), owner.original,
                static_cast<std::size_t>(object.size));
  else if (data)
    executor_.copy(object.host.data(), OP_SPACE_HOST, data, OP_SPACE_HOST, object.bytes());
  else
    executor_.zero(OP_SPACE_HOST, object.host.data(), object.bytes());
} catch (const Error &error) {
  fail(error.code, "dat '", object.label, "', ", object.set->size, " elements x ", object.size,
       " bytes: ", error.what());
}

void Copies::resize(Dat &dat, std::span<const int> order) {
  const std::size_t row = static_cast<std::size_t>(dat.size), own = dat.own_bytes();
  prepare_host(dat, OP_READ, false);
  ++dat.revision;
  const Storage before = std::move(dat.host);
  dat.split = false;
  allocate_rows(dat);
  executor_.zero(OP_SPACE_HOST, dat.host.data(), dat.bytes());
  if (!order.empty())
    gather_rows(dat.host.data(), before.data(), order, row);
  else if (own > 0)
    std::memcpy(dat.host.data(), before.data(), own);
  note_host(dat, OP_WRITE);
}

Storage Copies::table_copy(const std::vector<int> &table) {
  const std::size_t bytes = table.size() * sizeof(int);
  Storage copy(executor_, executor_.caps().space, bytes);
  executor_.copy(copy.data(), copy.space(), table.data(), OP_SPACE_HOST, bytes);
  return copy;
}

// The address for the head of a map: NULL where not all of the table need be there.
Storage Copies::map_copy(Map &map) {
  Storage copy =
      device_ ? device_->add(reinterpret_cast<char *>(map.table.data()), OP_SPACE_HOST, map.table.size() * sizeof(int))
              : table_copy(map.table);
  map.map_d = device_ ? nullptr : reinterpret_cast<int *>(copy.data());
  return copy;
}

PagedArray Copies::page_empty(std::vector<int> &table, const std::string &map) const {
  return paged_ ? paged_->take_empty(table.data(), table.capacity() * sizeof(int), map) : PagedArray();
}

void Copies::install(Map &map, std::vector<int> table, PagedArray paged) {
  ++map.revision;
  map.paged = PagedArray();
  map.table = std::move(table);
  map.paged = std::move(paged);
  map.map = map.table.data();
  map.map_d = nullptr;
  map.remote = Storage();
  if (!executor_.caps().separate_memory) return;
  map.remote = map_copy(map);
}

void Copies::grow(Dat &dat) {
  prepare_host(dat, OP_READ, false);
  const Storage before = std::move(dat.host);
  allocate_rows(dat);
  if (dat.own_bytes() > 0) std::memcpy(dat.host.data(), before.data(), dat.own_bytes());
  note_host(dat, OP_WRITE);
}

void Copies::refilled(Map &map, std::size_t room) {
  map.map = map.table.data();
  if (!executor_.caps().separate_memory) return;
  if (device_) {
    map.remote = map_copy(map);
    return;
  }
  if (map.remote.bytes() < room * sizeof(int))
    map.remote = Storage(executor_, executor_.caps().space, room * sizeof(int));
  executor_.copy(map.remote.data(), map.remote.space(), map.table.data(), OP_SPACE_HOST,
                 map.table.size() * sizeof(int));
  map.map_d = reinterpret_cast<int *>(map.remote.data());
}

const int *Copies::on_executor(const std::vector<int> &table, Storage &remote) {
  if (!executor_.caps().separate_memory) return table.data();
  if (!remote.data()) remote = table_copy(table);
  return reinterpret_cast<const int *>(remote.data());
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
