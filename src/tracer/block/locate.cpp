#include "tracer/block/locate.hpp"

#include "distributed/groups.hpp"

namespace op2::core::tracer {

namespace {

struct Asked {
  std::int64_t number; // of the point on its process
  Vector point;
};

struct Answered {
  std::int64_t number;
  Located located;
};

// What this process owns at the point.
Located own_at(Communicator &communicator, const Block &block, const Vector &point) {
  const streamline::Place place = block.locator().find(point);
  if (place.cell < 0 || block.owner(place.cell) != communicator.rank()) return {};
  return {block.number(place.cell), communicator.rank(), place.at};
}

} // namespace

// Whoever owns the cell with the lowest number has all other cells at the point, too, and knows that it is the one.
std::vector<Located> locate(Communicator &communicator, const Block &block, std::span<const Vector> points) {
  std::vector<int> to;
  std::vector<Asked> asked;
  const auto each_finite = [&](const auto &act) {
    for (std::size_t i = 0; i < points.size(); ++i)
      if (finite(points[i])) act(i);
  };
  if (block.keepers()) {
    std::vector<std::int64_t> bins;
    each_finite([&](std::size_t i) { bins.push_back(static_cast<std::int64_t>(block.bins()->of(points[i]))); });
    const Keepers::Known known = block.keepers()->ask(communicator, std::move(bins));
    each_finite([&](std::size_t i) {
      for (const int rank : known.of(block.bins()->of(points[i]))) {
        to.push_back(rank);
        asked.push_back({static_cast<std::int64_t>(i), points[i]});
      }
    });
  } else {
    each_finite([&](std::size_t i) {
      to.push_back(0);
      asked.push_back({static_cast<std::int64_t>(i), points[i]});
    });
  }
  const SparseMessages questions = post(communicator, group_by_rank(to), std::span<const Asked>(asked));
  std::vector<Answered> answers;
  std::vector<std::size_t> count;
  for (int m = 0; m < questions.count(); ++m) {
    const std::size_t before = answers.size();
    for (const Asked &question : questions.values<Asked>(m))
      if (const Located here = own_at(communicator, block, question.point); here.cell >= 0)
        answers.push_back({question.number, here});
    count.push_back(answers.size() - before);
  }
  const SparseMessages received =
      answer(communicator, questions, answers, [&](int m) { return count[static_cast<std::size_t>(m)]; });
  std::vector<Located> out(points.size());
  for (const Answered &found : received.all<Answered>()) out[static_cast<std::size_t>(found.number)] = found.located;
  return out;
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
