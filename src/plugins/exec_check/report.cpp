// Messages about mistakes: what, where, and what to change.
#include <algorithm>

#include "exec_check.hpp"

namespace op2::exec_check {

namespace {

const char *access_name(op_access access) {
  constexpr const char *names[] = {"OP_READ", "OP_WRITE", "OP_RW",   "OP_INC",
                                   "OP_MIN",  "OP_MAX",   "OP_WORK", "OP_REDUCE"};
  return access >= 0 && access < 8 ? names[access] : "?";
}

std::string columns(const op_exec_arg &arg, const char *map) {
  if (arg.count > 0)
    return "columns " + std::to_string(arg.column) + " to " + std::to_string(arg.column + arg.count - 1) + " of map " +
           name_of(map);
  return "column " + std::to_string(arg.column) + " of map " + name_of(map);
}

} // namespace

std::string name_of(const char *name) { return name ? std::string("'").append(name).append("'") : "?"; }

std::string about(const CheckedRun &run, int i) {
  const op_exec_arg &arg = run.arg(i);
  const op_exec_arg_names &names = run.signature().names[i];
  std::string out = "argument " + std::to_string(i) + " (from 0: ";
  if (arg.kind == OP_RANGE_INDEX || (arg.kind == OP_RANGE_MAP_INDEX && !names.map)) return out + "op_arg_idx)";
  if (arg.kind == OP_RANGE_MAP_INDEX) return out + "op_arg_idx, " + columns(arg, names.map) + ")";
  if (arg.dat >= 0)
    out += "dat " + name_of(names.dat) + " of set " + name_of(names.set);
  else
    out += std::string(arg.payload_of >= 0 ? "payload" : "global variable") + " of type " +
           (names.type ? names.type : "?");
  out += std::string(", ") + access_name(arg.access);
  if (arg.dat >= 0 && arg.map >= 0) out += ", " + columns(arg, names.map);
  return out + ")";
}

std::string element_number(const CheckedRun &run, int n) {
  const std::int32_t *const numbers = run.signature().numbers;
  return std::to_string(numbers ? numbers[n] : n);
}

std::string row_number(const CheckedRun &run, int arg, std::ptrdiff_t row) {
  const std::int32_t *const numbers = run.signature().row_numbers[arg];
  return std::to_string(numbers ? numbers[row] : row);
}

std::string here(const CheckedRun &run) {
  return "at element " + element_number(run, run.number) + " of set " + name_of(run.signature().set_name);
}

std::string place(const CheckedRun &run, std::size_t i, int component) {
  const Slot &slot = run.slot(i);
  const op_exec_arg &arg = run.arg(slot.arg);
  std::string out = "component " + std::to_string(component);
  if (arg.dat < 0) return out + " of the variable";
  const std::ptrdiff_t row = (run.rows[i] - run.source[i].base) / run.source[i].stride;
  return out + " of row " + row_number(run, slot.arg, row) + " of dat " + name_of(run.signature().names[slot.arg].dat);
}

void found(const CheckedRun &run, Kind kind, int arg, const std::string &message) {
  op_exec_kernel_s &kernel = run.kernel;
  // Only mistakes that make it unsafe, or pointless, to run the kernel in other orders on copies.
  kernel.suspect =
      kernel.suspect || kind == Kind::read || kind == Kind::bounds || kind == Kind::state || kind == Kind::inc;
  if (!run.wants(kind)) return;
  // A kernel that writes beside its rows would now do so in place.
  if (!kernel.exec->options.warn || kind == Kind::bounds) throw Finding{message + " [check: " + kind_name(kind) + "]"};
  const std::pair<int, Kind> once(arg, kind);
  if (std::find(kernel.reported.begin(), kernel.reported.end(), once) != kernel.reported.end()) return;
  kernel.reported.push_back(once);
  std::string text =
      "check: loop " + name_of(kernel.name.c_str()) + ": " + message + " [check: " + kind_name(kind) + "]";
  if (!kernel.file.empty())
    text.append(" [").append(kernel.file).append(":").append(std::to_string(kernel.line)).append("]");
  kernel.exec->host->log(kernel.exec->host, OP_LOG_WARN, text.c_str());
}

} // namespace op2::exec_check

// SPDX-License-Identifier: MIT
