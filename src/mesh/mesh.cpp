#include "mesh/mesh.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"

namespace op2::core {

Mesh::Mesh(Executor &executor, Communicator &communicator, int map_base)
    : executor_(executor), communicator_(communicator), agreement_(communicator), map_base_(map_base) {}

namespace {

// The object of this list at the address the user gave, which may be any address; NULL when there is none.
template <class Object>
Object *find(const std::vector<std::unique_ptr<Object>> &objects, const void *handle) {
  for (const auto &object : objects)
    if (static_cast<const void *>(object.get()) == handle) return object.get();
  return nullptr;
}

} // namespace

template <class Object>
Object &Mesh::checked(const std::vector<std::unique_ptr<Object>> &objects, const void *handle, const std::string &what,
                      const char *kind) const {
  if (!handle) fail(OP_ERR_HANDLE, what, " is NULL; a ", kind, " is needed");
  if (live_.count(handle))
    if (Object *object = find(objects, handle)) return *object;
  if (!live_.count(handle))
    fail(OP_ERR_HANDLE, what, " is not a ", kind,
         " of this context (freed, from before op_exit(), or never declared); declare it after op_init()");
  std::string is = "a reduction";
  if (const Set *set = find(sets_, handle)) is = "the set '" + set->label + "'";
  if (const Map *map = find(maps_, handle)) is = "the map '" + map->label + "'";
  if (const Dat *dat = find(dats_, handle)) is = "the dat '" + dat->label + "'";
  fail(OP_ERR_HANDLE, what, " is ", is, "; a ", kind, " is needed");
}

Set &Mesh::set(op_set handle, const std::string &what) const { return checked(sets_, handle, what, "set"); }
Map &Mesh::map(op_map handle, const std::string &what) const { return checked(maps_, handle, what, "map"); }
Dat &Mesh::dat(op_dat handle, const std::string &what) const { return checked(dats_, handle, what, "dat"); }
const op_reduction_core &Mesh::reduction(op_reduction handle, const std::string &what) const {
  return checked(reductions_, handle, what, "reduction");
}

TraceSpan Mesh::span(int lane, const char *verb, const Dat &dat, std::size_t bytes) const {
  if (!trace_) return {};
  const JsonFields facts = JsonFields().add("dat", dat.label).add("set", dat.set->name);
  return {*trace_, trace_->subject(lane, text(verb, " ", dat.label), facts, "bytes"), static_cast<std::int64_t>(bytes)};
}

void Mesh::prepare_exec(Dat &dat, op_access access, bool partial) {
  if (!dat.state.copy_to_exec(access, partial)) return;
  if (!dat.layout.aos()) return convert(dat, false);
  const TraceSpan shown = span(trace_lane::data, "upload", dat, dat.bytes());
  executor_.copy(dat.remote.data(), dat.remote.space(), dat.host.data(), OP_SPACE_HOST, dat.bytes());
  dat.state.copied();
  show_state(dat);
}

void Mesh::prepare_host(Dat &dat, op_access access, bool partial) {
  if (!dat.state.copy_to_host(access, partial)) return;
  if (!dat.layout.aos()) return convert(dat, true);
  const TraceSpan shown = span(trace_lane::data, "download", dat, dat.bytes());
  executor_.copy(dat.host.data(), OP_SPACE_HOST, dat.remote.data(), dat.remote.space(), dat.bytes());
  dat.state.copied();
  show_state(dat);
}

void Mesh::note_exec(Dat &dat, op_access access) {
  dat.state.used_by_exec(access);
  show_state(dat);
}

void Mesh::note_host(Dat &dat, op_access access) {
  dat.state.used_by_host(access);
  show_state(dat);
}

void Mesh::note_exchanged(Dat &dat, bool exec, bool nonexec, bool on_exec) {
  dat.state.exchanged(exec, nonexec, on_exec);
  show_state(dat);
}

void Mesh::note_exchanged(Dat &dat, const Map &map, bool on_exec) {
  dat.state.exchanged_by(map.index, on_exec);
  show_state(dat);
}

void Mesh::note_spoilt(Dat &dat) {
  dat.state.halos_are_new();
  show_state(dat);
}

void Mesh::prepare_loop(Dat &dat, op_access access, bool partial, bool in_layout) {
  if (dat.split && !in_layout)
    prepare_host(dat, access, partial);
  else
    prepare_exec(dat, access, partial);
}

void Mesh::note_loop(Dat &dat, op_access access, bool in_layout) {
  if (dat.split && !in_layout)
    note_host(dat, access);
  else
    note_exec(dat, access);
}

// Zeros everywhere: vectors of generated code never reach what is left over, but whole copies may be added up.
Storage Mesh::layout_copy(const Dat &dat) {
  const std::size_t bytes = dat.layout.bytes();
  Storage copy(executor_, OP_SPACE_HOST, bytes);
  // Each component by itself, so that its pages lie near the threads that work on these rows.
  const std::size_t parts = dat.layout.kind == OP_LAYOUT_SOA ? static_cast<std::size_t>(dat.dim) : 1;
  for (std::size_t i = 0; i < parts; ++i) executor_.zero(OP_SPACE_HOST, copy.data() + bytes / parts * i, bytes / parts);
  return copy;
}

bool Mesh::split(Dat &dat) try {
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

void Mesh::convert(Dat &dat, bool to_rows) {
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
void Mesh::convert_far(Dat &dat, bool to_rows) {
  if (executor_.copies_rows()) {
    op_exec_rows rows{};
    rows.size = sizeof rows;
    rows.rows = dat.host.data();
    rows.copy = dat.remote.data();
    rows.stride = dat.layout.stride();
    rows.step = dat.layout.step();
    rows.block = dat.layout.block;
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

void Mesh::show_state(Dat &dat) const {
  dat.dirtybit = dat.state.halo_stale() ? 1 : 0;
  dat.dirty_hd = dat.state.host_valid() ? (dat.state.exec_valid() ? 0 : 1) : 2;
}

} // namespace op2::core
