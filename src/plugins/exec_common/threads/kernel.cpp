#include <algorithm>

#include "threads.hpp"

namespace op2::exec_threads {

namespace {

// Few elements run in order on one thread, whatever the number of threads.
bool is_small(const op_exec_signature &signature) { return signature.set_size < worth_waking; }

// Reductions of the program's own are not handed a contribution twice.
bool can_own_once(const op_exec_signature &signature) {
  for (int i = 0; i < signature.nargs; ++i)
    if (signature.args[i].access == OP_REDUCE) return false;
  return can_own(signature);
}

Way way_of(Race race, bool reproducible, const op_exec_signature &signature) {
  if (!signature.conflicts) return Way::in_order;
  if (reproducible) return !is_small(signature) && can_own_once(signature) ? Way::owner : Way::in_order;
  if (race == Race::colour) return Way::colour;
  if (is_small(signature)) return Way::in_order;
  return can_own(signature) ? Way::owner : Way::colour;
}

const char *way_name(Way way) {
  switch (way) {
    case Way::in_order:
      return "in order";
    case Way::owner:
      return "owner";
    default:
      return "block colours";
  }
}

// Each colour sweeps over the mesh, and a block fetches rows at its ends again that blocks of other colours had; so
// blocks of a loop that reduces nothing, and which therefore do not shape a sum, are as large as 256 of them allow, up
// to what a private cache holds (8192 edges of a flux kernel: about 1 MB). 1M cells: 0.87 of the time of blocks of
// 1024.
int32_t colour_block_size(const op_exec_signature &signature) {
  constexpr int32_t blocks = 256, smallest = 64, largest = 8192, granule = 8;
  return (std::clamp(signature.set_size / blocks, smallest, largest) + granule - 1) / granule * granule;
}

// Where threads take parts of each other there are more of them, as far as their borders cost little.
int32_t parts_of(const op_exec &exec, const op_exec_signature &signature) {
  constexpr int32_t elements = 8192, of_thread = 8, most = 64; // of a part; parts
  if (!exec.steals) return exec.threads;
  return std::max(exec.threads, std::min({signature.set_size / elements, of_thread * exec.threads, most}));
}

} // namespace

op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel) {
  try {
    const Way way = way_of(exec->race, exec->reproducible, *signature);
    const std::string form = source->form;
    *kernel = new op_exec_kernel_s{source->range, source->element, signature, way, form, "", form, {}, {}, {}};
    return OP_OK;
  } catch (const std::bad_alloc &) {
    return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for the kernel");
  }
}

void kernel_free(op_exec *, op_exec_kernel *kernel) { delete kernel; }

const char *kernel_form(op_exec *, const op_exec_kernel *kernel) { return kernel->form.c_str(); }

op_status kernel_range(op_exec *exec, op_exec_kernel *kernel, op_range_fn range, const char *form) {
  try {
    kernel->kernel_form = form;
    kernel->form = kernel->kernel_form + kernel->way_form;
    kernel->range = range;
    return OP_OK;
  } catch (const std::bad_alloc &) {
    return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for the name of a form");
  }
}

op_status kernel_plan_request(op_exec *exec, const op_exec_kernel *kernel, op_exec_plan_request *request) {
  const op_exec_signature &signature = *kernel->signature;
  request->block_size = signature.conflicts && !signature.reduce ? colour_block_size(signature) : 0;
  request->plan = signature.reduce ? OP_PLAN_BLOCKS : OP_PLAN_NONE;
  request->chains = 1;
  if (!signature.conflicts) return OP_OK;
  if (kernel->way == Way::colour) request->plan = OP_PLAN_BLOCK_COLOURS;
  if (kernel->way == Way::owner) {
    request->plan = signature.reduce ? OP_PLAN_OWNER_BLOCKS : OP_PLAN_OWNER;
    request->parts = parts_of(*exec, signature);
    // Who asked for this way gets it anyway.
    request->otherwise = exec->race == Race::automatic && !exec->reproducible ? OP_PLAN_BLOCK_COLOURS : OP_PLAN_NONE;
  }
  request->chains = kernel->way == Way::owner || kernel->way == Way::in_order;
  return OP_OK;
}

op_status kernel_plan(op_exec *exec, op_exec_kernel *kernel, const op_exec_plan *plan) {
  try {
    const bool owner = plan->nparts > 0;
    kernel->owner = owner ? owner_layout(*kernel->signature, *plan) : OwnerLayout();
    kernel->way_form.clear();
    if (kernel->signature->conflicts)
      kernel->way_form = std::string(", ") + way_name(kernel->way == Way::owner && !owner ? Way::colour : kernel->way);
    kernel->form = kernel->kernel_form + kernel->way_form;
    return OP_OK;
  } catch (const std::bad_alloc &) {
    return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for the division of the loop");
  }
}

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
