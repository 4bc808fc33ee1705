#include "loop/until/until_loop.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "loop/form/arity_call.hpp"
#include "loop/loop_run.hpp"

namespace op2::core {

namespace {

// Of the slots of a stage, for each process: they stay in the caches until they are committed.
constexpr std::size_t stage_bytes = std::size_t{1} << 20;
constexpr std::int64_t unit = 1024; // elements; a stage has a multiple of it
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

} // namespace

UntilLoop::UntilLoop(Mesh &mesh, HaloExchanges &exchanges, StatsTable &stats, const LoopCall &call, int stop,
                     const UntilOptions &options)
    : mesh_(mesh),
      options_(options),
      stop_(static_cast<std::size_t>(stop)),
      what_(agreed(call, stop, options)),
      revision_(what_.revision()),
      records_(what_, checked()),
      described_(mesh, what_, records_.reduction(),
                 mesh.dialect().counts_rows && mesh.several() && mesh.declare().mode() == Declare::local),
      exchange_(mesh, exchanges, options.exchange),
      rows_(what_),
      way_(choose_way(options)),
      stats_(stats.of(what_.name, what_.set.label)),
      numbers_(what_.set),
      slot_bytes_(rows_.bytes() + records_.bytes()) {
  if (several() && what_.indirect) exchange_.prepare(args_to_exchange(), what_.conflicts);
  put_in_order();
  if (way_ == Way::in_turns)
    share_out_turns();
  else
    cut(options.block_size);
  make_kernel();
  stats_.form = way_ == Way::apart ? "until" : way_ == Way::in_turns ? "until, in turns" : "until, in order";
  stats_.blocks = way_ == Way::in_turns ? 0 : (static_cast<int>(order_.size()) + block_size_ - 1) / block_size_;
  if (options.trace)
    traced_ = &options.trace->subject(trace_lane::loops, what_.name, JsonFields().add("form", stats_.form), "call");
}

LoopSignature UntilLoop::agreed(const LoopCall &call, int stop, const UntilOptions &options) const {
  LoopSignature out(mesh_, call);
  if (!out.site.element)
    fail(OP_ERR_ARGUMENT, "a loop that stops early needs the kernel itself, not only its range function");
  if (out.set.particles)
    fail(OP_ERR_UNSUPPORTED, "the particles '", out.set.label, "' have no order in which a loop could stop early");
  if (!options.ordered) {
    for (std::size_t i = 0; i < out.args.size(); ++i)
      if (out.args[i].shared() && static_cast<int>(i) != stop)
        fail(OP_ERR_UNSUPPORTED, "argument ", i,
             " is a variable that the elements use one after another; OP2_UNTIL=ordered runs them in order");
    const std::string why = WrittenRows(out).why_not_private();
    if (!why.empty()) fail(OP_ERR_UNSUPPORTED, why, "; OP2_UNTIL=ordered runs the elements in order");
  }
  if (several()) mesh_.agreement().agree(text(out.text(), ", stopped by argument ", stop));
  return out;
}

bool UntilLoop::checked() const {
  const op_exec_caps &caps = mesh_.executor().caps();
  return !caps.host_code && !caps.separate_memory && !caps.device_text;
}

UntilLoop::Way UntilLoop::choose_way(const UntilOptions &options) const {
  if (options.ordered) return several() ? Way::in_turns : Way::in_place;
  return checked() ? Way::in_place : Way::apart;
}

// In turns, a process also reads copies of rows that elements of other processes have changed.
std::vector<LoopArg> UntilLoop::args_to_exchange() const {
  std::vector<LoopArg> out = what_.args;
  for (LoopArg &arg : out)
    if (way_ == Way::in_turns && arg.dat && writes_new(arg.access)) arg.access = OP_RW;
  return out;
}

void UntilLoop::put_in_order() {
  const bool copies = what_.conflicts && way_ != Way::in_turns;
  order_.resize(static_cast<std::size_t>(copies ? what_.set.executed() : what_.set.size));
  std::iota(order_.begin(), order_.end(), 0);
  std::ranges::sort(order_, {}, [&](int element) { return numbers_.of(element); });
}

// By numbers, so that the stages of all processes are the same.
void UntilLoop::cut(int block_size) {
  if (block_size > 0) block_size_ = block_size;
  const auto fit = static_cast<std::int64_t>(stage_bytes / std::max<std::size_t>(slot_bytes_, 64));
  const std::int64_t size = std::max(fit / unit, std::int64_t{1}) * unit * mesh_.communicator().size();
  int largest = 0;
  for (std::int64_t at = 0; at < what_.set.global_size;) {
    at += size;
    const auto last = std::ranges::lower_bound(order_, at, {}, [&](int element) { return numbers_.of(element); });
    ends_.push_back(static_cast<int>(last - order_.begin()));
    const int stage = static_cast<int>(ends_.size()) - 1;
    largest = std::max(largest, end(stage) - first(stage));
  }
  const std::size_t slots = static_cast<std::size_t>(largest);
  slots_.resize(slots * slot_bytes_ / sizeof(std::max_align_t) + 1);
  if (way_ == Way::in_place) ran_.resize(slots);
}

void UntilLoop::make_kernel() {
  op_exec_source source{};
  source.size = sizeof source;
  const op_exec_caps &caps = mesh_.executor().caps();
  const bool one_by_one = std::ranges::count_if(what_.args, &LoopArg::shared) > 1;
  threads_ = caps.host_code && !caps.separate_memory && !caps.asynchronous && caps.concurrency > 1 &&
             way_ != Way::in_turns && !one_by_one;
  if (checked()) {
    source.element = what_.site.element;
    source.range = source.generic = element_range;
    source.line = what_.site.line;
    source.kernel_name = what_.site.kernel_name;
    source.file = what_.site.file;
    source.text = what_.site.text;
    source.form = "element";
    kernel_.emplace(mesh_.executor(), source, described_.signature());
    if (!options_.ordered) dependence_.emplace(what_);
  } else if (threads_) {
    source.range = run_on_thread;
    source.range_is_native = 1;
    source.form = "until";
    kernel_arg_.kind = OP_RANGE_GLOBAL;
    kernel_arg_.access = OP_READ;
    kernel_arg_.type = OP_TYPE_INT;
    kernel_arg_.type_size = static_cast<int>(sizeof(int));
    kernel_arg_.dim = 1;
    kernel_arg_.dat = kernel_arg_.map = kernel_arg_.reduction = kernel_arg_.payload_of = -1;
    kernel_signature_.size = sizeof kernel_signature_;
    kernel_signature_.name = what_.name.c_str();
    kernel_signature_.set_size = static_cast<std::int32_t>(order_.size());
    kernel_signature_.nargs = 1;
    kernel_signature_.args = &kernel_arg_;
    kernel_signature_.set_name = what_.set.label.c_str();
    kernel_signature_.names = &kernel_names_;
    kernel_.emplace(mesh_.executor(), source, kernel_signature_);
    if (way_ == Way::in_place) post_wait_.emplace(what_, order_, ends_, block_size_);
  }
}

std::int64_t UntilLoop::run(const LoopCall &call) {
  std::optional<TraceSpan> shown;
  if (traced_) shown.emplace(*options_.trace, *traced_, stats_.calls + 1);
  const double start = options_.exchange.timing ? now() : 0;
  what_.need_dats();
  changed_ = false;
  bool exchanging = false;
  with_errors(
      [&] {
        const bool exchanges = several() && what_.indirect;
        if (several() && mesh_.agreement().errors_return()) mesh_.agreement().agree(text("loop '", what_.name, "'"));
        if (exchanges) exchange_.find_stale(true, stats_);
        exchanging = true;
        if (exchanges) exchange_.exchange(stats_);
        begin(call);
        if (exchanges) exchange_.post();
        if (exchanges) exchange_.send();
        if (exchanges) exchange_.wait(stats_);
        if (way_ == Way::in_turns)
          run_in_turns(call);
        else
          run_in_stages();
        records_.finish(call.args);
        for (const DatUse &use : what_.dats) mesh_.copies().note_host(*use.dat, use.access);
      },
      [&](Error &error) {
        if (!error.agreed) exchange_.cancel(exchanging);
        error.poisons = error.poisons || changed_;
      });
  const std::int64_t stopped = exit_.stopped();
  ++stats_.calls;
  stats_.elements += stopped < 0 ? what_.set.size : std::ranges::count_if(order_, [&](int element) {
    return element < what_.set.size && numbers_.of(element) <= stopped;
  });
  if (options_.exchange.timing) stats_.seconds += now() - start;
  return stopped;
}

void UntilLoop::begin(const LoopCall &call) {
  for (const DatUse &use : what_.dats) mesh_.copies().prepare_host(*use.dat, use.access, true);
  ranges_ = described_.ranges(false);
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const LoopArg &arg = what_.args[i];
    if (arg.dat)
      ranges_[i].base = arg.dat->host.data();
    else if (arg.kind == OP_RANGE_GLOBAL)
      ranges_[i].base = call.args[i].data;
  }
  records_.begin(call.args);
  if (dependence_) dependence_->begin();
  failure_ = nullptr;
  const int stages = static_cast<int>(way_ == Way::in_turns ? turns_.size() : ends_.size());
  exit_ = Exit(what_.set.global_size, stages);
}

