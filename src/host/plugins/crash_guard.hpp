// Calls into a plugin that may crash: a fatal signal becomes an error text and does not end the process.
#pragma once

#include <functional>
#include <string>

namespace op2::core {

// Runs body(). Returns "" when body() returned, else the rest of a sentence about it: "crashed (signal 11, SIGSEGV)",
// "threw an exception: ...". Fatal signals of other threads have the same effect as without this call.
//
// A crash abandons the stack of body(): destructors do not run, memory leaks, and locks stay locked. So body() must be
// the foreign call and little else, and the caller must not call that plugin again. run_guarded() cannot catch exit(),
// an endless loop or a corrupted heap.
std::string run_guarded(const std::function<void()> &body);

// For a body that must not be abandoned, e.g. dlopen, which holds the lock of the dynamic linker: on a fatal signal the
// handler writes `last_words` to stderr; then the previous handler acts.
void run_with_last_words(const std::string &last_words, const std::function<void()> &body);

} // namespace op2::core

// SPDX-License-Identifier: MIT
