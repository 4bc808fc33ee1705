#include "loop/loop.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "mesh/particles.hpp"

namespace op2::core {

namespace {

constexpr std::size_t most_record_bytes = std::size_t{64} << 20; // of a loop in a chain on threads

void need_no_move(const LoopSignature &what) {
  if (what.set.particles && what.set.particles->moving && what.conflicts)
    fail(OP_ERR_STATE, "particles '", what.set.label,
         "' are on their way; a loop that writes through maps comes after the move (op_move_particles)");
}

// From here on processes communicate, which those whose arguments are wrong do not.
LoopSignature agreed_signature(Mesh &mesh, const LoopCall &call) {
  LoopSignature signature(mesh, call);
  need_no_move(signature);
  if (mesh.several()) mesh.agreement().agree(signature.text());
  return signature;
}

// Of the copies that layer 1 executes: those that processes before this one own.
int end_of_lower_ranks(const Set &set, int rank) {
  const HaloRange &copies = set.layers.front().exec.imported;
  const auto before = std::ranges::lower_bound(copies.ranks, rank) - copies.ranks.begin();
  return set.size + copies.offset[static_cast<std::size_t>(before)];
}

// NULL where elements lie in the order of the declaration.
const PlanCache::Sequence *sequence_of_set(PlanCache &plans, const Set &set) {
  const PlanCache::Sequence &order = plans.sequence(set.index, [&] {
    const ElementNumbers numbers(set);
    std::vector<std::int64_t> known(static_cast<std::size_t>(set.executed()));
    for (int n = 0; n < set.executed(); ++n) known[static_cast<std::size_t>(n)] = numbers.of(n);
    return sequence_of(known, set.size, set.executed());
  });
  return order.size() > 1 || (order.size() == 1 && !order.front().own) ? &order : nullptr;
}

} // namespace

Loop::Loop(Mesh &mesh, PlanCache &plans, PlanCache &mesh_plans, HaloExchanges &exchanges, StatsTable &stats,
           const LoopCall &call, const LoopOptions &options, const LoopLayers *layers)
    : mesh_(mesh),
      plans_(plans),
      options_(options),
      what_(agreed_signature(mesh, call)),
      revision_(what_.revision()),
      resized_(what_.set.resized),
      reduction_(what_.args, ElementNumbers(what_.set), options.reproducible),
      described_(mesh, what_, reduction_,
                 mesh.dialect().counts_rows && mesh.several() && mesh.declare().mode() == Declare::local,
                 layers ? layers->last : 0),
      bytes_per_call_(what_.useful_bytes(mesh.kept())),
      exchange_(mesh, exchanges, options.exchange),
      parts_(layers && !layers->parts.empty() ? layers->parts : divide()),
      when_(write_schedule(layers)),
      run_(mesh, what_, reduction_, parts_, exchange_),
      times_(stats.work()),
      work_(mesh.several() && options.exchange.timing && !mesh.executor().caps().asynchronous
                ? &times_.of(what_.set, what_.name)
                : nullptr) {
  if (layers)
    exchange_.prepare_for_chain(layers->wanted);
  else if (this->exchanges())
    exchange_.prepare(what_.args, what_.conflicts);
  how_ = PreparedLoop::first(
      {mesh, plans, mesh_plans, options_, what_, described_, reduction_, parts_, bytes_per_call_}, call);
  run_.take(*how_);
  stats_ = &stats.of(what_.name, what_.set.label);
  most_elements_ = elements();
  how_->show(*stats_);
}

// A direct loop needs nothing of others. One that writes through maps also executes copies of others' elements, so that
// rows owned here get all that is added to them.
std::vector<LoopPart> Loop::divide() const {
  const Set &set = what_.set;
  if (options_.reproducible && what_.conflicts && !what_.shares)
    return {{0, set.executed(), true, sequence_of_set(plans_, set)}};
  if (set.particles) return divide_particles();
  if (!exchanges()) return divide_direct();
  if (what_.conflicts && set.exec_size > 0) return divide_with_copies();
  std::vector<LoopPart> parts;
  if (set.core_size > 0) parts.push_back({0, set.core_size});
  if (set.size > set.core_size || parts.empty()) parts.push_back({set.core_size, set.size});
  return parts;
}

// Blocks that reduce do not reach over the end of the core: in tiles (loop/layers), elements behind it run with those
// that they meet, which lie anywhere in the mesh.
std::vector<LoopPart> Loop::divide_direct() const {
  const Set &set = what_.set;
  const bool apart = mesh_.several() && !reduction_.empty() && mesh_.executor().takes_parts() && !what_.shares &&
                     !what_.indirect && 0 < set.core_size && set.core_size < set.size;
  if (!apart) return {{0, set.size}};
  return {{0, set.core_size}, {set.core_size, set.size}};
}

std::span<const int> Loop::additions(PlanCache &plans, const Set &set, int rank) {
  const int others = end_of_lower_ranks(set, rank), core = set.core_size, last = set.executed();
  return plans.additions(sequence_number(set.index, 1), [&] {
    return PlanCache::Sequence{
        {0, core, true}, {set.size, others, false}, {core, set.size, true}, {others, last, false}};
  });
}

// Elements that several processes run come by their owners, so that a row gets its increments in the same order on all
// processes: core elements lead to rows of their owner only.
std::vector<LoopPart> Loop::divide_with_copies() const {
  const Set &set = what_.set;
  const bool apart = !reduction_.empty() || what_.shares; // copies change no variable
  const int first = set.size, last = set.executed(), core = set.core_size;
  const int others = end_of_lower_ranks(set, mesh_.communicator().rank());
  const bool in_parts = mesh_.executor().takes_parts();
  std::vector<LoopPart> parts;
  if (!in_parts && !apart) { // few launches: the executor may keep that order without more of them
    if (core > 0) parts.push_back({0, core});
    parts.push_back({core, last});
    parts.back().added = additions(plans_, set, mesh_.communicator().rank()).subspan(2);
    return parts;
  }
  const int middle = in_parts ? others : first;
  if (apart && set.size == 0) parts.push_back({0, 0}); // some part is its own
  const auto add = [&](int begin, int end, bool own) {
    if (begin == end) return;
    if (!parts.empty() && parts.back().end == begin && parts.back().own == own && begin != set.core_size)
      parts.back().end = end;
    else
      parts.push_back({begin, end, own});
  };
  add(0, set.core_size, true);
  add(first, middle, !apart);
  add(set.core_size, set.size, true);
  add(middle, last, !apart);
  return parts;
}

// As for other sets, but there are always the same parts, some of them empty. During a move loops run over the
// particles that are on their way, and over no copies.
std::vector<LoopPart> Loop::divide_particles() const {
  const Set &set = what_.set;
  const int begin = set.particles->begin(), core = std::max(begin, set.core_size);
  if (!exchanges()) return {{begin, set.size}};
  const bool apart = !reduction_.empty() || what_.shares;
  std::vector<LoopPart> parts = {{begin, core}, {core, what_.conflicts && !apart ? set.executed() : set.size}};
  if (what_.conflicts && apart) parts.push_back({set.size, set.executed(), false});
  return parts;
}

// The particles of the set have moved.
void Loop::follow_particles() {
  need_no_move(what_);
  const double before = std::max(elements(), 1);
  reduction_.renumber(ElementNumbers(what_.set));
  std::ranges::copy(divide(), parts_.begin());
  when_ = write_schedule();
  described_.resize();
  bytes_per_call_ = before == 1 ? what_.useful_bytes(nullptr) : bytes_per_call_ * elements() / before;
  exchange_.forget();
  how_->resize();
  run_.take(*how_);
  most_elements_ = std::max(most_elements_, elements());
  resized_ = what_.set.resized;
}

// The map has its table where it was, but those of declared numbers are made anew.
void Loop::follow_map() {
  how_->resize();
  run_.take(*how_);
  how_->show(*stats_);
  map_rewritten_ = false;
}

Schedule Loop::write_schedule(const LoopLayers *layers) const {
  ScheduleTraits traits;
  traits.core_size = what_.set.core_size; // during a move, 0: particles read copies wherever they are
  if (layers && !what_.indirect) traits.core_size = what_.set.size;
  traits.several = mesh_.several();
  traits.exchanges = layers ? !layers->wanted.empty() : exchanges();
  traits.reduces = !reduction_.empty();
  traits.shares = what_.shares;
  traits.waits = options_.wait;
  return schedule_loop(parts_, traits);
}

// A run while the form may still change.
void Loop::run_tuned(const LoopCall &call) {
  const PreparedLoop::Tuned tuned = how_->before_run(call, *stats_);
  form_changed_ = form_changed_ || tuned.changed;
  if (!tuned.timed) return work_ ? run_measured(call) : run_.execute(when_, call, *stats_);
  run_.time_elements(true);
  run_.execute(when_, call, *stats_);
  run_.time_elements(false);
  if (work_) end_work();
  if (how_->after_run(run_.seconds(), *stats_)) form_changed_ = true;
}

// Of several processes: how long its elements take is work to balance.
void Loop::run_measured(const LoopCall &call) {
  run_.time_elements(true);
  run_.execute(when_, call, *stats_);
  run_.time_elements(false);
  end_work();
}

// Now and then a run is measured in pieces, where the loop can run in pieces; true: this run is.
bool Loop::begin_work() {
  constexpr std::uint64_t every = 8;
  if (!times_.wants_pieces || measured_++ % every != 0) return false;
  for (std::size_t p = 0; p < parts_.size(); ++p)
    if (!run_.has_pieces(static_cast<int>(p))) return false;
  work_->begin_sample();
  run_.measure_pieces(work_);
  return true;
}

void Loop::end_work() {
  run_.measure_pieces(nullptr);
  work_->add(run_.seconds());
}

std::string Loop::why_not_in_pieces() const {
  const op_exec_caps &caps = mesh_.executor().caps();
  if (mesh_.several()) return "there are several processes";
  const bool device = mesh_.device_pager() != nullptr;
  const bool threads = mesh_.executor().runs_chains();
  if (!device &&
      ((!caps.host_code && !how_->only_verifies_pieces()) || caps.asynchronous || (caps.concurrency != 1 && !threads)))
    return text("executor ", mesh_.executor().name(), " runs loops as a whole");
  if (how_->verifies()) return text("OP2_JIT=verify compares each call of loop '", name(), "'");
  if (what_.set.particles) return text("loop '", name(), "' is over particles");
  if (what_.shares) return text("elements of loop '", name(), "' use a variable one after another");
  const PreparedLoop::Part &part = how_->part(0);
  if (threads && reduces_too_much_for_blocks(0))
    return text("loop '", name(), "' reduces too much for a record of each block");
  const bool in_order = part.plan.kind == OP_PLAN_NONE || part.plan.kind == OP_PLAN_BLOCKS;
  if (parts_.size() != 1 || parts_.front().sequence || part.runs || part.in_calls || !how_->on_executor() ||
      !(in_order || (threads && is_owner_kind(part.plan.kind))) || (threads && !part.in_chains))
    return text("loop '", name(), "' ",
                is_colour_kind(part.plan.kind) ? "runs colour by colour" : "keeps an order of its own");
  for (std::size_t i = 0; i < what_.args.size(); ++i)
    if (how_->in_layout(i)) return text("loop '", name(), "' works on copies in another layout");
  return "";
}

bool Loop::reduces_too_much_for_blocks(int part) const {
  const int blocks = std::max(how_->part(part).plan.nblocks, 1);
  return !reduction_.empty() && reduction_.bytes() > most_record_bytes / static_cast<std::size_t>(blocks);
}

std::string Loop::why_not_whole() const {
  if (!how_->on_executor()) return text("loop '", name(), "' runs on the host");
  if (options_.wait) return "OP2_TIMING=wait waits for each loop";
  if (what_.set.particles) return text("loop '", name(), "' is over particles");
  bool fits = !what_.shares;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const PreparedLoop::Part &part = how_->part(static_cast<int>(p));
    fits = fits && !parts_[p].sequence && !part.runs && !part.in_calls && part.in_chains;
  }
  return fits ? "" : text("loop '", name(), "' keeps an order of its own");
}

