// lines.cpp: see lines.hpp.
#include "jit/fortran/parse/lines.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

#include "base/text.hpp"
#include "jit/fortran/parse/words.hpp"

namespace op2::core::jit::fortran {

namespace {

std::string ending_of(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? "" : lower(path.substr(dot + 1));
}

bool is_fixed(std::string_view path) {
  const std::string ending = ending_of(path);
  return ending == "f" || ending == "for" || ending == "ftn" || ending == "f77" || ending == "fpp";
}

constexpr int deepest_include = 16;

class LineReader {
 public:
  LineReader(Statements &out, const FortranUnit &unit) : out_(out), unit_(unit) {}

  void read(const SourceFile &file, int depth) {
    const int number = static_cast<int>(out_.files.size());
    out_.files.push_back(file.path);
    const bool fixed = is_fixed(file.path);
    int at = 0;
    for (std::string line : split(file.text, '\n')) {
      ++at;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (line.starts_with("#")) {
        check(line, text(file.path, ":", at));
        continue;
      }
      file_ = number;
      at_ = at;
      fixed ? fixed_line(line) : free_line(line);
      if (whole_) include_line(file, depth);
    }
    finish();
    include_line(file, depth);
  }

 private:
  // What a preprocessor leaves of its own: line markers, and pragmas.
  static void check(const std::string &line, const std::string &place) {
    const std::size_t begin = line.find_first_not_of(" \t", 1);
    if (begin == std::string::npos || std::isdigit(static_cast<unsigned char>(line[begin]))) return;
    if (!line.compare(begin, 6, "pragma") || !line.compare(begin, 5, "ident")) return;
    throw Refusal(text(place, ": '", line, "', a line of the preprocessor"));
  }

  void follow(const std::string &name, const SourceFile &from, int depth) {
    const SourceFile *const found = unit_.included(name, from.path);
    if (found && depth < deepest_include) return read(*found, depth + 1);
    const std::string why = found ? text("more than ", deepest_include, " files deep") : "not found";
    out_.missing.push_back(text("the included file '", name, "' is ", why));
  }

  // include 'name'
  void include_line(const SourceFile &file, int depth) {
    if (!whole_) return;
    whole_ = false;
    if (out_.lines.empty()) return;
    const Words &words = out_.lines.back().words;
    if (words.size() != 2 || !words[0].is("include") || words[1].kind != WordKind::text) return;
    const std::string name = words[1].text;
    out_.lines.pop_back();
    const int number = file_, at = at_;
    follow(name, file, depth);
    file_ = number;
    at_ = at;
  }

  /* --- lines of Fortran */

  // A line without its comment; `quote` is open where the line before ended in a text.
  std::string without_comment(const std::string &line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
      const char c = line[i];
      if (quote_ != '\0') {
        if (c == quote_) quote_ = '\0';
      } else if (c == '\'' || c == '"') {
        quote_ = c;
      } else if (c == '!') {
        return line.substr(0, i);
      }
    }
    return line;
  }

  void free_line(const std::string &whole) {
    std::string line = without_comment(whole);
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos) return; // also between a line and its continuation
    if (continues_) {
      if (line[first] == '&')
        line.erase(0, first + 1);
      else if (!pending_.empty())
        line.insert(0, " ");
    } else {
      begin();
    }
    const std::size_t last = line.find_last_not_of(" \t");
    continues_ = last != std::string::npos && line[last] == '&';
    if (continues_) line.erase(last);
    pending_ += line;
    if (!continues_) finish();
  }

  void fixed_line(const std::string &whole) {
    if (whole.empty() || std::string_view("cC*!dD").find(whole[0]) != std::string_view::npos) return;
    std::string line = whole.substr(0, 72);
    if (const std::size_t tab = line.find('\t'); tab < 6) // a tab leads to column 7, or to 6 before a digit
      line.replace(
          tab, 1,
          std::string(tab + 1 < line.size() && line[tab + 1] >= '1' && line[tab + 1] <= '9' ? 5 - tab : 6 - tab, ' '));
    const bool more = line.size() > 5 && line[5] != ' ' && line[5] != '0' && line.substr(0, 5) == "     ";
    if (!more) {
      quote_ = '\0';
      finish();
    }
    std::string rest = without_comment(more ? line.substr(6) : line);
    if (rest.find_first_not_of(" \t") == std::string::npos) return;
    if (!more) {
      begin();
      if (rest.size() > 5) rest[5] = ' ';
    }
    pending_ += rest;
  }

  void begin() {
    first_ = at_;
    first_file_ = file_;
  }

  // The statements of a line that is complete, between ';'.
  void finish() {
    continues_ = false;
    quote_ = '\0';
    if (pending_.find_first_not_of(" \t") == std::string::npos) {
      pending_.clear();
      return;
    }
    Line line;
    line.file = first_file_;
    line.line = first_;
    Words words = words_of(pending_);
    pending_.clear();
    whole_ = true;
    if (!words.empty() && words[0].kind == WordKind::number && words.size() > 1 &&
        words[0].text.find_first_not_of("0123456789") == std::string::npos) {
      line.label = std::stoi(words[0].text.substr(0, 5));
      words.erase(words.begin());
    }
    for (Word &word : words) {
      if (word.is(";")) {
        if (!line.words.empty()) out_.lines.push_back(line);
        line.words.clear();
        line.label = 0;
        continue;
      }
      line.words.push_back(std::move(word));
    }
    if (!line.words.empty()) out_.lines.push_back(std::move(line));
  }

  Statements &out_;
  const FortranUnit &unit_;
  std::string pending_;
  char quote_ = '\0';
  bool continues_ = false, whole_ = false;
  int file_ = 0, at_ = 0, first_ = 0, first_file_ = 0;
};

} // namespace

std::string Statements::place(const Line &line) const {
  return text(files[static_cast<std::size_t>(line.file)], ":", line.line);
}

bool is_fortran_name(std::string_view path) {
  constexpr std::array<std::string_view, 5> free = {"f90", "f95", "f03", "f08", "f18"};
  return is_fixed(path) || std::find(free.begin(), free.end(), ending_of(path)) != free.end();
}

Statements read_statements(const FortranUnit &unit) {
  Statements out;
  LineReader(out, unit).read(unit.files.front(), 0);
  return out;
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
