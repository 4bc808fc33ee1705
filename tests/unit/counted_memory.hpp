// How much memory objects take, for tests of what is promised about it. A program that has counted_memory.cpp gets its
// `operator new`.
#pragma once

#include <cstdint>

namespace unit {

// Bytes that this thread has asked for and given back: what it has now and had not at its beginning.
std::int64_t bytes_of_this_thread();

} // namespace unit

// SPDX-License-Identifier: MIT
