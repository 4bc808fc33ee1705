#include "loop/engine/rebalance.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "distributed/all_or_none.hpp"
#include "distributed/partition/inherit.hpp"
#include "distributed/partition/quality.hpp"
#include "distributed/partition/weights.hpp"
#include "distributed/redistribute/distribute.hpp"
#include "mesh/particles.hpp"
#include "op2/particles.h"

namespace op2::core {

namespace {

constexpr double balanced = 1.02; // less than partitioners promise

// Adds the seconds of each element of a set to the elements that the map leads to; what leads to copies of others' rows
// is shared out.
void add_to_targets(const Map &map, const std::vector<double> &seconds, std::vector<double> &out) {
  const std::size_t dim = static_cast<std::size_t>(map.dim);
  double sum = 0, given = 0;
  std::vector<double> shares(out.size(), 0);
  for (std::size_t n = 0; n < seconds.size(); ++n) {
    sum += seconds[n];
    for (std::size_t c = 0; c < dim; ++c)
      if (const auto row = static_cast<std::size_t>(map.table[n * dim + c]); row < out.size()) {
        shares[row] += seconds[n];
        given += seconds[n];
      }
  }
  for (std::size_t row = 0; row < out.size(); ++row)
    out[row] += given > 0 ? shares[row] * (sum / given) : sum / static_cast<double>(out.size());
}

// The map along which work of a set goes to another set; NULL: there is none.
const Map *map_between(const Mesh &mesh, const Set &from, const Set &to) {
  if (from.particles) return from.particles->cells == &to ? from.particles->in : nullptr;
  for (const auto &map : mesh.maps())
    if (map->from == &from && map->to == &to) return map.get();
  return nullptr;
}

} // namespace

void Rebalance::check(const RepartitionRequest &request) const {
  PartitionRequest by_points;
  by_points.library = "HILBERT";
  by_points.coordinates = request.coordinates;
  if (request.coordinates) partitioning_.check(by_points);
  for (const auto &set : mesh_.objects().particle_sets()) {
    if (set->particles->moving)
      fail(OP_ERR_STATE, "particles '", set->label, "' are on their way; let them arrive first (op_move_particles)");
    need_released(*set);
  }
  if (request.weights) {
    need_weights(*request.weights);
    const Set &set = request.weights->on();
    if (request.coordinates && request.coordinates->set != &set && !map_between(mesh_, set, request.coordinates->on()))
      fail(OP_ERR_SET, "the coordinates '", request.coordinates->label, "' are on set '",
           request.coordinates->set->name, "', but set '", set.label,
           "' is divided, and no map leads from it to that set");
    return;
  }
  if (!mesh_.several()) return;
  if (!engine_.measures_elements())
    fail(OP_ERR_UNSUPPORTED, "nobody measures the time of elements: OP2_TIMING=off says so, or executor ",
         mesh_.executor().name(), " runs loops after their calls; give the work of each element as weights");
}

const Set &Rebalance::set_of(const RepartitionRequest &request) const {
  if (request.weights) return request.weights->on();
  const Set *set = partitioning_.set_to_divide(mesh_);
  const auto most = [](const auto &a, const auto &b) { return a->global_size < b->global_size; };
  if (!set && !mesh_.sets().empty()) set = std::ranges::max_element(mesh_.sets(), most)->get();
  const bool other = request.coordinates && set != request.coordinates->set;
  if (other && (!set || !map_between(mesh_, *set, request.coordinates->on()))) set = &request.coordinates->on();
  if (!set) fail_on_all(OP_ERR_STATE, "no set is declared that could be divided");
  return *set;
}

// The time of loops over other sets goes along maps to the set, or is the same for each element.
std::vector<double> Rebalance::measured_work(const Set &set) const {
  const std::size_t rows = static_cast<std::size_t>(set.size);
  std::vector<double> out(rows, 0.0);
  for (const LoopWork &work : engine_.stats().work().all()) {
    if (work.seconds() == 0 || rows == 0) continue;
    if (&work.set() == &set) {
      const std::vector<double> own = work.of_rows();
      for (std::size_t row = 0; row < rows; ++row) out[row] += own[row];
    } else if (const Map *const map = map_between(mesh_, work.set(), set); map && work.set().size > 0) {
      add_to_targets(*map, work.of_rows(), out);
    } else {
      for (double &seconds : out) seconds += work.seconds() / static_cast<double>(rows);
    }
  }
  return out;
}

std::vector<double> Rebalance::work_of(const Set &set, const RepartitionRequest &request) const {
  if (!request.weights) return measured_work(set);
  all_or_none(mesh_, "weights on their way to the host",
              [&] { mesh_.copies().prepare_host(*request.weights, OP_READ, false); });
  return work_in(mesh_, *request.weights);
}

Rebalance::Times Rebalance::compare_times() {
  const double own = engine_.stats().work().seconds();
  Times out{own, own};
  mesh_.communicator().allreduce(&out.slowest, 1, OP_TYPE_DOUBLE, OP_COMM_MAX);
  mesh_.communicator().allreduce(&out.mean, 1, OP_TYPE_DOUBLE, OP_COMM_SUM);
  out.mean /= mesh_.communicator().size();
  lost_ += out.slowest - out.mean;
  return out;
}

// Of earlier moves, with the loops that were prepared after them; at first that of the division.
double Rebalance::cost_of_a_move() {
  const RepartitionStats done = std::as_const(engine_.stats()).repartition();
  const DivisionTimes &first = engine_.mesh_setup().division_times();
  double cost = cost_ > 0 ? cost_ : first.partition + first.move + first.halo;
  if (done.moves > 0) cost = (done.seconds + done.plan_seconds) / static_cast<double>(done.moves);
  mesh_.communicator().allreduce(&cost, 1, OP_TYPE_DOUBLE, OP_COMM_MAX);
  return cost_ = cost;
}

Repartition Rebalance::run(const RepartitionRequest &request) {
  const double start = now();
  engine_.finish_outside();
  mesh_.declare().settle();
  engine_.mesh_setup().divide();
  Repartition out;
  end_job_without_memory([&] {
    const std::vector<double> work = work_of(set_of(request), request);
    double sum = std::accumulate(work.begin(), work.end(), 0.0);
    mesh_.communicator().allreduce(&sum, 1, OP_TYPE_DOUBLE, OP_COMM_SUM);
    if (sum > 0) balance(request, work, out); // else no loop has run
  });
  engine_.stats().work().begin_anew();
  engine_.stats().work().wants_pieces = !request.weights;
  out.seconds = now() - start;
  note(out);
  return out;
}

void Rebalance::balance(const RepartitionRequest &request, const std::vector<double> &work, Repartition &out) {
  Communicator &communicator = mesh_.communicator();
  const Set &set = set_of(request);
  const std::vector<int> weight =
      whole_weights(communicator, work, request.weights && request.weights->element.id == OP_TYPE_INT);
  // Times say already how fast a process is.
  const PartShares shares =
      request.weights ? partitioning_.shares_to_divide_by(mesh_) : PartShares(communicator.size());
  const auto imbalance = [&](const std::vector<int> &part) {
    return part_imbalance(communicator, weight, part, shares);
  };
  out.before = out.after = imbalance(std::vector<int>(weight.size(), communicator.rank()));
  const Times times = compare_times();
  if (!request.always && out.before <= balanced) return;
  Dat *const coordinates = request.coordinates ? request.coordinates : partitioning_.coordinates_to_divide_by();
  ElementPoints points;
  if (coordinates && (request.coordinates || coordinates->set == &set))
    points = points_of_elements(mesh_, set, *coordinates, map_between(mesh_, set, coordinates->on()), transport_);
  const std::vector<int> part = partitioning_.parts_by_work(mesh_, set, points, shares, weight);
  const double after = imbalance(part), cost = cost_of_a_move();
  const double gain = out.before > 1 ? lost_ * (out.before - after) / (out.before - 1) : 0;
  if (request.always || (after < out.before && (gain > cost || times.slowest == 0))) {
    out.after = after;
    return move(set, part, shares, out);
  }
  log_.write(OP_LOG_INFO, text("op_repartition(): rows stay: the imbalance ", fixed(out.before, 3), " has cost ",
                               fixed(lost_, 4), " s, and a move takes ", fixed(cost, 4), " s"));
}

void Rebalance::move(const Set &set, const std::vector<int> &part, const PartShares &shares, Repartition &out) {
  Communicator &communicator = mesh_.communicator();
  const auto leaves = [own = communicator.rank()](int owner) { return owner != own; };
  if (communicator.max(std::ranges::count_if(part, leaves)) == 0) return;
  const double plans = engine_.stats().plan_seconds();
  engine_.mesh_setup().redistribute([&](Mesh &all) {
    std::vector<std::vector<int>> owner(all.sets().size());
    std::vector<bool> done(all.sets().size(), false);
    owner[static_cast<std::size_t>(set.index)] = part;
    done[static_cast<std::size_t>(set.index)] = true;
    inherit_owners(all, owner, done, shares);
    for (const std::vector<int> &of : owner) out.rows += static_cast<double>(std::ranges::count_if(of, leaves));
    return owner;
  });
  communicator.allreduce(&out.rows, 1, OP_TYPE_DOUBLE, OP_COMM_SUM);
  out.moved = true;
  if (RepartitionStats &stats = engine_.stats().repartition(); stats.moves == 0) stats.plans_before = plans;
  log_.write(OP_LOG_INFO, text("op_repartition(): ", fixed(out.rows, 0), " rows have moved; imbalance ",
                               fixed(out.before, 3), ", now ", fixed(out.after, 3)));
}

void Rebalance::note(const Repartition &done) {
  RepartitionStats &stats = engine_.stats().repartition();
  ++stats.calls;
  stats.seconds += done.seconds;
  if (!done.moved) return;
  lost_ = 0;
  ++stats.moves;
  stats.rows += done.rows;
  stats.before += done.before;
  stats.after += done.after;
}

// Whether no particle is on its way, nor has been told to go: a move of rows would make it stay.
bool Rebalance::particles_rest() {
  bool rest = true;
  for (const auto &set : mesh_.objects().particle_sets()) {
    Dat &next = *set->particles->next;
    if (set->particles->moving) return false;
    all_or_none(mesh_, "particles that are to go", [&] { mesh_.copies().prepare_host(next, OP_READ, false); });
    const auto *const first = reinterpret_cast<const long long *>(next.host.data());
    const auto goes = [&](long long to) { return to != OP_PARTICLE_ARRIVED + set->particles->base; };
    rest = rest && std::none_of(first, first + set->size, goes);
  }
  return mesh_.communicator().min(rest ? 1 : 0) == 1;
}

// The counts of loops are the same everywhere; so are times that all processes have compared.
void Rebalance::look() {
  constexpr double between = 0.05; // seconds of loops between two looks
  if (++loops_ < next_look_ || mesh_.objects().host_view_open()) return;
  if (mesh_.agreement().errors_return()) mesh_.agreement().agree("the balance of work");
  const Times times = compare_times();
  const double now_at = times.mean > 0 ? times.slowest / times.mean : 1;
  if (imbalance_at_move_ > 1) { // did that move help?
    patience_ = now_at - 1 < (imbalance_at_move_ - 1) / 2 ? 1 : 2 * patience_;
    imbalance_at_move_ = 1;
  }
  const double wanted = static_cast<double>(next_look_) * between / std::max(times.slowest, 1e-9);
  loops_ = 0;
  next_look_ = static_cast<std::int64_t>(std::clamp(wanted, 8.0, 1e6));
  WorkTimes &work = engine_.stats().work();
  if (!std::exchange(work.wants_pieces, true) || lost_ <= patience_ * cost_of_a_move() || now_at <= balanced)
    return work.begin_anew();
  if (!particles_rest()) return work.begin_anew();
  lost_ -= times.slowest - times.mean; // which run() compares, too
  imbalance_at_move_ = run({}).moved ? now_at : 1;
  lost_ = 0;
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
