// Partitioner "block": parts of consecutive vertices with the requested shares; what every other partitioner is
// compared with.
#include <cmath>
#include <vector>

#include "op2/plugin/part.h"
#include "plugins/builtin.hpp"

namespace op2::part_block {

namespace {

// Part of each of this process's vertices when [0, total) is cut at the requested shares.
void cut(int32_t nparts, const double *shares, const int64_t *vertex_offset, int32_t nprocs, int32_t rank,
         int32_t *part) {
  double sum = 0;
  for (int32_t p = 0; p < nparts; ++p) sum += shares ? shares[p] : 1.0;
  const int64_t total = vertex_offset[nprocs];
  int32_t p = 0;
  double below = shares ? shares[0] : 1.0;
  for (int64_t v = 0; v < vertex_offset[rank + 1]; ++v) {
    while (p + 1 < nparts && static_cast<double>(v) >= std::floor(static_cast<double>(total) * below / sum)) {
      ++p;
      below += shares ? shares[p] : 1.0;
    }
    if (v >= vertex_offset[rank]) part[v - vertex_offset[rank]] = p;
  }
}

op_status part_graph(const op_host_v1 *, const op_part_graph *graph, int32_t *part) {
  cut(graph->nparts, graph->part_weight, graph->vertex_offset, graph->nprocs, graph->rank, part);
  return OP_OK;
}

int score(const op_host_v1 *) { return 10; }

constexpr op_part_ops_v1 ops = {sizeof(op_part_ops_v1), part_graph, nullptr};

constexpr op_plugin_v1 plugin = {sizeof(op_plugin_v1),
                                 OP2_PLUGIN_ABI,
                                 OP2_PLUGIN_API,
                                 OP_PLUGIN_PART,
                                 0,
                                 "block",
                                 "parts of consecutive elements",
                                 "",
                                 nullptr,
                                 score,
                                 &ops};

} // namespace

} // namespace op2::part_block

const op_plugin_v1 *op2::core::part_block_plugin() { return &op2::part_block::plugin; }

// SPDX-License-Identifier: MIT
