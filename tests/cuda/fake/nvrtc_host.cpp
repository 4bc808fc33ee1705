// nvrtc_host.cpp: device text through the compiler of the host.
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "nvrtc_program.hpp"

extern char **environ;

namespace fake {

namespace {

std::string variable(const char *name, const char *otherwise) {
  const char *value = std::getenv(name);
  return value && *value ? value : otherwise;
}

// A folder that goes away with everything in it.
class Folder {
 public:
  Folder() {
    std::string name = variable("TMPDIR", "/tmp") + "/fake_nvrtc_XXXXXX";
    if (mkdtemp(name.data())) path_ = name;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  const std::string &path() const { return path_; }

 private:
  std::string path_;
};

bool write_headers(const Program &program, const std::string &folder) {
  std::error_code error;
  for (const auto &[name, text] : program.headers) {
    const std::filesystem::path path = std::filesystem::path(folder) / name;
    std::filesystem::create_directories(path.parent_path(), error);
    if (!write_file(path, text)) return false;
  }
  return true;
}

// NVRTC's spelling of macros and folders; what else it knows means nothing to this compiler.
void add_option(const std::string &option, const std::string &next, std::vector<std::string> &out) {
  const auto starts = [&](const std::string &with) { return option.rfind(with, 0) == 0; };
  const auto rest = [&](const std::string &with) { return option.substr(with.size()); };
  if (option == "-D" || option == "-U" || option == "-I")
    out.push_back(option + next);
  else if (option == "--define-macro" || option == "--include-path")
    out.push_back((option == "--define-macro" ? "-D" : "-I") + next);
  else if (starts("--define-macro="))
    out.push_back("-D" + rest("--define-macro="));
  else if (starts("--undefine-macro="))
    out.push_back("-U" + rest("--undefine-macro="));
  else if (starts("--include-path="))
    out.push_back("-I" + rest("--include-path="));
  else if (starts("-D") || starts("-U") || starts("-I"))
    out.push_back(option);
  else if (starts("--pre-include="))
    out.insert(out.end(), {"-include", rest("--pre-include=")});
}

// The exit status, or -1 when it could not be started.
int run(const std::vector<std::string> &words, const std::string &log) {
  std::vector<char *> arguments;
  for (const std::string &word : words) arguments.push_back(const_cast<char *>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void replace_all(std::string &text, const std::string &what, const std::string &with) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

// GCC where accesses are counted: its callbacks are what shim_count.cpp is for, and counts are the same everywhere.
std::string compiler() {
  return counting() ? variable("FAKE_NVRTC_COUNT_CXX", "g++") : variable("FAKE_NVRTC_CXX", "c++");
}

std::vector<std::string> command(const std::vector<std::string> &options, const std::string &folder,
                                 const std::string &shim) {
  std::vector<std::string> words = {compiler(),          "-shared",    "-fPIC", "-O1",
                                    "-ffp-contract=off", "-std=c++17", "-w",    "-fvisibility=hidden",
                                    "-nostdinc",         "-Wl,-z,defs"};
  for (std::size_t i = 0; i < options.size(); i++)
    add_option(options[i], i + 1 < options.size() ? options[i + 1] : std::string(), words);
  words.insert(words.end(),
               {"-I" + folder + "/include", "-include", shim, folder + "/program.cpp", "-o", folder + "/program.so"});
  return words;
}

// Two commands: callbacks at loads, stores and pieces of code of the program, and none in the callbacks themselves.
int compile_with_counts(std::vector<std::string> words, const std::string &folder, const std::string &shim_folder) {
  words[1] = "-c";
  words.back() = folder + "/program.o";
  words.insert(words.end(), {"-DOP2_FAKE_COUNT", "-fsanitize=thread", "-fsanitize-coverage=trace-pc"});
  if (const int status = run(words, folder + "/log")) return status;
  return run({words[0], "-shared", "-fPIC", "-O1", "-Wl,-z,defs", folder + "/program.o",
              shim_folder + "/shim_count.cpp", "-o", folder + "/program.so"},
             folder + "/log");
}

// What the driver says beside counts.
std::string labels(const Program &program) {
  const auto text = [](const char *name, const std::string &value) {
    return std::string("extern \"C\" {\nOP2_FAKE_EXPORT extern const char ") + name + "[];\nconst char " + name +
           "[] = R\"op2(" + value + ")op2\";\n}\n";
  };
  const std::string title = program.name.substr(0, program.name.rfind(".cu"));
  return "\n" + text("op2_fake_title", title) + text("op2_fake_resources", program.resources);
}

} // namespace

bool counting() { return !variable("OP2_CUDA_COUNT", "").empty(); }

// FAKE_NVRTC_PLANT: a mistake in the text, "what=>instead".
static void plant(std::string &text) {
  const std::string words = variable("FAKE_NVRTC_PLANT", "");
  const auto arrow = words.find("=>");
  if (arrow != std::string::npos) replace_all(text, words.substr(0, arrow), words.substr(arrow + 2));
}

Outcome compile_for_host(Program &program, const std::vector<std::string> &options) {
  plant(program.source);
  const std::string folder = variable("FAKE_NVRTC_SHIM", FAKE_SHIM_FOLDER);
  std::string what = compiler() + (counting() ? "counts" + program.resources : "");
  for (const char *part : {"shim.h", "shim_table.h", "shim_math.h", "shim_count.cpp"})
    what += read_file(folder + "/" + part);
  const std::string key = cache_key("host" + what, program, options) + ".so";
  if (cache_load(key, program.object)) return {};
  const Folder scratch;
  const std::string &path = scratch.path();
  // In CUDA a constant of C's name is defined where it is declared; in C++ the language's name would only declare it.
  std::string source = program.source;
  replace_all(source, "extern \"C\" __constant__", "__constant__");
  const std::string text = "#line 1 \"" + program.name + "\"\n" + source + (counting() ? labels(program) : "");
  if (path.empty() || !write_headers(program, path + "/include") || !write_file(path + "/program.cpp", text))
    return {Verdict::internal, "no room for temporary files"};
  const std::vector<std::string> words = command(options, path, folder + "/shim.h");
  const int status = counting() ? compile_with_counts(words, path, folder) : run(words, path + "/log");
  std::string log = read_file(path + "/log");
  replace_all(log, path + "/include/", "");
  if (status == -1) return {Verdict::internal, "the compiler " + compiler() + " does not start"};
  if (status != 0) return {Verdict::compilation, log};
  program.object = read_file(path + "/program.so");
  cache_store(key, program.object);
  return {Verdict::success, log};
}

} // namespace fake

// SPDX-License-Identifier: MIT
