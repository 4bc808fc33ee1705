// kernel.cpp: kernels from their text, the ways to run them, and their plans on the device.
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

template <class Key, class T>
void forget_expired(std::map<Key, std::weak_ptr<T>> &known) {
  std::erase_if(known, [](const auto &entry) { return entry.second.expired(); });
}

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

std::shared_ptr<LoopModule> module_for(op_exec &exec, const op_exec_kernel &kernel, const std::string &text) {
  const std::string name = kernel.signature->name;
  auto &known = share(exec).modules;
  if (const auto found = known.find(text); found != known.end())
    if (std::shared_ptr<LoopModule> code = found->second.lock()) return code;
  forget_expired(known);
  Module module = compiled(exec, text, name);
  const CUfunction function = module.function(kernel_entry);
  const auto code = std::make_shared<LoopModule>(LoopModule{std::move(module), function, {}, 0, {}});
  if (!kernel.constants.empty()) {
    const Module::Global values = code->module.global(constants_symbol);
    if (values.bytes < kernel.declared_bytes)
      throw Failure(OP_ERR_UNSUPPORTED, "loop '" + name + "': the constants have " + std::to_string(values.bytes) +
                                            " bytes on the GPU and " + std::to_string(kernel.declared_bytes) +
                                            " on the host");
    code->constants_at = values.address;
  }
  known[text] = code;
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
  std::vector<WayWish> wishes = ways_for(exec, signature, made->ordered);
  made->trial.running = wishes.size() > 1;
  if (is_staged(wishes.front().method)) wishes.push_back({Method::atomics}); // for blocks that turn out too large
  for (const WayWish &wish : wishes)
    made->ways.push_back(
        {write_code(*text, signature, wish.method, made->ordered), wish.compact_blocks, nullptr, {}, {}});
  take_remembered(exec, *made);
  need_module(exec, *made);
  *kernel = made.release();
}

} // namespace

const char *form_of(const Way &way) {
  switch (way.code.method) {
    case Method::atomics:
      return "cuda atomics";
    case Method::colours:
      return "cuda colours";
    case Method::staged:
      return way.compact ? "cuda staged colours, compact blocks" : "cuda staged colours";
    case Method::staged_atomics:
      return way.compact ? "cuda staged atomics, compact blocks" : "cuda staged atomics";
    case Method::gather:
      return "cuda gather";
    default:
      return "cuda";
  }
}

LoopModule &need_module(op_exec &exec, op_exec_kernel &kernel) {
  Way &way = kernel.way();
  if (way.module) return *way.module;
  way.module = module_for(exec, kernel, way.code.text);
  way.code.text.clear();
  for (size_t g = way.module->gathers.size(); g < way.code.params.scratch.size(); ++g)
    way.module->gathers.push_back(way.module->module.function((gather_entry + std::to_string(g)).c_str()));
  way.params.resize(way.code.params.bytes);
  for (const ParamLayout::Global &global : way.code.params.globals)
    if (!global.by_value) way.globals.emplace_back(exec.driver, global.bytes);
  return *way.module;
}

std::string loop_label(const op_exec_kernel &kernel) {
  return std::string("loop '") + kernel.signature->name + "' (" + form_of(kernel.way()) + ")";
}

op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel) {
  return entry(exec, [&] { create(*exec, *source, *signature, kernel); });
}

void kernel_free(op_exec *exec, op_exec_kernel *kernel) {
  (void)entry(exec, [&] {
    const std::unique_ptr<op_exec_kernel_s> owned(kernel);
    exec->streams->wait_all(); // its code may be running
    for (const Way &way : kernel->ways) {
      if (!way.module) continue;
      exec->chains->forget(way.module->function);
      for (const CUfunction gather : way.module->gathers) exec->chains->forget(gather);
    }
  });
}

const char *kernel_form(op_exec *, const op_exec_kernel *kernel) { return form_of(kernel->way()); }

// Blocks have the size that they have on a CPU, so that what they reduce has the same bits.
op_status kernel_wish(op_exec *, const op_exec_kernel *kernel, op_exec_wish *wish) {
  const LoopCode &code = kernel->way().code;
  const bool colours = code.method == Method::colours;
  wish->plan = colours ? OP_PLAN_GLOBAL_COLOURS : OP_PLAN_NONE;
  if (code.fold == Fold::blocks) wish->plan = colours ? OP_PLAN_BLOCK_COLOURS : OP_PLAN_BLOCKS;
  wish->block_size = 0;
  wish->again = kernel->trial.running ? 1 : 0;
  if (is_staged(code.method)) {
    wish->plan = OP_PLAN_ELEMENT_COLOURS;
    wish->block_size = staged_elements(*kernel->signature, kernel->ordered);
    wish->compact = kernel->way().compact ? 1 : 0;
  }
  return OP_OK;
}

namespace {

// A list of the plan that tells it from others: plans live as long as the kernel.
const int32_t *list_of(const op_exec_plan &plan) { return plan.order ? plan.order : plan.block_offset; }

void need_lists(const op_exec_kernel &kernel, const op_exec_plan &plan) {
  const LoopCode &code = kernel.way().code;
  const bool colours = plan.order && plan.colour_offset;
  const bool blocks = plan.nblocks > 0 && plan.block_offset;
  if (code.method == Method::colours && code.fold != Fold::blocks && !(colours && plan.kind == OP_PLAN_GLOBAL_COLOURS))
    throw Failure(OP_ERR_PLUGIN, loop_label(kernel) + ": the division of the loop has no colours of elements");
  if ((code.fold == Fold::blocks && !blocks) || (is_staged(code.method) && !(blocks && colours)))
    throw Failure(OP_ERR_PLUGIN, loop_label(kernel) + ": the division of the loop has no blocks");
}

} // namespace

bool wants_lists(const LoopCode &code) {
  return code.method == Method::colours || is_staged(code.method) || code.fold == Fold::blocks;
}

void take_plan(op_exec &exec, op_exec_kernel &kernel, const op_exec_plan &plan) {
  if (!wants_lists(kernel.way().code) || plan.end == plan.begin) return;
  if (kernel.plan && kernel.plan_list == list_of(plan)) return;
  need_lists(kernel, plan);
  auto &known = share(exec).plans;
  if (kernel.plan) exec.streams->wait_all(); // it may be in use
  kernel.plan.reset();
  kernel.plan_list = list_of(plan);
  if (const auto found = known.find(kernel.plan_list); found != known.end()) kernel.plan = found->second.lock();
  if (kernel.plan) return;
  forget_expired(known);
  const size_t listed = plan.order && plan.colour_offset ? static_cast<size_t>(plan.colour_offset[plan.ncolours]) : 0;
  const size_t blocks = plan.nblocks > 0 && plan.block_offset ? static_cast<size_t>(plan.nblocks) + 1 : 0;
  const auto room = [&](size_t count) { return Device(exec.driver, std::max<size_t>(count, 1) * sizeof(int32_t)); };
  const auto lists = std::make_shared<PlanLists>(PlanLists{room(listed), room(blocks)});
  if (listed > 0) exec.upload->put(lists->order.address(), plan.order, listed * sizeof(int32_t));
  if (blocks > 0) exec.upload->put(lists->block_offset.address(), plan.block_offset, blocks * sizeof(int32_t));
  known[kernel.plan_list] = kernel.plan = lists;
}

op_status kernel_plan(op_exec *exec, op_exec_kernel *kernel, const op_exec_plan *plan) {
  return entry(exec, [&] { take_plan(*exec, *kernel, *plan); });
}

} // namespace op2::exec_cuda
