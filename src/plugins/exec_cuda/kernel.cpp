// kernel.cpp: kernels from their text, the variants of them, and their plans on the device.
#include "kernel.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace op2::exec_cuda {

LoopShare &share(op_exec &exec) {
  if (!exec.loops) exec.loops = std::make_shared<LoopShare>();
  return *static_cast<LoopShare *>(exec.loops.get());
}

namespace {

constexpr int calls_each = 3; // of each variant that is measured

// Letters, digits and '_'.
std::string plain_name(const char *name) {
  std::string out = name;
  for (char &c : out)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return out;
}

std::string first_lines(const std::string &text, int lines) {
  size_t at = 0;
  for (int i = 0; i < lines && at != std::string::npos; ++i) at = text.find('\n', at == 0 ? 0 : at + 1);
  return at == std::string::npos ? text : text.substr(0, at) + "\n...";
}

// The program can run such a loop on the host, so failing to compile it is no failure of the program.
Module compiled(op_exec &exec, const std::string &text, const std::string &name) {
  try {
    return Module(exec, text, plain_name(name.c_str()));
  } catch (const Failure &failure) {
    if (failure.code() != OP_ERR_KERNEL) throw;
    throw Failure(OP_ERR_UNSUPPORTED,
                  "loop '" + name + "' has no code for the GPU: " + first_lines(failure.what(), 12));
  }
}

std::shared_ptr<LoopModule> module_for(op_exec &exec, const op_exec_kernel &kernel, const DeviceSource &source) {
  const std::string &text = source.text;
  const std::string name = kernel.signature->name;
  auto &modules = share(exec).modules;
  if (std::shared_ptr<LoopModule> code = find_shared(modules, text)) return code;
  Module module = compiled(exec, text, name);
  const CUfunction function = module.function(kernel_entry);
  const CUfunction fused = source.fused ? module.function(fused_entry) : nullptr;
  const auto code = std::make_shared<LoopModule>(LoopModule{std::move(module), function, fused, {}, 0, {}});
  if (!kernel.constants.empty()) {
    const Module::Global values = code->module.global(constants_symbol);
    if (values.bytes < kernel.declared_bytes)
      throw Failure(OP_ERR_UNSUPPORTED, "loop '" + name + "': the constants have " + std::to_string(values.bytes) +
                                            " bytes on the GPU and " + std::to_string(kernel.declared_bytes) +
                                            " on the host");
    code->constants_at = values.address;
  }
  modules[text] = code;
  return code;
}

void create(op_exec &exec, const op_exec_source &source, const op_exec_signature &signature, op_exec_kernel **kernel) {
  const std::string name = signature.name;
  const op_exec_text *const text = source.device;
  if (!text || !text->text)
    throw Failure(OP_ERR_UNSUPPORTED, "loop '" + name + "' has no text for the GPU" +
                                          (text && text->why && *text->why ? std::string(": ") + text->why : ""));
  if (const char *const why = why_no_code(signature))
    throw Failure(OP_ERR_UNSUPPORTED, "loop '" + name + "' has no code for the GPU: " + why);
  auto made = std::make_unique<op_exec_kernel_s>();
  made->signature = &signature;
  made->declared_bytes = text->declared_bytes;
  if (text->nconstants > 0) made->constants.assign(text->constants, text->constants + text->nconstants);
  made->ordered = setting(exec.host, "OP2_CUDA_SUMS") == "ordered";
  std::vector<VariantRequest> requests = variants_for(exec, signature, made->ordered);
  made->tuner = Autotuner(requests.size(), calls_each);
  if (is_staged(requests.front().method)) requests.push_back({Method::atomics}); // for blocks that turn out too large
  for (const VariantRequest &request : requests)
    made->variants.push_back({write_code(*text, signature, request.method, made->ordered, exec.exchanges != nullptr),
                              request.compact_blocks,
                              nullptr,
                              {},
                              {}});
  take_remembered(exec, *made);
  need_module(exec, *made);
  *kernel = made.release();
}

// A list of the plan that tells it from others: plans live as long as the kernel.
const int32_t *list_of(const op_exec_plan &plan) { return plan.order ? plan.order : plan.block_offset; }

void need_lists(const op_exec_kernel &kernel, const op_exec_plan &plan) {
  const DeviceSource &code = kernel.variant().code;
  const bool colours = plan.order && plan.colour_offset;
  const bool blocks = plan.nblocks > 0 && plan.block_offset;
  if (code.method == Method::colours && code.fold != Fold::blocks && !(colours && plan.kind == OP_PLAN_GLOBAL_COLOURS))
    throw Failure(OP_ERR_PLUGIN, loop_label(kernel) + ": the division of the loop has no colours of elements");
  if ((code.fold == Fold::blocks && !blocks) || (is_staged(code.method) && !(blocks && colours)))
    throw Failure(OP_ERR_PLUGIN, loop_label(kernel) + ": the division of the loop has no blocks");
}

} // namespace

