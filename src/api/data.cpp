// The door of data.h, of storage.h, of inspect.h, and of what compat.h and meshfile.h have about rows.
#include "op2/data.h"

#include "api/guard.hpp"
#include "distributed/declared/transfer.hpp"
#include "mesh/particles.hpp"
#include "op2/compat.h"
#include "op2/hdf5.h"
#include "op2/inspect.h"
#include "op2/meshfile.h"
#include "op2/storage.h"

using namespace op2::core;

namespace {

// These tell what was declared, which no loop changes, so they run none.
Set &need_set(op_set set) { return recording_session().mesh->objects().any_set(set, "the set"); }
// A set whose sizes are asked for: it must be clear how several processes mean their declarations.
Set &need_size(op_set set) {
  Mesh &mesh = *recording_session().mesh;
  if (mesh.declare().mode() != Declare::automatic) return need_set(set);
  Set &object = collectively([set](Mesh &) -> Set & { return need_set(set); });
  mesh.declare().settle();
  return object;
}
Map &need_map(op_map map) { return recording_session().mesh->objects().any_map(map, "the map"); }
Dat &need_dat(op_dat dat) { return recording_session().mesh->objects().any_dat(dat, "the dat"); }
// A dat whose rows all processes ask for in the same call; check(dat) fails on all of them when it fails on one.
template <class Check>
Dat &need_rows(const std::string &call, op_dat dat, Check &&check) {
  return collectively([&](Mesh &mesh) -> Dat & {
    Dat &object = need_dat(dat);
    check(object);
    mesh.agreement().agree(text(call, " of dat '", object.label, "'"));
    mesh.declare().settle();
    return object;
  });
}

enum class RowScope { declared, all };

// Under Declare::root the rows that others declared do not count.
void need_array(const void *data, const Dat &dat, RowScope scope) {
  const Mesh &mesh = *session().mesh;
  const Set &set = dat.on();
  if (set.particles && scope == RowScope::all)
    fail(OP_ERR_UNSUPPORTED, "dat '", dat.label, "' is on the particles '", set.label,
         "', which have no fixed numbers; op_fetch_data() and op_put_data() are about those that this process has");
  const bool counts = mesh.declare().mode() != Declare::root || mesh.communicator().rank() == 0 || set.particles;
  const bool any = scope == RowScope::all ? set.global_size > 0 : set.passed > 0 && counts;
  if (!data && any)
    fail(OP_ERR_ARGUMENT, "the array for dat '", dat.label, "' is NULL; pass one of ", dat.dim, " x ", dat.type_label,
         " per element");
}

// The same for a transfer from or to an array of the program.
Dat &need_rows_for(const std::string &call, op_dat dat, const void *data, RowScope scope) {
  return need_rows(call, dat, [&](const Dat &object) { need_array(data, object, scope); });
}

std::string of_elements(const char *call, op_gindex low, op_gindex high) {
  return text(call, ", elements ", low, " to ", high);
}

// A program whose mesh the library has divided may take the part of this process for the whole dat.
void warn_of_part(const Dat &dat) {
  Session &here = session();
  const Set &set = dat.on();
  if (here.warned_of_parts || !set.divided_for_program || here.mesh->declare().mode() != Declare::local) return;
  here.warned_of_parts = true;
  here.log.write(OP_LOG_WARN,
                 text("op_fetch_data() of dat '", dat.label, "' gives each process its own part, here ", set.passed,
                      " of ", set.global_size,
                      " elements, since op_mesh_declare() has divided the mesh; "
                      "op_fetch_data_all() (C++: fetch_all()) gives all of them, op_fetch_data_own() (fetch_own()) "
                      "the part without this warning"));
}

enum class Warns { no, yes };

op_status fetch(const char *call, op_dat dat, void *data, Warns warns) {
  return guarded(call, [&] {
    Dat &object = need_rows_for(call, dat, data, RowScope::declared);
    if (warns == Warns::yes) warn_of_part(object);
    fetch_own(*session().mesh, object, data);
  });
}

op_status fetch_elements(const char *call, op_dat dat, void *data, op_gindex low, op_gindex high) {
  return guarded(call, [&] {
    Dat &object = need_rows_for(of_elements(call, low, high), dat, data, RowScope::all);
    fetch_range(*session().mesh, object, data, low, high);
  });
}

op_gindex last_element(const Dat &dat) { return static_cast<const Set *>(dat.set)->global_size - 1; }

} // namespace

op_gindex op_get_size(op_set set) {
  return guarded_value<op_gindex>("op_get_size", -1, [&] { return need_size(set).global_size; });
}

op_gindex op_get_global_set_offset(op_set set) {
  return guarded_value<op_gindex>("op_get_global_set_offset", -1, [&] { return need_size(set).declared_first; });
}

op_index op_get_size_declared(op_set set) {
  return guarded_value("op_get_size_declared", -1, [&] { return need_set(set).passed; });
}

op_index op_get_size_local(op_set set) {
  return guarded_value("op_get_size_local", -1, [&] { return need_size(set).size; });
}

op_index op_get_size_local_core(op_set set) {
  return guarded_value("op_get_size_local_core", -1, [&] { return need_size(set).core_size; });
}

op_index op_get_size_local_exec(op_set set) {
  return guarded_value("op_get_size_local_exec", -1, [&] {
    const Set &object = need_size(set);
    return object.size + object.exec_size;
  });
}

op_index op_get_size_local_full(op_set set) {
  return guarded_value("op_get_size_local_full", -1, [&] {
    const Set &object = need_size(set);
    return object.size + object.exec_size + object.nonexec_size;
  });
}

