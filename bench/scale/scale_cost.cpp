// scale_cost.cpp: see scale_cost.hpp.
#include "scale/scale_cost.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace scale {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Calls body(links, bytes of a row) for all that is sent.
template <class Body>
void each_links(const Problem &problem, const std::vector<SetHalo> &halos, const Exchange &exchange, const Body &body) {
  for (const ExchangedDat &item : exchange.dats) {
    const MeshDat &dat = problem.dats[at(item.dat)];
    const SetHalo &halo = halos[at(dat.set)];
    if (item.exec) body(halo.exec_links, dat.bytes);
    if (item.nonexec) body(halo.nonexec_links, dat.bytes);
  }
}

std::vector<Link> merged(std::vector<Link> links) {
  std::sort(links.begin(), links.end(),
            [](const Link &a, const Link &b) { return std::pair(a.owner, a.holder) < std::pair(b.owner, b.holder); });
  std::vector<Link> out;
  for (const Link &link : links) {
    if (out.empty() || out.back().owner != link.owner || out.back().holder != link.holder)
      out.push_back({link.owner, link.holder, 0});
    out.back().rows += link.rows;
  }
  return out;
}

} // namespace

std::int64_t Traffic::messages() const {
  return std::accumulate(messages_out.begin(), messages_out.end(), std::int64_t{0});
}
std::int64_t Traffic::bytes() const { return std::accumulate(bytes_out.begin(), bytes_out.end(), std::int64_t{0}); }

Traffic traffic(const Problem &problem, const std::vector<SetHalo> &halos, const std::vector<Exchange> &exchanges,
                int parts) {
  Traffic out;
  for (auto *count : {&out.messages_out, &out.messages_in, &out.bytes_out, &out.bytes_in}) count->assign(at(parts), 0);
  for (const Exchange &exchange : exchanges) {
    std::vector<Link> bytes; // `rows` counts bytes here
    each_links(problem, halos, exchange, [&](const std::vector<Link> &links, int row) {
      for (const Link &link : links) bytes.push_back({link.owner, link.holder, link.rows * row});
    });
    for (const Link &message : merged(std::move(bytes))) {
      ++out.messages_out[at(message.owner)];
      ++out.messages_in[at(message.holder)];
      out.bytes_out[at(message.owner)] += message.rows;
      out.bytes_in[at(message.holder)] += message.rows;
    }
  }
  return out;
}

std::vector<int> neighbours(const std::vector<SetHalo> &halos, int parts) {
  std::vector<Link> both;
  for (const SetHalo &halo : halos)
    for (const std::vector<Link> *links : {&halo.exec_links, &halo.nonexec_links})
      for (const Link &link : *links) {
        both.push_back({link.owner, link.holder, 1});
        both.push_back({link.holder, link.owner, 1});
      }
  std::vector<int> out(at(parts), 0);
  for (const Link &link : merged(std::move(both))) ++out[at(link.owner)];
  return out;
}

std::vector<std::int64_t> memory(const Problem &problem, const std::vector<SetHalo> &halos,
                                 const std::vector<std::int64_t> &buffers, int parts) {
  constexpr std::int64_t index = 4, global_number = 8, list_entry = 4, list_neighbour = 8;
  std::vector<std::int64_t> out = buffers;
  for (const SetHalo &halo : halos) {
    for (int part = 0; part < parts; ++part) out[at(part)] += halo.rows(part) * (global_number + index);
    for (const std::vector<Link> *links : {&halo.exec_links, &halo.nonexec_links})
      for (const Link &link : *links) { // who sends lists the rows, who receives has them in one piece
        out[at(link.owner)] += link.rows * list_entry + list_neighbour;
        out[at(link.holder)] += list_neighbour;
      }
  }
  for (const MeshMap &map : problem.maps)
    for (int part = 0; part < parts; ++part)
      out[at(part)] += std::int64_t{halos[at(map.from)].executed(part)} * map.dim * index;
  for (const MeshDat &dat : problem.dats)
    for (int part = 0; part < parts; ++part) out[at(part)] += std::int64_t{halos[at(dat.set)].rows(part)} * dat.bytes;
  return out;
}

void LoopTime::add(int elements, double seconds) {
  points_.push_back({static_cast<double>(elements), seconds});
  std::sort(points_.begin(), points_.end(), [](const Point &a, const Point &b) { return a.elements < b.elements; });
}

double LoopTime::of(double elements) const {
  if (elements <= 0 || points_.empty()) return 0;
  if (points_.size() == 1) return points_[0].seconds * elements / points_[0].elements;
  std::size_t right = 1;
  while (right + 1 < points_.size() && points_[right].elements < elements) ++right;
  const Point &a = points_[right - 1], &b = points_[right];
  if (elements > b.elements) return b.seconds * elements / b.elements; // behind the last one
  return std::max(0.0, a.seconds + (elements - a.elements) * (b.seconds - a.seconds) / (b.elements - a.elements));
}

Prediction predict(const Problem &problem, const std::vector<SetHalo> &halos, const Schedule &schedule,
                   const std::vector<LoopTime> &times, const Wire &wire, int parts) {
  Prediction out;
  std::vector<double> work(at(parts), 0), messages(at(parts), 0), hidden(at(parts), 0);
  double executed = 0, copies = 0;
  std::vector<Traffic> traffics;
  for (const Exchange &exchange : schedule.later) traffics.push_back(traffic(problem, halos, {exchange}, parts));
  for (std::size_t place = 0; place < problem.iteration.size(); ++place) {
    const std::size_t number = at(problem.iteration[place]);
    const MeshLoop &loop = problem.loops[number];
    const SetHalo &halo = halos[at(loop.set)];
    const bool with_copies = loop.executes_copies();
    const auto exchange =
        std::find_if(schedule.later.begin(), schedule.later.end(), [&](const Exchange &e) { return e.place == place; });
    if (loop.reduces && parts > 1)
      out.reductions += 2 * std::bit_width(static_cast<unsigned>(parts - 1)) * wire.latency;
    for (int part = 0; part < parts; ++part) {
      const int elements = with_copies ? halo.executed(part) : halo.owned[at(part)];
      const double time = times[number].of(elements);
      executed += elements;
      copies += elements - halo.owned[at(part)];
      work[at(part)] += time;
      double wait = 0;
      if (exchange != schedule.later.end()) {
        const Traffic &sent = traffics[static_cast<std::size_t>(exchange - schedule.later.begin())];
        const auto most = [&](const auto &a, const auto &b) {
          return static_cast<double>(std::max(a[at(part)], b[at(part)]));
        };
        wait = wire.latency * most(sent.messages_out, sent.messages_in) +
               most(sent.bytes_out, sent.bytes_in) / wire.bandwidth;
      }
      messages[at(part)] += wait;
      const double core = elements > 0 ? time * halo.core[at(part)] / elements : 0;
      hidden[at(part)] += std::max(core, wait) + (time - core);
    }
  }
  for (int part = 0; part < parts; ++part) {
    out.work = std::max(out.work, work[at(part)]);
    out.messages = std::max(out.messages, messages[at(part)]);
    out.total = std::max(out.total, work[at(part)] + messages[at(part)]);
    out.hidden = std::max(out.hidden, hidden[at(part)]);
  }
  out.total += out.reductions;
  out.hidden += out.reductions;
  out.redundant = executed > 0 ? copies / executed : 0;
  return out;
}

} // namespace scale

// SPDX-License-Identifier: MIT