const char *form_of(const LaunchVariant &variant) {
  switch (variant.code.method) {
    case Method::atomics:
      return "cuda atomics";
    case Method::colours:
      return "cuda colours";
    case Method::staged:
      return "cuda staged colours, compact blocks";
    case Method::staged_atomics:
      return variant.compact ? "cuda staged atomics, compact blocks" : "cuda staged atomics";
    case Method::gather:
      return "cuda gather";
    default:
      return "cuda";
  }
}

LoopModule &need_module(op_exec &exec, op_exec_kernel &kernel) {
  LaunchVariant &variant = kernel.variant();
  if (variant.module) return *variant.module;
  variant.module = module_for(exec, kernel, variant.code);
  variant.code.text.clear();
  for (size_t g = variant.module->gathers.size(); g < variant.code.params.scratch.size(); ++g)
    variant.module->gathers.push_back(variant.module->module.function((gather_entry + std::to_string(g)).c_str()));
  variant.params.resize(variant.code.params.bytes);
  for (const ParamLayout::Global &global : variant.code.params.globals)
    if (!global.by_value) variant.globals.emplace_back(exec.driver, global.bytes);
  return *variant.module;
}

std::string loop_label(const op_exec_kernel &kernel) {
  return std::string("loop '") + kernel.signature->name + "' (" + form_of(kernel.variant()) + ")";
}

op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel) {
  return entry(exec, [&] { create(*exec, *source, *signature, kernel); });
}

void kernel_free(op_exec *exec, op_exec_kernel *kernel) {
  (void)entry(exec, [&] {
    const std::unique_ptr<op_exec_kernel_s> owned(kernel);
    exec->streams->wait_all(); // its code may be running
    for (const LaunchVariant &variant : kernel->variants) {
      if (!variant.module) continue;
      exec->graphs->forget(variant.module->function);
      for (const CUfunction gather : variant.module->gathers) exec->graphs->forget(gather);
    }
  });
}

const char *kernel_form(op_exec *, const op_exec_kernel *kernel) { return form_of(kernel->variant()); }

// Blocks have the size that they have on a CPU, so that what they reduce has the same bits.
op_status kernel_plan_request(op_exec *, const op_exec_kernel *kernel, op_exec_plan_request *request) {
  const DeviceSource &code = kernel->variant().code;
  const bool colours = code.method == Method::colours;
  request->plan = colours ? OP_PLAN_GLOBAL_COLOURS : OP_PLAN_NONE;
  if (code.fold == Fold::blocks) request->plan = colours ? OP_PLAN_BLOCK_COLOURS : OP_PLAN_BLOCKS;
  request->block_size = 0;
  request->again = kernel->tuner.measuring() ? 1 : 0;
  request->chains = kernel->tuner.measuring() ? 0 : 1;
  request->adds_in_order = code.method == Method::gather ? 1 : 0;
  if (is_staged(code.method)) {
    request->plan = OP_PLAN_ELEMENT_COLOURS;
    request->block_size = staged_elements(*kernel->signature, kernel->ordered);
    request->compact = kernel->variant().compact ? 1 : 0;
  }
  return OP_OK;
}

bool wants_lists(const DeviceSource &code) {
  return code.method == Method::colours || is_staged(code.method) || code.fold == Fold::blocks;
}

void take_plan(op_exec &exec, op_exec_kernel &kernel, const op_exec_plan &plan) {
  if (!wants_lists(kernel.variant().code) || plan.end == plan.begin) return;
  if (kernel.plan && kernel.plan_list == list_of(plan)) return;
  need_lists(kernel, plan);
  if (kernel.plan) exec.streams->wait_all(); // it may be in use
  kernel.plan.reset();
  kernel.plan_list = list_of(plan);
  auto &plans = share(exec).plans;
  kernel.plan = find_shared(plans, kernel.plan_list);
  if (kernel.plan) return;
  const size_t listed = plan.order && plan.colour_offset ? static_cast<size_t>(plan.colour_offset[plan.ncolours]) : 0;
  const size_t blocks = plan.nblocks > 0 && plan.block_offset ? static_cast<size_t>(plan.nblocks) + 1 : 0;
  plans[kernel.plan_list] = kernel.plan = std::make_shared<PlanLists>(
      PlanLists{uploaded(exec, plan.order, listed), uploaded(exec, plan.block_offset, blocks)});
}

op_status kernel_plan(op_exec *exec, op_exec_kernel *kernel, const op_exec_plan *plan) {
  return entry(exec, [&] { take_plan(*exec, *kernel, *plan); });
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
