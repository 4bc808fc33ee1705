// What the steps drop, store, load and need of a schedule move: chunks of dats and maps that are partly in a file.
#pragma once

#include <cstddef>
#include <vector>

#include "loop/step.hpp"
#include "paging/pager.hpp"

namespace op2::core {

// For one unit of work.
struct PageMoves {
  std::vector<Chunks> drop, store, make, load; // to begin, in this order
  std::vector<Chunks> again;                   // then to load for the next run, if that is expected
  std::vector<Chunks> read, write;             // that must be in memory when the unit runs
};

struct UnitPages {
  ChunkStore *pager = nullptr;
  std::vector<PageMoves> units;    // with the pager's numbers of arrays
  std::vector<Chunks> start, made; // in memory when the first unit begins; those of them whose values nobody needs

  // Each run: what the plan begins with is there, or on its way, and nothing else.
  void begin() const {
    pager->begin_units(this, start);
    pager->make(made);
    pager->load(start);
  }
  void perform(const Step &step) const {
    const PageMoves &unit = units[static_cast<std::size_t>(step.part)];
    switch (step.what) {
      case Do::drop:
        return pager->drop(unit.drop);
      case Do::store:
        return pager->store(unit.store);
      case Do::load:
        pager->make(unit.make);
        pager->load(unit.load);
        if (pager->units_repeat()) pager->load(unit.again);
        return;
      default:
        pager->wait(unit.read, false);
        pager->wait(unit.write, true);
    }
  }
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
