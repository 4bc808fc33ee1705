// The form of a loop: on which executor it runs and from which code, and what changes that.
#include "base/error.hpp"
#include "loop/loop.hpp"

namespace op2::core {

void Loop::point_maps() {
  const bool here = executor_ == &mesh_.executor();
  for (std::size_t i = 0; i < args_.size(); ++i) {
    const LoopArg &arg = args_[i];
    op_range_arg &range = range_args_[i];
    const bool number = range.kind == OP_RANGE_MAP_INDEX && exec_args_[i].map < 0;
    if (number && (range.flags & OP_RANGE_OWN_NUMBER))
      range.map = here ? mesh_.element_numbers(*set_) : set_->original.data();
    else if (number)
      range.map = (here ? mesh_.target_numbers(*arg.map) : mesh_.target_numbers_on_host(*arg.map)) + arg.column;
    else if (arg.map)
      range.map = (here ? arg.map->exec_table() : arg.map->table.data()) + arg.column;
  }
}

void Loop::prepare_device() {
  device_.prepare(*options_.specialiser, fast_request(call_args_));
  if (!device_.why().empty()) move_to_host(device_.why());
}

void Loop::move_to_host(const std::string &why) {
  if (!options_.on_host)
    fail(OP_ERR_UNSUPPORTED, "executor ", executor_->name(), " cannot run it: ", why,
         "; OP2_FALLBACK=host lets such loops run on the host");
  why_on_host_ = why;
  executor_ = options_.on_host;
  exchange_.move_to_host();
  point_maps();
}

void Loop::make_kernels() {
  if (!executor_->caps().device_text) return create_kernels();
  try {
    create_kernels();
  } catch (const Error &error) {
    if (error.code != OP_ERR_UNSUPPORTED) throw;
    free_kernels();
    move_to_host(error.what());
    create_kernels();
  }
}

void Loop::change_form(std::span<const op_arg> args) {
  const std::vector<Part> before = parts_;
  Executor &executor_before = *executor_;
  if (executor_->caps().device_text)
    prepare_device();
  else if (constants_changed_ != mesh_.constants_changed())
    fast_.give_up("a constant was declared again with another type or dim");
  else
    fast_.adopt(fast_request(args));
  constants_changed_ = mesh_.constants_changed();
  follow_layouts();
  for (Part &part : parts_) part.kernel = nullptr;
  try {
    make_kernels();
  } catch (...) {
    free_kernels();
    parts_ = before;
    executor_ = &executor_before;
    throw;
  }
  for (const Part &part : before) executor_before.kernel_free(part.kernel);
  form_changed_ = true;
  choose_plans();
  show_plan();
}

} // namespace op2::core
