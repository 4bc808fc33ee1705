#include "distributed/redistribute/renumber.hpp"

#include <algorithm>
#include <optional>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "distributed/redistribute/distribute.hpp"
#include "host/kept/kept_findings.hpp"

namespace op2::core {

namespace {

// Smaller sets stay in caches in any order.
constexpr int smallest_large_set = 20000;
// What costs as much as bytes that come from memory in their order, so that the choice is the same in every run and on
// every machine. Measured on 14 meshes in 17 orders: a jump took 55 to 67 ns, renumbering 60 ns for each entry of a
// map, and memory gave 16 GB/s.
constexpr double bytes_of_jump = 1000, bytes_of_renumbered_entry = 1000;
// Of a row that lanes gather or scatter instead of loading or storing it as it lies.
constexpr double part_of_gathered = 0.5;
constexpr double passes = 100; // of loops through each map, which a program is taken to make
constexpr int bytes_of_line = 64;

// Of the rows this process owns; what they lead to may be copies of other processes' rows.
OrderMap view(const Map &map) { return {map.table.data(), map.dim, map.from->size, map.target().rows()}; }

std::size_t number(const op_set_core *set) { return static_cast<std::size_t>(set->index); }

double entries(const Map &map) { return static_cast<double>(map.source().size) * map.dim; }

// Two columns make an edge of two targets; a map to its own set, of each element and one target.
bool makes_graph(const Map &map) {
  return map.target().rows() > 0 && map.from->size > 0 && (map.dim > 1 || map.from == map.to);
}

// Does the map lead to about all of its targets? Boundary conditions do not, even where they have as many entries.
bool covers(const Map &map) {
  constexpr double most_of_them = 0.9;
  if (entries(map) < most_of_them * map.to->size) return false;
  std::vector<bool> met(static_cast<std::size_t>(map.target().rows()));
  for (std::ptrdiff_t n = 0; n < std::ptrdiff_t{map.from->size} * map.dim; ++n)
    met[static_cast<std::size_t>(map.table[static_cast<std::size_t>(n)])] = true;
  return static_cast<double>(std::count(met.begin(), met.end(), true)) >= most_of_them * map.to->size;
}

double cost_of_graph(const Map &map) { return map.dim == 2 ? entries(map) : entries(map) * map.dim; }

// The cheapest map that tells which elements of the set are neighbours, or one that tells it of most of them.
const Map *best_graph(const Mesh &mesh, const Set &set) {
  const Map *best = nullptr;
  bool best_covers = false;
  for (const auto &map : mesh.maps()) {
    if (map->to != &set || !makes_graph(*map)) continue;
    const bool all = covers(*map);
    const auto better = [&] {
      if (all != best_covers) return all;
      return all ? cost_of_graph(*map) < cost_of_graph(*best) : entries(*map) > entries(*best);
    };
    if (best && !better()) continue;
    best = map.get();
    best_covers = all;
  }
  return best;
}

// Bytes of an element's rows, of all dats on the set together and of the largest one.
struct RowBytes {
  int all = 1, largest = 1;
  int rows_per_line() const { return std::max(bytes_of_line / largest, 1); }
};
RowBytes row_bytes(const Mesh &mesh, const op_set_core *set) {
  RowBytes out;
  for (const auto &dat : mesh.dats())
    if (dat->set == set && !dat->freed) out.all += dat->size, out.largest = std::max(out.largest, dat->size);
  return out;
}

// Bytes that loops fetch from a set through maps, if each loop used all of its data.
double traffic(const Mesh &mesh, const Set &set) {
  double fetched = 0;
  for (const auto &map : mesh.maps())
    if (map->to == &set) fetched += entries(*map);
  return fetched * row_bytes(mesh, &set).all;
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

  // The same as bytes, for later runs. False: these are no orders of this mesh.
  std::string bytes() const {
    std::string out;
    add_array(out, std::vector<char>(summary_.begin(), summary_.end()));
    for (const std::vector<int> &order : order_) add_array(out, order);
    return out;
  }
  bool take_all(std::string_view bytes) {
    std::vector<char> summary;
    if (!take_array(bytes, summary)) return false;
    for (const auto &set : mesh_.sets()) {
      std::vector<int> order;
      if (!take_array(bytes, order)) return false;
      if (!order.empty()) take(*set, std::move(order), 0);
    }
    summary_ = text(std::string(summary.begin(), summary.end()), ", as an earlier run has found");
    return bytes.empty();
  }

  bool has(const Set &set) const { return generation_[number(&set)] != none; }
  bool any() const { return !summary_.empty(); }
  const std::string &summary() const { return summary_; }
  std::vector<std::vector<int>> &orders() { return order_; }
  Locality locality_of(const Map &map, int rows_per_line) const {
    return locality(view(map), order_[number(map.from)], place_[number(map.to)], rows_per_line);
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

Orders work_out_anew(Mesh &mesh, const RenumberRequest &request) {
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

// All that determines the orders. "": they are not kept.
std::string name_of_orders(Mesh &mesh, const RenumberRequest &request) {
  KeptFindings &kept = *mesh.kept();
  std::string name = text("orders by ", request.method, request.separate ? " for each set" : "", ", map ",
                          request.base ? request.base->index : -1);
  if (request.coordinates) {
    mesh.copies().prepare_host(*request.coordinates, OP_READ, false);
    name += text(", dat ", request.coordinates->index, " ",
                 quick_digest(request.coordinates->host.data(), request.coordinates->own_bytes()));
  }
  bool large = false;
  for (const auto &set : mesh.sets()) {
    name += text("; set of ", set->size, " and ", set->copies, ", bytes ", row_bytes(mesh, set.get()).all);
    large = large || set->size >= smallest_kept;
  }
  for (const auto &map : mesh.maps()) {
    if (map->version() < 0) return {};
    name += text("; map ", map->from->index, " to ", map->to->index, ", dim ", map->dim, " ",
                 kept.digest(map->index, map->version(), map->table));
  }
  return large ? name : "";
}

// Or what an earlier run has found.
Orders work_out(Mesh &mesh, const RenumberRequest &request) {
  const std::string name = mesh.kept() ? name_of_orders(mesh, request) : "";
  if (name.empty()) return work_out_anew(mesh, request);
  if (const std::optional<std::string> kept = mesh.kept()->find(name)) {
    Orders orders(mesh, request);
    if (orders.take_all(*kept)) return orders;
  }
  Orders orders = work_out_anew(mesh, request);
  mesh.kept()->keep(name, orders.bytes());
  return orders;
}

// A pass of loops through all maps to sets of some size that use all data there.
struct Pass {
  Locality locality;
  double entries = 0;
  double bytes = 0;      // that cost as much
  double could_save = 0; // of them, at most, in another order
};

Pass pass_through(const Mesh &mesh, int smallest, const Orders *orders = nullptr) {
  Pass sum;
  for (const auto &map : mesh.maps()) {
    if (map->to->size < smallest) continue;
    const RowBytes row = row_bytes(mesh, map->to);
    const Locality one =
        orders ? orders->locality_of(*map, row.rows_per_line()) : locality(view(*map), {}, {}, row.rows_per_line());
    const double waits = bytes_of_jump * one.jumps;
    const double gathered = part_of_gathered * (entries(*map) - map->dim * one.side_by_side);
    sum.locality += one;
    sum.entries += entries(*map);
    sum.bytes += row.all * (one.fetched + gathered) + waits;
    sum.could_save += row.all * std::max(one.fetched - one.needed, 0.0) + waits;
  }
  return sum;
}

std::string figures(const Pass &pass) {
  return text(fixed(pass.locality.ratio(), 1), " times as often as needed with a jump at ",
              fixed(100 * pass.locality.jumps / std::max(pass.entries, 1.0), 1), " % of the entries");
}

std::string summary_of(const Orders &orders, const Pass &before, const Pass &after, double seconds) {
  return text("renumbered in ", fixed(seconds, 3), " s: ", orders.summary(), ", the others follow; loops fetched rows ",
              figures(before), ", now ", figures(after));
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

// What the maps of this process are like, and another order if it pays.
struct Finding {
  bool large = false; // there is enough to tell
  std::optional<Orders> orders;
  Pass before, after;
  std::string why_not; // it does not pay
};

// Bytes that cost as much as the change.
double price(const Mesh &mesh) {
  double out = 0;
  for (const auto &map : mesh.maps()) out += bytes_of_renumbered_entry * entries(*map);
  return out;
}

std::string too_dear(double price, const char *saves, double saved) {
  const std::string begin = text("; another order ", saves, " ", fixed(std::max(saved, 0.0) / 1e6, 1), " MB a pass");
  return saved > 0 ? text(begin, " and pays after ", fixed(price / saved, 0), " passes") : begin;
}

Finding look(Mesh &mesh) {
  Finding found;
  found.large = std::any_of(mesh.maps().begin(), mesh.maps().end(),
                            [](const auto &map) { return map->to->size >= smallest_large_set; });
  if (!found.large) return found;
  found.before = pass_through(mesh, smallest_large_set);
  const double cost = price(mesh);
  if (passes * found.before.could_save <= cost) {
    found.why_not = too_dear(cost, "saves at most", found.before.could_save);
    return found;
  }
  const TraceSpan span = shown(mesh);
  Orders orders = work_out(mesh, {});
  if (!orders.any()) {
    found.why_not = "; no map tells which elements are neighbours";
    return found;
  }
  found.after = pass_through(mesh, smallest_large_set, &orders);
  const double saved = found.before.bytes - found.after.bytes;
  if (passes * saved > cost)
    found.orders.emplace(std::move(orders));
  else
    found.why_not = too_dear(cost, "saves", saved);
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
  const Pass before = pass_through(mesh, 0), after = pass_through(mesh, 0, &orders);
  put_in_order(mesh, orders.orders(), options);
  return {true, summary_of(orders, before, after, now() - start)};
}

AutomaticResult renumber_if_it_pays(Mesh &mesh, const DivideOptions &options) {
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
  else
    result.summary = text("the mesh stays in its order: loops fetch rows ", figures(found.before), found.why_not);
  return result;
}

void restore_declared_order(Mesh &mesh) {
  std::vector<std::vector<int>> orders;
  for (const auto &set : mesh.sets()) orders.push_back(set->place);
  mesh.numbering().reorder(orders);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
