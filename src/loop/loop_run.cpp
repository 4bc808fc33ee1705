#include "loop/loop_run.hpp"

#include <algorithm>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "distributed/halo/device_channel.hpp"
#include "mesh/particles.hpp"

namespace op2::core {

namespace {

void move_on(void *exchange) { static_cast<HaloExchange *>(exchange)->progress(); }

} // namespace

LoopRun::LoopRun(Mesh &mesh, const LoopSignature &what, const Reduction &reduction, std::span<const LoopPart> parts,
                 LoopExchange &exchange)
    : mesh_(mesh),
      what_(what),
      reduction_(reduction),
      parts_(parts),
      exchange_(exchange),
      reduced_(reduction),
      shared_(what.args) {
  call_.size = sizeof call_;
}

void LoopRun::take(const PreparedLoop &how) {
  std::vector<char> use_in_layout(what_.dats.size()), arg_in_layout(what_.args.size());
  for (std::size_t i = 0; i < arg_in_layout.size(); ++i) {
    arg_in_layout[i] = how.in_layout(i);
    for (std::size_t use = 0; use < use_in_layout.size(); ++use)
      if (what_.args[i].dat == what_.dats[use].dat) use_in_layout[use] = arg_in_layout[i];
  }
  ranges_ = how.ranges();
  use_in_layout_ = std::move(use_in_layout);
  arg_in_layout_ = std::move(arg_in_layout);
  on_executor_ = how.on_executor();
  how_ = &how;
}

void LoopRun::execute(const Schedule &schedule, const LoopCall &call, LoopStats &stats) {
  begin();
  with_errors(
      [&] {
        for (const Step &step : schedule.steps) perform(step, 0, call, stats);
      },
      [&](Error &error) { fail(error); });
}

void LoopRun::perform(const Step &step, int opening, const LoopCall &call, LoopStats &stats) {
  switch (step.what) {
    case Do::find_stale:
      begin();
      return exchange_.find_stale(!on_executor_, stats);
    case Do::agree:
      return agree();
    case Do::exchange:
      return exchange_.exchange(stats);
    case Do::bind:
      return bind(call, reduced_);
    case Do::open:
      return open(opening, call);
    case Do::post:
      return exchange_.post();
    case Do::send:
      return exchange_.send();
    case Do::advance:
      return advance();
    case Do::run:
      step.whole() ? run_part(step.part) : run_piece(step, opening, call);
      return exchange_.launched();
    case Do::wait_messages:
      return exchange_.wait(stats);
    case Do::wait_executor:
      return mesh_.executor().finish();
    case Do::combine_parts:
      return sum(opening);
    case Do::close:
      reduced_in(opening).combine_collected();
      return reduce(call.args, reduced_in(opening));
    case Do::reduce:
      return reduce(call.args, reduced_in(opening));
    case Do::mark_written:
      return mark_written();
    case Do::run_group:
    case Do::drop:
    case Do::store:
    case Do::load:
    case Do::need:
      break;
  }
  op2::core::fail(OP_ERR_INTERNAL, "a loop cannot perform a step of several loops");
}

void LoopRun::open(int opening, const LoopCall &call) {
  bound_ = false;
  if (!reduction_.empty() && opening > static_cast<int>(more_reduced_.size()))
    more_reduced_.push_back(std::make_unique<ReductionRun>(reduction_));
  ReductionRun &reduced = reduction_.empty() ? reduced_ : reduced_in(opening);
  bind(call, reduced);
  for (op_range_arg &range : ranges_) range.flags |= OP_RANGE_USED_AGAIN; // by the next loop of the tile
  call_.progress_context = nullptr;
  call_.progress = nullptr;
  if (reduction_.exact()) reduced.use(how_->reducing(), nullptr);
  if (reduction_.empty() || parts_.size() == 1) return;
  part_sums_.resize(std::max(part_sums_.size(), static_cast<std::size_t>(opening + 1) * parts_.size()));
  for (std::size_t p = 0; p < parts_.size(); ++p)
    part_sums(opening, static_cast<int>(p)).assign(reduced.start(), reduced.start() + reduction_.bytes());
}

void LoopRun::advance() {
  if (HaloExchange *const moving = exchange_.to_move_on()) moving->progress();
}

bool LoopRun::take_messages(LoopStats &stats) {
  if (!exchange_.arrived()) return false;
  exchange_.wait(stats);
  return true;
}

// The loop may be open for several calls with different variables.
void LoopRun::run_piece(const Step &step, int opening, const LoopCall &call) {
  for (std::size_t i = 0; i < ranges_.size(); ++i)
    if (ranges_[i].kind == OP_RANGE_GLOBAL && !what_.args[i].reduces()) ranges_[i].base = call.args[i].data;
  const double start = timed_ ? now() : 0;
  run_range(step, opening);
  if (!timed_) return;
  const double taken = now() - start;
  seconds_ += taken;
  if (pieces_) pieces_->add_piece(step.begin, step.end, taken);
}

void LoopRun::run_range(const Step &step, int opening) {
  static constexpr int one_colour[] = {0, 1}, one_block[] = {0};
  if (!reduction_.empty()) return run_blocks(step, opening);
  const PreparedLoop::Part &part = how_->part(step.part);
  op_exec_plan plan = part.plan;
  const int border[] = {step.begin, step.end};
  if (plan.kind == OP_PLAN_BLOCKS) { // an executor may run whole blocks
    plan.nblocks = plan.ncolours = 1;
    plan.colour_offset = one_colour;
    plan.order = one_block;
    plan.block_offset = border;
  }
  plan.begin = call_.begin = step.begin;
  plan.end = call_.end = step.end;
  call_.loop_end = 0;
  call_.plan = &plan;
  how_->executor().loop_run(part.kernel.get(), call_);
}

op_exec_call LoopRun::call_of_pieces(int opening, const LoopCall &call, int number, std::vector<op_range_arg> &args) {
  args = ranges_;
  for (std::size_t i = 0; i < args.size(); ++i)
    if (args[i].kind == OP_RANGE_GLOBAL && !what_.args[i].reduces()) args[i].base = call.args[i].data;
  op_exec_call out = call_;
  out.loop_end = 0;
  out.args = args.data();
  out.begin = parts_[static_cast<std::size_t>(number)].begin;
  out.end = parts_[static_cast<std::size_t>(number)].end;
  if (reduction_.empty()) return out;
  ReductionRun &reduced = reduced_in(opening);
  out.reduce_start = reduced.start();
  out.reduce_result = parts_.size() == 1 ? reduced.result() : part_sums(opening, number).data();
  return out;
}

// Each block of the plan is a call of its own, as in a run of all blocks, so that sums have the same bits: each part
// has its own, which Do::combine_parts puts together. What copies of other processes' elements reduce is dropped.
void LoopRun::run_blocks(const Step &step, int opening) {
  const PreparedLoop::Part &part = how_->part(step.part);
  ReductionRun &reduced = reduced_in(opening);
  if (mesh_.device_pager()) return run_blocks_together(step, reduced);
  if (!parts_[static_cast<std::size_t>(step.part)].own) return run_block(part, reduced, step.begin, step.end);
  const int *const offsets = part.plan.block_offset, *const last = offsets + part.plan.nblocks;
  const int *block = std::lower_bound(offsets, last, step.begin);
  if (*block != step.begin || !std::binary_search(block, last + 1, step.end))
    op2::core::fail(OP_ERR_INTERNAL, "a piece of a loop that reduces ends inside a block");
  for (; *block < step.end; ++block) {
    run_block(part, reduced, block[0], block[1]);
    if (parts_.size() == 1)
      reduced.append(part_result_.data());
    else
      reduction_.combine(part_sums(opening, step.part).data(), part_result_.data());
  }
}

// On a device all blocks of a piece run at the same time, and are combined in their order.
void LoopRun::run_blocks_together(const Step &step, ReductionRun &reduced) {
  const PreparedLoop::Part &part = how_->part(step.part);
  static constexpr int no_block[] = {0, 0};
  op_exec_plan plan = part.plan;
  plan.begin = call_.begin = step.begin;
  plan.end = call_.end = step.end;
  if (plan.kind == OP_PLAN_BLOCKS) {
    const int *const first = plan.block_offset, *const last = first + plan.nblocks + 1;
    plan.block_offset = std::lower_bound(first, last, step.begin);
    plan.nblocks = static_cast<int>(std::lower_bound(first, last, step.end) - plan.block_offset);
    plan.ncolours = 1;
    plan.order = nullptr;
    plan.colour_offset = no_block;
  }
  call_.reduce_start = reduced.start();
  call_.reduce_result = reduced.result();
  call_.goes_on = 1;
  call_.loop_end = 0;
  call_.plan = &plan;
  how_->executor().loop_run(part.kernel.get(), call_);
}

// Into part_result_.
void LoopRun::run_block(const PreparedLoop::Part &part, ReductionRun &reduced, int begin, int end) {
  static constexpr int one_colour[] = {0, 1}, one_block[] = {0};
  part_result_.resize(reduction_.bytes());
  call_.reduce_start = reduced.start();
  call_.reduce_result = part_result_.data();
  const int border[] = {begin, end};
  op_exec_plan plan = part.plan;
  plan.kind = OP_PLAN_BLOCKS;
  plan.nblocks = plan.ncolours = 1;
  plan.colour_offset = one_colour;
  plan.order = one_block;
  plan.block_offset = border;
  call_.begin = plan.begin = begin;
  call_.end = plan.end = end;
  call_.loop_end = 0;
  call_.plan = &plan;
  how_->executor().loop_run(part.kernel.get(), call_);
}

void LoopRun::sum(int opening) {
  if (reduction_.empty() || parts_.size() == 1) return;
  ReductionRun &reduced = reduced_in(opening);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    std::vector<char> &sums = part_sums(opening, static_cast<int>(p));
    reduced.combine_collected(p, sums);
    if (parts_[p].own) reduced.append(sums.data());
  }
  reduced.end_collecting();
}

