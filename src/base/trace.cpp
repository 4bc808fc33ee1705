#include "base/trace.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "base/text.hpp"

namespace op2::core {

namespace {

constexpr double longest_wait = 1; // seconds that an event stays in memory while others arrive
constexpr std::array lane_titles = {"loops", "plans", "data", "exchanges", "I/O"};
static_assert(lane_titles.size() + 1 == trace_lane::first_free);

void put(std::string &out, std::int64_t number) {
  char digits[24];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  out.append(digits, end);
}

// Seconds as microseconds with three decimals, the unit of the format.
void put_microseconds(std::string &out, double seconds) {
  const std::int64_t nanoseconds = std::max<std::int64_t>(std::llround(seconds * 1e9), 0);
  put(out, nanoseconds / 1000);
  const int rest = static_cast<int>(nanoseconds % 1000);
  out += '.';
  out += static_cast<char>('0' + rest / 100);
  out += static_cast<char>('0' + rest / 10 % 10);
  out += static_cast<char>('0' + rest % 10);
}

// An event that describes the process or a lane: {"name":"thread_name","ph":"M",...,"args":{"name":"loops"}}
std::string about_lane(const char *what, int rank, int lane, const JsonFields &facts) {
  JsonFields event;
  event.add("name", what).add("ph", "M").add("pid", rank).add("tid", lane);
  return text("{", event.text(), ",\"args\":{", facts.text(), "}}");
}

std::string lane_events(int rank, int lane, std::string_view title) {
  return about_lane("thread_name", rank, lane, JsonFields().add("name", title)) + ",\n" +
         about_lane("thread_sort_index", rank, lane, JsonFields().add("sort_index", lane));
}

} // namespace

Trace::Trace(const TraceOptions &options, const Log &log)
    : log_(log), marker_(options.marker), rank_(options.rank), capacity_(std::max<std::size_t>(options.capacity, 2)) {
  if (options.file.empty()) return;
  file_ = std::make_unique<TraceFile>(trace_file_name(options.file, options.rank));
  if (!file_->append(first_events(options)))
    fail(OP_ERR_FILE, "setting OP2_TRACE='", options.file, "': cannot write '", file_->path(),
         "': ", std::strerror(errno));
  buffer_.reserve(capacity_);
  writing_subject_ = &subject(trace_lane::io, "write trace", {}, "events");
  written_at_ = now();
  writing_ = true;
  log_.write(OP_LOG_DEBUG, text("trace goes to ", file_->path()));
}

std::string Trace::first_events(const TraceOptions &options) const {
  const std::string process = text("rank ", rank_, " (", options.process, ")");
  std::string out = about_lane("process_name", rank_, 0, JsonFields().add("name", process)) + ",\n" +
                    about_lane("process_sort_index", rank_, 0, JsonFields().add("sort_index", rank_));
  for (int lane = trace_lane::loops; lane < trace_lane::first_free; ++lane)
    out += ",\n" + lane_events(rank_, lane, lane_titles[static_cast<std::size_t>(lane - 1)]);
  JsonFields start;
  start.add("name", "start").add("ph", "i").add("s", "p").add("pid", rank_).add("tid", trace_lane::loops);
  std::string time;
  put_microseconds(time, now());
  // The clock of the spans counts from the start of the machine; the time of day puts files of several machines
  // together.
  JsonFields facts = options.start;
  facts.add("unix_seconds", seconds_of(CLOCK_REALTIME), 6);
  return text(out, ",\n{", start.text(), ",\"ts\":", time, ",\"args\":{", facts.text(), "}}");
}

const TraceSubject &Trace::subject(int lane, std::string_view name, const JsonFields &fields, std::string_view count) {
  JsonFields head;
  head.add("name", name).add("ph", "X").add("pid", rank_).add("tid", lane);
  TraceSubject made{std::string(name), text("{", head.text(), ",\"ts\":"), text(",\"args\":{", fields.text()),
                    !count.empty()};
  if (made.counted) made.tail += text(fields.text().empty() ? "" : ",", json_string(count), ":");
  const std::lock_guard lock(mutex_);
  std::string key = made.head + made.tail;
  return subjects_.try_emplace(std::move(key), std::move(made)).first->second;
}

int Trace::add_lane(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const int lane = next_lane_++;
  append(lane_events(rank_, lane, name));
  return lane;
}

void Trace::record(const TraceSubject &subject, double begin, double end, std::int64_t count) noexcept {
  if (!file_) return;
  const std::lock_guard lock(mutex_);
  if (!writing_) return;
  buffer_.push_back({&subject, begin, end, count}); // there is always room: a full buffer is emptied at once
  if (buffer_.size() >= capacity_ || end - written_at_ >= longest_wait) write_buffer();
}

void Trace::flush() noexcept {
  const std::lock_guard lock(mutex_);
  write_buffer();
}

std::size_t Trace::events_in_memory() {
  const std::lock_guard lock(mutex_);
  return buffer_.size();
}

void Trace::close() noexcept {
  if (!file_) return;
  const std::lock_guard lock(mutex_);
  write_buffer();
  if (!file_->close() && writing_)
    log_.write(OP_LOG_WARN, text("OP2_TRACE: cannot finish '", file_->path(), "': ", std::strerror(errno)));
  writing_ = false;
}

void Trace::append(const std::string &events) {
  if (!writing_ || file_->append(events)) return;
  const int why = errno;
  writing_ = false;
  log_.write(OP_LOG_WARN, text("OP2_TRACE: cannot write '", file_->path(), "': ", std::strerror(why),
                               "; the trace ends here, the program goes on"));
}

void Trace::format_buffer() {
  text_.clear();
  for (const Event &event : buffer_) {
    if (!text_.empty()) text_ += ",\n";
    text_ += event.subject->head;
    put_microseconds(text_, event.begin);
    text_ += ",\"dur\":";
    put_microseconds(text_, event.end - event.begin);
    text_ += event.subject->tail;
    if (event.subject->counted) put(text_, event.count);
    text_ += "}}";
  }
}

// The writing itself is shown too: it takes time from the program.
void Trace::write_buffer() noexcept {
  if (!writing_ || buffer_.empty()) return;
  const double begin = now();
  const std::int64_t events = static_cast<std::int64_t>(buffer_.size());
  try {
    format_buffer();
    append(text_);
  } catch (...) { // no memory: these events are lost
  }
  buffer_.clear();
  written_at_ = now();
  buffer_.push_back({writing_subject_, begin, written_at_, events});
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
