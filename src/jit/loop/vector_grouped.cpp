// Rows of the vector form that receive increments in runs as whole vectors: see whole.hpp.
#include "jit/loop/vector_loop.hpp"

namespace op2::core::jit {

// Where two sequences alternate, a block that begins with the other one does not lie as the code expects; the block
// that begins one element later may.
bool VectorLoop::looks_behind() const {
  if (grouped_.empty() || period_ != 2) return false;
  for (int i = 0; i < p_.nargs(); ++i)
    if (streams(i)) return false; // rows would not begin at a line any more
  return true;
}

std::string VectorLoop::first_row(const GroupedColumn &column, const char *first) const {
  for (const RowFinder &finder : row_finders({true, period_, column.phase, first}))
    if (finder.name == rows(column.arg, column.column)) return text("(", finder.found, ").n");
  return "";
}

// Whether the columns lie to each other as the code is made for, and groups touch different rows.
std::string VectorLoop::fits_groups(const char *first) const {
  std::string out;
  const auto and_also = [&](const std::string &condition) { out += (out.empty() ? "" : " && ") + condition; };
  for (const GroupedDat &dat : grouped_) {
    std::vector<std::pair<std::string, int>> lowest; // first rows of groups, and how many rows these touch
    for (const std::vector<GroupedColumn> &group : dat.groups) {
      const auto column = std::ranges::min_element(group, {}, &GroupedColumn::offset);
      const std::string base = first_row(*column, first);
      for (const GroupedColumn &other : group)
        if (&other != &*column) and_also(text(first_row(other, first), " == ", base, " + ", other.offset));
      const int up = lanes_ + std::ranges::max(group, {}, &GroupedColumn::offset).offset;
      for (const auto &[other, other_up] : lowest)
        and_also(text("apart(", other, ", ", other_up, ", ", base, ", ", up, ")"));
      lowest.emplace_back(base, up);
    }
  }
  return out.empty() ? "true" : out;
}

void VectorLoop::write_group_states(CodeWriter &out) const {
  for (const GroupedDat &dat : grouped_)
    for (std::size_t g = 0; g < dat.groups.size(); ++g) {
      std::string offsets;
      for (const GroupedColumn &column : dat.groups[g]) offsets += text(", ", column.offset);
      out.line("column_group<", p_.type(dat.arg), ", ", lanes_, ", ", p_.arg(dat.arg).dim, offsets, "> w", dat.arg, "_",
               g, ";");
    }
}

void VectorLoop::write_settling(CodeWriter &out) const {
  for (const GroupedDat &dat : grouped_)
    for (std::size_t g = 0; g < dat.groups.size(); ++g)
      out.line("w", dat.arg, "_", g, ".settle(", p_.base(dat.arg), ");");
}

// A group may go on with rows for which values of a group behind it wait: these come first.
void VectorLoop::write_change_of_rows(CodeWriter &out) const {
  for (const GroupedDat &dat : grouped_) {
    std::string all;
    for (std::size_t g = 0; g < dat.groups.size(); ++g) {
      const GroupedColumn &lowest = *std::ranges::min_element(dat.groups[g], {}, &GroupedColumn::offset);
      all += text(g == 0 ? "" : " && ", "w", dat.arg, "_", g, ".goes_on(", first_row(lowest, "n"), ")");
    }
    if (dat.groups.size() < 2) continue;
    out.open(text("if (__builtin_expect(!(", all, "), 0)) "));
    for (std::size_t g = 0; g < dat.groups.size(); ++g)
      out.line("w", dat.arg, "_", g, ".settle(", p_.base(dat.arg), ");");
    out.close();
  }
}

void VectorLoop::write_group(CodeWriter &out, const GroupedDat &dat) const {
  const int dim = p_.arg(dat.arg).dim;
  for (std::size_t g = 0; g < dat.groups.size(); ++g) {
    const std::vector<GroupedColumn> &group = dat.groups[g];
    out.open("");
    out.line("vec<", p_.type(dat.arg), ", ", lanes_, "> values[", group.size(), "][", dim, "];");
    for (std::size_t k = 0; k < group.size(); ++k) {
      const GroupedColumn &column = group[k];
      const int source = antisymmetric_to(column.arg), from = source < 0 ? column.arg : source;
      out.line("as_rows<", dim, ", ", source < 0 ? "false" : "true", ">(values[", k, "], a", column.phase, ".p", from,
               column.column > 0 ? text(" + ", column.column * dim) : "", ");");
    }
    const GroupedColumn &lowest = *std::ranges::min_element(group, {}, &GroupedColumn::offset);
    out.line("w", dat.arg, "_", g, ".add(", p_.base(dat.arg), ", ", first_row(lowest, "n"), ", values);");
    out.close();
  }
}

void VectorLoop::write_grouped_blocks(CodeWriter &out) const {
  const int size = period_ * lanes_;
  const auto in_runs = [&](const char *more, const char *first) {
    return text("adjacent && n + ", size, more, " <= end && ", elements_are_runs(p_, lanes_, period_, first), " && ",
                fits_groups(first));
  };
  out.line("const bool adjacent = ", columns_are_adjacent(p_), ";");
  write_group_states(out);
  out.open("while (n + ", lanes_, " <= end) ");
  out.open("if (__builtin_expect(", in_runs("", "n"), ", 1)) ");
  std::vector<RowAccess> accesses;
  for (int phase = 0; phase < period_; ++phase) accesses.push_back({true, period_, phase});
  write_change_of_rows(out);
  write_run_prefetch(out);
  write_block(out, accesses);
  out.line("n += ", size, ";");
  out.line("continue;");
  out.close();
  write_settling(out);
  if (looks_behind()) {
    out.open("if (", in_runs(" + 1", "(n + 1)"), ") ");
    out.line("op2_by_element(", p_.passed(), ", n, n + 1);");
    out.line("n += 1;");
    out.line("continue;");
    out.close();
  }
  write_prefetch(out);
  write_block(out, {{false, 1, 0}});
  out.line("n += ", lanes_, ";");
  out.close();
  write_settling(out);
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
