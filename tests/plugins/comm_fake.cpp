// comm_fake.cpp: a communicator of one process, or of as many as FAKE_SIZE pretends; its collectives come from its
// parent self. FAKE_FAIL names an entry that fails. Its abort ends the process with code + 40, so that a test can tell
// who did it.
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "op2/plugin/comm.h"

#ifndef FAKE_PARENT
#define FAKE_PARENT "self"
#endif

struct op_comm_s {
  const op_host_v1 *host;
};

namespace {

bool told_to_fail(const char *entry) {
  const char *name = std::getenv("FAKE_FAIL");
  return name && std::strcmp(name, entry) == 0;
}

op_status open_fake(const op_comm_params *params, op_comm **comm) {
  if (told_to_fail("open"))
    return params->host->fail(params->host, OP_ERR_BACKEND, "the other processes do not answer");
  if (told_to_fail("open without a word")) return OP_ERR_BACKEND;
  *comm = new (std::nothrow) op_comm_s{params->host};
  return *comm ? OP_OK : OP_ERR_MEMORY;
}
void close_fake(op_comm *comm) { delete comm; }

void abort_fake(op_comm *, int code) {
  std::fprintf(stderr, "comm_fake ends all processes\n");
  std::fflush(stderr);
  _exit(code + 40);
}

int32_t rank(op_comm *) { return 0; }
int32_t size_of(op_comm *) {
  const char *size = std::getenv("FAKE_SIZE");
  return size ? std::atoi(size) : 1;
}
int32_t node_rank(op_comm *) { return 0; }
int32_t node_size(op_comm *) { return 1; }

op_status caps(op_comm *, op_comm_caps *caps) {
  caps->spaces[0] = OP_SPACE_HOST;
  return OP_OK;
}

op_status barrier(op_comm *comm) {
  return told_to_fail("barrier") ? comm->host->fail(comm->host, OP_ERR_PLUGIN, "process 3 went away") : OP_OK;
}

int score(const op_host_v1 *) { return 1; }

constexpr op_comm_ops_v1 ops = [] {
  op_comm_ops_v1 t{};
  t.size = sizeof t;
  t.open = open_fake;
  t.close = close_fake;
  t.abort = abort_fake;
  t.rank = rank;
  t.size_of = size_of;
  t.node_rank = node_rank;
  t.node_size = node_size;
  t.caps = caps;
  t.barrier = barrier;
  return t;
}();

constexpr op_plugin_v1 plugin = {sizeof(op_plugin_v1),
                                 OP2_PLUGIN_ABI,
                                 OP2_PLUGIN_API,
                                 OP_PLUGIN_COMM,
                                 0,
                                 "fake",
                                 "as many processes as you like, all of them this one",
                                 "",
                                 FAKE_PARENT,
                                 score,
                                 &ops};

} // namespace

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &plugin; }

// SPDX-License-Identifier: MIT
