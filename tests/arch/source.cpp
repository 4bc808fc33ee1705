// source.cpp: see source.hpp.
#include "source.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <regex>

namespace arch {

namespace {

std::vector<std::string> split_lines(const std::string &text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

// Blanks out everything up to `end`, but keeps the lines.
std::size_t blank(std::string &text, std::size_t begin, std::size_t end) {
  end = std::min(end, text.size());
  for (std::size_t i = begin; i < end; ++i)
    if (text[i] != '\n') text[i] = ' ';
  return end;
}

// From a quote to the one that closes it.
std::size_t end_of_literal(const std::string &text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size() && text[at] != quote && text[at] != '\n'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at, text.size());
}

std::size_t end_of_raw_string(const std::string &text, std::size_t quote) {
  const std::size_t open = text.find('(', quote);
  if (open == std::string::npos) return text.size();
  std::string closing = text.substr(quote, open - quote);
  closing.front() = ')';
  closing.push_back('"');
  const std::size_t close = text.find(closing, open);
  return close == std::string::npos ? text.size() : close + open - quote;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Comments, strings and characters in blanks.
std::string code_of(std::string text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text.compare(at, 2, "//") == 0) {
      at = blank(text, at, text.find('\n', at));
    } else if (text.compare(at, 2, "/*") == 0) {
      const std::size_t close = text.find("*/", at + 2);
      at = blank(text, at, close == std::string::npos ? close : close + 2);
    } else if (text[at] == '"' && at > 0 && text[at - 1] == 'R') {
      at = blank(text, at + 1, end_of_raw_string(text, at)) + 1;
    } else if (text[at] == '"' || (text[at] == '\'' && (at == 0 || !is_word(text[at - 1])))) { // 1'000 is a number
      at = blank(text, at + 1, end_of_literal(text, at)) + 1;
    } else {
      ++at;
    }
  }
  return text;
}

std::vector<Include> includes_of(const Source &source) {
  static const std::regex pattern("^\\s*#\\s*include\\s*([<\"])([^>\"]*)[>\"].*");
  std::vector<Include> includes;
  for (std::size_t i = 0; i < source.text.size(); ++i) {
    std::smatch match;
    // In `code` a comment is blank, and the name in quotes too; only the directive itself must be there.
    if (source.code[i].find('#') != std::string::npos && std::regex_match(source.text[i], match, pattern))
      includes.push_back({static_cast<int>(i) + 1, match[2], match[1] == "<"});
  }
  return includes;
}

bool is_hidden(const std::filesystem::path &path) {
  const std::string name = path.filename().string();
  return name.front() == '.' || name == "build";
}

} // namespace

bool is_code(const Source &source) {
  static constexpr std::array endings = {".c", ".h", ".cpp", ".hpp", ".cu", ".cuh", ".cc", ".hh", ".cxx", ".inl"};
  return std::any_of(endings.begin(), endings.end(), [&](const char *ending) { return source.path.ends_with(ending); });
}

std::vector<Source> read_sources(const std::filesystem::path &root, const std::string &folder) {
  std::vector<Source> sources;
  if (!std::filesystem::exists(root / folder)) return sources;
  std::filesystem::recursive_directory_iterator files(root / folder,
                                                      std::filesystem::directory_options::follow_directory_symlink);
  for (; files != std::filesystem::recursive_directory_iterator(); ++files) {
    if (is_hidden(files->path())) {
      files.disable_recursion_pending();
      continue;
    }
    if (!files->is_regular_file()) continue;
    std::ifstream in(files->path(), std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    Source source;
    source.path = files->path().lexically_relative(root).generic_string();
    source.text = split_lines(text);
    source.code = split_lines(code_of(text));
    source.code.resize(source.text.size());
    source.includes = includes_of(source);
    sources.push_back(std::move(source));
  }
  std::sort(sources.begin(), sources.end(), [](const Source &a, const Source &b) { return a.path < b.path; });
  return sources;
}

} // namespace arch

// SPDX-License-Identifier: MIT
