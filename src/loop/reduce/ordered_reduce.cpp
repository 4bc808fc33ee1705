#include "loop/reduce/ordered_reduce.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "mesh/particles.hpp"

namespace op2::core {

ElementNumbers::ElementNumbers(const Set &set)
    : global(set.global), original(set.original), own(set.size), all(set.global_size) {
  if (!set.particles) return;
  const Dat &identity = *set.particles->identity;
  global = {reinterpret_cast<const op_gindex *>(identity.host.data()), static_cast<std::size_t>(set.executed())};
}

std::size_t OrderedReduction::add(const op_reduction_core &reduction, int dim, std::size_t bytes) {
  arguments_.push_back({&reduction, dim, bytes, {}, {}, {}});
  return arguments_.size() - 1;
}

void OrderedReduction::begin(const ElementNumbers &numbers) {
  if (arguments_.empty()) return;
  numbers_ = numbers;
  const std::size_t own = static_cast<std::size_t>(numbers.own);
  for (Argument &argument : arguments_) {
    argument.values.resize(argument.bytes * own);
    argument.nodes.clear();
    argument.received.clear();
  }
  if (order_.size() == own) return;
  order_.resize(own);
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::sort(order_, {}, [&](int element) { return numbers.of(element); });
}

// Nodes come in ascending order. Two halves of a larger one are combined; one without an upper half, at the end of all
// numbers, stands for the larger one.
void OrderedReduction::push(Argument &argument, std::vector<Node> &nodes, Node node) const {
  const auto is_all = [&] { return node.index == 0 && numbers_.all <= std::int64_t{1} << node.level; };
  for (;;) {
    const bool upper = (node.index & 1) != 0;
    if (upper && !nodes.empty() && nodes.back().level == node.level && nodes.back().index == node.index - 1) {
      argument.reduction->combine(nodes.back().value, node.value, argument.dim);
      node.value = nodes.back().value;
      nodes.pop_back();
    } else if (upper || is_all() || (node.index + 1) << node.level < numbers_.all) {
      break;
    }
    node.index /= 2;
    ++node.level;
  }
  nodes.push_back(node);
}

void OrderedReduction::combine_own(Argument &argument) {
  for (const int element : order_)
    push(argument, argument.nodes,
         {numbers_.of(element), 0, argument.values.data() + argument.bytes * static_cast<std::size_t>(element)});
}

std::exception_ptr OrderedReduction::across(Communicator &communicator) {
  std::exception_ptr failure;
  for (Argument &argument : arguments_) across(communicator, argument, failure);
  return failure;
}

void OrderedReduction::across(Communicator &communicator, Argument &argument, std::exception_ptr &failure) {
  const auto unless_failed = [&](const auto &step) {
    try {
      if (!failure) step();
    } catch (...) {
      failure = std::current_exception();
    }
  };
  unless_failed([&] { combine_own(argument); });
  std::string sent;
  for (const Node &node : argument.nodes) {
    sent.append(reinterpret_cast<const char *>(&node), offsetof(Node, value));
    sent.append(node.value, argument.bytes);
  }
  for (const std::string &part : communicator.allgather(sent)) argument.received += part;
  const std::size_t head = offsetof(Node, value), step = head + argument.bytes;
  std::vector<Node> all;
  // Values that are combined are aligned.
  argument.values.resize(std::max(argument.values.size(), argument.received.size() / step * argument.bytes));
  for (std::size_t at = 0; at < argument.received.size(); at += step) {
    Node node{};
    std::memcpy(&node, argument.received.data() + at, head);
    node.value = argument.values.data() + at / step * argument.bytes;
    std::memcpy(node.value, argument.received.data() + at + head, argument.bytes);
    all.push_back(node);
  }
  if (all.empty()) return; // on all processes
  std::ranges::sort(all, {}, [](const Node &node) { return node.index << node.level; });
  argument.nodes.clear();
  unless_failed([&] {
    for (const Node &node : all) push(argument, argument.nodes, node);
  });
  if (argument.nodes.empty()) argument.nodes.push_back(all.front()); // after a failure
  // Processors of other kinds may have rounded otherwise in the program's function.
  communicator.bcast(argument.nodes.front().value, argument.bytes, 0);
}

const char *OrderedReduction::result(std::size_t number) {
  Argument &argument = arguments_[number];
  if (argument.nodes.empty()) combine_own(argument);
  return argument.nodes.empty() ? nullptr : argument.nodes.front().value;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
