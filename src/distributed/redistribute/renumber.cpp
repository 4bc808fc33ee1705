#include "distributed/redistribute/renumber.hpp"

#include <algorithm>
#include <optional>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "distributed/redistribute/distribute.hpp"

namespace op2::core {

namespace {

// Smaller sets stay in caches in any order.
constexpr int smallest_large_set = 20000;
// A loop that fetches rows so many times as often as it needs to is slow for it. Orders that follow the mesh reach 1 to
// 5: the latter when the faces of a 3-D mesh are listed direction by direction.
constexpr double bad_ratio = 6;
// A new order must be better by this factor to be worth the change.
constexpr double least_gain = 2;

// Of the rows this process owns; what they lead to may be copies of other processes' rows.
OrderMap view(const Map &map) { return {map.table.data(), map.dim, map.from->size, map.target().rows()}; }

std::size_t number(const op_set_core *set) { return static_cast<std::size_t>(set->index); }

double entries(const Map &map) { return static_cast<double>(map.source().size) * map.dim; }

// Two columns make an edge of two targets; a map to its own set, of each element and one target.
bool makes_graph(const Map &map) {
  return map.target().rows() > 0 && map.from->size > 0 && (map.dim > 1 || map.from == map.to);
}

// Does the map lead to about all of its targets? Boundary conditions do not.
bool covers(const Map &map) { return entries(map) >= static_cast<double>(map.to->size); }

double cost_of_graph(const Map &map) { return map.dim == 2 ? entries(map) : entries(map) * map.dim; }

// The cheapest map that tells which elements of the set are neighbours, or one that tells it of most of them.
const Map *best_graph(const Mesh &mesh, const Set &set) {
  const Map *best = nullptr;
  for (const auto &map : mesh.maps()) {
    if (map->to != &set || !makes_graph(*map)) continue;
    const auto better = [&] {
      if (covers(*map) != covers(*best)) return covers(*map);
      return covers(*map) ? cost_of_graph(*map) < cost_of_graph(*best) : entries(*map) > entries(*best);
    };
    if (!best || better()) best = map.get();
  }
  return best;
}

// Bytes that loops fetch from a set through maps, if each loop used all of its data.
double traffic(const Mesh &mesh, const Set &set) {
  double row = 1, fetched = 0;
  for (const auto &dat : mesh.dats())
    if (dat->set == &set && !dat->freed) row += dat->size;
  for (const auto &map : mesh.maps())
    if (map->to == &set) fetched += entries(*map);
  return fetched * row;
}

// An element of a map to its own set is a neighbour of its targets.
std::vector<int> with_own_column(const Map &map) {
  std::vector<int> table;
  table.reserve(map.table.size() + static_cast<std::size_t>(map.from->size));
  for (int n = 0; n < map.from->size; ++n) {
    table.push_back(n);
    const auto row = map.table.begin() + static_cast<std::ptrdiff_t>(n) * map.dim;
    table.insert(table.end(), row, row + map.dim);
  }
  return table;
}

// The orders of all sets, while they are worked out.
class Orders {
 public:
  Orders(const Mesh &mesh, const RenumberRequest &request)
      : mesh_(mesh),
        request_(request),
        order_(mesh.sets().size()),
        place_(mesh.sets().size()),
        generation_(mesh.sets().size(), none) {}

  // Of owned rows, or of copies too; these have places behind all others.
  void take(const Set &set, std::vector<int> order, int generation) {
    const std::size_t s = number(&set);
    std::erase_if(order, [&](int row) { return row >= set.size; });
    std::vector<int> all = order;
    for (int row = set.size; row < set.rows(); ++row) all.push_back(row);
    place_[s] = inverse(all);
    order_[s] = std::move(order);
    generation_[s] = generation;
  }

  void take_graph(const Map &map) {
    const Set &set = *mesh_.sets()[number(map.to)];
    std::vector<int> extended;
    OrderMap graph = view(map);
    if (map.from == map.to) {
      extended = with_own_column(map);
      graph = {extended.data(), map.dim + 1, graph.from, graph.to};
    }
    take(set, request_.order ? request_.order(graph) : reverse_cuthill_mckee(graph), 0);
    say(set, text("by ", request_.method, " through map '", map.label, "'"));
  }

