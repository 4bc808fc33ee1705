// json_test.cpp: any text becomes a JSON string that reads back as it was, and the test's own reader is strict.
#include "base/json.hpp"

#include <limits>

#include "json.hpp"
#include "support.hpp"

namespace {

using op2::core::json_string;
using op2::core::JsonFields;
using unit::parse_json;

TEST(Json, StringsReadBack) {
  for (const std::string text : {"", "res_calc", "a \"quoted\" word", "back\\slash", "two\nlines\tand\x01\x1f\x7f",
                                 "Kr\xc3\xa4"
                                 "fte \xe2\x82\xac \xf0\x9f\x98\x80",
                                 "</script>"})
    EXPECT_EQ(text, parse_json(json_string(text)).text);
  const std::string zero("a\0b", 3);
  EXPECT_EQ("\"a\\u0000b\"", json_string(zero));
  EXPECT_EQ(zero, parse_json(json_string(zero)).text);
}

// What is not UTF-8 is replaced byte by byte: Latin-1, cut characters, overlong forms, surrogates, beyond U+10FFFF.
TEST(Json, OtherBytesAreReplaced) {
  EXPECT_EQ("\"Kr\\ufffdfte\"", json_string("Kr\xe4"
                                            "fte"));
  EXPECT_EQ("\"\\ufffd\"", json_string("\xc3"));
  EXPECT_EQ("\"\\ufffd\\ufffd.\"", json_string("\xe2\x82."));
  EXPECT_EQ("\"\\ufffd\\ufffd\"", json_string("\xc0\xaf"));
  EXPECT_EQ("\"\\ufffd\\ufffd\\ufffd\"", json_string("\xe0\x80\xaf"));
  EXPECT_EQ("\"\\ufffd\\ufffd\\ufffd\"", json_string("\xed\xa0\x80"));
  EXPECT_EQ("\"\\ufffd\\ufffd\\ufffd\\ufffd\"", json_string("\xf4\x90\x80\x80"));
  EXPECT_EQ("\"\\ufffd\"", json_string("\xff"));
  EXPECT_EQ("\"\xef\xbf\xbf\xf4\x8f\xbf\xbf\"", json_string("\xef\xbf\xbf\xf4\x8f\xbf\xbf"));
}

TEST(Json, Fields) {
  JsonFields fields;
  EXPECT_EQ("", fields.text());
  fields.add("set", "cells").add("n", 12).add("big", std::int64_t{1} << 40).add("x", 1.5, 3).add("no", nullptr);
  fields.add("infinite", std::numeric_limits<double>::infinity(), 0);
  EXPECT_EQ("\"set\":\"cells\",\"n\":12,\"big\":1099511627776,\"x\":1.500,\"no\":\"\",\"infinite\":null",
            fields.text());
  const unit::Json read = parse_json("{" + fields.text() + "}");
  EXPECT_EQ("cells", read["set"].text);
  EXPECT_EQ(12, read["n"].value);
}

TEST(Json, ReaderRefusesWhatIsNotJson) {
  EXPECT_EQ(3u, parse_json(" [1, -2.5e-3, {\"a\": [true, false, null, \"\"]}] ").items.size());
  for (const char *wrong : {"", "[", "[1,]", "[1 2]", "{\"a\":1,}", "{a:1}", "{\"a\":1,\"a\":2}", "01", "1.", "-",
                            "\"a", "\"\n\"", "\"\\x\"", "\"\\u12g4\"", "nul", "[1]]", "'a'"})
    EXPECT_THROW(parse_json(wrong), std::runtime_error) << wrong;
}

} // namespace

// SPDX-License-Identifier: MIT
