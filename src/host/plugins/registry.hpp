// The list of plugins: built in, or found as files and loaded on first use.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/settings.hpp"
#include "host/plugins/services.hpp"
#include "op2/plugin/plugin.h"

namespace op2::core {

class Registry {
 public:
  // Lists the plugin folders: OP2_PLUGIN_PATH, then op2/ beside the library. Loads nothing.
  Registry(const Settings &settings, const Log &log, const Services &services);

  // A plugin compiled into the library.
  void add_builtin(const op_plugin_v1 *plugin);

  // All names of one kind, whether loadable or not.
  std::vector<std::string> names(int kind) const;
  // Kinds in which `name` exists, loadable or not.
  std::vector<int> kinds_of(const std::string &name) const;

  // The plugin, loaded. Throws OP_ERR_BACKEND (unknown, with the nearest spelling; known but not installed) or
  // OP_ERR_PLUGIN (refused, with the reason).
  const op_plugin_v1 *get(int kind, const std::string &name);

  // The plugin's score; 0 when it is unknown, refused or cannot run here (`why`). Does not throw.
  int score(int kind, const std::string &name, std::string *why = nullptr);

  // Loads all plugins; a line for each: usable, or why not.
  std::string report();

  // Throws OP_ERR_BACKEND for a name that exists in no kind.
  [[noreturn]] void fail_unknown(const std::string &name) const;

 private:
  struct Entry {
    std::string path; // "" = built in
    const op_plugin_v1 *plugin = nullptr;
    std::string reason; // of a refusal
    bool loaded = false;
  };
  void scan(const std::string &folder);
  void load(int kind, const std::string &name, Entry &entry);
  int ask_for_score(Entry &entry);

  const Log &log_;
  const Services &services_;
  std::map<std::pair<int, std::string>, Entry> entries_;
  std::vector<std::string> folders_;
  std::vector<std::string> remarks_about_folders_; // unreadable ones
  std::vector<std::string> remarks_;               // shadowed plugins, strange names
  std::string unreadable_;                         // unreadable folders of OP2_PLUGIN_PATH, with the errors
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
