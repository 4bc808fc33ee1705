// runtime_host.hpp: an executor plugin driven through its C table, without the library: a host with settings of the
// test's own, and the fake driver and compiler, of which each test gets copies of its own that have done nothing yet.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "op2/plugin/exec.h"

namespace cuda_test {

inline testing::AssertionResult contains(const std::string &whole, const std::string &part) {
  if (whole.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "'" << part << "' is not in:\n" << whole;
}

// What the core offers a plugin, as far as this one asks.
struct Host {
  op_host_v1 table{}; // first, so that its address is that of the whole
  std::map<std::string, std::string> settings = {{"OP2_RACE", "auto"}};
  std::string failure, log;
  std::map<std::string, std::vector<char>> cache;
  int cache_hits = 0;

  Host() {
    table.size = sizeof table;
    table.api = OP2_PLUGIN_API;
    table.log = [](const op_host_v1 *host, int, const char *message) { of(host).log += std::string(message) + "\n"; };
    table.fail = [](const op_host_v1 *host, op_status code, const char *message) {
      of(host).failure = message;
      return code;
    };
    table.config = config;
    table.alloc = [](size_t bytes, size_t alignment) {
      return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    };
    table.free = [](void *p) { std::free(p); };
    table.now = [] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    };
    table.cache_load = load;
    table.cache_store = store;
  }
  static Host &of(const op_host_v1 *host) {
    return *reinterpret_cast<Host *>(const_cast<op_host_v1 *>(host)); // NOLINT: table is its first member
  }

 private:
  static int config(const op_host_v1 *host, const char *name, char *buffer, size_t length) {
    const auto found = of(host).settings.find(name);
    const std::string value = found == of(host).settings.end() ? "" : found->second;
    if (buffer && length > 0) {
      std::strncpy(buffer, value.c_str(), length - 1);
      buffer[length - 1] = '\0';
    }
    return static_cast<int>(value.size());
  }
  static int load(const op_host_v1 *host, const char *maker, const char *key, void **data, size_t *bytes) {
    const auto found = of(host).cache.find(std::string(maker) + ": " + key);
    if (found == of(host).cache.end()) return 0;
    *bytes = found->second.size();
    *data = std::malloc(*bytes);
    std::memcpy(*data, found->second.data(), *bytes);
    ++of(host).cache_hits;
    return 1;
  }
  static void store(const op_host_v1 *host, const char *maker, const char *key, const void *data, size_t bytes) {
    const char *begin = static_cast<const char *>(data);
    of(host).cache[std::string(maker) + ": " + key].assign(begin, begin + bytes);
  }
};

inline const op_plugin_v1 &plugin() {
  static const op_plugin_v1 *found = [] {
    void *library = dlopen(OP2_CUDA_PLUGIN, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!library) throw std::runtime_error(dlerror());
    return reinterpret_cast<op_plugin_entry_v1>(dlsym(library, OP2_PLUGIN_ENTRY_NAME))();
  }();
  return *found;
}
inline const op_exec_ops_v1 &ops() { return *static_cast<const op_exec_ops_v1 *>(plugin().ops); }

inline std::string folder_of(const std::string &file) { return std::filesystem::path(file).parent_path(); }

// A copy of a library: loaded by another name it is another library.
class Copy {
 public:
  explicit Copy(const std::string &file) : Copy(file, std::filesystem::path(file).filename()) {}
  Copy(const std::string &file, const std::string &name) {
    static int count = 0;
    folder_ = std::filesystem::temp_directory_path() /
              ("op2_cuda_" + std::to_string(getpid()) + "_" + std::to_string(count++));
    std::filesystem::create_directories(folder_);
    path_ = folder_ / name;
    std::ifstream from(file, std::ios::binary); // an empty file, too
    std::ofstream to(path_, std::ios::binary);
    to << std::string(std::istreambuf_iterator<char>(from), {});
  }
  ~Copy() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Copy(const Copy &) = delete;
  Copy &operator=(const Copy &) = delete;
  std::string path() const { return path_.string(); }
  std::string folder() const { return folder_.string(); }

