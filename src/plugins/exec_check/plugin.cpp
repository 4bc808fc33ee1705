// Executor "check": the table, and the setting OP2_CHECK.
#include <array>
#include <cstring>
#include <string_view>

#include "exec_check.hpp"
#include "plugins/exec_common/host.hpp"

namespace op2::exec_check {

namespace {

constexpr std::array<const char *, kinds> kind_names = {"read",  "write", "partial", "inc",   "bounds", "order",
                                                        "state", "alias", "nan",     "range", "chain"};

// One word: "all", "warn", a kind, or "-kind". Returns false for an unknown one.
bool apply(std::string_view word, Options &options) {
  if (word == "warn") return options.warn = true;
  const bool value = !word.starts_with('-');
  if (!value) word.remove_prefix(1);
  bool known = false;
  for (int kind = 0; kind < kinds; ++kind)
    if (word == "all" || word == kind_names[static_cast<std::size_t>(kind)]) {
      options.on[kind] = value;
      known = true;
    }
  return known;
}

// "" and "warn" alone mean everything, "-nan" everything but that, "read,write" these two.
std::string parse(std::string_view words, Options &options) {
  bool only_some = false; // a kind is named that is to be looked for
  for (std::size_t at = 0; at < words.size(); at = std::min(words.find(',', at), words.size()) + 1) {
    const std::string_view word = words.substr(at, words.find(',', at) - at);
    only_some = only_some || (!word.empty() && word[0] != '-' && word != "warn");
  }
  options.warn = false;
  for (bool &on : options.on) on = !only_some;
  while (!words.empty()) {
    const std::size_t comma = std::min(words.find(','), words.size());
    if (comma > 0 && !apply(words.substr(0, comma), options)) return std::string(words.substr(0, comma));
    words.remove_prefix(std::min(comma + 1, words.size()));
  }
  return {};
}

op_status open(const op_exec_params *params, op_exec **exec) {
  const op_host_v1 *host = params->host;
  try {
    Options options{};
    const std::string unknown = parse(exec_common::setting(host, "OP2_CHECK"), options);
    if (!unknown.empty()) {
      std::string known = "all warn";
      for (const char *name : kind_names) known += std::string(" ") + name;
      return host->fail(
          host, OP_ERR_ARGUMENT,
          ("setting OP2_CHECK: '" + unknown + "' is none of: " + known + "; -word leaves one out").c_str());
    }
    *exec = new op_exec_s{host, options, {}};
    return OP_OK;
  } catch (const std::bad_alloc &) {
    return host->fail(host, OP_ERR_MEMORY, "no memory for the executor");
  }
}

void close(op_exec *exec) { delete exec; }

op_status caps(op_exec *, op_exec_caps *caps) {
  caps->space = OP_SPACE_HOST;
  caps->separate_memory = 0;
  caps->transport[0] = OP_SPACE_HOST;
  caps->asynchronous = 0;
  caps->deterministic = 1;
  caps->concurrency = 1;
  return OP_OK;
}

// Below every other executor: `auto` never takes it.
int score(const op_host_v1 *) { return 1; }

constexpr op_exec_ops_v1 ops = [] {
  op_exec_ops_v1 t{};
  t.size = sizeof t;
  t.open = open;
  t.close = close;
  t.caps = caps;
  t.kernel_create = kernel_create;
  t.kernel_free = kernel_free;
  t.kernel_form = kernel_form;
  t.kernel_plan_request = kernel_plan_request;
  t.loop_run = loop_run;
  return t;
}();

constexpr op_plugin_v1 plugin =
    exec_common::describe("check", "as seq, and verifies what kernels do with their arguments", "", "seq", score, &ops);

} // namespace

const char *kind_name(Kind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

} // namespace op2::exec_check

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &op2::exec_check::plugin; }

// SPDX-License-Identifier: MIT
