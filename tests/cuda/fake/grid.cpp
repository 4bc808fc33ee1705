// grid.cpp: runs a kernel over its grid: blocks one after the other in shuffled order, a block's threads as fibers.
// Blocks that wait for each other (OP2_KERNEL_RESIDENT) run at the same time, in turns that are shuffled, too.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>
#include <utility>

#include "additions.hpp"
#include "count.hpp"
#include "fault.hpp"
#include "fiber.hpp"
#include "late_stores.hpp"
#include "module.hpp"
#include "random.hpp"
#include "shared.hpp"
#include "state.hpp"

namespace fake {
namespace {

enum class Waits { nothing, pause, barrier, warp, over };

struct Thread {
  Place place;
  std::optional<Stack> stack;
  Waits waits = Waits::nothing;
  bool started = false;
  int line = 0, kind = 0, lane = 0; // line of the barrier; of a wait in the warp
  unsigned mask = 0;
  unsigned long long value = 0, answer = 0;
};

struct Resident { // a block beside others that run at the same time
  unsigned number = 0;
  std::vector<Thread> threads;
  std::vector<unsigned> order;
  std::vector<std::uint32_t> warp_phase;
  std::uint32_t phase = 0;
  unsigned over = 0;
  Shared shared;
  char *shared_start = nullptr;
};

struct Together { // all blocks of a launch
  std::vector<std::unique_ptr<Resident>> live;
  LateStores late;
  Random random;
  bool started = false;
  unsigned failures = 0;
};

class Grid {
 public:
  int run(Launch &launch);
  void barrier(int line);
  unsigned long long warp(int kind, unsigned mask, unsigned long long value, int lane);
  void add(const void *address);
  void address(const void *pointer);
  void named(const char *text, const void *pointer);
  void access(const void *site, const void *address, unsigned bytes, int use);
  void atomic(const void *site, const void *address, unsigned bytes);
  void step(const void *site);
  void put(void *to, const void *value, unsigned bytes);
  void fence();
  void pause();
  // `ends`: the kernel cannot go on; otherwise it does, and the launch fails all the same.
  void fail(const std::string &what, bool ends = false);
  [[noreturn]] void leave(Waits how); // the fiber's last act
  void thread_main();

 private:
  void start_block(unsigned block);
  void run_block(unsigned block);
  void begin_together(const std::vector<unsigned> &blocks);
  void run_together(const std::vector<unsigned> &blocks);
  void run_turn(Random &random);
  void take_back(std::vector<Thread> &threads);
  void exchange(Resident &block);
  LateStores::Thread store_key() const { return std::uint64_t{object_->block.x} << 32 | object_->thread.x; }
  bool run_ready(); // every thread that can go on, once; false: none could
  void enter(unsigned index);
  void suspend(Waits what);
  bool release_barrier();
  bool release_warps();
  bool release_group(unsigned first, unsigned leader);
  void deadlock();
  std::uint64_t phase_of(unsigned thread) const { return std::uint64_t{phase_} << 32 | warp_phase_[thread / 32]; }
  unsigned lanes(unsigned first) const { return std::min(32u, launch_->threads - first); }

