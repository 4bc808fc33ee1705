#include "loop/prepared.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "loop/form/arity_call.hpp"
#include "loop/form/own_forms.hpp"
#include "loop/particle_plan.hpp"
#include "loop/trial/device_trial.hpp"

namespace op2::core {

namespace {

constexpr double largest_fringe = 0.25; // of the elements of a set

// Generated code adds what a kernel gives a row at once, the program's own perhaps bit by bit, so all processes must
// have it or none. Those without elements do not care.
void agree_on_form(const LoopCommon &loop, ProvidedCode &code) {
  if (!loop.mesh.several()) return;
  loop.mesh.agreement().agree(text("the code of loop '", loop.what.name, "'")); // making it may have failed
  const bool fits = code.fast.range() || loop.described.last() == 0;
  if (loop.mesh.communicator().min(fits ? 1 : 0) != 0 || !code.fast.range()) return;
  code.fast.give_up("another process has no such code");
  code.layouts.clear();
}

// The one that OP2_JIT_FORM names.
void keep_one(std::vector<jit::Specialised> &own, const std::string &name) {
  if (own.size() < 2) return;
  const std::size_t kept = name == "widest" ? 0 : name == "narrow" ? 1 : own.size() - 1;
  own = {own[kept]};
}

// Without generated code, on the executor of the mesh: a copy on a device cannot be tried.
std::vector<jit::Specialised> own_forms_for(const LoopCommon &loop, const LoopCall &call, const ProvidedCode &code) {
  const bool here = code.executor == &loop.mesh.executor() && code.executor->changes_ranges() && !code.device;
  if (!here || loop.what.shares || code.fast.range() || !code.layouts.empty()) return {};
  if (loop.what.set.size < loop.options.own_least) return {};
  // One way of summing in all processes: there, and where a setting asks for it, the range function alone.
  const std::vector<op_range_arg> ranges = loop.described.ranges(true); // which the request refers to
  const FastFormRequest request = request_of(loop, call, ranges);
  if (fuses(loop.what.site) && !request.last_bits_free) return {};
  std::vector<jit::Specialised> own = own_forms(request, loop.options.own_vectors);
  if (loop.options.own_form != "auto") keep_one(own, loop.options.own_form);
  return own;
}

// Own forms, too, add at once what a kernel gives a row.
void agree_on_own_forms(const LoopCommon &loop, ProvidedCode &code) {
  if (!loop.mesh.several()) return;
  loop.mesh.agreement().agree(text("the compiled code of loop '", loop.what.name, "'")); // trying it may have failed
  const bool fits = code.fast.range() || !code.own.empty() || loop.described.last() == 0;
  if (loop.mesh.communicator().min(fits ? 1 : 0) == 0) code.own.clear();
}

// Rows of the program's own types may hold pointers, through which a kernel that runs on a copy changes the original.
bool may_run_twice(const LoopSignature &what) {
  return std::ranges::none_of(what.args, [](const LoopArg &arg) { return arg.element.id == OP_TYPE_USER; });
}

} // namespace

std::unique_ptr<PreparedLoop> PreparedLoop::first(const LoopCommon &loop, const LoopCall &call) {
  ProvidedCode code = loop.options.code->first(loop, call);
  const bool agree = loop.options.reproducible || loop.options.layers;
  if (agree) agree_on_form(loop, code);
  code.own = own_forms_for(loop, call, code);
  if (agree) agree_on_own_forms(loop, code);
  return make(loop, call, std::move(code));
}

std::unique_ptr<PreparedLoop> PreparedLoop::next(const LoopCall &call) const {
  ProvidedCode code{&executor_, fast_, nullptr, why_on_host_, {}, {}, layouts_};
  code = loop_.options.code->next(loop_, call, std::move(code), constants_changed());
  if (!loop_.options.reproducible && !loop_.options.layers) code.own = own_forms_for(loop_, call, code);
  return make(loop_, call, std::move(code));
}

std::unique_ptr<PreparedLoop> PreparedLoop::make(const LoopCommon &loop, const LoopCall &call, ProvidedCode code) {
  std::unique_ptr<PreparedLoop> made;
  const bool by_text = code.device != nullptr;
  try {
    made = std::make_unique<PreparedLoop>(loop, std::move(code));
    if (by_text) made->try_on_device(call);
  } catch (const Error &error) {
    if (!by_text || error.code != OP_ERR_UNSUPPORTED) throw;
    made = std::make_unique<PreparedLoop>(loop, loop.options.code->on_host(loop, error.what()));
  }
  made->choose_plans();
  made->tune(call);
  return made;
}

PreparedLoop::PreparedLoop(const LoopCommon &loop, ProvidedCode code)
    : loop_(loop),
      executor_(*code.executor),
      fast_(std::move(code.fast)),
      beside_(std::move(code.beside)),
      own_(std::move(code.own)),
      in_use_(fast_.range() || own_.empty() ? fast_.range() : own_.front().range),
      form_in_use_(fast_.range() || own_.empty() ? fast_.form() : own_.front().form),
      device_(std::move(code.device)),
      why_on_host_(std::move(code.why_on_host)),
      constants_(loop.mesh.objects().constants_changed()),
      ranges_(loop.described.ranges(on_executor())),
      layouts_(std::move(code.layouts)),
      signature_(loop.described.signature()),
      reducing_(
          loop.reduction.wrap(in_use_ ? in_use_ : loop.known_range(), fast_.range() && loop.reduction.by_rows())) {
  const bool verifies = fast_.specialiser() && fast_.specialiser()->verifies();
  const bool rounds = fast_.rounds_otherwise() || (!fast_.range() && fuses(loop.what.site));
  const bool tells = fast_.range() || copies_may_tell(loop.what);
  if (in_use_ && (verifies || (!rounds && tells)) && may_run_twice(loop.what)) recheck_.emplace(verifies);
  if (beside_.range() && may_run_twice(loop.what)) recheck_.emplace(true);
  use_layouts();
  const op_exec_source made = source();
  for (std::size_t p = 0; p < loop.parts.size(); ++p) parts_.push_back({Kernel(executor_, made, signature_)});
}

void PreparedLoop::use_layouts() {
  const std::vector<LoopArg> &args = loop_.what.args;
  if (std::ranges::all_of(layouts_, [](const op_range_layout &layout) { return layout.kind == OP_LAYOUT_AOS; }))
    layouts_.clear();
  signature_.layouts = layouts_.empty() ? nullptr : layouts_.data();
  for (std::size_t i = 0; i < args.size(); ++i)
    if (in_layout(i)) ranges_[i].stride = args[i].dat->layout.stride();
}

void PreparedLoop::resize() {
  ranges_ = loop_.described.ranges(on_executor());
  signature_.set_size = loop_.described.signature().set_size;
  use_layouts();
  choose_plans();
}

op_exec_source PreparedLoop::source() const {
  const op_loop_site &site = loop_.what.site;
  const bool range = loop_.own_range() != nullptr;
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
  source.form = in_use_ ? form_in_use_.c_str() : range ? "range" : "element";
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
      executor_, source(), signature_, {loop_.known_range(), nullptr, &what, ranges, call.args, &loop_.reduction, {}});
  if (!trial.difference.empty()) fail(OP_ERR_UNSUPPORTED, trial.difference);
}

