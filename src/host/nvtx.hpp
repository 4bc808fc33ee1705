// Ranges for profilers that listen to NVTX (Nsight Systems and others).
#pragma once

#include <string>

#include "base/log.hpp"
#include "base/text.hpp"
#include "base/trace.hpp"

namespace op2::core {

// The marker for setting OP2_NVTX: "on", "off", or "auto" = on if a profiler is attached. NULL = off, at no cost.
const RangeMarker *nvtx_marker(const std::string &setting, const Log &log);

} // namespace op2::core
