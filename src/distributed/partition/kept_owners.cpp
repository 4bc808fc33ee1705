#include "distributed/partition/kept_owners.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "host/kept/kept_findings.hpp"

namespace op2::core {

std::string name_of_division(Mesh &mesh, const PartitionRequest &request, const std::string &plugin,
                             const PartShares &shares) {
  if (!mesh.kept()) return {};
  std::string name = text("owners by ", request.library, " ", request.routine, " ", plugin, ", process ",
                          mesh.communicator().rank(), " of ", mesh.communicator().size(), ", set ",
                          request.set ? request.set->index : -1, ", map ", request.map ? request.map->index : -1);
  for (const double share : shares.requested()) name += text(" ", share);
  for (const Dat *dat : {request.coordinates, request.weights})
    if (dat) name += text("; dat ", dat->index, " ", quick_digest(dat->host.data(), dat->own_bytes()));
  op_gindex most = 0;
  for (const auto &set : mesh.sets()) {
    int row = 0; // bytes: what loops fetch decides which set is divided
    for (const auto &dat : mesh.dats())
      if (&dat->on() == set.get() && !dat->freed) row += dat->size;
    name += text("; set of ", set->global_size, ", from ", set->declared_first, " ", set->size, ", bytes ", row);
    most = std::max(most, set->global_size);
  }
  for (const auto &map : mesh.maps())
    name += text("; map ", map->from->index, " to ", map->to->index, ", dim ", map->dim, " ",
                 quick_digest(map->targets.data(), map->targets.size() * sizeof(op_gindex)));
  return most >= smallest_kept ? name : "";
}

bool take_kept(Mesh &mesh, const std::string &name, std::vector<std::vector<int>> &owner) {
  if (mesh.communicator().min(name.empty() ? 0 : 1) == 0) return false;
  const std::optional<std::string> kept = mesh.kept()->find(name);
  std::string_view bytes = kept ? std::string_view(*kept) : std::string_view();
  std::vector<std::vector<int>> found(owner.size());
  bool good = true;
  for (std::size_t s = 0; s < found.size(); ++s)
    good = good && take_array(bytes, found[s]) &&
           (found[s].empty() || found[s].size() == static_cast<std::size_t>(mesh.sets()[s]->size));
  if (mesh.communicator().min(good && bytes.empty() ? 1 : 0) == 0) return false;
  owner = std::move(found);
  return true;
}

void keep_owners(Mesh &mesh, const std::string &name, const std::vector<std::vector<int>> &owner) {
  if (name.empty()) return;
  std::string bytes;
  for (const std::vector<int> &of : owner) add_array(bytes, of);
  mesh.kept()->keep(name, bytes);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
