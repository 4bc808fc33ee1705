// A table of one value for each global number, spread over all processes in blocks of equal length, so that anybody can
// ask for the values of any numbers without knowing who has them (the distributed translation table of the PARTI and
// CHAOS libraries: J. Saltz, K. Crowley, R. Mirchandaney, H. Berryman, Run-time scheduling and execution of loops on
// message passing machines, 1990).
#pragma once

#include <span>
#include <vector>

#include "host/communicator.hpp"
#include "op2/types.h"

namespace op2::core {

class Directory {
 public:
  // All calls are collective. size: numbers are 0 ... size - 1.
  Directory(Communicator &communicator, idx_g_t size);
  // Everybody enters the values of some numbers; the whole of it names each number at most once.
  void enter(std::span<const idx_g_t> numbers, std::span<const int> values);
  // One value for all numbers first ... first + count - 1, in few messages.
  void enter_range(idx_g_t first, idx_g_t count, int value);
  // Values of numbers anybody entered; -1 for others. Best asked for each number once.
  std::vector<int> ask(std::span<const idx_g_t> numbers) const;

 private:
  int keeper(idx_g_t number) const { return static_cast<int>(number / block_); }

  Communicator &communicator_;
  idx_g_t block_;           // numbers of each keeper, but perhaps the last
  std::vector<int> values_; // of those kept here
};

} // namespace op2::core
