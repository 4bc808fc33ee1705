// Lines of all processes in one file.
#pragma once

#include <string>

#include "host/communicator.hpp"
#include "tracer/tracer.hpp"

namespace op2::core::tracer {

void need_lines_format(const std::string &file); // throws OP_ERR_ARGUMENT

// .vtp by process 0, .vtkhdf as files of views are written. Collective. Throws OP_ERR_FILE.
void write_lines(Communicator &communicator, const op_lines_core &lines, const std::string &file);

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
