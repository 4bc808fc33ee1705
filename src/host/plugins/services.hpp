// What the core offers to plugins: the C table op_host_v1 over the log, the settings and the text of the last failure.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "base/log.hpp"
#include "base/settings.hpp"
#include "op2/plugin/plugin.h"

namespace op2::core {

class Services {
 public:
  Services(const Log &log, const Settings &settings);
  Services(const Services &) = delete;
  Services &operator=(const Services &) = delete;

  const op_host_v1 *table() const { return &plugin_table_.table; }
  // A cache for plugins, by maker and key; LoadCode returns "" on a miss. Without set_cache() nothing is cached.
  using LoadCode = std::function<std::string(const std::string &maker, const std::string &key)>;
  using KeepCode = std::function<void(const std::string &maker, const std::string &key, std::string_view data)>;
  void set_cache(LoadCode load, KeepCode keep) {
    load_ = std::move(load);
    keep_ = std::move(keep);
  }
  // Returns and clears the last text that a plugin passed to fail().
  std::string take_failure() const;

 private:
  struct Table { // what `host` points to when a plugin calls back
    op_host_v1 table;
    const Services *owner;
  };
  static const Services &of(const op_host_v1 *host);
  static void log_entry(const op_host_v1 *host, int level, const char *message);
  static op_status fail_entry(const op_host_v1 *host, op_status code, const char *message);
  static int config_entry(const op_host_v1 *host, const char *name, char *buffer, size_t length);

  static int cache_load_entry(const op_host_v1 *host, const char *maker, const char *key, void **data, size_t *bytes);
  static void cache_store_entry(const op_host_v1 *host, const char *maker, const char *key, const void *data,
                                size_t bytes);

  const Log &log_;
  LoadCode load_;
  KeepCode keep_;
  const Settings &settings_;
  Table plugin_table_;
  mutable std::string failure_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
