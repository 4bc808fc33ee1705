// Which rows of a set its neighbours hold copies of, and which rows here are copies of theirs. Plain lists:
// distributed/ makes them and moves data by them.
//
// Rows of a set: core | boundary | copies, where core and boundary are owned and boundary elements are executed by some
// neighbour, too. Copies come in layers, layer 1 first, each as executed | read only; each of these parts is sorted by
// owner. Executed copies reach, through some map, an element that this process owns (in layer k > 1: a copy of layers
// before k); read-only copies are what maps lead to from owned and executed elements.
#pragma once

#include <vector>

namespace op2::core {

// Rows for or from some processes: those of ranks[i] are row[offset[i]] ... row[offset[i + 1] - 1].
struct HaloList {
  std::vector<int> ranks;        // ascending
  std::vector<int> offset = {0}; // [ranks + 1]
  std::vector<int> row;
};

// Copies that lie one after another, beginning with row `first`.
struct HaloRange {
  std::vector<int> ranks;
  std::vector<int> offset = {0};
  int first = 0;
  int size() const { return offset.back(); }
};

// Both sides list the rows of one pair of processes in the same order, that of the owner's rows.
struct HaloPart {
  HaloList exported;
  HaloRange imported;
};

// Copies that one map reaches, of both kinds.
struct PartialHalo {
  HaloList exported, imported;
};

struct HaloLayer {
  HaloPart exec, nonexec;
};

} // namespace op2::core
