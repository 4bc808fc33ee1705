// The form of a loop: on which executor it runs and from which code, and what changes that.
#include "base/error.hpp"
#include "loop/device_trial.hpp"
#include "loop/loop.hpp"

namespace op2::core {

bool Loop::numbers_are_rows() const {
  return options_.local_numbers && mesh_.several() && mesh_.declare() == Declare::local;
}

// On a renumbered set the number of an element is not its place, and numbers from 1 never are: they are looked up in a
// table, which is no map.
void Loop::number_as_declared(const LoopArg &arg, op_exec_arg &exec, op_range_arg &range) {
  bool own = arg.kind == OP_RANGE_INDEX, target = arg.kind == OP_RANGE_MAP_INDEX;
  if (arg.first == 0) {
    if (numbers_are_rows()) return;
    own = own && set_->renumbered();
    target = target && arg.map->target().renumbered();
  }
  if (!own && !target) return;
  range.kind = exec.kind = OP_RANGE_MAP_INDEX;
  range.map_stride = own ? 1 : arg.map->dim;
  range.flags = own ? OP_RANGE_OWN_NUMBER : 0;
  exec.map = -1;
  exec.column = 0;
  numbers_looked_up_ = true;
}

// The table of an index argument that is looked up, where whoever runs the loop can read it.
const int *Loop::numbers_of(const LoopArg &arg, bool own, bool here) {
  if (arg.first != 0)
    return own ? mesh_.element_numbers_from_one(*set_, numbers_are_rows(), here)
               : column_of(mesh_.target_numbers_from_one(*arg.map, numbers_are_rows(), here), arg.column);
  if (own) return here ? mesh_.element_numbers(*set_) : set_->original.data();
  return column_of(here ? mesh_.target_numbers(*arg.map) : mesh_.target_numbers_on_host(*arg.map), arg.column);
}

void Loop::point_maps() { point_maps(range_args_, executor_ == &mesh_.executor()); }

void Loop::point_maps(std::vector<op_range_arg> &ranges, bool here) {
  for (std::size_t i = 0; i < args_.size(); ++i) {
    const LoopArg &arg = args_[i];
    op_range_arg &range = ranges[i];
    const bool number = range.kind == OP_RANGE_MAP_INDEX && exec_args_[i].map < 0;
    if (number)
      range.map = numbers_of(arg, (range.flags & OP_RANGE_OWN_NUMBER) != 0, here);
    else if (arg.map)
      range.map = column_of(here ? arg.map->exec_table() : arg.map->table.data(), arg.column);
  }
}

// On a device all loops find dats in the layout they have there.
std::vector<op_range_layout> Loop::device_layouts() const {
  std::vector<op_range_layout> out;
  bool any = false;
  for (const LoopArg &arg : args_) {
    out.push_back(arg.dat ? arg.dat->layout.range() : op_range_layout{arg.element.size, 1, OP_LAYOUT_AOS});
    any = any || out.back().kind != OP_LAYOUT_AOS;
  }
  if (!any) out.clear();
  return out;
}

void Loop::prepare_device() {
  device_->prepare(*options_.specialiser, fast_request(call_args_));
  if (!device_->why().empty()) move_to_host(device_->why());
}

void Loop::move_to_host(const std::string &why) {
  if (!options_.on_host)
    fail(OP_ERR_UNSUPPORTED, "executor ", executor_->name(), " cannot run it: ", why,
         "; OP2_FALLBACK=host lets such loops run on the host");
  why_on_host_ = why;
  executor_ = options_.on_host;
  exchange_.move_to_host();
  point_maps();
  follow_layouts();
}

// Elements that share a variable take turns, whatever the executor does with others.
void Loop::run_in_order() {
  if (executor_->caps().device_text)
    return move_to_host("its elements share a variable (a global with OP_WRITE, OP_RW or OP_WORK)");
  if (!options_.in_order) return;
  executor_ = options_.in_order;
  exchange_.move_to_host();
  point_maps();
}

// Text may differ from what the program was compiled with.
void Loop::try_device(std::span<const op_arg> args) {
  std::vector<op_range_arg> ranges = range_args_;
  point_maps(ranges, false);
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (args_[i].dat) {
      ranges[i].base = args_[i].dat->host.data();
      ranges[i].stride = args_[i].dat->size;
    } else if (ranges[i].kind == OP_RANGE_GLOBAL)
      ranges[i].base = args[i].data;
  const TrialResult trial =
      try_on_device(*executor_, source(), signature_,
                    {known_range(), nullptr, site_.element, set_, args_, ranges, args, &reduction_, {}});
  if (!trial.difference.empty()) fail(OP_ERR_UNSUPPORTED, trial.difference);
}

void Loop::make_kernels(std::span<const op_arg> args) {
  if (!executor_->caps().device_text) return create_kernels();
  try {
    create_kernels();
    try_device(args);
  } catch (const Error &error) {
    if (error.code != OP_ERR_UNSUPPORTED) throw;
    free_kernels();
    move_to_host(error.what());
    create_kernels();
  }
}

void Loop::change(std::span<const op_arg> args) {
  if (!shared_.empty())
    constants_changed_ = mesh_.constants_changed(); // the program's own code reads them where they are
  else if (fast_.arrived() || constants_changed_ != mesh_.constants_changed())
    change_form(args); // reads the dats
  if (!plan_again_) return;
  choose_plans();
  show_plan();
}

// After a failure everything is as it was before, so that the next run tries again.
void Loop::change_form(std::span<const op_arg> args) {
  const std::vector<Part> before = parts_;
  Executor &executor_before = *executor_;
  const FastForm fast_before = fast_;
  std::unique_ptr<DeviceForm> device_before = std::exchange(device_, std::make_unique<DeviceForm>());
  const std::string why_before = why_on_host_;
  const bool on_host_before = exchange_.on_host();
  const int constants_before = std::exchange(constants_changed_, mesh_.constants_changed());
  try {
    for (Part &part : parts_) part.kernel = nullptr;
    if (executor_->caps().device_text)
      prepare_device();
    else if (constants_before != constants_changed_)
      fast_.give_up("a constant was declared again with another type or dim");
    else
      fast_.adopt(fast_request(args));
    follow_layouts();
    make_kernels(args);
    choose_plans();
  } catch (...) {
    free_kernels();
    parts_ = before;
    executor_ = &executor_before;
    fast_ = fast_before;
    device_ = std::move(device_before);
    why_on_host_ = why_before;
    exchange_.move_to_host(on_host_before);
    constants_changed_ = constants_before;
    follow_layouts();
    point_maps();
    plan_again_ = true; // what the plans were chosen for is not known any more
    throw;
  }
  for (const Part &part : before) executor_before.kernel_free(part.kernel);
  form_changed_ = true;
  show_plan();
}

} // namespace op2::core
