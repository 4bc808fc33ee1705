// variants.cpp: which variants of a loop there are, and which one turns out to be the fastest.
#include "kernel.hpp"
#include "memory/virtual_memory.hpp"

namespace op2::exec_cuda {

namespace {

constexpr int32_t worth_measuring = 1 << 15; // elements: below, a launch takes longer than what it runs

} // namespace

// Colours where sums must have the same bits in every run, or where rows are not only added to; else atomics, and for
// many elements whatever is faster. Compact blocks fetch and add to about half of the rows that blocks in the order of
// the elements do, and read what lies on the elements themselves by way of a list.
std::vector<VariantRequest> variants_for(const op_exec &exec, const op_exec_signature &signature, bool ordered) {
  if (!signature.conflicts) return {{Method::plain}};
  if (!atomics_suffice(signature) || exec.reproducible) return {{Method::colours}};
  const bool stages = staged_elements(signature, ordered) > 0;
  const std::string race = setting(exec.host, "OP2_RACE");
  if (race == "atomic") return {{Method::atomics}};
  if (race == "colour") return {stages ? VariantRequest{Method::staged, true} : VariantRequest{Method::colours}};
  if (race == "gather") return {{Method::gather}};
  if (exec.virtual_memory) return {{Method::atomics}}; // blocks are divided for all of a loop, not for a part
  if (!stages || signature.set_size < worth_measuring) return {{Method::atomics}};
  return {{Method::atomics}, {Method::staged_atomics, false}, {Method::staged_atomics, true}};
}

namespace {

// What only variants that lost would need.
void free_the_others(op_exec_kernel &kernel) {
  const DeviceSource &code = kernel.variant().code;
  if (!is_staged(code.method)) kernel.stage.reset();
  if (wants_lists(code)) return;
  kernel.plan.reset();
  kernel.plan_list = nullptr;
}

const char *const maker = "cuda ways";

// The outcome, for later runs of the program on such a device and for who reads the log.
void tell_outcome(op_exec &exec, const op_exec_kernel &kernel) {
  const std::string form = form_of(kernel.variant());
  if (!kernel.cache_key.empty())
    exec.host->cache_store(exec.host, maker, kernel.cache_key.c_str(), form.data(), form.size());
  std::string line = "executor cuda: loop '";
  line.append(kernel.signature->name).append("' runs by ").append(form).append("; measured:");
  const auto name = [&](size_t i) { return form_of(kernel.variants[i]); };
  line.append(" ").append(kernel.tuner.times(name));
  exec.host->log(exec.host, OP_LOG_INFO, line.c_str());
}

void end_measurement(op_exec &exec, op_exec_kernel &kernel) {
  tell_outcome(exec, kernel);
  free_the_others(kernel);
}

} // namespace

// Code, device and mesh decide which variant is the fastest. Of the mesh only sizes are looked at here.
void take_remembered(op_exec &exec, op_exec_kernel &kernel) {
  if (!kernel.tuner.measuring() || !has_cache(exec.host)) return;
  std::string key = kernel.variant().code.text;
  key.append("\n").append(exec.device_name).append(" ").append(std::to_string(kernel.signature->set_size));
  for (int32_t i = 0; i < kernel.signature->nargs; ++i)
    key.append(" ").append(std::to_string(kernel.signature->args[i].rows));
  for (const LaunchVariant &variant : kernel.variants) key.append("\n").append(form_of(variant));
  kernel.cache_key = std::move(key);
  void *data = nullptr;
  size_t bytes = 0;
  if (!exec.host->cache_load(exec.host, maker, kernel.cache_key.c_str(), &data, &bytes)) return;
  const std::string form(static_cast<const char *>(data), bytes);
  exec.host->free(data);
  for (size_t i = 0; i < kernel.variants.size() && kernel.tuner.measuring(); ++i)
    if (form == form_of(kernel.variants[i])) kernel.tuner.take(i);
}

// Nothing of the kernel is under way.
void note_time(op_exec &exec, op_exec_kernel &kernel, double seconds) {
  if (kernel.tuner.note(seconds)) end_measurement(exec, kernel);
}

void skip_variant(op_exec &exec, op_exec_kernel &kernel) {
  exec.streams->wait_all();
  if (kernel.tuner.skip()) end_measurement(exec, kernel);
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
