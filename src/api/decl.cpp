// The door of decl.h.
#include "op2/decl.h"

#include "api/guard.hpp"
#include "dist/compose.hpp"
#include "dist/transfer.hpp"

using namespace op2::core;

namespace {

template <class Index>
op_map declare(op_set from, op_set to, int dim, const Index *entries, const char *name) {
  return collectively([&](Mesh &mesh) { return &mesh.declare_map(from, to, dim, entries, name); });
}

template <class Object>
std::string named(const Object *object) {
  return object ? text("'", object->label, "'") : "NULL";
}

// A set that is in parts takes the values of a new dat where its rows are.
op_dat declare(op_set set, int dim, const char *type, int type_size, const void *data, const char *name,
               bool temporary) {
  Mesh &mesh = *session().mesh;
  Dat &dat = collectively(
      [&](Mesh &all) -> Dat & { return all.declare_dat(set, dim, type, type_size, data, name, temporary); });
  if (dat.on().distributed && !temporary && mesh.communicator().max(data != nullptr) > 0) put_own(mesh, dat, data);
  return &dat;
}

} // namespace

op_set op_decl_set(idx_l_t size, const char *name) {
  return guarded_value<op_set>("op_decl_set", nullptr,
                               [&] { return collectively([&](Mesh &mesh) { return &mesh.declare_set(size, name); }); });
}

op_map op_decl_map(op_set from, op_set to, int dim, const idx_l_t *imap, const char *name) {
  return guarded_value<op_map>("op_decl_map", nullptr, [&] { return declare(from, to, dim, imap, name); });
}

op_map op_decl_map_long(op_set from, op_set to, int dim, const idx_g_t *imap, const char *name) {
  return guarded_value<op_map>("op_decl_map_long", nullptr, [&] { return declare(from, to, dim, imap, name); });
}

op_map op_map_compose(op_map first, op_map second, const char *name) {
  return guarded_value<op_map>("op_map_compose", nullptr, [&] {
    return collectively([&](Mesh &mesh) { return &compose_maps(mesh, first, second, name); });
  });
}

op_dat op_decl_dat(op_set set, int dim, const char *type, const void *data, const char *name) {
  return guarded_value<op_dat>("op_decl_dat", nullptr, [&] { return declare(set, dim, type, 0, data, name, false); });
}

op_dat op_decl_dat_char(op_set set, int dim, const char *type, int type_size, const char *data, const char *name) {
  return guarded_value<op_dat>("op_decl_dat_char", nullptr,
                               [&] { return declare(set, dim, type, type_size, data, name, false); });
}

op_dat op_decl_dat_temp(op_set set, int dim, const char *type, const char *name) {
  return guarded_value<op_dat>("op_decl_dat_temp", nullptr,
                               [&] { return declare(set, dim, type, 0, nullptr, name, true); });
}

op_dat op_decl_dat_temp_char(op_set set, int dim, const char *type, int type_size, const char *name) {
  return guarded_value<op_dat>("op_decl_dat_temp_char", nullptr,
                               [&] { return declare(set, dim, type, type_size, nullptr, name, true); });
}

op_status op_free_dat_temp(op_dat dat) {
  return guarded("op_free_dat_temp", [&] { session().mesh->free_temporary(dat); });
}

op_status op_decl_const2(const char *name, int dim, const char *type, const void *data) {
  return guarded("op_decl_const2", [&] { session().mesh->declare_constant(name, dim, type, 0, data); });
}

op_status op_decl_const_char(int dim, const char *type, int type_size, const char *data, const char *name) {
  return guarded("op_decl_const_char", [&] { session().mesh->declare_constant(name, dim, type, type_size, data); });
}

op_reduction op_decl_reduction(const char *name, const char *type, int type_size, op_reduce_fn combine,
                               const void *identity) {
  return guarded_value<op_reduction>("op_decl_reduction", nullptr, [&] {
    return session().mesh->declare_reduction(name, type, type_size, combine, identity);
  });
}

op_status op_partition(const char *library, const char *routine, op_set set, op_map map, op_dat coordinates) {
  return guarded("op_partition", [&] {
    Session &current = session();
    Mesh &mesh = *current.mesh;
    const PartitionWish wish = collectively([&](Mesh &) {
      PartitionWish out;
      out.asked = true;
      out.library = library ? library : "";
      out.routine = routine ? routine : "";
      if (set) out.set = &mesh.set(set, "argument 'set'");
      if (map) out.map = &mesh.map(map, "argument 'map'");
      if (coordinates) out.coordinates = &mesh.dat(coordinates, "argument 'coordinates'");
      current.partitioning->check(out);
      mesh.agreement().agree(text("op_partition('", out.library, "', '", out.routine, "', ", named(out.set), ", ",
                                  named(out.map), ", ", named(out.coordinates), ")"));
      return out;
    });
    if (mesh.several()) {
      mesh.settle();
      current.engine->distribute(current.partitioning->owners(mesh, wish));
    } else {
      current.log.write(OP_LOG_INFO, text("op_partition(", quoted(library), "): one process, nothing to distribute"));
    }
    current.partitioned = true;
  });
}

int op_is_partitioned(void) {
  const Session *current = current_session();
  return current && current->partitioned;
}
