// scale_chain.cpp: see scale_chain.hpp.
#include "scale/scale_chain.hpp"

#include <algorithm>
#include <bit>
#include <map>

namespace scale {

using op2::core::DatLevel;
using op2::core::LayerLoop;
using op2::core::LayerPlan;

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

using Owners = std::vector<std::vector<int>>;
using Holders = std::vector<std::vector<int>>; // of each element, besides its owner; sorted

bool holds(const std::vector<int> &holders, int part) {
  return std::binary_search(holders.begin(), holders.end(), part);
}

// Copies that a level adds: pairs of element and holder.
class Level {
 public:
  void add(int element, int holder) { pairs_.emplace_back(element, holder); }
  void finish() {
    std::sort(pairs_.begin(), pairs_.end());
    pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  }
  void give(Holders &to) const {
    for (const auto &[element, holder] : pairs_) {
      std::vector<int> &all = to[at(element)];
      all.insert(std::lower_bound(all.begin(), all.end(), holder), holder);
    }
  }
  void count(DeepHalo &halo, const std::vector<int> &owner, int parts) const {
    halo.copies.emplace_back(at(parts), 0);
    std::map<std::pair<int, int>, std::int64_t> rows;
    for (const auto &[element, holder] : pairs_) {
      ++halo.copies.back()[at(holder)];
      ++rows[{owner[at(element)], holder}];
    }
    halo.links.emplace_back();
    for (const auto &[link, number] : rows) halo.links.back().push_back({link.first, link.second, number});
  }

 private:
  std::vector<std::pair<int, int>> pairs_;
};

// Elements that lead to an owned element, or in later layers to a copy, of a part that has not got them.
Level executed(const Problem &problem, const Owners &owner, const std::vector<Holders> &held, int set, bool first) {
  Level out;
  for (const MeshMap &map : problem.maps) {
    if (map.from != set) continue;
    const int *target = map.targets.data();
    for (int element = 0; element < problem.sets[at(set)].size; ++element)
      for (int column = 0; column < map.dim; ++column, ++target) {
        const auto add = [&](int holder) {
          if (owner[at(set)][at(element)] != holder && !holds(held[at(set)][at(element)], holder))
            out.add(element, holder);
        };
        if (first)
          add(owner[at(map.to)][at(*target)]);
        else
          for (const int holder : held[at(map.to)][at(*target)]) add(holder);
      }
  }
  out.finish();
  return out;
}

// What elements lead to that a part owns or holds.
Level read(const Problem &problem, const Owners &owner, const std::vector<Holders> &held, int set) {
  Level out;
  for (const MeshMap &map : problem.maps) {
    if (map.to != set) continue;
    const int *target = map.targets.data();
    for (int element = 0; element < problem.sets[at(map.from)].size; ++element)
      for (int column = 0; column < map.dim; ++column, ++target) {
        const auto add = [&](int holder) {
          if (owner[at(set)][at(*target)] != holder && !holds(held[at(set)][at(*target)], holder))
            out.add(*target, holder);
        };
        add(owner[at(map.from)][at(element)]);
        for (const int holder : held[at(map.from)][at(element)]) add(holder);
      }
  }
  out.finish();
  return out;
}

LayerLoop accesses_of(const MeshLoop &loop) {
  LayerLoop out;
  for (const LoopArg &arg : loop.args) {
    const op_access access = arg.access == Access::read    ? OP_READ
                             : arg.access == Access::write ? OP_WRITE
                             : arg.access == Access::rw    ? OP_RW
                                                           : OP_INC;
    out.args.push_back({arg.dat, arg.map >= 0, access});
    out.indirect = out.indirect || arg.map >= 0;
    if (arg.map < 0 && arg.access == Access::write) out.rewritten.push_back(arg.dat);
  }
  return out;
}

} // namespace

int DeepHalo::rows(int part, int level) const {
  int out = owned[at(part)];
  for (int l = 0; l < level; ++l) out += copies[at(l)][at(part)];
  return out;
}