void UntilLoop::run_in_stages() {
  for (int stage = 0; stage < static_cast<int>(ends_.size()); ++stage) {
    stage_ = stage;
    compute(stage);
    const bool stops = agree(stage);
    changed_ = true;
    commit(stage);
    if (stops) return;
  }
}

void UntilLoop::compute(int stage) {
  const int begin = first(stage), size = end(stage) - begin;
  least_ = end(stage);
  std::ranges::fill(ran_, '\0');
  if (!threads_ || size == 0) return run_block(begin, end(stage));
  next_ = 0;
  if (post_wait_) post_wait_->begin(stage);
  std::vector<int> offsets, order;
  for (int at = 0; at < size; at += block_size_) {
    order.push_back(static_cast<int>(order.size()));
    offsets.push_back(at);
  }
  offsets.push_back(size);
  const int colours[] = {0, static_cast<int>(order.size())};
  op_exec_plan plan{};
  plan.size = sizeof plan;
  plan.kind = OP_PLAN_BLOCKS;
  plan.end = size;
  plan.nblocks = static_cast<std::int32_t>(order.size());
  plan.block_offset = offsets.data();
  plan.ncolours = 1;
  plan.colour_offset = colours;
  plan.order = order.data();
  op_range_arg self{};
  self.kind = OP_RANGE_GLOBAL;
  self.base = reinterpret_cast<char *>(this);
  op_exec_call call{};
  call.size = sizeof call;
  call.args = &self;
  call.plan = &plan;
  call.end = size;
  mesh_.executor().loop_run(kernel_->get(), call);
}

