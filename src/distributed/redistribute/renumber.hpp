// Renumbering: which set is ordered first, how the others follow, and whether it is worth it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "distributed/redistribute/distribute.hpp"
#include "plan/order.hpp"

namespace op2::core {

// An order of the targets of a map, by whatever means.
using OrderTargets = std::function<std::vector<int>(const OrderMap &)>;

struct RenumberRequest {
  const Map *base = nullptr;  // the set it leads to is ordered first; NULL: the library chooses
  Dat *coordinates = nullptr; // their set is ordered first, along a Hilbert curve through them
  bool separate = false;      // every set that a map leads to has an order of its own; else all follow the first
  OrderTargets order;         // empty: reverse Cuthill-McKee
  std::string method = "reverse Cuthill-McKee"; // for the log
};

struct RenumberResult {
  bool changed = false;
  std::string summary; // for the log: what was done, or why nothing
};

// Renumbers in any case; several processes make their halos anew, with the options. Throws OP_ERR_STATE when a host
// view is open.
RenumberResult renumber(Mesh &mesh, const RenumberRequest &request, const DivideOptions &options);

// Renumbers when the maps to large sets are in a bad order, in which a loop fetches rows several times as often as it
// needs to, and a much better one is found. settled: there was enough of a mesh to tell.
struct AutomaticResult : RenumberResult {
  bool settled = false;
};
AutomaticResult renumber_if_bad(Mesh &mesh, const DivideOptions &options);

// Back to the order of the declaration.
void restore_declared_order(Mesh &mesh);

} // namespace op2::core
