// Ranges for profilers that listen to NVTX (Nsight Systems and others).
#pragma once

#include <string>

#include "base/log.hpp"
#include "base/text.hpp"
#include "base/trace.hpp"

namespace op2::core {

// What setting OP2_NVTX asks for: "on", "off", or "auto" = when a profiler is attached. NULL when there is nothing to
// tell, so that the cost is nil.
const RangeMarker *nvtx_marker(const std::string &setting, const Log &log);

} // namespace op2::core
