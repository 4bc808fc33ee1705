// scale_test.cpp: the halos and messages of bench/scale/scale.cpp against counting by brute force, and against the
// halos that the library builds on ranks.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <random>
#include <set>
#include <utility>

#include "distributed/redistribute/distribute.hpp"
#include "host/executor.hpp"
#include "mesh/mesh.hpp"
#include "ranks.hpp"
#include "scale/scale_cost.hpp"
#include "scale/scale_halo.hpp"

namespace {

using scale::Access;
using scale::Problem;
using scale::SetHalo;
using Owners = std::vector<std::vector<int>>;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Two sets with maps both ways, one to itself, and one of a single column.
Problem random_mesh(unsigned seed) {
  std::mt19937 dice(seed);
  Problem out;
  out.sets = {{"points", 60}, {"lines", 90}, {"marks", 7}};
  for (const auto &[from, to, dim] :
       {std::array{1, 0, 2}, std::array{0, 0, 1}, std::array{0, 1, 3}, std::array{2, 1, 1}}) {
    scale::MeshMap map{from, to, dim, {}};
    for (int i = 0; i < out.sets[at(from)].size * dim; ++i) {
      // Mostly neighbours in number, as in a mesh.
      const int near = i / dim * out.sets[at(to)].size / out.sets[at(from)].size;
      map.targets.push_back((near + static_cast<int>(dice() % 5)) % out.sets[at(to)].size);
    }
    out.maps.push_back(map);
  }
  out.dats = {{"a", 0, 16}, {"b", 1, 8}, {"c", 2, 4}};
  return out;
}

Owners random_owners(const Problem &problem, int parts, unsigned seed) {
  std::mt19937 dice(seed);
  Owners out;
  for (const scale::MeshSet &set : problem.sets) {
    out.emplace_back();
    for (int i = 0; i < set.size; ++i)
      out.back().push_back(dice() % 4 == 0 ? static_cast<int>(dice() % static_cast<unsigned>(parts))
                                           : i * parts / set.size);
  }
  return out;
}

// Copies of a set on one part, straight from the definition.
struct Copies {
  std::set<int> exec, nonexec;
};
std::vector<Copies> brute_force(const Problem &problem, const Owners &owner, int part) {
  std::vector<Copies> out(problem.sets.size());
  const auto each_entry = [&](const std::function<void(const scale::MeshMap &, int, int)> &body) {
    for (const scale::MeshMap &map : problem.maps)
      for (std::size_t i = 0; i < map.targets.size(); ++i) body(map, static_cast<int>(i) / map.dim, map.targets[i]);
  };
  each_entry([&](const scale::MeshMap &map, int element, int target) {
    if (owner[at(map.to)][at(target)] == part && owner[at(map.from)][at(element)] != part)
      out[at(map.from)].exec.insert(element);
  });
  each_entry([&](const scale::MeshMap &map, int element, int target) {
    const bool runs_here = owner[at(map.from)][at(element)] == part || out[at(map.from)].exec.count(element) > 0;
    if (runs_here && owner[at(map.to)][at(target)] != part && out[at(map.to)].exec.count(target) == 0)
      out[at(map.to)].nonexec.insert(target);
  });
  return out;
}

TEST(ScaleStudy, halos_are_what_brute_force_counts) {
  for (const int parts : {1, 2, 3, 8, 40}) {
    const Problem mesh = random_mesh(static_cast<unsigned>(parts));
    const Owners owner = random_owners(mesh, parts, 3);
    const std::vector<SetHalo> halos = scale::build_halos(mesh, owner, parts);
    for (int set = 0; set < 3; ++set) {
      std::set<int> of_others; // owned elements that somebody else executes
      for (int part = 0; part < parts; ++part) {
        const Copies copies = brute_force(mesh, owner, part)[at(set)];
        EXPECT_EQ(halos[at(set)].exec[at(part)], static_cast<int>(copies.exec.size()));
        EXPECT_EQ(halos[at(set)].nonexec[at(part)], static_cast<int>(copies.nonexec.size()));
        of_others.insert(copies.exec.begin(), copies.exec.end());
        for (int from = 0; from < parts; ++from) {
          const auto rows = [&](const std::vector<scale::Link> &links) {
            for (const scale::Link &link : links)
              if (link.owner == from && link.holder == part) return link.rows;
            return std::int64_t{0};
          };
          const auto owned_by_from = [&](int element) { return owner[at(set)][at(element)] == from; };
          EXPECT_EQ(rows(halos[at(set)].exec_links),
                    std::count_if(copies.exec.begin(), copies.exec.end(), owned_by_from));
          EXPECT_EQ(rows(halos[at(set)].nonexec_links),
                    std::count_if(copies.nonexec.begin(), copies.nonexec.end(), owned_by_from));
        }
      }
      for (int part = 0; part < parts; ++part) {
        int owned = 0, core = 0;
        for (int i = 0; i < mesh.sets[at(set)].size; ++i)
          if (owner[at(set)][at(i)] == part) {
            ++owned;
            core += of_others.count(i) == 0 ? 1 : 0;
          }
        EXPECT_EQ(halos[at(set)].owned[at(part)], owned);
        EXPECT_EQ(halos[at(set)].core[at(part)], core);
      }
    }
  }
}

TEST(ScaleStudy, halos_are_those_of_the_library) {
  for (const int parts : {2, 3, 5}) {
    const Problem mesh = random_mesh(9);
    const Owners owner = random_owners(mesh, parts, 4);
    const std::vector<SetHalo> halos = scale::build_halos(mesh, owner, parts);
    unit::run_ranks(parts, [&](op2::core::Communicator &communicator, unit::Host &host) {
      op2::core::Executor executor(*host.registry, host.services, "seq", {});
      op2::core::Mesh real(executor, communicator, 0);
      real.declare().set_mode(op2::core::Declare::replicated);
      for (const scale::MeshSet &set : mesh.sets) real.declare().set(set.size, set.name.c_str());
      for (const scale::MeshMap &map : mesh.maps)
        real.declare().map(real.sets()[at(map.from)].get(), real.sets()[at(map.to)].get(), map.dim, map.targets.data(),
                           "");
      op2::core::distribute(real, [&](op2::core::Mesh &all) {
        Owners own;
        for (const auto &set : all.sets()) {
          own.emplace_back();
          for (const auto number : set->global)
            own.back().push_back(owner[at(set->index)][static_cast<std::size_t>(number)]);
        }
        return own;
      });
      const std::size_t me = at(communicator.rank());
      for (const auto &set : real.sets()) {
        const SetHalo &halo = halos[at(set->index)];
        EXPECT_EQ(set->size, halo.owned[me]);
        EXPECT_EQ(set->core_size, halo.core[me]);
        EXPECT_EQ(set->exec_size, halo.exec[me]);
        EXPECT_EQ(set->nonexec_size, halo.nonexec[me]);
      }
    });
  }
}

// a is read through a map by a loop that adds to b, which b's own loop then reads directly.
TEST(ScaleStudy, schedule_follows_the_access) {
  Problem mesh = random_mesh(1);
  constexpr int points_to_lines = 2, direct = -1;
  mesh.loops = {{"add", 0, false, {{0, direct, Access::read}, {1, points_to_lines, Access::inc}}},
                {"use", 1, false, {{1, direct, Access::rw}}},
                {"look", 0, true, {{1, points_to_lines, Access::read}, {0, direct, Access::write}}}};
  mesh.iteration = {0, 1, 2};
  const scale::Schedule schedule = scale::schedule(mesh);
  ASSERT_EQ(schedule.later.size(), 2u);
  EXPECT_EQ(schedule.later[0].place, 0u);
  ASSERT_EQ(schedule.later[0].dats.size(), 1u);
  EXPECT_EQ(schedule.later[0].dats[0].dat, 0);
  EXPECT_TRUE(schedule.later[0].dats[0].exec);
  EXPECT_FALSE(schedule.later[0].dats[0].nonexec); // only what is executed
  EXPECT_EQ(schedule.later[1].place, 2u);
  ASSERT_EQ(schedule.later[1].dats.size(), 1u);
  EXPECT_EQ(schedule.later[1].dats[0].dat, 1);
  EXPECT_TRUE(schedule.later[1].dats[0].exec);
  EXPECT_TRUE(schedule.later[1].dats[0].nonexec);
}

// Two copies of set "points" for process 1 and one for process 2, rows of 16 bytes; both kinds share one message.
TEST(ScaleStudy, traffic_and_time_of_a_mesh_by_hand) {
  Problem mesh = random_mesh(1);
  std::vector<SetHalo> halos(3);
  for (SetHalo &halo : halos) halo.owned = halo.core = halo.exec = halo.nonexec = {0, 0, 0};
  halos[0].owned = {10, 10, 10};
  halos[0].core = {8, 10, 10};
  halos[0].exec_links = {{0, 1, 1}};
  halos[0].nonexec_links = {{0, 1, 1}, {0, 2, 1}};
  const scale::Traffic sent = scale::traffic(mesh, halos, {{0, {{0, true, true}}}}, 3);
  EXPECT_EQ(sent.messages_out, (std::vector<std::int64_t>{2, 0, 0}));
  EXPECT_EQ(sent.messages_in, (std::vector<std::int64_t>{0, 1, 1}));
  EXPECT_EQ(sent.bytes_out, (std::vector<std::int64_t>{48, 0, 0}));
  EXPECT_EQ(sent.bytes_in, (std::vector<std::int64_t>{0, 32, 16}));
  EXPECT_EQ(scale::neighbours(halos, 3), (std::vector<int>{2, 1, 1}));

  mesh.loops = {{"loop", 0, true, {{0, 0, Access::read}}}};
  mesh.iteration = {0};
  scale::LoopTime time;
  time.add(20, 40.0);
  time.add(10, 20.0);
  EXPECT_DOUBLE_EQ(time.of(15), 30);
  EXPECT_DOUBLE_EQ(time.of(40), 80);
  EXPECT_DOUBLE_EQ(time.of(5), 10);
  EXPECT_DOUBLE_EQ(time.of(0), 0);
  const scale::Prediction answer = scale::predict(mesh, halos, {{}, {{0, {{0, true, true}}}}}, {time}, {3.0, 16.0}, 3);
  EXPECT_DOUBLE_EQ(answer.work, 20);
  EXPECT_DOUBLE_EQ(answer.messages, 2 * 3 + 48 / 16);
  EXPECT_DOUBLE_EQ(answer.reductions, 2 * 2 * 3);
  EXPECT_DOUBLE_EQ(answer.total, 20 + 9 + 12);
  EXPECT_DOUBLE_EQ(answer.hidden, 16 + 4 + 12); // nine seconds of messages behind sixteen of core
}

} // namespace

// SPDX-License-Identifier: MIT
