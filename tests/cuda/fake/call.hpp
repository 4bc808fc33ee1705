// call.hpp: what every entry point of the fake driver does first and last.
#pragma once

#include <mutex>
#include <sstream>
#include <string>

#include "state.hpp"

namespace fake {

// Words of a trace line: details("bytes", 8, "stream", 2) is "bytes=8 stream=2".
inline void add_details(std::ostringstream &) {}
template <class Value, class... Rest>
void add_details(std::ostringstream &out, const char *name, const Value &value, const Rest &...rest) {
  out << ' ' << name << '=' << value;
  add_details(out, rest...);
}

class Call {
 public:
  template <class... Details>
  explicit Call(const char *name, const Details &...details) : lock_(state().mutex), name_(name) {
    if (!state().trace.on()) return;
    std::ostringstream out;
    add_details(out, details...);
    details_ = out.str();
  }
  // What a call answers that needs nothing but cuInit.
  int answer(int code) const {
    if (state().trace.on()) state().trace.line(name_ + details_ + " -> " + std::to_string(code));
    return code;
  }
  int refuse(int code, const std::string &why) const {
    report(name_ + ": " + why);
    return answer(code);
  }

 private:
  std::unique_lock<std::recursive_mutex> lock_;
  std::string name_, details_;
};

// The stream of a handle; the default stream for 0, 1 and 2. Nothing: no such stream.
std::shared_ptr<Stream> stream_of(void *handle);
inline int id_of(void *handle) {
  const auto stream = stream_of(handle);
  return stream ? stream->id : -1;
}

// What is wrong before anything is looked at: no cuInit, no context, an earlier kernel that failed. Or `success`.
int unready();

} // namespace fake

// For entry points: names the call, and answers at once when it cannot work.
#define FAKE_CALL(...)                \
  const fake::Call call(__VA_ARGS__); \
  if (const int trouble = fake::unready()) return call.answer(trouble)

// SPDX-License-Identifier: MIT
