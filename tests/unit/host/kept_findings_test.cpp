// kept_findings_test.cpp: findings that earlier runs have kept: found again, refused when they are damaged or foreign,
// the oldest removed.
#include "host/kept/kept_findings.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "host/files.hpp"
#include "support.hpp"

namespace {

using namespace op2::core;
namespace fs = std::filesystem;

class Kept : public testing::Test {
 protected:
  KeptFindings fresh(std::uint64_t most = std::uint64_t{1} << 20) const { return {folder(), log_, most}; }
  std::string folder() const { return place_.path() + "/inspections"; }
  std::vector<fs::path> files() const {
    std::vector<fs::path> out;
    for (const auto &entry : fs::directory_iterator(folder())) out.push_back(entry.path());
    return out;
  }
  // What the log says while `what` is looked for, and not found.
  std::string refusal(const std::string &what) const {
    testing::internal::CaptureStderr();
    EXPECT_FALSE(fresh().find(what));
    return testing::internal::GetCapturedStderr();
  }
  static std::string contents(const fs::path &file) { return *read_file(file, 1 << 20); }
  static void replace(const fs::path &file, const std::string &bytes) { EXPECT_EQ("", write_file(file, bytes)); }

  const TemporaryFolder place_{"op2-kept-test-"};
  const Log log_{OP_LOG_INFO};
};

TEST_F(Kept, IsFoundByALaterRun) {
  EXPECT_FALSE(fresh().find("a"));
  EXPECT_FALSE(fs::exists(folder())) << "nothing is made before there is a finding";
  KeptFindings first = fresh();
  first.keep("a", "one");
  first.keep("b", std::string(1000, '\0'));
  first.keep("empty", "");
  KeptFindings second = fresh();
  EXPECT_EQ("one", second.find("a"));
  EXPECT_EQ(std::string(1000, '\0'), second.find("b"));
  EXPECT_EQ("", second.find("empty"));
  EXPECT_FALSE(second.find("c"));
  second.keep("a", "two");
  EXPECT_EQ("two", fresh().find("a"));
  EXPECT_EQ(3u, files().size()) << "no unfinished file is left";
  struct stat info {};
  ASSERT_EQ(0, stat(folder().c_str(), &info));
  EXPECT_EQ(0700u, info.st_mode & 0777);
}

TEST_F(Kept, DamagedAndForeignFilesAreLeftAlone) {
  fresh().keep("a", "a finding of some length");
  const fs::path file = files().front();
  const std::string whole = contents(file);
  for (const std::size_t at : {std::size_t{0}, std::size_t{20}, std::size_t{60}, whole.size() - 1}) {
    std::string damaged = whole;
    damaged[at] ^= 1;
    replace(file, damaged);
    EXPECT_NE(std::string::npos, refusal("a").find("is not used: it is")) << at;
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{17}, std::size_t{40}, whole.size() - 1}) {
    replace(file, whole.substr(0, length));
    EXPECT_NE(std::string::npos, refusal("a").find("is not used")) << length;
  }
  fresh().keep("other", "value");
  for (const fs::path &other : files())
    if (other != file) replace(file, contents(other)); // whole, but under the wrong name
  EXPECT_NE(std::string::npos, refusal("a").find("it holds another finding"));
  fs::remove(file);
  fs::create_directory(file);
  EXPECT_NE(std::string::npos, refusal("a").find("is not used"));
}

TEST_F(Kept, TheOldestGoWhenThereAreTooMany) {
  const auto age = [](const fs::path &file, int hours) {
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  const std::string large(40000, 'x');
  std::set<fs::path> before;
  for (const auto &[what, hours] : {std::pair("old", 5), std::pair("older", 9), std::pair("new", 1)}) {
    fresh().keep(what, large);
    for (const fs::path &file : files())
      if (before.insert(file).second) age(file, hours);
  }
  fresh(std::uint64_t{130000}).keep("newest", large);
  EXPECT_FALSE(fresh().find("older"));
  EXPECT_TRUE(fresh().find("old") && fresh().find("new") && fresh().find("newest"));
}

TEST_F(Kept, AFolderThatCannotBeMadeIsNoError) {
  const Log log(OP_LOG_INFO);
  KeptFindings nowhere("/proc/op2_cannot_be/inspections", log);
  testing::internal::CaptureStderr();
  nowhere.keep("a", "one");
  nowhere.keep("b", "two");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(std::string::npos, said.find("is not kept in /proc/op2_cannot_be"));
  EXPECT_EQ(1, std::ranges::count(said, '\n')) << "one line";
  EXPECT_FALSE(nowhere.find("a"));
}

TEST_F(Kept, DigestsTellEntriesApart) {
  KeptFindings kept = fresh();
  std::vector<int> entries(1003, 7);
  std::set<std::string> seen = {kept.digest(0, 1, entries)};
  EXPECT_EQ(*seen.begin(), kept.digest(1, 1, entries)) << "the same entries of another map";
  std::int64_t version = 1;
  for (const std::size_t at : {0u, 1u, 8u, 500u, 1001u, 1002u}) {
    entries[at] += 1;
    EXPECT_TRUE(seen.insert(kept.digest(0, ++version, entries)).second) << at;
  }
  EXPECT_TRUE(seen.insert(kept.digest(0, version, std::span(entries).first(1002))).second);
  std::swap(entries[3], entries[500]);
  EXPECT_TRUE(seen.insert(kept.digest(0, ++version, entries)).second);
}

} // namespace
// SPDX-License-Identifier: MIT
