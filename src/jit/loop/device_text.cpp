#include "jit/loop/device_text.hpp"

#include <algorithm>

#include "jit/lanes/lanes.hpp"
#include "jit/loop/loop_parts.hpp"
#include "jit/prelude/prelude.hpp"
#include "jit/text/excerpt.hpp"

namespace op2::core::jit {

namespace {

constexpr std::size_t most_declared = std::size_t{60} << 10; // devices keep constants in 64 KiB

std::size_t size_of(Scalar scalar) {
  switch (scalar) {
    case Scalar::boolean:
      return 1;
    case Scalar::int32:
    case Scalar::uint32:
    case Scalar::float32:
      return 4;
    default:
      return 8;
  }
}

std::size_t round_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

// One member after the other, each where C++ puts it.
void lay_out(const LoopShape &shape, DeviceText &out) {
  std::size_t widest = 1;
  for (const ConstantShape &constant : shape.constants) {
    const std::size_t size = size_of(constant.scalar);
    out.declared_bytes = round_up(out.declared_bytes, size);
    out.offset.push_back(out.declared_bytes);
    out.bytes.push_back(size * static_cast<std::size_t>(constant.dim));
    out.declared_bytes += out.bytes.back();
    widest = std::max(widest, size);
  }
  out.declared_bytes = round_up(out.declared_bytes, widest);
  if (out.declared_bytes > most_declared)
    throw Refusal(
        text("the kernel reads ", out.declared_bytes, " bytes of constants; ", most_declared, " are possible"));
}

} // namespace

DeviceText device_text(const KernelText &kernel, const LoopShape &shape) {
  const LoopParts parts(kernel, shape);
  parts.check_parameters();
  DeviceText out;
  lay_out(shape, out);
  out.title = parts.title();
  const bool excerpt = !kernel.excerpt.empty();
  CodeWriter code;
  if (kernel.c_language) code.line("#define OP2J_C 1");
  code.verbatim(kernel.excerpt_headers);
  code.verbatim(device_prelude());
  if (excerpt) {
    code.verbatim(scalar_math_prelude());
    code.verbatim(elements_prelude());
  }
  code.open("struct op2_declared ");
  for (const ConstantShape &constant : shape.constants)
    code.line(spelling_of(constant.scalar), " ", constant.name,
              parts.is_array(constant) ? text("[", constant.dim, "]") : "", ";", variable_note(constant));
  code.close(";");
  code.open("struct op2_program : op2_declared ");
  code.verbatim(scalar_members(kernel));
  if (excerpt) parts.write_call_of_excerpt(code, "OP2J_INLINE", "", true);
  code.close(";");
  if (excerpt) { // its functions are none of the structure, and read the executor's one object of it
    if (!shape.constants.empty()) code.line("OP2_CONSTANTS");
    for (const ConstantShape &constant : shape.constants)
      code.line("#define ", constant_prefix, constant.name, " op2_values.", constant.name);
    code.verbatim(kernel.excerpt);
    parts.write_call_of_excerpt(code, "OP2J_INLINE", "op2_program::");
  }
  out.text = code.take();
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
