#include "launch/stage.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace op2::exec_cuda {

namespace {

constexpr size_t most_rows = 65536; // of a group in a block

class Builder {
 public:
  Builder(const op_exec_plan &plan, const ParamLayout &layout, const std::vector<HostTable> &tables, StageLists &out)
      : plan_(plan), layout_(layout), tables_(tables), out_(out), places_(static_cast<size_t>(plan.end - plan.begin)) {
    out_.elements.resize(places_);
    out_.colours.resize(places_);
    out_.local.resize(places_ * layout.columns.size());
    out_.rows_offset.push_back(0);
  }

  // Elements of one colour go by their numbers: neighbours read neighbouring values, and add to rows in other banks.
  void sort_elements(int32_t block) {
    const int32_t begin = plan_.block_offset[block] - plan_.begin, end = plan_.block_offset[block + 1] - plan_.begin;
    const auto first = out_.elements.begin() + begin, last = out_.elements.begin() + end;
    std::iota(first, last, begin); // places of the plan
    const auto key = [&](int32_t place) {
      return std::pair(plan_.element_colour[place], plan_.element ? plan_.element[place] : place);
    };
    std::sort(first, last, [&](int32_t a, int32_t b) { return key(a) < key(b); });
    for (int32_t at = begin; at < end; ++at) {
      int32_t &element = out_.elements[static_cast<size_t>(at)];
      out_.colours[static_cast<size_t>(at)] = static_cast<uint16_t>(plan_.element_colour[element]);
      element = plan_.element ? plan_.element[element] : element + plan_.begin;
    }
  }

  // Returns the number of rows.
  size_t list_rows(int32_t block, int group) {
    const size_t begin = static_cast<size_t>(plan_.block_offset[block] - plan_.begin);
    const size_t end = static_cast<size_t>(plan_.block_offset[block + 1] - plan_.begin);
    rows_.clear();
    each_column(group, [&](const ParamLayout::Column &column, size_t) {
      for (size_t place = begin; place < end; ++place) rows_.push_back(target(column, place));
    });
    std::sort(rows_.begin(), rows_.end());
    rows_.erase(std::unique(rows_.begin(), rows_.end()), rows_.end());
    each_column(group, [&](const ParamLayout::Column &column, size_t number) {
      for (size_t place = begin; place < end; ++place) {
        const auto found = std::lower_bound(rows_.begin(), rows_.end(), target(column, place));
        out_.local[number * places_ + place] = static_cast<uint16_t>(found - rows_.begin());
      }
    });
    out_.fits = out_.fits && rows_.size() <= most_rows;
    out_.rows.insert(out_.rows.end(), rows_.begin(), rows_.end());
    out_.rows_offset.push_back(static_cast<int32_t>(out_.rows.size()));
    return rows_.size();
  }

 private:
  template <class F>
  void each_column(int group, const F &f) const {
    for (size_t c = 0; c < layout_.columns.size(); ++c)
      if (layout_.columns[c].group == group) f(layout_.columns[c], c);
  }
  int32_t target(const ParamLayout::Column &column, size_t place) const {
    const HostTable &table = tables_[static_cast<size_t>(column.table)];
    const int64_t element = out_.elements[place] - plan_.begin;
    return table.entries[static_cast<size_t>(element * table.columns + column.column)];
  }

  const op_exec_plan &plan_;
  const ParamLayout &layout_;
  const std::vector<HostTable> &tables_;
  StageLists &out_;
  size_t places_;
  std::vector<int32_t> rows_;
};

} // namespace

StageLists stage_lists(const op_exec_plan &plan, const ParamLayout &layout, const std::vector<GroupShape> &groups,
                       const std::vector<HostTable> &tables) {
  StageLists out;
  Builder builder(plan, layout, tables, out);
  for (int32_t block = 0; block < plan.nblocks; ++block) {
    builder.sort_elements(block);
    size_t bytes = 0;
    for (size_t g = 0; g < groups.size(); ++g) {
      const size_t row = static_cast<size_t>(groups[g].dim) * static_cast<size_t>(groups[g].type_size);
      const int rows = static_cast<int>(builder.list_rows(block, static_cast<int>(g)));
      bytes += (static_cast<size_t>(stage_pitch(groups[g].dim, groups[g].type_size).of(rows)) * row + 15) / 16 * 16;
    }
    out.shared_bytes = std::max(out.shared_bytes, bytes);
  }
  return out;
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
