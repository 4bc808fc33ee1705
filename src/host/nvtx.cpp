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

const RangeMarker *nvtx_marker(const std::string &setting, const Log &log) {
  static constexpr RangeMarker marker{push, pop};
  const char *profiler = std::getenv("NVTX_INJECTION64_PATH"); // what every profiler sets for the programs it starts
  const bool attached = profiler && profiler[0];
  if (setting == "off" || (setting == "auto" && !attached)) return nullptr;
  log.write(OP_LOG_DEBUG, attached ? text("NVTX ranges go to ", profiler) : "NVTX ranges are on (OP2_NVTX)");
  return &marker;
}

} // namespace op2::core

#else

namespace op2::core {

const RangeMarker *nvtx_marker(const std::string &setting, const Log &log) {
  if (setting == "on") log.write(OP_LOG_WARN, "OP2_NVTX=on has no effect: this build has no NVTX");
  return nullptr;
}

} // namespace op2::core

#endif
