// driver_launch.cpp: entry points of modules, functions and launches.
#include <algorithm>
#include <cstring>
#include <map>

#include "launch.hpp"

using namespace fake;

namespace {

constexpr int shared_default = 48 * 1024, shared_most = 227 * 1024;
constexpr std::size_t parameters_most = 4096;

std::shared_ptr<Module> module_of(void *handle) {
  const auto found = state().modules.find(handle);
  return found == state().modules.end() ? nullptr : found->second;
}

// Functions live as long as their modules; a function of an unloaded one is found out here.
std::shared_ptr<Module> owner(const Function *function) {
  for (const auto &[handle, module] : state().modules)
    if (module->owns(function)) return module;
  return nullptr;
}

std::vector<long double> parameters_of(const Function &function, void **parameters, void **extra) {
  const void *from = parameters ? parameters[0] : nullptr;
  for (; !parameters && extra && *extra; extra += 2) // CU_LAUNCH_PARAM_BUFFER_POINTER is 1
    if (reinterpret_cast<std::uintptr_t>(extra[0]) == 1) from = extra[1];
  std::vector<long double> kept(function.parameter_bytes / sizeof(long double) + 1);
  if (from) std::memcpy(kept.data(), from, function.parameter_bytes);
  return kept;
}

int load(const Call &call, void **handle, const void *image) {
  if (!handle || !image) return call.answer(invalid_value);
  std::shared_ptr<Module> module = Module::load(image);
  if (!module) return call.refuse(invalid_image, "no object of the fake compiler");
  *handle = module.get();
  state().modules[*handle] = std::move(module);
  return call.answer(success);
}

} // namespace

bool fake::is_loaded(const Function *function) { return owner(function) != nullptr; }

std::shared_ptr<Launch> fake::make_launch(const Call &call, const KernelNode &wanted, int &answer) {
  const auto refuse = [&](int code, const std::string &why) {
    answer = call.refuse(code, why);
    return nullptr;
  };
  const auto *function = static_cast<const Function *>(wanted.function);
  const auto module = owner(function);
  if (!module) return refuse(invalid_handle, "no such function");
  if (wanted.grid_y != 1 || wanted.grid_z != 1 || wanted.block_y != 1 || wanted.block_z != 1)
    return refuse(not_supported, "grids of one dimension only");
  if (wanted.grid_x == 0 || wanted.grid_x > 2147483647u || wanted.block_x == 0 || wanted.block_x > 1024)
    return refuse(invalid_value,
                  "a grid of " + std::to_string(wanted.grid_x) + " blocks of " + std::to_string(wanted.block_x));
  if (wanted.shared > static_cast<unsigned>(std::max(shared_default, function->shared_limit)))
    return refuse(invalid_value,
                  std::to_string(wanted.shared) + " bytes of shared memory, not allowed by the function");
  if (function->parameter_bytes > parameters_most) return refuse(invalid_value, "parameters of more than 4096 bytes");
  if (!wanted.parameters && !wanted.extra) return refuse(invalid_value, "no parameters");
  auto launch = std::make_shared<Launch>();
  launch->module = module;
  launch->function = function;
  launch->blocks = wanted.grid_x;
  launch->threads = wanted.block_x;
  launch->shared = wanted.shared;
  launch->parameters = parameters_of(*function, wanted.parameters, wanted.extra);
  return launch;
}

Op fake::op_of(const std::shared_ptr<Launch> &launch) {
  Op op{"kernel " + launch->function->name, [launch] { return run_grid(*launch); }, nullptr, 0, 0};
  if (!launch->function->resident) return op;
  const auto answer = std::make_shared<int>(not_ready);
  op.remote = true;
  op.ready = [=] { return *answer != not_ready || (*answer = run_grid(*launch)) != not_ready; };
  op.run = [=] { return *answer; };
  return op;
}

int fake::blocks_at_a_time(int threads, std::size_t shared) {
  if (threads > 1024) return 0;
  int most = std::min({32, 2048 / ((threads + 31) / 32 * 32), state().settings.resident});
  if (shared > 0) most = std::min(most, static_cast<int>(228 * 1024 / (shared + 1024)));
  return most;
}

FAKE_ENTRY cuModuleLoadData(void **module, const void *image) {
  FAKE_CALL("cuModuleLoadData");
  return load(call, module, image);
}

