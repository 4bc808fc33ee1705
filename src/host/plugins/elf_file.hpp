// Checks a file before dlopen opens it.
#pragma once

#include <string>

namespace op2::core {

// Why dlopen must not open this file: dlopen would block for ever (a pipe), or SIGBUS would kill the process (an object
// that is cut short, e.g. by a full disk). "" = dlopen is safe and reports other errors itself.
std::string reason_not_to_load(const std::string &path);

} // namespace op2::core

// SPDX-License-Identifier: MIT
