// Compiles with the text of the unit kept in the object, from which the library makes code for each loop.
//
// As a replacement of gcc's cc1 and cc1plus: `g++ -B<folder of this program> ...` runs these names there. As a program:
// `op2_text compiler argument...`, for compilers that have no such parts, such as clang++.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tools/text/compile.hpp"

namespace {

// The first line that a command prints.
std::string answer_of(const std::string &command) {
  std::string out;
  if (FILE *const pipe = popen(command.c_str(), "r")) {
    for (int c = std::fgetc(pipe); c != EOF && c != '\n'; c = std::fgetc(pipe)) out += static_cast<char>(c);
    pclose(pipe);
  }
  return out;
}

std::string in_quotes(const std::string &word) {
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The compiler's own cc1 or cc1plus.
std::string real_part(const std::string &name) {
  const char *const driver = std::getenv("COLLECT_GCC");
  if (!driver) return {};
  return answer_of(in_quotes(driver) + " -print-prog-name=" + name);
}

constexpr const char *usage =
    "usage: op2_text compiler argument...\n"
    "Run a C or C++ compiler (g++, clang++, mpicxx) so that programs carry the text of their loops' kernels, from "
    "which\n"
    "the library makes code for each loop. With one source in a command. op2cxx and op2cc do the same with the options "
    "of\n"
    "the library; g++ takes -B<folder> instead, see op2-config --cxxflags.\n";

} // namespace

int main(int argc, char **argv) {
  const std::string self = argv[0], folder = self.substr(0, self.rfind('/') + 1), name = self.substr(folder.size());
  op2::text::Command command;
  command.words.assign(argv + 1, argv + argc);
  if (name == "cc1" || name == "cc1plus" || name == "f951") {
    const std::string real = real_part(name);
    if (real.empty() || real.find('/') == real.npos) {
      std::fprintf(stderr, "op2_text: the compiler's own %s is not found; leave out -B%s\n", name.c_str(),
                   folder.c_str());
      return 1;
    }
    command.words.insert(command.words.begin(), real);
    command.language = name == "cc1" ? "c" : name == "f951" ? "fortran" : "c++";
    if (name == "f951") return op2::text::compile_fortran(command);
    return op2::text::compile(command);
  }
  if (argc < 2 || std::strcmp(argv[1], "--help") == 0) {
    std::fputs(usage, argc < 2 ? stderr : stdout);
    return argc < 2 ? 2 : 0;
  }
  command.of_driver = true;
  // A source of C is C for clang++, too, unless told otherwise; before it stands perhaps ccache.
  command.language = "c++";
  for (std::size_t n = 1; n < command.words.size(); ++n)
    if (command.words[n].ends_with(".c") && command.words[n - 1] != "-o") command.language = "c";
  for (const std::string &word : command.words)
    if (word == "c++" || word.ends_with("g++")) command.language = "c++"; // also behind -x
  return op2::text::compile(command);
}

// SPDX-License-Identifier: MIT
