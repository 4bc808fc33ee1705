// What a program asks for with op_partition().
#include <bit>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "distributed/partition/partition.hpp"
#include "distributed/partition/weights.hpp"

namespace op2::core {

namespace {

template <class Object>
std::string named(const Object *object) {
  return object ? text("'", object->label, "'") : "NULL";
}

PartitionRequest request_of(const Mesh &mesh, const op_partition_params &params) {
  PartitionRequest out;
  out.asked = true;
  out.library = params.library ? params.library : "AUTO";
  out.routine = params.routine ? params.routine : "";
  if (params.set) out.set = &mesh.objects().set(params.set, "argument 'set'");
  if (params.map) out.map = &mesh.objects().map(params.map, "argument 'map'");
  if (params.coordinates) out.coordinates = &mesh.objects().dat(params.coordinates, "argument 'coordinates'");
  if (params.weights) out.weights = &mesh.objects().dat(params.weights, "argument 'weights'");
  const int processes = mesh.communicator().size();
  if (params.shares && params.nshares != processes)
    fail(OP_ERR_ARGUMENT, "nshares is ", params.nshares, "; there are ", processes, " processes, and each has a share");
  if (params.shares) out.shares.assign(params.shares, params.shares + processes);
  if (params.shares) PartShares{out.shares}; // refuses what is none
  return out;
}

} // namespace

PartitionRequest Partitioning::request(const char *call, Mesh &mesh, const op_partition_params &params) const {
  PartitionRequest out = request_of(mesh, params);
  check(out);
  std::string what = text(call, "('", out.library, "', '", out.routine, "', ", named(out.set), ", ", named(out.map),
                          ", ", named(out.coordinates));
  if (out.weights) what += text(", weights ", named(out.weights));
  if (!out.shares.empty()) what += text(", shares ", listing_of(out.shares));
  Hash hash;
  for (const double share : out.shares) hash.add(std::bit_cast<std::uint64_t>(share));
  if (!mesh.agreement().agree(what + ")", hash.value()))
    fail(OP_ERR_STATE, "the processes do not pass the same shares");
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
