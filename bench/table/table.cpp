// bench_table [--json FILE] [--mode TEXT] [--load NUMBER]: reads lines of report.hpp from stdin, prints the table,
// writes the JSON.
//
// Exit code: 0 all checks hold, 1 one does not or a line cannot be understood, 2 wrong usage or FILE cannot be written.
#include "table/table.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

namespace {

// The file appears under its name only when it is complete.
bool write_file(const std::string &file, const std::string &text) {
  const std::string part = file + ".part";
  std::ofstream out(part);
  out << text;
  out.close();
  if (out && std::rename(part.c_str(), file.c_str()) == 0) return true;
  std::remove(part.c_str());
  return false;
}

} // namespace

int main(int argc, char **argv) {
  std::string file, mode = "unknown", load = "unknown";
  const std::pair<const char *, std::string *> options[] = {{"--json", &file}, {"--mode", &mode}, {"--load", &load}};
  for (int i = 1; i < argc; i += 2) {
    const auto option = std::find_if(std::begin(options), std::end(options),
                                     [&](const auto &entry) { return std::strcmp(entry.first, argv[i]) == 0; });
    if (option == std::end(options) || i + 1 == argc) {
      std::fputs("usage: bench_table [--json FILE] [--mode TEXT] [--load NUMBER] <LINES\n", stderr);
      return 2;
    }
    *option->second = argv[i + 1];
  }
  const Report report = read_report(std::cin);
  const Machine machine = this_machine(load);
  print_table(report, machine);
  if (!file.empty() && !write_file(file, json(report, machine, mode))) {
    std::fprintf(stderr, "bench_table: cannot write %s\n", file.c_str());
    return 2;
  }
  return report.ok() ? 0 : 1;
}

// SPDX-License-Identifier: MIT
