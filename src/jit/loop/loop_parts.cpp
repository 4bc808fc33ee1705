#include "jit/loop/loop_parts.hpp"

#include <algorithm>

#include "jit/code/code_store.hpp"
#include "jit/lanes/lanes.hpp"
#include "jit/loop/components.hpp"
#include "jit/prelude/prelude.hpp"
#include "jit/text/excerpt.hpp"

namespace op2::core::jit {

namespace {

constexpr int most_copied = 64; // values of a constant in a copy that may live in registers

// The most subscripts with which a body uses a name: 2 for m[i][j].
int most_subscripts(const Tokens &body, const std::string &name) {
  int most = 0;
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (body[at].kind != TokenKind::identifier || !body[at].is(name)) continue;
    int subscripts = 0, depth = 0;
    for (std::size_t next = at + 1; next < body.size(); ++next) {
      if (depth == 0 && !body[next].is("[")) break;
      if (body[next].is("[") && depth++ == 0) ++subscripts;
      if (body[next].is("]")) --depth;
    }
    most = std::max(most, subscripts);
  }
  return most;
}

int most_subscripts(const KernelText &kernel, const std::string &name) {
  int most = most_subscripts(kernel.kernel.body, name);
  for (const Function &helper : kernel.helpers) most = std::max(most, most_subscripts(helper.body, name));
  return most;
}

} // namespace

int LoopParts::same_dat(int i) const {
  if (!is_row(i)) return i;
  for (int j = 0; j < i; ++j)
    if (is_row(j) && arg(j).dat == arg(i).dat) return j;
  return i;
}

int LoopParts::same_row(int i) const {
  for (int j = 0; j < i; ++j)
    if (arg(j).kind == arg(i).kind && arg(j).dat == arg(i).dat && arg(j).map == arg(i).map &&
        arg(j).column == arg(i).column && arg(j).count == arg(i).count)
      return j;
  return i;
}

// Numbers of targets have a column of their own: the trial makes up the targets of rows, but not these.
int LoopParts::same_column(int i) const {
  const auto is_number = [&](int k) { return arg(k).kind == OP_RANGE_MAP_INDEX; };
  for (int j = 0; j < i; ++j)
    if (has_map(j) && is_number(j) == is_number(i) && arg(j).map == arg(i).map && arg(j).column == arg(i).column)
      return j;
  return i;
}

bool LoopParts::summed_in_order(int i) const {
  if (arg(i).kind != OP_RANGE_GLOBAL || arg(i).access != OP_INC || arg(i).payload_of >= 0 || !is_real(arg(i).scalar))
    return false;
  for (int j = 0; j < nargs(); ++j)
    if (added(j)) return true;
  return false;
}

bool LoopParts::has_payload(int i) const {
  for (const ArgShape &other : shape_.args)
    if (other.payload_of == i) return true;
  return false;
}

bool LoopParts::any_split() const {
  for (int i = 0; i < nargs(); ++i)
    if (split(i)) return true;
  return false;
}

std::string LoopParts::type(int i) const {
  return arg(i).scalar == Scalar::other ? "char" : spelling_of(arg(i).scalar);
}

void LoopParts::check_parameters() const {
  if (!kernel_.excerpt.empty()) return; // the compiler does
  const auto &parameters = kernel_.kernel.parameters;
  if (parameters.size() != shape_.args.size())
    throw Refusal(text("the text of the kernel has ", parameters.size(), " parameters and the loop ",
                       shape_.args.size(), " arguments"));
  for (int i = 0; i < nargs(); ++i) {
    const Parameter &parameter = parameters[static_cast<std::size_t>(i)];
    const int pointers = arg(i).kind == OP_RANGE_VECTOR ? 2 : 1;
    if (parameter.reference || (parameter.pointers != pointers && arg(i).kind != OP_RANGE_ABSENT))
      throw Refusal(text("parameter '", parameter.name, "' of the kernel's text is not a pointer to what argument ", i,
                         " of the loop passes"));
    if (parameter.scalar != arg(i).scalar && arg(i).kind != OP_RANGE_ABSENT)
      throw Refusal(text("parameter '", parameter.name, "' of the kernel's text has not the type of argument ", i,
                         " of the loop"));
  }
  for (const ConstantShape &constant : shape_.constants)
    if (most_subscripts(kernel_, constant.name) > 1)
      throw Refusal(text("the kernel reads the constant '", constant.name,
                         "' with several subscripts; op_decl_const() knows arrays of one dimension"));
}

