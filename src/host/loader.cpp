#include "host/loader.hpp"

#include <dlfcn.h>

#include <cstddef>
#include <cstring>
#include <filesystem>

#include "base/text.hpp"

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

std::string refusal(const op_plugin_v1 *plugin, int kind, const std::string &name) {
  if (!plugin) return "its entry function returned NULL";
  // The head up to `api` is the same in every version of the table, so it may be read before the size is known.
  if (plugin->abi != OP2_PLUGIN_ABI)
    return text("it was built for plugin ABI ", plugin->abi, ", this library has ABI ", OP2_PLUGIN_ABI);
  if (plugin->size < sizeof(op_plugin_v1))
    return text("its descriptor has ", plugin->size, " bytes, at least ", sizeof(op_plugin_v1), " are needed");
  if (plugin->kind != kind)
    return text("it says it is ", kind_title(plugin->kind), ", its file name says ", kind_title(kind));
  if (!plugin->name || name != plugin->name)
    return text("it says its name is ", quoted(plugin->name), ", its file name says '", name, "'");
  if (!plugin->score) return "it has no score function";
  if (!plugin->ops) return "it has no table of entries";
  return {};
}

LoadResult load_plugin(const std::string &path, int kind, const std::string &name) {
  LoadResult result;
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
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
  const op_plugin_v1 *plugin = entry();
  result.reason = refusal(plugin, kind, name);
  if (result.reason.empty()) result.plugin = plugin;
  return result;
}

std::string library_folder() {
  Dl_info where{};
  if (!dladdr(reinterpret_cast<const void *>(&library_folder), &where) || !where.dli_fname) return {};
  std::error_code error;
  const std::filesystem::path path = std::filesystem::canonical(where.dli_fname, error);
  return error ? std::string{} : path.parent_path().string();
}

} // namespace op2::core
