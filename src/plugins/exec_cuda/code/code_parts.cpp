// What each argument is to the kernel, and where it lies in struct op2_params.
#include "code/code_parts.hpp"

#include <algorithm>

namespace op2::exec_cuda {

namespace {

constexpr size_t most_by_value = 2048;   // bytes of globals that travel with the launch
constexpr size_t most_params = 4000;     // bytes that a launch can carry
constexpr int most_copied = 128;         // bytes of a row in registers
constexpr int most_added = 2048;         // bytes of local values to add to, where the row itself would do
constexpr int most_added_at_all = 16384; // where it would not
constexpr int most_in_tree = 32;         // values that a thread reduces in registers
constexpr int most_payload = 256;        // bytes of a payload that a thread keeps

bool through_map(const op_exec_arg &arg) {
  return arg.dat >= 0 && (arg.kind == OP_RANGE_INDIRECT || arg.kind == OP_RANGE_VECTOR);
}
bool is_row(const op_exec_arg &arg) { return arg.kind == OP_RANGE_DIRECT || through_map(arg); }

bool written_through_map(const op_exec_signature &signature, int dat) {
  return std::any_of(signature.args, signature.args + signature.nargs,
                     [&](const op_exec_arg &a) { return a.dat == dat && through_map(a) && writes(a.access); });
}

bool written(const op_exec_signature &signature, int dat) {
  return std::any_of(signature.args, signature.args + signature.nargs,
                     [&](const op_exec_arg &a) { return a.dat == dat && is_row(a) && writes(a.access); });
}

int uses(const op_exec_signature &signature, int dat) {
  return static_cast<int>(std::count_if(signature.args, signature.args + signature.nargs,
                                        [&](const op_exec_arg &a) { return is_row(a) && a.dat == dat; }));
}

int local_bytes(const op_exec_arg &arg) { return exec_common::pointers(arg) * arg.dim * arg.type_size; }

} // namespace

const char *scalar_name(op_type_id type) {
  switch (type) {
    case OP_TYPE_DOUBLE:
      return "double";
    case OP_TYPE_FLOAT:
      return "float";
    case OP_TYPE_INT:
      return "int";
    case OP_TYPE_UINT:
      return "unsigned";
    case OP_TYPE_LL:
      return "long long";
    case OP_TYPE_ULL:
      return "unsigned long long";
    case OP_TYPE_BOOL:
      return "bool";
    default:
      return nullptr;
  }
}

bool atomics_suffice(const op_exec_signature &signature) {
  for (int i = 0; i < signature.nargs; ++i) {
    const op_exec_arg &a = signature.args[i];
    if (!is_row(a) || !writes(a.access) || !written_through_map(signature, a.dat)) continue;
    if (a.access != OP_INC || !scalar_name(a.type) || a.type == OP_TYPE_BOOL) return false;
    if (local_bytes(a) > most_added_at_all) return false;
  }
  return true;
}

namespace {
bool in_tree(const op_exec_signature &signature, bool with_payloads) {
  if (!signature.reduce) return false;
  int values = 0;
  for (int place = 0; place < signature.reduce->count; ++place) {
    const op_exec_arg &a = signature.args[signature.reduce->arg[place]];
    if (a.payload_of >= 0 && with_payloads && a.dim * a.type_size <= most_payload) continue;
    if (a.payload_of >= 0 || !scalar_name(a.type) || a.type == OP_TYPE_BOOL) return false;
    if (a.access != OP_INC && a.access != OP_MIN && a.access != OP_MAX) return false;
    values += a.dim;
  }
  return values <= most_in_tree;
}
} // namespace

bool folds_in_tree(const op_exec_signature &signature) { return in_tree(signature, false); }
bool folds_winners_in_tree(const op_exec_signature &signature) { return in_tree(signature, true); }

// Groups of 64 elements and more whose rows fit the shared memory that every device has, however many they are.
int staged_elements(const op_exec_signature &signature, bool ordered) {
  constexpr int most = 256, least = 64, most_bytes = 40 << 10;
  if (!signature.conflicts || !atomics_suffice(signature) ||
      (signature.reduce && (ordered || !folds_in_tree(signature))))
    return 0;
  int bytes = 0; // of an element
  for (int i = 0; i < signature.nargs; ++i) {
    const op_exec_arg &a = signature.args[i];
    if (!is_row(a) || !written_through_map(signature, a.dat)) continue;
    if (!through_map(a) || a.access != OP_INC || a.map < 0) return 0;
    bytes += local_bytes(a);
  }
  int elements = most;
  while (elements >= least && elements * bytes > most_bytes) elements /= 2;
  return elements >= least ? elements : 0;
}

const char *why_no_code(const op_exec_signature &signature) {
  if (!signature.layouts) return nullptr;
  for (int i = 0; i < signature.nargs; ++i)
    if (is_row(signature.args[i]) && signature.layouts[i].kind != OP_LAYOUT_AOS && !scalar_name(signature.args[i].type))
      return "a dat of a type of the program's own does not lie row after row";
  return nullptr;
}

CodeParts::CodeParts(const op_exec_text &kernel, const op_exec_signature &signature, Method method, bool ordered,
                     bool exchanges)
    : kernel_(kernel), signature_(signature), method_(method), fold_(Fold::none) {
  const bool ascending = method == Method::plain || method == Method::atomics;
  const bool tree = ascending ? folds_winners_in_tree(signature) : folds_in_tree(signature);
  if (signature.reduce) fold_ = tree && !ordered ? Fold::tree : Fold::blocks;
  fuses_ = exchanges && ascending && fold_ == Fold::none;
  for (int i = 0; i < nargs(); ++i) access_.push_back(access_of(i));
  lay_out();
}

bool CodeParts::split(int i) const { return signature_.layouts && signature_.layouts[i].kind == OP_LAYOUT_SOA; }

ptrdiff_t CodeParts::stride(int i) const {
  return static_cast<ptrdiff_t>(split(i) ? 1 : arg(i).dim) * arg(i).type_size;
}

// Rows that no other argument of the loop may touch meanwhile are worked on in registers: the compiler then knows that
// what the kernel writes is not what it reads, loads several values at once, and leaves out those that are overwritten.
// In SoA there is no row to point to: all are copied, and pointers to the same row share its copy.
CodeParts::Access CodeParts::access_of(int i) const {
  const op_exec_arg &a = arg(i);
  if (!is_row(a) || !scalar_name(a.type)) return Access::in_place;
  const bool number = a.type != OP_TYPE_BOOL;
  if (a.access == OP_INC && number) {
    if (method_ != Method::colours && written_through_map(signature_, a.dat)) return Access::added;
    if (method_ == Method::colours && through_map(a) && (split(i) || local_bytes(a) <= most_added))
      return Access::added;
  }
  const bool alone =
      a.access == OP_READ ? !written(signature_, a.dat) : a.kind != OP_RANGE_VECTOR && uses(signature_, a.dat) == 1;
  if (split(i)) return alone ? Access::copied : Access::shared;
  return alone && number && local_bytes(a) <= most_copied ? Access::copied : Access::in_place;
}

size_t CodeParts::member(const std::string &declaration, size_t size, size_t alignment) {
  const size_t offset = round_up(params_.bytes, alignment);
  params_.bytes = offset + size;
  members_.push_back(declaration);
  return offset;
}

void CodeParts::add_dat(int i) {
  for (size_t d = 0; d < params_.dats.size(); ++d)
    if (arg(params_.dats[d].arg).dat == arg(i).dat) {
      dat_of_[static_cast<size_t>(i)] = static_cast<int>(d);
      return;
    }
  const size_t number = params_.dats.size();
  dat_of_[static_cast<size_t>(i)] = static_cast<int>(number);
  const size_t address = member(words("char *base", number), 8, 8);
  params_.dats.push_back({i, address, stride(i), split(i) ? member(words("long long step", number), 8, 8) : absent});
}

// Columns of one map share its address; a table of numbers that is no map has its own.
void CodeParts::add_table(int i) {
  for (size_t t = 0; t < params_.tables.size() && arg(i).map >= 0; ++t)
    if (arg(params_.tables[t].arg).map == arg(i).map) {
      table_of_[static_cast<size_t>(i)] = static_cast<int>(t);
      return;
    }
  const size_t number = params_.tables.size();
  table_of_[static_cast<size_t>(i)] = static_cast<int>(number);
  const size_t address = member(words("const int *map", number), 8, 8);
  params_.tables.push_back({i, arg(i).column, address, member(words("long long columns", number), 8, 8)});
}

void CodeParts::add_global(int i, size_t &by_value) {
  const size_t bytes = row_bytes(arg(i));
  const size_t room = round_up(bytes, 16);
  const bool fits = by_value + room <= most_by_value && round_up(params_.bytes, 16) + room + 512 <= most_params;
  global_of_[static_cast<size_t>(i)] = static_cast<int>(params_.globals.size());
  if (fits) by_value += room;
  const size_t offset = fits ? member(words("alignas(16) char global", i, "[", room, "]"), room, 16)
                             : member(words("const char *global", i), 8, 8);
  params_.globals.push_back({i, offset, bytes, fits});
}

void CodeParts::add_reduced() {
  const op_exec_reduce &reduce = *signature_.reduce;
  for (int place = 0; place < reduce.count; ++place) {
    const int i = reduce.arg[place];
    const op_access access = arg(i).access;
    if (fold_ == Fold::tree && arg(i).payload_of >= 0) {
      payloads_.push_back({i, reduce.offset[place], ""});
      continue;
    }
    reduced_.push_back({i, reduce.offset[place], access == OP_INC ? "sum" : access == OP_MIN ? "least" : "greatest"});
    if (fold_ != Fold::tree || access == OP_INC) continue;
    const size_t bytes = row_bytes(arg(i));
    const size_t offset =
        member(words(type(i), " start", i, "[", arg(i).dim, "]"), bytes, static_cast<size_t>(arg(i).type_size));
    params_.starts.push_back({offset, reduce.offset[place], bytes});
  }
  record_bytes_ = reduce.record_bytes;
  add_winners();
  params_.records = member("char *records", 8, 8);
  if (fold_ == Fold::tree) {
    params_.result = member("char *result", 8, 8);
    params_.counter = member("unsigned *counter", 8, 8);
  } else {
    params_.record_start = member("const char *record_start", 8, 8);
  }
  if (fold_ == Fold::blocks) params_.block_offset = member("const int *block_offset", 8, 8);
}

int CodeParts::group_of(int i) {
  int group = 0;
  while (group < static_cast<int>(params_.groups.size()) &&
         arg(params_.groups[static_cast<size_t>(group)].arg).dat != arg(i).dat)
    ++group;
  if (group == static_cast<int>(params_.groups.size())) params_.groups.push_back({i, 0});
  return group;
}

// One column for each pointer, in the order of the arguments, which is that of the additions.
void CodeParts::add_gather() {
  columns_of_.resize(static_cast<size_t>(nargs()));
  for (int i = 0; i < nargs(); ++i) {
    if (access_[static_cast<size_t>(i)] != Access::added) continue;
    const int group = group_of(i);
    for (int j = 0; j < pointers(i); ++j) {
      const int table = through_map(arg(i)) ? table_of_[static_cast<size_t>(i)] : -1;
      columns_of_[static_cast<size_t>(i)].push_back(params_.groups[static_cast<size_t>(group)].columns++);
      params_.columns.push_back({group, table, table < 0 ? 0 : arg(i).column + j});
    }
  }
  for (size_t g = 0; g < params_.groups.size(); ++g) params_.scratch.push_back(member(words("char *scratch", g), 8, 8));
  params_.places = member("long long places", 8, 8);
  params_.gather_begin = member("int gather_begin", 4, 4);
}

void CodeParts::add_stage() {
  columns_of_.resize(static_cast<size_t>(nargs()));
  for (int i = 0; i < nargs(); ++i) {
    if (access_[static_cast<size_t>(i)] != Access::added) continue;
    const int group = group_of(i);
    for (int j = 0; j < pointers(i); ++j) {
      const int table = table_of_[static_cast<size_t>(i)], column = arg(i).column + j;
      size_t c = 0;
      while (c < params_.columns.size() && !(params_.columns[c].group == group && params_.columns[c].table == table &&
                                             params_.columns[c].column == column))
        ++c;
      if (c == params_.columns.size()) {
        params_.columns.push_back({group, table, column});
        ++params_.groups[static_cast<size_t>(group)].columns;
      }
      columns_of_[static_cast<size_t>(i)].push_back(static_cast<int>(c));
    }
  }
  params_.block_offset = member("const int *block_offset", 8, 8);
  params_.stage = member("const int *elements", 8, 8);
  member("const unsigned short *colours", 8, 8);
  member("const int *block_colours", 8, 8);
  member("const int *rows_offset", 8, 8);
  member("const int *rows", 8, 8);
  member("const unsigned short *local", 8, 8);
  member("long long places", 8, 8);
  member("int stage_begin", 4, 4);
  member("int stage_reserved", 4, 4);
}

void CodeParts::lay_out() {
  const size_t n = static_cast<size_t>(nargs());
  dat_of_.assign(n, -1);
  table_of_.assign(n, -1);
  global_of_.assign(n, -1);
  params_.begin = member("int begin", 4, 4);
  params_.end = member("int end", 4, 4);
  if (method_ == Method::colours || is_staged(method_)) params_.order = member("const int *order", 8, 8);
  for (int i = 0; i < nargs(); ++i) {
    if (is_row(arg(i))) add_dat(i);
    if (through_map(arg(i)) || arg(i).kind == OP_RANGE_MAP_INDEX) add_table(i);
  }
  if (is_staged(method_)) add_stage();
  if (method_ == Method::gather) add_gather();
  if (signature_.reduce) add_reduced();
  size_t by_value = 0;
  for (int i = 0; i < nargs(); ++i)
    if (arg(i).kind == OP_RANGE_GLOBAL && arg(i).reduction < 0 && arg(i).payload_of < 0) add_global(i, by_value);
  params_.bytes = round_up(params_.bytes, 16);
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
