// The scalar form: elements one after another, as a range function does it that was compiled with the program, with
// everything that is known of the loop as a literal. It can give the bits of a vector form: then elements add to zeroed
// local rows, and reduced values have as many partial results as there would be lanes.
#include <utility>

#include "jit/code/code_store.hpp"
#include "jit/lanes/lanes.hpp"
#include "jit/loop/loop_parts.hpp"

namespace op2::core::jit {

namespace {

constexpr int most_local = 16; // values of a global in a local copy

bool local_global(const LoopParts &parts, int i) {
  const ArgShape &arg = parts.arg(i);
  return arg.kind == OP_RANGE_GLOBAL && arg.scalar != Scalar::other && arg.dim <= most_local;
}

// Added to through local rows that start from nothing. Rows in another layout are no rows that a kernel could add to.
bool added_locally(const LoopParts &parts, int i, bool locals) { return parts.added(i) && (locals || parts.split(i)); }

void write_local_global(CodeWriter &out, const LoopParts &parts, int i) {
  if (!local_global(parts, i)) return;
  out.line(parts.type(i), " g", i, "[", parts.arg(i).dim, "];");
  out.line("for (int j = 0; j < ", parts.arg(i).dim, "; ++j) g", i, "[j] = ", parts.base(i), "[j];");
}
void write_global_back(CodeWriter &out, const LoopParts &parts, int i) {
  if (local_global(parts, i) && parts.arg(i).access != OP_READ)
    out.line("for (int j = 0; j < ", parts.arg(i).dim, "; ++j) ", parts.base(i), "[j] = g", i, "[j];");
}

// How the elements of a loop run.
struct Elements {
  bool locals;   // the kernel increments zeroed local rows
  bool in_lanes; // reduced values are partial results of `lane`
};

// Kernel parameter i for element n.
std::string argument(const LoopParts &parts, int i, const Elements &how) {
  const ArgShape &arg = parts.arg(i);
  switch (arg.kind) {
    case OP_RANGE_DIRECT:
      if (parts.split(i)) return text("q", i);
      return text("pointer{", parts.row(i, 0, "n"), "}");
    case OP_RANGE_INDIRECT:
      if (!parts.components(i).empty()) return text(parts.components(i), "::row{&t", i, "}");
      if (added_locally(parts, i, how.locals)) return text("t", i);
      return parts.split(i) ? text("q", i) : text("pointer{", parts.row(i, 0, "n"), "}");
    case OP_RANGE_VECTOR:
      return text("pointer{v", i, "}");
    case OP_RANGE_GLOBAL:
      if (how.locals && parts.summed_in_order(i)) return text("t", i);
      if (how.in_lanes && parts.reduced_in_lanes(i)) return text("s", i, " + lane * ", parts.arg(i).dim);
      return local_global(parts, i) ? text("g", i) : text("pointer{", parts.base(i), "}");
    case OP_RANGE_ABSENT:
      return "nullptr";
    default:
      return text("&i", i);
  }
}

// A copy of the rows of element n, or back.
void write_copy(CodeWriter &out, const LoopParts &parts, int i, bool back) {
  const int dim = parts.arg(i).dim;
  for (int j = 0; j < parts.pointers(i); ++j) {
    const std::string copy = text("q", i, "[", j > 0 ? text(j * dim, " + ") : "", "j]");
    const std::string row = text("(", parts.row(i, j, "n"), ")[j * ", parts.step(i), "]");
    out.line("for (int j = 0; j < ", dim, "; ++j) ", back ? row : copy, " = ", back ? copy : row, ";");
  }
}

void write_preparation(CodeWriter &out, const LoopParts &parts, int i, bool locals) {
  const ArgShape &arg = parts.arg(i);
  if (arg.kind == OP_RANGE_INDEX) out.line("const int i", i, " = int(n);");
  if (arg.kind == OP_RANGE_MAP_INDEX) out.line("const int i", i, " = ", parts.column(i), "[n * ", arg.columns, "];");
  if (!parts.components(i).empty()) return out.line(parts.components(i), " t", i, ";");
  if (added_locally(parts, i, locals) || (locals && parts.from_nothing(i))) {
    const int values = parts.pointers(i) * arg.dim;
    out.line(parts.type(i), " t", i, "[", values, "];");
    out.line("for (int j = 0; j < ", values, "; ++j) t", i, "[j] = nothing<", parts.type(i), ">;");
  }
  const bool copied = parts.split(i) && !parts.added(i);
  if (copied) {
    out.line(parts.type(i), " q", i, "[", parts.pointers(i) * arg.dim, "];");
    write_copy(out, parts, i, false);
  }
  if (arg.kind != OP_RANGE_VECTOR) return;
  std::string rows;
  for (int j = 0; j < arg.count; ++j) {
    if (j > 0) rows += ", ";
    rows += added_locally(parts, i, locals) ? text("t", i, " + ", j * arg.dim)
            : copied                        ? text("q", i, " + ", j * arg.dim)
                                            : parts.row(i, j, "n");
  }
  out.line(parts.type(i), " *v", i, "[", arg.count, "] = {", rows, "};");
}

// One element: rows, the kernel, and what it adds.
void write_element(CodeWriter &out, const LoopParts &parts, const Elements &how) {
  const int nargs = parts.nargs();
  for (int i = 0; i < nargs; ++i) write_preparation(out, parts, i, how.locals);
  std::string call;
  for (int i = 0; i < nargs; ++i) call += (i > 0 ? ", " : "") + argument(parts, i, how);
  out.line("k.op2_kernel(", call, ");");
  for (int i = 0; i < nargs; ++i) {
    const int dim = parts.arg(i).dim;
    if (how.locals && parts.summed_in_order(i))
      out.line("for (int j = 0; j < ", dim, "; ++j) ", local_global(parts, i) ? text("g", i) : parts.base(i),
               "[j] += t", i, "[j];");
    if (parts.split(i) && !parts.added(i) && parts.arg(i).access != OP_READ) write_copy(out, parts, i, true);
    if (!parts.components(i).empty()) {
      out.line("t", i, ".add_to(", parts.row(i, 0, "n"), ");");
      continue;
    }
    if (!added_locally(parts, i, how.locals)) continue;
    const std::string place = parts.split(i) ? text("j * ", parts.step(i)) : "j";
    for (int j = 0; j < parts.pointers(i); ++j)
      out.line("for (int j = 0; j < ", dim, "; ++j) (", parts.row(i, j, "n"), ")[", place, "] += t", i, "[",
               j > 0 ? text(j * dim, " + ") : "", "j];");
  }
}

// Partial results of each lane: the start, and of an extremum with a payload also the element where the lane found it.
void write_partial_results(CodeWriter &out, const LoopParts &parts, int i, int lanes) {
  const ArgShape &arg = parts.arg(i);
  const std::string start =
      arg.access == OP_INC ? text("nothing<", parts.type(i), ">") : text(parts.base(i), "[j % ", arg.dim, "]");
  out.line(parts.type(i), " s", i, "[", lanes * arg.dim, "];");
  out.line("for (int j = 0; j < ", lanes * arg.dim, "; ++j) s", i, "[j] = ", start, ";");
  if (!parts.has_payload(i)) return;
  out.line("int w", i, "[", lanes * arg.dim, "];");
  out.line("for (int j = 0; j < ", lanes * arg.dim, "; ++j) w", i, "[j] = -1;");
}

// Around an element: has it changed an extremum whose payload is wanted?
void write_winners(CodeWriter &out, const LoopParts &parts, bool before) {
  for (int i = 0; i < parts.nargs(); ++i) {
    if (!parts.has_payload(i)) continue;
    const int dim = parts.arg(i).dim;
    const std::string own = text("s", i, "[lane * ", dim, " + j]");
    if (before) {
      out.line(parts.type(i), " o", i, "[", dim, "];");
      out.line("for (int j = 0; j < ", dim, "; ++j) o", i, "[j] = ", own, ";");
    } else {
      out.line("for (int j = 0; j < ", dim, "; ++j) if (", own, " != o", i, "[j]) w", i, "[lane * ", dim,
               " + j] = int(n);");
    }
  }
}

// After the blocks, as the vector form combines its lanes.
void write_combination(CodeWriter &out, const LoopParts &parts, int i, int lanes) {
  const ArgShape &arg = parts.arg(i);
  if (arg.payload_of >= 0) return; // with its extremum
  const std::string types = text(arg.dim, ", ", lanes), values = text("(", parts.base(i), ", s", i, ");");
  const char *const greatest = arg.access == OP_MAX ? "true" : "false";
  if (arg.access == OP_INC) return out.line("add_up_each<", types, ">", values);
  if (!parts.has_payload(i)) return out.line("extreme_of_each<", types, ", ", greatest, ">", values);
  out.open("for (int c = 0; c < ", arg.dim, "; ++c) ");
  out.line("const int lane = winning_lane_each<", types, ", ", greatest, ">(c, ", parts.base(i), "[c], s", i, ", w", i,
           ");");
  out.line("if (lane < 0) continue;");
  for (int k = 0; k < parts.nargs(); ++k) {
    if (parts.arg(k).payload_of != i) continue;
    const int dim = parts.arg(k).dim, each = dim / arg.dim;
    out.line("for (int j = 0; j < ", each, "; ++j) ", parts.base(k), "[", each, " * c + j] = s", k, "[lane * ", dim,
             " + ", each, " * c + j];");
  }
  out.close();
}

// Whole blocks of so many elements as there are lanes, with a partial result for each lane.
void write_blocks(CodeWriter &out, const LoopParts &parts, int lanes) {
  out.open("if (n + ", lanes, " <= end) ");
  for (int i = 0; i < parts.nargs(); ++i) {
    if (parts.reduced_in_lanes(i))
      write_partial_results(out, parts, i, lanes);
    else if (parts.arg(i).kind == OP_RANGE_GLOBAL)
      write_local_global(out, parts, i);
  }
  out.open("while (n + ", lanes, " <= end) for (int lane = 0; lane < ", lanes, "; ++lane, ++n) ");
  write_winners(out, parts, true);
  write_element(out, parts, {true, true});
  write_winners(out, parts, false);
  out.close();
  for (int i = 0; i < parts.nargs(); ++i) {
    if (parts.reduced_in_lanes(i))
      write_combination(out, parts, i, lanes);
    else if (parts.arg(i).kind == OP_RANGE_GLOBAL)
      write_global_back(out, parts, i);
  }
  out.close();
}

} // namespace

void write_element_loop(CodeWriter &out, const LoopParts &parts, bool locals) {
  for (int i = 0; i < parts.nargs(); ++i) write_local_global(out, parts, i);
  out.open("for (; n < end; ++n) ");
  write_element(out, parts, {locals, false});
  out.close();
  for (int i = 0; i < parts.nargs(); ++i) write_global_back(out, parts, i);
}

namespace {

std::string behind_head(CodeWriter &&out, const LoopParts &parts, int like_lanes) {
  const bool locals = like_lanes > 0;
  bool in_lanes = false;
  for (int i = 0; locals && i < parts.nargs(); ++i) in_lanes = in_lanes || parts.reduced_in_lanes(i);
  parts.write_constants(out);
  out.open("struct op2_scalar : op2_declared ");
  parts.write_scalar_members(out);
  out.close(";");
  parts.write_fits(out);
  parts.write_general(out, locals);
  out.open("static void op2_run(", parts.parameters(), ", int begin, int end) ");
  out.line("op2_scalar k;");
  parts.write_pointers(out);
  out.line("long n = begin;");
  if (in_lanes) write_blocks(out, parts, like_lanes);
  write_element_loop(out, parts, locals);
  out.close();
  parts.write_entry(out);
  return out.take();
}

} // namespace

std::string scalar_loop(const LoopParts &parts, int like_lanes, bool may_trap) {
  CodeWriter out;
  parts.write_head(out);
  parts.write_straight_line(out);
  if (!may_trap) out.line(both_sides);
  return behind_head(std::move(out), parts, like_lanes);
}

std::string quick_loop(const LoopParts &parts, int like_lanes) {
  CodeWriter out;
  parts.write_quick_head(out);
  return behind_head(std::move(out), parts, like_lanes);
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
