// The text of a loop's kernel, part by part.
#include "code/code.hpp"

#include <algorithm>

#include "code/code_parts.hpp"

namespace op2::exec_cuda {

void CodeParts::write_params() {
  out_.open("struct alignas(16) op2_params ");
  for (const std::string &declaration : members_) out_.line(declaration, ";");
  out_.close(";");
  out_.line("static_assert(sizeof(op2_params) == ", params_.bytes, ", \"struct op2_params as the host fills it in\");");
  if (kernel_.nconstants > 0 && std::string_view(kernel_.text).find("\nOP2_CONSTANTS\n") == std::string_view::npos)
    out_.line("OP2_CONSTANTS");
}

// The number of the row of pointer j, in a variable where it is looked up.
std::string CodeParts::row_number(int i, int j) {
  if (arg(i).kind == OP_RANGE_DIRECT) return "n";
  const int table = table_of_[static_cast<size_t>(i)];
  const std::string name = words("t", table, "_", arg(i).column + j);
  if (named_.emplace(name, name).second)
    out_.line("const int ", name, " = map", table, "[n * p.columns", table, " + ", arg(i).column + j, "];");
  return name;
}

CodeParts::Row CodeParts::row(int i, int j) { return row_at(i, row_number(i, j)); }

CodeParts::Row CodeParts::row_at(int i, const std::string &number) {
  const int dat = dat_of_[static_cast<size_t>(i)];
  const std::string name = words("r", dat, "_", number);
  if (named_.emplace(name, name).second)
    out_.line("char *const ", name, " = base", dat, " + (long long)", number, " * ", stride(i), ";");
  return {name, split(i) ? words("p.step", dat) : ""};
}

std::string CodeParts::value(const Row &row, int i, const std::string &component) const {
  if (row.step.empty()) return words("((", type(i), " *)", row.address, ")[", component, "]");
  return words("*(", type(i), " *)(", row.address, " + (", component, ") * ", row.step, ")");
}

// Before the kernel is called: what argument i points to.
void CodeParts::write_argument(int i) {
  const op_exec_arg &a = arg(i);
  if (a.kind == OP_RANGE_INDEX) out_.line("const int i", i, " = n;");
  if (a.kind == OP_RANGE_MAP_INDEX) out_.line("const int i", i, " = ", row_number(i, 0), ";");
  if (dat_of_[static_cast<size_t>(i)] >= 0) write_rows(i);
}

void CodeParts::write_zeros(int i) {
  const int values = pointers(i) * arg(i).dim;
  out_.line(type(i), " a", i, "[", values, "];");
  out_.line("for (int j = 0; j < ", values, "; ++j) a", i, "[j] = op2c::nothing<", type(i), ">;");
}

void CodeParts::load(int i, const Row &from, const std::string &to) {
  if (from.step.empty())
    out_.line("op2c::load_row<", arg(i).dim, ">(", to, ", ", from.address, ");");
  else
    out_.line("for (int j = 0; j < ", arg(i).dim, "; ++j) (", to, ")[j] = ", value(from, i, "j"), ";");
}

// q<i>_<j>: the copy for pointer j. Maps may lead twice to one row, and the kernel then sees what it wrote through the
// other pointer.
void CodeParts::write_shared_copies(int i) {
  std::vector<SharedCopy> &copies = shared_[static_cast<size_t>(dat_of_[static_cast<size_t>(i)])];
  for (int j = 0; j < pointers(i); ++j) {
    const std::string number = row_number(i, j), name = words("q", i, "_", j);
    const auto same = std::find_if(copies.begin(), copies.end(), [&](const SharedCopy &c) { return c.row == number; });
    if (same != copies.end()) {
      out_.line(type(i), " *const ", name, " = ", same->name, ";");
      continue;
    }
    out_.line(type(i), " ", name, "_values[", arg(i).dim, "];");
    load(i, row(i, j), name + "_values");
    std::string which;
    for (const SharedCopy &copy : copies) which += words(number, " == ", copy.row, " ? ", copy.name, " : ");
    out_.line(type(i), " *const ", name, " = ", which, name, "_values;");
    copies.push_back({number, name});
  }
}

void CodeParts::write_rows(int i) {
  const op_exec_arg &a = arg(i);
  const Access access = access_[static_cast<size_t>(i)];
  const int values = pointers(i) * a.dim;
  if (access == Access::added && !is_staged(method_)) write_zeros(i);
  if (access == Access::copied) out_.line(type(i), " a", i, "[", values, "];");
  if (access == Access::shared) write_shared_copies(i);
  std::string list;
  for (int j = 0; j < pointers(i); ++j) {
    std::string to = words("a", i, " + ", j * a.dim);
    if (access == Access::copied) load(i, row(i, j), to);
    if (access == Access::shared) to = words("q", i, "_", j);
    if (access == Access::in_place) {
      const Row from = row(i, j);
      to = type(i) ? words("(", type(i), " *)", from.address) : from.address;
    }
    list += (j > 0 ? ", " : "") + to;
  }
  if (a.kind == OP_RANGE_VECTOR) out_.line(type(i) ? type(i) : "void", " *v", i, "[", pointers(i), "] = {", list, "};");
}

std::string CodeParts::call_argument(int i) const {
  const op_exec_arg &a = arg(i);
  switch (a.kind) {
    case OP_RANGE_DIRECT:
    case OP_RANGE_INDIRECT: {
      if (access_[static_cast<size_t>(i)] == Access::shared) return words("op2c::pointer{q", i, "_0}");
      if (access_[static_cast<size_t>(i)] != Access::in_place) return words("op2c::pointer{a", i, "}");
      const std::string number =
          a.kind == OP_RANGE_DIRECT ? "n" : words("t", table_of_[static_cast<size_t>(i)], "_", a.column);
      return words("op2c::pointer{r", dat_of_[static_cast<size_t>(i)], "_", number, "}");
    }
    case OP_RANGE_VECTOR:
      return words("op2c::pointer{v", i, "}");
    case OP_RANGE_INDEX:
    case OP_RANGE_MAP_INDEX:
      return words("op2c::pointer{&i", i, "}");
    case OP_RANGE_GLOBAL:
      break;
    default:
      return "nullptr";
  }
  if (const int global = global_of_[static_cast<size_t>(i)]; global >= 0)
    return words("op2c::pointer{", params_.globals[static_cast<size_t>(global)].by_value ? "p.global" : "global", i,
                 "}");
  if (fold_ == Fold::tree) return words("op2c::pointer{", arg(i).payload_of >= 0 ? "w" : "s", i, "}");
  for (const Reduced &reduced : reduced_)
    if (reduced.arg == i) return words("op2c::pointer{record + ", reduced.offset, "}");
  return "nullptr";
}

// After the kernel: back to the row of argument i.
void CodeParts::write_back(int i) {
  const op_exec_arg &a = arg(i);
  const Access access = access_[static_cast<size_t>(i)];
  if (access == Access::in_place || !writes(a.access) || (access == Access::added && is_staged(method_))) return;
  if (access == Access::added && method_ == Method::gather) return write_increments(i);
  for (int j = 0; j < pointers(i); ++j) {
    const Row into = row(i, j);
    if (access == Access::copied && into.step.empty()) {
      out_.line("op2c::store_row<", a.dim, ">(a", i, " + ", j * a.dim, ", ", into.address, ");");
      continue;
    }
    const std::string to = value(into, i, "j");
    const std::string from =
        access == Access::shared ? words("q", i, "_", j, "[j]") : words("a", i, "[", j * a.dim, " + j]");
    const char *const add = method_ == Method::atomics ? "op2_atomic_add" : "op2_add";
    const std::string statement =
        access == Access::added ? words(add, "(&", to, ", ", from, ");") : words(to, " = ", from, ";");
    out_.line("for (int j = 0; j < ", a.dim, "; ++j) ", statement);
  }
}

void CodeParts::write_element() {
  named_.clear();
  shared_.assign(params_.dats.size(), {});
  for (int i = 0; i < nargs(); ++i) write_argument(i);
  std::string call;
  for (int i = 0; i < nargs(); ++i) call += (i > 0 ? ", " : "") + call_argument(i);
  write_winner_before();
  out_.line("k.op2_kernel(", call, ");");
  write_winner_after();
  for (const bool added : {false, true}) // what is added comes on top of what is written
    for (int i = 0; i < nargs(); ++i)
      if ((access_[static_cast<size_t>(i)] == Access::added) == added) write_back(i);
}

// The results of the threads become those of blocks, and the last block folds these.
void CodeParts::write_tree_end() {
  const size_t bytes = record_bytes_;
  const auto fold_blocks = [&] {
    for (const Reduced &r : reduced_)
      if (r.wins)
        write_winner_fold(r);
      else
        out_.line("op2c::fold_block<op2c::", r.op, ", ", arg(r.arg).dim, ">(s", r.arg, ");");
  };
  const auto store = [&](const std::string &record, bool of_blocks) {
    out_.open("if (threadIdx.x == 0) ");
    for (const Reduced &r : reduced_)
      out_.line("op2c::store_record<", arg(r.arg).dim, ">(s", r.arg, ", ", record, " + ", r.offset, ");");
    out_.close();
    write_winner_store(record, of_blocks);
  };
  out_.line("char *const records = op2_at(p.records);");
  fold_blocks();
  store(words("records + (long long)blockIdx.x * ", bytes), false);
  out_.line("if (!op2c::last_block(op2_at(p.counter))) return;");
  for (const Reduced &r : reduced_)
    out_.line("for (int j = 0; j < ", arg(r.arg).dim, "; ++j) s", r.arg,
              "[j] = ", r.op == "sum" ? words("op2c::nothing<", type(r.arg), ">") : words("p.start", r.arg, "[j]"),
              ";");
  for (const Reduced &r : reduced_)
    if (r.wins) out_.line("for (int j = 0; j < ", arg(r.arg).dim, "; ++j) m", r.arg, "[j] = -1;");
  out_.open("for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) ");
  for (const Reduced &r : reduced_)
    if (r.wins)
      out_.line("op2c::fold_winner<op2c::", r.op, ", ", arg(r.arg).dim, ">(s", r.arg, ", m", r.arg, ", b", r.arg,
                ", records + (long long)b * ", bytes, ", ", r.offset, ", ", r.element, ", (int)b);");
    else
      out_.line("op2c::fold_record<op2c::", r.op, ", ", arg(r.arg).dim, ">(s", r.arg, ", records + (long long)b * ",
                bytes, " + ", r.offset, ");");
  out_.close();
  fold_blocks();
  store("op2_at(p.result)", true);
}

void CodeParts::write_tree_start() {
  write_winner_start();
  for (const Reduced &r : reduced_) {
    out_.line(type(r.arg), " s", r.arg, "[", arg(r.arg).dim, "];");
    out_.line("for (int j = 0; j < ", arg(r.arg).dim, "; ++j) s", r.arg,
              "[j] = ", r.op == "sum" ? words("op2c::nothing<", type(r.arg), ">") : words("p.start", r.arg, "[j]"),
              ";");
  }
}

// Which elements a thread runs: one, every so-manieth, or a block of the plan.
void CodeParts::write_threads() {
  const bool ordered = method_ == Method::colours;
  const std::string thread = "blockIdx.x * blockDim.x + threadIdx.x";
  if (fold_ == Fold::tree) {
    write_tree_start();
    out_.open("for (unsigned at = (unsigned)p.begin + ", thread,
              "; at < (unsigned)p.end; at += gridDim.x * blockDim.x) ");
  } else {
    out_.line("const unsigned at = (unsigned)p.begin + ", thread, ";");
    out_.line("if (at >= (unsigned)p.end) return;");
  }
  if (fold_ == Fold::blocks) {
    out_.line("const int thread = ", ordered ? "order[at]" : "(int)at", ";");
    out_.line("const int *const offset = op2_at(p.block_offset);");
    out_.line("const int first = offset[thread], last = offset[thread + 1];");
  }
  if (fold_ == Fold::none || fold_ == Fold::tree) {
    out_.line("const int n = ", ordered ? "order[at]" : "(int)at", ";");
    return;
  }
  const size_t bytes = signature_.reduce->record_bytes;
  out_.line("char *const record = op2_at(p.records) + (long long)thread * ", bytes, ";");
  out_.line("const long long *const record_start = (const long long *)op2_at(p.record_start);");
  out_.line("for (int j = 0; j < ", bytes / 8, "; ++j) ((long long *)record)[j] = record_start[j];");
  out_.open("for (int n = (int)first; n < last; ++n) ");
}

void CodeParts::write_kernel() {
  const bool together = fold_ == Fold::tree || is_staged(method_);
  out_.open(together ? "OP2_KERNEL(" : "OP2_KERNEL_INDEPENDENT(", kernel_entry, ", op2_params) ");
  write_names();
  if (is_staged(method_)) {
    write_staged();
  } else {
    write_threads();
    write_element();
    if (fold_ != Fold::none) out_.close();
  }
  if (fold_ == Fold::tree) write_tree_end();
  out_.close();
}

// The same elements in chunks that blocks take beside an exchange.
void CodeParts::write_fused() {
  out_.line("struct alignas(16) op2_fused_params { op2_params loop; op2_exchange_params exchange; int begin, end; };");
  out_.open("OP2_KERNEL_RESIDENT(", fused_entry, ", op2_fused_params) ");
  out_.line("const op2_fused_params &all = p;");
  out_.line("op2x::work work(all.exchange);");
  out_.open("");
  out_.line("const op2_params &p = all.loop;");
  write_names();
  out_.open("while (work.next()) ");
  out_.line("const int n = (work.border ? all.begin : p.begin) + (int)(work.chunk * blockDim.x + threadIdx.x);");
  out_.line("if (n >= (work.border ? all.end : p.end)) continue;");
  write_element();
  for (int closed = 0; closed < 3; ++closed) out_.close();
}

// What does not depend on the element.
void CodeParts::write_names() {
  out_.line(kernel_.nconstants > 0 ? words("op2_program &k = ", constants_symbol, ";") : "op2_program k;");
  for (size_t d = 0; d < params_.dats.size(); ++d) out_.line("char *const base", d, " = op2_at(p.base", d, ");");
  for (size_t t = 0; t < params_.tables.size(); ++t) out_.line("const int *const map", t, " = op2_at(p.map", t, ");");
  for (const ParamLayout::Global &global : params_.globals)
    if (!global.by_value) out_.line("const char *const global", global.arg, " = op2_at(p.global", global.arg, ");");
  if (params_.order != absent) out_.line("const int *const order = op2_at(p.order);");
}

// Without the title, which names the loop: loops that are alike share their code.
std::string CodeParts::write() {
  out_.verbatim(device_text("kernel"));
  if (fold_ == Fold::tree) out_.verbatim(device_text("reduce"));
  if (fuses_)
    for (const char *part : {"halo_parts", "halo", "exchange_parts", "exchange"}) out_.verbatim(device_text(part));
  out_.verbatim(kernel_.text);
  out_.line();
  out_.line("#line 1 \"the loop around the kernel\""); // the kernel's lines are those of the program
  write_params();
  write_kernel();
  if (fuses_) write_fused();
  if (method_ == Method::gather)
    for (size_t g = 0; g < params_.groups.size(); ++g) write_gather(g);
  return out_.take();
}

DeviceSource write_code(const op_exec_text &kernel, const op_exec_signature &signature, Method method, bool ordered,
                        bool exchanges) {
  CodeParts parts(kernel, signature, method, ordered, exchanges);
  DeviceSource out;
  out.text = parts.write();
  out.method = method;
  out.fold = parts.fold();
  out.fused = parts.fuses();
  out.params = parts.params();
  if (out.fold == Fold::tree) {
    out.record_bytes = parts.record_bytes();
    out.shared_bytes = 16;
    for (int i = 0; i < signature.nargs; ++i)
      if (signature.args[i].reduction >= 0)
        out.shared_bytes = std::max(
            out.shared_bytes,
            static_cast<unsigned>(threads_per_block / 32 * signature.args[i].dim * (signature.args[i].type_size + 4)));
  }
  return out;
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