bool Loop::ends_chain() const {
  return what_.shares ||
         std::ranges::any_of(what_.args, [](const LoopArg &arg) { return arg.reduces() && !arg.global; });
}

int Loop::open(const LoopCall &call) {
  if (open_++ == 0) {
    opened_ = 0;
    timed_ = false;
    if (how_->tunes()) {
      const PreparedLoop::Tuned tuned = how_->before_run(call, *stats_);
      form_changed_ = form_changed_ || tuned.changed;
      timed_ = tuned.timed;
    }
    run_.time_elements(timed_ || options_.exchange.timing);
    if (work_) begin_work();
  }
  perform({Do::open}, opened_, call);
  return opened_++;
}

void Loop::close(int opening, const LoopCall &call) {
  if (!reduction_.empty()) perform({Do::close}, opening, call);
  if (--open_ > 0) return;
  run_.time_elements(false);
  stats_->seconds += run_.seconds();
  if (work_) end_work();
  if (timed_ && how_->after_run(run_.seconds() / opened_, *stats_)) form_changed_ = true;
}

// After a failure the next run tries again.
void Loop::change(const LoopCall &call) {
  if (how_->outdated()) {
    std::unique_ptr<PreparedLoop> next = how_->next(call);
    run_.take(*next);
    how_ = std::move(next);
    form_changed_ = true;
  } else {
    how_->choose_plans();
  }
  how_->show(*stats_);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
