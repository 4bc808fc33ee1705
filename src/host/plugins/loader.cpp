#include "host/plugins/loader.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>

#include "base/text.hpp"
#include "host/plugins/crash_guard.hpp"
#include "host/plugins/elf_file.hpp"

namespace op2::core {

const char *kind_name(int kind) {
  static constexpr const char *names[OP_PLUGIN_KINDS] = {"exec", "comm", "part", "io"};
  return kind >= 0 && kind < OP_PLUGIN_KINDS ? names[kind] : "unknown";
}

const char *kind_title(int kind) {
  static constexpr const char *names[OP_PLUGIN_KINDS] = {"an executor", "a communicator", "a partitioner",
                                                         "a file driver"};
  return kind >= 0 && kind < OP_PLUGIN_KINDS ? names[kind] : "of unknown kind";
}

// Below version 1.0 tables change without a new OP2_PLUGIN_ABI.
constexpr std::uint32_t oldest_api = 13;

std::string refusal(const op_plugin_v1 *plugin, int kind, const std::string &name) {
  if (!plugin) return "its entry function returned NULL";
  // The head up to `api` is the same in every version of the table, so it may be read before the size is known.
  if (plugin->abi != OP2_PLUGIN_ABI)
    return text("it was built for plugin ABI ", plugin->abi, ", this library has ABI ", OP2_PLUGIN_ABI);
  if (plugin->api < oldest_api)
    return text("it was built for plugin API ", plugin->api,
                ", whose tables were other ones; compile it again, with API ", OP2_PLUGIN_API);
  if (plugin->size < sizeof(op_plugin_v1))
    return text("its descriptor has ", plugin->size, " bytes, at least ", sizeof(op_plugin_v1), " are needed");
  if (plugin->kind != kind)
    return text("it says it is ", kind_title(plugin->kind), ", its file name says ", kind_title(kind));
  if (!plugin->name || name != plugin->name)
    return text("it says its name is ", quoted(plugin->name), ", its file name says '", name, "'");
  if (!plugin->score) return "it has no score function";
  if (!plugin->ops) return "it has no table of entries";
  std::size_t table_bytes = 0;
  std::memcpy(&table_bytes, plugin->ops, sizeof table_bytes);
  if (table_bytes < sizeof table_bytes)
    return text("its table of entries has ", table_bytes, " bytes; the table begins with its size");
  return {};
}

namespace {

// Reads what a descriptor points to, so that a wild pointer shows at once and not in a later message.
void touch_texts(const op_plugin_v1 &plugin) {
  for (const char *words : {plugin.summary, plugin.build, plugin.parent})
    if (words) [[maybe_unused]]
      const volatile std::size_t length = std::strlen(words);
}

// The descriptor of an opened plugin. Every step into it is guarded: it may be anything.
LoadResult described(op_plugin_entry_v1 entry, const std::string &path, int kind, const std::string &name) {
  LoadResult result;
  const op_plugin_v1 *plugin = nullptr;
  std::string crash = run_guarded([&] { plugin = entry(); });
  if (!crash.empty()) {
    result.reason = "its entry function " + crash;
    remember_crash(path, result.reason);
    return result;
  }
  crash = run_guarded([&] {
    result.reason = refusal(plugin, kind, name);
    if (result.reason.empty()) touch_texts(*plugin);
  });
  if (!crash.empty()) result.reason = "its descriptor cannot be read: reading it " + crash;
  if (result.reason.empty()) result.plugin = plugin;
  return result;
}

std::mutex crashes_mutex;
std::map<std::string, std::string> &crashes() { // of this process, by path
  static std::map<std::string, std::string> list;
  return list;
}

std::string earlier_crash(const std::string &path) {
  const std::lock_guard lock(crashes_mutex);
  const auto found = crashes().find(path);
  return found == crashes().end() ? std::string() : found->second;
}

// How long threads spin while they wait for each other. GNU's runtime of OpenMP takes the number from the environment
// when it is loaded, which is with a plugin unless the program has loaded it before. Its own number is 300 000, some
// milliseconds, in which a thread keeps its core from the one that it waits for where other programs run, too.
class ShortSpin {
 public:
  ShortSpin() : ours_(!std::getenv(variable) && !std::getenv("OMP_WAIT_POLICY")) {
    if (ours_) setenv(variable, "3000", 1);
  }
  ShortSpin(const ShortSpin &) = delete;
  ShortSpin &operator=(const ShortSpin &) = delete;
  ~ShortSpin() {
    if (ours_) unsetenv(variable); // the program, and what it starts, have their environment as it was
  }

 private:
  static constexpr const char *variable = "GOMP_SPINCOUNT";
  bool ours_;
};

} // namespace

void remember_crash(const std::string &path, const std::string &reason) {
  const std::lock_guard lock(crashes_mutex);
  crashes()[path] = reason;
}

LoadResult load_plugin(const std::string &path, int kind, const std::string &name) {
  LoadResult result;
  result.reason = earlier_crash(path);
  if (result.reason.empty()) result.reason = reason_not_to_load(path);
  if (!result.reason.empty()) return result;
  void *handle = nullptr;
  const ShortSpin spin;
  run_with_last_words(
      text("op2: error: plugin ", path, " crashed while it was being loaded; take it out of its folder\n"),
      [&] { handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE); });
  if (!handle) {
    const char *why = dlerror();
    result.reason = why ? why : "dlopen failed";
    return result;
  }
  void *symbol = dlsym(handle, OP2_PLUGIN_ENTRY_NAME);
  Dl_info where{};
  // dlsym also looks into the libraries a plugin depends on; only the plugin's own symbol counts.
  std::error_code ignored;
  if (!symbol || !dladdr(symbol, &where) || !where.dli_fname ||
      !std::filesystem::equivalent(where.dli_fname, path, ignored)) {
    result.reason = "it does not export " OP2_PLUGIN_ENTRY_NAME " (not a plugin, or one for another plugin ABI)";
    return result;
  }
  op_plugin_entry_v1 entry = nullptr;
  std::memcpy(&entry, &symbol, sizeof entry);
  return described(entry, path, kind, name);
}

std::string library_folder() {
  Dl_info where{};
  if (!dladdr(reinterpret_cast<const void *>(&library_folder), &where) || !where.dli_fname) return {};
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(where.dli_fname, error);
  return error ? std::string{} : path.parent_path().string();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
