// The kernel's call in the vector form. In lanes it is one call. Where the compiler is to make the vectors, it is a
// loop over the lanes around the kernel as it is: each lane has copies of its values, of which nothing is left when all
// is inlined and the loop is vectorised.
#include "jit/code/code_store.hpp"
#include "jit/loop/vector_loop.hpp"

namespace op2::core::jit {

void VectorLoop::write_call(CodeWriter &out) const {
  std::string call;
  for (int i = 0; i < p_.nargs(); ++i) {
    if (i > 0) call += ", ";
    if (p_.arg(i).kind == OP_RANGE_ABSENT)
      call += "nullptr";
    else if (p_.arg(i).kind == OP_RANGE_VECTOR)
      call += text("pointer{v", i, "}");
    else
      call += uniform(i) ? p_.base(i) : variable(i);
  }
  out.line("l.op2_kernel(", call, ");");
}

namespace {

// Values of an argument that is no row and no global: the number of an element.
int values_of(const LoopParts &parts, int i) {
  const int kind = parts.arg(i).kind;
  return kind == OP_RANGE_INDEX || kind == OP_RANGE_MAP_INDEX ? 1 : parts.arg(i).dim * parts.pointers(i);
}

// Messages of the compiler about the loop over the lanes are found by the name of a file.
std::string in_lanes() { return text("#line 1 \"", lanes_file, "\"\n"); }
constexpr const char *behind = "#line 1 \"op2_code\"\n";

std::string type_of(const LoopParts &parts, int i) {
  const int kind = parts.arg(i).kind;
  return kind == OP_RANGE_INDEX || kind == OP_RANGE_MAP_INDEX ? "int" : parts.type(i);
}

} // namespace

void VectorLoop::write_one_lane(CodeWriter &out) const {
  out.verbatim(text(compiler_vectors, "\n"));
  if (!p_.kernel().excerpt.empty()) out.verbatim(text(without_vectors_too, "\n"));
  if (!p_.kernel().excerpt.empty()) p_.write_straight_line(out);
  out.verbatim(in_lanes());
  std::string parameters = "op2_scalar &k";
  for (int i = 0; i < p_.nargs(); ++i)
    if (p_.arg(i).kind != OP_RANGE_ABSENT) parameters += text(", ", type_of(p_, i), " *__restrict p", i);
  out.open("OP2J_INLINE __attribute__((flatten)) void op2_one_lane(", parameters, ", int lane) ");
  std::string call;
  for (int i = 0; i < p_.nargs(); ++i) {
    if (i > 0) call += ", ";
    if (p_.arg(i).kind == OP_RANGE_ABSENT || uniform(i)) {
      call += uniform(i) ? text("pointer{p", i, "}") : "nullptr";
      continue;
    }
    std::string copies;
    for (int c = 0; c < values_of(p_, i); ++c) copies += text(c > 0 ? ", " : "", "p", i, "[", c * lanes_, " + lane]");
    out.line(type_of(p_, i), " q", i, "[", values_of(p_, i), "] = {", copies, "};");
    if (p_.arg(i).kind == OP_RANGE_VECTOR) {
      std::string list;
      for (int j = 0; j < p_.arg(i).count; ++j) list += text(j > 0 ? ", " : "", "q", i, " + ", j * p_.arg(i).dim);
      out.line(type_of(p_, i), " *v", i, "[", p_.arg(i).count, "] = {", list, "};");
    }
    call += text("pointer{", p_.arg(i).kind == OP_RANGE_VECTOR ? "v" : "q", i, "}");
  }
  out.line("k.op2_kernel(", call, ");");
  for (int i = 0; i < p_.nargs(); ++i) {
    const ArgShape &arg = p_.arg(i);
    const bool written = (p_.is_row(i) || arg.kind == OP_RANGE_GLOBAL) && arg.access != OP_READ;
    for (int c = 0; written && c < values_of(p_, i); ++c)
      out.line("p", i, "[", c * lanes_, " + lane] = q", i, "[", c, "];");
  }
  out.close();
  out.verbatim(behind);
}

void VectorLoop::write_lane_calls(CodeWriter &out) const {
  std::string call = "l";
  for (int i = 0; i < p_.nargs(); ++i) {
    if (p_.arg(i).kind == OP_RANGE_ABSENT) continue;
    call += uniform(i) ? text(", ", p_.base(i)) : text(", (", type_of(p_, i), " *)", variable(i));
  }
  // clang would unroll so short a loop before it looks for vectors.
  out.verbatim("#if defined(__clang__)\n" + in_lanes() +
               "#pragma clang loop vectorize(assume_safety) unroll(disable) interleave(disable)\n#else\n" + in_lanes() +
               "#pragma omp simd\n#endif\n");
  out.line("for (int lane = 0; lane < ", lanes_, "; ++lane) op2_one_lane(", call, ", lane);");
  out.verbatim(behind);
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
