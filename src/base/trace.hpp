// The trace: spans of time on lanes, for a file (setting OP2_TRACE) and for a profiler.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/log.hpp"
#include "base/trace_file.hpp"

namespace op2::core {

// Lanes of the thread that controls the library, in the order in which viewers show them. Other threads, the library's
// own or those of plugins, take lanes with add_lane(). Two spans of one lane must be nested or disjoint.
namespace trace_lane {
inline constexpr int loops = 1, plans = 2, data = 3, exchanges = 4, io = 5, first_free = 6;
}

// What a span is about. The caller makes a subject once for all spans of its kind, so that record() formats nothing.
struct TraceSubject {
  std::string name;
  std::string head, tail; // text of its events in the file before and after the times
  bool counted;           // each span has a number, written after the tail
};

// Functions that mark a range of the calling thread for a profiler; see host/nvtx.
struct RangeMarker {
  void (*push)(const char *name);
  void (*pop)();
};

struct TraceOptions {
  std::string file;                    // pattern of trace_file_name(), "" = no file
  const RangeMarker *marker = nullptr; // NULL = no profiler
  int rank = 0;
  std::string process = "seq"; // in "rank 0 (seq)"
  JsonFields start;            // facts about the run, for the event that marks its start
  std::size_t capacity = 8192; // events that the buffer holds
};

// All functions may be called from any thread.
class Trace {
 public:
  // log must outlive the trace. Throws OP_ERR_FILE when the file cannot be written.
  Trace(const TraceOptions &options, const Log &log);
  ~Trace() { close(); }
  Trace(const Trace &) = delete;
  Trace &operator=(const Trace &) = delete;

  // fields: facts that all its spans share. count: the name of each span's number ("call", "bytes"); "" = no number.
  // The reference is valid as long as the trace.
  const TraceSubject &subject(int lane, std::string_view name, const JsonFields &fields = {},
                              std::string_view count = "");
  // A lane for another thread, shown under this name.
  int add_lane(std::string_view name);

  void push(const TraceSubject &subject) const noexcept {
    if (marker_) marker_->push(subject.name.c_str());
  }
  void pop() const noexcept {
    if (marker_) marker_->pop();
  }
  // begin, end: seconds of now(). Writes the buffer to the file if it is full or older than a second.
  void record(const TraceSubject &subject, double begin, double end, std::int64_t count) noexcept;

  void flush() noexcept;
  void close() noexcept; // completes the file; later records are dropped
  std::size_t events_in_memory();
  std::string path() const { return file_ ? file_->path() : ""; }

 private:
  struct Event {
    const TraceSubject *subject;
    double begin, end;
    std::int64_t count;
  };
  void write_buffer() noexcept;
  void format_buffer();
  void append(const std::string &events); // ends the trace with a warning if it cannot write
  std::string first_events(const TraceOptions &options) const;

  const Log &log_;
  const RangeMarker *marker_;
  int rank_;
  std::size_t capacity_;
  std::mutex mutex_; // guards all members below
  std::unique_ptr<TraceFile> file_;
  bool writing_ = false; // the file is open and nothing went wrong
  std::vector<Event> buffer_;
  std::string text_; // the formatted buffer
  const TraceSubject *writing_subject_ = nullptr;
  double written_at_ = 0;
  int next_lane_ = trace_lane::first_free;
  std::map<std::string, TraceSubject> subjects_; // by head and tail
};

// A span from here to the end of the scope. Without a trace it does nothing.
class TraceSpan {
 public:
  TraceSpan() = default;
  TraceSpan(Trace &trace, const TraceSubject &subject, std::int64_t count = 0)
      : trace_(&trace), subject_(&subject), count_(count) {
    trace.push(subject);
    begin_ = now();
  }
  ~TraceSpan() {
    if (!trace_) return;
    trace_->record(*subject_, begin_, now(), count_);
    trace_->pop();
  }
  TraceSpan(const TraceSpan &) = delete;
  TraceSpan &operator=(const TraceSpan &) = delete;

  // Replaces the subject by one that says more.
  void about(const TraceSubject &subject) { subject_ = &subject; }

 private:
  Trace *trace_ = nullptr;
  const TraceSubject *subject_ = nullptr;
  double begin_ = 0;
  std::int64_t count_ = 0;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
