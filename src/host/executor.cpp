#include "host/executor.hpp"

#include "base/error.hpp"
#include "host/plugins/tables.hpp"

namespace op2::core {

Executor::Executor(Registry &registry, const Services &services, const std::string &name, const ExecutorChoice &choice)
    : name_(name), services_(services), ops_(exec_table(registry, registry.get(OP_PLUGIN_EXEC, name))) {
  op_exec_params params{};
  params.size = sizeof params;
  params.host = services.table();
  params.node_rank = choice.node_rank;
  params.node_size = choice.node_size;
  params.threads = choice.threads;
  params.device = -1;
  check(ops_.open(&params, &exec_), "open");
  need_made(exec_, "open");
  caps_.size = sizeof caps_;
  const op_status status = ops_.caps(exec_, &caps_);
  const bool possible = caps_.space > OP_SPACE_NONE && caps_.concurrency > 0;
  if (status == OP_OK && possible) return;
  ops_.close(exec_);
  check(status, "caps");
  fail(OP_ERR_PLUGIN, "executor ", name_, ", caps: space ", caps_.space, " and concurrency ", caps_.concurrency,
       " cannot be; both must be at least 1");
}

Executor::~Executor() { ops_.close(exec_); }

void Executor::fail_entry(op_status status, const char *entry) const {
  const std::string message = services_.take_failure();
  if (status == OP_ERR_CHECK) fail(status, message); // about the program, not about the executor
  fail(status, "executor ", name_, ", ", entry, ": ", message.empty() ? status_name(status) : message);
}

void Executor::need_made(const void *object, const char *entry) const {
  if (!object) fail(OP_ERR_PLUGIN, "executor ", name_, ", ", entry, ": it reports success but made nothing");
}

void *Executor::alloc(op_space space, std::size_t bytes) {
  void *p = nullptr;
  check(ops_.mem_alloc(exec_, space, bytes, &p), "mem_alloc");
  if (bytes > 0) need_made(p, "mem_alloc");
  return p;
}

void Executor::wait(op_event event) {
  if (!event) return;
  const op_status status = ops_.event_wait ? ops_.event_wait(exec_, event) : OP_ERR_PLUGIN;
  if (ops_.event_free) ops_.event_free(exec_, event);
  check(status, "event_wait");
}

void Executor::copy(void *to, op_space to_space, const void *from, op_space from_space, std::size_t bytes) {
  op_event done = nullptr;
  check(ops_.mem_copy(exec_, to, to_space, from, from_space, bytes, &done), "mem_copy");
  wait(done);
}

void Executor::zero(op_space space, void *p, std::size_t bytes) {
  check(ops_.mem_zero(exec_, space, p, bytes), "mem_zero");
}

void Executor::copy_rows(const op_exec_rows &rows) {
  op_event done = nullptr;
  check(ops_.mem_copy_rows(exec_, &rows, &done), "mem_copy_rows");
  wait(done);
}

char *Executor::reserve(std::size_t bytes) {
  void *p = nullptr;
  check(ops_.mem_reserve(exec_, bytes, &p), "mem_reserve");
  need_made(p, "mem_reserve");
  return static_cast<char *>(p);
}

op_event Executor::moved() {
  op_event done = nullptr;
  check(ops_.mem_move(exec_, nullptr, OP_SPACE_NONE, nullptr, OP_SPACE_NONE, 0, &done), "mem_move");
  return done;
}

op_exec_kernel *Executor::kernel_create(const op_exec_source &source, const op_exec_signature &signature) {
  op_exec_kernel *kernel = nullptr;
  check(ops_.kernel_create(exec_, &source, &signature, &kernel), "kernel_create");
  need_made(kernel, "kernel_create");
  return kernel;
}

const char *Executor::kernel_form(const op_exec_kernel *kernel) const {
  const char *form = ops_.kernel_form(exec_, kernel);
  return form ? form : "";
}

op_exec_plan_request Executor::kernel_plan_request(const op_exec_kernel *kernel) {
  op_exec_plan_request request{};
  request.size = sizeof request;
  check(ops_.kernel_plan_request(exec_, kernel, &request), "kernel_plan_request");
  return request;
}

void Executor::kernel_plan(op_exec_kernel *kernel, const op_exec_plan &plan) {
  if (ops_.kernel_plan) check(ops_.kernel_plan(exec_, kernel, &plan), "kernel_plan");
}

void Executor::loop_run(op_exec_kernel *kernel, const op_exec_call &call) {
  check(ops_.loop_run(exec_, kernel, &call), "loop_run");
  if (call.reduce_result && ops_.reduce_wait) check(ops_.reduce_wait(exec_, kernel), "reduce_wait");
}

op_exec_chain *Executor::chain_create(const op_exec_chain_plan &plan) {
  op_exec_chain *chain = nullptr;
  check(ops_.chain_create(exec_, &plan, &chain), "chain_create");
  need_made(chain, "chain_create");
  return chain;
}

const char *Executor::chain_form(const op_exec_chain *chain) const {
  const char *form = ops_.chain_form ? ops_.chain_form(exec_, chain) : nullptr;
  return form ? form : "";
}

bool Executor::chain_threads(const op_exec_chain *chain, std::span<std::int32_t> thread) const {
  return ops_.chain_threads && ops_.chain_threads(exec_, chain, thread.data()) == OP_OK;
}

Executor::ThreadSeconds Executor::thread_seconds() const {
  ThreadSeconds out;
  out.busy.resize(static_cast<std::size_t>(std::max(caps_.concurrency, 1)));
  if (!ops_.thread_seconds || ops_.thread_seconds(exec_, out.busy.data(), &out.shared) != OP_OK) return {};
  return out;
}

op_event Executor::mark(std::int32_t queue) {
  op_event event = nullptr;
  check(ops_.mark(exec_, queue, &event), "mark");
  return event;
}

double Executor::elapsed(op_event from, op_event to) const {
  double seconds = 0;
  check(ops_.elapsed(exec_, from, to, &seconds), "elapsed");
  return seconds;
}

void Executor::finish() {
  if (ops_.finish) check(ops_.finish(exec_), "finish");
}

op_exec_halo *Executor::halo_upload(std::span<const op_exec_halo_lists> lists) {
  op_exec_halo *halo = nullptr;
  check(ops_.halo_upload(exec_, lists.data(), static_cast<std::int32_t>(lists.size()), &halo), "halo_upload");
  need_made(halo, "halo_upload");
  return halo;
}

op_event Executor::halo_pack(op_exec_halo *halo, std::span<const op_exec_halo_item> items, void *buffer,
                             op_space space) {
  op_event done = nullptr;
  const std::int32_t nitems = static_cast<std::int32_t>(items.size());
  check(ops_.halo_pack(exec_, halo, items.data(), nitems, buffer, space, &done), "halo_pack");
  return done;
}

op_event Executor::halo_unpack(op_exec_halo *halo, std::span<const op_exec_halo_item> items, const void *buffer,
                               op_space space) {
  op_event done = nullptr;
  const std::int32_t nitems = static_cast<std::int32_t>(items.size());
  check(ops_.halo_unpack(exec_, halo, items.data(), nitems, buffer, space, &done), "halo_unpack");
  return done;
}

op_exec_channel *Executor::channel_open(const op_exec_channel_params &params) {
  op_exec_channel *channel = nullptr;
  check(ops_.channel_open(exec_, &params, &channel), "channel_open");
  need_made(channel, "channel_open");
  return channel;
}

op_exec_channel_halo *Executor::channel_halo_create(op_exec_channel *channel, const op_exec_channel_halo_params &params,
                                                    char *&send) {
  op_exec_channel_halo *halo = nullptr;
  void *place = nullptr;
  check(ops_.channel_halo_create(exec_, channel, &params, &halo, &place), "channel_halo_create");
  need_made(halo, "channel_halo_create");
  send = static_cast<char *>(place);
  return halo;
}

const char *Executor::channel_send(op_exec_channel_halo *halo) {
  const void *place = nullptr;
  check(ops_.channel_send(exec_, halo, &place), "channel_send");
  return static_cast<const char *>(place);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
