#include <algorithm>

#include "exec_openmp.hpp"

namespace op2::exec_openmp {

namespace {

constexpr int calls_each = 4; // of each way that is measured

// Atomic adds and private copies replace colours only where every colliding access is an increment of numbers, and no
// other argument writes the same dat.
bool only_increments(const op_exec_signature &signature) {
  for (int i = 0; i < signature.nargs; ++i) {
    const op_exec_arg &a = signature.args[i];
    if (a.map < 0 || a.dat < 0 || !writes(a.access)) continue;
    if (a.access != OP_INC || a.type == OP_TYPE_USER || a.type == OP_TYPE_BOOL) return false;
    for (int j = 0; j < signature.nargs; ++j) {
      const op_exec_arg &b = signature.args[j];
      if (b.dat == a.dat && (b.access != OP_INC || b.map < 0)) return false;
    }
  }
  return true;
}

// Few elements run in order on one thread, whatever the number of threads.
bool is_small(const op_exec_signature &signature) { return signature.set_size < worth_waking; }

// Reductions of the program's own are not handed a contribution twice.
bool can_own_once(const op_exec_signature &signature) {
  for (int i = 0; i < signature.nargs; ++i)
    if (signature.args[i].access == OP_REDUCE) return false;
  return can_own(signature);
}

// The ways to run a loop that writes through maps: one, or several to be measured.
std::vector<Way> ways_for(Race race, bool reproducible, const op_exec_signature &signature) {
  if (!signature.conflicts) return {Way::in_order};
  if (reproducible) return {!is_small(signature) && can_own_once(signature) ? Way::owner : Way::in_order};
  switch (race) {
    case Race::atomic:
      return {only_increments(signature) ? Way::atomic : Way::colour};
    case Race::privatize:
      return {only_increments(signature) ? Way::privatize : Way::colour};
    case Race::global: // partial results are combined in the order of the elements; only blocks keep that order
      return {signature.reduce ? Way::colour : Way::global};
    case Race::colour:
      return {Way::colour};
    default:
      break;
  }
  if (is_small(signature)) return {Way::in_order};
  std::vector<Way> ways;
  if (can_own(signature)) ways.push_back(Way::owner);
  if (race == Race::measure || ways.empty()) ways.push_back(Way::colour);
  if (race == Race::measure && only_increments(signature)) ways.push_back(Way::privatize);
  return ways;
}

// Each colour sweeps over the mesh, and a block fetches rows at its ends again that blocks of other colours had; so
// blocks of a loop that reduces nothing, and which therefore do not shape a sum, are as large as 256 of them allow, up
// to what a private cache holds (8192 edges of a flux kernel: about 1 MB). 1M cells: 0.87 of the time of blocks of
// 1024.
int32_t colour_block_size(const op_exec_signature &signature) {
  constexpr int32_t blocks = 256, smallest = 64, largest = 8192, granule = 8;
  return (std::clamp(signature.set_size / blocks, smallest, largest) + granule - 1) / granule * granule;
}

} // namespace

op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel) {
  try {
    std::vector<Way> ways = ways_for(exec->race, exec->reproducible, *signature);
    const exec_common::Autotuner tuner(ways.size(), calls_each);
    const std::string form = source->form;
    *kernel = new op_exec_kernel_s{
        source->range, source->element, signature, std::move(ways), tuner, form, "", form, {}, {}, {}};
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
  if (kernel->way() == Way::colour) request->plan = OP_PLAN_BLOCK_COLOURS;
  if (kernel->way() == Way::global) request->plan = OP_PLAN_GLOBAL_COLOURS;
  if (kernel->way() == Way::owner) {
    request->plan = signature.reduce ? OP_PLAN_OWNER_BLOCKS : OP_PLAN_OWNER;
    request->parts = exec->threads;
    // Who asked for this way or measures it gets it anyway.
    request->otherwise = exec->race == Race::automatic && !exec->reproducible ? OP_PLAN_BLOCK_COLOURS : OP_PLAN_NONE;
  }
  request->again = kernel->tuner.measuring() ? 1 : 0;
  request->chains = !request->again && (kernel->way() == Way::owner || kernel->way() == Way::in_order);
  return OP_OK;
}

op_status kernel_plan(op_exec *exec, op_exec_kernel *kernel, const op_exec_plan *plan) {
  try {
    const bool owner = plan->nparts > 0;
    kernel->owner = owner ? owner_layout(*kernel->signature, *plan) : OwnerLayout();
    kernel->way_form.clear();
    if (kernel->signature->conflicts)
      kernel->way_form =
          std::string(", ") + way_name(kernel->way() == Way::owner && !owner ? Way::colour : kernel->way());
    kernel->form = kernel->kernel_form + kernel->way_form;
    return OP_OK;
  } catch (const std::bad_alloc &) {
    return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for the division of the loop");
  }
}

} // namespace op2::exec_openmp