// A row of zeros that is changed at an index of each element is memory, and adding it up costs as many additions as it
// has values.
void LoopParts::find_components() {
  for (int i = 0; i < nargs(); ++i) {
    if (!added(i) || split(i) || arg(i).kind != OP_RANGE_INDIRECT || arg(i).scalar == Scalar::other) continue;
    const auto position = static_cast<std::size_t>(i);
    const Components how = added_components(kernel_, position, arg(i).dim);
    if (how == Components::once) components_[position] = text("one_component<", type(i), ">");
    if (how == Components::few) components_[position] = text("few_components<", type(i), ", ", arg(i).dim, ">");
  }
}

std::string LoopParts::title() const {
  return text("// Loop '", shape_.name, "', made by libop2 for the kernel ", kernel_.kernel.name,
              kernel_.kernel.file.empty() ? "" : text(" of ", kernel_.kernel.file, ":", kernel_.kernel.line), ".");
}

void LoopParts::write_head(CodeWriter &out, bool by_compiler) const {
  out.line(""); // the title's place
  if (kernel_.c_language) out.line("#define OP2J_C 1");
  out.verbatim(kernel_.excerpt_headers);
  if (by_compiler && !(shape_.vector_math && kernel_.excerpt.empty())) out.verbatim(scalar_math_prelude());
  if (!kernel_.excerpt.empty()) write_excerpt_constants(out);
  out.verbatim(kernel_.excerpt);
  out.verbatim(args_prelude());
  out.verbatim(values_prelude());
  if (shape_.vector_math && kernel_.excerpt.empty()) out.verbatim(vector_math_prelude());
  for (const std::string_view part : {functions_prelude(), elements_prelude(), rows_prelude(), runs_prelude()})
    out.verbatim(part);
  if (any_split()) out.verbatim(layouts_prelude());
  out.line("using namespace op2j;");
}

// An excerpt finds the values where write_constants() has their addresses.
void LoopParts::write_excerpt_constants(CodeWriter &out) const {
  const auto &constants = shape_.constants;
  if (!constants.empty())
    out.line("extern \"C\" __attribute__((visibility(\"default\"))) const void *op2_constants[", constants.size() + 1,
             "];");
  for (std::size_t i = 0; i < constants.size(); ++i)
    out.line("#define ", constant_prefix, constants[i].name, " (", is_array(constants[i]) ? "" : "*", "(const ",
             spelling_of(constants[i].scalar), " *)op2_constants[", i, "])", variable_note(constants[i]));
}

// fma() without the processor's instruction is a function of the C library, and slow.
void LoopParts::write_straight_line(CodeWriter &out) const {
  const auto fuses = [](const Tokens &tokens) {
    return std::any_of(tokens.begin(), tokens.end(),
                       [](const Token &token) { return token.is("fma") || token.is("fmaf"); });
  };
  bool fused = fuses(kernel_.kernel.body) || kernel_.excerpt.find(" fma ") != std::string::npos ||
               kernel_.excerpt.find(" fmaf ") != std::string::npos;
  for (const Function &helper : kernel_.helpers) fused = fused || fuses(helper.body);
  if (!fused) out.line(straight_line);
}

// The kernel is compiled once, for all its callers.
void LoopParts::write_quick_head(CodeWriter &out) const {
  out.line(""); // the title's place
  out.line(compiled_quickly);
  write_straight_line(out); // a kernel with loops takes five times as long without vectors
  if (kernel_.c_language) out.line("#define OP2J_C 1");
  out.line("#define OP2J_HOST 1");
  out.line("#define OP2J_KERNEL __attribute__((noinline))");
  for (const std::string_view part : {args_prelude(), device_prelude(), elements_prelude()}) out.verbatim(part);
  out.line("using namespace op2j;");
}

