// Completing and checking the entry tables of plugins: afterwards every table has the library's own size, entries that
// an older or lazier plugin lacks come from its parent, and the required ones are there.
#pragma once

#include "host/plugins/registry.hpp"
#include "op2/plugin/comm.h"
#include "op2/plugin/exec.h"
#include "op2/plugin/io.h"
#include "op2/plugin/part.h"

namespace op2::core {

// Throws OP_ERR_PLUGIN that names the plugin and the missing entry.
op_exec_ops_v1 exec_table(Registry &registry, const op_plugin_v1 *plugin);
op_comm_ops_v1 comm_table(Registry &registry, const op_plugin_v1 *plugin);
op_part_ops_v1 part_table(Registry &registry, const op_plugin_v1 *plugin);
op_io_ops_v1 io_table(Registry &registry, const op_plugin_v1 *plugin);

} // namespace op2::core
