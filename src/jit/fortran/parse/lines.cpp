// lines.cpp: see lines.hpp.
#include "jit/fortran/parse/lines.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>

#include "base/text.hpp"
#include "jit/fortran/parse/words.hpp"
#include "jit/preprocess/condition.hpp"

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
  LineReader(Statements &out, SourceFiles &files) : out_(out), files_(files) {}

  void read(const SourceFile &file, int depth) {
    const int number = static_cast<int>(out_.files.size());
    out_.files.push_back(file.path);
    const bool fixed = is_fixed(file.path);
    const std::size_t conditions = conditions_.size();
    int at = 0;
    for (std::string line : split(file.text, '\n')) {
      ++at;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      if (line.starts_with("#")) {
        directive(line, file, number, at, depth);
        continue;
      }
      if (!active()) continue;
      file_ = number;
      at_ = at;
      fixed ? fixed_line(line) : free_line(line);
      if (whole_) include_line(file, depth);
    }
    finish();
    include_line(file, depth);
    conditions_.resize(std::min(conditions, conditions_.size()));
  }

 private:
  struct Condition {
    enum class State { on, off, unknown } state;
    bool taken; // a branch before this one was on
    int doubt;
  };

  /* --- the preprocessor's lines */

  bool active() const {
    return std::all_of(conditions_.begin(), conditions_.end(),
                       [](const Condition &one) { return one.state != Condition::State::off; });
  }
  int doubt() const {
    for (const Condition &one : conditions_)
      if (one.state == Condition::State::unknown) return one.doubt;
    return -1;
  }
  bool is_defined(const std::string &name) const {
    return simple_.contains(name) || std::find(out_.macros.begin(), out_.macros.end(), name) != out_.macros.end();
  }

  // Only what the text itself says counts: -D options are not known.
  Condition::State judge(const std::string &what, const std::string &rest) const {
    using State = Condition::State;
    if (what == "ifdef") return is_defined(rest) ? State::on : State::unknown;
    if (what == "ifndef") return is_defined(rest) ? State::off : State::unknown;
    try { // as for kernels in C++
      SourceTokens tokens;
      for (Token &token : tokenize(rest, 0)) tokens.push_back({std::move(token), 0, -1});
      const Truth truth = evaluate(tokens, macros_, false);
      return truth == Truth::yes ? State::on : truth == Truth::no ? State::off : State::unknown;
    } catch (const Refusal &) {
      return State::unknown;
    }
  }

  // A name that stands for a number or another name is put in its place; kernels that use any other one are refused.
  void define(const std::string &rest) {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    const auto end = std::find_if_not(rest.begin(), rest.end(), is_part);
    const std::string name(rest.begin(), end);
    std::string body(end, rest.end());
    body.erase(0, std::min(body.size(), body.find_first_not_of(" \t")));
    const bool one_word =
        !body.empty() && std::all_of(body.begin(), body.end(), [&](char c) { return is_part(c) || c == '.'; });
    if (!one_word || end == rest.end() || doubt() >= 0 || is_defined(name)) {
      out_.macros.push_back(name);
      return;
    }
    if (const auto other = simple_.find(body); other != simple_.end()) body = other->second;
    Macro macro;
    macro.body = tokenize(body, 0);
    macros_.define(name, std::move(macro));
    simple_[name] = body;
  }

  // Names of the preprocessor, which tells capitals from small letters, outside of texts.
  std::string expanded(const std::string &line) const {
    if (simple_.empty()) return line;
    std::string out;
    char quote = '\0';
    for (std::size_t at = 0; at < line.size();) {
      const char c = line[at];
      if (quote != '\0' || !(std::isalnum(static_cast<unsigned char>(c)) || c == '_')) {
        if (quote == c)
          quote = '\0';
        else if (quote == '\0' && (c == '\'' || c == '"'))
          quote = c;
        out += c;
        ++at;
        continue;
      }
      std::size_t end = at;
      while (end < line.size() && (std::isalnum(static_cast<unsigned char>(line[end])) || line[end] == '_')) ++end;
      const std::string word = line.substr(at, end - at);
      const auto macro = simple_.find(word);
      out += macro == simple_.end() ? word : macro->second;
      at = end;
    }
    return out;
  }

  void directive(const std::string &line, const SourceFile &file, int number, int at, int depth) {
    std::size_t begin = line.find_first_not_of(" \t", 1);
    if (begin == std::string::npos) return;
    std::size_t end = begin;
    while (end < line.size() && std::isalpha(static_cast<unsigned char>(line[end]))) ++end;
    const std::string what = line.substr(begin, end - begin);
    std::string rest = line.substr(end);
    if (const std::size_t comment = rest.find("/*"); comment != std::string::npos) rest.erase(comment);
    while (!rest.empty() && std::isspace(static_cast<unsigned char>(rest.back()))) rest.pop_back();
    rest.erase(0, std::min(rest.size(), rest.find_first_not_of(" \t")));
    const auto new_doubt = [&] {
      out_.doubts.push_back(
          text("the condition '#", what, rest.empty() ? "" : " ", rest, "' (", file.path, ":", at, ")"));
      return static_cast<int>(out_.doubts.size()) - 1;
    };
    if (what == "if" || what == "ifdef" || what == "ifndef") {
      const Condition::State state = judge(what, rest);
      conditions_.push_back(
          {state, state == Condition::State::on, state == Condition::State::unknown ? new_doubt() : -1});
    } else if ((what == "else" || what == "elif") && !conditions_.empty()) {
      Condition &last = conditions_.back();
      if (last.taken)
        last.state = Condition::State::off;
      else if (last.doubt < 0 && what == "else")
        last.state = Condition::State::on;
      else if (last.doubt < 0)
        last = {judge(what, rest), judge(what, rest) == Condition::State::on, new_doubt()};
      else
        last.state = Condition::State::unknown;
    } else if (what == "endif" && !conditions_.empty()) {
      conditions_.pop_back();
    } else if (what == "define" && active()) {
      define(rest);
    } else if (what == "undef" && active()) {
      simple_.erase(rest);
      macros_.undefine(rest, -1);
    } else if (what == "include" && active()) {
      finish();
      file_ = number;
      at_ = at;
      if (rest.size() > 2 && rest.front() == '"') follow(rest.substr(1, rest.size() - 2), file, depth);
    }
  }

  void follow(const std::string &name, const SourceFile &from, int depth) {
    const SourceFile *found = nullptr;
    try {
      found = files_.find_included(name, from.path);
    } catch (const Refusal &) { // a file that is newer than the program, which may have nothing to do with it
      if (doubt() < 0) throw;
    }
    if (!found || depth >= deepest_include) {
      if (doubt() < 0) out_.missing.push_back(name);
      return;
    }
    read(*found, depth + 1);
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
      if (doubt() >= 0) first_doubt_ = doubt();
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
    } else if (doubt() >= 0) {
      first_doubt_ = doubt();
    }
    pending_ += rest;
  }

  void begin() {
    first_ = at_;
    first_file_ = file_;
    first_doubt_ = doubt();
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
    line.doubt = first_doubt_;
    Words words = words_of(expanded(pending_));
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
  SourceFiles &files_;
  std::vector<Condition> conditions_;
  std::map<std::string, std::string> simple_; // macros that are one word
  Macros macros_;                             // the same for conditions
  std::string pending_;
  char quote_ = '\0';
  bool continues_ = false, whole_ = false;
  int file_ = 0, at_ = 0, first_ = 0, first_file_ = 0, first_doubt_ = -1;
};

} // namespace

std::string Statements::place(const Line &line) const {
  return text(files[static_cast<std::size_t>(line.file)], ":", line.line);
}

bool is_fortran_name(std::string_view path) {
  constexpr std::array<std::string_view, 5> free = {"f90", "f95", "f03", "f08", "f18"};
  return is_fixed(path) || std::find(free.begin(), free.end(), ending_of(path)) != free.end();
}

Statements read_statements(const SourceFile &file, SourceFiles &files) {
  Statements out;
  LineReader(out, files).read(file, 0);
  return out;
}

} // namespace op2::core::jit::fortran
