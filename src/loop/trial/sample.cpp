#include "loop/trial/sample.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace op2::core {

namespace {

constexpr int run_length = 33; // elements from the start, the middle and the end of the set: 99 in all, a multiple of
                               // no number of lanes, so that vectors and what is left behind them both get their turn
constexpr std::size_t most_bytes = std::size_t{256} << 20;
constexpr std::size_t most_collapsed = 8, most_pairs = std::size_t{4} << 20; // of rows that are compared: some 4 ms

// For every element in three its rows begin as they are, for the others with these values.
bool begins_otherwise(std::size_t element) { return element % 3 != 0; }

void fill_otherwise(char *row, const LoopArg &arg, std::size_t element) {
  const auto fill = [&](auto value) {
    for (int c = 0; c < arg.dim; ++c)
      std::memcpy(row + static_cast<std::size_t>(c) * sizeof value, &value, sizeof value);
  };
  const bool high = element % 3 == 1;
  if (arg.element.id == OP_TYPE_DOUBLE) return fill(high ? 3.25 : -2.75);
  if (arg.element.id == OP_TYPE_FLOAT) return fill(high ? 3.25f : -2.75f);
  if (arg.element.id == OP_TYPE_INT) return fill(high ? 3 : -2);
}

} // namespace

Sample::Sample(const TrialRequest &request) : request_(request) {
  choose_elements();
  number_rows();
  std::map<const Dat *, bool> seen;
  for (const LoopArg &arg : request_.what->args)
    if (arg.dat && seen.emplace(arg.dat, true).second)
      bytes_ += static_cast<std::size_t>(rows_[arg.dat->set]) * static_cast<std::size_t>(arg.dat->size);
}

bool Sample::too_big() const { return bytes_ > most_bytes; }

void Sample::choose_elements() {
  if (!request_.elements.empty()) {
    elements_.assign(request_.elements.begin(), request_.elements.end());
    return;
  }
  const int core = request_.what->set.core_size,
            size = core > 0 ? core : request_.what->set.size; // others' rows may be old
  if (size <= 3 * run_length) {
    for (int n = 0; n < size; ++n) elements_.push_back(n);
    return;
  }
  add_collapsed(size); // first: the last ones of all may run one by one
  for (const int start : {0, size / 2 - run_length / 2, size - run_length})
    for (int n = start; n < start + run_length; ++n) elements_.push_back(n);
}

// Rows of the elements themselves come first; every entry of a map leads to a row of its own, except that two of one
// element which lead to the same row do so here.
void Sample::number_rows() {
  rows_[&request_.what->set] = size();
  for (std::size_t i = 0; i < request_.what->args.size(); ++i) {
    const LoopArg &arg = request_.what->args[i];
    if (arg.kind == OP_RANGE_MAP_INDEX) {
      const op_range_arg &real = request_.range_args[i];
      std::vector<int> &numbers = numbers_[{arg.map, arg.column}];
      numbers.resize(elements_.size() * static_cast<std::size_t>(arg.map->dim));
      for (std::size_t e = 0; e < elements_.size(); ++e)
        numbers[e * static_cast<std::size_t>(arg.map->dim)] =
            real.map[static_cast<std::ptrdiff_t>(elements_[e]) * real.map_stride];
    }
    if (!arg.through_map() || tables_.count(arg.map) != 0) continue;
    int &next = rows_[arg.map->to];
    std::vector<int> &table = tables_[arg.map];
    table.resize(elements_.size() * static_cast<std::size_t>(arg.map->dim));
    for (int &entry : table) entry = next++;
  }
  for (std::size_t e = 0; e < elements_.size(); ++e) unite_rows(e);
}

void Sample::unite_rows(std::size_t e) {
  std::vector<std::tuple<const op_set_core *, int, int>> met; // of a set, there and here
  const auto here = [&](const op_set_core *set, int row, int &number) {
    for (const auto &[known_set, known_row, known] : met)
      if (known_set == set && known_row == row) {
        number = known;
        return;
      }
    met.emplace_back(set, row, number);
  };
  const int n = elements_[e];
  int own = static_cast<int>(e);
  here(&request_.what->set, n, own);
  each_row(n, [&](std::size_t i, int column, int row) {
    const Map &map = *request_.what->args[i].map;
    here(map.to, row, tables_.at(&map)[e * static_cast<std::size_t>(map.dim) + static_cast<std::size_t>(column)]);
  });
}

// Shows the rows to which the arguments through maps lead an element.
template <class Show>
void Sample::each_row(int n, const Show &show) const {
  for (std::size_t i = 0; i < request_.what->args.size(); ++i) {
    const LoopArg &arg = request_.what->args[i];
    const op_range_arg &real = request_.range_args[i];
    if (!arg.through_map() || arg.kind == OP_RANGE_ABSENT) continue;
    for (int c = 0; c < std::max(arg.count, 1); ++c)
      show(i, arg.column + c, real.map[static_cast<std::ptrdiff_t>(n) * real.map_stride + c]);
  }
}

