// The built plugin, driven by its table as the core drives it, on emulated devices or on a real one.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "samples.hpp"

namespace loop_test {

// What the core offers a plugin.
struct Host : op_host_v1 {
  std::map<std::string, std::string> settings;
  std::map<std::string, std::string> cache;
  std::string failure, messages;

  Host() : op_host_v1{} {
    size = sizeof(op_host_v1);
    op_host_v1::api = OP2_PLUGIN_API;
    log = [](const op_host_v1 *host, int, const char *line) { of(host).messages += std::string(line) + '\n'; };
    fail = [](const op_host_v1 *host, op_status code, const char *message) {
      of(host).failure = message;
      return code;
    };
    config = [](const op_host_v1 *host, const char *name, char *buffer, size_t length) {
      const auto found = of(host).settings.find(name);
      const std::string value = found == of(host).settings.end() ? "" : found->second;
      if (length > 0) {
        const size_t bytes = std::min(length - 1, value.size());
        std::memcpy(buffer, value.data(), bytes);
        buffer[bytes] = 0;
      }
      return static_cast<int>(value.size());
    };
    alloc = [](size_t bytes, size_t alignment) {
      return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    };
    op_host_v1::free = [](void *p) { std::free(p); };
    now = [] { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
    cache_load = [](const op_host_v1 *host, const char *maker, const char *key, void **data, size_t *bytes) {
      const auto found = of(host).cache.find(std::string(maker) + key);
      if (found == of(host).cache.end()) return 0;
      *bytes = found->second.size();
      *data = std::malloc(*bytes);
      std::memcpy(*data, found->second.data(), *bytes);
      return 1;
    };
    cache_store = [](const op_host_v1 *host, const char *maker, const char *key, const void *data, size_t bytes) {
      of(host).cache[std::string(maker) + key].assign(static_cast<const char *>(data), bytes);
    };
  }
  static Host &of(const op_host_v1 *host) { return *static_cast<Host *>(const_cast<op_host_v1 *>(host)); }
};

// Set but empty: the system's own, and with that a real device.
inline std::string cuda_path() {
  const char *const value = std::getenv("OP2_CUDA_PATH");
  return value ? value : OP2_TEST_CUDA_PATH;
}

struct Executor {
  Host host;
  const op_exec_ops_v1 *ops = nullptr;
  op_exec *exec = nullptr;

  // race: a value of OP2_RACE, or "reproducible": OP2_REPRODUCIBLE=1, with which single elements have colours.
  explicit Executor(const std::string &race = "auto", const std::map<std::string, std::string> &more = {}) {
    const bool reproducible = race == "reproducible";
    host.settings = {{"OP2_RACE", reproducible ? "owner" : race},
                     {"OP2_REPRODUCIBLE", reproducible ? "1" : "0"},
                     {"OP2_CUDA_GRAPHS", "off"}};
    host.settings["OP2_CUDA_PATH"] = cuda_path();
    for (const auto &[name, value] : more) host.settings[name] = value;
    void *const library = dlopen(OP2_TEST_PLUGIN, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) throw std::runtime_error(dlerror());
    const auto find = reinterpret_cast<op_plugin_entry_v1>(dlsym(library, OP2_PLUGIN_ENTRY_NAME));
    ops = static_cast<const op_exec_ops_v1 *>(find()->ops);
    op_exec_params params{};
    params.size = sizeof params;
    params.host = &host;
    params.node_size = 1;
    params.device = -1;
    if (ops->open(&params, &exec) != OP_OK) throw std::runtime_error(host.failure);
  }
  ~Executor() { close(); }
  void close() {
    if (exec) ops->close(exec);
    exec = nullptr;
  }
  Executor(const Executor &) = delete;
};

// An array on the device.
template <class T>
struct Array {
  Executor &executor;
  void *address = nullptr;
  size_t count;

