#include "host/plugins/services.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/clock.hpp"

namespace op2::core {

namespace {

void *alloc_entry(size_t bytes, size_t alignment) {
  if (bytes > PTRDIFF_MAX - alignment) return nullptr;
  const size_t rounded = (std::max<size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, rounded);
}

} // namespace

Services::Services(const Log &log, const Settings &settings) : log_(log), settings_(settings) {
  plugin_table_.owner = this;
  op_host_v1 &table = plugin_table_.table;
  table = {};
  table.size = sizeof table;
  table.api = OP2_PLUGIN_API;
  table.log = log_entry;
  table.fail = fail_entry;
  table.config = config_entry;
  table.alloc = alloc_entry;
  table.free = [](void *p) { std::free(p); };
  table.now = [] { return op2::core::now(); };
  table.cache_load = cache_load_entry;
  table.cache_store = cache_store_entry;
}

const Services &Services::of(const op_host_v1 *host) {
  // `table` is the first member of Table, so both have one address.
  return *reinterpret_cast<const Table *>(host)->owner;
}

void Services::log_entry(const op_host_v1 *host, int level, const char *message) {
  of(host).log_.write(level, message ? message : "");
}

op_status Services::fail_entry(const op_host_v1 *host, op_status code, const char *message) {
  of(host).failure_ = message ? message : "";
  return code == OP_OK ? OP_ERR_PLUGIN : code;
}

int Services::config_entry(const op_host_v1 *host, const char *name, char *buffer, size_t length) {
  const Settings &settings = of(host).settings_;
  if (!name || !settings.exists(name)) return -1;
  const std::string &value = settings.get(name);
  if (buffer && length > 0) {
    const size_t n = std::min(value.size(), length - 1);
    std::memcpy(buffer, value.data(), n);
    buffer[n] = '\0';
  }
  return static_cast<int>(value.size());
}

// Called from C: a cache that fails is as good as an empty one.
int Services::cache_load_entry(const op_host_v1 *host, const char *maker, const char *key, void **data,
                               size_t *bytes) try {
  const Services &services = of(host);
  if (!services.load_ || !maker || !key || !data || !bytes) return 0;
  const std::string found = services.load_(maker, key);
  void *const copy = found.empty() ? nullptr : alloc_entry(found.size(), 64);
  if (!copy) return 0;
  std::memcpy(copy, found.data(), found.size());
  *data = copy;
  *bytes = found.size();
  return 1;
} catch (...) {
  return 0;
}

void Services::cache_store_entry(const op_host_v1 *host, const char *maker, const char *key, const void *data,
                                 size_t bytes) try {
  const Services &services = of(host);
  if (services.keep_ && maker && key && data && bytes > 0)
    services.keep_(maker, key, {static_cast<const char *>(data), bytes});
} catch (...) {
}

std::string Services::take_failure() const { return std::exchange(failure_, {}); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
