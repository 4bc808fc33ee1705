// User-defined reductions in an order that depends only on the numbers of the elements: a binary tree over all numbers.
// Each process combines the subtrees whose elements it all owns; then every process combines the results of all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace op2::core {

// The numbers of the declaration of the elements that a loop runs.
struct ElementNumbers {
  std::span<const op_gindex> global; // with several processes
  std::span<const int> original;   // one process, renumbered
  int own = 0;                     // owned elements
  op_gindex all = 0;               // elements on all processes
  ElementNumbers() = default;
  explicit ElementNumbers(const Set &set);
  op_gindex of(int element) const {
    const std::size_t n = static_cast<std::size_t>(element);
    return !global.empty() ? global[n] : !original.empty() ? original[n] : element;
  }
};

class OrderedReduction {
 public:
  bool empty() const { return arguments_.empty(); }
  std::size_t add(const op_reduction_core &reduction, int dim, std::size_t bytes);
  void begin(const ElementNumbers &numbers); // of a loop
  // Memory for the contribution of an owned element. Any thread may call it.
  char *contribution(std::size_t argument, int element) {
    return arguments_[argument].values.data() + arguments_[argument].bytes * static_cast<std::size_t>(element);
  }
  // Collective. Returns what the program's function has thrown here, NULL if nothing: other processes wait for what
  // follows.
  std::exception_ptr across(Communicator &communicator);
  // The combined value; NULL without elements. To be called once per run of the loop.
  const char *result(std::size_t argument);

 private:
  struct Node { // the numbers index * 2^level ... (index + 1) * 2^level - 1
    std::int64_t index;
    std::int64_t level;
    char *value;
  };
  struct Argument {
    const op_reduction_core *reduction;
    int dim;
    std::size_t bytes;
    std::vector<char> values;
    std::vector<Node> nodes; // roots of the combined subtrees
    std::string received;
  };
  void across(Communicator &communicator, Argument &argument, std::exception_ptr &failure);
  void combine_own(Argument &argument);
  void push(Argument &argument, std::vector<Node> &nodes, Node node) const;

  std::vector<Argument> arguments_;
  ElementNumbers numbers_;
  std::vector<int> order_; // owned elements by number
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
