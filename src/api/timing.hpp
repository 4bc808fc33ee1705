// Timing tables of a context, as text and files.
#pragma once

#include "api/session.hpp"

namespace op2::core {

// Setting OP2_TIMING: words separated by ','.
struct TimingRequest {
  bool measures = true; // not "off"
  bool waits = false;   // "wait"
  std::string output;   // "table", a file whose name ends in .csv or .json, or ""
};
// Throws OP_ERR_ARGUMENT for other words.
TimingRequest timing_request(const Settings &settings);

// The output that OP2_TIMING asks for, when the context ends. Never throws: a file that cannot be written is a warning.
// Collective.
void write_timing_output(Session &current) noexcept;

} // namespace op2::core

// SPDX-License-Identifier: MIT