// A thread takes block after block, in order, until all are taken: of the calls for the blocks, the first do it all.
void UntilLoop::run_on_thread(const op_range_ctx *ctx, int, int) {
  UntilLoop &loop = *reinterpret_cast<UntilLoop *>(ctx->args[0].base);
  const int stage = loop.stage_, begin = loop.first(stage), size = loop.end(stage) - begin, step = loop.block_size_;
  const int blocks = (size + step - 1) / step;
  for (int block = loop.next_.fetch_add(1); block < blocks; block = loop.next_.fetch_add(1)) {
    if (loop.post_wait_) loop.post_wait_->wait(stage, block);
    loop.run_block(begin + block * step, begin + std::min((block + 1) * step, size));
    if (loop.post_wait_) loop.post_wait_->post(stage, block);
  }
}

// Throws nothing: others may be waiting for these elements.
void UntilLoop::run_block(int begin, int end) {
  std::vector<op_range_arg> args = ranges_;
  for (int p = begin; p < end && p < least_.load(std::memory_order_relaxed); ++p) run_element(args, p, slot(p));
}

void UntilLoop::run_element(std::span<op_range_arg> args, int position, char *slot) {
  const int element = order_[static_cast<std::size_t>(position)];
  int stop = 0;
  args[stop_].base = reinterpret_cast<char *>(&stop);
  char *const record = slot + rows_.bytes();
  try {
    records_.open(record, args);
    if (way_ == Way::apart) {
      rows_.make_private(slot, element, args);
    } else if (way_ == Way::in_place) {
      rows_.save(slot, element);
      ran_[slot_number(position)] = 1;
    }
    look_and_run(args, element, record);
  } catch (...) {
    return note(position, std::current_exception());
  }
  if (stop != 0) note(position, nullptr);
}

