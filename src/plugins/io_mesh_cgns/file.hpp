// A CGNS file that is open, and how much its nodes really hold.
#pragma once

#include <cgnslib.h>

#include <array>
#include <string>

#include "grid.hpp"

namespace cgns {

using Name = std::array<char, 33>; // as long as names are in CGNS

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

  // The library reads whole arrays into buffers whose sizes come from other places of the file; what is asked here
  // before keeps it inside them. `node`: a path such as /Base/Zone/GridCoordinates/CoordinateX. False: no such node.
  // Refuses nodes of other than `dims` dimensions or, unless `items` is below 0, of other than `items` numbers.
  bool holds(const std::string &node, int dims, cgsize_t items) const;
  void must_hold(const std::string &node, int dims, cgsize_t items) const {
    if (!holds(node, dims, items)) refuse(node + " is not there");
  }

 private:
  int number_ = 0, low_ = 0;
  double root_ = 0;
};

} // namespace cgns
