// Calling code of a plugin that may crash: a fatal signal inside becomes a text instead of the end of the process.
#pragma once

#include <functional>
#include <string>

namespace op2::core {

// Runs body(). Returns "" when it came back, else the rest of a sentence about it: "crashed (signal 11, SIGSEGV)",
// "threw an exception: ...". Signals of other threads meanwhile take the course they would have taken anyhow.
//
// A body that crashed is left where it was: its destructors do not run, its memory is lost, and locks that it held stay
// held. So the body must be the foreign call and little else, and that plugin must not be called again. What cannot be
// survived: exit(), an endless loop, and a heap that the plugin has destroyed.
std::string run_guarded(const std::function<void()> &body);

// The same for a body that must not be left half way, such as dlopen, which holds the lock of the dynamic linker: a
// fatal signal writes `last_words` to stderr and then takes its course.
void run_with_last_words(const std::string &last_words, const std::function<void()> &body);

} // namespace op2::core
