#include "jit/fortran/range/range_writer.hpp"

#include <algorithm>

namespace op2::core::jit::fortran {

namespace {

constexpr int most_local = 16; // values of a global in a local copy

// Of a global that runs in a local copy; "" if it does not.
std::string local_type(const ArgShape &arg) {
  if (arg.kind != OP_RANGE_GLOBAL || arg.dim > most_local) return {};
  switch (arg.scalar) {
    case Scalar::float64:
      return "real(c_double)";
    case Scalar::float32:
      return "real(c_float)";
    case Scalar::int32:
    case Scalar::uint32:
      return "integer(c_int)";
    case Scalar::int64:
    case Scalar::uint64:
      return "integer(c_int64_t)";
    case Scalar::boolean:
      return "integer(c_int8_t)";
    default:
      return {};
  }
}

class RangeWriter {
 public:
  RangeWriter(CodeWriter &out, const LoopShape &shape) : out_(out), shape_(shape) {}

  // Runs elements with strides that are known.
  void run() {
    out_.line("subroutine op2jit_run(kernel, a, first, last)");
    out_.line("external :: kernel");
    out_.line("type(op2jit_arg), intent(in) :: a(", shape_.args.size(), ")");
    out_.line("integer(c_int), intent(in) :: first, last");
    declarations();
    before();
    elements("kernel", true);
    behind();
    out_.line("end subroutine");
  }

  // The program's own kernel, wherever rows are.
  void run_others() {
    out_.line("subroutine op2jit_run_others(element, a, first, last)");
    out_.line("type(c_funptr), intent(in) :: element");
    out_.line("type(op2jit_arg), intent(in) :: a(", shape_.args.size(), ")");
    out_.line("integer(c_int), intent(in) :: first, last");
    out_.line("procedure(), pointer :: kernel");
    declarations();
    out_.line("call c_f_procpointer(element, kernel)");
    before();
    elements("kernel", false);
    behind();
    out_.line("end subroutine");
  }

  // A condition in as many lines as there are arguments.
  void fits() {
    out_.line("pure logical function op2jit_fits(a)");
    out_.line("type(op2jit_arg), intent(in) :: a(", shape_.args.size(), ")");
    out_.line("op2jit_fits = .false.");
    for (int i = 1; i <= nargs(); ++i) {
      out_.line("if (a(", i, ")%kind /= ", arg(i).kind, ") return");
      if (is_row(i)) out_.line("if (a(", i, ")%stride /= ", row_bytes(i), ") return");
      if (has_map(i)) out_.line("if (a(", i, ")%map_stride /= ", arg(i).columns, ") return");
    }
    out_.line("op2jit_fits = .true.");
    out_.line("end function");
  }

 private:
  int nargs() const { return static_cast<int>(shape_.args.size()); }
  const ArgShape &arg(int i) const { return shape_.args[static_cast<std::size_t>(i - 1)]; }
  bool is_row(int i) const { return arg(i).kind <= OP_RANGE_VECTOR; }
  bool has_map(int i) const {
    return arg(i).kind == OP_RANGE_INDIRECT || arg(i).kind == OP_RANGE_VECTOR || arg(i).kind == OP_RANGE_MAP_INDEX;
  }
  int row_bytes(int i) const { return arg(i).dim * arg(i).type_size; }

  void declarations() {
    out_.line("integer(c_intptr_t) :: n");
    for (int i = 1; i <= nargs(); ++i) {
      if (has_map(i)) out_.line("integer(c_int), pointer, contiguous :: m", i, "(:)");
      if (is_row(i)) out_.line("integer(c_intptr_t) :: b", i);
      if (arg(i).kind == OP_RANGE_VECTOR) out_.line("type(c_ptr) :: p", i, "(", arg(i).count, ")");
      const std::string local = local_type(arg(i));
      if (!local.empty()) {
        out_.line(local, " :: p", i, "(", arg(i).dim, ")");
        out_.line(local, ", pointer, contiguous :: g", i, "(:)");
      } else if (arg(i).kind == OP_RANGE_INDEX || arg(i).kind == OP_RANGE_MAP_INDEX) {
        out_.line("integer(c_int) :: p", i);
      } else if (arg(i).kind != OP_RANGE_VECTOR) {
        out_.line("integer(c_int8_t), pointer :: p", i);
      }
    }
  }

  void before() {
    for (int i = 1; i <= nargs(); ++i) {
      if (has_map(i)) out_.line("call c_f_pointer(a(", i, ")%map, m", i, ", [huge(1)])");
      if (is_row(i)) out_.line("b", i, " = transfer(a(", i, ")%base, b", i, ")");
      if (!local_type(arg(i)).empty()) {
        out_.line("call c_f_pointer(a(", i, ")%base, g", i, ", [", arg(i).dim, "])");
        out_.line("p", i, " = g", i);
      } else if (arg(i).kind == OP_RANGE_GLOBAL) {
        out_.line("call c_f_pointer(a(", i, ")%base, p", i, ")");
      } else if (arg(i).kind == OP_RANGE_ABSENT) {
        out_.line("nullify(p", i, ")");
      }
    }
  }

  void behind() {
    for (int i = 1; i <= nargs(); ++i)
      if (!local_type(arg(i)).empty() && arg(i).access != OP_READ) out_.line("g", i, " = p", i);
  }

