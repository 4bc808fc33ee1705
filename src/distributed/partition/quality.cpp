// See quality.hpp.
#include "distributed/partition/quality.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace op2::core {

namespace {

// Values of any type, each for the process in `to`, sent off together; what arrived.
template <class T>
SparseMessages deal(Communicator &communicator, std::span<const T> values, std::span<const int> to) {
  std::vector<std::size_t> at(values.size());
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = i;
  std::stable_sort(at.begin(), at.end(), [&](std::size_t a, std::size_t b) { return to[a] < to[b]; });
  std::vector<T> data;
  std::vector<int> ranks;
  std::vector<std::size_t> offset;
  for (const std::size_t i : at) {
    if (ranks.empty() || ranks.back() != to[i]) {
      ranks.push_back(to[i]);
      offset.push_back(data.size() * sizeof(T));
    }
    data.push_back(values[i]);
  }
  offset.push_back(data.size() * sizeof(T));
  return communicator.sparse_exchange(ranks, offset, data.data());
}

// Parts of vertices that other processes own.
class Away {
 public:
  Away(Communicator &communicator, const PartGraph &graph, std::span<const int> part) {
    const std::size_t me = static_cast<std::size_t>(communicator.rank());
    const std::int64_t first = graph.vertex_offset[me], last = graph.vertex_offset[me + 1];
    for (const std::int64_t v : graph.edges)
      if (v < first || v >= last) number_.push_back(v);
    std::sort(number_.begin(), number_.end());
    number_.erase(std::unique(number_.begin(), number_.end()), number_.end());
    std::vector<int> owner;
    for (const std::int64_t v : number_)
      owner.push_back(static_cast<int>(std::upper_bound(graph.vertex_offset.begin(), graph.vertex_offset.end(), v) -
                                       graph.vertex_offset.begin() - 1));
    const SparseMessages asked = deal<std::int64_t>(communicator, number_, owner);
    std::vector<int> answer, back;
    for (int m = 0; m < asked.count(); ++m)
      for (const std::int64_t v : asked.values<std::int64_t>(m)) {
        answer.push_back(part[static_cast<std::size_t>(v - first)]);
        back.push_back(asked.sender(m));
      }
    // Owners ascend with the numbers, so the answers come in the order of the questions.
    const SparseMessages answers = deal<int>(communicator, answer, back);
    const std::span<const int> all = answers.all<int>();
    part_.assign(all.begin(), all.end());
  }
  int part_of(std::int64_t vertex) const {
    return part_[static_cast<std::size_t>(std::lower_bound(number_.begin(), number_.end(), vertex) - number_.begin())];
  }

