// stats_test.cpp: the table of loops as text, CSV and JSON; the two files are read back as their users would.
#include "loop/stats/stats.hpp"

#include <algorithm>
#include <cctype>
#include <clocale>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <variant>

#include "csv.hpp"
#include "support.hpp"

namespace op2::core {
namespace {

using unit::contains;
using unit::parse_csv;

// Names that need care in one format or the other.
const std::string awkward[] = {"plain",
                               "two words",
                               "a,b",
                               "say \"hi\"",
                               "back\\slash",
                               "line\nbreak",
                               "tab\tstop",
                               "\"",
                               ",",
                               "",
                               "ring\rback",
                               "bell\x07",
                               "grün \xe2\x84\xa2",
                               "{\"a\": [1]}",
                               "a;b'c`d%s%n",
                               std::string(700, 'x')};

LoopStats &fill(LoopStats &row, int calls, double seconds) {
  row.form = "range, block colours";
  row.calls = calls;
  row.seconds = seconds;
  row.plan_seconds = 0.25;
  row.elements = 1000 * calls;
  row.bytes = 3e9;
  row.colours = 4;
  row.blocks = 12;
  return row;
}

StatsTable awkward_table() {
  StatsTable table;
  double seconds = 100;
  for (const std::string &name : awkward) fill(table.of(name, "set " + name), 2, --seconds);
  return table;
}

// ---- readers -------------------------------------------------------------------------------------------------------

// A strict reader of JSON; throws std::runtime_error.
struct Json;
using JsonObject = std::map<std::string, Json>;
using JsonArray = std::vector<Json>;
struct Json {
  std::variant<double, std::string, JsonObject, JsonArray> value;
  const Json &operator[](const std::string &key) const { return std::get<JsonObject>(value).at(key); }
  const std::string &text() const { return std::get<std::string>(value); }
  double number() const { return std::get<double>(value); }
};

class JsonReader {
 public:
  explicit JsonReader(const std::string &text) : text_(text) {}
  Json read() {
    Json out = value();
    if (skip() != '\0') fail("something behind the end");
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string &what) { throw std::runtime_error(what + " at " + std::to_string(at_)); }
  char skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  void take(char c) {
    if (skip() != c) fail(std::string("expected ") + c);
    ++at_;
  }
  Json value() {
    switch (skip()) {
      case '{':
        return {object()};
      case '[':
        return {array()};
      case '"':
        return {string()};
      default:
        return {number()};
    }
  }
  JsonObject object() {
    JsonObject out;
    take('{');
    for (bool more = skip() != '}'; more; more = skip() == ',' && ++at_) {
      const std::string key = (skip(), string());
      take(':');
      if (!out.emplace(key, value()).second) fail("the key " + key + " twice");
    }
    take('}');
    return out;
  }
  JsonArray array() {
    JsonArray out;
    take('[');
    for (bool more = skip() != ']'; more; more = skip() == ',' && ++at_) out.push_back(value());
    take(']');
    return out;
  }
  std::string string() {
    std::string out;
    take('"');
    while (at_ < text_.size() && text_[at_] != '"') {
      if (static_cast<unsigned char>(text_[at_]) < 0x20) fail("a bare control character");
      if (text_[at_] != '\\') {
        out += text_[at_++];
        continue;
      }
      const char kind = text_.at(++at_);
      ++at_;
      if (kind == '"' || kind == '\\') {
        out += kind;
      } else if (kind == 'u') {
        out += static_cast<char>(std::stoi(text_.substr(at_, 4), nullptr, 16));
        at_ += 4;
      } else {
        fail("an unknown escape");
      }
    }
    take('"');
    return out;
  }
  double number() {
    std::size_t end = at_;
    while (end < text_.size() &&
           (std::isdigit(static_cast<unsigned char>(text_[end])) || text_[end] == '-' || text_[end] == '.'))
      ++end;
    if (end == at_) fail("a number is missing");
    const double out = std::stod(text_.substr(at_, end - at_));
    at_ = end;
    return out;
  }

