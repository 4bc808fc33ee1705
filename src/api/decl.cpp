// The door of decl.h, partition.h, reduction.h and user_types.h.
#include "op2/decl.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "api/guard.hpp"
#include "distributed/declared/transfer.hpp"
#include "distributed/redistribute/compose.hpp"
#include "op2/partition.h"
#include "op2/reduction.h"
#include "op2/user_types.h"

using namespace op2::core;

namespace {

// Index: op_index or op_gindex.
template <class Index>
op_map declare_map(op_set from, op_set to, int dim, const Index *entries, const char *name) {
  return collectively([&](Mesh &mesh) { return &mesh.declare().map(from, to, dim, entries, name); });
}

// A set that is in parts takes the values of a new dat where its rows are. type_size: of a type of the program's own; 0
// for built-in types.
op_dat declare_dat(op_set set, int dim, const char *type, int type_size, const void *data, const char *name,
                   bool temporary) {
  Mesh &mesh = *session().mesh;
  Dat &dat = collectively(
      [&](Mesh &all) -> Dat & { return all.declare().dat(set, dim, type, type_size, data, name, temporary); });
  if (dat.on().distributed && !temporary && mesh.communicator().max(data != nullptr) > 0) put_own(mesh, dat, data);
  return &dat;
}

std::string named(const Dat *dat) { return dat ? text("'", dat->label, "'") : "NULL"; }

void partition_with(const char *call, const op_partition_params &params) {
  Session &current = session();
  Mesh &mesh = *current.mesh;
  const PartitionRequest request =
      collectively([&](Mesh &all) { return current.partitioning->request(call, all, params); });
  if (mesh.several()) {
    mesh.declare().settle();
    current.engine->mesh_setup().distribute(current.partitioning->division(mesh, request).choose);
  } else {
    current.log.write(OP_LOG_INFO, text(call, "('", request.library, "'): one process, nothing to distribute"));
  }
  current.partitioned = true;
}

RepartitionRequest repartition_request(const Rebalance &rebalance, Mesh &mesh, const op_repartition_params &params) {
  RepartitionRequest out;
  if (params.weights) out.weights = &mesh.objects().dat(params.weights, "argument 'weights'");
  if (params.coordinates) out.coordinates = &mesh.objects().dat(params.coordinates, "argument 'coordinates'");
  out.always = params.always != 0;
  rebalance.check(out);
  mesh.agreement().agree(text("op_repartition(weights ", named(out.weights), ", coordinates ", named(out.coordinates),
                              out.always ? ", always)" : ")"));
  return out;
}

// 0 where one of them makes no sense.
std::size_t bytes_of(int dim, int type_size) {
  return dim > 0 && type_size > 0 ? static_cast<std::size_t>(dim) * static_cast<std::size_t>(type_size) : 0;
}

} // namespace

op_set op_decl_set(op_index size, const char *name) {
  return guarded_value<op_set>("op_decl_set", nullptr, [&] {
    return collectively([&](Mesh &mesh) { return &mesh.declare().set(size, name); });
  });
}

op_map op_decl_map(op_set from, op_set to, int dim, const op_index *imap, const char *name) {
  return guarded_value<op_map>("op_decl_map", nullptr, [&] { return declare_map(from, to, dim, imap, name); });
}

op_map op_decl_map_long(op_set from, op_set to, int dim, const op_gindex *imap, const char *name) {
  return guarded_value<op_map>("op_decl_map_long", nullptr, [&] { return declare_map(from, to, dim, imap, name); });
}

op_map op_map_compose(op_map first, op_map second, const char *name) {
  return guarded_value<op_map>("op_map_compose", nullptr, [&] {
    return collectively([&](Mesh &mesh) {
      const bool follows = mesh.objects().any_map(first, "argument 'first'").source().particles != nullptr;
      return follows ? &session().particles->follow(first, second, name) : &compose_maps(mesh, first, second, name);
    });
  });
}

