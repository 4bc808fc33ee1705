// The halo of a set: the owned rows of which neighbours hold copies, and the copies here of the neighbours' rows. Plain
// lists, which distributed/ makes and uses.
//
// Rows of a set: core | boundary | halo rows (copies). This process owns core and boundary; some neighbour executes the
// boundary elements, too. Halo rows are in layers, from layer 1, each executed | read only; each of these parts is
// sorted by owner. Executed copies reach, through some map, an element that this process owns (in layer k > 1: a copy
// in an earlier layer); read-only copies are targets of maps from owned and executed elements. Copies that a layer only
// reads have rows of maps, and are executed, from the next layer on.
#pragma once

#include <vector>

namespace op2::core {

// Rows to send or receive: row[offset[i]] ... row[offset[i + 1] - 1] go to or come from ranks[i].
struct HaloList {
  std::vector<int> ranks;        // ascending
  std::vector<int> offset = {0}; // [ranks + 1]
  std::vector<int> row;
};

// Consecutive halo rows from row `first` on, by owner.
struct HaloRange {
  std::vector<int> ranks;
  std::vector<int> offset = {0};
  int first = 0;
  int size() const { return offset.back(); }
};

// For each pair of processes, both list the rows in the same order: that of the owner's rows.
struct HaloPart {
  HaloList exported;
  HaloRange imported;
};

// The halo rows that one map reaches, executed and read only.
struct PartialHalo {
  HaloList exported, imported;
};

struct HaloLayer {
  HaloPart exec, nonexec;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
