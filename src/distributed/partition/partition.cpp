#include "distributed/partition/partition.hpp"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <optional>
#include <string_view>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "distributed/partition/gathered.hpp"
#include "distributed/partition/geometric.hpp"
#include "distributed/partition/graph.hpp"
#include "distributed/partition/inherit.hpp"
#include "distributed/partition/kept_owners.hpp"
#include "distributed/partition/quality.hpp"
#include "distributed/partition/weights.hpp"

namespace op2::core {

namespace {

// Fewer elements for each process are not worth a search.
constexpr op_gindex fewest_to_divide = 16;

std::string upper(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return std::toupper(c); });
  return word;
}

bool connects(const Map &map) { return map.dim > 1 || map.from == map.to; }

double entries_of(const Map &map) {
  return static_cast<double>(static_cast<const Set *>(map.from)->global_size) * map.dim;
}

// The map with the fewest pairs that tells which elements of the set are neighbours, of those that reach most of them.
const Map *graph_map(const Mesh &mesh, const Set &set) {
  const Map *best = nullptr;
  const auto covers = [&](const Map &map) { return entries_of(map) >= static_cast<double>(set.global_size); };
  for (const auto &map : mesh.maps()) {
    if (map->to != &set || !connects(*map)) continue;
    const auto better = [&] {
      if (covers(*map) != covers(*best)) return covers(*map);
      return covers(*map) ? entries_of(*map) * map->dim < entries_of(*best) * best->dim
                          : entries_of(*map) > entries_of(*best);
    };
    if (!best || better()) best = map.get();
  }
  return best;
}

// The set whose data loops fetch most of.
const Set *busiest_set(const Mesh &mesh) {
  const Set *best = nullptr;
  double most = 0;
  for (const auto &set : mesh.sets()) {
    double row = 1, fetched = 0;
    for (const auto &dat : mesh.dats())
      if (dat->set == set.get() && !dat->freed) row += dat->size;
    for (const auto &map : mesh.maps())
      if (map->to == set.get()) fetched += entries_of(*map);
    if (graph_map(mesh, *set) && (!best || fetched * row > most)) {
      best = set.get();
      most = fetched * row;
    }
  }
  return best;
}

std::vector<double> points_of(const Dat &dat) {
  const std::size_t values = static_cast<std::size_t>(dat.set->size) * static_cast<std::size_t>(dat.dim);
  if (dat.element.id == OP_TYPE_DOUBLE) {
    const double *const first = reinterpret_cast<const double *>(dat.host.data());
    return {first, first + values};
  }
  const float *const first = reinterpret_cast<const float *>(dat.host.data());
  return {first, first + values};
}

void need_points(const PartitionRequest &request) {
  if (!request.coordinates)
    fail(OP_ERR_ARGUMENT, request.library, " ", request.routine,
         " needs coordinates: a dat with 1 to 3 values of type "
         "double or float on the set that is divided");
  const Dat &dat = *request.coordinates;
  if (dat.element.id != OP_TYPE_DOUBLE && dat.element.id != OP_TYPE_FLOAT)
    fail(OP_ERR_TYPE, "dat '", dat.label, "' has type ", dat.type_label, "; coordinates are double or float");
  if (dat.dim > 3) fail(OP_ERR_DIM, "dat '", dat.label, "' has dim ", dat.dim, "; coordinates have 1 to 3 values");
}

void need_parts(const PartitionRequest &request) {
  if (!request.coordinates)
    fail(OP_ERR_ARGUMENT, "EXTERNAL needs the part of each element: a dat of one int in place of the coordinates");
  const Dat &dat = *request.coordinates;
  if (dat.element.id != OP_TYPE_INT || dat.dim != 1)
    fail(OP_ERR_TYPE, "dat '", dat.label, "' holds ", dat.dim, " x ", dat.type_label,
         " per element; parts for EXTERNAL are one int");
}

// What is divided, as far as the request alone says it; NULL: the library looks for a set.
const Set *set_named(const PartitionRequest &request, bool by_coordinates, bool by_graph) {
  if (by_coordinates && request.coordinates) return &request.coordinates->on();
  if (by_graph && request.map) return static_cast<const Set *>(request.map->to);
  if (request.set) return request.set;
  return request.weights ? &request.weights->on() : nullptr;
}

void need_weights_of(const op_set_core *set, const Dat &dat) {
  if (set && set != dat.set)
    fail(OP_ERR_SET, "the weights '", dat.label, "' are on set '", dat.set->name, "', but set '", set->name,
         "' is divided");
}

