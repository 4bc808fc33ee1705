#include "host/plugins/registry.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/error.hpp"
#include "base/text.hpp"
#include "host/plugins/crash_guard.hpp"
#include "host/plugins/loader.hpp"

namespace op2::core {

namespace {

// Plugins this project knows of; a name in this list that is not installed gets an answer of its own.
struct KnownPlugin {
  int kind;
  const char *name;
  const char *what;
};
constexpr std::array known_plugins = {
    KnownPlugin{OP_PLUGIN_EXEC, "openmp", "all cores; it is left out when the compiler had no OpenMP"},
    KnownPlugin{OP_PLUGIN_EXEC, "tasks",
                "all cores, as tasks; it is left out when oneTBB was not found (package libtbb-dev)"},
    KnownPlugin{OP_PLUGIN_EXEC, "cuda",
                "NVIDIA GPUs; it is left out when the headers of the CUDA toolkit were not found"},
    KnownPlugin{OP_PLUGIN_EXEC, "check", "verifies what kernels do with their arguments"},
    KnownPlugin{OP_PLUGIN_COMM, "mpi",
                "many processes; it is left out when MPI was not found (package libopenmpi-dev)"},
    KnownPlugin{OP_PLUGIN_COMM, "mpich", "many processes; it is built where MPICH lies beside another MPI"},
    KnownPlugin{OP_PLUGIN_COMM, "shm", "processes of one machine, started by op2_launch"},
    KnownPlugin{OP_PLUGIN_COMM, "nccl", "GPU to GPU; planned"},
    KnownPlugin{OP_PLUGIN_PART, "scotch",
                "orders meshes; it is left out when libscotch was not found (package libscotch-dev)"},
    KnownPlugin{OP_PLUGIN_PART, "ptscotch",
                "divides meshes; it is left out when MPI or libptscotch was not found (package libptscotch-dev)"},
    KnownPlugin{
        OP_PLUGIN_PART, "parmetis",
        "divides meshes; it is left out when MPI or its interface was not found (package libscotchparmetis-dev)"},
    KnownPlugin{OP_PLUGIN_IO, "hdf5",
                "HDF5 files; it is left out when libhdf5 was not found (packages libhdf5-dev, pkg-config)"},
    KnownPlugin{OP_PLUGIN_IO, "mesh_cgns",
                "meshes of CGNS files; it is left out when libcgns was not found (package libcgns-dev)"},
    KnownPlugin{OP_PLUGIN_IO, "hdf5_mpi", "HDF5 files of all processes; it is built where parallel HDF5 is installed"},
};

constexpr std::string_view file_prefix = "op2_";
constexpr std::string_view file_suffix = ".so";

} // namespace

Registry::Registry(const Settings &settings, const Log &log, const Services &services)
    : log_(log), services_(services) {
  for (const std::string &folder : split(settings.get("OP2_PLUGIN_PATH"), ':'))
    if (!folder.empty()) folders_.push_back(folder);
  for (const std::string &folder : folders_) scan(folder);
  unreadable_ = listing(remarks_about_folders_);
  if (!unreadable_.empty()) log_.write(OP_LOG_WARN, text("OP2_PLUGIN_PATH: ", unreadable_));
  const std::string library = library_folder();
  if (library.empty()) return;
  folders_.push_back(library + "/op2"); // without plugins there is no such folder, which is fine
  scan(folders_.back());
}

void Registry::scan(const std::string &folder) {
  std::error_code error;
  std::vector<std::string> paths;
  for (std::filesystem::directory_iterator file(folder, error), end; !error && file != end; file.increment(error))
    paths.push_back(file->path().string());
  if (error) remarks_about_folders_.push_back(text("folder ", folder, ": ", error.message()));
  std::sort(paths.begin(), paths.end());
  for (const std::string &path : paths) {
    const std::string file = std::filesystem::path(path).filename().string();
    if (file.size() <= file_prefix.size() + file_suffix.size() || !file.starts_with(file_prefix) ||
        !file.ends_with(file_suffix))
      continue;
    const std::string stem = file.substr(file_prefix.size(), file.size() - file_prefix.size() - file_suffix.size());
    const std::size_t bar = stem.find('_');
    int kind = 0;
    while (kind < OP_PLUGIN_KINDS && stem.substr(0, bar) != kind_name(kind)) ++kind;
    if (bar == std::string::npos || bar + 1 == stem.size() || kind == OP_PLUGIN_KINDS) {
      remarks_.push_back(
          text(path, ": not a plugin name (op2_exec_*.so, op2_comm_*.so, op2_part_*.so or op2_io_*.so)"));
      continue;
    }
    const auto [position, inserted] = entries_.try_emplace({kind, stem.substr(bar + 1)});
    if (inserted)
      position->second.path = path;
    else
      remarks_.push_back(text(path, ": hidden by ", position->second.path, ", which is found first"));
  }
}

void Registry::add_builtin(const op_plugin_v1 *plugin) {
  Entry entry;
  entry.plugin = plugin;
  entry.loaded = true;
  entry.reason = refusal(plugin, plugin->kind, plugin->name);
  if (!entry.reason.empty()) fail(OP_ERR_INTERNAL, "built-in plugin ", plugin->name, ": ", entry.reason);
  const auto [position, inserted] = entries_.try_emplace({plugin->kind, plugin->name}, entry);
  if (!inserted) {
    remarks_.push_back(text(position->second.path, ": ignored, ", plugin->name, " is built into the library"));
    position->second = entry;
  }
}

std::vector<std::string> Registry::names(int kind) const {
  std::vector<std::string> out;
  for (const auto &[key, entry] : entries_)
    if (key.first == kind) out.push_back(key.second);
  return out;
}

std::vector<int> Registry::kinds_of(const std::string &name) const {
  std::vector<int> kinds;
  for (const auto &[key, entry] : entries_)
    if (key.second == name) kinds.push_back(key.first);
  return kinds;
}

void Registry::load(int kind, const std::string &name, Entry &entry) {
  if (entry.loaded) return;
  entry.loaded = true;
  LoadResult result = load_plugin(entry.path, kind, name);
  entry.plugin = result.plugin;
  entry.reason = std::move(result.reason);
  log_.write(OP_LOG_DEBUG,
             entry.plugin ? text("loaded ", entry.path) : text("refused ", entry.path, ": ", entry.reason));
}

const op_plugin_v1 *Registry::get(int kind, const std::string &name) {
  const auto found = entries_.find({kind, name});
  if (found == entries_.end()) fail_unknown(name);
  Entry &entry = found->second;
  load(kind, name, entry);
  if (!entry.plugin) fail(OP_ERR_PLUGIN, "plugin '", name, "' (", entry.path, ") was refused: ", entry.reason);
  return entry.plugin;
}

// Refuses the plugin when its score entry crashes.
int Registry::ask_for_score(Entry &entry) {
  if (entry.path.empty()) return entry.plugin->score(services_.table()); // built in
  int value = 0;
  const std::string crash = run_guarded([&] { value = entry.plugin->score(services_.table()); });
  if (crash.empty()) return value;
  entry.plugin = nullptr;
  entry.reason = "its score entry " + crash;
  remember_crash(entry.path, entry.reason);
  log_.write(OP_LOG_WARN, text("plugin ", entry.path, " was refused: ", entry.reason));
  return 0;
}

int Registry::score(int kind, const std::string &name, std::string *why) {
  const auto found = entries_.find({kind, name});
  if (found == entries_.end()) return 0;
  Entry &entry = found->second;
  load(kind, name, entry);
  if (!entry.plugin) {
    if (why) *why = "refused: " + entry.reason;
    return 0;
  }
  services_.take_failure();
  const int value = ask_for_score(entry);
  const std::string message = services_.take_failure();
  if (!entry.plugin) {
    if (why) *why = "refused: " + entry.reason;
    return 0;
  }
  if (why && value <= 0) *why = message.empty() ? "cannot run here" : "cannot run here: " + message;
  return std::max(value, 0);
}

void Registry::fail_unknown(const std::string &name) const {
  for (const KnownPlugin &known : known_plugins)
    if (name == known.name)
      fail(OP_ERR_BACKEND, "back end '", name, "' is ", kind_title(known.kind), " that is not installed (", known.what,
           "); looked for op2_", kind_name(known.kind), "_", name, ".so in ", listing(folders_));
  std::vector<std::string> there{"auto"};
  for (const auto &[key, entry] : entries_)
    if (key.first == OP_PLUGIN_EXEC || key.first == OP_PLUGIN_COMM) there.push_back(key.second);
  const std::string guess = nearest(name, there);
  fail(OP_ERR_BACKEND, "there is no back end '", name, "'",
       guess.empty() ? ". " : text("; did you mean '", guess, "'? "), "Available: ", listing(there),
       unreadable_.empty() ? "" : text(". Not looked at: ", unreadable_));
}

std::string Registry::report() {
  std::string out;
  for (auto &[key, entry] : entries_) {
    std::string why;
    const int value = score(key.first, key.second, &why);
    out += text("  ", kind_name(key.first), " ", key.second,
                std::string(key.second.size() < 12 ? 12 - key.second.size() : 1, ' '));
    if (entry.plugin) {
      out += text("score ", value, "  ", entry.plugin->summary ? entry.plugin->summary : "");
      if (!why.empty()) out += "  [" + why + "]";
      if (entry.plugin->build && entry.plugin->build[0]) out += text("  (", entry.plugin->build, ")");
    } else {
      out += why;
    }
    out += text("\n", std::string(19, ' '), entry.path.empty() ? "built in" : entry.path, "\n");
  }
  for (const std::string &remark : remarks_about_folders_) out += "  note: " + remark + "\n";
  for (const std::string &remark : remarks_) out += "  note: " + remark + "\n";
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
