/* liar_comm.c: a communicator whose entries come from self, and which says something impossible about the processes. */
#include "op2/plugin/comm.h"

static int score(const op_host_v1 *host) {
  (void)host;
  return 1;
}

static int32_t rank(op_comm *comm) {
  (void)comm;
  return LIAR_RANK;
}
static int32_t size_of(op_comm *comm) {
  (void)comm;
  return LIAR_SIZE;
}

static const op_comm_ops_v1 table = {.size = sizeof(op_comm_ops_v1), .rank = rank, .size_of = size_of};
static const op_plugin_v1 plugin = {
    sizeof(op_plugin_v1), OP2_PLUGIN_ABI, OP2_PLUGIN_API, OP_PLUGIN_COMM, 0, "liar", "cannot count", "C99",
    "self",               score,          &table};

OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void);
const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &plugin; }

/* SPDX-License-Identifier: MIT */
