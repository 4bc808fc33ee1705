// scale_divide.hpp: divides the mesh into any number of parts in one process, with the library's own algorithms.
#ifndef OP2_BENCH_SCALE_DIVIDE_HPP
#define OP2_BENCH_SCALE_DIVIDE_HPP

#include <memory>
#include <string>
#include <vector>

#include "scale/scale_problem.hpp"

namespace scale {

// Known methods: rcb, inertial, hilbert, block.
bool known_method(const std::string &method);

// As if there were so many processes: the cells by their middles, the other sets as the library lets them follow.
class Divider {
 public:
  explicit Divider(const Problem &problem);
  ~Divider();
  // owner[set][element]; points of the elements of `primary`, [elements][2].
  std::vector<std::vector<int>> divide(const std::string &method, int primary, const std::vector<double> &points,
                                       int parts);

 private:
  struct Library; // a mesh of one process
  std::unique_ptr<Library> library_;
};

} // namespace scale

#endif

// SPDX-License-Identifier: MIT
