// What op_event points to.
#pragma once

#include <memory>

#include "exec_cuda.hpp"

struct op_event_s {
  op2::exec_cuda::Event event;
  // Bytes that the host takes out of page-locked memory once the event is past; they count as arrived then.
  std::unique_ptr<op2::exec_cuda::Pinned> arrived = {};
  char *to = nullptr;
  size_t bytes = 0;
};

namespace op2::exec_cuda {

// Records an event on `stream` and hands it to the caller; without a place for it the host waits. `arrived`:
// page-locked memory that the stream fills, of which `bytes` go `to` host memory afterwards.
void finish(op_exec &exec, CUstream stream, op_event *done, std::unique_ptr<Pinned> arrived = nullptr,
            void *to = nullptr, size_t bytes = 0);

} // namespace op2::exec_cuda
