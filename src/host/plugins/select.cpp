#include "host/plugins/select.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/error.hpp"
#include "base/text.hpp"
#include "host/plugins/loader.hpp"

namespace op2::core {

namespace {

// scores: what every candidate said, for the log. `but`: who is no candidate.
std::string best(Registry &registry, int kind, std::string &scores, const std::string &but = "") {
  std::string name;
  int highest = 0;
  for (const std::string &candidate : registry.names(kind)) {
    if (candidate == but) continue;
    std::string why;
    const int score = registry.score(kind, candidate, &why);
    scores += text(scores.empty() ? "best of " : ", ", candidate, " ", score, why.empty() ? "" : ": ", why);
    if (score > highest) {
      highest = score;
      name = candidate;
    }
  }
  if (name.empty())
    fail(OP_ERR_BACKEND, "there is not one ", kind_name(kind), " plugin that can run here; see op2_info");
  return name;
}

void take(Registry &registry, const std::string &request, const std::string &name, Selection &selection) {
  const std::vector<int> kinds = registry.kinds_of(name);
  const auto is = [&](int kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
  if (!is(OP_PLUGIN_EXEC) && !is(OP_PLUGIN_COMM)) {
    if (kinds.empty()) registry.fail_unknown(name);
    fail(OP_ERR_BACKEND, "OP2_BACKEND='", request, "': '", name, "' is ", kind_title(kinds[0]),
         ", a back end is made of an executor and a communicator");
  }
  const int kind = is(OP_PLUGIN_EXEC) ? OP_PLUGIN_EXEC : OP_PLUGIN_COMM;
  std::string &place = kind == OP_PLUGIN_EXEC ? selection.exec : selection.comm;
  if (!place.empty())
    fail(OP_ERR_BACKEND, "OP2_BACKEND='", request, "' names two plugins of one kind: '", place, "' and '", name,
         "' are both ", kind == OP_PLUGIN_EXEC ? "executors" : "communicators");
  std::string why;
  const int score = registry.score(kind, name, &why);
  registry.get(kind, name); // refused plugins, also those that crashed just now, are reported as such, not as unable
  if (score == 0) fail(OP_ERR_BACKEND, "back end '", name, "' ", why);
  place = name;
}

} // namespace

int launched_processes() {
  for (const char *name : {"OP2_LAUNCH_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"})
    if (const char *value = std::getenv(name)) return std::max(1, std::atoi(value));
  return 1;
}

namespace {

bool is_communicator(const Registry &registry, const std::string &name) {
  const std::vector<int> kinds = registry.kinds_of(name);
  const auto is = [&](int kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
  return is(OP_PLUGIN_COMM) && !is(OP_PLUGIN_EXEC);
}

// The names of one process.
std::vector<std::string> names_in(const std::string &request, const std::string &item) {
  std::vector<std::string> names = split(item, '+');
  for (const std::string &name : names)
    if (name.empty())
      fail(OP_ERR_BACKEND, "OP2_BACKEND='", request, "' contains an empty name; write e.g. 'seq' or 'openmp'");
  return names;
}

} // namespace

Selection select_communicator(Registry &registry, const std::string &request, bool given) {
  Selection selection;
  bool automatic = false;
  const std::vector<std::string> items = split(request, ',');
  for (const std::string &item : items) {
    std::string here; // of one process; all may name the same
    for (const std::string &name : names_in(request, item)) {
      automatic = automatic || name == "auto";
      if (!is_communicator(registry, name) || (here.empty() && name == selection.comm)) continue;
      take(registry, request, name, selection);
      here = name;
    }
  }
  std::string why = "named";
  if (selection.comm.empty()) {
    if (automatic) {
      why.clear();
      selection.comm = best(registry, OP_PLUGIN_COMM, why, given ? "self" : "");
    } else if (items.size() > 1) {
      fail(OP_ERR_BACKEND, "OP2_BACKEND='", request,
           "' has executors for several processes but no communicator; write e.g. 'mpi+", request, "'");
    } else {
      selection.comm = "self";
      why = "none named";
    }
  }
  if (given && selection.comm == "self")
    fail(OP_ERR_BACKEND, "the program gives a communicator, but OP2_BACKEND='", request,
         "' lets each process run by itself (communicator self, ", why, "); write e.g. 'mpi+",
         request == "self" ? "seq" : request, "', or 'mpi+auto'");
  selection.why = text("communicator ", selection.comm, " (", why, ")");
  return selection;
}

void select_executor(Registry &registry, const std::string &request, int node_rank, Selection &selection) {
  const std::vector<std::string> items = split(request, ',');
  const std::string &item = items[std::min(static_cast<std::size_t>(node_rank), items.size() - 1)];
  bool automatic = false;
  for (const std::string &name : names_in(request, item)) {
    if (name == "auto")
      automatic = true;
    else if (!is_communicator(registry, name))
      take(registry, request, name, selection);
  }
  std::string why = "named";
  if (selection.exec.empty()) {
    why.clear();
    selection.exec = automatic ? best(registry, OP_PLUGIN_EXEC, why) : "seq";
    if (!automatic) why = "none named";
  }
  if (items.size() > 1) why += text(" for process ", node_rank, " of the node");
  selection.why = text("executor ", selection.exec, " (", why, "), ", selection.why);
}

Selection select_backend(Registry &registry, const std::string &request) {
  Selection selection = select_communicator(registry, request);
  select_executor(registry, request, 0, selection);
  return selection;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