  Array(Executor &e, const std::vector<T> &values) : executor(e), count(values.size()) {
    EXPECT_EQ(executor.ops->mem_alloc(executor.exec, OP_SPACE_CUDA, std::max<size_t>(bytes(), 1), &address), OP_OK);
    put(values);
  }
  ~Array() {
    if (executor.exec) executor.ops->mem_free(executor.exec, OP_SPACE_CUDA, address);
  }
  Array(const Array &) = delete;
  size_t bytes() const { return count * sizeof(T); }
  void put(const std::vector<T> &values) const {
    EXPECT_EQ(copy(address, OP_SPACE_CUDA, values.data(), OP_SPACE_HOST), OP_OK);
  }
  std::vector<T> get() const {
    std::vector<T> out(count);
    EXPECT_EQ(copy(out.data(), OP_SPACE_HOST, address, OP_SPACE_CUDA), OP_OK) << executor.host.failure;
    return out;
  }
  op_status copy(void *to, op_space to_space, const void *from, op_space from_space) const {
    op_event done = nullptr;
    const op_status status = executor.ops->mem_copy(executor.exec, to, to_space, from, from_space, bytes(), &done);
    if (status == OP_OK && done) return finish(done);
    return status;
  }
  op_status finish(op_event done) const {
    const op_status status = executor.ops->event_wait(executor.exec, done);
    executor.ops->event_free(executor.exec, done);
    return status;
  }
};

// A division with colours, made the simple way.
struct Plan {
  op_exec_plan plan{};
  std::vector<int32_t> block_offset, colour_offset, order, element, element_colour, block_element_colours;

  // rows_of(n): the rows that element n writes. elements per block: 1 with global colours. compact: in another order
  template <class Rows>
  Plan(int32_t kind, int32_t begin, int32_t end, int32_t block, const Rows &rows_of, bool compact = false) {
    for (int64_t i = 0; compact && i < end - begin; ++i)
      element.push_back(begin + static_cast<int32_t>(i * 7919 % (end - begin)));
    const auto rows = [&](int32_t n) { return rows_of(compact ? element[static_cast<size_t>(n - begin)] : n); };
    plan.element = compact ? element.data() : nullptr;
    plan.size = sizeof plan;
    plan.kind = kind;
    plan.begin = begin;
    plan.end = end;
    block_offset = {begin};
    for (int32_t at = begin; at < end; at += block) block_offset.push_back(std::min(at + block, end));
    const int32_t nblocks = static_cast<int32_t>(block_offset.size()) - 1;
    std::vector<int> colour(static_cast<size_t>(nblocks), -1);
    std::vector<std::map<int, bool>> taken;
    for (int32_t b = 0; b < nblocks; ++b) {
      std::vector<int> mine;
      for (int32_t n = block_offset[static_cast<size_t>(b)]; n < block_offset[static_cast<size_t>(b) + 1]; ++n)
        for (const int row : rows(n)) mine.push_back(row);
      size_t c = 0;
      for (;; ++c) {
        if (c == taken.size()) taken.emplace_back();
        if (std::none_of(mine.begin(), mine.end(), [&](int row) { return taken[c].count(row) > 0; })) break;
      }
      for (const int row : mine) taken[c][row] = true;
      colour[static_cast<size_t>(b)] = static_cast<int>(c);
    }
    colour_offset = {0};
    for (size_t c = 0; c < taken.size(); ++c) {
      for (int32_t b = 0; b < nblocks; ++b)
        if (colour[static_cast<size_t>(b)] == static_cast<int>(c))
          order.push_back(kind == OP_PLAN_GLOBAL_COLOURS ? begin + b : b);
      colour_offset.push_back(static_cast<int32_t>(order.size()));
    }
    if (kind == OP_PLAN_ELEMENT_COLOURS) colour_elements(nblocks, rows);
    plan.nblocks = kind == OP_PLAN_GLOBAL_COLOURS ? 0 : nblocks;
    plan.block_offset = block_offset.data();
    plan.ncolours = static_cast<int32_t>(taken.size());
    plan.colour_offset = colour_offset.data();
    plan.order = order.data();
  }
  template <class Rows>
  void colour_elements(int32_t nblocks, const Rows &rows) {
    for (int32_t b = 0; b < nblocks; ++b) {
      std::vector<std::map<int, bool>> taken;
      for (int32_t n = block_offset[static_cast<size_t>(b)]; n < block_offset[static_cast<size_t>(b) + 1]; ++n) {
        const std::vector<int> mine = rows(n);
        size_t c = 0;
        for (;; ++c) {
          if (c == taken.size()) taken.emplace_back();
          if (std::none_of(mine.begin(), mine.end(), [&](int row) { return taken[c].count(row) > 0; })) break;
        }
        for (const int row : mine) taken[c][row] = true;
        element_colour.push_back(static_cast<int32_t>(c));
      }
      block_element_colours.push_back(static_cast<int32_t>(taken.size()));
    }
    plan.element_colour = element_colour.data();
    plan.block_element_colours = block_element_colours.data();
  }
  Plan(int32_t begin, int32_t end) {
    plan.size = sizeof plan;
    plan.kind = OP_PLAN_NONE;
    plan.begin = begin;
    plan.end = end;
    plan.ncolours = end > begin ? 1 : 0;
  }
  Plan(const Plan &) = delete;
};

// A kernel of the plugin for a loop, and its arguments.
struct Kernel {
  Executor &executor;
  samples::Loop &loop;
  op_exec_kernel *kernel = nullptr;
  op_status created;
  std::vector<op_range_arg> args;
  std::vector<char> start, result;

