// An opened executor: the entry table of exec.h, with failures as exceptions.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "host/plugins/registry.hpp"
#include "op2/plugin/exec.h"
#include "paging/paged_array.hpp"

namespace op2::core {

struct ExecutorChoice {
  int node_rank = 0, node_size = 1;
  int threads = 0;
};

class Executor {
 public:
  // Opens the plugin. Throws OP_ERR_PLUGIN, OP_ERR_BACKEND or the plugin's status.
  Executor(Registry &registry, const Services &services, const std::string &name, const ExecutorChoice &choice);
  ~Executor();
  Executor(const Executor &) = delete;
  Executor &operator=(const Executor &) = delete;

  const std::string &name() const { return name_; }
  const op_exec_caps &caps() const { return caps_; }

  void *alloc(op_space space, std::size_t bytes); // throws OP_ERR_MEMORY
  void free(op_space space, void *p) noexcept { ops_.mem_free(exec_, space, p); }
  // These two are complete when they return.
  void copy(void *to, op_space to_space, const void *from, op_space from_space, std::size_t bytes);
  void zero(op_space space, void *p, std::size_t bytes);
  // Whole dats to and from other layouts, if the executor has the entry.
  bool copies_rows() const { return ops_.mem_copy_rows != nullptr; }
  void copy_rows(const op_exec_rows &rows);

  // Memory for a part of an array, see exec.h.
  bool gives_chunks() const {
    return caps_.chunk > 0 && caps_.separate_memory && ops_.mem_reserve && ops_.mem_commit && ops_.mem_move;
  }
  char *reserve(std::size_t bytes);
  void commit(char *p, std::size_t bytes, bool on) { check(ops_.mem_commit(exec_, p, bytes, on), "mem_commit"); }
  void move(void *to, op_space to_space, const void *from, op_space from_space, std::size_t bytes) {
    check(ops_.mem_move(exec_, to, to_space, from, from_space, bytes, nullptr), "mem_move");
  }
  op_event moved(); // the event of all that was moved so far, and of all requests before

  op_exec_kernel *kernel_create(const op_exec_source &source, const op_exec_signature &signature);
  void kernel_free(op_exec_kernel *kernel) noexcept { ops_.kernel_free(exec_, kernel); }
  const char *kernel_form(const op_exec_kernel *kernel) const;
  bool changes_ranges() const { return caps_.host_code && ops_.kernel_range; }
  void kernel_range(op_exec_kernel *kernel, op_range_fn range, const char *form) {
    check(ops_.kernel_range(exec_, kernel, range, form), "kernel_range");
  }
  op_exec_plan_request kernel_plan_request(const op_exec_kernel *kernel);
  void kernel_plan(op_exec_kernel *kernel, const op_exec_plan &plan);
  // Runs the loop and waits until it is complete.
  void loop_run(op_exec_kernel *kernel, const op_exec_call &call);
  void finish(); // waits until all requests are complete
  // Several loops at once, see exec.h: in lists of segments, or whole.
  bool runs_chains() const { return caps_.host_code && has_chains(); }
  bool runs_whole_chains() const { return !caps_.host_code && has_chains(); }
  // It looks at loops as a whole: for loops that may be in a chain, the core verifies the order of pieces.
  bool checks_chains() const { return !caps_.host_code && !has_chains(); }
  // Loops come to it in as many parts as their order needs; else in few, since each part is a launch.
  bool takes_parts() const { return caps_.host_code || (checks_chains() && !caps_.separate_memory); }
  op_exec_chain *chain_create(const op_exec_chain_plan &plan);
  void chain_free(op_exec_chain *chain) noexcept { ops_.chain_free(exec_, chain); }
  // After a failure, `failed` is the number of the loop.
  void chain_run(op_exec_chain *chain, const op_exec_call *calls, double *times, std::int32_t &failed) {
    check(ops_.chain_run(exec_, chain, calls, times, &failed), "chain_run");
  }
  const char *chain_form(const op_exec_chain *chain) const; // "" = it does not say
  // Which thread ran each list in the last run; false: the wanted ones.
  bool chain_threads(const op_exec_chain *chain, std::span<std::int32_t> thread) const;
  // Since the executor was opened: how long each thread has run elements of loops that threads share, and how long
  // these loops took. Empty: not known.
  struct ThreadSeconds {
    std::vector<double> busy;
    double shared = 0;
  };
  ThreadSeconds thread_seconds() const;
  // Halos in the executor's own memory. The caller passes each event of pack and unpack to wait() or forget().
  bool packs_halos() const {
    return caps_.separate_memory && ops_.halo_upload && ops_.halo_free && ops_.halo_pack && ops_.halo_unpack;
  }
  op_exec_halo *halo_upload(std::span<const op_exec_halo_lists> lists);
  void halo_free(op_exec_halo *halo) noexcept { ops_.halo_free(exec_, halo); }
  op_event halo_pack(op_exec_halo *halo, std::span<const op_exec_halo_item> items, void *buffer, op_space space);
  op_event halo_unpack(op_exec_halo *halo, std::span<const op_exec_halo_item> items, const void *buffer,
                       op_space space);
  void wait(op_event event); // and frees it
  void forget(op_event event) noexcept {
    if (event && ops_.event_free) ops_.event_free(exec_, event);
  }
  // Times on the device, see exec.h. The caller passes each mark to forget().
  bool marks_times() const { return ops_.mark && ops_.elapsed && ops_.event_query; }
  op_event mark(std::int32_t queue);
  double elapsed(op_event from, op_event to) const; // seconds; both must be past()
  bool past(op_event event) const { return !event || !ops_.event_query || ops_.event_query(exec_, event) != 0; }
  // Device channels, see exec.h.
  bool has_device_channels() const {
    return ops_.channel_open && ops_.channel_close && ops_.channel_halo_create && ops_.channel_halo_free &&
           ops_.channel_send && ops_.channel_taken && ops_.channel_give_up;
  }
  op_exec_channel *channel_open(const op_exec_channel_params &params);
  void channel_close(op_exec_channel *channel) noexcept { ops_.channel_close(exec_, channel); }
  op_exec_channel_halo *channel_halo_create(op_exec_channel *channel, const op_exec_channel_halo_params &params,
                                            char *&send);
  void channel_halo_free(op_exec_channel_halo *halo) noexcept { ops_.channel_halo_free(exec_, halo); }
  const char *channel_send(op_exec_channel_halo *halo);
  void channel_taken(op_exec_channel_halo *halo) { check(ops_.channel_taken(exec_, halo), "channel_taken"); }
  void channel_give_up(op_exec_channel *channel) noexcept { ops_.channel_give_up(exec_, channel); }

