#include "exec_openmp.hpp"

namespace op2::exec_openmp {

namespace {

bool writes(op_access access) { return access == OP_WRITE || access == OP_RW || access == OP_INC; }

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

const char *race_name(Race race) {
  switch (race) {
    case Race::global:
      return "global colours";
    case Race::atomic:
      return "atomic";
    case Race::privatize:
      return "private copies";
    default:
      return "block colours";
  }
}

} // namespace

op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel) {
  try {
    Race race = exec->race;
    if ((race == Race::atomic || race == Race::privatize) && !only_increments(*signature)) race = Race::colour;
    // Partial results are combined in the order of the elements; only blocks keep that order.
    if (race == Race::global && signature->reduce) race = Race::colour;
    std::string form = source->form;
    if (signature->conflicts) form += std::string(", ") + race_name(race);
    *kernel = new op_exec_kernel_s{source->range, source->element, signature, race, form, {}};
    return OP_OK;
  } catch (const std::bad_alloc &) {
    return exec->host->fail(exec->host, OP_ERR_MEMORY, "no memory for the kernel");
  }
}

void kernel_free(op_exec *, op_exec_kernel *kernel) { delete kernel; }

const char *kernel_form(op_exec *, const op_exec_kernel *kernel) { return kernel->form.c_str(); }

op_status kernel_wish(op_exec *, const op_exec_kernel *kernel, op_exec_wish *wish) {
  const op_exec_signature &signature = *kernel->signature;
  wish->block_size = 0;
  wish->plan = signature.reduce ? OP_PLAN_BLOCKS : OP_PLAN_NONE;
  if (signature.conflicts && kernel->race == Race::colour) wish->plan = OP_PLAN_BLOCK_COLOURS;
  if (signature.conflicts && kernel->race == Race::global) wish->plan = OP_PLAN_GLOBAL_COLOURS;
  return OP_OK;
}

} // namespace op2::exec_openmp
