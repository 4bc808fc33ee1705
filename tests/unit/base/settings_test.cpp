// settings_test.cpp: where a setting's value comes from, which values are allowed, and what is said about misspelt
// ones.
#include "base/settings.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "op2/info.h"
#include "support.hpp"

namespace op2::core {
namespace {

using unit::contains;
using unit::Environment;
using unit::lacks;
using unit::thrown_by;

Settings load(std::vector<const char *> arguments = {}) {
  arguments.insert(arguments.begin(), "program");
  return Settings::load(static_cast<int>(arguments.size()), arguments.data());
}

class SettingsTest : public testing::Test {
 protected:
  void SetUp() override { unit::clear_environment(); }
};

TEST_F(SettingsTest, HaveDefaults) {
  const Settings settings = load();
  for (const SettingInfo &info : all_settings()) {
    EXPECT_TRUE(settings.exists(info.name));
    EXPECT_EQ(info.initial, settings.get(info.name)) << info.name;
    EXPECT_STREQ("default", settings.origin(info.name)) << info.name;
  }
  EXPECT_EQ("auto", settings.get("OP2_BACKEND"));
  EXPECT_EQ("abort", settings.get("OP2_ERROR"));
  EXPECT_EQ(0, settings.get_int("OP2_NUM_THREADS"));
  EXPECT_EQ("on", settings.get("OP2_TIMING"));
  EXPECT_TRUE(settings.warnings().empty());
  EXPECT_TRUE(Settings::load(0, nullptr).exists("OP2_BACKEND"));
}

TEST_F(SettingsTest, DefaultsAreAllowedValues) {
  for (const SettingInfo &info : all_settings())
    EXPECT_NO_THROW(load().set(info.name, info.initial, "test")) << info.name;
}

// More settings are more than anybody reads. A new one takes the place of another.
TEST_F(SettingsTest, AreFew) {
  constexpr std::ptrdiff_t most = 47, most_for_users = 28;
  const auto settings = all_settings();
  EXPECT_LE(std::ssize(settings), most);
  EXPECT_LE(std::ranges::count(settings, Audience::users, &SettingInfo::audience), most_for_users);
}

// docs/settings.md has a table for users and one for experts, and tells what each setting is when nobody sets it.
TEST_F(SettingsTest, DefaultsAreThoseOfThePage) {
  std::map<std::string, std::string> page;
  std::map<std::string, Audience> table;
  Audience audience = Audience::users;
  std::ifstream in(OP2_SOURCE_FOLDER "/docs/settings.md");
  for (std::string line; std::getline(in, line);) {
    if (line == "## For experts") audience = Audience::experts;
    if (!line.starts_with("| `OP2_")) continue;
    const std::size_t end = line.find('`', 3), cell = line.find('|', end) + 1;
    std::string value = line.substr(cell, line.find('|', cell) - cell);
    std::erase_if(value, [](char sign) { return sign == ' ' || sign == '`'; });
    page[line.substr(3, end - 3)] = value;
    table[line.substr(3, end - 3)] = audience;
  }
  for (const SettingInfo &info : all_settings()) {
    EXPECT_EQ(1u, page.count(info.name)) << info.name;
    EXPECT_EQ(info.initial, page[info.name]) << info.name;
    EXPECT_EQ(info.audience, table[info.name]) << info.name << " is in the other table";
  }
  EXPECT_EQ(all_settings().size(), page.size());
}

// What the page says about a setting: its row, and the section that has its name.
std::string told_about(const std::string &page, const std::string &name) {
  const auto piece = [&page](const std::string &begin, const std::string &end) {
    const std::size_t first = page.find(begin);
    return first == std::string::npos ? "" : page.substr(first, page.find(end, first + begin.size()) - first);
  };
  return piece("\n| `" + name + "` |", "\n") + piece("\n## " + name + "\n", "\n## ");
}

// The page names all values that a setting may have: those of the table in the code, and for OP2_BACKEND each executor
// and communicator that has a folder in src/plugins.
TEST_F(SettingsTest, ValuesAreThoseOfThePage) {
  std::map<std::string, std::set<std::string>> wanted;
  for (const SettingInfo &info : all_settings()) {
    std::istringstream allowed(info.allowed);
    for (std::string value; std::getline(allowed, value, '|');)
      if (value != "#" && value != "bytes" && value.find_first_not_of("0123456789") != std::string::npos) wanted[info.name].insert(value);
  }
  for (const auto &folder : std::filesystem::directory_iterator(OP2_SOURCE_FOLDER "/src/plugins")) {
    const std::string name = folder.path().filename();
    const std::size_t end = name.find('_') + 1;
    if (folder.is_directory() && !name.ends_with("_common") && (name.starts_with("exec_") || name.starts_with("comm_")))
      wanted["OP2_BACKEND"].insert(name.substr(end));
  }
  EXPECT_GE(wanted["OP2_BACKEND"].size(), 7u) << "folders of plugins";
  std::ifstream in(OP2_SOURCE_FOLDER "/docs/settings.md");
  std::stringstream page;
  page << in.rdbuf();
  for (const auto &[name, values] : wanted) {
    const std::string told = told_about(page.str(), name);
    for (const std::string &value : values) EXPECT_TRUE(contains(told, '`' + value + '`')) << name << ": " << value;
  }
}

TEST_F(SettingsTest, EnvironmentBeatsDefault) {
  const Environment environment{{"OP2_RACE", "atomic"}, {"OP2_BLOCK_SIZE", "128"}, {"OP2_TIMING", "off"}};
  const Settings settings = load();
  EXPECT_EQ("atomic", settings.get("OP2_RACE"));
  EXPECT_STREQ("environment", settings.origin("OP2_RACE"));
  EXPECT_EQ(128, settings.get_int("OP2_BLOCK_SIZE"));
  EXPECT_EQ("off", settings.get("OP2_TIMING"));
  EXPECT_STREQ("default", settings.origin("OP2_ERROR"));
}

TEST_F(SettingsTest, ArgumentBeatsEnvironment) {
  const Environment environment{{"OP2_RACE", "atomic"}};
  const Settings settings = load({"OP2_RACE=colour"});
  EXPECT_EQ("colour", settings.get("OP2_RACE"));
  EXPECT_STREQ("argument", settings.origin("OP2_RACE"));
}

TEST_F(SettingsTest, ProgramBeatsArgument) {
  Settings settings = load({"OP2_RACE=colour"});
  settings.set("OP2_RACE", "gather", "program");
  EXPECT_EQ("gather", settings.get("OP2_RACE"));
  EXPECT_STREQ("program", settings.origin("OP2_RACE"));
}

TEST_F(SettingsTest, LastArgumentWins) {
  EXPECT_EQ("256", load({"OP2_BLOCK_SIZE=64", "OP2_BLOCK_SIZE=256"}).get("OP2_BLOCK_SIZE"));
  EXPECT_EQ("256", load({"OP2_BLOCK_SIZE=64", "OP_PART_SIZE=256"}).get("OP2_BLOCK_SIZE"));
}

TEST_F(SettingsTest, ArgumentsMayHaveDashes) {
  EXPECT_EQ("colour", load({"-OP2_RACE=colour"}).get("OP2_RACE"));
  EXPECT_EQ("colour", load({"--OP2_RACE=colour"}).get("OP2_RACE"));
}

TEST_F(SettingsTest, OtherArgumentsAreLeftAlone) {
  const Settings settings = load({"mesh.dat", "--iterations=3", "-v", "", "-", "=", "xOP2_RACE=colour", nullptr,
                                  "RACE=atomic", "OP2_RACE", "op2_race=colour"});
  EXPECT_EQ("auto", settings.get("OP2_RACE"));
  EXPECT_TRUE(settings.warnings().empty());
}

TEST_F(SettingsTest, NameOfTheProgramIsNotASetting) {
  const char *argv[] = {"OP2_RACE=colour"};
  EXPECT_EQ("auto", Settings::load(1, argv).get("OP2_RACE"));
}

TEST_F(SettingsTest, KnowOp2sNames) {
  const Settings settings = load({"OP_PART_SIZE=256", "OP_MAPS_BASE_INDEX=1"});
  EXPECT_EQ("256", settings.get("OP2_BLOCK_SIZE"));
  EXPECT_EQ("1", settings.get("OP2_MAPS_BASE_INDEX"));
  EXPECT_TRUE(contains(thrown_by([] { load({"OP_PART_SIZE=many"}); }).what(), "OP2_BLOCK_SIZE='many'"));
}

TEST_F(SettingsTest, WrongChoicesNameTheNearestSpelling) {
  struct Case {
    const char *argument, *guess;
  };
  for (const Case &wrong :
       {Case{"OP2_RACE=color", "did you mean 'colour'?"}, Case{"OP2_RACE=atmic", "did you mean 'atomic'?"},
        Case{"OP2_ERROR=retrun", "did you mean 'return'?"}, Case{"OP2_LOG=Debug", "did you mean 'debug'?"},
        Case{"OP2_JIT=onn", "did you mean 'on'?"}}) {
    const Error error = thrown_by([&] { load({wrong.argument}); });
    EXPECT_EQ(OP_ERR_ARGUMENT, error.code);
    EXPECT_TRUE(contains(error.what(), wrong.guess));
    EXPECT_TRUE(contains(error.what(), "(argument)"));
  }
  const Error far = thrown_by([] { load({"OP2_RACE=whatever"}); });
  EXPECT_TRUE(contains(far.what(), "is not one of auto, owner, colour, atomic and gather"));
  EXPECT_TRUE(lacks(far.what(), "did you mean"));
}

TEST_F(SettingsTest, WrongValueInTheEnvironmentIsSaidToBeThere) {
  const Environment environment{{"OP2_RACE", "color"}};
  const Error error = thrown_by([] { load(); });
  EXPECT_EQ(OP_ERR_ARGUMENT, error.code);
  EXPECT_TRUE(contains(error.what(), "setting OP2_RACE='color' (environment)"));
}

TEST_F(SettingsTest, NumbersAreWholeAndNotNegative) {
  for (const char *value : {"0", "1", "64", "2147483647"}) {
    const std::string argument = std::string("OP2_NUM_THREADS=") + value;
    EXPECT_EQ(std::atoi(value), load({argument.c_str()}).get_int("OP2_NUM_THREADS"));
  }
  for (const char *value :
       {"", "-1", "+1", "1.5", "12x", " 4", "4 ", "0x10", "1e3", "2147483648", "99999999999999999999", "all"}) {
    const std::string argument = std::string("OP2_NUM_THREADS=") + value;
    const Error error = thrown_by([&] { load({argument.c_str()}); });
    EXPECT_EQ(OP_ERR_ARGUMENT, error.code) << argument;
    EXPECT_TRUE(contains(error.what(), "a whole number >= 0 is expected"));
  }
  EXPECT_EQ(OP_ERR_ARGUMENT, thrown_by([] { load({"OP2_MAPS_BASE_INDEX=2"}); }).code);
}

TEST_F(SettingsTest, UnknownNameInTheEnvironmentIsAWarning) {
  const Environment environment{{"OP2_BAKEND", "seq"}, {"OP2_COMPLETELY_ELSE", "1"}, {"OP3_BACKEND", "seq"}};
  const Settings settings = load();
  ASSERT_EQ(2u, settings.warnings().size());
  std::vector<std::string> warnings = settings.warnings();
  std::sort(warnings.begin(), warnings.end());
  EXPECT_EQ("environment variable OP2_BAKEND is not a setting of this version; did you mean OP2_BACKEND?", warnings[0]);
  EXPECT_EQ("environment variable OP2_COMPLETELY_ELSE is not a setting of this version", warnings[1]);
  EXPECT_EQ("auto", settings.get("OP2_BACKEND"));
}

TEST_F(SettingsTest, UnknownNameInTheArgumentsIsAnError) {
  const Error error = thrown_by([] { load({"OP2_NUM_THREDS=2"}); });
  EXPECT_EQ(OP_ERR_ARGUMENT, error.code);
  EXPECT_TRUE(contains(error.what(), "did you mean OP2_NUM_THREADS?"));
}

TEST_F(SettingsTest, UnknownNamesInTheCoreAreMistakes) {
  Settings settings = load();
  EXPECT_EQ(OP_ERR_INTERNAL, thrown_by([&] { settings.get("OP2_NOTHING"); }).code);
  EXPECT_EQ(OP_ERR_INTERNAL, thrown_by([&] { settings.set("OP2_NOTHING", "", "test"); }).code);
  EXPECT_FALSE(settings.exists("OP2_NOTHING"));
  EXPECT_STREQ("unknown", settings.origin("OP2_NOTHING"));
}

TEST_F(SettingsTest, RefusedValueChangesNothing) {
  Settings settings = load({"OP2_RACE=colour"});
  thrown_by([&] { settings.set("OP2_RACE", "color", "program"); });
  EXPECT_EQ("colour", settings.get("OP2_RACE"));
  EXPECT_STREQ("argument", settings.origin("OP2_RACE"));
}

// ---- the same through the interface --------------------------------------------------------------------------------

class SettingsOfTheLibrary : public unit::LibraryTest {};

TEST_F(SettingsOfTheLibrary, AreReadBeforeAndAfterInit) {
  const Environment environment{{"OP2_BACKEND", "seq"}, {"OP2_RACE", "atomic"}};
  EXPECT_STREQ("atomic", op_setting("OP2_RACE"));
  char program[] = "program", race[] = "OP2_RACE=colour";
  char *argv[] = {program, race, nullptr};
  ASSERT_EQ(OP_OK, op_init(2, argv, 0)) << op_last_error();
  EXPECT_STREQ("colour", op_setting("OP2_RACE"));
  EXPECT_STREQ("self+seq", op_backend());
  EXPECT_STREQ("OP2_RACE=colour", race); // read, never changed
  EXPECT_OK(op_exit());
  EXPECT_STREQ("atomic", op_setting("OP2_RACE"));
}

TEST_F(SettingsOfTheLibrary, ChoiceOfTheProgramBeatsEnvironmentAndArguments) {
  const Environment environment{{"OP2_BACKEND", "no_such"}, {"OP2_NUM_THREADS", "7"}};
  char program[] = "program", backend[] = "OP2_BACKEND=neither";
  char *argv[] = {program, backend, nullptr};
  op_init_params params = OP_INIT_PARAMS;
  params.argc = 2;
  params.argv = argv;
  params.backend = "seq";
  params.threads = 3;
  ASSERT_EQ(OP_OK, op_init_with(&params)) << op_last_error();
  EXPECT_STREQ("self+seq", op_backend());
  EXPECT_STREQ("seq", op_setting("OP2_BACKEND"));
  EXPECT_STREQ("3", op_setting("OP2_NUM_THREADS"));
}

TEST_F(SettingsOfTheLibrary, UnknownSettingIsNull) {
  EXPECT_EQ(nullptr, op_setting("OP2_NOTHING"));
  EXPECT_EQ(OP_OK, op_last_status());
  EXPECT_EQ(nullptr, op_setting(nullptr));
  EXPECT_EQ(OP_ERR_ARGUMENT, op_last_status());
}

TEST_F(SettingsOfTheLibrary, AllStandInTheReport) {
  const Environment environment{{"OP2_LOGG", "info"}, {"OP2_RACE", "atomic"}};
  std::string report(static_cast<std::size_t>(op_info(nullptr, 0)) + 1, '\0');
  op_info(report.data(), report.size());
  const std::size_t experts = report.find("\nsettings for experts\n");
  ASSERT_NE(std::string::npos, experts) << report;
  for (const SettingInfo &info : all_settings()) {
    const std::size_t at = report.find(std::string("\n  ") + info.name + "='");
    ASSERT_NE(std::string::npos, at) << info.name;
    EXPECT_EQ(info.audience == Audience::experts, at > experts) << info.name;
  }
  EXPECT_TRUE(contains(report, "OP2_RACE='atomic' (environment)"));
  EXPECT_TRUE(contains(report, "OP2_LOGG is not a setting of this version; did you mean OP2_LOG?"));
}

TEST_F(SettingsOfTheLibrary, ReportSurvivesAWrongSetting) {
  const Environment environment{{"OP2_RACE", "color"}};
  std::string report(static_cast<std::size_t>(op_info(nullptr, 0)) + 1, '\0');
  op_info(report.data(), report.size());
  EXPECT_TRUE(contains(report, "did you mean 'colour'?"));
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
