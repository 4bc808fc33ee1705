// Families of a CGNS file: the names of its patches.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "file.hpp"

namespace cgns {

struct Family {
  std::string node, name; // node: the name of its node in the file
};

// The families of the first base, in the order of the file.
std::vector<Family> read_families(const File &file);

// Adds a family with an unspecified boundary condition. file, base: as in cgnslib.h.
void write_family(int file, int base, const Family &family);

// Unique names of the nodes below one node: at most 32 bytes, no "/".
class NodeNames {
 public:
  std::string take(const std::string &request);

 private:
  std::set<std::string> taken_;
};

} // namespace cgns

// SPDX-License-Identifier: MIT
