// The object that op_event points to.
#pragma once

#include <memory>

#include "exec_cuda.hpp"

struct op_event_s {
  op2::exec_cuda::Event event;
  // Page-locked memory from which the host copies `bytes` bytes to `to` after the event; only then is the event
  // complete.
  std::unique_ptr<op2::exec_cuda::Pinned> arrived = {};
  char *to = nullptr;
  size_t bytes = 0;
  bool later = false; // to be recorded on the stream of loops when somebody asks for it
  bool timed = false; // of mark()
};

namespace op2::exec_cuda {

// Records an event on `stream` and sets *done; if `done` is NULL the host waits. arrived: page-locked memory that the
// stream fills; afterwards the host copies `bytes` bytes of it to `to`.
void finish(op_exec &exec, CUstream stream, op_event *done, std::unique_ptr<Pinned> arrived = nullptr,
            void *to = nullptr, size_t bytes = 0);
// The same for work on the stream of loops that is yet to be put there, before anybody asks for the event.
void finish_later(op_exec &exec, op_event *done);

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