void PreparedLoop::recheck(const LoopCall &call, double per_call) {
  const std::vector<op_range_arg> ranges = loop_.described.ranges(true);
  if (beside_.range())
    recheck_->compare(request_of(loop_, call, ranges), beside_, beside_.range(), per_call);
  else
    recheck_->compare(request_of(loop_, call, ranges), fast_, in_use_, per_call);
}

void PreparedLoop::tune(const LoopCall &call) {
  if (!executor_.changes_ranges()) return;
  if (own_.size() > 1)
    tuner_ = std::make_unique<FormTuner>(own_);
  else
    tuner_ = FormTuner::of(fast_, request_of(loop_, call, ranges_), executor_.caps().concurrency);
}

PreparedLoop::Tuned PreparedLoop::before_run(const LoopCall &call, LoopStats &stats) {
  Tuned out;
  if (const jit::Specialised *const form = tuner_->before(request_of(loop_, call, ranges_))) use(*form);
  if (tuner_->arrived()) {
    out.changed = true;
    fast_.arrive(tuner_->first());
    show(stats);
  }
  if (tuner_->done()) tuner_.reset(); // there is nothing to compare
  out.timed = tuner_ && tuner_->timing();
  return out;
}

bool PreparedLoop::after_run(double seconds, LoopStats &stats) {
  tuner_->after(seconds);
  if (!tuner_->done()) return false;
  if (!tuner_->figures().empty()) {
    use(tuner_->chosen());
    if (own_.empty()) fast_.replace(tuner_->chosen());
    stats.measured = tuner_->figures();
    show(stats);
  }
  tuner_.reset();
  return true;
}

