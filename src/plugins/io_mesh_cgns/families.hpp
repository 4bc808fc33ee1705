// Families of a CGNS file: what its patches are called.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "file.hpp"

namespace cgns {

struct Family {
  std::string node, name; // node: as the file has to call it
};

// Those of the first base, in the order of the file.
std::vector<Family> read_families(const File &file);

// Adds one with a condition that says nothing. `file` and `base` as cgnslib.h has them.
void write_family(int file, int base, const Family &family);

// Names of nodes below one node: at most 32 bytes, no "/", each once.
class NodeNames {
 public:
  std::string take(const std::string &request);

 private:
  std::set<std::string> taken_;
};

} // namespace cgns
