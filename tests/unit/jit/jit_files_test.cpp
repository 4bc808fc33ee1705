// jit_files_test.cpp: where the text of a program comes from.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "jit/preprocess/source_files.hpp"
#include "jit/preprocess/tokens.hpp"

namespace op2::core::jit {
namespace {

namespace fs = std::filesystem;

class JitFiles : public testing::Test {
 protected:
  JitFiles() : folder_(fs::temp_directory_path() / ("op2_jit_files_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_ / "sub");
  }
  ~JitFiles() override { fs::remove_all(folder_); }

  std::string put(const std::string &name, const std::string &text) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }

  fs::path folder_;
};

std::string text_of(const SourceFile *file) { return file ? file->text : "not found"; }

TEST_F(JitFiles, EmbeddedTextComesBeforeTheFile) {
  const std::string path = put("k.h", "disk");
  SourceFiles files;
  EXPECT_EQ(text_of(files.find(path)), "disk");
  files.embed(path, "embedded");
  EXPECT_EQ(text_of(files.find(path)), "embedded");
  files.embed(path, "again");
  EXPECT_EQ(text_of(files.find(path)), "again");
  EXPECT_EQ(text_of(files.find("")), "not found");
}

TEST_F(JitFiles, EmbeddedTextIsFoundByTheEndOfItsPath) {
  SourceFiles files;
  files.embed("src/a/k.h", "a");
  files.embed("src/b/k.h", "b");
  files.embed("/home/me/program/main.cpp", "main");
  EXPECT_EQ(text_of(files.find("/somewhere/src/b/k.h")), "b");
  EXPECT_EQ(text_of(files.find("../src/a/k.h")), "a");
  EXPECT_EQ(text_of(files.find("main.cpp")), "main");
  EXPECT_EQ(text_of(files.find("./program/main.cpp")), "main");
  EXPECT_EQ(text_of(files.find("other/main.cpp")), "not found");
  EXPECT_EQ(text_of(files.find("ain.cpp")), "not found");
  EXPECT_THROW(files.find("k.h"), Refusal); // which one?
}

TEST_F(JitFiles, IncludedFilesAreRelativeToTheIncludingOne) {
  const std::string main = put("main.cpp", "");
  put("sub/k.h", "sub");
  put("k.h", "top");
  SourceFiles files;
  EXPECT_EQ(text_of(files.find_included("sub/k.h", main)), "sub");
  EXPECT_EQ(text_of(files.find_included("../k.h", (folder_ / "sub/k.h").string())), "top");
  EXPECT_EQ(text_of(files.find_included("absent.h", main)), "not found");
  EXPECT_EQ(text_of(files.find_included((folder_ / "k.h").string(), "elsewhere/x.cpp")), "top");
  files.embed("k.h", "embedded");
  EXPECT_EQ(text_of(files.find_included("k.h", main)), "embedded");
}

TEST_F(JitFiles, AFileIsReadOnce) {
  const std::string path = put("k.h", "first");
  SourceFiles files;
  const SourceFile *first = files.find(path);
  put("k.h", "second");
  EXPECT_EQ(files.find(path), first);
  EXPECT_EQ(text_of(first), "first");
}

std::string refusal(SourceFiles &files, const std::string &path) {
  try {
    files.find(path);
  } catch (const Refusal &refusal) {
    return refusal.what();
  }
  return "";
}

TEST_F(JitFiles, AFileNewerThanTheProgramIsRefused) {
  const std::string path = put("k.h", "x");
  const auto changed = fs::last_write_time(path);
  SourceFiles newer(changed + std::chrono::seconds(1)), same(changed), older(changed - std::chrono::seconds(1));
  EXPECT_EQ(refusal(newer, path), "");
  EXPECT_EQ(refusal(same, path), "");
  EXPECT_EQ(refusal(older, path), path + " is newer than the program; rebuild it");
  older.embed(path, "embedded");
  EXPECT_EQ(refusal(older, path), "");
}

TEST_F(JitFiles, OnlyTextOfReasonableSizeIsRead) {
  SourceFiles files;
  EXPECT_EQ(files.find(folder_.string()), nullptr);
  const std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(files.find(pipe), nullptr);
  EXPECT_EQ(refusal(files, put("zero", std::string("a\0b", 3))), (folder_ / "zero").string() + " is not text");
  EXPECT_EQ(refusal(files, put("fits", std::string(4u << 20, ' '))), "");
  EXPECT_EQ(refusal(files, put("large", std::string((4u << 20) + 1, ' '))),
            (folder_ / "large").string() + " is larger than 4 MiB");
  EXPECT_EQ(text_of(files.find(put("empty", ""))), "");
}

// What was found out from files holds as long as they are what they were, and where there was none, there is none.
TEST_F(JitFiles, TheStateOfTheFilesThatWereLookedFor) {
  const std::string path = put("k.h", "one"), missing = (folder_ / "missing.h").string();
  SourceFiles files;
  EXPECT_EQ("", files.state());
  EXPECT_TRUE(SourceFiles::is_state(""));
  EXPECT_EQ(text_of(files.find(path)), "one");
  EXPECT_EQ(text_of(files.find(missing)), "not found");
  const std::string state = files.state();
  EXPECT_NE(std::string::npos, state.find(path));
  EXPECT_TRUE(SourceFiles::is_state(state));

  const auto changed = fs::last_write_time(path);
  put("k.h", "three");
  fs::last_write_time(path, changed);
  EXPECT_FALSE(SourceFiles::is_state(state)) << "another size at the same time";
  put("k.h", "two");
  fs::last_write_time(path, changed + std::chrono::nanoseconds(1));
  EXPECT_FALSE(SourceFiles::is_state(state)) << "another time with the same size";
  fs::last_write_time(path, changed);
  EXPECT_TRUE(SourceFiles::is_state(state));
  put("missing.h", "");
  EXPECT_FALSE(SourceFiles::is_state(state)) << "a file that was not there";
  fs::remove(missing);
  fs::remove(path);
  EXPECT_FALSE(SourceFiles::is_state(state)) << "a file that is gone";
}

} // namespace
} // namespace op2::core::jit