// The members of the struct for elements one by one: the kernel and what it needs, or a call of an excerpt's kernel.
void LoopParts::write_scalar_members(CodeWriter &out) const {
  std::vector<std::string> types;
  for (const std::string &added_to : components_) types.push_back(added_to.empty() ? "" : text(added_to, "::row"));
  out.verbatim(scalar_members(kernel_, types));
  if (!kernel_.excerpt.empty()) write_call_of_excerpt(out, "OP2J_INLINE __attribute__((flatten))");
}

void LoopParts::write_call_of_excerpt(CodeWriter &out, const char *how, const char *scope, bool only_declared) const {
  std::string parameters, arguments;
  for (int i = 0; i < nargs(); ++i) {
    const char *const between = i > 0 ? ", " : "";
    const bool number = arg(i).kind == OP_RANGE_INDEX || arg(i).kind == OP_RANGE_MAP_INDEX;
    const std::string type = number ? "int" : this->type(i);
    if (arg(i).kind == OP_RANGE_ABSENT)
      parameters += text(between, "decltype(nullptr) a", i);
    else if (arg(i).kind == OP_RANGE_VECTOR)
      parameters += text(between, "op2j::rows_of<", type, "> a", i);
    else
      parameters += text(between, type, " *a", i);
    arguments += text(between, "a", i);
  }
  out.line(how, " void ", scope, "op2_kernel(", parameters, ")",
           only_declared ? ";" : text(" { ", kernel_.callee, "(", arguments, "); }"));
}

// One value may be a variable or an array of one.
bool LoopParts::is_array(const ConstantShape &constant) const {
  const auto &arrays = kernel_.declared_arrays;
  return constant.dim > 1 || most_subscripts(kernel_, constant.name) > 0 ||
         std::find(arrays.begin(), arrays.end(), constant.name) != arrays.end();
}

void LoopParts::write_constants(CodeWriter &out) const {
  const auto &constants = shape_.constants;
  out.line("extern \"C\" __attribute__((visibility(\"default\"))) const void *op2_constants[", constants.size() + 1,
           "] = {};");
  out.open("struct op2_declared ");
  for (std::size_t i = 0; i < constants.size(); ++i) {
    const char *type = spelling_of(constants[i].scalar);
    const std::string from = text("static_cast<const ", type, " *>(op2_constants[", i, "])");
    if (!is_array(constants[i])) {
      out.line("const ", type, " ", constants[i].name, " = *", from, ";", variable_note(constants[i]));
    } else if (constants[i].dim <= most_copied) {
      std::string values;
      for (int j = 0; j < constants[i].dim; ++j) values += text(j > 0 ? ", " : "", from, "[", j, "]");
      out.line("const ", type, " ", constants[i].name, "[", constants[i].dim, "] = {", values, "};",
               variable_note(constants[i]));
    } else {
      out.line("const ", type, " *const ", constants[i].name, " = ", from, ";", variable_note(constants[i]));
    }
  }
  out.close(";");
}

// Everything the code takes for granted.
void LoopParts::write_fits(CodeWriter &out) const {
  out.open("static bool op2_fits(", parameters(), ") ");
  for (int i = 0; i < nargs(); ++i) {
    out.line("if (a[", i, "].kind != ", arg(i).kind, ") return false;");
    if (has_base(i)) out.line("if (!a[", i, "].base) return false;");
    const int row = split(i) ? arg(i).type_size : arg(i).dim * arg(i).type_size;
    if (is_row(i)) out.line("if (a[", i, "].stride != ", row, ") return false;");
    if (split(i) && same_dat(i) != i)
      out.line("if (layouts[", i, "].step != layouts[", same_dat(i), "].step) return false;");
    if (is_row(i) && same_dat(i) != i) out.line("if (a[", i, "].base != a[", same_dat(i), "].base) return false;");
    if (has_map(i)) out.line("if (a[", i, "].map_stride != ", arg(i).columns, ") return false;");
    if (has_map(i) && same_column(i) != i) out.line("if (a[", i, "].map != a[", same_column(i), "].map) return false;");
  }
  out.line("return true;");
  out.close();
}