// A program that goes on after an error must not leave other processes waiting: all learn who cannot run the loop
// before anything has changed, and at the end who has failed. Where errors end the job, it costs nothing.
void LoopRun::agree() {
  if (!mesh_.agreement().errors_return()) return;
  mesh_.agreement().agree(text("loop '", what_.name, "'"));
  agreed_ = true;
}

// In the handler of a failure. Whatever fails on one process, wherever: others get what they wait for from it. What
// processes have found out together meanwhile replaces what only this one knows.
void LoopRun::fail(Error &error) {
  const bool begun = bound_ || agreed_;
  if (begun && exchange_.device_channel()) exchange_.device_channel()->give_up();
  try {
    if (!error.agreed) exchange_.cancel(begun);
  } catch (const Error &other) {
    if (other.agreed) throw;
  } catch (...) { // the first failure is the one to report
  }
  // Executor check refuses a loop before it changes anything; other processes may have run theirs meanwhile.
  error.poisons = error.poisons || (begun && (error.code != OP_ERR_CHECK || mesh_.several()));
}

// Rows and everything else that the first element needs.
void LoopRun::bind(const LoopCall &call, ReductionRun &reduced) {
  for (std::size_t i = 0; i < what_.dats.size(); ++i) {
    const DatUse &use = what_.dats[i];
    const auto &particles = use.dat->on().particles;
    const bool partial =
        use.partial || (particles && particles->begin() > 0); // those that have arrived stay as they are
    if (on_executor_)
      mesh_.copies().prepare_loop(*use.dat, use.access, partial, use_in_layout_[i]);
    else
      mesh_.copies().prepare_host(*use.dat, use.access, partial);
  }
  for (std::size_t i = 0; i < ranges_.size(); ++i) {
    const LoopArg &arg = what_.args[i];
    ranges_[i].flags &= ~OP_RANGE_USED_AGAIN;
    if (arg.dat)
      ranges_[i].base = on_executor_ ? arg.dat->exec_data(arg_in_layout_[i]) : arg.dat->host.data();
    else if (arg.kind == OP_RANGE_GLOBAL)
      ranges_[i].base = arg.reduces() ? nullptr : call.args[i].data;
  }
  call_.args = ranges_.data();
  call_.goes_on = 0;
  shared_.begin(call.args);
  if (!reduction_.empty()) {
    reduced.begin(call.args);
    call_.reduce_start = reduced.start();
  }
  bound_ = true;
}

