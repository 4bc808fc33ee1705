#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "tools/text/compile.hpp"
#include "tools/text/process.hpp"
#include "tools/text/unit_text.hpp"

namespace op2::text {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 200;

std::string absolute(const fs::path &path) {
  std::error_code error;
  const fs::path whole = fs::absolute(path, error);
  return (error ? path : whole).lexically_normal().generic_string();
}

// The name in  include 'name'  or  #include "name"; "" in other lines.
std::string included_by(std::string line) {
  std::size_t at = line.find_first_not_of(" \t");
  if (at != line.npos && line[at] == '#') at = line.find_first_not_of(" \t", at + 1);
  if (at == line.npos) return {};
  std::string word = line.substr(at, 7);
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (word != "include") return {};
  at = line.find_first_not_of(" \t", at + 7);
  if (at == line.npos || (line[at] != '\'' && line[at] != '"')) return {};
  const std::size_t end = line.find(line[at], at + 1);
  return end == line.npos ? "" : line.substr(at + 1, end - at - 1);
}

// The text with its included files, under the names by which the library looks for them: beside the including file.
class Collection {
 public:
  explicit Collection(const Command &command) {
    for (std::size_t n = 0; n + 1 < command.words.size(); ++n) {
      if (command.words[n] == "-I") folders_.push_back(command.words[n + 1]);
      if (command.words[n].starts_with("-I") && command.words[n].size() > 2)
        folders_.push_back(command.words[n].substr(2));
    }
  }

  void add(const std::string &name, const std::string &text) {
    const bool known =
        std::any_of(files.begin(), files.end(), [&](const FortranFile &file) { return file.path == name; });
    if (known || files.size() >= most_files) return;
    files.push_back({name, text});
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
      if (const std::string other = included_by(line); !other.empty()) include(name, other);
  }

  std::vector<FortranFile> files;

 private:
  void include(const std::string &from, const std::string &name) {
    const fs::path beside = fs::path(from).parent_path();
    std::vector<fs::path> places{beside};
    places.insert(places.end(), folders_.begin(), folders_.end());
    for (const fs::path &place : places) {
      std::error_code error;
      if (!fs::is_regular_file(place / name, error)) continue;
      add((beside / name).lexically_normal().generic_string(), read((place / name).string()));
      return;
    }
  }

  std::vector<fs::path> folders_;
};

std::string without_markers(const std::string &text) {
  std::istringstream lines(text);
  std::string out;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("# ")) out += line + "\n";
  return out;
}

// The name of a source that was preprocessed before, as CMake does it, stands in its first line marker.
std::string name_of(const std::string &source) {
  const std::string text = read(source);
  const std::size_t begin = text.find('"'), end = text.find('"', begin + 1);
  const bool marked = text.starts_with("# 1 \"") && end != text.npos;
  return absolute(marked ? text.substr(begin + 1, end - begin - 1) : source);
}

// What the preprocessor leaves, without its line markers; the source itself where there is no preprocessor.
std::string text_of(const Command &command, const std::string &source, Temporary &folder) {
  const auto preprocesses = [](const std::string &word) { return word == "-cpp" || word.starts_with("-cpp="); };
  if (std::none_of(command.words.begin(), command.words.end(), preprocesses)) return without_markers(read(source));
  std::vector<std::string> words;
  for (std::size_t n = 0; n < command.words.size(); ++n) {
    const std::string &word = command.words[n];
    if (word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ" || word == "-MD" || word == "-MMD")
      ++n;
    else
      words.push_back(word.starts_with("-cpp=") ? "-cpp=" + folder.file("cpp.f90") : word);
  }
  const std::string output = folder.file("unit.f90");
  words.insert(words.end(), {"-E", "-o", output});
  if (run(words, true) != 0) return {};
  return without_markers(read(output));
}

} // namespace

int compile_fortran(const Command &command) {
  const std::vector<std::string> &words = command.words;
  const auto output = std::find(words.begin(), words.end(), "-o");
  const bool plain = std::none_of(words.begin(), words.end(),
                                  [](const std::string &word) { return word == "-E" || word == "-fsyntax-only"; });
  if (!plain || output == words.end() || output + 1 == words.end() || words.size() < 2 || words[1].starts_with("-"))
    return run_instead(words);
  Temporary folder;
  Collection texts(command);
  if (const std::string text = text_of(command, words[1], folder); !text.empty()) texts.add(name_of(words[1]), text);
  const int code = run(words, false);
  if (code != 0 || texts.files.empty()) return code;
  const std::string note = note_of(texts.files, words[0], options_of(command));
  if (output[1] == "-")
    std::cout << note << std::flush;
  else
    std::ofstream(output[1], std::ios::app | std::ios::binary) << note;
  return 0;
}

} // namespace op2::text

// SPDX-License-Identifier: MIT
