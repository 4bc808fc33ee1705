// Connections of a zone with others: nodes that are one.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "file.hpp"

namespace cgns {

// What connections are read from and into.
struct ConnectedZone {
  const File &file;
  Zones &out; // gets links and notes; its names of zones are there
  int number; // from 1
  std::string name, path;
  cgsize_t points, elements;                                       // how many
  std::function<const std::vector<cgsize_t> &(cgsize_t)> nodes_of; // of an element; throws if there is none
};

// Throws Failure.
void read_connections(const ConnectedZone &zone);

} // namespace cgns

// SPDX-License-Identifier: MIT
