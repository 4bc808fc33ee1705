// Ranges for profilers that listen to NVTX (Nsight Systems and others).
#pragma once

#include <string>

#include "base/log.hpp"
#include "base/text.hpp"
#include "base/trace.hpp"

namespace op2::core {

// NULL, at no cost, unless a profiler is attached.
const RangeMarker *nvtx_marker(const Log &log);

} // namespace op2::core

// SPDX-License-Identifier: MIT