  Kernel(Executor &e, samples::Loop &l) : executor(e), loop(l) {
    op_exec_source source{};
    source.size = sizeof source;
    source.form = "element";
    source.device = &loop.text;
    created = executor.ops->kernel_create(executor.exec, &source, &loop.signature, &kernel);
    for (const op_exec_arg &arg : loop.args) {
      op_range_arg range{};
      range.kind = arg.kind;
      range.access = arg.access;
      range.dim = arg.dim;
      range.count = arg.count;
      range.stride = arg.dat >= 0 ? static_cast<ptrdiff_t>(arg.dim) * arg.type_size : 0;
      args.push_back(range);
    }
    if (loop.signature.reduce) {
      start.resize(loop.reduce.record_bytes);
      result.resize(loop.reduce.record_bytes);
    }
  }
  ~Kernel() {
    if (kernel && executor.exec) executor.ops->kernel_free(executor.exec, kernel);
  }
  Kernel(const Kernel &) = delete;

  template <class T>
  Kernel &dat(int i, const Array<T> &array) {
    args[static_cast<size_t>(i)].base = static_cast<char *>(array.address);
    return *this;
  }
  Kernel &map(int i, const Array<int> &table, int columns) {
    op_range_arg &arg = args[static_cast<size_t>(i)];
    arg.map = static_cast<const int *>(table.address) + loop.args[static_cast<size_t>(i)].column;
    arg.map_stride = columns;
    return *this;
  }
  template <class T>
  Kernel &global(int i, const T *values) {
    args[static_cast<size_t>(i)].base = const_cast<char *>(reinterpret_cast<const char *>(values));
    return *this;
  }
  template <class T>
  T *place(std::vector<char> &record, int i) {
    for (size_t p = 0; p < loop.reduce_args.size(); ++p)
      if (loop.reduce_args[p] == i) return reinterpret_cast<T *>(record.data() + loop.reduce_offsets[p]);
    return nullptr;
  }
  op_exec_plan_request plan_request() {
    op_exec_plan_request out{};
    out.size = sizeof out;
    EXPECT_EQ(executor.ops->kernel_plan_request(executor.exec, kernel, &out), OP_OK);
    return out;
  }
  std::string form() { return executor.ops->kernel_form(executor.exec, kernel); }
  op_status run(const Plan &plan) {
    if (executor.ops->kernel_plan(executor.exec, kernel, &plan.plan) != OP_OK) return OP_ERR_PLUGIN;
    return run_again(plan);
  }
  op_status run_again(const Plan &plan) {
    op_exec_call call{};
    call.size = sizeof call;
    call.args = args.data();
    call.plan = &plan.plan;
    call.begin = plan.plan.begin;
    call.end = plan.plan.end;
    call.reduce_start = start.empty() ? nullptr : start.data();
    call.reduce_result = result.empty() ? nullptr : result.data();
    const op_status status = executor.ops->loop_run(executor.exec, kernel, &call);
    if (status != OP_OK) return status;
    return start.empty() || !executor.ops->reduce_wait ? OP_OK : executor.ops->reduce_wait(executor.exec, kernel);
  }
};

} // namespace loop_test

// SPDX-License-Identifier: MIT