void LoopRun::run_part(int number) {
  const LoopPart &range = parts_[static_cast<std::size_t>(number)];
  const PreparedLoop::Part &part = how_->part(number);
  if (parts_.size() > 1) shared_.give(ranges_, range.own);
  if (reduction_.exact()) reduced_.use(how_->reducing(), part.in_calls);
  call_.progress_context = exchange_.to_move_on();
  call_.progress = call_.progress_context ? move_on : nullptr;
  if (part.runs) return run_in_runs(part);
  if (pieces_ && has_pieces(number)) [[unlikely]]
    return run_measured(number);
  call_.plan = &part.plan;
  call_.begin = range.begin;
  call_.end = range.end;
  call_.loop_end = parts_.back().end;
  const bool only = parts_.size() == 1, reduces = !reduction_.empty();
  if (!only) part_result_.resize(reduction_.bytes());
  if (reduces) call_.reduce_result = only ? reduced_.result() : part_result_.data();
  const double start = timed_ ? now() : 0;
  how_->executor().loop_run(part.kernel.get(), call_);
  if (timed_) seconds_ += now() - start;
  if (!only && range.own && reduces) reduced_.append(part_result_.data());
}

bool LoopRun::has_pieces(int number) const {
  const PreparedLoop::Part &part = how_->part(number);
  return reduction_.empty() && !what_.shares && !part.runs && !part.in_calls &&
         (part.plan.kind == OP_PLAN_NONE || part.plan.kind == OP_PLAN_BLOCKS);
}

