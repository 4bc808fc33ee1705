// trace_options.cpp: see trace_options.hpp.
#include "trace_scale/trace_options.hpp"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

namespace trace_scale {

namespace {

[[noreturn]] void usage(const char *program, bool help) {
  std::fprintf(
      help ? stdout : stderr,
      "usage: %s [--quick] [--edge CUBES] [--particles N] [--most-steps N] [--processes MOST]\n"
      "       [--blocks N] [--batch N] [--wait SECONDS]                instead of the library's defaults\n"
      "       [--step SECONDS] [--visit SECONDS]                       of a core; a step is measured otherwise\n"
      "       [--latency SECONDS] [--bandwidth BYTES_PER_SECOND]       of the network\n"
      "       [--send SECONDS] [--receive SECONDS] [--look SECONDS]    of a core, for each message\n"
      "       [--never-asleep]                                         processes without work look all the time\n"
      "       [--real PROCESSES]                                       traced by the library, as threads\n",
      program);
  std::exit(help ? 0 : 2);
}

double number(const char *program, const char *word, double least, double most) {
  char *end = nullptr;
  const double value = std::strtod(word, &end);
  if (end == word || *end != '\0' || !(value >= least) || value > most) usage(program, false);
  return value;
}

} // namespace

Asked asked_of(int argc, char **argv) {
  Asked out;
  const auto integer = [&](int &to, double least, double most) {
    return [&to, least, most, argv](const char *word) { to = static_cast<int>(number(argv[0], word, least, most)); };
  };
  const auto seconds = [&](double &to) { return [&to, argv](const char *word) { to = number(argv[0], word, 0, 1); }; };
  int most_steps = static_cast<int>(out.most_steps);
  const std::map<std::string, std::function<void(const char *)>> options = {
      {"--edge", integer(out.edge, 2, 300)},
      {"--particles", integer(out.particles, 1, 1e7)},
      {"--most-steps", integer(most_steps, 1, 1e6)},
      {"--processes", integer(out.most, 16, 1 << 16)},
      {"--blocks", integer(out.blocks, 1, 64)},
      {"--batch", integer(out.running.batch, 1, 1e6)},
      {"--real", integer(out.real, 2, 64)},
      {"--wait", seconds(out.running.longest_wait)},
      {"--step", seconds(out.costs.step)},
      {"--visit", seconds(out.costs.visit)},
      {"--latency", seconds(out.costs.latency)},
      {"--send", seconds(out.costs.send)},
      {"--receive", seconds(out.costs.receive)},
      {"--look", seconds(out.costs.look)},
      {"--bandwidth", [&](const char *word) { out.costs.bandwidth = number(argv[0], word, 1, 1e15); }}};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--help") usage(argv[0], true);
    if (word == "--quick") {
      out.quick = true;
      continue;
    }
    if (word == "--never-asleep") {
      out.resting = Resting::looks;
      continue;
    }
    const auto option = options.find(word);
    if (option == options.end() || ++i == argc) usage(argv[0], false);
    option->second(argv[i]);
    out.step_is_given = out.step_is_given || word == "--step";
  }
  out.most_steps = most_steps;
  if (out.edge == 0) out.edge = out.quick ? 16 : 48;
  if (out.particles == 0) out.particles = out.quick ? 1000 : 100'000;
  if (out.most == 0) out.most = out.quick ? 64 : 8192;
  return out;
}

} // namespace trace_scale

// SPDX-License-Identifier: MIT
