#include "loop/form/description.hpp"

namespace op2::core {

LoopDescription::LoopDescription(Mesh &mesh, const LoopSignature &what, const Reduction &reduction,
                                 bool numbers_are_rows, int last)
    : mesh_(mesh), what_(what), numbers_are_rows_(numbers_are_rows), last_(last) {
  int reduced = 0;
  for (std::size_t i = 0; i < what.args.size(); ++i) {
    describe(i);
    args_.back().reduction = what.args[i].reduces() ? reduced++ : -1;
  }
  signature_.size = sizeof signature_;
  signature_.name = what.name.c_str();
  signature_.set_size = this->last();
  signature_.nargs = static_cast<std::int32_t>(args_.size());
  signature_.args = args_.data();
  signature_.indirect = what.indirect ? 1 : 0;
  signature_.conflicts = what.conflicts ? 1 : 0;
  signature_.reduce = reduction.table();
  signature_.set_name = what.set.label.c_str();
  signature_.names = names_.data();
  signature_.numbers = what.set.renumbered() ? what.set.original.data() : nullptr;
  signature_.row_numbers = row_numbers_.data();
}

void LoopDescription::resize() {
  signature_.set_size = last();
  for (std::size_t i = 0; i < args_.size(); ++i)
    if (const Dat *const dat = what_.args[i].dat) args_[i].rows = dat->on().rows();
}

void LoopDescription::describe(std::size_t position) {
  const LoopArg &arg = what_.args[position];
  op_exec_arg exec{};
  exec.kind = arg.kind;
  exec.access = arg.access;
  exec.type = arg.element.id;
  exec.type_size = arg.element.size;
  exec.dim = arg.dim;
  exec.dat = arg.dat ? arg.dat->index : -1;
  exec.map = arg.map ? arg.map->index : -1;
  exec.column = arg.column;
  exec.count = arg.count;
  exec.rows = arg.dat ? arg.dat->on().rows() : 0;
  exec.payload_of = arg.payload_of;
  op_range_arg range{};
  range.kind = arg.kind;
  range.access = arg.access;
  range.dim = arg.dim;
  range.count = arg.count;
  range.stride = arg.dat ? arg.dat->size : 0;
  if (arg.map) range.map_stride = arg.map->dim;
  look_up_number(arg, exec, range);
  args_.push_back(exec);
  ranges_.push_back(range);
  names_.push_back({arg.dat ? arg.dat->label.c_str() : nullptr, arg.dat ? arg.dat->set->name : nullptr,
                    arg.map ? arg.map->label.c_str() : nullptr, what_.type_of(position)});
  const bool renumbered = arg.dat && arg.dat->on().renumbered();
  row_numbers_.push_back(renumbered ? arg.dat->on().original.data() : nullptr);
}

// On a renumbered set the number of an element is not its place, and numbers from 1 never are.
void LoopDescription::look_up_number(const LoopArg &arg, op_exec_arg &exec, op_range_arg &range) {
  bool own = arg.kind == OP_RANGE_INDEX, target = arg.kind == OP_RANGE_MAP_INDEX;
  if (arg.first == 0) {
    if (numbers_are_rows_) return;
    own = own && what_.set.renumbered();
    target = target && arg.map->target().renumbered();
  }
  if (!own && !target) return;
  range.kind = exec.kind = OP_RANGE_MAP_INDEX;
  range.map_stride = own ? 1 : arg.map->dim;
  range.flags = own ? OP_RANGE_OWN_NUMBER : 0;
  exec.map = -1;
  exec.column = 0;
  looks_up_numbers_ = true;
}

const int *LoopDescription::numbers(const LoopArg &arg, bool own, bool on_executor) const {
  if (arg.first != 0)
    return own ? mesh_.numbering().of_elements_from_one(what_.set, numbers_are_rows_, on_executor)
               : column_of(mesh_.numbering().of_targets_from_one(*arg.map, numbers_are_rows_, on_executor), arg.column);
  if (own) return on_executor ? mesh_.numbering().of_elements(what_.set) : what_.set.original.data();
  return column_of(
      on_executor ? mesh_.numbering().of_targets(*arg.map) : mesh_.numbering().of_targets_on_host(*arg.map),
      arg.column);
}

std::vector<op_range_arg> LoopDescription::ranges(bool on_executor) const {
  std::vector<op_range_arg> out = ranges_;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const LoopArg &arg = what_.args[i];
    if (out[i].kind == OP_RANGE_MAP_INDEX && args_[i].map < 0)
      out[i].map = numbers(arg, (out[i].flags & OP_RANGE_OWN_NUMBER) != 0, on_executor);
    else if (arg.map)
      out[i].map = column_of(on_executor ? arg.map->exec_table() : arg.map->table.data(), arg.column);
  }
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