 private:
  std::vector<std::int64_t> number_; // ascending
  std::vector<int> part_;
};

using TouchingParts = std::pair<int, int>;

struct Weight { // of a part, as far as one process has it
  std::int64_t part, weight;
};

// What one process sees of the parts its vertices are in.
struct Seen {
  std::int64_t arcs = 0, volume = 0;
  std::vector<TouchingParts> touching; // (part, another part), each once
  std::vector<Weight> weights;         // a part once
};

void merge(std::vector<Weight> &weights) {
  std::sort(weights.begin(), weights.end(), [](const Weight &a, const Weight &b) { return a.part < b.part; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < weights.size(); ++i)
    if (weights[i].part == weights[last].part) {
      weights[last].weight += weights[i].weight;
    } else {
      weights[++last] = weights[i];
    }
  if (!weights.empty()) weights.resize(last + 1);
}

template <class T>
void each_once(std::vector<T> &values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

Seen look(Communicator &communicator, const PartGraph &graph, std::span<const int> part) {
  const Away away(communicator, graph, part);
  const std::size_t me = static_cast<std::size_t>(communicator.rank());
  const std::int64_t first = graph.vertex_offset[me], last = graph.vertex_offset[me + 1];
  Seen seen;
  std::vector<int> others;
  for (std::size_t v = 0; v < part.size(); ++v) {
    others.clear();
    for (std::int64_t e = graph.edge_offset[v]; e < graph.edge_offset[v + 1]; ++e) {
      const std::int64_t to = graph.edges[static_cast<std::size_t>(e)];
      const int q = to >= first && to < last ? part[static_cast<std::size_t>(to - first)] : away.part_of(to);
      if (q != part[v]) others.push_back(q);
    }
    seen.arcs += static_cast<std::int64_t>(others.size());
    each_once(others);
    seen.volume += static_cast<std::int64_t>(others.size());
    for (const int q : others)
      if (seen.touching.empty() || seen.touching.back() != TouchingParts{part[v], q})
        seen.touching.emplace_back(part[v], q);
    if (seen.weights.empty() || seen.weights.back().part != part[v]) seen.weights.push_back({part[v], 0});
    seen.weights.back().weight += graph.weight.empty() ? 1 : graph.weight[v];
  }
  each_once(seen.touching);
  merge(seen.weights);
  return seen;
}

// Each process adds up what all see of its own few parts.
int keeper_of(std::int64_t part, const Communicator &communicator, const PartShares &shares) {
  return static_cast<int>(part * communicator.size() / shares.parts());
}

// The weights of the parts that this process keeps.
std::vector<Weight> brought_together(Communicator &communicator, const std::vector<Weight> &seen,
                                     const PartShares &shares) {
  std::vector<int> to;
  for (const Weight &weight : seen) to.push_back(keeper_of(weight.part, communicator, shares));
  const SparseMessages received = deal<Weight>(communicator, seen, to);
  std::vector<Weight> weights(received.all<Weight>().begin(), received.all<Weight>().end());
  merge(weights);
  return weights;
}

// The weight of a part over its share, of the worst one.
double worst_of(Communicator &communicator, const std::vector<Weight> &weights, const PartShares &shares) {
  std::int64_t own = 0;
  for (const Weight &weight : weights) own += weight.weight;
  const double total = static_cast<double>(communicator.sum(own));
  double worst = 0;
  for (const Weight &weight : weights)
    if (weight.weight > 0 && shares.of(static_cast<int>(weight.part)) > 0) // a few strays may be where nothing should
      worst = std::max(worst, static_cast<double>(weight.weight) / (shares.of(static_cast<int>(weight.part)) * total));
  communicator.allreduce(&worst, 1, OP_TYPE_DOUBLE, OP_COMM_MAX);
  return total > 0 ? worst : 1;
}

} // namespace

double part_imbalance(Communicator &communicator, std::span<const int> weight, std::span<const int> part,
                      const PartShares &shares) {
  std::vector<Weight> seen;
  for (std::size_t v = 0; v < part.size(); ++v) {
    if (seen.empty() || seen.back().part != part[v]) seen.push_back({part[v], 0});
    seen.back().weight += weight.empty() ? 1 : weight[v];
  }
  merge(seen);
  return worst_of(communicator, brought_together(communicator, seen, shares), shares);
}

PartQuality part_quality(Communicator &communicator, const PartGraph &graph, std::span<const int> part,
                         const PartShares &shares) {
  const Seen seen = look(communicator, graph, part);
  const std::int64_t parts = shares.parts();
  const auto keeper = [&](std::int64_t p) { return keeper_of(p, communicator, shares); };
  std::vector<int> to;
  for (const TouchingParts &pair : seen.touching) to.push_back(keeper(pair.first));
  const SparseMessages touching_received = deal<TouchingParts>(communicator, seen.touching, to);

  std::vector<TouchingParts> touching(touching_received.all<TouchingParts>().begin(),
                                      touching_received.all<TouchingParts>().end());
  each_once(touching);
  const std::vector<Weight> weights = brought_together(communicator, seen.weights, shares);

  PartQuality out;
  const double worst = worst_of(communicator, weights, shares);
  std::int64_t most = 0, run = 0;
  for (std::size_t i = 0; i < touching.size(); ++i) {
    run = i > 0 && touching[i].first == touching[i - 1].first ? run + 1 : 1;
    most = std::max(most, run);
  }
  out.cut = communicator.sum(seen.arcs) / 2;
  out.volume = communicator.sum(seen.volume);
  out.imbalance = worst;
  out.neighbours = communicator.max(most);
  out.mean_neighbours =
      static_cast<double>(communicator.sum(static_cast<std::int64_t>(touching.size()))) / static_cast<double>(parts);
  out.empty = parts - communicator.sum(static_cast<std::int64_t>(weights.size()));
  return out;
}

std::string PartQuality::summary() const {
  return text("cut ", cut, ", communication volume ", volume, ", imbalance ", fixed(imbalance, 3), ", neighbours ",
              fixed(mean_neighbours, 1), " on average and ", neighbours, " at most",
              empty > 0 ? text(", ", empty, " parts without elements") : std::string());
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
