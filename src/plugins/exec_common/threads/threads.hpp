// What executors with threads share: loops of one process on all cores, without races. Each executor compiles these
// files, and defines how its threads take work (the functions of "the crew" below).
//
// A loop without collisions is cut into pieces. A loop that writes through maps is cut into parts of the rows, and each
// part runs the elements that write its rows (race_owner.cpp), or, if that is not possible, the loop runs colour by
// colour: blocks of one colour write different rows. Either way threads need no locks, and every row receives its
// increments in the same order in every run with any number of threads. OP2_RACE selects the way.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "op2/plugin/exec.h"
#include "plugins/exec_common/arguments.hpp"
#include "team.hpp"

namespace op2::exec_threads {

using exec_common::round_up, exec_common::row_bytes, exec_common::writes;

// The values of OP2_RACE; those of GPUs act as automatic.
enum class Race { automatic, owner, colour };

// How a loop avoids races between threads that write through maps.
enum class Way { in_order, owner, colour };

// The arguments of a loop in the local tables of an owner plan.
struct OwnerLayout {
  struct Column {   // local
    int arg, entry; // the map that the argument has, at this place behind its column
    int group;
  };
  struct StagedDat { // written through maps
    int group;
    size_t row_bytes, offset; // of its rows in a thread's scratch memory
    int any_arg;
  };
  struct ThroughMap {
    int arg;
    size_t dat; // position in dats
    int column; // local
  };
  struct Direct { // written at the element itself
    int arg;
    size_t row_bytes, offset;
  };
  std::vector<StagedDat> dats;
  std::vector<ThroughMap> through;
  std::vector<Direct> direct;
  std::vector<Column> columns;
  std::vector<size_t> most_slots; // of each group, in any segment: own rows, and one for what others own
  size_t bytes = 0;               // of scratch memory of each thread, behind a record
};

} // namespace op2::exec_threads

namespace op2::exec_threads {

struct Crew; // the threads of the executor, as its crew.cpp has them
struct FreeCrew {
  void operator()(Crew *crew) const;
};
struct alignas(64) Busy {
  double seconds = 0;
};

} // namespace op2::exec_threads

struct op_exec_s {
  const op_host_v1 *host;
  int threads;
  op2::exec_threads::Race race;
  bool reproducible; // rows receive increments in the order of the elements, or of a sequence
  bool steals;       // idle threads take work of others, so there are more pieces and parts than threads
  std::vector<std::vector<char>> scratch;    // by thread
  mutable std::vector<op2::exec_threads::Busy>
      busy; // by thread: how long it has run elements since the executor was opened
  double shared_seconds; // of loops that threads share, likewise
  std::unique_ptr<op2::exec_threads::Crew, op2::exec_threads::FreeCrew> crew;
};

struct op_exec_kernel_s {
  op_range_fn range;
  op_kernel_fn element;
  const op_exec_signature *signature;
  op2::exec_threads::Way way;
  std::string kernel_form; // without the way
  std::string way_form;    // ", owner"
  std::string form;
  std::vector<char> records; // partial results, kept from call to call
  op2::exec_threads::OwnerLayout owner;
  op2::exec_threads::Team team;
  double seconds = 0; // that its last run on all threads took
  int elements = 0;   // of that run
};

namespace op2::exec_threads {

// The first exception that a kernel threw on any thread; the other threads stop at their next block.
class FirstFailure {
 public:
  bool happened() const { return happened_.load(std::memory_order_relaxed); }
  void record() noexcept;         // inside a catch block: what the kernel has thrown
  void without_memory() noexcept; // for scratch rows of a thread
  op_status status(const op_exec *exec) const;

 private:
  std::mutex mutex_;
  std::atomic<bool> happened_{false};
  bool without_memory_ = false;
  std::string story_;
};

// The data of one run of a loop; shared by the threads, constant.
struct Run {
  op_exec *exec;
  op_exec_kernel *kernel;
  const op_exec_call *call;
  FirstFailure *failure;
  const OwnerLayout *owner; // for the plan of the call
  int nargs() const { return kernel->signature->nargs; }
  int pieces(int elements) const; // into which the loop is cut where it may be cut anywhere
  int team() const { return kernel->team.alone() ? 1 : exec->threads; } // threads that run the shares
  // One thread runs all elements: also where they conflict and the plan says nothing of an order, as in parts of a
  // sequence.
  bool in_order() const {
    return kernel->signature->conflicts && (kernel->way == Way::in_order || call->plan->kind == OP_PLAN_NONE);
  }
  const op_exec_arg &arg(int i) const { return kernel->signature->args[i]; }
};

// A thread's own copy of the arguments, whose reduced arguments can point into a record.
class ThreadArgs {
 public:
  explicit ThreadArgs(const Run &run);
  op_range_arg &operator[](int i) { return args_[i]; }
  void use_rows(const Run &run, int i); // the kernel receives contiguous rows for argument i
  const op_range_arg &operator[](int i) const { return args_[i]; }
  void reduce_into(const Run &run, char *record);
  // Runs the kernel on [begin, end); records an exception in run.failure.
  void run(const Run &run, int begin, int end);

 private:
  void run_and_let_move(const Run &run, int begin, int end);
  int since_moved_ = 0; // elements since the last call of progress

