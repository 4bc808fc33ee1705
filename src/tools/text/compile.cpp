#include "tools/text/compile.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tools/text/process.hpp"
#include "tools/text/unit_text.hpp"

namespace op2::text {

namespace {

bool is_option_with_value(const std::string &word) {
  return word == "-o" || word == "-MF" || word == "-MT" || word == "-MQ";
}

// An option of dependency files; cc1 has their name behind -MD and -MMD.
bool makes_dependencies(const std::string &word) { return word.starts_with("-M") || word.starts_with("-Wp,-M"); }

std::vector<std::string> preprocessing(const Command &command, const std::string &output) {
  std::vector<std::string> out;
  const std::vector<std::string> &words = command.words;
  for (std::size_t n = 0; n < words.size(); ++n) {
    if (words[n] == "-Xclang" && n + 3 < words.size() && words[n + 1] == "-include-pch") { // what is in it is no text
      n += 3;
      continue;
    }
    const bool of_cc1 = !command.of_driver && (words[n] == "-MD" || words[n] == "-MMD");
    if (is_option_with_value(words[n]) || of_cc1)
      ++n;
    else if (words[n] != "-c" && words[n] != "-S" && words[n] != "-pipe" && !makes_dependencies(words[n]) &&
             !words[n].starts_with("-save-temps") && !words[n].starts_with("-fdump-"))
      out.push_back(words[n]);
  }
  out.insert(out.end(), {"-D", "OP_UNIT_TEXT=" + std::string(name_of_text), "-E", "-o", output});
  return out;
}

} // namespace

std::vector<std::string> options_of(const Command &command) {
  std::vector<std::string> out;
  for (const std::string &word : command.words)
    if (word.starts_with("-f") || word.starts_with("-m") || word.starts_with("-O") || word.starts_with("-std") ||
        word == "-ansi")
      out.push_back(word);
  return out;
}

namespace {

// The file that the compiler writes the dependencies to; "" = none.
std::string dependency_file(const Command &command) {
  const std::vector<std::string> &words = command.words;
  std::string object, named;
  bool any = false, for_make = false;
  for (std::size_t n = 0; n + 1 < words.size(); ++n) {
    if (words[n] == "-o") object = words[n + 1];
    if (words[n] == "-MF") named = words[n + 1];
    for_make = for_make || words[n] == "-MD" || words[n] == "-MMD";
    if (!command.of_driver && (words[n] == "-MD" || words[n] == "-MMD") && named.empty()) named = words[n + 1];
    any = any || makes_dependencies(words[n]);
  }
  if (!any) return {};
  if (!named.empty()) return named;
  const std::size_t dot = object.rfind('.');
  return for_make && dot != object.npos ? object.substr(0, dot) + ".d" : "";
}

// The header with the text is gone when the unit is compiled, so no dependency may name it.
void forget_dependency(const std::string &path, const std::string &name) {
  if (path.empty()) return;
  std::string header; // as make spells it
  for (const char c : name) {
    if (c == ' ' || c == '#') header += '\\';
    if (c == '$') header += '$';
    header += c;
  }
  const std::string before = read(path);
  if (before.find(header) == before.npos) return;
  std::istringstream lines(before);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line == header + ":") continue; // of -MP
    if (const std::size_t at = line.find(header); at != line.npos) {
      line.erase(at > 0 && line[at - 1] == ' ' ? at - 1 : at, header.size() + (at > 0 && line[at - 1] == ' ' ? 1 : 0));
      if (line.find_first_not_of(" \\") == line.npos && line.find('\\') != line.npos)
        continue; // a continued line of its own
    }
    out += line + "\n";
  }
  std::ofstream(path, std::ios::binary) << out;
}

bool is_source(const std::string &word) {
  const std::size_t dot = word.rfind('.');
  if (word.starts_with("-") || dot == word.npos) return false;
  static const char *const ends[] = {".c", ".cc", ".cp", ".cxx", ".cpp", ".CPP", ".c++", ".C"};
  for (const char *end : ends)
    if (word.substr(dot) == end) return true;
  return false;
}

} // namespace

bool keeps_text(const Command &command) {
  bool output = false;
  int sources = 0;
  const std::vector<std::string> &words = command.words;
  for (std::size_t n = 1; n < words.size(); ++n) {
    const std::string &word = words[n];
    if (word == "-E" || word == "-M" || word == "-MM" || word == "-fpreprocessed" || word == "-fsyntax-only" ||
        word.starts_with("--output-pch") || word == "-###")
      return false;
    if (word.ends_with("OP_UNIT_TEXT=NULL")) return false; // the program says so
    if (word == "-x" && n + 1 < words.size() && words[n + 1].ends_with("-header")) return false;
    if (word == "-" && words[n - 1] != "-o") return false; // a source that can be read once
    output = output || word == "-o";
    if (is_option_with_value(word) || word == "-include" || word == "-imacros")
      ++n;
    else
      sources += is_source(word) ? 1 : 0;
  }
  return command.of_driver ? sources == 1 : output;
}

namespace {

// Caches of compilations know the command, so the name is the same each time where the object's name is in it.
std::string header_file(const Command &command, Temporary &folder) {
  for (std::size_t n = 0; command.of_driver && n + 1 < command.words.size(); ++n)
    if (command.words[n] == "-o" && command.words[n + 1].ends_with(".o")) {
      folder.also(command.words[n + 1] + ".op2_unit_text.h");
      return command.words[n + 1] + ".op2_unit_text.h";
    }
  return folder.file("op2_unit_text.h");
}

} // namespace

int compile(const Command &command) {
  if (!keeps_text(command)) return run_instead(command.words);
  Temporary folder;
  if (!folder.made()) return run_instead(command.words);
  const std::string unit = folder.file("unit.ii"), header = header_file(command, folder);
  if (run(preprocessing(command, unit), true) != 0) return run(command.words, false); // which says what is wrong
  const std::string text = reduced(read(unit));
  unlink(unit.c_str());
  if (!has_loops(text)) return run(command.words, false);
  std::ofstream(header, std::ios::binary) << header_of(text, command.words[0], command.language, options_of(command));
  std::vector<std::string> words = command.words;
  words.insert(words.end(), {"-include", header});
  const int code = run(words, false);
  forget_dependency(dependency_file(command), header);
  for (const char *variable : {"DEPENDENCIES_OUTPUT", "SUNPRO_DEPENDENCIES"})
    if (const char *const value = std::getenv(variable))
      forget_dependency(std::string(value).substr(0, std::string(value).find(' ')), header);
  return code;
}

} // namespace op2::text

// SPDX-License-Identifier: MIT