op_dat op_decl_dat(op_set set, int dim, const char *type, const void *data, const char *name) {
  return guarded_value<op_dat>("op_decl_dat", nullptr,
                               [&] { return declare_dat(set, dim, type, 0, data, name, false); });
}

op_dat op_decl_dat_char(op_set set, int dim, const char *type, int type_size, const char *data, const char *name) {
  return guarded_value<op_dat>("op_decl_dat_char", nullptr,
                               [&] { return declare_dat(set, dim, type, type_size, data, name, false); });
}

op_dat op_decl_dat_temp(op_set set, int dim, const char *type, const char *name) {
  return guarded_value<op_dat>("op_decl_dat_temp", nullptr,
                               [&] { return declare_dat(set, dim, type, 0, nullptr, name, true); });
}

op_dat op_decl_dat_temp_char(op_set set, int dim, const char *type, int type_size, const char *name) {
  return guarded_value<op_dat>("op_decl_dat_temp_char", nullptr,
                               [&] { return declare_dat(set, dim, type, type_size, nullptr, name, true); });
}

op_status op_free_dat_temp(op_dat dat) {
  return guarded("op_free_dat_temp", [&] { session().mesh->declare().free_temporary(dat); });
}

op_status op_decl_const_named(const char *name, int dim, const char *type, const void *data) {
  return guarded("op_decl_const_named", [&] {
    recording_session().engine->run_before_constant(name, data, bytes_of(dim, type ? parse_type(type).size : 0));
    session().mesh->declare().constant(name, dim, type, 0, data);
  });
}

op_status op_decl_const_char(int dim, const char *type, int type_size, const char *data, const char *name) {
  return guarded("op_decl_const_char", [&] {
    recording_session().engine->run_before_constant(name, data, bytes_of(dim, type_size));
    session().mesh->declare().constant(name, dim, type, type_size, data);
  });
}

op_reduction op_decl_reduction(const char *name, const char *type, int type_size, op_reduce_fn combine,
                               const void *identity) {
  return guarded_value<op_reduction>("op_decl_reduction", nullptr, [&] {
    return session().mesh->declare().reduction(name, type, type_size, combine, identity);
  });
}

op_status op_partition(const char *library, const char *routine, op_set set, op_map map, op_dat coordinates) {
  return guarded("op_partition", [&] {
    op_partition_params params = OP_PARTITION_PARAMS;
    params.library = library ? library : "";
    params.routine = routine;
    params.set = set;
    params.map = map;
    params.coordinates = coordinates;
    partition_with("op_partition", params);
  });
}

op_status op_partition_with(const op_partition_params *params) {
  return guarded("op_partition_with", [&] {
    op_partition_params full = OP_PARTITION_PARAMS;
    collectively([&](Mesh &) {
      if (!params || params->size < sizeof(size_t))
        fail(OP_ERR_ARGUMENT, "the parameters are NULL or their size is not set; use OP_PARTITION_PARAMS");
      std::memcpy(&full, params, std::min(params->size, sizeof full));
    });
    partition_with("op_partition_with", full);
  });
}

op_status op_repartition(const op_repartition_params *params) {
  return guarded("op_repartition", [&] {
    Session &current = session();
    op_repartition_params full = OP_REPARTITION_PARAMS;
    Mesh &mesh = *current.mesh;
    const RepartitionRequest request = mesh.agreement().with_others("op_repartition", [&] {
      if (params && params->size < sizeof(size_t))
        fail(OP_ERR_ARGUMENT, "the size of the parameters is not set; use OP_REPARTITION_PARAMS");
      if (params) std::memcpy(&full, params, std::min(params->size, sizeof full));
      return repartition_request(*current.rebalance, mesh, full);
    });
    Repartition done;
    if (mesh.several()) done = current.rebalance->run(request);
    if (full.result)
      *full.result = {done.moved ? 1 : 0, static_cast<long long>(done.rows), done.before, done.after, done.seconds};
  });
}

int op_is_partitioned(void) {
  const Session *current = current_session();
  return current && current->partitioned;
}

// SPDX-License-Identifier: MIT