void LoopParts::write_general(CodeWriter &out, bool locals) const {
  out.open("static void op2_general(", parameters(), ", int begin, int end) ");
  out.line("op2_scalar k;");
  out.open("for (long n = begin; n < end; ++n) ");
  std::string call = "k.op2_kernel(";
  for (int i = 0; i < nargs(); ++i) {
    write_general_rows(out, i, locals);
    if (i > 0) call += ", ";
    call += arg(i).kind == OP_RANGE_ABSENT   ? "nullptr"
            : locals && summed_in_order(i)   ? text("t", i)
            : !components(i).empty()         ? text(components(i), "::row{&t", i, "}")
            : arg(i).kind == OP_RANGE_GLOBAL ? text("pointer{a[", i, "].base}")
            : arg(i).kind == OP_RANGE_INDEX || arg(i).kind == OP_RANGE_MAP_INDEX ? text("&i", i)
            : split(i) && arg(i).kind != OP_RANGE_VECTOR
                ? text("q", i)
                : text("pointer{", arg(i).kind == OP_RANGE_VECTOR ? "v" : "v0_", i, "}");
  }
  out.line(call, ");");
  for (int i = 0; i < nargs(); ++i) {
    if (locals && summed_in_order(i))
      out.line("for (int j = 0; j < ", arg(i).dim, "; ++j) reinterpret_cast<", type(i), " *>(a[", i, "].base)[j] += t",
               i, "[j];");
    if (split(i)) {
      write_general_back(out, i);
      continue;
    }
    if (!components(i).empty())
      out.line("t", i, ".add_to(reinterpret_cast<", type(i), " *>(w", i, "[0]));");
    else if (locals && added(i))
      for (int j = 0; j < pointers(i); ++j)
        out.line("for (int j = 0; j < ", arg(i).dim, "; ++j) reinterpret_cast<", type(i), " *>(w", i, "[", j,
                 "])[j] += t", i, "[", j * arg(i).dim, " + j];");
  }
  out.close();
  out.close();
}

// The rows of one argument for element n, wherever the call says they are.
void LoopParts::write_general_rows(CodeWriter &out, int i, bool locals) const {
  if (split(i)) return write_general_copies(out, i);
  const std::string a = text("a[", i, "]");
  if (arg(i).kind == OP_RANGE_INDEX) out.line("const int i", i, " = int(n);");
  if (arg(i).kind == OP_RANGE_MAP_INDEX) out.line("const int i", i, " = ", a, ".map[n * ", a, ".map_stride];");
  const bool in_row = components(i).empty();
  if (!in_row) out.line(components(i), " t", i, ";");
  if (locals && from_nothing(i) && in_row) {
    out.line(type(i), " t", i, "[", pointers(i) * arg(i).dim, "];");
    out.line("for (int j = 0; j < ", pointers(i) * arg(i).dim, "; ++j) t", i, "[j] = nothing<", type(i), ">;");
  }
  if (!is_row(i)) return;
  const bool local = locals && added(i);
  const char *rows = local ? "w" : "v";
  out.line("char *", rows, i, "[", pointers(i), "];");
  if (arg(i).kind == OP_RANGE_DIRECT)
    out.line(rows, i, "[0] = ", a, ".base + n * ", a, ".stride;");
  else
    out.line("for (int j = 0; j < ", pointers(i), "; ++j) ", rows, i, "[j] = ", a, ".base + ", a, ".map[n * ", a,
             ".map_stride + j] * ", a, ".stride;");
  if (!in_row) return;
  if (local) {
    out.line("char *v", i, "[", pointers(i), "];");
    for (int j = 0; j < pointers(i); ++j)
      out.line("v", i, "[", j, "] = reinterpret_cast<char *>(t", i, " + ", j * arg(i).dim, ");");
  }
  if (arg(i).kind != OP_RANGE_VECTOR) out.line("char *const v0_", i, " = v", i, "[0];");
}

