// The plugins that are compiled into libop2.so.
#pragma once

#include "op2/plugin/plugin.h"

namespace op2::core {

const op_plugin_v1 *exec_seq_plugin();
const op_plugin_v1 *comm_self_plugin();
const op_plugin_v1 *part_block_plugin();

} // namespace op2::core

// SPDX-License-Identifier: MIT
