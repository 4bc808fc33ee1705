// command_line.hpp: what the example programs share around their solvers: the command line and the exit codes.
#ifndef OP2_EXAMPLES_COMMAND_LINE_HPP
#define OP2_EXAMPLES_COMMAND_LINE_HPP

#include <op2/op2.h>

#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

namespace example {

constexpr int passed = 0, failed = 1, error = 2; // error: usage, a file, or a call of the library that failed

// `--name value`. Exactly one of the targets is set; it keeps its value when the option is not given.
struct Option {
  const char *name;
  int *number = nullptr; // a whole number from `least` to `most`
  int least = 0, most = 0;
  std::string *text = nullptr; // anything
};

class CommandLine {
 public:
  CommandLine(const char *program, const char *usage) : program_(program), usage_(usage) {}

  // Settings of the library (OP2_..., OP_...) are passed over. Numbers without a name go to `places`: all of them or
  // none. False: the program shall end with exit_code(), and everything has been said.
  bool parse(int argc, char **argv, const std::vector<Option> &places, const std::vector<Option> &options) {
    exit_code_ = error;
    std::size_t place = 0;
    for (int i = 1; i < argc; ++i) {
      const char *const argument = argv[i];
      if (!std::strncmp(argument, "OP2_", 4) || !std::strncmp(argument, "OP_", 3)) continue;
      if (!std::strcmp(argument, "--help") || !std::strcmp(argument, "-h")) {
        op_printf("%s", usage_);
        exit_code_ = passed;
        return false;
      }
      const Option *option = find(options, argument);
      if (option != nullptr && ++i == argc) return complain("a value is missing after ", argument);
      if (option == nullptr && argument[0] != '-' && place < places.size()) option = &places[place++];
      if (option == nullptr) return complain("cannot use the argument ", argument);
      if (!set(*option, argv[i])) return false;
    }
    if (place != 0 && place != places.size()) return complain("a value is missing for ", places[place].name);
    return true;
  }

  [[nodiscard]] int exit_code() const { return exit_code_; }

  // A message on process 0. Returns false.
  bool complain(const char *what, const std::string &detail) const {
    if (op_is_root())
      std::fprintf(stderr, "%s: %s%s (--help explains the arguments)\n", program_, what, detail.c_str());
    return false;
  }

 private:
  static const Option *find(const std::vector<Option> &options, const char *name) {
    for (const Option &option : options)
      if (!std::strcmp(option.name, name)) return &option;
    return nullptr;
  }

  bool set(const Option &option, const char *value) const {
    if (option.text != nullptr) {
      *option.text = value;
      return true;
    }
    const char *const end = value + std::strlen(value);
    int number = 0;
    const auto result = std::from_chars(value, end, number);
    if (result.ec != std::errc() || result.ptr != end || number < option.least || number > option.most)
      return complain(option.name, " needs a whole number from " + std::to_string(option.least) + " to " +
                                       std::to_string(option.most) + ", not " + value);
    *option.number = number;
    return true;
  }

  const char *program_, *usage_;
  int exit_code_ = error;
};

// May the table of loops be written to a file of this name?
inline bool is_table(const std::string &file) {
  const std::size_t dot = file.rfind('.');
  return dot != std::string::npos && (file.substr(dot) == ".csv" || file.substr(dot) == ".json");
}

// Write the table of loops; nothing for an empty name. What fails is reported by the library.
inline bool write_table(const std::string &file) {
  if (file.empty()) return true;
  const bool json = file.back() == 'n';
  return (json ? op_timings_to_json(file.c_str()) : op_timings_to_csv(file.c_str())) == OP_OK;
}

} // namespace example

#endif

// SPDX-License-Identifier: MIT