// One number of each process.
std::vector<double> of_all(Communicator &communicator, double own) {
  std::vector<std::size_t> offset;
  for (std::size_t p = 0; p <= static_cast<std::size_t>(communicator.size()); ++p) offset.push_back(p * sizeof own);
  std::vector<double> out(static_cast<std::size_t>(communicator.size()));
  communicator.allgatherv(&own, sizeof own, out.data(), offset.data());
  return out;
}

// All rows go back to where they were declared; those that nobody has divided yet are there.
Division as_declared() {
  return {[](Mesh &mesh) { return std::vector<std::vector<int>>(mesh.sets().size()); }, false};
}

std::vector<int> external_parts(const Dat &dat, int processes) {
  const int *const first = reinterpret_cast<const int *>(dat.host.data());
  std::vector<int> part(first, first + dat.set->size);
  for (std::size_t i = 0; i < part.size(); ++i)
    if (part[i] < 0 || part[i] >= processes)
      fail(OP_ERR_RANGE, "dat '", dat.label, "' gives element ", dat.on().global[i], " to process ", part[i],
           "; there are processes 0 to ", processes - 1);
  return part;
}

} // namespace

bool Partitioning::usable(const std::string &plugin) const {
  try {
    return registry_.score(OP_PLUGIN_PART, plugin, nullptr) > 0 && Partitioner(registry_, services_, plugin).divides();
  } catch (const Error &) { // not installed, or it does not work here
    return false;
  }
}

// Some divide graphs by messages of MPI; one process alone can do what the others send it.
std::string Partitioning::graph_plugin(const std::string &wanted, bool connected_by_mpi) const {
  const std::string alone = "scotch";
  if (wanted == alone && usable(alone)) return alone;
  if (connected_by_mpi)
    for (const std::string &name : {wanted, std::string("ptscotch"), std::string("parmetis")})
      if (!name.empty() && name != alone && usable(name)) return name;
  return usable(alone) ? alone : "";
}

void Partitioning::instead(const std::string &wanted, const std::string &used) const {
  if (settings_.get("OP2_FALLBACK") == "strict")
    fail(OP_ERR_BACKEND, "there is no partitioner ", wanted,
         " here (OP2_FALLBACK=strict forbids another one); it could be ", used);
  log_.write(OP_LOG_WARN, text("op_partition(): there is no partitioner ", wanted, " here; ", used, " is used"));
}

// Names that nobody knows are those of partitioners of graphs that are not here.
Partitioning::Method Partitioning::method_of(const PartitionRequest &request) {
  const std::string library = upper(request.library);
  if (library.empty() || library == "BLOCK" || library == "OFF") return Method::block;
  if (library == "RANDOM") return Method::random;
  if (library == "EXTERNAL") return Method::external;
  if (library == "INERTIAL") return Method::inertial;
  if (library == "HILBERT") return Method::hilbert;
  const bool by_points = library == "PARMETIS" && upper(request.routine) == "GEOM";
  return library == "RCB" || library == "GEOM" || by_points ? Method::rcb : Method::graph;
}

Partitioning::Choice Partitioning::choose(const PartitionRequest &request, bool connected_by_mpi) const {
  const Method method = method_of(request);
  if (method != Method::graph) return {method, "", method != Method::block && method != Method::random};
  const std::string library = upper(request.library), routine = upper(request.routine);
  const bool known = library == "PTSCOTCH" || library == "PARMETIS" || library == "SCOTCH" || library == "AUTO";
  std::string wanted = library == "PTSCOTCH"   ? "ptscotch"
                       : library == "PARMETIS" ? "parmetis"
                       : library == "SCOTCH"   ? "scotch"
                                               : "";
  const std::string plugin = graph_plugin(wanted, connected_by_mpi);
  if (!known || (!wanted.empty() && plugin != wanted))
    instead(request.library, plugin.empty() ? "division in blocks" : plugin);
  if (plugin.empty()) {
    if (library == "AUTO") log_.write(OP_LOG_INFO, "no partitioner of graphs is there; sets stay in blocks");
    return {};
  }
  return {Method::graph, plugin, routine == "GEOMKWAY"};
}