// Some elements that two arguments lead to one row. A kernel may compare addresses, and code that works on copies of
// rows has others.
void Sample::add_collapsed(int size) {
  std::size_t pairs = 0, found = 0;
  std::vector<std::pair<const op_set_core *, int>> rows;
  const auto is_collapsed = [&](int n) {
    rows.clear();
    each_row(n, [&](std::size_t i, int, int row) { rows.emplace_back(request_.what->args[i].map->to, row); });
    pairs += rows.size() * rows.size() / 2;
    for (std::size_t a = 0; a < rows.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (rows[a] == rows[b]) return true;
    return false;
  };
  for (int n = 0; n < size && found < most_collapsed && pairs < most_pairs; ++n) {
    if (!is_collapsed(n)) continue;
    elements_.push_back(n);
    ++found;
  }
}

void Sample::fill(Copy &copy, std::size_t i) const {
  const LoopArg &arg = request_.what->args[i];
  const std::size_t row_bytes = static_cast<std::size_t>(arg.dat->size);
  std::vector<char> &rows = copy.rows[arg.dat];
  if (rows.empty()) {
    const std::size_t bytes = static_cast<std::size_t>(rows_.at(arg.dat->set)) * row_bytes;
    rows.reserve(bytes + Dat::room_behind);
    rows.resize(bytes);
  }
  const bool added = arg.through_map() && arg.access == OP_INC;
  if (added && !request_.added_to_anything) return;
  const op_range_arg &real = request_.range_args[i];
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const std::ptrdiff_t n = elements_[e];
    for (int c = 0; c < (arg.map ? std::max(arg.count, 1) : 1); ++c) {
      const std::ptrdiff_t from = arg.map ? real.map[n * real.map_stride + c] : n;
      const int to =
          arg.map ? tables_.at(
                        arg.map)[e * static_cast<std::size_t>(arg.map->dim) + static_cast<std::size_t>(arg.column + c)]
                  : static_cast<int>(e);
      char *const row = rows.data() + static_cast<std::size_t>(to) * row_bytes;
      if (added && begins_otherwise(e))
        fill_otherwise(row, arg, e);
      else if (arg.dat->state.host_valid())
        std::memcpy(row, real.base + from * real.stride, row_bytes);
      else if (request_.fetch_row)
        request_.fetch_row(row, *arg.dat, static_cast<int>(from));
      else
        layout_to_row(row, arg.dat->remote.data(), arg.dat->layout, static_cast<int>(from));
    }
  }
}

Sample::Copy Sample::copy() const {
  Copy out;
  out.args.assign(request_.range_args.begin(), request_.range_args.end());
  for (std::size_t i = 0; i < out.args.size(); ++i) {
    const LoopArg &arg = request_.what->args[i];
    if (arg.kind == OP_RANGE_ABSENT) continue;
    if (arg.dat) fill(out, i);
    if (arg.through_map()) out.args[i].map = column_of(tables_.at(arg.map).data(), arg.column);
    if (arg.kind == OP_RANGE_MAP_INDEX) out.args[i].map = numbers_.at({arg.map, arg.column}).data();
  }
  for (std::size_t i = 0; i < out.args.size(); ++i)
    if (request_.what->args[i].dat && request_.what->args[i].kind != OP_RANGE_ABSENT)
      out.args[i].base = out.rows[request_.what->args[i].dat].data();
  return out;
}

Sample::Copy Sample::copy_in_layouts() const {
  Copy out = copy();
  if (request_.layouts.empty()) return out;
  out.layouts.assign(request_.layouts.begin(), request_.layouts.end());
  for (std::size_t i = 0; i < out.args.size(); ++i) {
    if (out.layouts[i].kind == OP_LAYOUT_AOS) continue;
    const Dat &dat = *request_.what->args[i].dat;
    const Layout layout = layout_of(dat);
    std::vector<char> &split = out.split[&dat];
    if (split.empty()) {
      split.resize(layout.bytes());
      rows_to_layout(split.data(), out.rows.at(&dat).data(), layout);
    }
    out.args[i].base = split.data();
    out.args[i].stride = layout.stride();
    out.layouts[i] = layout.range();
  }
  return out;
}

void Sample::take_back(Copy &copy) const {
  for (const auto &[dat, split] : copy.split) layout_to_rows(copy.rows.at(dat).data(), split.data(), layout_of(*dat));
}

int Sample::element_of(const LoopArg &arg, int row) const {
  if (!arg.through_map()) return elements_.at(static_cast<std::size_t>(row));
  const std::vector<int> &table = tables_.at(arg.map);
  const auto found = std::find(table.begin(), table.end(), row);
  const std::ptrdiff_t entry = found == table.end() ? 0 : found - table.begin();
  return elements_.at(static_cast<std::size_t>(entry / arg.map->dim));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