void PreparedLoop::use(const jit::Specialised &form) {
  in_use_ = form.range;
  form_in_use_ = form.form;
  reducing_ = loop_.reduction.wrap(form.range, fast_.range() && loop_.reduction.by_rows());
  for (Part &part : parts_) executor_.kernel_range(part.kernel.get(), reducing_.call, form.form.c_str());
}

void PreparedLoop::choose_plans() {
  plans_open_ = true; // after a failure, too
  refused_owner_work_ = 0;
  bool open = false;
  for (std::size_t p = 0; p < parts_.size(); ++p) open = choose_plan(p) || open;
  plans_open_ = open;
}

// Several processes: the few elements behind the core. How they run matters little, but where they keep the order of
// their numbers, loops can run in chains with copies of them (loop/layers).
bool PreparedLoop::is_fringe(const LoopPart &part) const {
  const Set &set = loop_.what.set;
  return loop_.mesh.several() && !set.particles && part.begin > 0 &&
         part.end - part.begin <= static_cast<int>(largest_fringe * set.size);
}

PlanMap PreparedLoop::find_map(int number) const {
  const Map &map = loop_.mesh.objects().map_of(number);
  return {map.table.data(), map.dim, map.target().rows(), map.version()};
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
  if (loop_.what.set.particles && key.otherwise == OP_PLAN_BLOCK_COLOURS) // which costs nothing after a move
    key.kind = key.otherwise, key.otherwise = OP_PLAN_NONE;
  if ((loop_.options.reproducible && signature_.conflicts) || part.sequence || is_fringe(part))
    key.otherwise = OP_PLAN_NONE; // colours have their own order
  const bool in_order = part.sequence && !is_owner_kind(request.plan), exact = loop_.reduction.exact();
  if (in_order) key.kind = loop_.reduction.empty() ? OP_PLAN_NONE : OP_PLAN_BLOCKS;
  if (part.sequence && !in_order) key.sequence = sequence_number(loop_.what.set.index, part.level);
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
  const auto find_map = [&](int map) { return this->find_map(map); };
  const PlanCache::Sequence *const order = is_owner_kind(request.plan) ? nullptr : range.sequence;
  part.in_calls = loop_.reduction.exact() ? order : nullptr;
  part.runs = loop_.reduction.exact() ? nullptr : order;
  const Set &set = loop_.what.set;
  const Plan *by_cells = nullptr;
  if (set.particles && executor_.caps().host_code && !range.sequence)
    by_cells = loop_.plans.get_made(key, [&] { return plan_by_cells(set, key, loop_.mesh_plans, find_map); });
  part.in_chains = request.chains != 0;
  part.plan = (by_cells ? *by_cells : loop_.plans.get(key, find_map)).view();
  part.adds_in_order = request.adds_in_order != 0;
  if (part.adds_in_order && !range.added.empty()) {
    part.plan.added = range.added.data();
    part.plan.nadded = static_cast<int>(range.added.size() / 2);
  }
  executor_.kernel_plan(part.kernel.get(), part.plan);
  if (is_owner_kind(request.plan) && !is_owner_kind(part.plan.kind))
    refused_owner_work_ = std::max(refused_owner_work_, loop_.plans.owner_work(key));
  return request.again != 0;
}

void PreparedLoop::show(LoopStats &stats) const {
  stats.form = executor_.kernel_form(parts_.front().kernel.get());
  stats.why = why_on_host_.empty() ? fast_.why() : why_on_host_;
  if (!on_executor()) stats.form = text(loop_.what.shares ? "in order: " : "host: ", stats.form);
  if (device_ && !layouts_.empty()) stats.form += text(", ", layout_name(layouts_));
  stats.colours = 0;
  stats.blocks = 0;
  for (const Part &part : parts_) {
    if (is_colour_kind(part.plan.kind)) stats.colours = std::max(stats.colours, part.plan.ncolours);
    stats.blocks += part.plan.nblocks;
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
