// The scalar form: elements one after another, as a range function does it that was compiled with the program, with
// everything that is known of the loop as a literal.
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

// Kernel parameter i for element n.
std::string argument(const LoopParts &parts, int i, bool locals) {
  const ArgShape &arg = parts.arg(i);
  switch (arg.kind) {
    case OP_RANGE_DIRECT:
      if (parts.split(i)) return text("q", i);
      return text("pointer{", parts.row(i, 0, "n"), "}");
    case OP_RANGE_INDIRECT:
      if (added_locally(parts, i, locals)) return text("t", i);
      return parts.split(i) ? text("q", i) : text("pointer{", parts.row(i, 0, "n"), "}");
    case OP_RANGE_VECTOR:
      return text("pointer{v", i, "}");
    case OP_RANGE_GLOBAL:
      if (locals && parts.summed_in_order(i)) return text("t", i);
      return local_global(parts, i) ? text("g", i) : text("pointer{", parts.base(i), "}");
    case OP_RANGE_OFF:
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

} // namespace

void write_element_loop(CodeWriter &out, const LoopParts &parts, bool locals) {
  const int nargs = parts.nargs();
  for (int i = 0; i < nargs; ++i)
    if (local_global(parts, i)) {
      out.line(parts.type(i), " g", i, "[", parts.arg(i).dim, "];");
      out.line("for (int j = 0; j < ", parts.arg(i).dim, "; ++j) g", i, "[j] = ", parts.base(i), "[j];");
    }
  out.open("for (; n < end; ++n) ");
  for (int i = 0; i < nargs; ++i) write_preparation(out, parts, i, locals);
  std::string call;
  for (int i = 0; i < nargs; ++i) call += (i > 0 ? ", " : "") + argument(parts, i, locals);
  out.line("k.op2_kernel(", call, ");");
  for (int i = 0; i < nargs; ++i) {
    const int dim = parts.arg(i).dim;
    if (locals && parts.summed_in_order(i))
      out.line("for (int j = 0; j < ", dim, "; ++j) ", local_global(parts, i) ? text("g", i) : parts.base(i),
               "[j] += t", i, "[j];");
    if (parts.split(i) && !parts.added(i) && parts.arg(i).access != OP_READ) write_copy(out, parts, i, true);
    if (!added_locally(parts, i, locals)) continue;
    const std::string place = parts.split(i) ? text("j * ", parts.step(i)) : "j";
    for (int j = 0; j < parts.pointers(i); ++j)
      out.line("for (int j = 0; j < ", dim, "; ++j) (", parts.row(i, j, "n"), ")[", place, "] += t", i, "[",
               j > 0 ? text(j * dim, " + ") : "", "j];");
  }
  out.close();
  for (int i = 0; i < nargs; ++i)
    if (local_global(parts, i) && parts.arg(i).access != OP_READ)
      out.line("for (int j = 0; j < ", parts.arg(i).dim, "; ++j) ", parts.base(i), "[j] = g", i, "[j];");
}

std::string scalar_loop(const LoopParts &parts) {
  CodeWriter out;
  parts.write_head(out);
  parts.write_constants(out);
  out.open("struct op2_scalar : op2_declared ");
  out.verbatim(scalar_members(parts.kernel()));
  out.close(";");
  parts.write_fits(out);
  parts.write_general(out, false);
  out.open("static void op2_run(", parts.parameters(), ", int begin, int end) ");
  out.line("op2_scalar k;");
  parts.write_pointers(out);
  out.line("long n = begin;");
  write_element_loop(out, parts, false);
  out.close();
  parts.write_entry(out);
  return out.take();
}

} // namespace op2::core::jit
