// Whether a sequence of launches repeats itself, and what comes next if it goes on to do so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace op2::exec_cuda {

class Repeats {
 public:
  static constexpr size_t longest = 256; // period
  static constexpr size_t most_times = 3;

  // The next member of the sequence. 0 is no member.
  void add(uint32_t token) {
    if (tokens_.size() == 8 * most_times * longest) forget_old();
    tokens_.push_back(token);
  }

  // The shortest period whose last `times` rounds were equal, with `least` members or more after the first round, and
  // with which `next` comes next; 0: there is none. Rounds within rounds have several.
  size_t period(uint32_t next, size_t times, size_t least) const;

  // How far back the member lies that will come again `ahead` members from now: 1 is the last one.
  static size_t back(size_t period, size_t ahead) { return period - ahead % period; }
  uint32_t last(size_t back) const { return tokens_[tokens_.size() - back]; }

 private:
  void forget_old();
  std::vector<uint32_t> tokens_ = std::vector<uint32_t>(most_times * longest); // always as many at least
};

} // namespace op2::exec_cuda