  Launch *launch_ = nullptr;
  op2_fake_object *object_ = nullptr;
  bool failed_ = false, independent_ = false;
  unsigned failures_ = 0;
  void *arguments_[1] = {};
  std::vector<Thread> threads_;
  std::vector<unsigned> order_;
  std::vector<std::uint32_t> warp_phase_;
  std::vector<Stack> stacks_; // not in use
  Place scheduler_;
  unsigned current_ = 0, over_ = 0;
  std::uint32_t phase_ = 0;
  bool counts_ = false, in_atomic_ = false;
  std::shared_ptr<Together> together_; // of the launch, if its blocks run at the same time
  bool moved_ = false;                 // a thread has done more than to wait
  std::uint64_t launches_ = 0;
  Shared shared_;
  Additions additions_;
};

Grid &grid() {
  static Grid &only = *std::make_unique<Grid>().release();
  return only;
}

const op2_fake_runtime runtime = {
    [](int line) { grid().barrier(line); },
    [](int kind, unsigned mask, unsigned long long value, int lane) { return grid().warp(kind, mask, value, lane); },
    [](const void *address) { grid().add(address); },
    [](const void *pointer) { grid().address(pointer); },
    [](const char *text, const void *pointer) { grid().named(text, pointer); },
    [](const void *site, const void *address, unsigned bytes, int use) { grid().access(site, address, bytes, use); },
    [](const void *address, unsigned bytes) { grid().atomic(__builtin_return_address(0), address, bytes); },
    [](const void *site) { grid().step(site); },
    [](void *to, const void *value, unsigned bytes) { grid().put(to, value, bytes); },
    [] { grid().fence(); },
    [] { grid().pause(); },
    [] { state().trace.line("flag"); },
};

void Grid::fail(const std::string &what, bool ends) {
  failed_ = failed_ || ends;
  if (failures_++ >= 4) return; // the first ones say enough
  report("kernel " + launch_->function->name + ", block " + std::to_string(object_->block.x) + ", thread " +
         std::to_string(object_->thread.x) + ": " + what);
}

void Grid::thread_main() {
  arrived(scheduler_);
  if (independent_)
    launch_->function->block(arguments_, order_.data(), launch_->threads);
  else
    launch_->function->thread(arguments_);
  leave(Waits::over);
}

void Grid::leave(Waits how) {
  threads_[current_].waits = how;
  switch_to(threads_[current_].place, scheduler_, true);
  __builtin_unreachable();
}

void Grid::suspend(Waits what) {
  const op2_fake_dim own = object_->thread;
  threads_[current_].waits = what;
  switch_to(threads_[current_].place, scheduler_);
  object_->thread = own;
}

void Grid::enter(unsigned index) {
  Thread &thread = threads_[index];
  if (!thread.started) {
    thread.started = true;
    if (stacks_.empty()) stacks_.emplace_back();
    thread.stack.emplace(std::move(stacks_.back()));
    stacks_.pop_back();
    prepare(thread.place, *thread.stack, [] { grid().thread_main(); });
  }
  current_ = index;
  object_->thread.x = index;
  switch_to(scheduler_, thread.place);
  moved_ = moved_ || thread.waits != Waits::pause;
  if (thread.waits == Waits::over) {
    over_++;
    stacks_.push_back(std::move(*thread.stack));
    thread.stack.reset();
  }
}

bool Grid::run_ready() {
  bool any = false;
  for (const unsigned index : order_)
    if (!failed_ && threads_[index].waits == Waits::nothing) any = true, enter(index);
  return any;
}

void Grid::start_block(unsigned block) {
  Random random(state().settings.seed + block * 1000003ull);
  order_.resize(launch_->threads);
  std::iota(order_.begin(), order_.end(), 0u);
  random.shuffle(order_);
  object_->block = {block, 0, 0};
  object_->shared = shared_.start(launch_->shared);
  phase_ = 0;
  over_ = 0;
  warp_phase_.assign((launch_->threads + 31) / 32, 0);
  const unsigned fibers = independent_ ? 1 : launch_->threads;
  if (threads_.size() < fibers) threads_.resize(fibers);
  for (unsigned i = 0; i < fibers; i++) {
    threads_[i].waits = Waits::nothing;
    threads_[i].started = false;
  }
}

void Grid::run_block(unsigned block) {
  start_block(block);
  if (independent_) {
    enter(0);
    return;
  }
  while (over_ < launch_->threads && !failed_) {
    if (!run_ready() && !release_barrier() && !release_warps()) deadlock();
    if (phase_ % 2) std::reverse(order_.begin(), order_.end());
  }
}

// Makes it the current block, or gives the current one back.
void Grid::exchange(Resident &block) {
  std::swap(threads_, block.threads);
  std::swap(order_, block.order);
  std::swap(warp_phase_, block.warp_phase);
  std::swap(phase_, block.phase);
  std::swap(over_, block.over);
  object_->block = {block.number, 0, 0};
  object_->shared = block.shared_start;
}

// Most threads that can go on do.
void Grid::run_turn(Random &random) {
  bool ready = false;
  for (const unsigned index : order_) {
    const Waits waits = threads_[index].waits;
    if (failed_ || (waits != Waits::nothing && waits != Waits::pause)) continue;
    ready = true;
    if (random.next() % 8 != 0) enter(index);
  }
  if (!ready && !release_barrier() && !release_warps()) deadlock();
  moved_ = moved_ || !ready;
}

void Grid::begin_together(const std::vector<unsigned> &blocks) {
  const int most = blocks_at_a_time(static_cast<int>(launch_->threads), launch_->shared) * multiprocessors;
  if (launch_->blocks > static_cast<unsigned>(most))
    return fail(std::to_string(launch_->blocks) + " blocks that wait for each other, of which " + std::to_string(most) +
                    " run at a time",
                true);
  for (const unsigned number : blocks) {
    together_->live.push_back(std::make_unique<Resident>());
    Resident &block = *together_->live.back();
    block.number = number;
    block.shared_start = block.shared.start(launch_->shared);
    exchange(block);
    start_block(number);
    exchange(block);
  }
}

// Until all blocks have ended, or look at words that do not change, which another process may change later.
void Grid::run_together(const std::vector<unsigned> &blocks) {
  auto &[live, late, random, started, failures] = *together_;
  if (!std::exchange(started, true)) begin_together(blocks);
  for (std::size_t idle = 0; !live.empty() && !failed_ && idle <= 8 * live.size();) {
    const std::size_t at = random.next() % live.size();
    exchange(*live[at]);
    moved_ = false;
    run_turn(random);
    const bool over = over_ == launch_->threads;
    exchange(*live[at]);
    if (over) live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
    if (random.next() % 2 == 0) late.one(random.next());
    idle = moved_ || !late.empty() ? 0 : idle + 1;
  }
  if (!failed_ && !live.empty()) return;
  late.all();
  for (const auto &block : live) take_back(block->threads);
  live.clear();
}

void Grid::take_back(std::vector<Thread> &threads) {
  for (Thread &thread : threads) {
    if (thread.stack) stacks_.push_back(std::move(*thread.stack));
    thread.stack.reset();
  }
}

void Grid::put(void *to, const void *value, unsigned bytes) {
  if (!together_) return fail("a store for another device in a kernel whose blocks need not run at the same time");
  together_->late.put(store_key(), to, value, bytes);
}

void Grid::fence() { together_->late.fence(store_key()); }

void Grid::pause() {
  if (!together_) return fail("a thread waits for another one in a kernel whose blocks need not run at the same time");
  suspend(Waits::pause);
}

bool Grid::release_barrier() {
  unsigned waiting = 0;
  for (unsigned i = 0; i < launch_->threads; i++) waiting += threads_[i].waits == Waits::barrier;
  if (waiting + over_ < launch_->threads || waiting == 0 || over_ > 0) return false;
  const int line = threads_[0].line;
  for (unsigned i = 0; i < launch_->threads; i++) {
    if (threads_[i].line == line) continue;
    fail("divergent barrier: thread 0 waits in line " + std::to_string(line) + ", thread " + std::to_string(i) +
             " in line " + std::to_string(threads_[i].line),
         true);
    return true;
  }
  for (unsigned i = 0; i < launch_->threads; i++) threads_[i].waits = Waits::nothing;
  phase_++;
  return true;
}

// All lanes of the leader's mask have come to the same operation: everybody gets an answer.
bool Grid::release_group(unsigned first, unsigned leader) {
  const Thread &lead = threads_[first + leader];
  unsigned long long votes = 0;
  for (unsigned lane = 0; lane < lanes(first); lane++) {
    const Thread &thread = threads_[first + lane];
    if (!(lead.mask >> lane & 1u) || thread.waits == Waits::over) continue;
    if (thread.waits != Waits::warp || thread.mask != lead.mask || thread.kind != lead.kind) return false;
    votes |= (thread.value & 1u) << lane;
  }
  const unsigned mask = lead.mask;
  for (unsigned lane = 0; lane < lanes(first); lane++) {
    Thread &thread = threads_[first + lane];
    if (!(mask >> lane & 1u) || thread.waits == Waits::over) continue;
    const auto from = static_cast<unsigned>(thread.lane);
    const bool there = from < lanes(first) && (mask >> from & 1u) && threads_[first + from].waits != Waits::over;
    if (thread.kind == OP2_FAKE_WARP_BALLOT)
      thread.answer = votes;
    else
      thread.answer = there ? threads_[first + from].value : ~0ull; // nobody's value is poison
  }
  for (unsigned lane = 0; lane < lanes(first); lane++)
    if ((mask >> lane & 1u) && threads_[first + lane].waits == Waits::warp)
      threads_[first + lane].waits = Waits::nothing;
  warp_phase_[first / 32]++;
  return true;
}

bool Grid::release_warps() {
  bool any = false;
  for (unsigned first = 0; first < launch_->threads; first += 32)
    for (unsigned lane = 0; lane < lanes(first); lane++)
      if (threads_[first + lane].waits == Waits::warp) any = release_group(first, lane) || any;
  return any;
}

void Grid::deadlock() {
  const auto all = [&](Waits what) {
    return std::find_if(threads_.begin(), threads_.begin() + launch_->threads,
                        [&](const Thread &thread) { return thread.waits == what; });
  };
  const auto name = [&](auto it) { return std::to_string(it - threads_.begin()); };
  const auto none = threads_.begin() + launch_->threads;
  const auto over = all(Waits::over), barrier = all(Waits::barrier), warp = all(Waits::warp);
  if (warp != none)
    fail("divergent warp: thread " + name(warp) + " waits for lanes of its warp that do not come (mask " +
             std::to_string(warp->mask) + ")",
         true);
  else if (barrier != none && over != none)
    fail("divergent barrier: thread " + name(barrier) + " waits in line " + std::to_string(barrier->line) +
             ", thread " + name(over) + " has left the kernel",
         true);
  else
    fail("divergent barrier", true);
}

void Grid::barrier(int line) {
  if (independent_) {
    fail("a barrier in a kernel that says its threads are independent");
    return;
  }
  threads_[current_].line = line;
  suspend(Waits::barrier);
}

unsigned long long Grid::warp(int kind, unsigned mask, unsigned long long value, int lane) {
  if (independent_) {
    fail("threads exchange values in a kernel that says they are independent");
    return ~0ull;
  }
  Thread &thread = threads_[current_];
  if (!(mask >> (current_ % 32) & 1u)) fail("a thread is not in its own mask");
  thread.kind = kind;
  thread.mask = mask;
  thread.value = value;
  thread.lane = lane;
  suspend(Waits::warp);
  return threads_[current_].answer;
}

void Grid::add(const void *address) {
  const unsigned thread = object_->thread.x;
  const Adder now{object_->block.x, thread, phase_, independent_ ? 0 : warp_phase_[thread / 32]};
  if (const Adder *other = additions_.add(address, now, shared_.holds(address))) {
    char where[40];
    std::snprintf(where, sizeof where, "%p", address);
    fail("race: it adds to " + std::string(where) + " (" +
         state().memory.describe(reinterpret_cast<std::uintptr_t>(address)) + "), as thread " +
         std::to_string(other->thread) + " of block " + std::to_string(other->block) +
         " does with no barrier between them");
  }
}

void Grid::address(const void *pointer) {
  State &s = state();
  const auto bits = reinterpret_cast<std::uintptr_t>(pointer);
  if (bits == 0 || shared_.holds(pointer)) return;
  const Block *block = s.memory.find(untagged(bits), 0);
  if (block && (block->freed == never || block->freed >= s.running) &&
      (tagged(bits) || block->kind == Kind::pinned || block->kind == Kind::registered))
    return;
  char where[40];
  std::snprintf(where, sizeof where, "%p", pointer);
  if (!tagged(bits))
    fail("the pointer " + std::string(where) + " leads to memory of the host that is not pinned");
  else
    fail("the pointer " + std::string(where) + " leads to no device memory: " + s.memory.describe(untagged(bits)));
}

void Grid::named(const char *text, const void *pointer) {
  const void *&known = object_->known[(reinterpret_cast<std::uintptr_t>(pointer) >> 4) % OP2_FAKE_KNOWN];
  if (known == pointer) return;
  known = pointer;
  if (!counts_ || counter().named(text, pointer)) address(pointer);
}

void Grid::access(const void *site, const void *address, unsigned bytes, int use) {
  const unsigned thread = object_->thread.x;
  if (counts_ && !in_atomic_) counter().access(site, address, bytes, static_cast<Use>(use), thread, phase_of(thread));
}

void Grid::atomic(const void *site, const void *address, unsigned bytes) {
  const unsigned thread = object_->thread.x;
  in_atomic_ = address != nullptr;
  if (counts_ && address) counter().access(site, address, bytes, Use::atomic, thread, phase_of(thread));
}

void Grid::step(const void *site) {
  const unsigned thread = object_->thread.x;
  if (counts_ && !in_atomic_) counter().step(site, thread, phase_of(thread));
}

// A fault of a fiber ends up here.
void fault_ended() {
  Grid &g = grid();
  g.fail(fault_text(), true);
  g.leave(Waits::over);
}

int Grid::run(Launch &launch) {
  launch_ = &launch;
  object_ = launch.module->object();
  failed_ = false;
  failures_ = 0;
  if (launch.function->resident && !launch.together)
    launch.together = std::make_shared<Together>(Together{{}, {}, Random(state().settings.seed * 7919 + ++launches_)});
  together_ = std::static_pointer_cast<Together>(launch.together);
  counts_ = !together_ && counter().wants(launch);
  independent_ = launch.function->block != nullptr && !counts_;
  arguments_[0] = launch.parameters.data();
  if (!together_ || !together_->started) *object_ = op2_fake_object{};
  object_->runtime = &runtime;
  object_->block_size = {launch.threads, 1, 1};
  object_->grid = {launch.blocks, 1, 1};
  additions_.start_launch();
  std::vector<unsigned> blocks(launch.blocks);
  std::iota(blocks.begin(), blocks.end(), 0u);
  if (counts_)
    counter().start(launch, shared_.start(launch.shared));
  else
    Random(state().settings.seed).shuffle(blocks);
  const FaultCatcher catcher(&fault_ended);
  if (together_) {
    run_together(blocks);
    failures_ = together_->failures += failures_;
    if (!together_->live.empty()) return not_ready;
    blocks.clear();
  }
  for (const unsigned block : blocks) {
    run_block(block);
    if (failed_) break;
    if (counts_) counter().end_block(phase_, std::accumulate(warp_phase_.begin(), warp_phase_.end(), std::uint64_t{0}));
  }
  if (counts_) counter().end();
  take_back(threads_);
  launch_ = nullptr;
  return failures_ > 0 && !state().settings.keep_going ? launch_failed : success;
}

} // namespace

int run_grid(Launch &launch) { return grid().run(launch); }

} // namespace fake

// SPDX-License-Identifier: MIT
