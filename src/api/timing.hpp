// Timing tables of a context, as text and files.
#pragma once

#include "api/session.hpp"

namespace op2::core {

// Throws OP_ERR_ARGUMENT for a value of OP2_TIMING_OUTPUT that names neither the table nor a file of a known format.
void check_timing_output(const Settings &settings);

// What OP2_TIMING_OUTPUT asks for, when the context ends. Never throws: a file that cannot be written is a warning.
// Collective.
void write_timing_output(Session &current) noexcept;

} // namespace op2::core
