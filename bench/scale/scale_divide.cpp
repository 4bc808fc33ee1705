// scale_divide.cpp: see scale_divide.hpp.
#include "scale/scale_divide.hpp"

#include <numeric>
#include <stdexcept>

#include "base/log.hpp"
#include "base/settings.hpp"
#include "distributed/partition/geometric.hpp"
#include "distributed/partition/inherit.hpp"
#include "host/communicator.hpp"
#include "host/executor.hpp"
#include "host/plugins/registry.hpp"
#include "host/plugins/services.hpp"
#include "mesh/mesh.hpp"
#include "plugins/builtin.hpp"

namespace scale {

using namespace op2::core;

bool known_method(const std::string &method) {
  return method == "rcb" || method == "inertial" || method == "hilbert" || method == "block";
}

namespace {

// The process whose block has an element: block p begins with element floor(size * p / parts).
int declared_on(std::size_t element, std::size_t size, int parts) {
  return static_cast<int>(((element + 1) * static_cast<std::size_t>(parts) - 1) / size);
}

} // namespace

struct Divider::Library {
  Settings settings = Settings::load(0, nullptr);
  Log log{OP_LOG_ERROR};
  Services services{log, settings};
  Registry registry{settings, log, services};
  std::unique_ptr<Communicator> communicator;
  std::unique_ptr<Executor> executor;
  std::unique_ptr<Mesh> mesh;
};

Divider::Divider(const Problem &problem) : library_(std::make_unique<Library>()) {
  Library &lib = *library_;
  for (const op_plugin_v1 *plugin : {comm_self_plugin(), exec_seq_plugin()}) lib.registry.add_builtin(plugin);
  lib.communicator = std::make_unique<Communicator>(lib.registry, lib.services, "self");
  lib.executor = std::make_unique<Executor>(lib.registry, lib.services, "seq", ExecutorChoice{});
  lib.mesh = std::make_unique<Mesh>(*lib.executor, *lib.communicator, 0);
  for (const MeshSet &set : problem.sets) {
    Set &made = lib.mesh->declare().set(set.size, set.name.c_str());
    made.global.resize(static_cast<std::size_t>(set.size));
    std::iota(made.global.begin(), made.global.end(), 0);
  }
  for (const MeshMap &map : problem.maps) {
    const auto set = [&](int i) { return lib.mesh->sets()[static_cast<std::size_t>(i)].get(); };
    Map &made = lib.mesh->declare().map(set(map.from), set(map.to), map.dim, map.targets.data(), "");
    made.targets.assign(map.targets.begin(), map.targets.end()); // as several processes have them before halos
  }
}

Divider::~Divider() = default;

std::vector<std::vector<int>> Divider::divide(const std::string &method, int primary, const std::vector<double> &points,
                                              int parts) {
  Mesh &mesh = *library_->mesh;
  Communicator &communicator = *library_->communicator;
  const std::size_t first = static_cast<std::size_t>(primary);
  const PartShares shares(parts);
  std::vector<std::vector<int>> owner(mesh.sets().size());
  if (method == "rcb")
    owner[first] = part_rcb(communicator, points, 2, shares);
  else if (method == "inertial")
    owner[first] = part_inertial(communicator, points, 2, shares);
  else if (method == "hilbert")
    owner[first] = part_hilbert(communicator, points, 2, shares);
  else if (method == "block")
    owner[first] = part_block(communicator, points.size() / 2, shares);
  else
    throw std::invalid_argument("unknown method " + method);
  // An element that nobody leads to stays where it was declared, which here is process 0 for all. Numbers from 1 on
  // tell which these are.
  for (int &part : owner[first]) ++part;
  std::vector<bool> done(mesh.sets().size(), false);
  done[first] = true;
  inherit_owners(mesh, owner, done, PartShares(communicator.size()));
  for (std::vector<int> &parts_of_set : owner)
    for (std::size_t i = 0; i < parts_of_set.size(); ++i)
      parts_of_set[i] = parts_of_set[i] > 0 ? parts_of_set[i] - 1 : declared_on(i, parts_of_set.size(), parts);
  return owner;
}

} // namespace scale

// SPDX-License-Identifier: MIT
