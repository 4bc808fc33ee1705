#include "host/nvtx.hpp"

#ifdef OP2_HAVE_NVTX

#include <cstdlib>

// A profiler is loaded at run time; a hook for one that is linked in would be a weak symbol of this library.
#define NVTX_SUPPORT_STATIC_INJECTION_LIBRARY 0
#include <nvtx3/nvToolsExt.h>

namespace op2::core {

namespace {

// Domains last as long as the process.
nvtxDomainHandle_t domain() {
  static const nvtxDomainHandle_t handle = nvtxDomainCreateA("libop2");
  return handle;
}

void push(const char *name) {
  nvtxEventAttributes_t attributes{};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = name;
  nvtxDomainRangePushEx(domain(), &attributes);
}

void pop() { nvtxDomainRangePop(domain()); }

} // namespace

const RangeMarker *nvtx_marker(const Log &log) {
  static constexpr RangeMarker marker{push, pop};
  const char *profiler = std::getenv("NVTX_INJECTION64_PATH"); // what every profiler sets for the programs it starts
  if (!profiler || !profiler[0]) return nullptr;
  log.write(OP_LOG_DEBUG, text("NVTX ranges go to ", profiler));
  return &marker;
}

} // namespace op2::core

#else

namespace op2::core {

const RangeMarker *nvtx_marker(const Log &) { return nullptr; }

} // namespace op2::core

#endif

// SPDX-License-Identifier: MIT
