// The elements on which code is compared, and copies of their data.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "loop/trial/trial.hpp"

namespace op2::core {

// The elements of the sample, and a small mesh made of them in which no two share a row; one element may lead to a row
// twice, as in the mesh.
class Sample {
 public:
  explicit Sample(const TrialRequest &request);
  int size() const { return static_cast<int>(elements_.size()); }
  bool too_big() const;

  // The arguments over a fresh copy of the data, which belongs to the sample and is overwritten by the next one.
  struct Copy {
    std::vector<op_range_arg> args;
    std::map<const Dat *, std::vector<char>> rows;
    std::vector<op_range_layout> layouts; // empty: rows are contiguous
    std::map<const Dat *, std::vector<char>> split;
  };
  Copy copy() const;
  // The same as the request's layouts say; take_back() brings `rows` up to date after a run.
  Copy copy_in_layouts() const;
  void take_back(Copy &copy) const;
  // The element that a row of an argument belongs to.
  int element_of(const LoopArg &arg, int row) const;

 private:
  void choose_elements();
  void number_rows();
  void unite_rows(std::size_t e);
  void add_collapsed(int size);
  template <class Show>
  void each_row(int n, const Show &show) const;
  void fill(Copy &copy, std::size_t i) const;
  Layout layout_of(const Dat &dat) const { return with_rows(dat.layout, rows_.at(dat.set)); }

  const TrialRequest &request_;
  std::vector<int> elements_;
  std::map<const Map *, std::vector<int>> tables_; // the maps of the sample
  // What a kernel asks by number is passed on as it is: it may be the index of a table.
  std::map<std::pair<const Map *, int>, std::vector<int>> numbers_; // of the targets of a column
  std::map<const op_set_core *, int> rows_;                         // of each set in the sample
  std::size_t bytes_ = 0;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