  const std::string &text_;
  std::size_t at_ = 0;
};

// ---- the table -----------------------------------------------------------------------------------------------------

TEST(Stats, OneRecordPerLoopAndSet) {
  StatsTable table;
  LoopStats &first = table.of("res", "edges");
  EXPECT_EQ(&first, &table.of("res", "edges"));
  EXPECT_NE(&first, &table.of("res", "cells"));
  EXPECT_NE(&first, &table.of("update", "edges"));
  for (int i = 0; i < 1000; ++i) table.of("loop " + std::to_string(i), "cells");
  EXPECT_EQ(&first, &table.of("res", "edges")); // references stay valid
  EXPECT_EQ(1003u, table.all().size());
}

TEST(Stats, ResetKeepsTheRecords) {
  StatsTable table;
  LoopStats &row = fill(table.of("res", "edges"), 5, 1.5);
  row.exchanges = row.avoided = row.messages = 3;
  DatTraffic &traffic = row.traffic_of("q") = {"q", 1, 2, 3, 4, 5};
  table.reset();
  EXPECT_EQ(0, row.exchanges + row.avoided + row.messages);
  EXPECT_EQ("q", traffic.dat);
  EXPECT_EQ(0, traffic.exchanges + traffic.avoided + traffic.partial);
  EXPECT_EQ(0, traffic.bytes + traffic.saved_bytes);
  EXPECT_EQ(0, row.calls);
  EXPECT_EQ(0, row.elements);
  EXPECT_EQ(0, row.seconds + row.plan_seconds + row.bytes);
  EXPECT_EQ(4, row.colours);
  EXPECT_EQ("range, block colours", row.form);
  EXPECT_EQ(&row, &table.of("res", "edges"));
}

TEST(Stats, TextShowsTheLongestLoopFirst) {
  StatsTable table;
  fill(table.of("short", "cells"), 4, 1.0);
  fill(table.of("long", "edges"), 2, 3.0);
  table.of("never", "edges");
  const std::string text = timing_text(table, "self+seq", 1, 10.0);
  EXPECT_EQ(
      "\n"
      "  loops on self+seq, 1 thread\n"
      "  loop      calls     seconds  share     us/call     GB/s    plan s colours  kernel form\n"
      "  long          2      3.0000  75.0%  1500000.00     1.00    0.2500       4  range, block colours\n"
      "  short         4      1.0000  25.0%   250000.00     3.00    0.2500       4  range, block colours\n"
      "  total                4.0000                                0.5000          plan s to seconds: 0.125\n"
      "  10.0000 s since the start or op_timing_reset(), 5.5000 s of them outside loops\n"
      "\n",
      text);
  EXPECT_TRUE(contains(timing_text(table, "self+openmp", 8, 10.0), "loops on self+openmp, 8 threads\n"));
}

// Colours keep threads apart; processes need none.
TEST(Stats, TextAdvisesProcessesWhereThreadsTakeColours) {
  StatsTable table;
  fill(table.of("flux", "edges"), 2, 3.0); // range, block colours
  fill(table.of("update", "cells"), 2, 8.0).form = "vector x8";
  EXPECT_TRUE(contains(timing_text(table, "self+openmp", 4, 12.0), "27% of the seconds in loops whose threads"));
  EXPECT_TRUE(contains(timing_text(table, "self+openmp", 4, 12.0), "op2_launch -n 4 or mpirun -n 4"));
  EXPECT_FALSE(contains(timing_text(table, "mpi+openmp", 4, 12.0), "op2_launch"));
  EXPECT_FALSE(contains(timing_text(table, "self+openmp", 1, 12.0), "op2_launch"));
  fill(table.of("save", "cells"), 2, 2.0).form = "vector x8";
  EXPECT_FALSE(contains(timing_text(table, "self+openmp", 4, 14.0), "op2_launch"));
}

TEST(Stats, EmptyTableIsStillATable) {
  const StatsTable table;
  EXPECT_TRUE(contains(timing_text(table, "self+seq", 1, 0.0), "total"));
  EXPECT_EQ(1u, parse_csv(timing_csv(table, "self+seq", 1, 0)).size());
  EXPECT_EQ(0u,
            std::get<JsonArray>(JsonReader(timing_json(table, "self+seq", 1, 0, 0.0)).read()["loops"].value).size());
}

TEST(Stats, LoopWithoutSecondsHasNoRate) {
  StatsTable table;
  fill(table.of("untimed", "cells"), 4, 0.0);
  const std::string text = timing_text(table, "self+seq", 1, 1.0);
  for (const char *nonsense : {"nan", "inf", "-0.0"}) EXPECT_TRUE(unit::lacks(text, nonsense));
  EXPECT_EQ("0.000000", parse_csv(timing_csv(table, "self+seq", 1, 0)).at(1).at(10));
}

TEST(Stats, TextKeepsItsLinesWithAnyNames) {
  StatsTable table;
  fill(table.of(std::string(700, 'x'), "cells"), 1, 1.0).form = std::string(700, 'y');
  const std::string text = timing_text(table, "self+seq", 1, 1.0);
  EXPECT_TRUE(contains(text, "y\n  total")) << "a long line swallowed its end";
}

TEST(Stats, CsvReadsBack) {
  const StatsTable table = awkward_table();
  const auto rows = parse_csv(timing_csv(table, "a,\"b\"", 3, 7));
  ASSERT_EQ(1 + std::size(awkward), rows.size());
  std::vector<std::string> heading = {"rank",     "backend",    "threads",       "loop",        "set",
                                      "calls",    "seconds",    "plan_seconds",  "elements",    "bytes",
                                      "gb_per_s", "colours",    "blocks",        "kernel_form", "exchanges",
                                      "messages", "sent_bytes", "waited_seconds"};
  for (const char *of_several : {"avoided",
                                 "partial",
                                 "saved_bytes",
                                 "record",
                                 "dat",
                                 "partition_seconds",
                                 "move_seconds",
                                 "halo_seconds",
                                 "halo_bytes",
                                 "halo_bytes_at_most",
                                 "lines",
                                 "steps",
                                 "handed_over",
                                 "came_back",
                                 "dividing_seconds",
                                 "working_seconds",
                                 "particle_messages",
                                 "particle_bytes",
                                 "chain_loops",
                                 "in_tiles",
                                 "tiles",
                                 "pieces",
                                 "schedule_bytes",
                                 "ways",
                                 "path"})
    heading.push_back(of_several);
  EXPECT_EQ(heading, rows[0]);
  for (std::size_t i = 0; i < std::size(awkward); ++i) {
    const std::vector<std::string> expected = {"7",
                                               "a,\"b\"",
                                               "3",
                                               awkward[i],
                                               "set " + awkward[i],
                                               "2",
                                               std::to_string(99 - static_cast<int>(i)) + ".000000000",
                                               "0.250000000",
                                               "2000",
                                               "3000000000"};
    ASSERT_EQ(heading.size(), rows[i + 1].size());
    EXPECT_EQ(expected, std::vector<std::string>(rows[i + 1].begin(), rows[i + 1].begin() + 10)) << awkward[i];
    EXPECT_NEAR(3.0 / static_cast<double>(99 - i), std::stod(rows[i + 1][10]), 1e-6);
    EXPECT_EQ("4", rows[i + 1][11]);
    EXPECT_EQ("12", rows[i + 1][12]);
    EXPECT_EQ("range, block colours", rows[i + 1][13]);
    EXPECT_EQ("loop", rows[i + 1][21]);
  }
}

// Rows of loops, of their dats and of the division have the same columns; JSON says the same.
TEST(Stats, TrafficAndDivisionReadBack) {
  StatsTable table;
  LoopStats &loop = fill(table.of("a,b", "edges"), 9, 1.0);
  loop.exchanges = 5, loop.avoided = 4, loop.messages = 6, loop.sent_bytes = 700;
  loop.traffic_of("q \"1\"") = {"q \"1\"", 3, 6, 2, 500, 80};
  loop.traffic_of("x") = {"x", 4, 5, 1, 200, 9};
  loop.traffic_of("never") = {"never", 0, 0, 0, 0, 0};
  const DivisionStats division{0.5, 0.25, 0.125, 4096, 8192};
  table.tracing() = {2, 30, 400, 50, 6, 7, 888, 0.5, 1.5, 1.25, 0.125, 4, 777};
  const auto rows = parse_csv(timing_csv(table, "mpi+seq", 1, 3, &division));
  ASSERT_EQ(6u, rows.size());
  for (const auto &row : rows) EXPECT_EQ(rows[0].size(), row.size());
  const auto from = [&](std::size_t row, std::size_t first, std::size_t end) {
    return std::vector<std::string>(rows[row].begin() + static_cast<std::ptrdiff_t>(first),
                                    rows[row].begin() + static_cast<std::ptrdiff_t>(end));
  };
  using Fields = std::vector<std::string>;
  EXPECT_EQ((Fields{"5", "6", "700", "0.000000000", "4", "3", "89", "loop", "", "", "", "", "", ""}), from(1, 14, 28));
  EXPECT_EQ((Fields{"3", "", "500", "", "6", "2", "80", "dat", "q \"1\"", "", "", "", "", ""}), from(2, 14, 28));
  EXPECT_EQ((Fields{"4", "", "200", "", "5", "1", "9", "dat", "x", "", "", "", "", ""}), from(3, 14, 28));
  EXPECT_EQ((Fields{"division", "", "0.500000000", "0.250000000", "0.125000000", "4096", "8192"}), from(4, 21, 28));
  EXPECT_EQ("a,b", rows[2][3]);
  EXPECT_EQ("3", rows[4][0]);
  std::string traced; // columns that are not empty
  for (std::size_t i = 0; i < rows[0].size(); ++i)
    if (!rows[5][i].empty()) traced += rows[0][i] + "=" + rows[5][i] + " ";
  EXPECT_EQ(traced,
            "rank=3 backend=mpi+seq threads=1 calls=2 seconds=1.500000000 messages=7 sent_bytes=888 "
            "waited_seconds=0.125000000 record=tracing lines=30 steps=400 handed_over=50 came_back=6 "
            "dividing_seconds=0.500000000 working_seconds=1.250000000 particle_messages=4 particle_bytes=777 ");

  const Json json = JsonReader(timing_json(table, "mpi+seq", 1, 3, 2.0, &division)).read();
  const Json &read = std::get<JsonArray>(json["loops"].value).at(0);
  const auto numbers = [](const Json &of, const std::vector<const char *> &names) {
    std::vector<double> out;
    for (const char *name : names) out.push_back(of[name].number());
    return out;
  };
  EXPECT_EQ((std::vector<double>{5, 4, 3, 700, 89}),
            numbers(read, {"exchanges", "avoided", "partial", "sent_bytes", "saved_bytes"}));
  const JsonArray &dats = std::get<JsonArray>(read["dats"].value);
  ASSERT_EQ(2u, dats.size());
  EXPECT_EQ("q \"1\"", dats[0]["dat"].text());
  EXPECT_EQ((std::vector<double>{3, 6, 2, 500, 80}),
            numbers(dats[0], {"exchanges", "avoided", "partial", "sent_bytes", "saved_bytes"}));
  EXPECT_EQ("x", dats[1]["dat"].text());
  EXPECT_EQ((std::vector<double>{0.5, 0.25, 0.125, 4096, 8192}),
            numbers(json["division"],
                    {"partition_seconds", "move_seconds", "halo_seconds", "halo_bytes", "halo_bytes_at_most"}));
  EXPECT_EQ((std::vector<double>{2, 30, 400, 50, 6, 7, 888, 0.5, 1.5, 1.25, 0.125, 4, 777}),
            numbers(json["tracing"], {"calls", "lines", "steps", "handed_over", "came_back", "messages", "sent_bytes",
                                      "dividing_seconds", "seconds", "working_seconds", "waited_seconds",
                                      "particle_messages", "particle_bytes"}));
  table.reset();
  EXPECT_EQ(0, table.tracing().steps);
  EXPECT_EQ(std::string::npos, timing_csv(table, "mpi+seq", 1, 3, &division).find("tracing,"));
}

TEST(Stats, JsonReadsBack) {
  const StatsTable table = awkward_table();
  const std::string text = timing_json(table, "a,\"b\"", 3, 7, 12.5);
  const Json json = JsonReader(text).read();
  EXPECT_EQ("a,\"b\"", json["backend"].text());
  EXPECT_EQ(3, json["threads"].number());
  EXPECT_EQ(7, json["rank"].number());
  EXPECT_EQ(12.5, json["wall_seconds"].number());
  const JsonArray &loops = std::get<JsonArray>(json["loops"].value);
  ASSERT_EQ(std::size(awkward), loops.size());
  for (std::size_t i = 0; i < loops.size(); ++i) {
    EXPECT_EQ(awkward[i], loops[i]["loop"].text());
    EXPECT_EQ("set " + awkward[i], loops[i]["set"].text());
    EXPECT_EQ(99.0 - static_cast<double>(i), loops[i]["seconds"].number());
    EXPECT_EQ(0.25, loops[i]["plan_seconds"].number());
    EXPECT_EQ(2, loops[i]["calls"].number());
    EXPECT_EQ(2000, loops[i]["elements"].number());
    EXPECT_EQ(3e9, loops[i]["bytes"].number());
    EXPECT_EQ(4, loops[i]["colours"].number());
    EXPECT_EQ(12, loops[i]["blocks"].number());
    EXPECT_EQ("range, block colours", loops[i]["kernel_form"].text());
  }
}

// A locale with decimal commas, made from the one every system has; false where that does not work.
bool use_decimal_commas() {
  std::ifstream in("/usr/lib/locale/C.utf8/LC_NUMERIC", std::ios::binary);
  std::string numeric((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::replace(numeric.begin(), numeric.end(), '.', ',');
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("op2_locale." + std::to_string(getpid()));
  std::filesystem::create_directories(folder / "comma");
  std::ofstream(folder / "comma" / "LC_NUMERIC", std::ios::binary) << numeric;
  setenv("LOCPATH", folder.c_str(), 1);
  const bool found = std::setlocale(LC_NUMERIC, "comma") != nullptr;
  unsetenv("LOCPATH");
  std::filesystem::remove_all(folder);
  char half[8] = "";
  std::snprintf(half, sizeof half, "%.1f", 0.5);
  return found && std::string(half) == "0,5";
}

// Where a program uses decimal commas, files still have points.
TEST(Stats, FilesDoNotDependOnTheProgramsLocale) {
  if (!use_decimal_commas()) GTEST_SKIP() << "no locale with decimal commas could be made";
  StatsTable table;
  fill(table.of("res", "edges"), 2, 1.5);
  const std::string csv = timing_csv(table, "self+seq", 1, 0), json = timing_json(table, "self+seq", 1, 0, 2.5);
  std::setlocale(LC_NUMERIC, "C");
  EXPECT_TRUE(contains(csv, ",1.500000000,0.250000000,"));
  EXPECT_TRUE(contains(json, "\"seconds\": 1.500000000"));
}

// ---- through the interface -----------------------------------------------------------------------------------------

class TimingOfTheLibrary : public unit::LibraryTest {
 protected:
  static std::string content(const std::string &file) {
    std::ifstream in(file);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
  }
  const std::string file = testing::TempDir() + "op2_stats_test." + std::to_string(getpid());
  ~TimingOfTheLibrary() override { std::remove(file.c_str()); }
};

TEST_F(TimingOfTheLibrary, CountsCallsElementsAndBytes) {
  ASSERT_EQ(OP_OK, init("seq"));
  const op_set cells = op_decl_set(10, "cells, all");
  const op_dat a = op_decl_dat(cells, 2, "double", nullptr, "a"), b = op_decl_dat(cells, 1, "double", nullptr, "b");
  for (int i = 0; i < 3; ++i)
    EXPECT_OK(
        unit::run([](const double *, double *) {}, "copy \"a\"", cells,
                  {op_arg_dat(a, -1, OP_ID, 2, "double", OP_READ), op_arg_dat(b, -1, OP_ID, 1, "double", OP_WRITE)}));
  EXPECT_OK(op_timings_to_csv(file.c_str()));
  const std::vector<std::string> row = parse_csv(content(file)).at(1);
  EXPECT_EQ("self+seq", row[1]);
  EXPECT_EQ("copy \"a\"", row[3]);
  EXPECT_EQ("cells, all", row[4]);
  EXPECT_EQ("3", row[5]);
  EXPECT_EQ("30", row[8]);
  EXPECT_EQ("720", row[9]); // 3 calls, 10 rows of 16 bytes read and of 8 bytes written
  EXPECT_OK(op_timings_to_json(file.c_str()));
  const Json json = JsonReader(content(file)).read();
  EXPECT_EQ(720, std::get<JsonArray>(json["loops"].value).at(0)["bytes"].number());

  EXPECT_OK(op_timing_reset());
  EXPECT_OK(op_timings_to_csv(file.c_str()));
  EXPECT_EQ(1u, parse_csv(content(file)).size());
}

TEST_F(TimingOfTheLibrary, SaysWhyAFileCannotBeWritten) {
  ASSERT_EQ(OP_OK, init("seq"));
  EXPECT_STATUS(OP_ERR_FILE, op_timings_to_csv("/no/such/folder/timings.csv"));
  EXPECT_TRUE(contains(op_last_error(), "cannot write '/no/such/folder/timings.csv': No such file or directory"));
  EXPECT_STATUS(OP_ERR_FILE, op_timings_to_json(testing::TempDir().c_str()));
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_timings_to_csv(nullptr));
  if (access("/dev/full", W_OK) == 0) { // a disk without space
    EXPECT_STATUS(OP_ERR_FILE, op_timings_to_csv("/dev/full"));
    EXPECT_TRUE(contains(op_last_error(), "No space left on device"));
  }
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
