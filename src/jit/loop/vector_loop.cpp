#include "jit/loop/vector_loop.hpp"

#include <utility>

#include "jit/loop/antisymmetric.hpp"
#include "jit/prelude/prelude.hpp"

namespace op2::core::jit {

namespace {

constexpr int most_reduced = 16; // values of a reduction in vectors

} // namespace

// The earlier argument that receives the negative of what i receives, -1 = none.
int VectorLoop::antisymmetric_to(int i) const {
  const auto indirect = [&](int k) { return p_.added(k) && p_.arg(k).kind == OP_RANGE_INDIRECT; };
  const Function &kernel = p_.kernel().kernel;
  if (kernel.parameters.empty()) return -1; // an excerpt
  for (int k = 0; k < i; ++k)
    if (indirect(i) && indirect(k) && p_.arg(k).dim == p_.arg(i).dim && p_.arg(k).scalar == p_.arg(i).scalar &&
        is_real(p_.arg(i).scalar) &&
        antisymmetric_increments(kernel, kernel.parameters[static_cast<std::size_t>(k)],
                                 kernel.parameters[static_cast<std::size_t>(i)], p_.arg(i).dim))
      return k;
  return -1;
}

void VectorLoop::check() const {
  for (int i = 0; i < p_.nargs(); ++i) {
    const ArgShape &arg = p_.arg(i);
    if (arg.kind == OP_RANGE_ABSENT) continue;
    if (arg.scalar == Scalar::other || arg.scalar == Scalar::boolean)
      throw Refusal(text("argument ", i, " is not of a type that fits vectors"));
    if (values(i) > most_values && !uniform(i))
      throw Refusal(text("argument ", i, " has ", values(i), " values, too many for vectors"));
    if (reduced(i) && arg.payload_of < 0 && arg.access != OP_INC && arg.access != OP_MIN && arg.access != OP_MAX)
      throw Refusal(text("argument ", i, " is a reduction of the program's own"));
    if (reduced(i) && arg.dim > most_reduced) throw Refusal(text("argument ", i, " reduces ", arg.dim, " values"));
    if (!p_.is_row(i)) continue;
    if (p_.through_map(i) && arg.access != OP_READ && arg.access != OP_INC && !(arg.distinct && !p_.split(i)))
      throw Refusal(text("argument ", i, " writes through a map that leads to some row twice"));
    for (int j = 0; j < i; ++j) {
      const ArgShape &other = p_.arg(j);
      if (!p_.is_row(j) || other.dat != arg.dat) continue;
      const bool both_read = arg.access == OP_READ && other.access == OP_READ;
      const bool both_added = p_.added(i) && p_.added(j);
      if (!both_read && !both_added)
        throw Refusal(text("arguments ", j, " and ", i, " use one dat, and not both only read or only add"));
    }
  }
}

std::vector<Use> VectorLoop::uses() const {
  std::vector<Use> out;
  for (int i = 0; i < p_.nargs(); ++i) out.push_back(uniform(i) ? Use::uniform : Use::lanes);
  return out;
}

// Elements one by one as a function of its own.
void VectorLoop::write_by_element(CodeWriter &out) const {
  out.open("static void op2_by_element(", p_.parameters(), ", long n, long end) ");
  out.line("op2_scalar k;");
  p_.write_pointers(out);
  write_element_loop(out, p_, true);
  out.close();
}

// Before the elements: read-only globals spread over lanes, reductions started.
void VectorLoop::write_globals(CodeWriter &out) const {
  for (int i = 0; i < p_.nargs(); ++i) {
    const ArgShape &arg = p_.arg(i);
    if (arg.kind != OP_RANGE_GLOBAL || uniform(i)) continue;
    out.line(type(i), " p", i, "[", arg.dim, "];");
    if (p_.summed_in_order(i)) continue;
    if (arg.access == OP_INC && arg.payload_of < 0)
      out.line("clear<", arg.dim, ">(p", i, ");");
    else
      out.line("broadcast<", arg.dim, ">(p", i, ", ", p_.base(i), ");");
    if (has_payload(i)) {
      out.line("lanes<int, ", lanes_, "> w", i, "[", arg.dim, "]; // where each lane found its own");
      out.line("for (int j = 0; j < ", arg.dim, "; ++j) w", i, "[j] = lanes<int, ", lanes_, ">(-1);");
    }
  }
}

// A lane whose extremum has changed found it at its element. That becomes rare soon, so it is asked first.
void VectorLoop::write_winners(CodeWriter &out) const {
  for (int i = 0; i < p_.nargs(); ++i)
    if (reduced(i) && has_payload(i))
      out.line("for (int j = 0; j < ", p_.arg(i).dim, "; ++j) if (any(p", i, "[j] != o", i, "[j])) w", i,
               "[j] = select(p", i, "[j] != o", i, "[j], targets<int, ", lanes_, ">(own), w", i, "[j]);");
}

// Everything but the increments, for W elements wherever their rows are.
void VectorLoop::write_elements(CodeWriter &out) const {
  std::string parameters = adds() ? "op2_added &added" : "";
  for (const RowFinder &finder : row_finders({false, 1, 0}))
    parameters += text(parameters.empty() ? "" : ", ", "const auto ", finder.name);
  out.open("const auto elements = [&](", parameters, ") OP2J_LAMBDA ");
  for (int i = 0; i < p_.nargs(); ++i) write_loads(out, i);
  for (int i = 0; i < p_.nargs(); ++i)
    if (reduced(i) && has_payload(i)) {
      out.line(type(i), " o", i, "[", p_.arg(i).dim, "];");
      out.line("for (int j = 0; j < ", p_.arg(i).dim, "; ++j) o", i, "[j] = p", i, "[j];");
    }
  by_compiler_ ? write_lane_calls(out) : write_call(out);
  write_winners(out);
  write_stores(out);
  out.close(";");
}

// The sequences of a block are computed before the first increment: their elements alternate, and every row receives
// its increments in the order of the elements.
void VectorLoop::write_block(CodeWriter &out, const std::vector<RowAccess> &accesses) const {
  for (const RowAccess &access : accesses) {
    std::string found;
    for (const RowFinder &finder : row_finders(access)) found += (found.empty() ? "" : ", ") + finder.found;
    if (adds()) out.line("op2_added a", access.phase, ";");
    out.line("elements(", adds() ? text("a", access.phase, ", ") : "", found, ");");
  }
  if (!adds()) return;
  const std::vector<GroupedDat> whole = accesses.front().run ? grouped_ : std::vector<GroupedDat>();
  for (const GroupedDat &dat : whole) write_group(out, dat);
  std::string terms;
  for (const RowAccess &access : accesses) {
    const std::string more = increments(out, access, whole);
    terms += (terms.empty() || more.empty() ? "" : ", ") + more;
  }
  if (!terms.empty()) out.line("add_lanes<0, ", lanes_, ">(", terms, ");");
}

void VectorLoop::write_deferred_blocks(CodeWriter &out) const {
  std::string found;
  for (const RowFinder &finder : row_finders({false, 1, 0})) found += ", " + finder.found;
  write_register_rows(out, false);
  out.line("op2_added a0;");
  out.line("long last = -1; // where a0 begins");
  out.open("for (;;) ");
  out.line("const bool more = n + ", lanes_, " <= end;");
  out.line("op2_added next;");
  out.open("if (more) ");
  write_prefetch(out);
  out.line("elements(next", found, ");");
  out.close();
  out.open("if (last >= 0) ");
  write_deferred_adding(out, {false, 1, 0, "last"});
  out.close();
  out.line("if (!more) break;");
  out.line("a0 = next;");
  out.line("last = n;");
  out.line("n += ", lanes_, ";");
  out.close();
  write_register_rows(out, true);
}

void VectorLoop::write_blocks(CodeWriter &out) const {
  if (defers_increments(p_, period_)) return write_deferred_blocks(out);
  if (!grouped_.empty()) return write_grouped_blocks(out);
  if (period_ > 0) out.line("const bool adjacent = ", columns_are_adjacent(p_), ";");
  out.open("while (n + ", lanes_, " <= end) ");
  if (period_ > 0) {
    const int size = period_ * lanes_;
    out.open("if (__builtin_expect(adjacent && ", period_ > 1 ? text("n + ", size, " <= end && ") : "",
             elements_are_runs(p_, lanes_, period_), ", 1)) ");
    std::vector<RowAccess> accesses;
    for (int phase = 0; phase < period_; ++phase) accesses.push_back({true, period_, phase});
    write_run_prefetch(out);
    write_block(out, accesses);
    out.line("n += ", size, ";");
    out.line("continue;");
    out.close();
  }
  write_prefetch(out);
  write_block(out, {{false, 1, 0}});
  out.line("n += ", lanes_, ";");
  out.close();
}

// After the vectors: lanes are combined into the record, in a fixed order.
void VectorLoop::write_folds(CodeWriter &out) const {
  for (int i = 0; i < p_.nargs(); ++i) {
    const ArgShape &arg = p_.arg(i);
    if (!reduced(i) || arg.payload_of >= 0 || p_.summed_in_order(i)) continue;
    const char *greatest = arg.access == OP_MAX ? "true" : "false";
    if (arg.access == OP_INC) {
      out.line("add_up<", arg.dim, ">(", p_.base(i), ", p", i, ");");
    } else if (!has_payload(i)) {
      out.line("extreme_of<", arg.dim, ", ", greatest, ">(", p_.base(i), ", p", i, ");");
    } else {
      out.open("for (int c = 0; c < ", arg.dim, "; ++c) ");
      out.line("const int lane = winning_lane<", arg.dim, ", ", greatest, ">(c, ", p_.base(i), "[c], p", i, ", w", i,
               ");");
      out.line("if (lane < 0) continue;");
      for (int k = 0; k < p_.nargs(); ++k)
        if (p_.arg(k).payload_of == i) {
          const int each = p_.arg(k).dim / arg.dim;
          out.line("for (int j = 0; j < ", each, "; ++j) ", p_.base(k), "[", each, " * c + j] = p", k, "[", each,
                   " * c + j].v[lane];");
        }
      out.close();
    }
  }
}

std::string VectorLoop::write(const std::string &members) {
  by_compiler_ = members.empty();
  CodeWriter out;
  p_.write_head(out, by_compiler_);
  if (!grouped_.empty()) out.verbatim(grouped_prelude());
  if (!register_columns_.empty()) out.verbatim(register_rows_prelude());
  out.open("namespace op2j ");
  for (const auto &[alias, scalar] : {std::pair{"op2_double", "double"},
                                      {"op2_float", "float"},
                                      {"op2_int", "int"},
                                      {"op2_uint", "unsigned"},
                                      {"op2_ll", "long long"},
                                      {"op2_ull", "unsigned long long"}})
    out.line("using ", alias, " = lanes<", scalar, ", ", lanes_, ">;");
  out.line("using op2_mask = mask<", lanes_, ", ", value_bytes_, ">;");
  out.close();
  p_.write_constants(out);
  out.open("struct op2_scalar : op2_declared ");
  p_.write_scalar_members(out);
  out.close(";");
  if (by_compiler_) {
    write_one_lane(out);
  } else {
    out.open("struct op2_lanes : op2_declared ");
    out.verbatim(members);
    out.close(";");
  }
  p_.write_fits(out);
  p_.write_general(out, true);
  write_added(out);
  const bool excerpt = !p_.kernel().excerpt.empty(), by_element = excerpt || looks_behind();
  if (by_element) write_by_element(out);
  out.open("static void op2_run(", p_.parameters(), ", int begin, int end) ");
  p_.write_pointers(out);
  out.line("long n = begin;");
  out.open("if (n + ", lanes_, " <= end) ");
  out.line(by_compiler_ ? "op2_scalar l;" : "op2_lanes l;");
  write_globals(out);
  bool streaming = false;
  for (int i = 0; i < p_.nargs(); ++i)
    if (streams(i)) {
      const std::string steps = p_.split(i) ? text(" && ", p_.step(i), " * ", p_.arg(i).type_size, " % 64 == 0") : "";
      out.line("const bool past", i, " = !(a[", i, "].flags & op_range_used_again) && aligned(", p_.row(i, 0, "n"), ")",
               steps, ";");
      streaming = true;
    }
  write_elements(out);
  write_blocks(out);
  if (streaming) out.line("streamed();");
  write_folds(out);
  out.close();
  if (by_element) {
    out.line("op2_by_element(", p_.passed(), ", n, end);");
  } else {
    out.line("op2_scalar k;");
    write_element_loop(out, p_, true);
  }
  out.close();
  p_.write_entry(out);
  if (excerpt) p_.write_entry(out, element_symbol, "op2_by_element");
  return out.take();
}

std::string vector_loop(const LoopParts &parts, int lanes, int value_bytes) {
  VectorLoop loop(parts, lanes, value_bytes);
  loop.check();
  return loop.write(lane_members(parts.kernel(), loop.uses()));
}

std::string compiler_vector_loop(const LoopParts &parts, int lanes, int value_bytes) {
  VectorLoop loop(parts, lanes, value_bytes);
  loop.check();
  return loop.write("");
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
