#include "host/select.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/error.hpp"
#include "base/text.hpp"
#include "host/loader.hpp"

namespace op2::core {

namespace {

// scores: what every candidate said, for the log.
std::string best(Registry &registry, int kind, std::string &scores) {
  std::string name;
  int highest = 0;
  for (const std::string &candidate : registry.names(kind)) {
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

void take(Registry &registry, const std::string &wish, const std::string &name, Selection &selection) {
  const std::vector<int> kinds = registry.kinds_of(name);
  const auto is = [&](int kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
  if (!is(OP_PLUGIN_EXEC) && !is(OP_PLUGIN_COMM)) {
    if (kinds.empty()) registry.fail_unknown(name);
    fail(OP_ERR_BACKEND, "OP2_BACKEND='", wish, "': '", name, "' is ", kind_title(kinds[0]),
         ", a back end is made of an executor and a communicator");
  }
  const int kind = is(OP_PLUGIN_EXEC) ? OP_PLUGIN_EXEC : OP_PLUGIN_COMM;
  std::string &place = kind == OP_PLUGIN_EXEC ? selection.exec : selection.comm;
  if (!place.empty())
    fail(OP_ERR_BACKEND, "OP2_BACKEND='", wish, "' names two plugins of one kind: '", place, "' and '", name,
         "' are both ", kind == OP_PLUGIN_EXEC ? "executors" : "communicators");
  std::string why;
  const int score = registry.score(kind, name, &why);
  registry.get(kind, name); // refused plugins, also those that crashed just now, are reported as such, not as unable
  if (score == 0) fail(OP_ERR_BACKEND, "back end '", name, "' ", why);
  place = name;
}

} // namespace

int launched_processes() {
  for (const char *name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"})
    if (const char *value = std::getenv(name)) return std::max(1, std::atoi(value));
  return 1;
}

Selection select_backend(Registry &registry, const std::string &wish) {
  Selection selection;
  bool automatic = false;
  for (const std::string &name : split(wish, '+')) {
    if (name.empty())
      fail(OP_ERR_BACKEND, "OP2_BACKEND='", wish, "' contains an empty name; write e.g. 'seq' or 'openmp'");
    if (name == "auto")
      automatic = true;
    else
      take(registry, wish, name, selection);
  }
  const auto complete = [&](std::string &name, int kind, const char *otherwise) {
    if (!name.empty()) return text(name, " (named)");
    std::string why;
    name = automatic ? best(registry, kind, why) : otherwise;
    if (!automatic) why = "none named";
    return text(name, " (", why, ")");
  };
  selection.why = "executor " + complete(selection.exec, OP_PLUGIN_EXEC, "seq");
  selection.why += ", communicator " + complete(selection.comm, OP_PLUGIN_COMM, "self");
  return selection;
}

} // namespace op2::core
