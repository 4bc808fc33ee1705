// sizes.hpp: the meshes that are measured, and the choice among them on the command line.
#ifndef OP2_BENCH_SIZES_HPP
#define OP2_BENCH_SIZES_HPP

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace bench {

struct Size {
  std::string name;
  int I, J; // of naca::make_mesh: 3 I J cells
};

inline const std::vector<Size> &all_sizes() {
  static const std::vector<Size> sizes = {{"6k", 40, 50},   {"40k", 96, 144},  {"720k", 400, 600},
                                          {"1M", 480, 700}, {"4M", 960, 1400}, {"16M", 1920, 2800}};
  return sizes;
}

struct Choice {
  bool quick = false;
  std::vector<Size> sizes;
};

// [--quick] [SIZE...]; without sizes those of `full`, or of `quick` with that option. Anything else ends the program
// with code 2 and a usage line.
inline Choice choose_sizes(int argc, char **argv, const std::vector<std::string> &full,
                           const std::vector<std::string> &quick) {
  Choice choice;
  std::vector<std::string> names;
  const auto usage = [&](bool help) {
    std::string text = std::string("usage: ") + argv[0] + " [--quick]";
    for (const Size &size : all_sizes()) text += " [" + size.name + "]";
    std::fprintf(help ? stdout : stderr, "%s\n", text.c_str());
    std::exit(help ? 0 : 2);
  };
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool known =
        std::any_of(all_sizes().begin(), all_sizes().end(), [&](const Size &s) { return s.name == word; });
    if (word == "--quick")
      choice.quick = true;
    else if (known)
      names.push_back(word);
    else
      usage(word == "--help");
  }
  if (names.empty()) names = choice.quick ? quick : full;
  for (const Size &size : all_sizes())
    if (std::find(names.begin(), names.end(), size.name) != names.end()) choice.sizes.push_back(size);
  return choice;
}

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
