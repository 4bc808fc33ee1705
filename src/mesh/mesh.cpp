#include "mesh/mesh.hpp"

#include "base/error.hpp"

namespace op2::core {

Mesh::Mesh(Executor &executor, Communicator &communicator, int map_base)
    : executor_(executor), communicator_(communicator), map_base_(map_base) {}

namespace {

// One look-up for all kinds of handles: the registered objects of one kind, and the address the user gave.
template <class Object, class Handle>
Object &checked(const std::vector<std::unique_ptr<Object>> &objects, const std::unordered_set<const void *> &live, Handle handle,
                const std::string &what, const char *kind) {
  if (!handle) fail(OP_ERR_HANDLE, what, " is NULL; a ", kind, " is needed");
  // Only an address that is known to be an object of ours may be followed, and then its number tells the kind.
  if (live.count(handle)) {
    for (const auto &object : objects)
      if (object && static_cast<const void *>(object.get()) == static_cast<const void *>(handle)) return *object;
  }
  fail(OP_ERR_HANDLE, what, " is not a ", kind, " of this context (freed, from before op_exit(), or never declared)");
}

} // namespace

Set &Mesh::set(op_set handle, const std::string &what) const { return checked(sets_, live_, handle, what, "set"); }
Map &Mesh::map(op_map handle, const std::string &what) const { return checked(maps_, live_, handle, what, "map"); }
Dat &Mesh::dat(op_dat handle, const std::string &what) const { return checked(dats_, live_, handle, what, "dat"); }
const op_reduction_core &Mesh::reduction(op_reduction handle, const std::string &what) const {
  return checked(reductions_, live_, handle, what, "reduction");
}

void Mesh::prepare_exec(Dat &dat, op_access access, bool partial) {
  if (!dat.state.copy_to_exec(access, partial)) return;
  executor_.copy(dat.remote.data(), dat.remote.space(), dat.host.data(), OP_SPACE_HOST, dat.bytes());
  dat.state.copied();
  show_state(dat);
}

void Mesh::prepare_host(Dat &dat, op_access access, bool partial) {
  if (!dat.state.copy_to_host(access, partial)) return;
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

void Mesh::show_state(Dat &dat) const {
  dat.dirtybit = dat.state.halo_stale() ? 1 : 0;
  dat.dirty_hd = dat.state.host_valid() ? (dat.state.exec_valid() ? 0 : 1) : 2;
}

} // namespace op2::core
