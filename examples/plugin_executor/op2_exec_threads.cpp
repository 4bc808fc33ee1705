// op2_exec_threads.cpp: an executor on std::thread workers, a whole plugin. docs/plugins.md explains it.
//
// Its purpose: kernels whose cost differs much from element to element (chemistry, iterations until convergence). A
// worker that is done takes the next block that is left, where `openmp` gives every thread the same number of blocks
// beforehand. Results do not depend on who takes which block: see run_blocks().
#include <op2/plugin/exec.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "team.hpp"

namespace {

constexpr std::size_t most_record_bytes = std::size_t{64} << 20; // for partial results, one record per block

} // namespace

// ---- the types that exec.h leaves to the executor ----

struct op_exec_s {
  const op_host_v1 *host;
  Team team;
};

struct op_exec_kernel_s {
  op_range_fn range;
  op_kernel_fn element;
  std::string form;
  const op_exec_signature *signature; // lives as long as the kernel
  std::vector<char> records;          // kept from call to call
};

namespace {

// ---- life ----

op_status open(const op_exec_params *params, op_exec **exec) {
  const int cores = static_cast<int>(std::thread::hardware_concurrency()); // 0: unknown
  try {
    *exec = new op_exec_s{params->host, Team(params->threads > 0 ? params->threads : std::max(cores, 1))};
    return OP_OK;
  } catch (const std::exception &thrown) { // no memory, or the system refuses more threads
    return params->host->fail(params->host, OP_ERR_BACKEND, thrown.what());
  }
}

void close(op_exec *exec) { delete exec; }

op_status caps(op_exec *exec, op_exec_caps *caps) { // the core has set everything else to zero
  caps->space = OP_SPACE_HOST;
  caps->transport[0] = OP_SPACE_HOST;
  caps->deterministic = 1;
  caps->concurrency = exec->team.threads();
  caps->host_code = 1; // run_block() calls any range function, so loops may come with one generated for them
  return OP_OK;
}

// ---- kernels ----

op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel) {
  try {
    *kernel = new op_exec_kernel_s{
        source->range, source->element, std::string(source->form) + ", blocks on demand", signature, {}};
    return OP_OK;
  } catch (const std::bad_alloc &) {
    return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for the kernel");
  }
}

void kernel_free(op_exec *, op_exec_kernel *kernel) { delete kernel; }

const char *kernel_form(op_exec *, const op_exec_kernel *kernel) { return kernel->form.c_str(); }

op_status kernel_plan_request(op_exec *, const op_exec_kernel *kernel, op_exec_plan_request *request) {
  request->plan = kernel->signature->conflicts ? OP_PLAN_BLOCK_COLOURS : OP_PLAN_BLOCKS;
  return OP_OK;
}

// ---- loops ----

// The first exception that a kernel threw on any thread; the other threads stop at their next block.
struct Failure {
  std::atomic<bool> happened{false};
  char message[256] = "";
  void record(const char *what) {
    if (!happened.exchange(true)) std::snprintf(message, sizeof message, "%s", what);
  }
};

// Runs one block. What it reduces goes into `record`, which starts as the record the core prepared.
void run_block(const op_exec_kernel *kernel, const op_exec_call *call, int block, char *record, Failure &failure) {
  op_range_arg args[OP_MAX_ARGS];
  std::copy_n(call->args, kernel->signature->nargs, args);
  if (const op_exec_reduce *reduce = kernel->signature->reduce) {
    std::memcpy(record, call->reduce_start, reduce->record_bytes);
    for (int place = 0; place < reduce->count; ++place) args[reduce->arg[place]].base = record + reduce->offset[place];
  }
  const op_range_ctx ctx{sizeof ctx, args, kernel->signature->nargs, 0, kernel->element, nullptr};
  try {
    kernel->range(&ctx, call->plan->block_offset[block], call->plan->block_offset[block + 1]);
  } catch (const std::exception &thrown) {
    failure.record(thrown.what());
  } catch (...) {
    failure.record("the kernel threw an exception that is not a std::exception");
  }
}

// Colour after colour: blocks of one colour write different elements, so each element receives its increments in the
// order of the colours, whoever runs the blocks. Sums have one record per block, combined in the order of the blocks.
void run_blocks(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call, Failure &failure) {
  const op_exec_plan &plan = *call->plan;
  const op_exec_reduce *reduce = kernel->signature->reduce;
  const std::size_t record_bytes = reduce ? reduce->record_bytes : 0;
  const bool record_each = record_bytes <= most_record_bytes / static_cast<std::size_t>(plan.nblocks);
  kernel->records.resize(record_bytes * static_cast<std::size_t>(record_each ? plan.nblocks : 1));
  char *const records = kernel->records.data();
  if (reduce) std::memcpy(call->reduce_result, call->reduce_start, record_bytes);

  if (!record_each) { // a huge record: one thread takes the blocks in order, which gives the same sums
    for (int block = 0; block < plan.nblocks && !failure.happened; ++block) {
      run_block(kernel, call, block, records, failure);
      reduce->combine(reduce, call->reduce_result, records);
    }
    return;
  }
  for (int colour = 0; colour < plan.ncolours; ++colour) {
    const int last = plan.colour_offset[colour + 1];
    std::atomic<int> next{plan.colour_offset[colour]};
    const auto work = [&] {
      for (int i = 0; (i = next++) < last && !failure.happened;)
        run_block(kernel, call, plan.order[i], records + record_bytes * static_cast<std::size_t>(plan.order[i]),
                  failure);
    };
    if (last - next > 1)
      exec->team.run(work);
    else
      work(); // one block is not worth waking anybody
  }
  for (int block = 0; reduce && block < plan.nblocks; ++block)
    reduce->combine(reduce, call->reduce_result, records + record_bytes * static_cast<std::size_t>(block));
}

op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call) {
  Failure failure;
  try {
    run_blocks(exec, kernel, call, failure);
  } catch (const std::bad_alloc &) {
    return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for partial results");
  } catch (...) {
    failure.record("a reduction of the program's own threw an exception");
  }
  return failure.happened ? exec->host->fail(exec->host, OP_ERR_KERNEL, failure.message) : OP_OK;
}

// ---- what the core sees ----

// `auto` takes the highest score: on more than one core this is more than seq's 10 and less than openmp's 50.
int score(const op_host_v1 *) { return std::thread::hardware_concurrency() > 1 ? 20 : 5; }

constexpr op_exec_ops_v1 table = [] {
  op_exec_ops_v1 t{};
  t.size = sizeof t;
  t.open = open;
  t.close = close;
  t.caps = caps;
  t.kernel_create = kernel_create;
  t.kernel_free = kernel_free;
  t.kernel_form = kernel_form;
  t.kernel_plan_request = kernel_plan_request;
  t.loop_run = loop_run;
  return t; // mem_alloc, mem_free, mem_copy and mem_zero are NULL: the parent's stand in
}();

constexpr op_plugin_v1 plugin = [] {
  op_plugin_v1 p{};
  p.size = sizeof p;
  p.abi = OP2_PLUGIN_ABI;
  p.api = OP2_PLUGIN_API;
  p.kind = OP_PLUGIN_EXEC;
  p.name = "threads"; // as in the file's name and in OP2_BACKEND
  p.summary = "all cores, blocks on demand";
  p.build = "std::thread";
  p.parent = "seq";
  p.score = score;
  p.ops = &table;
  return p;
}();

} // namespace

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &plugin; }

// SPDX-License-Identifier: MIT