void UntilLoop::look_and_run(std::span<op_range_arg> args, int element, char *record) {
  if (!checked()) {
    const op_range_ctx ctx{sizeof(op_range_ctx), args.data(), static_cast<int>(args.size()), 0,
                           what_.site.element,   nullptr};
    return element_range(&ctx, element, element + 1);
  }
  if (dependence_) dependence_->element(element);
  static constexpr int one_colour[] = {0, 1}, one_block[] = {0};
  const int border[] = {element, element + 1};
  op_exec_plan plan{};
  plan.size = sizeof plan;
  plan.kind = OP_PLAN_BLOCKS;
  plan.nblocks = plan.ncolours = 1;
  plan.colour_offset = one_colour;
  plan.order = one_block;
  plan.block_offset = border;
  op_exec_call call{};
  call.size = sizeof call;
  call.args = args.data();
  call.plan = &plan;
  call.begin = plan.begin = element;
  call.end = plan.end = element + 1;
  call.reduce_start = records_.empty() ? nullptr : records_.start();
  call.reduce_result = records_.empty() ? nullptr : record;
  mesh_.executor().loop_run(kernel_->get(), call);
}

// Elements behind this one need not run.
void UntilLoop::note(int position, std::exception_ptr failure) {
  const std::lock_guard lock(failing_);
  if (position >= least_) return;
  least_ = position;
  failure_ = failure;
}

// Whether the loop has stopped. An element behind the one that stops may fail: the program's order never reaches it.
bool UntilLoop::agree(int stage) {
  const int least = least_;
  const std::int64_t mine = least < end(stage) ? said_by_least() : never;
  const std::int64_t first = several() ? mesh_.communicator().min(mine) : mine;
  if (first == never) return false;
  const bool owner = mine == first && owns(least);
  exit_.last_iter = first / 2 + 1;
  exit_.last_stage = stage + 1;
  if (first % 2 != 0) {
    exit_.last_iter = 0;
    undo(stage);
    give_up(owner);
  }
  const std::int64_t process = owner ? mesh_.communicator().rank() + 1 : 0;
  exit_.last_proc = static_cast<int>(several() ? mesh_.communicator().max(process) : process);
  return true;
}

// The process whose element has failed tells why; the others wait for that.
void UntilLoop::give_up(bool mine) {
  if (!mine) {
    mesh_.agreement().agree(text("loop '", what_.name, "'"));
    fail(OP_ERR_INTERNAL, "no process has told why an element failed");
  }
  try {
    std::rethrow_exception(failure_);
  } catch (const Error &) {
    throw;
  } catch (const std::exception &thrown) {
    fail(OP_ERR_KERNEL, thrown.what());
  } catch (...) {
    fail(OP_ERR_KERNEL, "the kernel threw an exception that is not a std::exception");
  }
}

void UntilLoop::commit(int stage) {
  if (way_ == Way::in_place) undo(stage);
  for (int p = first(stage); p < end(stage); ++p) {
    const int element = order_[static_cast<std::size_t>(p)];
    if (!exit_.keeps(numbers_.of(element))) break;
    if (way_ == Way::apart) rows_.commit(slot(p), element);
    if (records_.empty() || !owns(p)) continue;
    const char *const record = slot(p) + rows_.bytes();
    if (several())
      records_.keep(numbers_.of(element), record);
    else
      records_.add(record);
  }
  if (several() && !records_.empty()) records_.add_kept(mesh_.communicator());
}

// Of elements that ran in place behind the last one.
void UntilLoop::undo(int stage) {
  if (way_ != Way::in_place) return;
  for (int p = end(stage) - 1; p >= first(stage); --p) {
    const int element = order_[static_cast<std::size_t>(p)];
    if (exit_.keeps(numbers_.of(element))) return;
    if (ran_[slot_number(p)]) rows_.restore(slot(p), element);
  }
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
