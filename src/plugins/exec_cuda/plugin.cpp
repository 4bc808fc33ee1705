// plugin.cpp: choosing a device, its life, and the tables.
#include <algorithm>

#include "halo/channel.hpp"
#include "halo/exchange.hpp"
#include "halo/halo.hpp"
#include "launch/chain.hpp"
#include "memory/row_converter.hpp"
#include "memory/staging.hpp"
#include "memory/virtual_memory.hpp"

op_exec_s::op_exec_s() = default;
op_exec_s::~op_exec_s() = default;

namespace op2::exec_cuda {

namespace {

int device_count(const Driver &driver) {
  int count = 0;
  const CUresult status = driver.cuDeviceGetCount(&count);
  if (status != CUDA_SUCCESS && status != CUDA_ERROR_NO_DEVICE) driver.check(status, "count the devices");
  if (count <= 0)
    throw Failure(OP_ERR_BACKEND,
                  "the NVIDIA driver is there, but no GPU that may be used; CUDA_VISIBLE_DEVICES may hide it");
  return count;
}

// The number of the device: that of the program, else the processes of a machine take turns.
int choose_device(const op_exec_params &params, int count) {
  const int number = params.device >= 0 ? params.device : std::max(0, params.node_rank) % count;
  if (number >= count)
    throw Failure(OP_ERR_ARGUMENT, "device " + std::to_string(number) + " is wanted, but there are " +
                                       std::to_string(count) + ", counted from 0");
  return number;
}

void learn_about_device(op_exec &exec, int number) {
  const Driver &driver = exec.driver;
  driver.check(driver.cuDeviceGet(&exec.device, number), "take device " + std::to_string(number));
  char name[256] = "";
  driver.check(driver.cuDeviceGetName(name, sizeof name - 1, exec.device), "ask for the name of the device");
  exec.device_name = name;
  exec.arch = 10 * driver.attribute(exec.device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
              driver.attribute(exec.device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  exec.multiprocessors = driver.attribute(exec.device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  exec.most_threads = driver.attribute(exec.device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  exec.most_shared = driver.attribute(exec.device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
}

void read_settings(op_exec &exec) {
  exec.reproducible = setting(exec.host, "OP2_REPRODUCIBLE") == "1";
  exec.dump = setting(exec.host, "OP2_JIT_DUMP");
  exec.options = split_options(setting(exec.host, "OP2_CUDA_OPTIONS"), "OP2_CUDA_OPTIONS");
  exec.libraries = setting(exec.host, "OP2_CUDA_PATH");
}

constexpr unsigned blocks_at_once = 8; // of 256 threads that a multiprocessor runs at a time

void make_parts(op_exec &exec) {
  const Current current(exec.driver, exec.context);
  exec.streams = std::make_unique<Streams>(exec.driver);
  const unsigned few_blocks = blocks_at_once * static_cast<unsigned>(std::max(1, exec.multiprocessors));
  exec.graphs = std::make_unique<GraphCache>(exec.driver, exec.host, exec.streams->compute,
                                             setting(exec.host, "OP2_CUDA_GRAPHS"), few_blocks);
  exec.streams->compute.watch(exec.graphs.get());
  exec.upload = std::make_unique<Upload>(exec.driver, exec.streams->compute);
  exec.staging = std::make_unique<Staging>(exec.driver, exec.streams->compute);
  exec.halo = std::make_unique<Halo>(exec);
  exec.row_converter = std::make_unique<RowConverter>(exec);
}

// What is held back may write to memory that the program looks at by ways of its own.
void finish_graphs(op_exec &exec) {
  try {
    exec.graphs->flush();
  } catch (const Failure &failure) {
    exec.host->log(exec.host, OP_LOG_WARN, (std::string("executor cuda: ") + failure.what()).c_str());
  }
  exec.streams->compute.watch(nullptr);
  exec.host->log(exec.host, OP_LOG_INFO, ("executor cuda: " + exec.graphs->report()).c_str());
}

// Gives everything back; what fails now has nobody to be told.
void release(op_exec &exec) {
  if (!exec.context) return;
  if (exec.driver.cuCtxPushCurrent(exec.context) == CUDA_SUCCESS) {
    if (exec.graphs) finish_graphs(exec);
    if (exec.streams) {
      exec.driver.cuStreamSynchronize(exec.streams->compute.raw());
      exec.driver.cuStreamSynchronize(exec.streams->halo.raw());
    }
    exec.graphs.reset();
    exec.exchanges.reset();
    exec.loops.reset();
    exec.halo.reset();
    exec.row_converter.reset();
    exec.virtual_memory.reset();
    exec.staging.reset();
    exec.upload.reset();
    exec.streams.reset();
    CUcontext before = nullptr;
    exec.driver.cuCtxPopCurrent(&before);
  }
  exec.driver.cuDevicePrimaryCtxRelease(exec.device);
}

void log_device(const op_exec &exec, int number, int count) {
  const std::string line = "executor cuda: device " + std::to_string(number) + " of " + std::to_string(count) + ", " +
                           exec.device_name + " (sm_" + std::to_string(exec.arch) + ", " +
                           std::to_string(exec.multiprocessors) + " multiprocessors)";
  exec.host->log(exec.host, OP_LOG_INFO, line.c_str());
}

void open_device(op_exec &exec, const op_exec_params &params) {
  exec.host = params.host;
  read_settings(exec);
  exec.driver = Driver::load(exec.libraries);
  const int count = device_count(exec.driver);
  const int number = choose_device(params, count);
  learn_about_device(exec, number);
  exec.driver.check(exec.driver.cuDevicePrimaryCtxRetain(&exec.context, exec.device),
                    "start device " + exec.device_name);
  make_parts(exec);
  log_device(exec, number, count);
}

op_status open(const op_exec_params *params, op_exec **exec) {
  return guarded(params->host, [&] {
    auto made = std::make_unique<op_exec_s>();
    try {
      open_device(*made, *params);
    } catch (...) {
      release(*made);
      throw;
    }
    *exec = made.release();
  });
}

void close(op_exec *exec) {
  const std::unique_ptr<op_exec_s> owner(exec);
  if (owner) release(*owner);
}

op_status caps(op_exec *exec, op_exec_caps *caps) {
  caps->space = OP_SPACE_CUDA;
  caps->separate_memory = 1;
  constexpr op_space transport[] = {OP_SPACE_CUDA, OP_SPACE_CUDA_PINNED, OP_SPACE_HOST, OP_SPACE_NONE};
  std::copy(std::begin(transport), std::end(transport), caps->transport);
  caps->asynchronous = 1;
  const std::string race = setting(exec->host, "OP2_RACE"); // others take atomic additions where these are faster
  caps->deterministic = race == "colour" || race == "gather";
  caps->concurrency = std::max(1, exec->multiprocessors);
  caps->host_code = 0;
  caps->layouts = 1;
  caps->layout = OP_LAYOUT_SOA; // an estimate: docs/layouts.md
  caps->layout_above = 16;      // bytes that a thread moves at once
  caps->reproducible = 0;
  caps->device_text = 1;
  caps->chunk = chunk_of(*exec);
  return OP_OK;
}

// Loads the driver, which a machine with a GPU has in memory anyway, and only looks for the compiler.
int score(const op_host_v1 *host) {
  const op_status status = guarded(host, [&] {
    const Driver driver = Driver::load(setting(host, "OP2_CUDA_PATH"));
    device_count(driver);
    std::string why;
    if (!Nvrtc::exists(setting(host, "OP2_CUDA_PATH"), why)) throw Failure(OP_ERR_BACKEND, why);
  });
  return status == OP_OK ? 100 : 0;
}

op_status finish_work(op_exec *exec) {
  return entry(exec, [&] { exec->streams->wait_all(); });
}

constexpr op_exec_ops_v1 ops = [] {
  op_exec_ops_v1 t{};
  t.size = sizeof t;
  t.open = open;
  t.close = close;
  t.caps = caps;
  t.mem_alloc = mem_alloc;
  t.mem_free = mem_free;
  t.mem_copy = mem_copy;
  t.mem_zero = mem_zero;
  t.kernel_create = kernel_create;
  t.kernel_free = kernel_free;
  t.kernel_form = kernel_form;
  t.kernel_plan_request = kernel_plan_request;
  t.loop_run = loop_run;
  t.reduce_wait = reduce_wait;
  t.event_wait = event_wait;
  t.event_query = event_query;
  t.event_free = event_free;
  t.halo_upload = halo_upload;
  t.halo_free = halo_free;
  t.halo_pack = halo_pack;
  t.halo_unpack = halo_unpack;
  t.kernel_plan = kernel_plan;
  t.finish = finish_work;
  t.channel_open = channel_open;
  t.channel_close = channel_close;
  t.channel_halo_create = channel_halo_create;
  t.channel_halo_free = channel_halo_free;
  t.channel_send = channel_send;
  t.channel_taken = channel_taken;
  t.channel_give_up = channel_give_up;
  t.mem_copy_rows = mem_copy_rows;
  t.chain_create = chain_create;
  t.chain_free = chain_free;
  t.chain_run = chain_run;
  t.chain_form = chain_form;
  t.mark = mark;
  t.elapsed = elapsed;
  t.mem_reserve = mem_reserve;
  t.mem_commit = mem_commit;
  t.mem_move = mem_move;
  return t;
}();

constexpr op_plugin_v1 plugin =
    exec_common::describe("cuda", "one NVIDIA GPU", "headers of CUDA " OP2_CUDA_HEADERS, nullptr, score, &ops);

} // namespace

} // namespace op2::exec_cuda

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &op2::exec_cuda::plugin; }

// SPDX-License-Identifier: MIT
