// The rows of written dats that an element touches, whatever for. Rows of dats that the loop only reads make no element
// wait for another one.
#pragma once

#include <algorithm>
#include <vector>

#include "loop/signature/signature.hpp"

namespace op2::core {

// The row that an element reaches by a column of the argument's map, or its own.
inline int row_of(const LoopArg &arg, int element, int column) {
  if (!arg.map) return element;
  return arg.map->table[static_cast<std::size_t>(element) * static_cast<std::size_t>(arg.map->dim) +
                        static_cast<std::size_t>(column)];
}

class TouchedRows {
 public:
  // The signature must outlive the object.
  explicit TouchedRows(const LoopSignature &what) {
    for (const DatUse &use : what.dats) {
      if (!writes_new(use.access)) continue;
      for (std::size_t i = 0; i < what.args.size(); ++i)
        if (what.args[i].dat == use.dat) places_.push_back({i, &what.args[i], dats_.size()});
      dats_.push_back(use.dat);
    }
  }
  const std::vector<Dat *> &dats() const { return dats_; }

  struct Touch {
    std::size_t arg, dat; // dat: position in dats()
    int row;
    op_access access;
  };
  // Calls visit(touch) for each.
  template <class Visit>
  void of(int element, const Visit &visit) const {
    for (const Place &place : places_) {
      const LoopArg &arg = *place.of;
      for (int c = arg.column; c < arg.column + std::max(arg.count, 1); ++c)
        visit(Touch{place.arg, place.dat, row_of(arg, element, c), arg.access});
    }
  }

 private:
  struct Place {
    std::size_t arg;
    const LoopArg *of;
    std::size_t dat;
  };
  std::vector<Place> places_;
  std::vector<Dat *> dats_;
};

} // namespace op2::core
