#include "loop/form/recheck.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

#include "base/clock.hpp"
#include "base/error.hpp"

namespace op2::core {

namespace {

constexpr int looked_at = 2048, most_chosen = 99, most_components = 16, elements_at_once = 1024;
constexpr std::size_t apart = 1009; // a prime, and no divisor of what is looked at

// A number as a double, to be compared with others of its type.
double value_at(const char *bytes, int type) {
  const auto read = [&](auto value) {
    std::memcpy(&value, bytes, sizeof value);
    return static_cast<double>(value);
  };
  return type == OP_TYPE_DOUBLE ? read(double()) : type == OP_TYPE_FLOAT ? read(float()) : read(int());
}

// Adds the elements with the smallest and the greatest value of each component.
void add_extremes(const LoopArg &arg, const op_range_arg &range, std::span<const int> looked, std::set<int> &chosen) {
  const int type = arg.element.id;
  const bool numbers = type == OP_TYPE_DOUBLE || type == OP_TYPE_FLOAT || type == OP_TYPE_INT;
  if (!arg.dat || !numbers || range.kind == OP_RANGE_ABSENT || arg.access == OP_INC || arg.access == OP_WRITE) return;
  if (!arg.dat->state.host_valid()) return;
  const char *const rows = arg.dat->exec_data(false);
  for (int c = 0; c < std::min(arg.dim, most_components); ++c) {
    const auto value = [&](int n) {
      const std::ptrdiff_t row = arg.map ? range.map[static_cast<std::ptrdiff_t>(n) * range.map_stride] : n;
      return value_at(rows + row * arg.dat->size + static_cast<std::ptrdiff_t>(c) * arg.element.size, type);
    };
    const auto [least, greatest] = std::ranges::minmax_element(looked, {}, value);
    for (const int n : {*least, *greatest})
      if (static_cast<int>(chosen.size()) < most_chosen) chosen.insert(n);
  }
}

// Elements that other processes do not change meanwhile.
int compared_size(const FastFormRequest &request) {
  const Set &set = request.what->set;
  return set.core_size > 0 ? set.core_size : set.size;
}

} // namespace

std::vector<int> telling_elements(const FastFormRequest &request, int size, long round) {
  std::vector<int> looked(static_cast<std::size_t>(std::min(size, looked_at)));
  constexpr double golden = 0.6180339887498949; // whose multiples fall between each other, however many there are
  const double step = size / static_cast<double>(looked.size()),
               shift = std::fmod(golden * static_cast<double>(round), 1);
  for (std::size_t i = 0; i < looked.size(); ++i)
    looked[i] = std::min(static_cast<int>((static_cast<double>(i) + shift) * step), size - 1);
  std::set<int> chosen;
  for (std::size_t i = 0; i < request.what->args.size(); ++i)
    add_extremes(request.what->args[i], request.range_args[i], looked, chosen);
  for (std::size_t i = 0; i < looked.size() && static_cast<int>(chosen.size()) < most_chosen; ++i)
    chosen.insert(looked[i * apart % looked.size()]);
  return {chosen.begin(), chosen.end()};
}

namespace {

TrialResult compare_some(const FastFormRequest &request, const FastForm &code, op_range_fn made,
                         std::span<const int> elements) {
  return code.range() ? try_form(request, request.known, made, code.layouts(), elements)
                      : try_own_form(request, made, elements);
}

} // namespace

TrialResult Recheck::compare_all(const FastFormRequest &request, const FastForm &code, op_range_fn made) const {
  std::vector<int> elements;
  for (int begin = 0; begin < compared_size(request); begin += elements_at_once) {
    elements.resize(static_cast<std::size_t>(std::min(compared_size(request) - begin, elements_at_once)));
    std::iota(elements.begin(), elements.end(), begin);
    const TrialResult result = compare_some(request, code, made, elements);
    if (!result.difference.empty()) return result;
  }
  return {};
}

void Recheck::compare(const FastFormRequest &request, const FastForm &code, op_range_fn made, double per_call) {
  const double start = now();
  TrialResult result;
  if (compared_size(request) > 0 && all())
    result = compare_all(request, code, made);
  else if (compared_size(request) > 0)
    result = compare_some(request, code, made, telling_elements(request, compared_size(request), when_.calls()));
  when_.compared(now() - start, per_call);
  const bool rounds = result.rounds || (result.rounds_otherwise && result.difference.empty());
  if (!all() && rounds) when_.end();
  if (result.difference.empty() || (!all() && rounds)) return;
  if (!code.range())
    fail(OP_ERR_KERNEL, "before its call ", when_.calls(),
         ", the loop computes something else where what it adds (OP_INC) is collected for each element: ",
         result.difference, " Does the kernel read what it adds to? -DOP2_LANES=0 compiles it without");
  fail(OP_ERR_KERNEL, "before its call ", when_.calls(),
       ", the code made for it computes something else than its kernel: ", result.difference,
       " OP2_JIT=off runs the program's own code");
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