std::vector<DeepHalo> build_deep_halos(const Problem &problem, const Owners &owner, int parts, int depth) {
  const int sets = static_cast<int>(problem.sets.size());
  std::vector<DeepHalo> out(problem.sets.size());
  std::vector<Holders> held;
  for (int set = 0; set < sets; ++set) {
    held.emplace_back(owner[at(set)].size());
    out[at(set)].owned.assign(at(parts), 0);
    for (const int part : owner[at(set)]) ++out[at(set)].owned[at(part)];
  }
  for (int layer = 0; layer < depth; ++layer) {
    for (const bool runs : {true, false}) {
      std::vector<Level> levels;
      for (int set = 0; set < sets; ++set)
        levels.push_back(runs ? executed(problem, owner, held, set, layer == 0) : read(problem, owner, held, set));
      for (int set = 0; set < sets; ++set) {
        levels[at(set)].give(held[at(set)]);
        levels[at(set)].count(out[at(set)], owner[at(set)], parts);
      }
    }
  }
  return out;
}

ChainStudy chain_of(const Problem &problem, int iterations) {
  ChainStudy out{iterations, {}, {}, {}};
  std::vector<LayerLoop> loops;
  for (int i = 0; i < iterations; ++i)
    for (const int loop : problem.iteration) {
      out.loops.push_back(loop);
      loops.push_back(accesses_of(problem.loops[at(loop)]));
    }
  out.plan = op2::core::plan_layers(loops);
  // Copies of dats that nobody changes stay current.
  for (const DatLevel &dat : out.plan.brought)
    if (std::any_of(out.plan.left.begin(), out.plan.left.end(),
                    [&](const DatLevel &left) { return left.dat == dat.dat && left.level < dat.level; })) {
      const auto left = std::find_if(out.plan.left.begin(), out.plan.left.end(),
                                     [&](const DatLevel &each) { return each.dat == dat.dat; });
      for (int level = left->level + 1; level <= dat.level; ++level) out.exchanged.emplace_back(dat.dat, level);
    }
  return out;
}

Traffic traffic(const Problem &problem, const std::vector<DeepHalo> &halos, const ChainStudy &chain, int parts) {
  std::map<std::pair<int, int>, std::int64_t> bytes;
  for (const auto &[dat, level] : chain.exchanged)
    for (const Link &link : halos[at(problem.dats[at(dat)].set)].links[at(level - 1)])
      bytes[{link.owner, link.holder}] += link.rows * problem.dats[at(dat)].bytes;
  Traffic out;
  for (auto *count : {&out.messages_out, &out.messages_in, &out.bytes_out, &out.bytes_in}) count->assign(at(parts), 0);
  for (const auto &[link, sent] : bytes) {
    ++out.messages_out[at(link.first)];
    ++out.messages_in[at(link.second)];
    out.bytes_out[at(link.first)] += sent;
    out.bytes_in[at(link.second)] += sent;
  }
  return out;
}

Prediction predict(const Problem &problem, const std::vector<DeepHalo> &halos, const ChainStudy &chain,
                   const std::vector<LoopTime> &times, const Wire &wire, int parts) {
  Prediction out;
  const Traffic sent = traffic(problem, halos, chain, parts);
  double all = 0, again = 0;
  for (int part = 0; part < parts; ++part) {
    double work = 0;
    for (std::size_t i = 0; i < chain.loops.size(); ++i) {
      const DeepHalo &halo = halos[at(problem.loops[at(chain.loops[i])].set)];
      const int elements = halo.rows(part, chain.plan.executed[i]);
      work += times[at(chain.loops[i])].of(elements);
      all += elements;
      again += elements - halo.owned[at(part)];
    }
    const auto most = [&](const auto &a, const auto &b) {
      return static_cast<double>(std::max(a[at(part)], b[at(part)]));
    };
    const double wait =
        wire.latency * most(sent.messages_out, sent.messages_in) + most(sent.bytes_out, sent.bytes_in) / wire.bandwidth;
    out.work = std::max(out.work, work);
    out.messages = std::max(out.messages, wait);
    out.total = std::max(out.total, work + wait);
  }
  if (parts > 1) out.reductions = 2 * std::bit_width(static_cast<unsigned>(parts - 1)) * wire.latency;
  out.total += out.reductions;
  for (double *seconds : {&out.work, &out.messages, &out.reductions, &out.total}) *seconds /= chain.iterations;
  out.hidden = out.total;
  out.redundant = all > 0 ? again / all : 0;
  return out;
}

} // namespace scale

// SPDX-License-Identifier: MIT
