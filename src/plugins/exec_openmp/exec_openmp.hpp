// Executor "openmp": all cores of a process. What its files share.
//
// A loop without collisions is cut into one piece per thread. A loop that writes through maps runs colour by colour:
// blocks of one colour touch different elements, so threads need no locks and every element receives its increments in
// the same order in every run and with any number of threads. OP2_RACE forces other ways, which serve tests and
// comparisons.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "op2/plugin/exec.h"

namespace op2::exec_openmp {

// How threads that write through maps are kept apart.
enum class Race { colour, global, atomic, privatize };

} // namespace op2::exec_openmp

struct op_exec_s {
  const op_host_v1 *host;
  int threads;
  op2::exec_openmp::Race race;
};

struct op_exec_kernel_s {
  op_range_fn range;
  op_kernel_fn element;
  const op_exec_signature *signature;
  op2::exec_openmp::Race race; // for this loop: atomic and privatize need increments of built-in types only
  std::string form;
  std::vector<char> records; // partial results, kept from call to call
};

namespace op2::exec_openmp {

// The first exception any thread's kernel threw; the others stop at their next block.
class Failure {
 public:
  bool happened() const { return happened_.load(std::memory_order_relaxed); }
  void record() noexcept; // inside a catch block
  op_status status(const op_exec *exec) const;

 private:
  std::mutex mutex_;
  std::atomic<bool> happened_{false};
  std::string story_;
};

// Everything one run of a loop needs; shared by the threads, changed by none.
struct Run {
  const op_exec *exec;
  op_exec_kernel *kernel;
  const op_exec_call *call;
  Failure *failure;
  int nargs() const { return kernel->signature->nargs; }
  const op_exec_arg &arg(int i) const { return kernel->signature->args[i]; }
};

// A thread's own copy of the arguments, whose reduced ones can be pointed into a record.
class ThreadArgs {
 public:
  explicit ThreadArgs(const Run &run);
  op_range_arg &operator[](int i) { return args_[i]; }
  void reduce_into(const Run &run, char *record);
  // Runs the kernel on [begin, end); an exception ends up in run.failure.
  void run(const Run &run, int begin, int end);

 private:
  op_range_arg args_[OP_MAX_ARGS];
  op_range_ctx ctx_;
};

// This thread's part [first, last) of `count` things: consecutive, the same in every run.
struct Share {
  std::int64_t first, last;
};
Share share_of(std::int64_t count, int thread, int threads);

// memory.cpp: copies made by all threads, so that each page lies near the thread that works on it
op_status mem_copy(op_exec *exec, void *to, op_space to_space, const void *from, op_space from_space, size_t bytes,
                   const op_event *wait, int32_t nwait, op_event *done);
op_status mem_zero(op_exec *exec, op_space space, void *p, size_t bytes);

// kernel.cpp
op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel);
void kernel_free(op_exec *exec, op_exec_kernel *kernel);
const char *kernel_form(op_exec *exec, const op_exec_kernel *kernel);
op_status kernel_wish(op_exec *exec, const op_exec_kernel *kernel, op_exec_wish *wish);

// loop.cpp
op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call, op_event *done);

// reduce.cpp: partial results. One record per block when that is affordable (then the sum has the same bits with any
// number of threads), else one per thread, which then must work on consecutive blocks.
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

// race_atomic.cpp, race_privatize.cpp
void run_atomic(const Run &run);
void run_privatized(const Run &run);

} // namespace op2::exec_openmp