 private:
  std::filesystem::path folder_, path_;
};

// Tests with a driver. What the fake driver reads from the environment is set before it is loaded.
class Device : public testing::Test {
 protected:
  void TearDown() override {
    close();
    for (const std::string &name : variables_) unsetenv(name.c_str());
  }
  void environment(const std::string &name, const std::string &value) {
    setenv(name.c_str(), value.c_str(), 1);
    variables_.push_back(name);
  }
  op_status try_open(int node_rank = 0, int device = -1) {
    search_fakes();
    op_exec_params params{};
    params.size = sizeof params;
    params.host = &host.table;
    params.node_rank = node_rank;
    params.node_size = node_rank + 1;
    params.device = device;
    return ops().open(&params, &exec);
  }
  void open() { ASSERT_EQ(OP_OK, try_open()) << host.failure; }
  void search_fakes() {
    if (!searched_) add_path(driver_folder()), add_path(folder_of(OP2_FAKE_NVRTC));
    searched_ = true;
  }
  std::string driver_folder() const { return driver_.folder(); }
  // Behind the folders that are searched already.
  void add_path(const std::string &folder) {
    std::string &path = host.settings["OP2_CUDA_PATH"];
    path += (path.empty() ? "" : ":") + folder;
  }
  void close() {
    if (exec) ops().close(exec);
    exec = nullptr;
  }

  template <class T = char>
  T *alloc(size_t count, op_space space = OP_SPACE_CUDA) {
    void *p = nullptr;
    EXPECT_EQ(OP_OK, ops().mem_alloc(exec, space, count * sizeof(T), &p)) << host.failure;
    EXPECT_EQ(0u, reinterpret_cast<size_t>(p) % 64);
    return static_cast<T *>(p);
  }
  void free(void *p, op_space space = OP_SPACE_CUDA) { ops().mem_free(exec, space, p); }
  // A copy that may return before it is over when the other side needs no waiting.
  op_event copy(void *to, op_space to_space, const void *from, op_space from_space, size_t bytes) {
    op_event done = nullptr;
    EXPECT_EQ(OP_OK, ops().mem_copy(exec, to, to_space, from, from_space, bytes, &done)) << host.failure;
    return done;
  }
  void finish(op_event event) {
    EXPECT_EQ(OP_OK, ops().event_wait(exec, event)) << host.failure;
    ops().event_free(exec, event);
  }
  template <class T>
  void put(T *to, const std::vector<T> &from) {
    finish(copy(to, OP_SPACE_CUDA, from.data(), OP_SPACE_HOST, from.size() * sizeof(T)));
  }
  template <class T>
  std::vector<T> get(const T *from, size_t count, op_space space = OP_SPACE_CUDA) {
    std::vector<T> to(count);
    finish(copy(to.data(), OP_SPACE_HOST, from, space, count * sizeof(T)));
    return to;
  }

  // Asked of the driver beside the plugin.
  int primary_context_is_active() const {
    void *library = dlopen(driver_.path().c_str(), RTLD_NOW | RTLD_LOCAL);
    using GetState = int (*)(int device, unsigned *flags, int *active);
    const auto get_state = reinterpret_cast<GetState>(dlsym(library, "cuDevicePrimaryCtxGetState"));
    unsigned flags = 0;
    int active = -1;
    EXPECT_EQ(0, get_state(0, &flags, &active));
    return active;
  }

  Host host;
  op_exec *exec = nullptr;
  bool searched_ = false; // OP2_CUDA_PATH names the folders of the fakes, or is as the test wants it

 private:
  Copy driver_{OP2_FAKE_CUDA};
  std::vector<std::string> variables_;
};

// Bytes that differ from place to place.
inline std::vector<char> pattern(size_t bytes, unsigned seed) {
  std::vector<char> out(bytes);
  for (char &byte : out) {
    seed = seed * 1664525u + 1013904223u;
    byte = static_cast<char>(seed >> 24);
  }
  return out;
}

} // namespace cuda_test

// SPDX-License-Identifier: MIT