  op_range_arg args_[OP_MAX_ARGS];
  op_range_layout layouts_[OP_MAX_ARGS];
  op_range_ctx ctx_;
};

// The part [first, last) of `count` items for one thread: the same in every run.
struct Share {
  std::int64_t first, last;
};
Share share_of(std::int64_t count, int thread, int threads);

// The crew. share_items() calls body(item, thread) once for each item; it returns when all calls have returned. Thread
// t begins with the items share_of(items, t, threads). Bodies do not throw.
struct ItemBody {
  const void *object;
  void (*call)(const void *object, int item, int thread);
  void operator()(int item, int thread) const { call(object, item, thread); }
};
void share_items(op_exec *exec, int threads, int items, ItemBody body);
template <class Body>
void share(op_exec *exec, int threads, int items, const Body &body) {
  if (threads <= 1 || items <= 1) {
    for (int item = 0; item < items; ++item) body(item, 0);
    return;
  }
  share_items(exec, threads, items, {&body, [](const void *object, int item, int thread) {
                                       (*static_cast<const Body *>(object))(item, thread);
                                     }});
}
bool is_caller(const op_exec *exec); // this thread called the executor

// The layout of the rows of argument i.
op_range_layout layout_of(const op_exec_signature &signature, int i);
// Copies a row from a dat to contiguous values; `back`: to the dat.
struct RowPlace {
  char *base;
  std::ptrdiff_t stride;
  op_range_layout layout;
  int values, value_bytes;
  bool contiguous() const { return layout.kind == OP_LAYOUT_AOS; }
  char *at(std::int64_t row) const { return base + row * stride; }
  void copy(std::int64_t row, char *contiguous_row, bool back) const;
};
RowPlace place_of(const Run &run, int i);

// memory.cpp: copies by all threads, so that each page is in memory near the thread that uses it
op_status mem_copy(op_exec *exec, void *to, op_space to_space, const void *from, op_space from_space, size_t bytes,
                   op_event *done);
op_status mem_zero(op_exec *exec, op_space space, void *p, size_t bytes);

// kernel.cpp
op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel);
void kernel_free(op_exec *exec, op_exec_kernel *kernel);
const char *kernel_form(op_exec *exec, const op_exec_kernel *kernel);
op_status kernel_range(op_exec *exec, op_exec_kernel *kernel, op_range_fn range, const char *form);
op_status kernel_plan_request(op_exec *exec, const op_exec_kernel *kernel, op_exec_plan_request *request);
op_status kernel_plan(op_exec *exec, op_exec_kernel *kernel, const op_exec_plan *plan);

op_status thread_seconds(op_exec *exec, double *busy, double *shared);

// entries.cpp
// Opens an executor without a crew. threads: checked. runtime: whose threads they are, for messages.
op_status open_threads(const op_exec_params *params, int threads, bool steals, const char *runtime, op_exec **exec);
void close(op_exec *exec);
op_status caps(op_exec *exec, op_exec_caps *caps);

constexpr int worth_waking = 256; // elements; a smaller loop takes less time than waking the other threads

// loop.cpp
op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call);

// reduce.cpp: partial results. One record per block if memory allows (then sums have the same bits with any number of
// threads), else one per thread, which must then run consecutive blocks.
class Records {
 public:
  Records(const Run &run, int blocks, int threads);
  bool any() const { return count_ > 0; }
  bool per_block() const { return per_block_; }
  char *of(int block, int thread) const;
  void combine() const; // into the call's result, in the order of the elements

 private:
  const Run &run_;
  int count_ = 0;
  bool per_block_ = false;
};

// The first address in `memory` at a multiple of a cache line.
char *at_cache_line(std::vector<char> &memory);

// race_owner.cpp
bool can_own(const op_exec_signature &signature);
OwnerLayout owner_layout(const op_exec_signature &signature, const op_exec_plan &plan);
void run_owner(const Run &run, const Records &records);

// chain_work.cpp; chain_run is the executor's own (chain.cpp)
op_status chain_create(op_exec *exec, const op_exec_chain_plan *plan, op_exec_chain **chain);
void chain_free(op_exec *exec, op_exec_chain *chain);
op_status chain_run(op_exec *exec, op_exec_chain *chain, const op_exec_call *calls, double *times, int32_t *failed);
op_status chain_threads(op_exec *exec, const op_exec_chain *chain, int32_t *thread); // chain.cpp, too

// The table of the executor.
constexpr op_exec_ops_v1 entries(op_status (*open)(const op_exec_params *params, op_exec **exec)) {
  op_exec_ops_v1 t{};
  t.size = sizeof t;
  t.open = open;
  t.close = close;
  t.caps = caps;
  t.mem_copy = mem_copy;
  t.mem_zero = mem_zero;
  t.kernel_create = kernel_create;
  t.kernel_free = kernel_free;
  t.kernel_form = kernel_form;
  t.kernel_plan_request = kernel_plan_request;
  t.kernel_range = kernel_range;
  t.kernel_plan = kernel_plan;
  t.loop_run = loop_run;
  t.chain_create = chain_create;
  t.chain_free = chain_free;
  t.chain_run = chain_run;
  t.thread_seconds = thread_seconds;
  t.chain_threads = chain_threads;
  return t;
}

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