const char *op_set_name(op_set set) {
  return guarded_value<const char *>("op_set_name", nullptr, [&] { return need_set(set).label.c_str(); });
}
const char *op_map_name(op_map map) {
  return guarded_value<const char *>("op_map_name", nullptr, [&] { return need_map(map).label.c_str(); });
}
const char *op_dat_name(op_dat dat) {
  return guarded_value<const char *>("op_dat_name", nullptr, [&] { return need_dat(dat).label.c_str(); });
}
const char *op_dat_type(op_dat dat) {
  return guarded_value<const char *>("op_dat_type", nullptr, [&] { return need_dat(dat).type_label.c_str(); });
}
int op_dat_dim(op_dat dat) {
  return guarded_value("op_dat_dim", -1, [&] { return need_dat(dat).dim; });
}
int op_dat_type_size(op_dat dat) {
  return guarded_value("op_dat_type_size", -1, [&] { return need_dat(dat).element.size; });
}
op_set op_dat_set(op_dat dat) {
  return guarded_value<op_set>("op_dat_set", nullptr, [&] { return need_dat(dat).set; });
}
int op_map_dim(op_map map) {
  return guarded_value("op_map_dim", -1, [&] { return need_map(map).dim; });
}
op_set op_map_from(op_map map) {
  return guarded_value<op_set>("op_map_from", nullptr, [&] { return need_map(map).from; });
}
op_set op_map_to(op_map map) {
  return guarded_value<op_set>("op_map_to", nullptr, [&] { return need_map(map).to; });
}

op_status op_fetch_data(op_dat dat, void *data) { return fetch("op_fetch_data", dat, data, Warns::yes); }

op_status op_fetch_data_char(op_dat dat, char *data) { return fetch("op_fetch_data_char", dat, data, Warns::yes); }

op_status op_fetch_data_own(op_dat dat, void *data) { return fetch("op_fetch_data_own", dat, data, Warns::no); }

op_status op_fetch_data_all(op_dat dat, void *data) {
  return guarded("op_fetch_data_all", [&] {
    Dat &object = need_rows_for("op_fetch_data_all", dat, data, RowScope::all);
    if (last_element(object) >= 0) fetch_range(*session().mesh, object, data, 0, last_element(object));
  });
}

op_status op_fetch_data_idx(op_dat dat, void *data, op_gindex low, op_gindex high) {
  return fetch_elements("op_fetch_data_idx", dat, data, low, high);
}

op_status op_fetch_data_hdf5(op_dat dat, void *data, op_gindex low, op_gindex high) {
  return fetch_elements("op_fetch_data_hdf5", dat, data, low, high);
}

op_status op_put_data(op_dat dat, const void *data) {
  return guarded("op_put_data", [&] {
    Dat &object = need_rows("op_put_data", dat, [data](const Dat &wanted) {
      need_changeable(wanted);
      need_array(data, wanted, RowScope::declared);
    });
    put_own(*session().mesh, object, data);
  });
}

op_status op_put_data_all(op_dat dat, const void *data) {
  return guarded("op_put_data_all", [&] {
    Dat &object = need_rows_for("op_put_data_all", dat, data, RowScope::all);
    if (last_element(object) >= 0) put_range(*session().mesh, object, data, 0, last_element(object));
  });
}

op_status op_put_data_idx(op_dat dat, const void *data, op_gindex low, op_gindex high) {
  return guarded("op_put_data_idx", [&] {
    Dat &object = need_rows_for(of_elements("op_put_data_idx", low, high), dat, data, RowScope::all);
    put_range(*session().mesh, object, data, low, high);
  });
}

void *op_dat_acquire(op_dat dat, op_access access) {
  return guarded_value<void *>("op_dat_acquire", nullptr, [&]() -> void * {
    Dat &object = need_rows(text("op_dat_acquire, mode ", access_name(access), ","), dat, [&](const Dat &wanted) {
      if (access != OP_READ && access != OP_WRITE && access != OP_RW)
        fail(OP_ERR_ACCESS, "dat '", wanted.label, "' can be acquired with OP_READ, OP_WRITE or OP_RW, not with ",
             access_name(access));
      if (access != OP_READ) need_changeable(wanted);
      if (wanted.acquired >= 0)
        fail(OP_ERR_STATE, "dat '", wanted.label, "' is acquired already; call op_dat_release() first");
    });
    return open_host_view(*session().mesh, object, access);
  });
}

op_status op_dat_release(op_dat dat) {
  return guarded("op_dat_release", [&] {
    Dat &object = need_rows("op_dat_release", dat, [](const Dat &held) {
      if (held.acquired < 0) fail(OP_ERR_STATE, "dat '", held.label, "' is not acquired; call op_dat_acquire() first");
    });
    close_host_view(*session().mesh, object);
  });
}

extern "C" op_status op_dat_set_storage(op_dat dat, int storage) {
  return guarded("op_dat_set_storage", [&] {
    Session &current = session();
    Dat &object = current.mesh->objects().dat(dat, "argument 'dat'");
    if (storage != OP_STORAGE_AUTO && storage != OP_STORAGE_MEMORY && storage != OP_STORAGE_SCRATCH)
      fail(OP_ERR_ARGUMENT, "argument 'storage' is ", storage,
           "; it is OP_STORAGE_AUTO, OP_STORAGE_MEMORY or OP_STORAGE_SCRATCH");
    if (object.storage == storage) return;
    object.storage = storage;
    current.engine->forget_schedules(); // on all processes, some of which may have no limit
    PagedData *const paged = current.mesh->paged();
    if (paged || current.mesh->device_pager()) current.engine->forget_schedules();
    if (!paged) return;
    if (storage == OP_STORAGE_MEMORY) object.host.paged().restore();
    paged->take();
  });
}
// SPDX-License-Identifier: MIT
