// Maps: composition, 64-bit entries, meshes that count from 1.
#include "suite.hpp"

namespace conformance {

using Maps = Topic;

// entry [n][i * second.dim + j] = second[first[n][i]][j]
Topology composed(const Topology &first, const Topology &second) {
  Topology out{"composed", first.from, second.to, first.dim * second.dim, {}};
  for (const int middle : first.table)
    for (std::size_t j = 0; j < static_cast<std::size_t>(second.dim); ++j)
      out.table.push_back(static_cast<int>(second.target(static_cast<std::size_t>(middle), j)));
  return out;
}

TEST_F(Maps, Composition) {
  const std::vector<Topology> firsts = {
      {"empty", 0, 5, 2, {}}, random_map(1, 1, 3, 150), random_map(3000, 900, 2, 151)};
  const std::vector<Topology> seconds = {random_map(5, 2, 3, 152), random_map(1, 1, 2, 153),
                                         random_map(900, 400, 3, 154)};
  for (std::size_t i = 0; i < firsts.size(); ++i)
    compare([&first = firsts[i], &second = seconds[i]](Outcome &out) {
      const Topology both = composed(first, second);
      const op_set edges = declare_set(first.from, "edges"), cells = declare_set(first.to, "cells"),
                   nodes = declare_set(second.to, "nodes");
      const op_map edge_cells = declare_map(edges, cells, first), cell_nodes = declare_map(cells, nodes, second);
      const op_map edge_nodes = op_map_compose(edge_cells, cell_nodes, "edge_nodes");
      ASSERT_NE(nullptr, edge_nodes) << op_last_error();
      EXPECT_EQ(both.dim, op_map_dim(edge_nodes));
      EXPECT_EQ(edges, op_map_from(edge_nodes));
      EXPECT_EQ(nodes, op_map_to(edge_nodes));
      EXPECT_STREQ("edge_nodes", op_map_name(edge_nodes));
      for (int column = 0; column < both.dim; ++column) {
        const op_dat dseen = declare_dat(edges, 1, std::vector<int>(both.elements()), "seen");
        run([](const int *to, int *seen) { *seen = *to; }, "look", edges, op_arg_idx(column, edge_nodes),
            direct(dseen, OP_WRITE));
        std::vector<int> seen;
        for (std::size_t n = 0; n < both.elements(); ++n)
          seen.push_back(static_cast<int>(both.target(n, static_cast<std::size_t>(column))));
        out.same("seen", fetch<int>(dseen), seen);
      }
      std::vector<int> count(both.targets());
      const op_dat dcount = declare_dat(nodes, 1, count, "count");
      run([](int *first_node, int *third_node) { *first_node += 1, *third_node += 100; }, "count", edges,
          through(edge_nodes, 0, dcount, OP_INC), through(edge_nodes, 3, dcount, OP_INC));
      for (std::size_t n = 0; n < both.elements(); ++n) ++count[both.target(n, 0)], count[both.target(n, 3)] += 100;
      out.same("count", fetch<int>(dcount), count);
    });
}

TEST_F(Maps, CompositionNeedsACommonSet) {
  const Session session;
  const op_set a = declare_set(2, "a"), b = declare_set(2, "b");
  const Topology mesh = random_map(2, 2, 1, 155);
  const op_map ab = declare_map(a, b, mesh);
  EXPECT_EQ(nullptr, op_map_compose(ab, ab, "abab"));
  EXPECT_STATUS(OP_ERR_SET, op_last_status());
  EXPECT_EQ(nullptr, op_map_compose(ab, nullptr, "none"));
  EXPECT_STATUS(OP_ERR_HANDLE, op_last_status());
  EXPECT_NE(nullptr, op_map_compose(ab, declare_map(b, a, mesh), "aa")) << op_last_error();
}

// Reads all columns through `map` and compares with the mesh.
void expect_entries(Outcome &out, op_map map, const Topology &mesh) {
  ASSERT_NE(nullptr, map) << op_last_error();
  const op_dat dseen = declare_dat(op_map_from(map), 3, std::vector<int>(3 * mesh.elements()), "seen");
  run([](const int *a, const int *b, const int *c, int *seen) { seen[0] = *a, seen[1] = *b, seen[2] = *c; }, "look",
      op_map_from(map), op_arg_idx(0, map), op_arg_idx(1, map), op_arg_idx(2, map), direct(dseen, OP_WRITE));
  out.same(op_map_name(map), fetch<int>(dseen), mesh.table);
}

// The entries this process declares, shifted, and overwritten as soon as the library has its copy.
template <class Index>
op_map declare_and_forget(op_set from, op_set to, const Topology &mesh, int base,
                          op_map (*declare)(op_set, op_set, int, const Index *, const char *), const char *name) {
  std::vector<Index> entries(mesh.table.begin() + own_part(mesh.from).first * mesh.dim, mesh.table.end());
  for (Index &entry : entries) entry += base;
  const op_map map = declare(from, to, mesh.dim, entries.data(), name);
  for (Index &entry : entries) entry = -1;
  return map;
}

TEST_F(Maps, BothWidthsOfEntries) {
  for (const Topology &mesh :
       {random_map(1, 1, 3, 156), random_map(20011, 8000, 3, 157), Topology{"empty", 0, 4, 3, {}}})
    compare([&mesh](Outcome &out) {
      const op_set edges = declare_set(mesh.from, "edges"), nodes = declare_set(mesh.to, "nodes");
      expect_entries(out, declare_and_forget(edges, nodes, mesh, 0, op_decl_map, "32 bits"), mesh);
      expect_entries(out, declare_and_forget(edges, nodes, mesh, 0, op_decl_map_long, "64 bits"), mesh);
    });
}

TEST_F(Maps, WideEntriesAreNotCutOff) {
  FOR_ONE_PROCESS("one element for each process is too few");
  const Session session;
  const op_set nodes = declare_set(4, "nodes");
  const op_gindex good[4] = {0, 1, 2, 3}, wide[4] = {0, 1, (op_gindex{1} << 32) + 2, 3},
                  negative[4] = {0, -(op_gindex{1} << 32), 2, 3};
  EXPECT_NE(nullptr, op_decl_map_long(nodes, nodes, 1, good, "good")) << op_last_error();
  for (const op_gindex *entries : {wide, negative}) {
    EXPECT_EQ(nullptr, op_decl_map_long(nodes, nodes, 1, entries, "bad"));
    EXPECT_STATUS(OP_ERR_RANGE, op_last_status());
  }
}

// OP2_MAPS_BASE_INDEX=1, and OP2's name of it: declarations count from 1, kernels and data know nothing of it.
TEST_F(Maps, CountedFromOne) {
  const Topology mesh = random_map(5000, 2000, 3, 158);
  for (const char *argument : {"OP2_MAPS_BASE_INDEX=1", "OP_MAPS_BASE_INDEX=1", "--OP2_MAPS_BASE_INDEX=1"}) {
    SCOPED_TRACE(argument);
    const Session session(std::vector<std::string>{"input.dat", argument});
    Outcome out;
    const op_set edges = declare_set(mesh.from, "edges"), nodes = declare_set(mesh.to, "nodes");
    expect_entries(out, declare_and_forget(edges, nodes, mesh, 1, op_decl_map, "32 bits"), mesh);
    expect_entries(out, declare_and_forget(edges, nodes, mesh, 1, op_decl_map_long, "64 bits"), mesh);
    const Topology next = random_map(2000, 300, 1, 159);
    const op_set cells = declare_set(300, "cells");
    const op_map composition =
        op_map_compose(declare_and_forget(edges, nodes, mesh, 1, op_decl_map, "first"),
                       declare_and_forget(nodes, cells, next, 1, op_decl_map, "second"), "composition");
    expect_entries(out, composition, composed(mesh, next));
  }
}

TEST_F(Maps, EntriesAreChecked) {
  FOR_ONE_PROCESS("three elements are too few");
  for (const int base : {0, 1}) {
    SCOPED_TRACE(base);
    const Session session(std::vector<std::string>{"OP2_MAPS_BASE_INDEX=" + std::to_string(base)});
    const op_set edges = declare_set(3, "edges"), nodes = declare_set(5, "nodes");
    for (const int wrong : {base - 1, base + 5}) {
      int entries[3] = {base, wrong, base + 4};
      EXPECT_EQ(nullptr, op_decl_map(edges, nodes, 1, entries, "wrong"));
      EXPECT_STATUS(OP_ERR_RANGE, op_last_status());
      entries[1] = base + 1;
      EXPECT_NE(nullptr, op_decl_map(edges, nodes, 1, entries, "right")) << op_last_error();
    }
  }
}

} // namespace conformance

// SPDX-License-Identifier: MIT