// Without loading any plugin: one process does not need them.
void Partitioning::check(const PartitionRequest &request) const {
  const Method method = method_of(request);
  if (request.weights) need_weights(*request.weights);
  if (method == Method::external && request.weights)
    fail(OP_ERR_ARGUMENT, "EXTERNAL takes no weights: the parts are given");
  if (method == Method::external) return need_parts(request);
  const bool by_points = method == Method::rcb || method == Method::hilbert || method == Method::inertial;
  const bool graph_and_points = method == Method::graph && upper(request.routine) == "GEOMKWAY";
  if (by_points || graph_and_points) need_points(request);
  if (graph_and_points && request.map && request.map->to != request.coordinates->set)
    fail(OP_ERR_SET, "map '", request.map->label, "' tells the neighbours of set '", request.map->to->name,
         "', but the coordinates '", request.coordinates->label, "' are of set '", request.coordinates->set->name,
         "'; both must be of the set that is divided");
  if (request.weights && method != Method::block)
    need_weights_of(set_named(request, by_points || graph_and_points, method == Method::graph), *request.weights);
  if (method == Method::graph && request.map && !connects(*request.map))
    fail(OP_ERR_DIM, "map '", request.map->label, "' has one column, so no two elements of set '",
         request.map->to->name, "' are neighbours through it; take a map with two columns or more");
}

PartitionRequest Partitioning::automatic() const {
  PartitionRequest request;
  request.library = settings_.get("OP2_PARTITION");
  const Method method = method_of(request);
  if (method == Method::graph || method == Method::block || method == Method::random) return request;
  const std::string why = text("OP2_PARTITION=", request.library, " needs a dat that only op_partition() can name");
  if (settings_.get("OP2_FALLBACK") == "strict") fail(OP_ERR_ARGUMENT, why);
  log_.write(OP_LOG_WARN, text(why, "; AUTO is used"));
  request.library = "AUTO";
  return request;
}

void Partitioning::check_shares(int processes) const {
  const std::string &request = settings_.get("OP2_PARTITION_WEIGHTS");
  if (request != "auto" && request != "equal" && request != "measured" && !share_with_gpu(request))
    shares_from_text(request, processes > 1 ? processes : 0);
}

std::vector<double> Partitioning::measured(Mesh &mesh) {
  if (!shares_measured_.empty()) return shares_measured_;
  Communicator &communicator = mesh.communicator();
  double own = 0;
  try {
    own = speed_ ? speed_() : 1;
  } catch (const std::exception &thrown) { // nobody measures such executors; all shares are the same then
    log_.write(OP_LOG_WARN, text("the speed of this process cannot be measured, so all processes get equal shares: ",
                                 thrown.what()));
  }
  const std::vector<double> speeds = of_all(communicator, own);
  shares_measured_ = shares_from_speeds(speeds);
  log_.write(OP_LOG_INFO, text("measured speeds, elements per second: ", listing_of(speeds)));
  return shares_measured_;
}

PartShares Partitioning::shares(Mesh &mesh, const PartitionRequest &request, bool may_measure) {
  const std::string &setting = settings_.get("OP2_PARTITION_WEIGHTS");
  std::vector<double> out(static_cast<std::size_t>(mesh.communicator().size()), 1.0);
  std::string from = "the program";
  if (!request.shares.empty()) {
    out = request.shares;
  } else if (setting == "measured") {
    out = measured(mesh);
    from = "OP2_PARTITION_WEIGHTS=measured";
  } else if (setting == "auto") { // where processes are not alike
    const Executor &own = mesh.executor();
    const std::uint64_t kind = Hash().add(own.name()).add(static_cast<std::uint64_t>(own.caps().concurrency)).value();
    if (may_measure && !mesh.agreement().agree("shares of the processes", kind)) out = measured(mesh);
    from = "measured, since processes have other executors or numbers of threads than others";
  } else if (const std::optional<double> gpu = share_with_gpu(setting)) {
    out = of_all(mesh.communicator(), mesh.executor().caps().separate_memory ? *gpu : 1.0);
    if (std::accumulate(out.begin(), out.end(), 0.0) == 0)
      fail_on_all(OP_ERR_ARGUMENT, "OP2_PARTITION_WEIGHTS='", setting,
                  "' gives no process a share: all of them have GPUs");
    from = "OP2_PARTITION_WEIGHTS";
  } else if (setting != "equal") {
    out = shares_from_text(setting, mesh.communicator().size());
    from = "OP2_PARTITION_WEIGHTS";
  }
  PartShares shares = shares_of(std::move(out));
  if (!shares.requested().empty())
    log_.write(OP_LOG_INFO, text("shares of the processes: ", listing_of(shares.requested()), " (", from, ")"));
  return shares;
}

