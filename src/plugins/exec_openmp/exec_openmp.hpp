// Executor "openmp": all cores of a process. Shared by its files.
//
// A loop without collisions is cut into one piece per thread. In a loop that writes through maps each thread runs the
// elements that write its part of the rows (race_owner.cpp), or, if that is not possible, the loop runs colour by
// colour: blocks of one colour write different rows. Either way threads need no locks, and every row receives its
// increments in the same order in every run with any number of threads. OP2_RACE selects the way.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "op2/plugin/exec.h"
#include "plugins/exec_common/arguments.hpp"
#include "team.hpp"

namespace op2::exec_openmp {

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

} // namespace op2::exec_openmp

struct op_exec_s {
  const op_host_v1 *host;
  int threads;
  op2::exec_openmp::Race race;
  bool reproducible;                      // rows receive increments in the order of the elements, or of a sequence
  std::vector<std::vector<char>> scratch; // by thread
};

struct op_exec_kernel_s {
  op_range_fn range;
  op_kernel_fn element;
  const op_exec_signature *signature;
  op2::exec_openmp::Way way;
  std::string kernel_form; // without the way
  std::string way_form;    // ", owner"
  std::string form;
  std::vector<char> records; // partial results, kept from call to call
  op2::exec_openmp::OwnerLayout owner;
  op2::exec_openmp::Team team;
};

namespace op2::exec_openmp {

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

// chain.cpp: several loops at once
op_status chain_create(op_exec *exec, const op_exec_chain_plan *plan, op_exec_chain **chain);
void chain_free(op_exec *exec, op_exec_chain *chain);
op_status chain_run(op_exec *exec, op_exec_chain *chain, const op_exec_call *calls, double *times, int32_t *failed);

} // namespace op2::exec_openmp

// SPDX-License-Identifier: MIT
