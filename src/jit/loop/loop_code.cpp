#include "jit/loop/loop_code.hpp"

#include <algorithm>

#include "jit/code/code_store.hpp"
#include "jit/loop/deferred.hpp"
#include "jit/loop/loop_parts.hpp"
#include "jit/loop/runs.hpp"

namespace op2::core::jit {

namespace {

// Words of a kernel's text and its helpers'. The program waits while it is compiled: 10 000 words in vectors take some
// seconds, and the time grows with their square.
constexpr std::size_t most_in_vectors = 10'000, most_at_all = 50'000;

std::size_t length(const KernelText &kernel) {
  std::size_t out = kernel.kernel.body.size();
  for (const Function &helper : kernel.helpers) out += helper.body.size();
  return out;
}

bool eight_bytes(Scalar scalar) {
  return scalar == Scalar::float64 || scalar == Scalar::int64 || scalar == Scalar::uint64;
}

// A literal of type double promotes what it meets.
bool is_double_literal(const Token &token) {
  if (token.kind != TokenKind::number) return false;
  const std::string &t = token.text;
  if (t.starts_with("0x") || t.starts_with("0X")) return t.find_first_of("pP") != std::string::npos;
  return t.find_first_of(".eE") != std::string::npos && t.find_first_of("fF") == std::string::npos;
}

bool mentions_doubles(const Tokens &tokens) {
  return std::any_of(tokens.begin(), tokens.end(), [](const Token &token) {
    return is_double_literal(token) || token.is("double") || token.is("long");
  });
}

// Vectors have as many lanes as values of the widest type that takes part.
bool wide(const KernelText &kernel, const LoopShape &shape) {
  const auto in_function = [](const Function &f) {
    return eight_bytes(f.result) || mentions_doubles(f.body) ||
           std::any_of(f.parameters.begin(), f.parameters.end(),
                       [](const Parameter &p) { return eight_bytes(p.scalar); });
  };
  return in_function(kernel.kernel) || std::any_of(kernel.helpers.begin(), kernel.helpers.end(), in_function) ||
         std::any_of(kernel.constants.begin(), kernel.constants.end(),
                     [](const NamedConstant &c) { return eight_bytes(c.scalar); }) ||
         std::any_of(shape.constants.begin(), shape.constants.end(),
                     [](const ConstantShape &c) { return eight_bytes(c.scalar); }) ||
         std::any_of(shape.args.begin(), shape.args.end(), [](const ArgShape &arg) { return eight_bytes(arg.scalar); });
}

} // namespace

bool layout_fits(std::span<const ArgShape> args, int dat) {
  int count = 0;
  bool read = true, added = true, one_row = true;
  for (const ArgShape &arg : args) {
    if (arg.dat != dat || arg.kind == OP_RANGE_ABSENT) continue;
    ++count;
    read = read && arg.access == OP_READ;
    added = added && arg.access == OP_INC && arg.kind != OP_RANGE_DIRECT;
    one_row = one_row && arg.kind != OP_RANGE_VECTOR;
  }
  return read || added || (count == 1 && one_row);
}

namespace {

LoopCode in_vectors(const LoopParts &parts, int lanes, int value_bytes, bool by_compiler) {
  LoopCode out;
  out.text = by_compiler ? compiler_vector_loop(parts, lanes, value_bytes) : vector_loop(parts, lanes, value_bytes);
  out.title = parts.title();
  out.form = text("vector x", lanes, by_compiler ? ", by the compiler" : "");
  out.runs = usable_period(parts, lanes);
  out.lanes = lanes;
  out.by_compiler = by_compiler;
  return out;
}

// Lanes of a loop that reduces keep partial results, whose number shapes a sum. Whole numbers have no roundings.
bool lanes_shape_results(const LoopParts &parts) {
  for (int i = 0; i < parts.nargs(); ++i) {
    const bool whole = !is_real(parts.arg(i).scalar) && parts.arg(i).payload_of < 0 && !parts.has_payload(i);
    if (parts.reduced_in_lanes(i) && !whole) return true;
  }
  return false;
}

// Functions for whole vectors have bits of their own, and so has the sum of a range that begins inside a block.
bool others_give_its_bits(const LoopParts &parts, const LoopCode &code) {
  return code.lanes > 0 && !parts.shape().vector_math && !parts.any_split();
}

} // namespace

LoopCode element_form(const LoopCode &code) {
  LoopCode out = code;
  out.form = "scalar";
  out.why_scalar.clear();
  out.by_compiler = false;
  out.by_element = true;
  out.lanes = 0;
  return out;
}

std::optional<LoopCode> scalar_form(const KernelText &kernel, const LoopShape &shape, const LoopCode &code,
                                    bool quick) {
  LoopParts parts(kernel, shape);
  if (!others_give_its_bits(parts, code) || !kernel.excerpt.empty()) return std::nullopt;
  parts.find_components();
  LoopCode out;
  out.text = quick ? quick_loop(parts, code.lanes) : scalar_loop(parts, code.lanes, false);
  out.title = parts.title();
  out.form = "scalar";
  return out;
}

std::vector<LoopCode> other_forms(const KernelText &kernel, const LoopShape &shape, int vector_bytes,
                                  const LoopCode &code) {
  std::vector<LoopCode> out;
  const LoopParts parts(kernel, shape);
  if (!others_give_its_bits(parts, code)) return out;
  const int value_bytes = vector_bytes / code.lanes;
  if (code.lanes >= 4 && !lanes_shape_results(parts))
    out.push_back(in_vectors(parts, code.lanes / 2, value_bytes, code.by_compiler));
  if (!code.by_compiler) out.push_back(in_vectors(parts, code.lanes, value_bytes, true));
  LoopShape in_groups = shape;
  in_groups.grouped = true;
  LoopCode grouped = in_vectors(LoopParts(kernel, in_groups), code.lanes, value_bytes, code.by_compiler);
  grouped.form += ", grouped increments";
  if (grouped.text != code.text) out.push_back(std::move(grouped));
  if (std::optional<LoopCode> scalar = scalar_form(kernel, shape, code)) out.push_back(std::move(*scalar));
  if (!kernel.excerpt.empty() && !lanes_shape_results(parts)) out.push_back(element_form(code));
  if (shape.stream || shape.stream_by_time) {
    LoopShape other = shape;
    other.stream = !shape.stream;
    LoopCode stores = in_vectors(LoopParts(kernel, other), code.lanes, value_bytes, code.by_compiler);
    stores.form += shape.stream ? ", plain stores" : ", streaming stores";
    if (stores.text != code.text) out.push_back(std::move(stores));
  }
  LoopShape deferred = shape;
  deferred.deferred = true;
  if (const LoopParts later(kernel, deferred); defers_increments(later, usable_period(later, code.lanes))) {
    out.push_back(in_vectors(later, code.lanes, value_bytes, code.by_compiler));
    out.back().form += ", deferred increments";
  }
  return out;
}

std::string variable_note(const ConstantShape &constant) {
  return constant.number > 0 ? text(" // of variable ", constant.number) : "";
}

std::string identity_of(const LoopShape &shape) {
  static_assert(sizeof(ArgShape) == 52, "a new member belongs into the text");
  std::string out;
  for (const ArgShape &arg : shape.args) {
    for (const int value :
         {arg.kind, static_cast<int>(arg.access), static_cast<int>(arg.scalar), arg.type_size, arg.dim, arg.dat,
          arg.map, arg.column, arg.columns, arg.count, arg.payload_of, static_cast<int>(arg.distinct), arg.layout})
      out += text(value, " ");
    out += "\n";
  }
  for (const ConstantShape &constant : shape.constants)
    out +=
        text(constant.name, " ", static_cast<int>(constant.scalar), " ", constant.dim, variable_note(constant), "\n");
  for (const ColumnPlace &place : shape.places)
    out += text(place.map, " ", place.column, " ", place.phase, " ", place.group, " ", place.offset, "\n");
  return out + text(shape.stream, shape.runs, shape.vector_math, " ", shape.steady.map, " ", shape.steady.column, "\n");
}

LoopCode generate(const KernelText &kernel, const LoopShape &shape, int vector_bytes) {
  const LoopParts parts(kernel, shape);
  parts.check_parameters();
  const std::size_t words = length(kernel);
  if (words > most_at_all) throw Refusal("the kernel's text is too long to be compiled while the program runs");
  LoopCode out;
  out.title = parts.title();
  const int value_bytes = wide(kernel, shape) ? 8 : 4, lanes = vector_bytes / value_bytes;
  if (lanes >= 2 && words > most_in_vectors) {
    out.why_scalar = "the kernel's text is too long for vectors";
  } else if (lanes >= 2) {
    try {
      if (!kernel.excerpt.empty()) throw Refusal(kernel.why_excerpt);
      return in_vectors(parts, lanes, value_bytes, false);
    } catch (const Refusal &refusal) {
      out.why_scalar = refusal.what();
    }
    try { // constructs of C++ that are not understood here are for the compiler
      LoopCode code = in_vectors(parts, lanes, value_bytes, true);
      code.why_scalar = std::move(out.why_scalar);
      return code;
    } catch (const Refusal &) { // the loop as such
    }
  }
  if (!kernel.excerpt.empty()) throw Refusal(kernel.why_excerpt); // the program has it as good as that
  out.text = scalar_loop(parts, 0, vector_bytes == 0);
  out.form = "scalar";
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
