// shares_test.cpp: how several processes mean their declarations, what is recognised, and mistakes that only some of
// them make: an error on all of them, and nobody waits for ever.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "distributed/declared/transfer.hpp"
#include "rank_mesh.hpp"
#include "support.hpp"

namespace op2::core {
namespace {

using unit::contains;
using unit::Host;
using unit::RankMesh;
using unit::run_ranks;
using unit::thrown_by;

// body(mesh, rank) on so many ranks.
void with_meshes(int processes, Declare how, const std::function<void(Mesh &, int)> &body) {
  run_ranks(processes, [&](Communicator &ranks, Host &host) {
    RankMesh rank(ranks, host, how);
    body(rank.mesh, ranks.rank());
  });
}

Dat &declare_dat(Mesh &mesh, Set &set, const std::vector<double> &values, const char *name = "d") {
  return mesh.declare().dat(&set, 1, "double", 0, values.data(), name, false);
}

// --- what is recognised ---

// Four cells around four nodes.
const std::vector<int> ring = {0, 1, 1, 2, 2, 3, 3, 0};

TEST(DeclareAutomatic, recognises_a_serial_program) {
  with_meshes(3, Declare::automatic, [](Mesh &mesh, int rank) {
    Set &cells = mesh.declare().set(4, "cells");
    Set &nodes = mesh.declare().set(4, "nodes");
    Set &none = mesh.declare().set(0, "none");
    mesh.declare().map(&cells, &nodes, 2, ring.data(), "ring");
    Dat &dat = declare_dat(mesh, cells, {1, 2, 3, 4});
    Dat &zero = mesh.declare().dat(&nodes, 1, "double", 0, nullptr, "zero", false);
    mesh.declare().settle();
    EXPECT_EQ(mesh.declare().mode(), Declare::replicated);
    EXPECT_EQ(cells.global_size, 4);
    EXPECT_EQ(none.global_size, 0);
    EXPECT_EQ(cells.size, rank == 0 ? 1 : rank == 1 ? 1 : 2);
    EXPECT_EQ(cells.size, cells.declared_size);
    std::vector<double> got(4, -1);
    fetch_own(mesh, dat, got.data());
    EXPECT_EQ(got, (std::vector<double>{1, 2, 3, 4}));
    fetch_own(mesh, zero, got.data());
    EXPECT_EQ(got, std::vector<double>(4));
    EXPECT_EQ(mesh.maps()[0]->targets.size(), 2u * static_cast<unsigned>(cells.size));
    EXPECT_EQ(mesh.maps()[0]->targets[0], ring[2 * static_cast<unsigned>(cells.declared_first)]);
    mesh.declare().settle(); // nothing to decide any more
    EXPECT_EQ(mesh.declare().set(5, "later").global_size, 5);
  });
}

TEST(DeclareAutomatic, recognises_parts_by_their_sizes) {
  with_meshes(3, Declare::automatic, [](Mesh &mesh, int rank) {
    Set &cells = mesh.declare().set(rank, "cells");
    const std::vector<int> to_first(static_cast<std::size_t>(rank));
    mesh.declare().map(&cells, &cells, 1, to_first.data(), "m");
    Dat &dat = declare_dat(mesh, cells, std::vector<double>(static_cast<std::size_t>(rank), rank));
    mesh.declare().settle();
    EXPECT_EQ(mesh.declare().mode(), Declare::local);
    EXPECT_EQ(cells.global_size, 3);
    EXPECT_EQ(cells.declared_first, rank == 2 ? 1 : 0);
    std::vector<double> got(3, -1);
    fetch_range(mesh, dat, got.data(), 0, 2);
    EXPECT_EQ(got, (std::vector<double>{1, 2, 2}));
  });
}

// Parts of equal size, told apart by what maps lead to: all else is the same everywhere.
TEST(DeclareAutomatic, recognises_parts_by_their_maps) {
  with_meshes(2, Declare::automatic, [&](Mesh &mesh, int rank) {
    Set &cells = mesh.declare().set(2, "cells");
    const std::vector<int> entries = {1 - rank, rank};
    mesh.declare().map(&cells, &cells, 1, entries.data(), "m");
    declare_dat(mesh, cells, {1, 2});
    mesh.declare().settle();
    EXPECT_EQ(mesh.declare().mode(), Declare::local);
    EXPECT_EQ(cells.global_size, 4);
  });
}

// Parts that all lead to the same elements, or a serial program that counts from 1?
TEST(DeclareAutomatic, asks_when_the_same_maps_lead_out_of_the_set) {
  with_meshes(2, Declare::automatic, [&](Mesh &mesh, int) {
    Set &cells = mesh.declare().set(2, "cells");
    const std::vector<int> entries = {1, 2};
    mesh.declare().map(&cells, &cells, 1, entries.data(), "m");
    const std::string why = thrown_by([&] { mesh.declare().settle(); }).what();
    EXPECT_TRUE(contains(why, "map 'm' leads to element 2") && contains(why, "OP2_MAPS_BASE_INDEX=1")) << why;
  });
}

TEST(DeclareAutomatic, takes_nothing_as_parts) {
  with_meshes(2, Declare::automatic, [](Mesh &mesh, int) {
    Set &none = mesh.declare().set(0, "none");
    mesh.declare().map(&none, &none, 1, static_cast<const int *>(nullptr), "m");
    mesh.declare().settle();
    EXPECT_EQ(mesh.declare().mode(), Declare::local);
  });
}

void expect_doubt(const std::string &words, const std::function<void(Mesh &, int)> &declare) {
  with_meshes(3, Declare::automatic, [&](Mesh &mesh, int rank) {
    declare(mesh, rank);
    const Error error = thrown_by([&] { mesh.declare().settle(); });
    EXPECT_EQ(error.code, OP_ERR_STATE);
    EXPECT_TRUE(contains(error.what(), words));
    EXPECT_TRUE(contains(error.what(), "OP2_DECLARE=local"));
    EXPECT_TRUE(mesh.agreement().agree("and on"));
  });
}

TEST(DeclareAutomatic, is_in_doubt_without_maps) {
  expect_doubt("no map yet", [](Mesh &mesh, int) { declare_dat(mesh, mesh.declare().set(2, "s"), {1, 2}); });
}

TEST(DeclareAutomatic, is_in_doubt_when_data_differ) {
  expect_doubt("dat 'other'", [](Mesh &mesh, int rank) {
    Set &cells = mesh.declare().set(4, "cells");
    mesh.declare().map(&cells, &cells, 2, ring.data(), "ring");
    declare_dat(mesh, cells, {1, 2, 3, 4}, "same");
    declare_dat(mesh, cells, {1, 2, 3, rank == 1 ? 4.5 : 4}, "other");
  });
}

// --- what some processes get wrong ---

struct Mistake {
  const char *name;
  Declare how;
  op_status code;
  std::vector<std::string> words; // on the rank that is right
  std::function<void(Mesh &, bool wrong)> declare;
};

Set &two(Mesh &mesh) { return mesh.declare().set(2, "s"); }
const int entries[] = {0, 1, 1, 0, 0, 0, 0, 0};
Map &two_to_two(Mesh &mesh, Set &set, int dim, const int *to, const char *name = "m") {
  return mesh.declare().map(&set, &set, dim, to, name);
}
void dat_of(Mesh &mesh, int dim, const char *type, const char *name, bool temporary = false, int type_size = 0) {
  mesh.declare().dat(&two(mesh), dim, type, type_size, nullptr, name, temporary);
}

const std::vector<Mistake> mistakes = {
    {"name_of_set",
     Declare::local,
     OP_ERR_STATE,
     {"set 'a'", "set 'b'", "process 1"},
     [](Mesh &mesh, bool wrong) { mesh.declare().set(2, wrong ? "b" : "a"); }},
    {"kind_of_call",
     Declare::local,
     OP_ERR_STATE,
     {"set 's2'", "dat 'd' on set 's'"},
     [](Mesh &mesh, bool wrong) {
       Set &set = two(mesh);
       if (wrong)
         mesh.declare().set(2, "s2");
       else
         mesh.declare().dat(&set, 1, "int", 0, nullptr, "d", false);
     }},
    {"dim_of_map",
     Declare::local,
     OP_ERR_STATE,
     {"map 'm'", "dim 1", "dim 2"},
     [](Mesh &mesh, bool wrong) { two_to_two(mesh, two(mesh), wrong ? 2 : 1, entries); }},
    {"name_of_map",
     Declare::local,
     OP_ERR_STATE,
     {"map 'm'", "map 'n'"},
     [](Mesh &mesh, bool wrong) { two_to_two(mesh, two(mesh), 1, entries, wrong ? "n" : "m"); }},
    {"target_set_of_map",
     Declare::local,
     OP_ERR_STATE,
     {"to set 's'", "to set 't'"},
     [](Mesh &mesh, bool wrong) {
       Set &set = two(mesh), &other = mesh.declare().set(2, "t");
       mesh.declare().map(&set, wrong ? &other : &set, 1, entries, "m");
     }},
    {"entry_of_map",
     Declare::local,
     OP_ERR_RANGE,
     {"process 1: map 'm'", "entry 99"},
     [](Mesh &mesh, bool wrong) {
       const int bad[] = {0, 99};
       two_to_two(mesh, two(mesh), 1, wrong ? bad : entries);
     }},
    {"dim_of_dat",
     Declare::local,
     OP_ERR_STATE,
     {"dat 'd' on set 's', 1 x int", "dat 'd' on set 's', 2 x int"},
     [](Mesh &mesh, bool wrong) { dat_of(mesh, wrong ? 2 : 1, "int", "d"); }},
    {"type_of_dat",
     Declare::local,
     OP_ERR_STATE,
     {"1 x int", "1 x float"},
     [](Mesh &mesh, bool wrong) { dat_of(mesh, 1, wrong ? "float" : "int", "d"); }},
    {"name_of_dat",
     Declare::local,
     OP_ERR_STATE,
     {"dat 'd'", "dat 'e'"},
     [](Mesh &mesh, bool wrong) { dat_of(mesh, 1, "int", wrong ? "e" : "d"); }},
    {"life_of_dat",
     Declare::local,
     OP_ERR_STATE,
     {"temporary dat 'd'"},
     [](Mesh &mesh, bool wrong) { dat_of(mesh, 1, "int", "d", wrong); }},
    {"size_of_replicated_set",
     Declare::replicated,
     OP_ERR_ARGUMENT,
     {"set 's' has 2 elements here, but not on all"},
     [](Mesh &mesh, bool wrong) { mesh.declare().set(wrong ? 3 : 2, "s"); }},
    {"size_of_own_type",
     Declare::local,
     OP_ERR_STATE,
     {"dat 'd'"},
     [](Mesh &mesh, bool wrong) { dat_of(mesh, 1, "own_t", "d", false, wrong ? 5 : 7); }},
    // Wrong by itself, and noticed before anybody was asked.
    {"negative_size",
     Declare::local,
     OP_ERR_ARGUMENT,
     {"process 1: ", "negative: -1"},
     [](Mesh &mesh, bool wrong) { mesh.declare().set(wrong ? -1 : 2, "s"); }},
    {"null_name",
     Declare::local,
     OP_ERR_ARGUMENT,
     {"process 1: ", "NULL"},
     [](Mesh &mesh, bool wrong) { mesh.declare().set(2, wrong ? nullptr : "s"); }},
    {"null_entries",
     Declare::local,
     OP_ERR_ARGUMENT,
     {"process 1: ", "NULL"},
     [](Mesh &mesh, bool wrong) { two_to_two(mesh, two(mesh), 1, wrong ? nullptr : entries); }},
    {"null_handle",
     Declare::local,
     OP_ERR_HANDLE,
     {"process 1: ", "NULL"},
     [](Mesh &mesh, bool wrong) {
       Set &set = two(mesh);
       mesh.declare().map(&set, wrong ? nullptr : &set, 1, entries, "m");
     }},
    {"zero_dim",
     Declare::local,
     OP_ERR_DIM,
     {"process 1: ", "at least 1"},
     [](Mesh &mesh, bool wrong) { dat_of(mesh, wrong ? 0 : 1, "int", "d"); }},
    {"unknown_type",
     Declare::local,
     OP_ERR_TYPE,
     {"process 1: ", "unknown type"},
     [](Mesh &mesh, bool wrong) { dat_of(mesh, 1, wrong ? "integer_t" : "int", "d"); }},
    {"root_is_wrong",
     Declare::root,
     OP_ERR_RANGE,
     {"process 0: map 'm'", "entry 99"},
     [](Mesh &mesh, bool) {
       const int bad[] = {0, 99};
       two_to_two(mesh, two(mesh), 1, mesh.communicator().rank() == 0 ? bad : nullptr);
     }},
};

class SomeAreWrong : public testing::TestWithParam<Mistake> {};
INSTANTIATE_TEST_SUITE_P(About, SomeAreWrong, testing::ValuesIn(mistakes),
                         [](const auto &info) { return std::string(info.param.name); });

TEST_P(SomeAreWrong, all_hear_of_it) {
  const Mistake &mistake = GetParam();
  with_meshes(3, mistake.how, [&](Mesh &mesh, int rank) {
    const Error error = thrown_by([&] { mistake.declare(mesh, rank == 1); });
    EXPECT_STREQ(status_name(error.code), status_name(mistake.code)) << error.what();
    for (const std::string &word : rank == 2 ? mistake.words : std::vector<std::string>())
      EXPECT_TRUE(contains(error.what(), word));
    // Nothing is left behind, and all are at the same place.
    Set &next = mesh.declare().set(2, "next");
    EXPECT_EQ(next.global_size, mistake.how == Declare::local ? 6 : 2);
  });
}

// --- Declare::root ---

TEST(DeclareRoot, what_others_pass_does_not_count) {
  with_meshes(3, Declare::root, [](Mesh &mesh, int rank) {
    Set &cells = mesh.declare().set(rank == 0 ? 4 : 77 + rank, "cells");
    EXPECT_EQ(cells.passed, 4);
    EXPECT_EQ(cells.global_size, 4);
    const int rubbish[] = {1000, -1};
    mesh.declare().map(&cells, &cells, 2, rank == 0 ? ring.data() : rank == 1 ? rubbish : nullptr, "ring");
    const std::vector<double> own = rank == 0 ? std::vector<double>{1, 2, 3, 4} : std::vector<double>(4, -9);
    Dat &dat = declare_dat(mesh, cells, own);
    std::vector<double> got(4, -1);
    fetch_range(mesh, dat, got.data(), 0, 3);
    EXPECT_EQ(got, (std::vector<double>{1, 2, 3, 4}));
    got.assign(4, -1);
    fetch_own(mesh, dat, got.data());
    EXPECT_EQ(got, (rank == 0 ? std::vector<double>{1, 2, 3, 4} : std::vector<double>(4, -1)));
    EXPECT_EQ(mesh.maps()[0]->targets.size(), 2u * static_cast<unsigned>(cells.size));
  });
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