  void take_curve(Dat &dat) {
    const std::size_t values = static_cast<std::size_t>(dat.set->size) * static_cast<std::size_t>(dat.dim);
    std::vector<double> points(values);
    if (dat.element.id == OP_TYPE_FLOAT)
      std::copy_n(reinterpret_cast<const float *>(dat.host.data()), values, points.begin());
    else
      std::copy_n(reinterpret_cast<const double *>(dat.host.data()), values, points.begin());
    const Set &set = *mesh_.sets()[number(dat.set)];
    take(set, hilbert_order(points, dat.dim), 0);
    say(set, text("along a Hilbert curve through dat '", dat.label, "'"));
  }

  // Sets that maps connect to ordered ones, nearest first, until none is left.
  void follow() {
    for (int generation = 0;; ++generation) {
      bool any = false;
      for (const auto &set : mesh_.sets())
        if (generation_[number(set.get())] == none) any = follow(*set, generation) || any;
      if (!any) return;
    }
  }

  bool has(const Set &set) const { return generation_[number(&set)] != none; }
  bool any() const { return !summary_.empty(); }
  const std::string &summary() const { return summary_; }
  std::vector<std::vector<int>> &orders() { return order_; }
  Locality locality_of(const Map &map) const {
    return locality(view(map), order_[number(map.from)], place_[number(map.to)]);
  }

 private:
  static constexpr int none = -1;

  void say(const Set &set, const std::string &how) {
    summary_ += text(summary_.empty() ? "" : ", ", "set '", set.label, "' ", how);
  }

  // Targets tell more than being a target: a set takes its order from them where it can, from the largest such map.
  bool follow(const Set &set, int generation) {
    const Map *rows = nullptr, *touched = nullptr;
    for (const auto &map : mesh_.maps()) {
      if (map->from == map->to) continue;
      if (map->from == &set && map->dim > 0 && generation_[number(map->to)] == generation)
        if (!rows || map->dim > rows->dim) rows = map.get();
      if (map->to == &set && generation_[number(map->from)] == generation)
        if (!touched || entries(*map) > entries(*touched)) touched = map.get();
    }
    if (rows)
      take(set, order_by_targets(view(*rows), place_[number(rows->to)]), generation + 1);
    else if (touched)
      take(set, order_by_first_touch(view(*touched), order_[number(touched->from)]), generation + 1);
    return rows || touched;
  }

