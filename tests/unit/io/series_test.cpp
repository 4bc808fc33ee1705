// series_test.cpp: lists of steps read back as they were, whatever stands in names; foreign lists are no steps.
#include "io/view/series.hpp"

#include "io/view/xdmf.hpp"
#include "json.hpp"
#include "support.hpp"

namespace {

using namespace op2::core;

Series three_steps() {
  Series series;
  for (const double time : {0.0, 0.1, 1e-300 + 0.25}) {
    const int number = series.make_room(time);
    series.steps.push_back({number, time, xdmf_grid("a<b --> & \"c\"", number, time, "<Topology/>\n")});
  }
  return series;
}

void expect_same(const Series &expected, const Series &got, bool with_text) {
  ASSERT_EQ(expected.steps.size(), got.steps.size());
  for (std::size_t n = 0; n < got.steps.size(); ++n) {
    EXPECT_EQ(expected.steps[n].number, got.steps[n].number);
    EXPECT_EQ(expected.steps[n].time, got.steps[n].time);
    EXPECT_EQ(with_text ? expected.steps[n].text : "", with_text ? got.steps[n].text : "");
  }
}

TEST(Series, ListsReadBack) {
  const Series series = three_steps();
  expect_same(series, *read_series(series_text(series, "folder/out_7.vtkhdf")), false);
  expect_same(series, *read_xdmf_series(xdmf_series(series)), true);
  EXPECT_TRUE(read_series(series_text({}, "out.vtkhdf")).value().steps.empty());
  EXPECT_TRUE(read_xdmf_series(xdmf_series({})).value().steps.empty());
}

TEST(Series, TheListIsJson) {
  const Series series = three_steps();
  const unit::Json list = unit::parse_json(series_text(series, "folder/o\"u\\t.vtkhdf"));
  EXPECT_EQ("1.0", list["file-series-version"].text);
  EXPECT_EQ("o\"u\\t_000002.vtkhdf", list["files"].items.at(2)["name"].text);
  EXPECT_EQ(0.25, list["files"].items.at(2)["time"].value);
}

TEST(Series, LaterStepsMakeRoom) {
  Series series = three_steps();
  EXPECT_EQ(3, series.make_room(0.5));
  EXPECT_EQ(1, series.make_room(0.1)); // the same time is replaced
  EXPECT_EQ(1u, series.steps.size());
  EXPECT_EQ(0, series.make_room(-1));
  EXPECT_TRUE(series.steps.empty());
}

TEST(Series, ForeignListsAreNoSteps) {
  const std::string good = xdmf_series(three_steps()), json = series_text(three_steps(), "out.vtkhdf");
  for (const std::string &bad : {std::string(), std::string("text"), "<!-- " + good, good.substr(0, good.size() / 2)}) {
    EXPECT_FALSE(read_xdmf_series(bad));
    EXPECT_FALSE(read_series(bad));
  }
  std::string turned = json; // times that do not ascend
  turned.replace(turned.find("0.1}"), 4, "9.9}");
  EXPECT_FALSE(read_series(turned));
  for (std::size_t cut = 0; cut + 1 < json.size(); ++cut) EXPECT_FALSE(read_series(json.substr(0, cut))) << cut;
  for (std::size_t cut = 0; cut < good.size(); ++cut) EXPECT_FALSE(read_xdmf_series(good.substr(0, cut))) << cut;
}

TEST(Series, NamesOfFiles) {
  EXPECT_EQ("a.b/out_000007.h5", step_path("a.b/out.xdmf", 7, ".h5"));
  EXPECT_EQ("out_1000000.hdf", step_path("out.hdf", 1000000, ".hdf"));
  EXPECT_EQ("", end_of("a.b/out"));
  EXPECT_EQ("", end_of("a/.xdmf"));
  EXPECT_EQ("a.b/out", stem_of("a.b/out"));
}

TEST(Xdmf, TextIsEscaped) {
  EXPECT_EQ("a&lt;b&gt; &amp; &quot;c&quot;&#10;", xml_text("a<b> & \"c\"\n"));
  EXPECT_EQ("\xc3\xa4 \xf0\x9f\x98\x80", xml_text("\xc3\xa4 \xf0\x9f\x98\x80"));
  const std::string replaced = "\xef\xbf\xbd";
  EXPECT_EQ(replaced + replaced + "x", xml_text("\x01\xe4x"));
  EXPECT_EQ(replaced, xml_text("\xef\xbf\xbf"));
}

} // namespace

// SPDX-License-Identifier: MIT
