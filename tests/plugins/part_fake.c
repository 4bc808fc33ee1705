/* part_fake.c: a partitioner that deals vertices out in turn. FAKE_EMPTY: it does not.
 * FAKE_ORDER: it orders graphs: 1 backwards; 2 with an answer that is no order; 3 it fails. */
#include "op2/plugin/part.h"

#ifndef FAKE_NAME
#define FAKE_NAME "fake"
#endif

#ifndef FAKE_EMPTY
static op_status part_graph(const op_host_v1 *host, const op_part_graph *graph, int32_t *part) {
  const int64_t first = graph->vertex_offset[graph->rank], last = graph->vertex_offset[graph->rank + 1];
  if (graph->nparts < 1) return host->fail(host, OP_ERR_ARGUMENT, "at least one part is needed");
  for (int64_t v = first; v < last; ++v) part[v - first] = (int32_t)(v % graph->nparts);
  return OP_OK;
}
#endif

#ifdef FAKE_ORDER
static op_status order(const op_host_v1 *host, const op_part_graph *graph, int32_t *out) {
  const int64_t vertices = graph->vertex_offset[1];
  if (FAKE_ORDER == 3) return host->fail(host, OP_ERR_UNSUPPORTED, "not today");
  for (int64_t v = 0; v < vertices; ++v) out[v] = FAKE_ORDER == 1 ? (int32_t)(vertices - 1 - v) : 0;
  return OP_OK;
}
#endif

static const op_part_ops_v1 ops = {
    .size = sizeof(op_part_ops_v1),
#ifndef FAKE_EMPTY
    .part_graph = part_graph,
#endif
#ifdef FAKE_ORDER
    .order = order,
#endif
};

static int score(const op_host_v1 *host) {
  (void)host;
  return 1;
}

static const op_plugin_v1 plugin = {.size = sizeof(op_plugin_v1),
                                    .abi = OP2_PLUGIN_ABI,
                                    .api = OP2_PLUGIN_API,
                                    .kind = OP_PLUGIN_PART,
                                    .name = FAKE_NAME,
                                    .summary = "points in turn",
                                    .build = "",
                                    .score = score,
                                    .ops = &ops};

OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void);
const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &plugin; }

/* SPDX-License-Identifier: MIT */