  void elements(const char *kernel, bool known) {
    out_.line("do n = first, last - 1");
    for (int i = 1; i <= nargs(); ++i) row(i, known);
    std::string arguments;
    for (int i = 1; i <= nargs(); ++i) arguments += text(i > 1 ? ", " : "", i % 12 == 0 ? "&\n" : "", "p", i);
    out_.line("call ", kernel, "(", arguments, ")");
    out_.line("end do");
  }

  // Where argument i of element n is.
  void row(int i, bool known) {
    const std::string stride = known ? text(row_bytes(i), "_c_intptr_t") : text("a(", i, ")%stride");
    const std::string entries = known ? text(arg(i).columns) : text("a(", i, ")%map_stride");
    const auto target = [&](int j) { return text("m", i, "(n * ", entries, " + ", j + 1, ")"); };
    const auto address = [&](const std::string &number) {
      return text("transfer(b", i, " + ", stride, " * ", number, ", c_null_ptr)");
    };
    switch (arg(i).kind) {
      case OP_RANGE_DIRECT:
        return out_.line("call c_f_pointer(", address("n"), ", p", i, ")");
      case OP_RANGE_INDIRECT:
        return out_.line("call c_f_pointer(", address(target(0)), ", p", i, ")");
      case OP_RANGE_VECTOR:
        for (int j = 0; j < arg(i).count; ++j) out_.line("p", i, "(", j + 1, ") = ", address(target(j)));
        return;
      case OP_RANGE_INDEX:
        return out_.line("p", i, " = int(n, c_int)");
      case OP_RANGE_MAP_INDEX:
        return out_.line("p", i, " = ", target(0));
      default:
        return;
    }
  }

  CodeWriter &out_;
  const LoopShape &shape_;
};

void write_types(CodeWriter &out) {
  out.verbatim(
      "type, bind(c) :: op2jit_arg\n"
      "  type(c_ptr) :: base\n"
      "  integer(c_intptr_t) :: stride\n"
      "  type(c_ptr) :: map\n"
      "  integer(c_int) :: map_stride, count, kind, access, dim, flags\n"
      "end type\n"
      "type, bind(c) :: op2jit_ctx\n"
      "  integer(c_size_t) :: size\n"
      "  type(c_ptr) :: args\n"
      "  integer(c_int) :: nargs, reserved\n"
      "  type(c_funptr) :: element\n"
      "  type(c_ptr) :: layouts\n"
      "end type\n");
}

} // namespace

// In each module that has variables. What is equal is not written, so that threads do not take it from each other.
void write_copy(CodeWriter &out, const std::vector<ModuleVariable> &variables, int number) {
  out.line("subroutine op2jit_take_", number, "(op2jit_at)");
  out.line("use, intrinsic :: iso_c_binding, only: op2jit_ptr => c_ptr, op2jit_fp => c_f_pointer");
  out.line("type(op2jit_ptr), intent(in) :: op2jit_at(*)");
  std::vector<std::string> shapes;
  for (const ModuleVariable &one : variables) {
    std::string colons, shape;
    for (const long extent : one.extents) {
      colons += colons.empty() ? ":" : ", :";
      shape += text(shape.empty() ? "" : ", ", extent);
    }
    shapes.push_back(shape);
    out.line(one.type, ", pointer :: op2jit_", one.number, colons.empty() ? "" : text("(", colons, ")"));
  }
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const ModuleVariable &one = variables[i];
    const std::string there = text("op2jit_", one.number);
    out.line("call op2jit_fp(op2jit_at(", one.number, "), ", there,
             shapes[i].empty() ? "" : text(", [", shapes[i], "]"), ")");
    const std::string differ = text(one.name, one.logical ? " .neqv. " : " /= ", there);
    out.line("if (", shapes[i].empty() ? differ : text("any(", differ, ")"), ") ", one.name, " = ", there);
  }
  out.line("end subroutine");
}

void write_range(CodeWriter &out, const KernelPlace &kernel, const LoopShape &shape, const std::vector<int> &copied,
                 int constants) {
  out.line("module op2jit_loop");
  out.line("use, intrinsic :: iso_c_binding");
  out.line("implicit none");
  out.line("private");
  write_types(out);
  out.line("type(c_ptr), bind(c, name='op2jit_constants'), public :: op2jit_constants(", constants + 1, ")");
  out.line("public :: op2jit_range");
  out.line("contains");
  out.line("subroutine op2jit_range(ctx, first, last) bind(c, name='op2jit_range')");
  const bool external = kernel.module.empty();
  if (!external) out.line("use ", kernel.module, ", only: op2jit_kernel => ", kernel.name);
  for (const int module : copied) out.line("use ", module_prefix, module, ", only: op2jit_take_", module);
  out.line("type(op2jit_ctx), intent(in) :: ctx");
  out.line("integer(c_int), value :: first, last");
  out.line("type(op2jit_arg), pointer, contiguous :: a(:)");
  if (external) out.line("external :: ", kernel.name);
  out.line("call c_f_pointer(ctx%args, a, [", shape.args.size(), "])");
  out.line("if (op2jit_fits(a)) then");
  for (const int module : copied) out.line("call op2jit_take_", module, "(op2jit_constants)");
  out.line("call op2jit_run(", external ? kernel.name : "op2jit_kernel", ", a, first, last)");
  out.line("else");
  out.line("call op2jit_run_others(ctx%element, a, first, last)");
  out.line("end if");
  out.line("end subroutine");
  RangeWriter writer(out, shape);
  writer.run();
  writer.run_others();
  writer.fits();
  out.line("end module");
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
