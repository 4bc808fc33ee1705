// rounds(n): how often to repeat what random or long inputs are for: n times, an eighth of that under AddressSanitizer, which runs the
// same tests more than ten times as slowly. `tests/run.sh --full` has both.
#pragma once

namespace unit {

#ifdef __has_feature
#define OP2_TEST_HAS_FEATURE(name) __has_feature(name)
#else
#define OP2_TEST_HAS_FEATURE(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || OP2_TEST_HAS_FEATURE(address_sanitizer)
constexpr int rounds(int n) { return (n + 7) / 8; }
#else
constexpr int rounds(int n) { return n; }
#endif

} // namespace unit

// SPDX-License-Identifier: MIT
