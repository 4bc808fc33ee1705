// Completes and checks the entry tables of plugins: a returned table has the library's own size, takes entries that the
// plugin lacks from the plugin's parent, and has all required entries.
#pragma once

#include "host/plugins/registry.hpp"
#include "op2/plugin/comm.h"
#include "op2/plugin/exec.h"
#include "op2/plugin/io.h"
#include "op2/plugin/part.h"

namespace op2::core {

// Throw OP_ERR_PLUGIN, which names the plugin and the missing entry.
op_exec_ops_v1 exec_table(Registry &registry, const op_plugin_v1 *plugin);
op_comm_ops_v1 comm_table(Registry &registry, const op_plugin_v1 *plugin);
op_part_ops_v1 part_table(Registry &registry, const op_plugin_v1 *plugin);
op_io_ops_v1 io_table(Registry &registry, const op_plugin_v1 *plugin);

} // namespace op2::core

// SPDX-License-Identifier: MIT
