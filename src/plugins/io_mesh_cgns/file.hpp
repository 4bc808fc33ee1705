// An open CGNS file, and the sizes of its nodes.
#pragma once

#include <cgnslib.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "grid.hpp"

namespace cgns {

using Name = std::array<char, 33>; // the length of names in CGNS

[[noreturn]] inline void refuse(const std::string &message) { throw Failure(OP_ERR_FILE, message); }

inline void check(int status) {
  if (status != CG_OK) refuse(cg_get_error());
}

class File {
 public:
  explicit File(const char *path);
  ~File() { cg_close(number_); }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  int number() const { return number_; }

  // The CGNS library reads whole arrays into buffers whose sizes come from other nodes of the file; the caller checks
  // the sizes here first. node: a path such as /Base/Zone/GridCoordinates/CoordinateX. False: no such node. Throws if
  // it has not `dims` dimensions or, for items >= 0, not `items` numbers.
  bool holds(const std::string &node, int dims, cgsize_t items) const;
  void must_hold(const std::string &node, int dims, cgsize_t items) const {
    if (!holds(node, dims, items)) refuse(node + " is not there");
  }
  // The whole numbers of a node of two dimensions, column by column, each of so many rows. Empty without the node.
  std::vector<std::int64_t> columns(const std::string &node, cgsize_t rows) const;

 private:
  int number_ = 0, low_ = 0;
  double root_ = 0;
};

} // namespace cgns

// SPDX-License-Identifier: MIT