// With the set and the map. Blocks where there is nothing better.
Partitioning::Choice Partitioning::choose(const Mesh &mesh, const PartitionRequest &request) const {
  std::int64_t handle = 0;
  Choice choice = choose(request, mesh.communicator().native(0, handle));
  const Method asked = method_of(request);
  choice.searched = asked != Method::block && asked != Method::external;
  if (choice.method == Method::block) {
    choice.set = request.weights ? &request.weights->on() : nullptr;
    return choice;
  }
  const Map *map = request.map;
  const Set *set = set_named(request, choice.with_coordinates, choice.method == Method::graph);
  if (!set) set = busiest_set(mesh);
  if (set && choice.method == Method::graph && !map) map = graph_map(mesh, *set);
  choice.set = set;
  choice.map = map;
  if (!set || (choice.method == Method::graph && !map)) {
    const std::string why = "no map tells which elements are neighbours: sets stay in blocks";
    if (request.asked && settings_.get("OP2_FALLBACK") == "strict")
      fail(OP_ERR_ARGUMENT, request.library, " ", request.routine,
           " divides by a map with two columns or more, and there is none",
           "; without OP2_FALLBACK=strict sets would stay in blocks");
    log_.write(request.asked ? OP_LOG_WARN : OP_LOG_INFO, text(request.asked ? "op_partition(): " : "", why));
    choice = {};
  } else if (upper(request.library) == "AUTO" && set->global_size < fewest_to_divide * mesh.communicator().size()) {
    choice = {};
    choice.searched = false;
  }
  if (request.weights && choice.method == Method::block) choice.set = &request.weights->on();
  return choice;
}

Division Partitioning::division(Mesh &mesh, const PartitionRequest &request) {
  last_ = request;
  const Choice choice = mesh.agreement().together("the choice of a partitioner", [&] { return choose(mesh, request); });
  mesh.agreement().agree(text("partitioner '", choice.plugin, "'"));
  const PartShares wanted = shares(mesh, request, choice.searched);
  if (choice.method == Method::block && wanted.requested().empty() && !request.weights)
    return request.asked ? as_declared() : Division();
  const auto choose_owners = [=, this](Mesh &all) {
    std::vector<std::vector<int>> owner(all.sets().size());
    std::vector<bool> done(all.sets().size(), false);
    const double start = now();
    const std::string name = name_of_division(all, request, choice.plugin, wanted);
    if (take_kept(all, name, owner)) {
      log_.write(OP_LOG_INFO, text("divided in ", fixed(now() - start, 3), " s, as an earlier run has found"));
      return owner;
    }
    if (choice.set) {
      const std::size_t primary = static_cast<std::size_t>(choice.set->index);
      owner[primary] = divide(all, choice, request, wanted);
      done[primary] = true;
    }
    const std::string others = inherit_owners(all, owner, done, wanted);
    log_.write(OP_LOG_INFO, text(choice.set ? text("set '", choice.set->label, "' ") : "", "divided in ",
                                 fixed(now() - start, 3), " s; ", others));
    keep_owners(all, name, owner);
    return owner;
  };
  return {choose_owners, choice.set != nullptr};
}

std::vector<int> Partitioning::divide(Mesh &mesh, const Choice &choice, const PartitionRequest &request,
                                      const PartShares &shares) const {
  Communicator &communicator = mesh.communicator();
  const Set &set = *choice.set;
  if (request.weights) need_weights_of(&set, *request.weights);
  const std::vector<int> weight = request.weights ? element_weights(mesh, *request.weights) : std::vector<int>();
  const auto by_points = [&](auto &&method) {
    return method(communicator, points_of(*request.coordinates), request.coordinates->dim, shares, weight);
  };
  if (choice.method == Method::graph) return divide_graph(mesh, choice, request, shares, weight);
  std::vector<int> part;
  if (choice.method == Method::random)
    part =
        part_random(communicator, std::vector<std::int64_t>(set.global.begin(), set.global.end()), 1, shares, weight);
  else if (choice.method == Method::external)
    part = mesh.agreement().together("op_partition() with parts from outside",
                                     [&] { return external_parts(*request.coordinates, communicator.size()); });
  else if (choice.method == Method::block)
    part = part_block(communicator, static_cast<std::size_t>(set.size), shares, weight);
  else
    part = by_points(choice.method == Method::rcb       ? part_rcb
                     : choice.method == Method::hilbert ? part_hilbert
                                                        : part_inertial);
  tell_balance(communicator, part, weight, shares);
  return part;
}

