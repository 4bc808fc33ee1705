// Renumbering: which set is ordered first, how other sets follow, and whether a new order pays.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "distributed/redistribute/distribute.hpp"
#include "plan/order.hpp"

namespace op2::core {

// Returns the rows of a map's target set in a new order.
using OrderTargets = std::function<std::vector<int>(const OrderMap &)>;

struct RenumberRequest {
  const Map *base = nullptr;  // its target set is ordered first; NULL: the library chooses
  Dat *coordinates = nullptr; // their set is ordered first, along a Hilbert curve
  bool separate = false;      // each set gets an order of its own where a map allows; else sets follow the first
  OrderTargets order;         // empty: reverse Cuthill-McKee
  std::string method = "reverse Cuthill-McKee"; // for the log
};

struct RenumberResult {
  bool changed = false;
  std::string summary; // for the log: the order, or why there is none
};

// Renumbers in any case; several processes rebuild halos with `options`. Throws OP_ERR_STATE when a host view is open.
// Collective.
RenumberResult renumber(Mesh &mesh, const RenumberRequest &request, const DivideOptions &options);

// Renumbers when another order saves more of what loops through the maps cost than the change takes, by an estimate
// that is the same in every run. settled: no later call is needed (the mesh is large enough to decide). Collective.
struct AutomaticResult : RenumberResult {
  bool settled = false;
};
AutomaticResult renumber_if_it_pays(Mesh &mesh, const DivideOptions &options);

// Restores the order of the declaration.
void restore_declared_order(Mesh &mesh);

} // namespace op2::core

// SPDX-License-Identifier: MIT