FAKE_ENTRY cuModuleLoadDataEx(void **module, const void *image, unsigned, int *, void **) {
  FAKE_CALL("cuModuleLoadDataEx");
  return load(call, module, image);
}

FAKE_ENTRY cuModuleUnload(void *module) {
  FAKE_CALL("cuModuleUnload");
  if (state().modules.erase(module) == 0) return call.refuse(invalid_handle, "no such module");
  return call.answer(success);
}

FAKE_ENTRY cuModuleGetFunction(void **function, void *handle, const char *name) {
  FAKE_CALL("cuModuleGetFunction", "name", name);
  const auto module = module_of(handle);
  if (!module) return call.refuse(invalid_handle, "no such module");
  *function = module->function(name);
  return call.answer(*function ? success : not_found);
}

FAKE_ENTRY cuModuleGetGlobal_v2(DevicePointer *pointer, std::size_t *bytes, void *handle, const char *name) {
  FAKE_CALL("cuModuleGetGlobal", "name", name);
  const auto module = module_of(handle);
  if (!module) return call.refuse(invalid_handle, "no such module");
  std::size_t size = 0;
  auto *address = static_cast<char *>(module->variable(name, size));
  if (!address) return call.answer(not_found);
  state().memory.adopt(address, size, Kind::global, current_device()->ordinal);
  if (pointer) *pointer = reinterpret_cast<std::uintptr_t>(address) | tag;
  if (bytes) *bytes = size;
  return call.answer(success);
}

FAKE_ENTRY cuFuncGetAttribute(int *value, int attribute, void *handle) {
  FAKE_CALL("cuFuncGetAttribute", "attribute", attribute);
  const auto *function = static_cast<const Function *>(handle);
  if (!owner(function)) return call.refuse(invalid_handle, "no such function");
  const int arch = state().settings.arch;
  const std::map<int, int> values = {
      {0, 1024}, {1, 0}, {2, 0}, {3, 0}, {4, 32}, {5, arch}, {6, arch}, {7, 0}, {8, function->shared_limit}};
  const auto found = values.find(attribute);
  *value = found == values.end() ? 0 : found->second;
  return call.answer(success);
}

FAKE_ENTRY cuFuncSetAttribute(void *handle, int attribute, int value) {
  FAKE_CALL("cuFuncSetAttribute", "attribute", attribute, "value", value);
  auto *function = static_cast<Function *>(handle);
  if (!owner(function)) return call.refuse(invalid_handle, "no such function");
  if (attribute == 8) { // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
    if (value < 0 || value > shared_most) return call.refuse(invalid_value, "more shared memory than a block can have");
    function->shared_limit = value;
  }
  return call.answer(success);
}

FAKE_ENTRY cuFuncSetCacheConfig(void *, int) { return success; }

FAKE_ENTRY cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *handle, int threads, std::size_t shared) {
  FAKE_CALL("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  if (!owner(static_cast<const Function *>(handle))) return call.refuse(invalid_handle, "no such function");
  if (threads < 1) return call.answer(invalid_value);
  *blocks = blocks_at_a_time(threads, shared);
  return call.answer(success);
}

FAKE_ENTRY cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void *function, int threads,
                                                                std::size_t shared, unsigned) {
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}

FAKE_ENTRY cuLaunchKernel(void *handle, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                          unsigned block_y, unsigned block_z, unsigned shared, void *stream_handle, void **parameters,
                          void **extra) {
  const auto *function = static_cast<const Function *>(handle);
  // The name is looked up only where the function is known to live.
  std::unique_lock lock(state().mutex);
  const auto module = state().initialised ? owner(function) : nullptr;
  FAKE_CALL("cuLaunchKernel", "name", module ? function->name : std::string("?"), "grid", grid_x, "block", block_x,
            "shared", shared, "stream", id_of(stream_handle));
  const auto stream = stream_of(stream_handle);
  if (module && !stream) return call.refuse(invalid_handle, "no such stream");
  const auto &settings = state().settings;
  if (settings.fault == "refuse_launch" && ++state().launches % settings.fault_every == 0)
    return call.answer(out_of_memory);
  int answer = success;
  const auto launch = make_launch(
      call, {handle, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, parameters, extra, nullptr, nullptr},
      answer);
  if (!launch) return answer;
  issue(stream, op_of(launch));
  return call.answer(success);
}

// SPDX-License-Identifier: MIT
