#include "jit/code/compiler.hpp"

#include <sys/stat.h>

#include <array>
#include <cctype>
#include <climits>
#include <cstdlib>
#include <sstream>

#include "base/error.hpp"
#include "host/files.hpp"
#include "host/plugins/elf_file.hpp"

namespace op2::core::jit {

namespace {

// Nothing here may change a result: no contraction to fused multiply-adds, no reordering of sums. That errno is not set
// by sqrt() is what lets it be one instruction. Some compilers are fast and loose by default: -fno-fast-math first.
// Vectors of straight-line code are for texts that ask for them (straight_line, Machine::straight_line_flags): the
// others have explicit ones. Rows of types that only the program knows pass through char pointers, which
// rules about aliasing forbid.
constexpr std::array base_flags = {"-std=c++17",
                                   "-O3",
                                   "-fno-fast-math",
                                   "-ffp-contract=off",
                                   "-fno-tree-slp-vectorize",
                                   "-fno-strict-aliasing",
                                   "-fno-math-errno",
                                   "-fPIC",
                                   "-shared",
                                   "-Wl,--as-needed",
                                   "-w"};

// The same for Fortran, where nothing sets errno.
constexpr std::array fortran_base_flags = {
    "-O3", "-fno-fast-math", "-ffp-contract=off", "-fPIC", "-shared", "-Wl,--as-needed", "-w"};

struct Search {
  const char *setting, *language, *none;
  std::vector<const char *> names;
};
const Search &search_for(Language language) {
  static const Search cxx = {"OP2_CXX", "C++", "none of c++, g++ and clang++ is", {"c++", "g++", "clang++"}};
  static const Search fortran = {"OP2_FC", "Fortran", "gfortran is not", {"gfortran"}};
  return language == Language::cxx ? cxx : fortran;
}

std::string last_part(const std::string &path) { return path.substr(path.rfind('/') + 1); }

std::string real_path(const std::string &path) {
  char buffer[PATH_MAX];
  return realpath(path.c_str(), buffer) ? std::string(buffer) : path;
}

} // namespace

std::vector<std::string> split_command(const std::string &command, const char *setting) {
  std::vector<std::string> out;
  std::string word;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char sign = command[i];
    if (sign == '\\' && quote != '\'' && i + 1 < command.size()) {
      word += command[++i];
      in_word = true;
    } else if (quote) {
      if (sign == quote)
        quote = '\0';
      else
        word += sign;
    } else if (sign == '\'' || sign == '"') {
      quote = sign;
      in_word = true; // '' is an empty word
    } else if (std::isspace(static_cast<unsigned char>(sign))) {
      if (in_word) out.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += sign;
      in_word = true;
    }
  }
  if (quote) fail(OP_ERR_ARGUMENT, "setting ", setting, "='", command, "': the quote ", quote, " does not end");
  if (in_word) out.push_back(std::move(word));
  return out;
}

std::string first_error_of(const std::string &messages) {
  std::istringstream lines(messages);
  std::string first, place; // place: gfortran has it some lines before
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with(":") && line.find(".f90:") != std::string::npos) place = line + " ";
    if (line.starts_with("Error:") || line.starts_with("Fatal Error:")) line.insert(0, place);
    const bool error = line.find("error:") != std::string::npos || line.find("Error:") != std::string::npos ||
                       line.find("undefined reference") != std::string::npos;
    if (!error && (!first.empty() || line.empty())) continue;
    // "/tmp/op2-jit-x/flux.cpp:3:1: error: ..." -> "flux.cpp:3:1: error: ..."
    const std::size_t colon = line.find(':');
    const std::size_t slash = colon == std::string::npos ? colon : line.rfind('/', colon);
    first = line.front() == '/' && slash != std::string::npos ? line.substr(slash + 1) : line;
    if (error) break;
  }
  return first;
}

bool says_vectorised(const std::string &messages, const std::string &file) {
  std::istringstream lines(messages);
  bool some_loop = false; // clang names a place that it can show, and the real one in a note behind it
  for (std::string line; std::getline(lines, line);) {
    const bool vectorised =
        line.find("loop vectorized") != std::string::npos || line.find("vectorized loop") != std::string::npos;
    const bool note = line.find("note:") != std::string::npos;
    if (vectorised || !note) some_loop = vectorised || (some_loop && line.find("remark:") == std::string::npos);
    if ((vectorised || (note && some_loop)) && line.find(file + ":") != std::string::npos) return true;
  }
  return false;
}

