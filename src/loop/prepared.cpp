#include "loop/prepared.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "loop/form/arity_call.hpp"
#include "loop/form/device_trial.hpp"

namespace op2::core {

namespace {

// The program's own range function. One that counts elements itself knows only their places: where numbers are looked
// up, the kernel is called through its pointer instead. NULL = none that is right.
op_range_fn own_range(const LoopCommon &loop) {
  const op_loop_site &site = loop.what.site;
  const bool counts = loop.described.looks_up_numbers() && !(site.flags & OP_SITE_INDEX_BY_KIND);
  return site.range && !(counts && site.element) ? site.range : nullptr;
}

op_range_fn known_range(const LoopCommon &loop) { return own_range(loop) ? own_range(loop) : element_range; }

FastFormRequest request_of(const LoopCommon &loop, const LoopCall &call, std::span<const op_range_arg> ranges) {
  return {&loop.mesh, &loop.what, known_range(loop), ranges, call.args, &loop.reduction, loop.bytes};
}

// Generated code adds what a kernel gives a row at once, the program's own perhaps bit by bit, so all processes must
// have it or none. Those without elements do not care.
void agree_on_form(const LoopCommon &loop, FastForm &fast) {
  if (!loop.mesh.several()) return;
  loop.mesh.agreement().agree(text("the code of loop '", loop.what.name, "'")); // making it may have failed
  const bool fits = fast.range() || loop.what.set.executed() == 0;
  if (loop.mesh.communicator().min(fits ? 1 : 0) == 0 && fast.range()) fast.give_up("another process has no such code");
}

} // namespace

std::unique_ptr<PreparedLoop> PreparedLoop::first(const LoopCommon &loop, const LoopCall &call) {
  Code code = first_code(loop, call);
  if (loop.options.reproducible) agree_on_form(loop, code.fast);
  return make(loop, call, std::move(code));
}

PreparedLoop::Code PreparedLoop::first_code(const LoopCommon &loop, const LoopCall &call) {
  Executor &executor = loop.mesh.executor();
  if (loop.what.shares && executor.caps().device_text)
    return host_code(loop, "its elements share a variable (a global with OP_WRITE, OP_RW or OP_WORK)");
  // Elements that share a variable take turns, whatever the executor does with others.
  if (loop.what.shares) return {loop.options.in_order ? loop.options.in_order : &executor};
  if (executor.caps().device_text) return device_code(loop, call);
  Code code{&executor};
  code.fast.prepare(loop.options.specialiser, request_of(loop, call, loop.described.ranges(true)));
  return code;
}

PreparedLoop::Code PreparedLoop::device_code(const LoopCommon &loop, const LoopCall &call) {
  Code code{&loop.mesh.executor()};
  code.device = std::make_unique<DeviceForm>();
  code.device->prepare(*loop.options.specialiser, request_of(loop, call, loop.described.ranges(true)));
  return code.device->why().empty() ? std::move(code) : host_code(loop, code.device->why());
}

PreparedLoop::Code PreparedLoop::host_code(const LoopCommon &loop, const std::string &why) {
  if (!loop.options.on_host)
    fail(OP_ERR_UNSUPPORTED, "executor ", loop.mesh.executor().name(), " cannot run it: ", why,
         "; OP2_FALLBACK=host lets such loops run on the host");
  Code code{loop.options.on_host};
  code.why_on_host = why;
  return code;
}

std::unique_ptr<PreparedLoop> PreparedLoop::next(const LoopCall &call) const {
  Code code{&executor_, fast_, nullptr, why_on_host_};
  if (executor_.caps().device_text)
    code = device_code(loop_, call);
  else if (constants_ != loop_.mesh.objects().constants_changed())
    code.fast.give_up("a constant was declared again with another type or dim");
  else
    code.fast.adopt(request_of(loop_, call, loop_.described.ranges(on_executor())));
  return make(loop_, call, std::move(code));
}

std::unique_ptr<PreparedLoop> PreparedLoop::make(const LoopCommon &loop, const LoopCall &call, Code code) {
  std::unique_ptr<PreparedLoop> made;
  const bool by_text = code.device != nullptr;
  try {
    made = std::make_unique<PreparedLoop>(loop, std::move(code));
    if (by_text) made->try_on_device(call);
  } catch (const Error &error) {
    if (!by_text || error.code != OP_ERR_UNSUPPORTED) throw;
    made = std::make_unique<PreparedLoop>(loop, host_code(loop, error.what()));
  }
  made->choose_plans();
  return made;
}

PreparedLoop::PreparedLoop(const LoopCommon &loop, Code code)
    : loop_(loop),
      executor_(*code.executor),
      fast_(std::move(code.fast)),
      device_(std::move(code.device)),
      why_on_host_(std::move(code.why_on_host)),
      constants_(loop.mesh.objects().constants_changed()),
      ranges_(loop.described.ranges(on_executor())),
      signature_(loop.described.signature()),
      reducing_(fast_.range() ? loop.reduction.wrap(fast_.range(), loop.reduction.by_rows())
                              : loop.reduction.wrap(known_range(loop), false)) {
  find_layouts();
  const op_exec_source made = source();
  for (std::size_t p = 0; p < loop.parts.size(); ++p) parts_.push_back({Kernel(executor_, made, signature_)});
}

// On a device all loops find dats in the layout they have there.
void PreparedLoop::find_layouts() {
  const std::vector<LoopArg> &args = loop_.what.args;
  layouts_ = fast_.layouts();
  if (executor_.caps().device_text)
    for (const LoopArg &arg : args)
      layouts_.push_back(arg.dat ? arg.dat->layout.range() : op_range_layout{arg.element.size, 1, OP_LAYOUT_AOS});
  if (std::ranges::all_of(layouts_, [](const op_range_layout &layout) { return layout.kind == OP_LAYOUT_AOS; }))
    layouts_.clear();
  signature_.layouts = layouts_.empty() ? nullptr : layouts_.data();
  for (std::size_t i = 0; i < args.size(); ++i)
    if (in_layout(i)) ranges_[i].stride = args[i].dat->layout.stride();
}

op_exec_source PreparedLoop::source() const {
  const op_loop_site &site = loop_.what.site;
  const bool range = own_range(loop_) != nullptr;
  op_exec_source source{};
  source.size = sizeof source;
  source.element = site.element;
  source.range = reducing_.call;
  source.range_is_native = range || fast_.range();
  source.line = site.line;
  source.kernel_name = site.kernel_name;
  source.file = site.file;
  source.text = site.text;
  source.generic = site.element ? element_range : nullptr;
  source.form = fast_.range() ? fast_.form().c_str() : range ? "range" : "element";
  source.device = device_ ? device_->text() : nullptr;
  return source;
}

// Text may differ from what the program was compiled with.
void PreparedLoop::try_on_device(const LoopCall &call) const {
  const LoopSignature &what = loop_.what;
  std::vector<op_range_arg> ranges = loop_.described.ranges(false);
  for (std::size_t i = 0; i < ranges.size(); ++i)
    if (const Dat *const dat = what.args[i].dat)
      ranges[i].base = dat->host.data();
    else if (ranges[i].kind == OP_RANGE_GLOBAL)
      ranges[i].base = call.args[i].data;
  const TrialResult trial = op2::core::try_on_device(
      executor_, source(), signature_, {known_range(loop_), nullptr, &what, ranges, call.args, &loop_.reduction, {}});
  if (!trial.difference.empty()) fail(OP_ERR_UNSUPPORTED, trial.difference);
}

void PreparedLoop::choose_plans() {
  plans_open_ = true; // after a failure, too
  refused_owner_work_ = 0;
  bool open = false;
  for (std::size_t p = 0; p < parts_.size(); ++p) open = choose_plan(p) || open;
  plans_open_ = open;
}

PlanKey PreparedLoop::plan_key(const LoopPart &part, const op_exec_plan_request &request) const {
  PlanKey key;
  key.kind = request.plan;
  key.begin = part.begin;
  key.end = part.end;
  key.block_size = loop_.options.block_size > 0 ? loop_.options.block_size : request.block_size;
  if (request.plan == OP_PLAN_ELEMENT_COLOURS && request.block_size > 0) // what fits into a device's shared memory
    key.block_size = std::min(key.block_size, request.block_size);
  key.compact = request.compact != 0;
  key.parts = request.parts;
  key.otherwise = request.otherwise;
  if (loop_.options.reproducible && signature_.conflicts) key.otherwise = OP_PLAN_NONE; // colours have their own order
  const bool in_order = part.sequence && !is_owner_kind(request.plan), exact = loop_.reduction.exact();
  if (in_order) key.kind = loop_.reduction.empty() ? OP_PLAN_NONE : OP_PLAN_BLOCKS;
  if (part.sequence && !in_order) key.sequence = loop_.what.set.index;
  if (in_order || (exact && executor_.caps().concurrency == 1)) key.block_size = part.end - part.begin;
  for (const DatUse &use : loop_.what.dats) {
    if (!writes_new(use.access)) continue;
    std::vector<PlanColumns> columns;
    bool through_map = false;
    for (const LoopArg &arg : loop_.what.args) {
      if (arg.dat != use.dat || !writes_new(arg.access)) continue;
      through_map = through_map || arg.through_map();
      if (arg.through_map())
        columns.push_back({arg.map->index, arg.column, std::max(arg.count, 1)});
      else
        columns.push_back({plan_identity, 0, 1});
    }
    if (through_map) key.groups.push_back(std::move(columns));
  }
  return key;
}

// True: the executor wants to be asked again.
bool PreparedLoop::choose_plan(std::size_t number) {
  const LoopPart &range = loop_.parts[number];
  Part &part = parts_[number];
  const op_exec_plan_request request = executor_.kernel_plan_request(part.kernel.get());
  const PlanKey key = plan_key(range, request);
  const auto find_map = [&](int map_number) {
    const Map &map = *loop_.mesh.maps()[static_cast<std::size_t>(map_number)];
    return PlanMap{map.table.data(), map.dim, map.target().rows()};
  };
  const PlanCache::Sequence *const order = is_owner_kind(request.plan) ? nullptr : range.sequence;
  part.in_calls = loop_.reduction.exact() ? order : nullptr;
  part.runs = loop_.reduction.exact() ? nullptr : order;
  part.plan = loop_.plans.get(key, find_map).view();
  executor_.kernel_plan(part.kernel.get(), part.plan);
  if (is_owner_kind(request.plan) && !is_owner_kind(part.plan.kind))
    refused_owner_work_ = std::max(refused_owner_work_, loop_.plans.owner_work(key));
  return request.again != 0;
}

void PreparedLoop::show(LoopStats &stats) const {
  stats.form = executor_.kernel_form(parts_.front().kernel.get());
  if (!on_executor()) stats.form = text(loop_.what.shares ? "in order: " : "host: ", stats.form);
  if (executor_.caps().device_text && !layouts_.empty()) stats.form += text(", ", layout_name(layouts_));
  stats.colours = 0;
  stats.blocks = 0;
  for (const Part &part : parts_) {
    if (is_colour_kind(part.plan.kind)) stats.colours = std::max(stats.colours, part.plan.ncolours);
    stats.blocks += part.plan.nblocks;
  }
}

} // namespace op2::core
