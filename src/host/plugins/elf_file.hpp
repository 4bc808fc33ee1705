// A look at a file before the dynamic linker gets it.
#pragma once

#include <string>

namespace op2::core {

// Why dlopen must not be tried with this file: it would wait for ever (a pipe) or be killed by SIGBUS (an object that
// was cut short, as by a full disk). "" = dlopen can be tried, and will say itself what is wrong.
std::string reason_not_to_load(const std::string &path);

} // namespace op2::core
