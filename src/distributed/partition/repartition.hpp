// Another division of a set that is divided already: where its elements lie, and parts that leave most rows in place.
#pragma once

#include <vector>

#include "distributed/halo/transport.hpp"
#include "host/communicator.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

// points[own elements][dim]; dim 0: nobody knows.
struct ElementPoints {
  std::vector<double> of;
  int dim = 0;
};

// Of the own elements of the set, by a dat of coordinates on it, or on the set that the map leads to from `set`: then
// the means over the targets. The mesh must have its halos. Collective.
ElementPoints points_of_elements(Mesh &mesh, const Set &set, Dat &coordinates, const Map *map,
                                 const Transport &transport);

// Exchanges the numbers of parts among each other, so that many own elements keep their process. The greedy assignment
// of L. Oliker, R. Biswas, PLUM: parallel load balancing for adaptive unstructured meshes, 1998. Collective.
void keep_places(Communicator &communicator, std::vector<int> &part);

} // namespace op2::core
// SPDX-License-Identifier: MIT