void LoopParts::write_general_copies(CodeWriter &out, int i) const {
  const std::string row = arg(i).kind == OP_RANGE_DIRECT ? "n" : text("a[", i, "].map[n * a[", i, "].map_stride + j]");
  out.line("char *w", i, "[", pointers(i), "];");
  out.line(type(i), " q", i, "[", pointers(i) * arg(i).dim, "];");
  out.open("for (int j = 0; j < ", pointers(i), "; ++j) ");
  out.line("w", i, "[j] = a[", i, "].base + ", row, " * a[", i, "].stride;");
  out.line(
      "for (int c = 0; c < ", arg(i).dim, "; ++c) q", i, "[j * ", arg(i).dim, " + c] = ",
      added(i) ? text("nothing<", type(i), ">") : text("component<", type(i), ">(w", i, "[j], layouts[", i, "], c)"),
      ";");
  out.close();
  if (arg(i).kind != OP_RANGE_VECTOR) return;
  std::string list;
  for (int j = 0; j < pointers(i); ++j) list += text(j > 0 ? ", " : "", "q", i, " + ", j * arg(i).dim);
  out.line(type(i), " *v", i, "[", pointers(i), "] = {", list, "};");
}

void LoopParts::write_general_back(CodeWriter &out, int i) const {
  if (arg(i).access == OP_READ) return;
  out.line("for (int j = 0; j < ", pointers(i), "; ++j) for (int c = 0; c < ", arg(i).dim, "; ++c) component<", type(i),
           ">(w", i, "[j], layouts[", i, "], c) ", added(i) ? "+=" : "=", " q", i, "[j * ", arg(i).dim, " + c];");
}

void LoopParts::write_entry(CodeWriter &out, const char *symbol, const char *run) const {
  out.open("extern \"C\" __attribute__((visibility(\"default\"))) void ", symbol,
           "(const op_range_ctx *ctx, int begin, int end) ");
  out.line("const op_range_arg *const a = ctx->args;");
  if (any_split()) { // a caller may know nothing of layouts
    out.line("op_range_layout rows[", nargs(), "];");
    out.line("const op_range_layout *layouts = ctx->size >= sizeof(op_range_ctx) ? ctx->layouts : nullptr;");
    out.open("if (!layouts) ");
    for (int i = 0; i < nargs(); ++i) out.line("rows[", i, "] = {", std::max(arg(i).type_size, 1), ", 0};");
    out.line("layouts = rows;");
    out.close();
  }
  out.line("if (op2_fits(", passed(), ")) ", run, "(", passed(), ", begin, end);");
  out.line("else op2_general(", passed(), ", begin, end);");
  out.close();
}

void LoopParts::write_pointers(CodeWriter &out) const {
  for (int i = 0; i < nargs(); ++i) {
    if (has_base(i) && same_dat(i) == i)
      out.line(type(i), " *const b", i, " = reinterpret_cast<", type(i), " *>(a[", i, "].base);");
    if (split(i) && same_dat(i) == i) out.line("const long s", i, " = layouts[", i, "].step / ", arg(i).type_size, ";");
    if (has_map(i) && same_column(i) == i) out.line("const int *const c", i, " = a[", i, "].map;");
  }
}

std::string LoopParts::row(int i, int j, const char *n) const {
  // rows of the program's own types are counted in bytes
  const int length = arg(i).scalar == Scalar::other ? arg(i).dim * arg(i).type_size : arg(i).dim;
  if (split(i) && arg(i).kind == OP_RANGE_DIRECT) return text(base(i), " + ", n);
  if (arg(i).kind == OP_RANGE_DIRECT) return text(base(i), " + ", n, " * ", length);
  const std::string target = text(column(i), "[", n, " * ", arg(i).columns, j > 0 ? text(" + ", j) : "", "]");
  if (split(i)) return text(base(i), " + long(", target, ")");
  return text(base(i), " + long(", target, ") * ", length);
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
