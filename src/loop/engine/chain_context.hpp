// What runs of chains share, on one process and on several.
#pragma once

#include <span>
#include <string>

#include "base/log.hpp"
#include "loop/chain/call.hpp"
#include "loop/chain/recorder.hpp"
#include "loop/interpreter.hpp"
#include "loop/stats/stats.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

struct ChainContext {
  Mesh &mesh;
  const Log &log;
  StatsTable &stats;
  Interpreter &interpreter;
  Recorder &recorded;
  bool timing; // runs are measured
};

// A run of a chain. name: of op_chain_begin(); empty for a chain that the library has recorded by itself. After a
// failure, `at` is the number of the call that failed.
struct ChainToRun {
  std::span<const ChainCall> calls;
  const std::string &name;
  std::size_t &at;
  std::string quoted() const { return name.empty() ? std::string() : text("'", name, "' "); }
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
