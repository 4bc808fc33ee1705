// halo_case.cpp: see halo_case.hpp.
#include "halo_case.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "base/text.hpp"

namespace unit {

using op2::core::ChooseOwners;
using op2::core::Dat;
using op2::core::Mesh;
using op2::core::text;

std::string RandomCase::name() const {
  std::string out = text("seed ", seed, ", ", processes, " ranks, depth ", depth, ", sets");
  for (const int size : mesh.sizes) out += text(" ", size);
  for (const GlobalMap &map : mesh.maps) out += text(", map ", map.from, " -> ", map.to, " x ", map.dim);
  return out;
}

namespace {

// Bounds of one part of n elements for each rank, uneven, some of them empty.
std::vector<int> random_bounds(Random &random, int n, int processes) {
  std::vector<int> bounds = {0, n};
  for (int r = 1; r < processes; ++r) bounds.push_back(below(random, n + 1));
  std::sort(bounds.begin(), bounds.end());
  return bounds;
}

int part_of(const std::vector<int> &bounds, int element) {
  return static_cast<int>(std::upper_bound(bounds.begin(), bounds.end(), element) - bounds.begin()) - 1;
}

GlobalMap random_map(Random &random, const std::vector<int> &sizes) {
  const int sets = static_cast<int>(sizes.size());
  GlobalMap map{below(random, sets), below(random, sets), 1 + below(random, below(random, 3) == 0 ? 8 : 3), {}};
  const int from = sizes[as_size(map.from)], to = sizes[as_size(map.to)];
  if (to == 0) map.from = map.to; // an empty map
  const int kind = below(random, 8), shift = below(random, to + 1);
  for (int i = 0; to > 0 && i < from * map.dim; ++i) {
    const int near = static_cast<int>(static_cast<long long>(i / map.dim) * to / from) + i % map.dim;
    int target = (near + shift) % to; // a band
    if (kind == 0) target = below(random, to);
    if (kind == 1) target = shift % to; // all to the same one
    if (kind == 2) target = near % to;
    map.targets.push_back(target);
  }
  return map;
}

std::vector<int> random_owners(Random &random, int n, int processes) {
  const int kind = below(random, 5), one = below(random, processes);
  const std::vector<int> bounds = random_bounds(random, n, processes);
  std::vector<int> out;
  for (int i = 0; i < n; ++i) {
    const int by_kind[] = {below(random, processes), (part_of(bounds, i) + one) % processes, one, // the last: all
                           below(random, (processes + 1) / 2) * 2, i % processes};
    out.push_back(by_kind[kind]);
  }
  return out;
}

} // namespace

RandomCase random_case(unsigned seed, int processes) {
  Random random(seed);
  RandomCase made;
  made.seed = seed;
  made.processes = 1 + below(random, 7);
  if (processes > 0) made.processes = processes;
  made.depth = 1 + static_cast<int>(seed % 3);
  for (int sets = 1 + below(random, 4); sets > 0; --sets) {
    const int kind = below(random, 8);
    made.mesh.sizes.push_back(kind == 0 ? 0 : kind == 1 ? below(random, 400) : 1 + below(random, 40));
  }
  for (int maps = 1 + below(random, 5); maps > 0; --maps) made.mesh.maps.push_back(random_map(random, made.mesh.sizes));
  made.choose = below(random, 6) > 0;
  for (std::size_t s = 0; s < made.mesh.sizes.size(); ++s) {
    made.declared.push_back(random_bounds(random, made.mesh.sizes[s], made.processes));
    made.mesh.owner.push_back(random_owners(random, made.mesh.sizes[s], made.processes));
    if (!made.choose)
      for (int i = 0; i < made.mesh.sizes[s]; ++i) made.mesh.owner[s][as_size(i)] = part_of(made.declared[s], i);
    const std::array<RowType, 4> types = {
        {{0, "double", 2, 8}, {0, "three", 1, 3}, {0, "int", 3, 4}, {0, "one", 1, 1}}};
    for (int dats = below(random, 4); dats > 0; --dats) {
      made.dats.push_back(types[as_size(below(random, 4))]);
      made.dats.back().set = static_cast<int>(s);
    }
  }
  return made;
}

unsigned char byte_of(std::size_t dat, op_gindex element, int at, int round) {
  return static_cast<unsigned char>((dat * 31 + as_size(element) * 7 + as_size(at) * 3 + as_size(round) * 101) % 199);
}

void declare(Mesh &mesh, const RandomCase &given, int rank) {
  const auto declared_bound = [&](int set, int side) { return given.declared[as_size(set)][as_size(rank + side)]; };
  for (std::size_t s = 0; s < given.mesh.sizes.size(); ++s)
    mesh.declare().set(declared_bound(static_cast<int>(s), 1) - declared_bound(static_cast<int>(s), 0),
                       text("set", s).c_str());
  for (std::size_t m = 0; m < given.mesh.maps.size(); ++m) {
    const GlobalMap &map = given.mesh.maps[m];
    const std::vector<op_gindex> entries(map.targets.begin() + declared_bound(map.from, 0) * map.dim,
                                         map.targets.begin() + declared_bound(map.from, 1) * map.dim);
    const auto &sets = mesh.sets();
    mesh.declare().map(sets[as_size(map.from)].get(), sets[as_size(map.to)].get(), map.dim, entries.data(),
                       text("map", m).c_str());
  }
  for (std::size_t d = 0; d < given.dats.size(); ++d) {
    const RowType &dat = given.dats[d];
    std::vector<unsigned char> values;
    for (int i = declared_bound(dat.set, 0); i < declared_bound(dat.set, 1); ++i)
      for (int at = 0; at < dat.row(); ++at) values.push_back(byte_of(d, i, at, 0));
    mesh.declare().dat(mesh.sets()[as_size(dat.set)].get(), dat.dim, dat.type, dat.bytes, values.data(),
                       text("dat", d).c_str(), false);
  }
}

ChooseOwners owners(const RandomCase &given) {
  if (!given.choose) return {};
  return [&given](Mesh &mesh) {
    std::vector<std::vector<int>> out;
    for (std::size_t s = 0; s < mesh.sets().size(); ++s) {
      out.emplace_back();
      for (const op_gindex element : mesh.sets()[s]->global) out[s].push_back(given.mesh.owner[s][as_size(element)]);
    }
    return out;
  };
}

void fill(Mesh &mesh, Dat &dat, int round) {
  const std::size_t d = as_size(dat.index);
  std::memset(dat.data, untouched, dat.bytes());
  for (int row = 0; row < dat.set->size; ++row)
    for (int at = 0; at < dat.size; ++at)
      dat.data[row * dat.size + at] = static_cast<char>(byte_of(d, dat.on().global[as_size(row)], at, round));
  mesh.copies().note_host(dat, OP_WRITE);
}

} // namespace unit

// SPDX-License-Identifier: MIT
