// thrower.cpp: an executor whose score throws, which entries must not do.
#include <stdexcept>

#include "op2/plugin/exec.h"

namespace {

int score(const op_host_v1 *) { throw std::runtime_error("no device driver"); }

constexpr op_exec_ops_v1 table = [] {
  op_exec_ops_v1 entries{};
  entries.size = sizeof entries;
  return entries;
}();
constexpr op_plugin_v1 plugin = {sizeof(op_plugin_v1), OP2_PLUGIN_ABI, OP2_PLUGIN_API, OP_PLUGIN_EXEC, 0,     "liar",
                                 "its score throws",   "C++20",        "seq",          score,          &table};

} // namespace

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void);
const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &plugin; }

// SPDX-License-Identifier: MIT
