// The door of chain.h.
#include "op2/chain.h"

#include "api/guard.hpp"

using namespace op2::core;

op_status op_chain_begin(const char *name) {
  return guarded("op_chain_begin", [&] {
    Session &current = recording_session();
    if (!name) fail(OP_ERR_ARGUMENT, "the name of the chain is NULL; messages need one");
    current.engine->begin_chain(name);
  });
}

op_status op_chain_end(void) {
  return guarded("op_chain_end", [] { recording_session().engine->end_chain(); });
}

// SPDX-License-Identifier: MIT
