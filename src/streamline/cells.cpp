#include "streamline/cells.hpp"

#include <array>

#include "base/error.hpp"

namespace op2::core::streamline {

Cells::Cells(int dim, std::span<const double> x) : dim_(dim), x_(x) {
  if (dim != 2 && dim != 3) fail(OP_ERR_ARGUMENT, "nodes have ", dim, " coordinates; tracing takes 2 or 3");
}

void Cells::add(CellType type, std::span<const int> nodes) {
  const CellShape &kind = shape(type);
  if (kind.dim != dim_ || kind.nodes == 0)
    fail(OP_ERR_ARGUMENT, "tracing takes no ", kind.plural, " where nodes have ", dim_, " coordinates");
  const auto each = static_cast<std::size_t>(kind.nodes);
  if (nodes.size() % each != 0)
    fail(OP_ERR_ARGUMENT, nodes.size(), " nodes are no whole number of ", kind.plural, " with ", kind.nodes, " each");
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i] < 0 || nodes[i] >= this->nodes())
      fail(OP_ERR_ARGUMENT, kind.name, " ", i / each, " has node ", nodes[i], "; there are ", this->nodes());
  const std::size_t links = each + kind.sides.size();
  if (size_ == 0) {
    only_ = type;
    each_ = links;
  } else if (type_.empty() && type != only_) {
    begin_other_types();
  }
  for (std::size_t i = 0; i < nodes.size(); i += each, ++size_) {
    if (!type_.empty()) {
      type_.push_back(type);
      begin_.push_back(links_.size());
    }
    links_.insert(links_.end(), nodes.begin() + static_cast<std::ptrdiff_t>(i),
                  nodes.begin() + static_cast<std::ptrdiff_t>(i + each));
    links_.resize(links_.size() + kind.sides.size(), -1);
  }
}

void Cells::begin_other_types() {
  type_.assign(static_cast<std::size_t>(size_), only_);
  for (int cell = 0; cell < size_; ++cell) begin_.push_back(static_cast<std::size_t>(cell) * each_);
}

namespace {

// A side by its nodes in ascending order; entries behind the last node are -1.
struct Side {
  std::array<int, 4> nodes;
  int cell, number;
  std::size_t place; // of the cell behind it, in the links
};

Side side_of(const Cells &cells, int cell, int number, std::size_t place) {
  const CellSide &side = shape(cells.type(cell)).sides[static_cast<std::size_t>(number)];
  Side out{{-1, -1, -1, -1}, cell, number, place};
  const std::span<const int> nodes = cells.nodes_of(cell);
  for (int i = 0; i < side.nodes; ++i) { // each to its place among those before
    const int node = nodes[static_cast<std::size_t>(side.node[static_cast<std::size_t>(i)])];
    auto at = static_cast<std::size_t>(i);
    for (; at > 0 && out.nodes[at - 1] > node; --at) out.nodes[at] = out.nodes[at - 1];
    out.nodes[at] = node;
  }
  return out;
}

} // namespace

// Sides that begin with the same node are few, so they are compared with each other.
void Cells::connect() {
  std::vector<int> first(static_cast<std::size_t>(nodes()), -1), next;
  std::vector<Side> open;
  std::vector<char> closed; // has its second cell
  for (int cell = 0; cell < size(); ++cell) {
    const CellShape &kind = shape(type(cell));
    const std::size_t behind = begin(cell) + static_cast<std::size_t>(kind.nodes);
    for (int number = 0; number < static_cast<int>(kind.sides.size()); ++number) {
      const Side side = side_of(*this, cell, number, behind + static_cast<std::size_t>(number));
      int &head = first[static_cast<std::size_t>(side.nodes[0])];
      int other = head;
      while (other >= 0 && open[static_cast<std::size_t>(other)].nodes != side.nodes)
        other = next[static_cast<std::size_t>(other)];
      if (other < 0) {
        next.push_back(head);
        head = static_cast<int>(open.size());
        open.push_back(side);
        closed.push_back(0);
        continue;
      }
      const Side &there = open[static_cast<std::size_t>(other)];
      if (closed[static_cast<std::size_t>(other)])
        fail(OP_ERR_ARGUMENT, "more than two cells have the side of nodes ", side.nodes[0], ", ", side.nodes[1],
             side.nodes[2] < 0 ? "" : text(", ", side.nodes[2]), ": ", there.cell, " and ", cell, " among them");
      closed[static_cast<std::size_t>(other)] = 1;
      links_[side.place] = there.cell;
      links_[there.place] = cell;
    }
  }
}

} // namespace op2::core::streamline

// SPDX-License-Identifier: MIT
