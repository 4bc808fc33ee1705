#include "tracer/block/keepers.hpp"

#include "distributed/groups.hpp"

namespace op2::core::tracer {

Keepers::Keepers(Communicator &communicator, std::size_t bins, const Region &own)
    : each_((static_cast<std::int64_t>(bins) + communicator.size() - 1) / communicator.size()),
      first_(each_ * communicator.rank()) {
  std::vector<std::int64_t> known;
  std::vector<int> to;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    if (!own.has(bin)) continue;
    known.push_back(static_cast<std::int64_t>(bin));
    to.push_back(keeper(known.back()));
  }
  const SparseMessages received = post(communicator, group_by_rank(to), std::span<const std::int64_t>(known));
  std::vector<std::size_t> count(static_cast<std::size_t>(each_), 0);
  const auto at = [this](std::int64_t bin) { return static_cast<std::size_t>(bin - first_); };
  for (const std::int64_t bin : received.all<std::int64_t>()) ++count[at(bin)];
  begin_.assign(1, 0);
  for (const std::size_t ranks : count) begin_.push_back(begin_.back() + ranks);
  ranks_.resize(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  for (int m = 0; m < received.count(); ++m) // senders ascend
    for (const std::int64_t bin : received.values<std::int64_t>(m)) ranks_[next[at(bin)]++] = received.sender(m);
}

Keepers::Known Keepers::ask(Communicator &communicator, std::vector<std::int64_t> bins) const {
  std::sort(bins.begin(), bins.end());
  bins.erase(std::unique(bins.begin(), bins.end()), bins.end());
  std::vector<int> to;
  for (const std::int64_t bin : bins) to.push_back(keeper(bin));
  const Groups groups = group_by_rank(to);
  const SparseMessages questions = post(communicator, groups, std::span<const std::int64_t>(bins));
  std::vector<int> answers; // for each bin how many there are, and which
  std::vector<std::size_t> length;
  for (int m = 0; m < questions.count(); ++m) {
    const std::size_t before = answers.size();
    for (const std::int64_t bin : questions.values<std::int64_t>(m)) {
      const auto at = static_cast<std::size_t>(bin - first_);
      answers.push_back(static_cast<int>(begin_[at + 1] - begin_[at]));
      for (std::size_t i = begin_[at]; i < begin_[at + 1]; ++i) answers.push_back(ranks_[i]);
    }
    length.push_back(answers.size() - before);
  }
  const SparseMessages received =
      answer(communicator, questions, answers, [&](int m) { return length[static_cast<std::size_t>(m)]; });
  // Bins ascend, and so do their keepers: answers are in the order of the bins.
  Known out;
  out.bins_ = std::move(bins);
  const std::span<const int> all = received.all<int>();
  for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(all[i]) + 1) {
    out.ranks_.insert(out.ranks_.end(), all.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                      all.begin() + static_cast<std::ptrdiff_t>(i) + 1 + all[i]);
    out.begin_.push_back(out.ranks_.size());
  }
  return out;
}

std::span<const int> Keepers::Known::of(std::size_t bin) const {
  const auto found = std::lower_bound(bins_.begin(), bins_.end(), static_cast<std::int64_t>(bin));
  if (found == bins_.end() || *found != static_cast<std::int64_t>(bin)) return {};
  const auto i = static_cast<std::size_t>(found - bins_.begin());
  return std::span(ranks_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
