// Rows of the vector form: how lanes find theirs, loads, stores, increments in the order of the elements, prefetch.
#include "jit/loop/vector_loop.hpp"

namespace op2::core::jit {

namespace {

constexpr int far_ahead = 64; // how many elements ahead rows are asked for; measured

} // namespace

// All ways to rows, by name, and where they lead from element n.
std::vector<VectorLoop::RowFinder> VectorLoop::row_finders(const RowAccess &access) const {
  const std::string step = access.step == 1 ? "direct" : text("every<", access.step, ", ", access.phase, ">");
  std::vector<RowFinder> out = {{"own", text(step, "{", access.first, "}")}};
  for (int i = 0; i < p_.nargs(); ++i) {
    if (!p_.has_map(i) || p_.same_column(i) != i) continue;
    const int columns = p_.arg(i).columns;
    int followed = 0; // a vector argument may begin with the column of another one
    for (int k = i; k < p_.nargs(); ++k)
      if (p_.has_map(k) && p_.same_column(k) == i) followed = std::max(followed, p_.pointers(k));
    for (int j = 0; j < followed; ++j) {
      const int offset = access.phase * columns + j;
      const std::string behind = text(access.first, " * ", columns, offset > 0 ? text(" + ", offset) : "");
      if (access.run && p_.through_map(i))
        out.push_back({rows(i, j), text("direct{", p_.column(i), "[", behind, "]}")});
      else
        out.push_back({rows(i, j), text("via<", columns * access.step, ">{", p_.column(i), " + ", behind, "}")});
    }
  }
  return out;
}

void VectorLoop::write_split_loads(CodeWriter &out, int i) const {
  const ArgShape &arg = p_.arg(i);
  if (arg.kind == OP_RANGE_DIRECT)
    return out.line("load_components<", arg.dim, ">(p", i, ", ", p_.row(i, 0, "n"), ", ", p_.step(i), ");");
  for (int j = 0; j < p_.pointers(i); ++j)
    out.line("collect_components<", arg.dim, ">(p", i, j > 0 ? text(" + ", j * arg.dim) : "", ", ", p_.base(i), ", ",
             rows(i, j), ", ", p_.step(i), ");");
}

void VectorLoop::write_loads(CodeWriter &out, int i) const {
  const ArgShape &arg = p_.arg(i);
  if (p_.summed_in_order(i)) out.line("clear<", arg.dim, ">(p", i, ");");
  if (arg.kind == OP_RANGE_INDEX) out.line("lanes<int, ", lanes_, "> p", i, "[1] = {targets<int, ", lanes_, ">(own)};");
  if (arg.kind == OP_RANGE_MAP_INDEX)
    out.line("lanes<int, ", lanes_, "> p", i, "[1] = {targets<int, ", lanes_, ">(", rows(i, 0), ")};");
  if (!p_.is_row(i)) return;
  if (!shares_load(i)) {
    if (p_.added(i))
      out.line(type(i), " *const p", i, " = added.p", i, ";");
    else
      out.line(type(i), " p", i, "[", values(i), "];");
    if (p_.added(i))
      out.line("clear<", values(i), ">(p", i, ");");
    else if (p_.split(i))
      write_split_loads(out, i);
    else
      for (int j = 0; j < p_.pointers(i); ++j)
        out.line("load_rows<", arg.dim, ">(p", i, j > 0 ? text(" + ", j * arg.dim) : "", ", ", p_.base(i), ", ",
                 rows(i, j), ");");
  }
  if (arg.kind == OP_RANGE_VECTOR) {
    std::string list;
    for (int j = 0; j < arg.count; ++j) list += text(j > 0 ? ", " : "", variable(i), " + ", j * arg.dim);
    out.line(type(i), " *v", i, "[", arg.count, "] = {", list, "};");
  }
}

void VectorLoop::write_stores(CodeWriter &out) const {
  for (int i = 0; i < p_.nargs(); ++i) {
    const ArgShape &arg = p_.arg(i);
    if (p_.summed_in_order(i)) out.line("add_in_order<", arg.dim, ">(", p_.base(i), ", p", i, ");");
    if (!p_.is_row(i) || arg.access == OP_READ) continue;
    if (p_.split(i) && !p_.added(i)) {
      out.line(streams(i) ? "stream" : "store", "_components<", arg.dim, ">(p", i, ", ", p_.row(i, 0, "n"), ", ",
               p_.step(i), streams(i) ? text(", past", i) : "", ");");
      continue;
    }
    if (streams(i))
      out.line("stream_rows<", arg.dim, ">(p", i, ", ", p_.base(i), ", own, past", i, ");");
    else if (!p_.added(i))
      for (int j = 0; j < p_.pointers(i); ++j)
        out.line("store_rows<", arg.dim, ">(p", i, j > 0 ? text(" + ", j * arg.dim) : "", ", ", p_.base(i), ", ",
                 rows(i, j), ");");
  }
}

// What is to be added to rows, when its turn comes.
void VectorLoop::write_added(CodeWriter &out) const {
  if (!adds()) return;
  out.open("struct op2_added ");
  for (int i = 0; i < p_.nargs(); ++i)
    if (p_.added(i)) out.line(type(i), " p", i, "[", values(i), "];");
  out.close(";");
}

// Turns what was computed in one way into rows and lists what is done with them.
std::string VectorLoop::increments(CodeWriter &out, const RowAccess &access, const std::vector<GroupedDat> &but) const {
  std::string terms;
  const std::vector<RowFinder> all = row_finders(access);
  const auto block = [&](int i, int j) { return text("r", i, "_", j, "_", access.phase); };
  for (int i = 0; i < p_.nargs(); ++i)
    for (int j = 0; p_.added(i) && !is_grouped(but, p_, i) && j < p_.pointers(i); ++j) {
      int source = antisymmetric_to(i);
      if (source >= 0 && p_.split(source) != p_.split(i)) source = -1;
      const char *const how = source < 0 ? "put_add" : "put_subtract";
      const auto finder = std::find_if(all.begin(), all.end(),
                                       [&](const RowFinder &candidate) { return candidate.name == rows(i, j); });
      terms += terms.empty() ? "" : ", ";
      if (p_.split(i)) {
        terms += text("spread_increment_of<", how, ", ", p_.arg(i).dim, ">(a", access.phase, ".p",
                      source < 0 ? i : source, j > 0 ? text(" + ", j * p_.arg(i).dim) : "", ", ", p_.base(i), ", ",
                      finder->found, ", ", p_.step(i), ")");
        continue;
      }
      if (source < 0)
        out.line("const row_block<", p_.type(i), ", ", lanes_, ", ", p_.arg(i).dim, "> ", block(i, j), "(a",
                 access.phase, ".p", i, j > 0 ? text(" + ", j * p_.arg(i).dim) : "", ");");
      const RegisterColumn *const kept = register_column_of(i);
      const bool keeps = kept && kept->arg == i && kept->column == j;
      terms += text(keeps ? "kept_" : "", "increment_", kept && !keeps ? "beside_" : "", "of<", how, ">(",
                    block(source < 0 ? i : source, j), ", ", p_.base(i), keeps ? "" : ", " + finder->found,
                    kept ? text(", k", kept->arg) : "", ")");
    }
  return terms;
}

const RegisterColumn *VectorLoop::register_column_of(int i) const {
  for (const RegisterColumn &kept : register_columns_)
    if (p_.same_dat(kept.arg) == p_.same_dat(i)) return &kept;
  return nullptr;
}

// The variables of kept rows, or what is done with them behind the last block.
void VectorLoop::write_register_rows(CodeWriter &out, bool last) const {
  if (register_columns_.empty()) return;
  if (!last) out.line("long kept = -1; // the row in registers");
  for (const RegisterColumn &kept : register_columns_) {
    const int dim = p_.arg(kept.arg).dim;
    if (last)
      out.line("if (kept >= 0) k", kept.arg, ".give(", p_.base(kept.arg), " + kept * ", dim, ");");
    else
      out.line("register_row<", p_.type(kept.arg), ", ", lanes_, ", ", dim, "> k", kept.arg, ";");
  }
}

// The increments of the block before.
void VectorLoop::write_deferred_adding(CodeWriter &out, const RowAccess &access) const {
  const std::string terms = increments(out, access, {});
  if (register_columns_.empty()) return out.line("add_lanes<0, ", lanes_, ">(", terms, ");");
  const std::string column = rows(register_columns_.front().arg, register_columns_.front().column);
  for (const RowFinder &finder : row_finders(access))
    if (finder.name == column) out.line("add_lanes_keeping<0, ", lanes_, ">(kept, ", finder.found, ", ", terms, ");");
}

// The hardware's prefetchers follow most streams of a mesh in good order; they lose those that advance by jumps, for
// which a few requests far ahead are enough. Short rows are asked for in vain: several elements share a line.
void VectorLoop::write_prefetch(CodeWriter &out) const {
  CodeWriter requests;
  for (int i = 0; i < p_.nargs(); ++i)
    for (int j = 0; asked_for(i) && j < p_.pointers(i); ++j)
      requests.line("for (int lane = 0; lane < ", lanes_, "; lane += ", lanes_ / 2, ") ask_for(",
                    p_.row(i, j, text("(n + ", far_ahead, " + lane)").c_str()), ");");
  write_requests(out, far_ahead + lanes_, requests.take());
}

// The same for rows of unit stride: line by line.
void VectorLoop::write_run_prefetch(CodeWriter &out) const {
  constexpr int line = 64;
  CodeWriter requests;
  for (int i = 0; i < p_.nargs(); ++i)
    for (int j = 0; asked_for(i) && j < p_.pointers(i); ++j)
      for (int phase = 0; phase < period_; ++phase)
        requests.line("for (int k = 0; k < ", lanes_ * p_.arg(i).dim, "; k += ", line / p_.arg(i).type_size,
                      ") ask_for(", p_.row(i, j, text("(n + ", far_ahead + phase, ")").c_str()), " + k);");
  write_requests(out, far_ahead + period_, requests.take());
}

bool VectorLoop::asked_for(int i) const {
  constexpr int long_row = 32;
  return p_.shape().stream && p_.through_map(i) && p_.same_row(i) == i && last_of_dat(i) &&
         p_.arg(i).dim * p_.arg(i).type_size >= long_row;
}

// The last argument through a map that uses its dat: most often the one that gets to a row first.
bool VectorLoop::last_of_dat(int i) const {
  for (int k = i + 1; k < p_.nargs(); ++k)
    if (p_.through_map(k) && p_.arg(k).dat == p_.arg(i).dat) return false;
  return true;
}

void VectorLoop::write_requests(CodeWriter &out, int behind, const std::string &requests) const {
  if (requests.empty()) return;
  out.open("if (n + ", behind, " <= end) ");
  out.verbatim(requests);
  out.close();
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
