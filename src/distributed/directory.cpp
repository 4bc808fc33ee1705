#include "distributed/directory.hpp"

#include <algorithm>

#include "distributed/groups.hpp"

namespace op2::core {

namespace {

struct Entry {
  op_gindex number;
  std::int64_t value;
};
struct NumberRange {
  op_gindex first, last, value; // first ... last - 1
};

} // namespace

Directory::Directory(Communicator &communicator, op_gindex size)
    : communicator_(communicator),
      block_(std::max<op_gindex>(1, (size + communicator.size() - 1) / communicator.size())) {
  const op_gindex first = std::min(size, block_ * communicator.rank());
  values_.assign(static_cast<std::size_t>(std::min(size, first + block_) - first), -1);
}

void Directory::enter(std::span<const op_gindex> numbers, std::span<const int> values) {
  std::vector<Entry> entries;
  std::vector<int> keepers;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    entries.push_back({numbers[i], values[i]});
    keepers.push_back(keeper(numbers[i]));
  }
  const SparseMessages received = post<Entry>(communicator_, group_by_rank(keepers), entries);
  const op_gindex first = block_ * communicator_.rank();
  for (const Entry &entry : received.all<Entry>())
    values_[static_cast<std::size_t>(entry.number - first)] = static_cast<int>(entry.value);
}

void Directory::enter_range(op_gindex first, op_gindex count, int value) {
  std::vector<NumberRange> ranges;
  std::vector<int> keepers;
  for (op_gindex at = first; at < first + count;) {
    const op_gindex end = std::min(first + count, (at / block_ + 1) * block_);
    ranges.push_back({at, end, value});
    keepers.push_back(keeper(at));
    at = end;
  }
  const SparseMessages received = post<NumberRange>(communicator_, group_by_rank(keepers), ranges);
  const op_gindex begin = block_ * communicator_.rank();
  for (const NumberRange &range : received.all<NumberRange>())
    std::fill(values_.begin() + (range.first - begin), values_.begin() + (range.last - begin),
              static_cast<int>(range.value));
}

std::vector<int> Directory::ask(std::span<const op_gindex> numbers) const {
  std::vector<int> keepers;
  for (const op_gindex number : numbers) keepers.push_back(keeper(number));
  const Groups groups = group_by_rank(keepers);
  const SparseMessages questions = post(communicator_, groups, numbers);
  const op_gindex first = block_ * communicator_.rank();
  std::vector<int> values;
  for (const op_gindex number : questions.all<op_gindex>())
    values.push_back(values_[static_cast<std::size_t>(number - first)]);
  const SparseMessages answers =
      answer(communicator_, questions, values, [&](int m) { return questions.values<op_gindex>(m).size(); });
  std::vector<int> out(numbers.size());
  const std::span<const int> got = answers.all<int>(); // keepers ascend, as in the groups
  for (std::size_t i = 0; i < groups.order.size(); ++i) out[static_cast<std::size_t>(groups.order[i])] = got[i];
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