 private:
  bool has_chains() const { return ops_.chain_create && ops_.chain_free && ops_.chain_run; }
  void check(op_status status, const char *entry) const {
    if (status != OP_OK) [[unlikely]]
      fail_entry(status, entry);
  }
  [[noreturn]] void fail_entry(op_status status, const char *entry) const;
  void need_made(const void *object, const char *entry) const; // throws OP_ERR_PLUGIN for NULL

  std::string name_;
  const Services &services_;
  op_exec_ops_v1 ops_;
  op_exec *exec_ = nullptr;
  op_exec_caps caps_{};
};

// A kernel of an executor. The executor must outlive it.
class Kernel {
 public:
  Kernel(Executor &executor, const op_exec_source &source, const op_exec_signature &signature)
      : executor_(&executor), kernel_(executor.kernel_create(source, signature)) {}
  Kernel(Kernel &&other) noexcept : executor_(other.executor_), kernel_(std::exchange(other.kernel_, nullptr)) {}
  Kernel &operator=(Kernel &&) = delete;
  ~Kernel() {
    if (kernel_) executor_->kernel_free(kernel_);
  }
  op_exec_kernel *get() const { return kernel_; }

 private:
  Executor *executor_;
  op_exec_kernel *kernel_;
};

// Memory of an executor, which the destructor frees. The executor must outlive it.
class Storage {
 public:
  Storage() = default;
  Storage(Executor &executor, op_space space, std::size_t bytes)
      : executor_(&executor), space_(space), bytes_(bytes), data_(static_cast<char *>(executor.alloc(space, bytes))) {}
  // Addresses without memory, for so many bytes in whole chunks.
  static Storage reserved(Executor &executor, std::size_t bytes) {
    Storage out;
    out.executor_ = &executor;
    out.space_ = executor.caps().space;
    out.bytes_ = bytes;
    out.data_ = executor.reserve(bytes);
    return out;
  }
  Storage(Storage &&other) noexcept { swap(other); }
  Storage &operator=(Storage &&other) noexcept {
    Storage taken(std::move(other)); // frees the memory held before at once
    swap(taken);
    return *this;
  }
  ~Storage() {
    paged_ = PagedArray();
    if (data_) executor_->free(space_, data_);
  }

  char *data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  op_space space() const { return space_; }
  // Memory of the host, of which from now on only a part is in memory. name: for messages. empty: it has no values yet.
  void page(Pager &pager, const std::string &name, bool empty = false) {
    paged_ = PagedArray(pager, data_, bytes_, name, empty);
  }
  PagedArray &paged() { return paged_; }
  const PagedArray &paged() const { return paged_; }

 private:
  void swap(Storage &other) noexcept {
    std::swap(paged_, other.paged_);
    std::swap(executor_, other.executor_);
    std::swap(space_, other.space_);
    std::swap(bytes_, other.bytes_);
    std::swap(data_, other.data_);
  }
  Executor *executor_ = nullptr;
  op_space space_ = OP_SPACE_NONE;
  std::size_t bytes_ = 0;
  char *data_ = nullptr;
  PagedArray paged_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
