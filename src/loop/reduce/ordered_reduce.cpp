#include "loop/reduce/ordered_reduce.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace op2::core {

ElementNumbers::ElementNumbers(const Set &set)
    : global(set.global), original(set.original), own(set.size), all(set.global_size) {}

std::size_t OrderedReduction::add(const op_reduction_core &reduction, int dim, std::size_t bytes) {
  places_.push_back({&reduction, dim, bytes, {}, {}, {}});
  return places_.size() - 1;
}

void OrderedReduction::begin(const ElementNumbers &numbers) {
  if (places_.empty()) return;
  numbers_ = numbers;
  const std::size_t own = static_cast<std::size_t>(numbers.own);
  for (Place &place : places_) {
    place.values.resize(place.bytes * own);
    place.nodes.clear();
    place.received.clear();
  }
  if (order_.size() == own) return;
  order_.resize(own);
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::sort(order_, {}, [&](int element) { return numbers.of(element); });
}

// Nodes come in ascending order. Two halves of a larger one are combined; one without an upper half, at the end of all
// numbers, stands for the larger one.
void OrderedReduction::push(Place &place, std::vector<Node> &nodes, Node node) const {
  const auto is_all = [&] { return node.index == 0 && numbers_.all <= std::int64_t{1} << node.level; };
  for (;;) {
    const bool upper = (node.index & 1) != 0;
    if (upper && !nodes.empty() && nodes.back().level == node.level && nodes.back().index == node.index - 1) {
      place.reduction->combine(nodes.back().value, node.value, place.dim);
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

void OrderedReduction::combine_own(Place &place) {
  for (const int element : order_)
    push(place, place.nodes,
         {numbers_.of(element), 0, place.values.data() + place.bytes * static_cast<std::size_t>(element)});
}

void OrderedReduction::across(Communicator &communicator) {
  for (Place &place : places_) {
    combine_own(place);
    std::string sent;
    for (const Node &node : place.nodes) {
      sent.append(reinterpret_cast<const char *>(&node), offsetof(Node, value));
      sent.append(node.value, place.bytes);
    }
    for (const std::string &part : communicator.allgather(sent)) place.received += part;
    const std::size_t head = offsetof(Node, value), step = head + place.bytes;
    std::vector<Node> all;
    // Values that are combined are aligned.
    place.values.resize(std::max(place.values.size(), place.received.size() / step * place.bytes));
    for (std::size_t at = 0; at < place.received.size(); at += step) {
      Node node{};
      std::memcpy(&node, place.received.data() + at, head);
      node.value = place.values.data() + at / step * place.bytes;
      std::memcpy(node.value, place.received.data() + at + head, place.bytes);
      all.push_back(node);
    }
    std::ranges::sort(all, {}, [](const Node &node) { return node.index << node.level; });
    place.nodes.clear();
    for (const Node &node : all) push(place, place.nodes, node);
    // Processors of other kinds may have rounded otherwise in the program's function.
    if (!place.nodes.empty()) communicator.bcast(place.nodes.front().value, place.bytes, 0);
  }
}

const char *OrderedReduction::result(std::size_t number) {
  Place &place = places_[number];
  if (place.nodes.empty()) combine_own(place);
  return place.nodes.empty() ? nullptr : place.nodes.front().value;
}

} // namespace op2::core