Compiler::Compiler(const Settings &settings, double timeout, Language language) : timeout_(timeout) {
  const Search &search = search_for(language);
  if (language == Language::cxx)
    flags_.assign(base_flags.begin(), base_flags.end());
  else
    flags_.assign(fortran_base_flags.begin(), fortran_base_flags.end());
  own_flags_ = flags_.size();
  const std::vector<std::string> command = split_command(settings.get(search.setting), search.setting);
  const std::string requested = command.empty() ? "" : command.front();
  if (!command.empty()) flags_.insert(flags_.end(), command.begin() + 1, command.end());
  users_flags_ = flags_.size() > own_flags_;
  if (language == Language::fortran && requested == "off") {
    missing_ = "no Fortran compiler: OP2_FC=off";
    return;
  }
  if (!requested.empty()) {
    look_for(requested);
    if (!found())
      missing_ = text(
          "no ", search.language, " compiler: ", search.setting, "='", requested, "' is ",
          requested.find('/') == std::string::npos ? "not in the folders of PATH" : "no program that can be started");
    return;
  }
  for (const char *name : search.names)
    if (!found()) look_for(name);
  if (!found())
    missing_ =
        text("no ", search.language, " compiler: ", search.none, " in the folders of PATH (set ", search.setting, ")");
}

void Compiler::look_for(const std::string &name) {
  const std::string path = find_program(name);
  struct stat info {};
  if (path.empty() || stat(path.c_str(), &info) != 0) return;
  path_ = path;
  identity_ = text(real_path(path), " ", info.st_size, " ", info.st_mtim.tv_sec, ".", info.st_mtim.tv_nsec);
}

const std::string &Compiler::version() const {
  std::call_once(asked_, [&] {
    if (!found()) return;
    const ProcessResult said = run_process({{path_, "--version"}, {}, 10, {}});
    version_ = said.output.substr(0, said.output.find('\n'));
  });
  return version_;
}

std::vector<std::string> Compiler::vector_flags() const {
  const bool clang = version().find("clang") != std::string::npos;
  return {clang ? "-fvisibility=hidden" : "-fno-gnu-unique",
          "-fvisibility=hidden",
          "-std=c++2a",
          "-fno-trapping-math",
          "-fopenmp-simd",
          clang ? "-Rpass=loop-vectorize" : "-fopt-info-vec-optimized"};
}

// Other compilers than gfortran have flags and limits of their own; OP2_FC has room for them.
std::vector<std::string> Compiler::fortran_flags(const std::string &module_folder) const {
  std::vector<std::string> out = {text("-J", module_folder)};
  if (version().find("GNU") == std::string::npos) return out;
  for (const char *flag : {"-frecursive", "-fno-semantic-interposition", "-finline-limit=100000", "-Wl,-Bsymbolic",
                           "--param=large-function-growth=1000", "--param=large-stack-frame-growth=10000",
                           "--param=inline-unit-growth=1000"})
    out.emplace_back(flag);
  return out;
}

Compilation Compiler::compile(const CompilerRun &run, std::stop_token stop) const {
  ProcessRequest request{{path_}, {text("TMPDIR=", run.folder)}, timeout_, std::move(stop), run.when_idle};
  // The user's flags are the last, so that they win.
  const auto mine = flags_.begin() + static_cast<std::ptrdiff_t>(own_flags_);
  request.command.insert(request.command.end(), flags_.begin(), mine);
  request.command.insert(request.command.end(), run.flags.begin(), run.flags.end());
  request.command.insert(request.command.end(), mine, flags_.end());
  for (const std::string &word : {std::string("-o"), run.output, run.source}) request.command.push_back(word);
  // A linker that has fewer libraries to look at takes half the time.
  if (run.plain && !users_flags_) request.command.insert(request.command.end(), {"-nostdlib", "-lm", "-lc"});
  const ProcessResult result = run_process(request);

  Compilation out;
  out.end = result.end;
  out.seconds = result.seconds;
  out.what_happened = result.what_happened();
  for (const std::string &word : request.command) out.log += word + " ";
  out.log += text("\n", result.output, "\n", last_part(path_), " ", out.what_happened, " (", fixed(result.seconds, 3),
                  " s)\n");
  out.first_error = first_error_of(result.output);
  if (!result.succeeded() && result.end != ProcessEnd::unknown) return out;
  // A status of 0 is a claim; what counts is the file.
  struct stat info {};
  const std::string broken = reason_not_to_load(run.output);
  out.done = stat(run.output.c_str(), &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 && broken.empty();
  if (!out.done) out.what_happened = broken.empty() ? "made no file" : "made a file that is cut short";
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
