// Opening one plugin file and deciding whether it may be used. The only user of dlopen.
#pragma once

#include <string>

#include "op2/plugin/plugin.h"

namespace op2::core {

// "exec" for OP_PLUGIN_EXEC and so on.
const char *kind_name(int kind);
// "an executor" ..., for messages.
const char *kind_title(int kind);

struct LoadResult {
  const op_plugin_v1 *plugin = nullptr; // NULL = refused
  std::string reason;                   // why
};

// Opens `path` and checks its descriptor against the kind and the name in its file name. Never throws and never
// unloads: a plugin may hold a runtime with threads of its own (OpenMP, MPI, CUDA) that does not survive unloading.
// Refuses a plugin whose entry function crashes. A crash in a plugin's constructors ends the process, after its path
// was written to stderr (crash_guard.hpp says why).
LoadResult load_plugin(const std::string &path, int kind, const std::string &name);

// From now on load_plugin() refuses `path` with this reason: code that crashed may hold locks, so another call could
// block for ever.
void remember_crash(const std::string &path, const std::string &reason);

// Why load_plugin() would refuse this descriptor; "" = it would not. For built-in plugins.
std::string refusal(const op_plugin_v1 *plugin, int kind, const std::string &name);

// Folder of the shared object that contains this function; "" = unknown (static linking).
std::string library_folder();

} // namespace op2::core

// SPDX-License-Identifier: MIT