const Set *Partitioning::set_to_divide(const Mesh &mesh) const {
  const bool by_points = coordinates_to_divide_by() != nullptr;
  const Set *const named = set_named(last_, by_points, method_of(last_) == Method::graph);
  return named ? named : busiest_set(mesh);
}

Dat *Partitioning::coordinates_to_divide_by() const {
  const Method method = method_of(last_);
  const bool by_points = method == Method::rcb || method == Method::hilbert || method == Method::inertial;
  return by_points && last_.coordinates && !last_.coordinates->freed ? last_.coordinates : nullptr;
}

std::vector<int> Partitioning::parts_by_work(Mesh &mesh, const Set &set, const ElementPoints &points,
                                             const PartShares &shares, const std::vector<int> &weight) const {
  Communicator &communicator = mesh.communicator();
  const Method before = method_of(last_);
  const Map *const map = graph_map(mesh, set);
  std::int64_t handle = 0;
  std::string plugin;
  if (points.dim == 0 && map && before != Method::block) plugin = graph_plugin("", communicator.native(0, handle));
  mesh.agreement().agree(text("partitioner '", plugin, "'"));
  std::vector<int> part;
  if (points.dim > 0)
    part = (before == Method::rcb        ? part_rcb
            : before == Method::inertial ? part_inertial
                                         : part_hilbert)(communicator, points.of, points.dim, shares, weight);
  else if (!plugin.empty())
    part = divide_graph(mesh, {Method::graph, plugin, false, &set, map}, {}, shares, weight);
  else
    part = part_block(communicator, static_cast<std::size_t>(set.size), shares, weight);
  if (shares.requested().empty()) keep_places(communicator, part);
  return part;
}

std::vector<int> Partitioning::divide_graph(Mesh &mesh, const Choice &choice, const PartitionRequest &request,
                                            const PartShares &shares, const std::vector<int> &weight) const {
  Communicator &communicator = mesh.communicator();
  const DistributedGraph arrays = graph_of_targets(mesh, *choice.map);
  PartGraph graph{arrays.vertex_offset, arrays.edge_offset, arrays.edges, weight, {}, 0};
  std::vector<double> points;
  if (choice.with_coordinates && request.coordinates && request.coordinates->set == choice.set) {
    points = points_of(*request.coordinates);
    graph.coordinates = points;
    graph.dim = request.coordinates->dim;
  }
  std::vector<int> part;
  try {
    part = divide_anywhere(communicator, choice, graph, shares);
  } catch (const Error &error) { // the same on all processes, e.g. when they are connected by another MPI library
    if (error.code != OP_ERR_UNSUPPORTED || settings_.get("OP2_FALLBACK") == "strict") throw;
    log_.write(OP_LOG_WARN, text("op_partition(): ", error.what(), "; set '", choice.set->label, "' stays in blocks"));
    return part_block(communicator, static_cast<std::size_t>(choice.set->size), shares, weight);
  }
  // Process 0 alone may want to write it, but all of them have to measure.
  if (communicator.max(log_.wants(OP_LOG_INFO)) > 0)
    log_.write(OP_LOG_INFO, text("partitioner ", choice.plugin, ", set '", choice.set->label, "' by map '",
                                 choice.map->label, "': ", part_quality(communicator, graph, part, shares).summary()));
  return part;
}

// Some partitioners take graphs of one process only.
std::vector<int> Partitioning::divide_anywhere(Communicator &communicator, const Choice &choice, const PartGraph &graph,
                                               const PartShares &shares) const {
  const Partitioner partitioner(registry_, services_, choice.plugin);
  try {
    return partitioner.divide(communicator, graph, shares);
  } catch (const Error &error) { // the same on all processes
    if (error.code != OP_ERR_UNSUPPORTED || !partitioner.divides_here()) throw;
  }
  log_.write(OP_LOG_INFO, text("partitioner ", choice.plugin, " divides graphs of one process: that of set '",
                               choice.set->label, "' is gathered on process 0"));
  return divide_gathered(communicator, partitioner, graph, shares);
}

void Partitioning::tell_balance(Communicator &communicator, const std::vector<int> &part,
                                const std::vector<int> &weight, const PartShares &shares) const {
  if (communicator.max(log_.wants(OP_LOG_INFO)) <= 0) return;
  log_.write(OP_LOG_INFO, text("imbalance ", fixed(part_imbalance(communicator, weight, part, shares), 3),
                               shares.requested().empty() ? "" : " of the parts relative to their shares"));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
