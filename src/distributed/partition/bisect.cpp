// See bisect.hpp.
#include "distributed/partition/bisect.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.hpp"

namespace op2::core {

namespace {

constexpr std::uint64_t highest = ~std::uint64_t{0};

// The cuts of one level: each subset's elements go to its left or to its right part.
class Cuts {
 public:
  // want: the weight that shall go to the left of each subset.
  Cuts(Communicator &communicator, std::span<const int> weight, std::vector<long long> want)
      : communicator_(communicator), weight_(weight), want_(std::move(want)), open_(want_.size()) {}

  // For each own element whether it goes to the right; those without a subset stay 0.
  std::vector<char> run(const CutOrder &order, std::span<const int> subset, std::int64_t first_number);

 private:
  struct Candidate { // an element of which is not known where it goes
    std::size_t element;
    int subset;
    std::uint64_t key;
  };
  struct Open { // a subset whose candidates have several keys
    int slot = -1;
    std::uint64_t low = 0;
    int shift = 0;
    std::uint64_t bin = 0; // where the cut is; elements of lower bins go to the left
    bool exact = false;    // the cut is at the lower end of the bin
  };
  bool find_bounds();
  void find_bins();
  void decide_outside_bins(std::vector<char> &right);

  Communicator &communicator_;
  std::span<const int> weight_;
  std::vector<long long> want_;
  std::vector<Open> open_;
  std::vector<Candidate> candidates_;
  int slots_ = 0, bin_bits_ = 0;
};

std::vector<char> Cuts::run(const CutOrder &order, std::span<const int> subset, std::int64_t first_number) {
  std::vector<char> right(subset.size(), 0);
  for (std::size_t i = 0; i < subset.size(); ++i)
    if (subset[i] >= 0) candidates_.push_back({i, subset[i], 0});
  for (int stage = 0; stage <= order.stages; ++stage) {
    for (Candidate &c : candidates_)
      c.key = stage < order.stages ? order.key(stage, c.element) : static_cast<std::uint64_t>(first_number) + c.element;
    while (find_bounds()) {
      find_bins();
      decide_outside_bins(right);
    }
  }
  // Numbers differ, so that there is one candidate of a subset at most: it goes where more of it is wanted.
  for (const Candidate &c : candidates_)
    right[c.element] = 2 * want_[static_cast<std::size_t>(c.subset)] < weight_[c.element] ? 1 : 0;
  return right;
}

// The smallest and the largest key of each subset's candidates; false: all candidates of each subset agree.
bool Cuts::find_bounds() {
  std::vector<unsigned long long> bound(2 * open_.size(), highest); // the smallest key, the smallest of ~key
  for (const Candidate &c : candidates_) {
    const std::size_t at = 2 * static_cast<std::size_t>(c.subset);
    bound[at] = std::min<unsigned long long>(bound[at], c.key);
    bound[at + 1] = std::min<unsigned long long>(bound[at + 1], ~c.key);
  }
  communicator_.allreduce(bound.data(), bound.size(), OP_TYPE_ULL, OP_COMM_MIN);
  slots_ = 0;
  for (std::size_t s = 0; s < open_.size(); ++s) {
    const std::uint64_t low = bound[2 * s], high = ~bound[2 * s + 1];
    open_[s] = {};
    if (low >= high) continue; // of no candidates the lowest is above the highest
    open_[s].slot = slots_++;
    open_[s].low = low;
    open_[s].shift = static_cast<int>(std::bit_width(high - low)); // less the bits of the bins, see below
  }
  // Many bins need few rounds; many subsets share a bounded message.
  bin_bits_ = std::clamp(18 - static_cast<int>(std::bit_width(static_cast<unsigned>(slots_))), 4, 10);
  for (Open &o : open_) o.shift = std::max(0, o.shift - bin_bits_);
  return slots_ > 0;
}

// The bin of each open subset in which the wanted weight is reached.
void Cuts::find_bins() {
  const std::size_t bins = std::size_t{1} << bin_bits_;
  std::vector<long long> in_bin(static_cast<std::size_t>(slots_) * bins, 0);
  for (const Candidate &c : candidates_) {
    const Open &o = open_[static_cast<std::size_t>(c.subset)];
    if (o.slot < 0) continue;
    in_bin[static_cast<std::size_t>(o.slot) * bins + ((c.key - o.low) >> o.shift)] += weight_[c.element];
  }
  communicator_.allreduce(in_bin.data(), in_bin.size(), OP_TYPE_LL, OP_COMM_SUM);
  for (std::size_t s = 0; s < open_.size(); ++s) {
    Open &o = open_[s];
    if (o.slot < 0) continue;
    const long long *weight = in_bin.data() + static_cast<std::size_t>(o.slot) * bins;
    while (o.bin < bins && weight[o.bin] <= want_[s]) want_[s] -= weight[o.bin++];
    o.exact = want_[s] == 0;
  }
}

// Elements below and above the bin of their subset's cut are decided.
void Cuts::decide_outside_bins(std::vector<char> &right) {
  std::erase_if(candidates_, [&](const Candidate &c) {
    const Open &o = open_[static_cast<std::size_t>(c.subset)];
    if (o.slot < 0) return false;
    const std::uint64_t bin = (c.key - o.low) >> o.shift;
    if (bin == o.bin && !o.exact) return false;
    right[c.element] = bin >= o.bin ? 1 : 0;
    return true;
  });
}

struct Range { // parts [first, last) of which a subset is to become
  int first, last;
  int middle() const { return first + (last - first) / 2; }
  bool single() const { return last - first == 1; }
};

// What shall go to the left of each subset.
std::vector<long long> wanted(Communicator &communicator, const std::vector<Range> &ranges, const PartShares &shares,
                              std::span<const int> subset, std::span<const int> weight) {
  std::vector<long long> total(ranges.size(), 0);
  for (std::size_t i = 0; i < subset.size(); ++i)
    if (subset[i] >= 0) total[static_cast<std::size_t>(subset[i])] += weight[i];
  communicator.allreduce(total.data(), total.size(), OP_TYPE_LL, OP_COMM_SUM);
  for (std::size_t s = 0; s < ranges.size(); ++s) {
    const double all = shares.of(ranges[s].first, ranges[s].last);
    const double left = all > 0 ? shares.of(ranges[s].first, ranges[s].middle()) / all : 0;
    total[s] = std::clamp(std::llround(static_cast<double>(total[s]) * left), 0LL, total[s]);
  }
  return total;
}

} // namespace

std::vector<int> agreed_weights(Communicator &communicator, std::size_t elements, std::span<const int> weight) {
  long long lowest = 0, sum = 0;
  for (const int w : weight) {
    lowest = std::min<long long>(lowest, w);
    sum += w;
  }
  if (communicator.min(lowest) < 0)
    fail_on_all(OP_ERR_ARGUMENT, "an element has the weight ", communicator.min(lowest), "; weights are 0 or more");
  if (communicator.sum(sum) == 0 || weight.empty()) return std::vector<int>(elements, 1);
  return {weight.begin(), weight.end()};
}

std::vector<int> bisect(Communicator &communicator, std::size_t elements, std::span<const int> given,
                        const PartShares &shares, const OrderOfLevel &order) {
  const std::vector<int> weight = agreed_weights(communicator, elements, given);
  const std::int64_t first_number = communicator.sum_before(static_cast<std::int64_t>(elements));
  std::vector<int> part(elements, 0), subset(elements, 0);
  std::vector<Range> ranges{{0, shares.parts()}};
  if (ranges[0].single()) return part;
  while (!ranges.empty()) {
    Cuts cuts(communicator, weight, wanted(communicator, ranges, shares, subset, weight));
    const std::vector<char> right = cuts.run(order(static_cast<int>(ranges.size()), subset), subset, first_number);
    std::vector<Range> next;
    std::vector<int> place; // [2 * ranges]: subset of the next level, or -1
    for (const Range &range : ranges)
      for (const Range half : {Range{range.first, range.middle()}, Range{range.middle(), range.last}}) {
        place.push_back(half.single() ? -1 : static_cast<int>(next.size()));
        if (!half.single()) next.push_back(half);
      }
    for (std::size_t i = 0; i < elements; ++i) {
      if (subset[i] < 0) continue;
      const Range &range = ranges[static_cast<std::size_t>(subset[i])];
      part[i] = right[i] ? range.middle() : range.first; // in the end the only part of a range
      subset[i] = place[2 * static_cast<std::size_t>(subset[i]) + static_cast<std::size_t>(right[i])];
    }
    ranges = std::move(next);
  }
  return part;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