  const Mesh &mesh_;
  const RenumberRequest &request_;
  std::vector<std::vector<int>> order_, place_;
  std::vector<int> generation_; // steps from a set that was ordered by itself
  std::string summary_;
};

// The set with the most traffic among those that have a graph and no order yet.
const Map *choose_base(const Mesh &mesh, const Orders &orders) {
  const Map *base = nullptr;
  double most = 0;
  for (const auto &set : mesh.sets()) {
    const Map *const graph = orders.has(*set) ? nullptr : best_graph(mesh, *set);
    if (!graph || (base && traffic(mesh, *set) <= most)) continue;
    base = graph;
    most = traffic(mesh, *set);
  }
  return base;
}

Orders work_out(Mesh &mesh, const RenumberRequest &request) {
  Orders orders(mesh, request);
  if (request.coordinates) {
    mesh.copies().prepare_host(*request.coordinates, OP_READ, false);
    orders.take_curve(*request.coordinates);
  } else if (request.base) {
    orders.take_graph(*request.base);
  }
  if (request.separate)
    for (const auto &set : mesh.sets())
      if (const Map *const graph = orders.has(*set) ? nullptr : best_graph(mesh, *set)) orders.take_graph(*graph);
  orders.follow();
  if (!request.base && !request.coordinates)
    while (const Map *const base = choose_base(mesh, orders)) { // once for each part of the mesh that maps connect
      orders.take_graph(*base);
      orders.follow();
    }
  return orders;
}

Locality total(const Mesh &mesh, int smallest, const Orders *orders = nullptr) {
  Locality sum;
  for (const auto &map : mesh.maps())
    if (map->to->size >= smallest) sum += orders ? orders->locality_of(*map) : locality(view(*map));
  return sum;
}

std::string summary_of(const Orders &orders, double before, double after, double seconds) {
  return text("renumbered in ", fixed(seconds, 3), " s: ", orders.summary(), ", the others follow; loops fetched rows ",
              fixed(before, 1), " times as often as needed, now ", fixed(after, 1), " times");
}

void need_host_views_closed(const Mesh &mesh) {
  for (const auto &dat : mesh.dats())
    if (!dat->freed && dat->acquired >= 0)
      fail(OP_ERR_STATE, "dat '", dat->label, "' is acquired; call op_dat_release() first");
}

TraceSpan shown(const Mesh &mesh) {
  if (!mesh.copies().trace()) return {};
  return {*mesh.copies().trace(), mesh.copies().trace()->subject(trace_lane::plans, "renumber")};
}

// With several processes each reorders the rows it owns, and all make their halos anew.
void put_in_order(Mesh &mesh, const std::vector<std::vector<int>> &orders, const DivideOptions &options) {
  if (mesh.several())
    redistribute_in_order(mesh, orders, options);
  else
    mesh.numbering().reorder(orders);
}

// What the maps of this process are like, and whether another order would be much better.
struct Finding {
  bool large = false; // there is enough to tell
  std::optional<Orders> orders;
  double before = 1, after = 1;
};

Finding look(Mesh &mesh) {
  Finding found;
  found.large = std::any_of(mesh.maps().begin(), mesh.maps().end(),
                            [](const auto &map) { return map->to->size >= smallest_large_set; });
  found.before = found.after = total(mesh, smallest_large_set).ratio();
  if (!found.large || found.before < bad_ratio) return found;
  const TraceSpan span = shown(mesh);
  Orders orders = work_out(mesh, {});
  if (orders.any()) found.after = total(mesh, smallest_large_set, &orders).ratio();
  if (found.after * least_gain <= found.before) found.orders.emplace(std::move(orders));
  return found;
}

} // namespace

RenumberResult renumber(Mesh &mesh, const RenumberRequest &request, const DivideOptions &options) {
  need_host_views_closed(mesh);
  const TraceSpan span = shown(mesh);
  const double start = now();
  Orders orders = work_out(mesh, request);
  if (mesh.communicator().max(orders.any()) == 0)
    return {false, "there is no map that tells which elements are neighbours: nothing to renumber"};
  const double before = total(mesh, 0).ratio();
  const double after = total(mesh, 0, &orders).ratio();
  put_in_order(mesh, orders.orders(), options);
  return {true, summary_of(orders, before, after, now() - start)};
}

AutomaticResult renumber_if_bad(Mesh &mesh, const DivideOptions &options) {
  AutomaticResult result;
  if (mesh.objects().has_reductions() &&
      !mesh.several()) { // several processes have no order that a program could rely on
    result.settled = true;
    result.summary = "the program has reductions of its own, which may depend on the order of the elements";
    return result;
  }
  const double start = now();
  Finding found = look(mesh);
  result.settled = mesh.communicator().max(found.large) > 0;
  result.changed = mesh.communicator().max(found.orders.has_value()) > 0;
  if (result.changed)
    put_in_order(mesh, found.orders ? found.orders->orders() : std::vector<std::vector<int>>(mesh.sets().size()),
                 options);
  if (found.orders)
    result.summary = summary_of(*found.orders, found.before, found.after, now() - start);
  else if (found.before < bad_ratio)
    result.summary =
        text("the order of the mesh is good: loops fetch rows ", fixed(found.before, 1), " times as often as needed");
  else
    result.summary = text("loops fetch rows ", fixed(found.before, 1),
                          " times as often as needed, but no order was found that is much better (",
                          fixed(found.after, 1), " times); the mesh stays as it is");
  return result;
}

void restore_declared_order(Mesh &mesh) {
  std::vector<std::vector<int>> orders;
  for (const auto &set : mesh.sets()) orders.push_back(set->place);
  mesh.numbering().reorder(orders);
}

} // namespace op2::core