// In pieces of a microsecond or more, so that looking at the clock takes little of it; those for several threads are
// worth waking them.
void LoopRun::run_measured(int number) {
  constexpr double long_enough = 1e-6;
  constexpr int first = 64, for_a_thread = 1024;
  const LoopPart &range = parts_[static_cast<std::size_t>(number)];
  const int threads = how_->executor().caps().concurrency, shortest = threads > 1 ? threads * for_a_thread : 4;
  const double wanted = seconds_of_element_ > 0 ? long_enough / seconds_of_element_ : first;
  const int most = std::max(range.end - range.begin, 1);
  const int length = std::clamp(wanted < most ? static_cast<int>(wanted) : most, std::min(shortest, most), most);
  double sum = 0, last = now();
  for (int begin = range.begin; begin < range.end; begin += length) {
    const int end = std::min(begin + length, range.end);
    run_range(run_elements(0, begin, end, number), 0);
    const double time = now();
    pieces_->add_piece(begin, end, time - last);
    sum += time - last;
    last = time;
  }
  if (range.end > range.begin) seconds_of_element_ = sum / (range.end - range.begin);
  if (timed_) seconds_ += sum;
}

// Each run of the part's sequence is a call of its own.
void LoopRun::run_in_runs(const PreparedLoop::Part &part) {
  static constexpr int one_colour[] = {0, 1}, one_block[] = {0};
  const bool reduces = !reduction_.empty();
  part_result_.resize(reduction_.bytes());
  op_exec_plan plan = part.plan;
  plan.kind = reduces ? OP_PLAN_BLOCKS : OP_PLAN_NONE;
  plan.nblocks = plan.ncolours = 1;
  plan.colour_offset = one_colour;
  plan.order = one_block;
  for (const SequenceRun &run : *part.runs) {
    const int border[] = {run.begin, run.end};
    plan.block_offset = border;
    call_.begin = plan.begin = run.begin;
    call_.end = plan.end = run.end;
    call_.loop_end = 0;
    call_.plan = &plan;
    if (reduces) call_.reduce_result = part_result_.data();
    const double start = timed_ ? now() : 0;
    how_->executor().loop_run(part.kernel.get(), call_);
    if (timed_) seconds_ += now() - start;
    if (run.own && reduces) reduced_.append(part_result_.data());
  }
}

void LoopRun::reduce(std::span<const op_arg> args, ReductionRun &reduced) try {
  if (later_ && later_->is_open() && !reduction_.empty()) return later_->add(reduction_, reduced.result(), args);
  if (!reduction_.empty()) {
    const bool may_throw = mesh_.several() && reduction_.by_program(); // on some processes only
    if (mesh_.several()) reduced.across(mesh_.communicator());
    if (may_throw) agree();
    reduced.finish(args);
    if (may_throw) agree();
  }
  if (mesh_.several()) shared_.across(mesh_.communicator(), args);
} catch (const Error &) {
  throw;
} catch (const std::exception &thrown) { // of the program's own function
  op2::core::fail(OP_ERR_KERNEL, "a reduction threw an exception: ", thrown.what());
}

void LoopRun::mark_written() {
  for (std::size_t i = 0; i < what_.dats.size(); ++i) {
    const DatUse &use = what_.dats[i];
    if (on_executor_)
      mesh_.copies().note_loop(*use.dat, use.access, use_in_layout_[i]);
    else
      mesh_.copies().note_host(*use.dat, use.access);
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
