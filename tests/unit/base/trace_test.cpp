// trace_test.cpp: the recorder of spans and its file: nothing is lost, nothing is mixed up, and the file can be loaded
// at any moment.
#include "base/trace.hpp"

#include <sys/resource.h>

#include <csignal>
#include <thread>

#include "trace.hpp"

namespace {

using op2::core::JsonFields;
using op2::core::Log;
using op2::core::now;
using op2::core::Trace;
using op2::core::trace_file_name;
using op2::core::TraceOptions;
using op2::core::TraceSpan;
using op2::core::TraceSubject;
using unit::contains;
using unit::events_of;
using unit::Json;
using unit::spans;
namespace lane = op2::core::trace_lane;

struct TraceTest : testing::Test {
  unit::Folder folder;
  Log log{OP_LOG_WARN};
  TraceOptions options(const std::string &file, std::size_t capacity) const {
    TraceOptions out;
    out.file = folder / file;
    out.capacity = capacity;
    return out;
  }
};

TEST(TraceName, OneFilePerProcess) {
  EXPECT_EQ("trace.json", trace_file_name("trace.json", 0));
  EXPECT_EQ("trace.1.json", trace_file_name("trace.json", 1));
  EXPECT_EQ("a.b/trace.17", trace_file_name("a.b/trace", 17));
  EXPECT_EQ("/tmp/x.y.2.json", trace_file_name("/tmp/x.y.json", 2));
  EXPECT_EQ("t-0.json", trace_file_name("t-%r.json", 0));
  EXPECT_EQ("t-3.json", trace_file_name("t-%r.json", 3));
  EXPECT_EQ("t." + std::to_string(getpid()), trace_file_name("t.%p", 3));
  EXPECT_EQ("100%", trace_file_name("100%%", 0));
  EXPECT_EQ("100%.1", trace_file_name("100%%.1", 0));
  EXPECT_EQ("100%.5.json", trace_file_name("100%%.json", 5));
  EXPECT_EQ("%x%", trace_file_name("%x%", 0));
}

TEST_F(TraceTest, SaysWhatTheFileIsAbout) {
  TraceOptions some = options("t.json", 8);
  some.rank = 3;
  some.process = "a \"good\" one";
  some.start = JsonFields().add("threads", 2);
  { const Trace trace(some, log); }
  const std::vector<Json> events = events_of(folder / "t.3.json");
  std::map<double, std::string> lanes;
  std::string process;
  for (const Json &event : events) {
    EXPECT_EQ(3, event["pid"].value);
    if (event["name"].text == "thread_name") lanes[event["tid"].value] = event["args"]["name"].text;
    if (event["name"].text == "process_name") process = event["args"]["name"].text;
    if (event["name"].text == "start") {
      EXPECT_EQ(2, event["args"]["threads"].value);
      EXPECT_GT(event["args"]["unix_seconds"].value, 1.7e9);
      EXPECT_NEAR(event["ts"].value, 1e6 * now(), 60e6);
    }
  }
  EXPECT_EQ("rank 3 (a \"good\" one)", process);
  EXPECT_EQ((std::map<double, std::string>{{1, "loops"}, {2, "plans"}, {3, "data"}, {4, "exchanges"}, {5, "I/O"}}),
            lanes);
}

// The file after every single event, for buffers smaller and larger than what is recorded.
TEST_F(TraceTest, CanBeLoadedAtAnyMoment) {
  for (const std::size_t capacity : {1u, 2u, 3u, 7u, 100u}) {
    SCOPED_TRACE(capacity);
    const std::string path = folder / ("t" + std::to_string(capacity));
    Trace trace(options("t" + std::to_string(capacity), capacity), log);
    EXPECT_EQ(path, trace.path());
    const TraceSubject &flux = trace.subject(lane::loops, "flux", JsonFields().add("set", "cells"), "call");
    std::size_t seen = 0;
    for (int i = 1; i <= 25; ++i) {
      trace.record(flux, 1e-3 * i, 1e-3 * i + 5e-4, i); // long ago: the buffer never becomes old
      const std::size_t there = spans(events_of(path, false), lane::loops).size();
      EXPECT_GE(there, seen);
      EXPECT_GT(there + std::max<std::size_t>(capacity, 2), static_cast<std::size_t>(i));
      seen = there;
    }
    trace.close();
    const std::vector<Json> events = events_of(path);
    const std::vector<Json> all = spans(events, lane::loops, "flux");
    ASSERT_EQ(25u, all.size());
    for (int i = 1; i <= 25; ++i) {
      const Json &event = all[static_cast<std::size_t>(i - 1)];
      EXPECT_EQ(1e3 * i, event["ts"].value);
      EXPECT_EQ(500, event["dur"].value);
      EXPECT_EQ(i, event["args"]["call"].value);
      EXPECT_EQ("cells", event["args"]["set"].text);
    }
    EXPECT_EQ(capacity > 25, spans(events, lane::io, "write trace").empty());
    trace.record(flux, 1, 2, 3); // too late, and harmless
    trace.close();
    EXPECT_EQ(events.size(), events_of(path).size());
  }
}

TEST_F(TraceTest, OldEventsDoNotWaitForAFullBuffer) {
  Trace trace(options("t", 1000), log);
  const TraceSubject &step = trace.subject(lane::loops, "step");
  const double start = now();
  trace.record(step, start, start, 0);
  EXPECT_EQ(0u, spans(events_of(folder / "t", false), lane::loops).size());
  trace.record(step, start, start + 1.1, 0); // as if more than a second had gone by
  EXPECT_EQ(2u, spans(events_of(folder / "t", false), lane::loops).size());
  trace.record(step, start, start, 0);
  trace.flush();
  EXPECT_EQ(3u, spans(events_of(folder / "t", false), lane::loops).size());
}

TEST_F(TraceTest, TimesHaveNanoseconds) {
  Trace trace(options("t", 8), log);
  trace.record(trace.subject(lane::data, "put"), 1234567.123456789, 1234567.123456999, 0);
  trace.close();
  EXPECT_TRUE(contains(unit::content_of(folder / "t"), "\"ts\":1234567123456.789,\"dur\":0.210,\"args\":{}}"));
}

TEST_F(TraceTest, SubjectsAreKeptOnce) {
  Trace trace(options("t", 8), log);
  const TraceSubject &first = trace.subject(lane::data, "fetch q", JsonFields().add("set", "cells"), "bytes");
  for (int i = 0; i < 1000; ++i) trace.subject(lane::data, "fetch " + std::to_string(i));
  EXPECT_EQ(&first, &trace.subject(lane::data, "fetch q", JsonFields().add("set", "cells"), "bytes"));
  EXPECT_NE(&first, &trace.subject(lane::data, "fetch q", JsonFields().add("set", "edges"), "bytes"));
  EXPECT_NE(&first, &trace.subject(lane::io, "fetch q", JsonFields().add("set", "cells"), "bytes"));
}

// Threads with lanes of their own, and a buffer that fills all the time.
TEST_F(TraceTest, ThreadsRecordAtOnce) {
  constexpr int threads = 4, each = 500;
  {
    Trace trace(options("t", 16), log);
    std::vector<std::thread> all;
    for (int t = 0; t < threads; ++t)
      all.emplace_back([&trace, t] {
        const std::string name = "writer " + std::to_string(t);
        const int mine = trace.add_lane(name);
        const TraceSubject &outer = trace.subject(mine, "outer"), &inner = trace.subject(mine, name, {}, "n");
        for (int i = 0; i < each; i += 2) {
          const TraceSpan around(trace, outer);
          { const TraceSpan first(trace, inner, i); }
          { const TraceSpan second(trace, inner, i + 1); }
        }
      });
    for (std::thread &thread : all) thread.join();
  }
  const std::vector<Json> events = events_of(folder / "t");
  unit::expect_order(events);
  std::map<std::string, double> lanes;
  for (const Json &event : events)
    if (event["name"].text == "thread_name") lanes[event["args"]["name"].text] = event["tid"].value;
  for (int t = 0; t < threads; ++t) {
    const std::string name = "writer " + std::to_string(t);
    ASSERT_EQ(1u, lanes.count(name));
    EXPECT_GE(lanes[name], lane::first_free);
    const std::vector<Json> mine = spans(events, static_cast<int>(lanes[name]), name);
    ASSERT_EQ(static_cast<std::size_t>(each), mine.size());
    for (int i = 0; i < each; ++i) EXPECT_EQ(i, mine[static_cast<std::size_t>(i)]["args"]["n"].value);
    EXPECT_EQ(static_cast<std::size_t>(each / 2), spans(events, static_cast<int>(lanes[name]), "outer").size());
  }
}

TEST_F(TraceTest, SpansMayLearnWhatTheyAreAbout) {
  {
    Trace trace(options("t", 8), log);
    TraceSpan span(trace, trace.subject(lane::plans, "prepare"));
    span.about(trace.subject(lane::plans, "prepare flux", JsonFields().add("blocks", 7)));
  }
  const std::vector<Json> all = spans(events_of(folder / "t"), lane::plans);
  ASSERT_EQ(1u, all.size());
  EXPECT_EQ("prepare flux", all[0]["name"].text);
  EXPECT_EQ(7, all[0]["args"]["blocks"].value);
}

TEST_F(TraceTest, NoSpanWithoutATrace) {
  const TraceSpan nothing;
  EXPECT_EQ(0u, folder.files());
}

TEST_F(TraceTest, ProfilersAreToldInTheOrderOfTheProgram) {
  static std::string told;
  static constexpr op2::core::RangeMarker marker{[](const char *name) { told += std::string("(") + name; },
                                                 [] { told += ")"; }};
  TraceOptions some; // no file
  some.marker = &marker;
  Trace trace(some, log);
  const TraceSubject &a = trace.subject(lane::loops, "a"), &b = trace.subject(lane::data, "b");
  {
    const TraceSpan outer(trace, a);
    const TraceSpan inner(trace, b);
  }
  { const TraceSpan again(trace, a); }
  EXPECT_EQ("(a(b))(a)", told);
  EXPECT_EQ("", trace.path());
  trace.add_lane("more");
  trace.flush();
  trace.close();
  EXPECT_EQ(0u, folder.files());
}

TEST_F(TraceTest, AnUnwritableFileIsAnError) {
  const auto refused = [&](const std::string &path) {
    TraceOptions some;
    some.file = path;
    const op2::core::Error error = unit::thrown_by([&] { Trace trace(some, log); });
    EXPECT_STREQ("OP_ERR_FILE", op_status_name(error.code));
    EXPECT_TRUE(contains(error.what(), "setting OP2_TRACE='" + path + "': cannot write '" + path + "': "));
  };
  refused(folder / "no_such_folder/t.json");
  refused(folder / ".");
  if (access("/dev/full", W_OK) == 0) refused("/dev/full");
}

// A second trace of one name in one process would destroy the first; a file from elsewhere is replaced.
TEST_F(TraceTest, ASecondContextHasAFileOfItsOwn) {
  std::ofstream(folder / "t.json") << "something old";
  for (const char *file : {"t.json", "t-2.json", "t-3.json"}) {
    const Trace trace(options("t.json", 8), log);
    EXPECT_EQ(folder / file, trace.path());
  }
  std::filesystem::remove(folder / "t.json");
  { EXPECT_EQ(folder / "t.json", Trace(options("t.json", 8), log).path()); } // taken away: free again
  for (const char *file : {"t.json", "t-2.json", "t-3.json"}) EXPECT_FALSE(events_of(folder / file).empty());
  TraceOptions device;
  device.file = "/dev/null";
  for (int i = 0; i < 2; ++i) EXPECT_EQ("/dev/null", Trace(device, log).path());
}

// As on a full disk: a file may not grow beyond a limit. One warning, whole events only, and the program goes on.
TEST_F(TraceTest, AFullDiskEndsTheTraceOnly) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, SIG_IGN);
  testing::internal::CaptureStderr();
  {
    Trace trace(options("t.json", 10), log);
    const TraceSubject &flux = trace.subject(lane::loops, "flux", {}, "call");
    rlimit small = before;
    small.rlim_cur = 4000;
    setrlimit(RLIMIT_FSIZE, &small);
    for (int i = 0; i < 1000; ++i) {
      { const TraceSpan span(trace, flux, i); }
      ASSERT_LT(trace.events_in_memory(), 10u);
    }
  }
  setrlimit(RLIMIT_FSIZE, &before);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ("op2: warning: OP2_TRACE: cannot write '" + (folder / "t.json") +
                "': File too large; the trace ends here, the program goes on\n",
            said);
  const std::vector<Json> kept = spans(events_of(folder / "t.json"), lane::loops);
  EXPECT_GE(kept.size(), 10u);
  EXPECT_LT(kept.size(), 50u);
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(i, kept[i]["args"]["call"].value);
}

} // namespace

// SPDX-License-Identifier: MIT
