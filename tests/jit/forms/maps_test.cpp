// Maps of many columns, rows that meet, accesses that vectors cannot have.
#include "lab.hpp"
#include "maps_kernels.h"

namespace forms {

namespace {

struct Mesh {
  op_set edges, nodes;
  int size, targets;
  std::uint64_t seed;
  Mesh(int edges_, int nodes_, std::uint64_t seed_)
      : edges(op_decl_set(edges_, "edges")),
        nodes(op_decl_set(nodes_, "nodes")),
        size(edges_),
        targets(nodes_),
        seed(seed_) {}
  op_map map(int dim, int to = -1) {
    return op_decl_map(edges, nodes, dim, random_table(size, dim, to < 0 ? targets : to, seed++).data(), "map");
  }
  template <class T>
  std::vector<T> values(op_set set, int dim) {
    return numbers<T>(static_cast<std::size_t>(op_get_size(set) * dim), seed++);
  }
  template <class T>
  op_dat data(op_set set, int dim) {
    return dat<T>(set, dim, values<T>(set, dim), "data");
  }
};

} // namespace

using Maps = Forms;

TEST_F(Maps, OfUpToEightColumns) {
  everywhere(Reach::wide, [](Results &results) {
    Mesh mesh(517, 90, 1);
    op_map maps[9] = {};
    op_dat a[9] = {};
    for (int dim = 2; dim <= 8; ++dim) {
      maps[dim] = mesh.map(dim, dim == 5 ? 3 : -1); // few targets: columns of one element lead to the same row
      a[dim] = mesh.data<double>(mesh.nodes, 1);
    }
    const op_dat out = zeros<double>(mesh.edges, 7, "out");
    FORMS_RUN(all_columns, "all_columns", mesh.edges, rows(maps[2], 2, a[2], OP_READ), rows(maps[3], 3, a[3], OP_READ),
              rows(maps[4], 4, a[4], OP_READ), rows(maps[5], 5, a[5], OP_READ), rows(maps[6], 6, a[6], OP_READ),
              rows(maps[7], 7, a[7], OP_READ), rows(maps[8], 8, a[8], OP_READ), direct(out, OP_WRITE));
    results.form("all_columns", Form::vector8);
    results.same("all_columns", fetch<double>(out));

    const auto add = [&](const std::vector<double> &weights, const std::string &name) {
      const op_dat y2 = zeros<double>(mesh.nodes, 1, "y2"), y3 = zeros<double>(mesh.nodes, 2, "y3"),
                   y5 = zeros<double>(mesh.nodes, 3, "y5"), y8 = zeros<double>(mesh.nodes, 1, "y8");
      FORMS_RUN(add_to_all, name.c_str(), mesh.edges, direct(dat<double>(mesh.edges, 2, weights, "w"), OP_READ),
                rows(maps[2], 2, y2, OP_INC), rows(maps[3], 3, y3, OP_INC), rows(maps[5], 5, y5, OP_INC),
                rows(maps[8], 8, y8, OP_INC));
      results.form(name, Form::vector8);
      return std::vector<op_dat>{y2, y3, y5, y8};
    };
    const std::vector<double> weights = mesh.values<double>(mesh.edges, 2);
    const std::vector<op_dat> y = add(weights, "add_to_all"), z = add(magnitudes_of(weights), "add_magnitudes");
    for (std::size_t i = 0; i < y.size(); ++i)
      results.sums("add_to_all" + std::to_string(i), fetch<double>(y[i]), fetch<double>(z[i]));
  });
}

TEST_F(Maps, WithLongRows) {
  everywhere(Reach::native, [](Results &results) {
    Mesh mesh(333, 80, 2);
    const op_map four = mesh.map(4), eight = mesh.map(8);
    const op_dat a = zeros<double>(mesh.edges, 1, "a"), b = zeros<double>(mesh.edges, 1, "b"),
                 c = zeros<double>(mesh.edges, 1, "c");
    FORMS_RUN(area, "area", mesh.edges, rows(four, 4, mesh.data<double>(mesh.nodes, 2), OP_READ), direct(a, OP_WRITE));
    FORMS_RUN(eight_by_eight, "eight_by_eight", mesh.edges, rows(eight, 8, mesh.data<double>(mesh.nodes, 8), OP_READ),
              direct(b, OP_WRITE));
    FORMS_RUN(eight_by_nine, "eight_by_nine", mesh.edges, rows(eight, 8, mesh.data<double>(mesh.nodes, 9), OP_READ),
              direct(c, OP_WRITE));
    results.form("area", Form::vector8);
    results.form("eight_by_eight", Form::vector8);
    results.form("eight_by_nine", Form::scalar);
    results.same("area", fetch<double>(a));
    results.same("eight_by_eight", fetch<double>(b));
    results.same("eight_by_nine", fetch<double>(c));
  });
}

TEST_F(Maps, ThatMeetInOneRow) {
  everywhere(Reach::wide, [](Results &results) {
    const int size = 400;
    const op_set cells = op_decl_set(size, "cells");
    const op_map map = op_decl_map(cells, cells, 3, random_table(size, 3, size, 5).data(), "map"),
                 other = op_decl_map(cells, cells, 2, random_table(size, 2, 9, 6).data(), "other");
    const op_dat x = dat<double>(cells, 2, numbers<double>(800, 7), "x"), out = zeros<double>(cells, 3, "out");
    FORMS_RUN(meet, "meet", cells, through(map, 0, x, OP_READ), through(map, 2, x, OP_READ),
              through(map, 0, x, OP_READ), through(other, 1, x, OP_READ), direct(x, OP_READ), direct(out, OP_WRITE));
    results.form("meet", Form::vector8);
    results.same("meet", fetch<double>(out));
    const op_dat weights = dat<double>(cells, 2, numbers<double>(800, 8, -1, 1), "w"), y = zeros<double>(cells, 2, "y");
    FORMS_RUN(add_twice, "add_twice", cells, direct(weights, OP_READ), through(map, 0, y, OP_INC),
              through(map, 1, y, OP_INC), through(map, 0, y, OP_INC), through(other, 0, y, OP_INC));
    results.form("add_twice", Form::vector8);
    std::vector<double> count(800); // of terms, which are at most 1
    const std::vector<int> a = random_table(size, 3, size, 5), b = random_table(size, 2, 9, 6);
    for (std::size_t n = 0; n < static_cast<std::size_t>(size); ++n) {
      for (const int row : {a[3 * n], a[3 * n + 1], b[2 * n]})
        for (std::size_t c = 0; c < 2; ++c) count[2 * static_cast<std::size_t>(row) + c] += 1;
    }
    results.sums("add_twice", fetch<double>(y), count);

    const op_set edges = op_decl_set(1000, "edges");
    const op_map to = op_decl_map(edges, cells, 1, random_table(1000, 1, 50, 9).data(), "to");
    const op_dat zero = dat<double>(cells, 2, std::vector<double>(800, -0.0), "zero");
    FORMS_RUN(add_to_some, "add_to_some", edges, direct(dat<double>(edges, 2, numbers<double>(2000, 10), "w"), OP_READ),
              through(to, 0, zero, OP_INC));
    results.form("add_to_some", Form::vector8);
    const std::vector<double> untouched = fetch<double>(zero);
    for (std::size_t n = 0; n < 400; ++n) ASSERT_TRUE(std::signbit(untouched[2 * n + 1])) << "row " << n;
  });
}

TEST_F(Maps, OfRowsThatAreAddedToAtAnIndexOfTheElement) {
  const Body body = [](Results &results) {
    Mesh mesh(1203, 40, 11);
    const op_map map = mesh.map(2); // now and then both columns lead to the same row
    const op_dat at = mesh.data<int>(mesh.edges, 2), w = mesh.data<double>(mesh.edges, 2),
                 some = zeros<double>(mesh.nodes, 4, "some"), counts = zeros<int>(mesh.nodes, 8, "counts"),
                 mixed = zeros<float>(mesh.nodes, 4, "mixed"),
                 once = dat<double>(mesh.nodes, 8, std::vector<double>(320, -0.0), "once");
    FORMS_RUN(add_at_own_index, "add_at_own_index", mesh.edges, direct(at, OP_READ), direct(w, OP_READ),
              through(map, 0, once, OP_INC), through(map, 1, once, OP_INC));
    FORMS_RUN(add_some_at_own_index, "add_some_at_own_index", mesh.edges, direct(at, OP_READ), direct(w, OP_READ),
              through(map, 0, some, OP_INC), through(map, 1, some, OP_INC));
    FORMS_RUN(count_at_own_index, "count_at_own_index", mesh.edges, direct(at, OP_READ), direct(w, OP_READ),
              through(map, 0, counts, OP_INC), through(map, 1, mixed, OP_INC));
    for (const char *name : {"add_at_own_index", "add_some_at_own_index", "count_at_own_index"})
      results.form(name, Form::vector8);
    results.sums("once", fetch<double>(once), std::vector<double>(320, 100.0));
    results.sums("some", fetch<double>(some), std::vector<double>(160, 1000.0));
    results.same("counts", fetch<int>(counts));
    results.sums("mixed", fetch<float>(mixed), std::vector<float>(160, 50000.0f));
  };
  everywhere(Reach::wide, body);
  // Were the text of scalar code refused by the compiler, vectors would be taken in its place.
  const auto is_scalar = [&](Results &results) {
    body(results);
    for (const char *name : {"add_at_own_index", "add_some_at_own_index", "count_at_own_index"})
      EXPECT_EQ("scalar", form_of(name)) << name;
  };
  in_session({"scalar form", {"OP2_JIT=on", "OP2_JIT_MIN_ELEMENTS=0", "OP2_JIT_FORM=scalar"}, "seq", 1, 16, true},
             is_scalar);
}

TEST_F(Maps, AndTheNumbersOfElements) {
  everywhere(Reach::wide, [](Results &results) {
    Mesh mesh(1001, 60, 3);
    const op_map map = mesh.map(3);
    double factor = 1.5;
    const op_dat own = zeros<int>(mesh.edges, 2, "own"), real = zeros<double>(mesh.edges, 1, "real"),
                 single = zeros<float>(mesh.edges, 1, "single"), wide = zeros<long long>(mesh.edges, 1, "wide");
    FORMS_RUN(numbers_of, "numbers_of", mesh.edges, op_arg_idx(-1, OP_ID), op_arg_idx(0, map), op_arg_idx(2, map),
              global(&factor, 1, OP_READ), direct(own, OP_WRITE), direct(real, OP_WRITE), direct(single, OP_WRITE),
              direct(wide, OP_WRITE));
    results.form("numbers_of", Form::vector8);
    results.same("own", fetch<int>(own));
    results.same("real", fetch<double>(real));
    results.same("single", fetch<float>(single));
    results.same("wide", fetch<long long>(wide));
  });
}

TEST_F(Maps, ThatMayBeSwitchedOff) {
  everywhere(Reach::native, [](Results &results) {
    Mesh mesh(300, 60, 4);
    const op_map map = mesh.map(2);
    const op_dat a = mesh.data<double>(mesh.edges, 1), b = mesh.data<double>(mesh.nodes, 1);
    double factor = 0.75;
    for (int with = 0; with < 8; ++with) {
      const std::string name = "perhaps" + std::to_string(with);
      const op_dat sum = zeros<double>(mesh.nodes, 1, "sum"), out = zeros<double>(mesh.edges, 1, "out");
      op_arg gbl = global(&factor, 1, OP_READ);
      gbl.opt = with & 4 ? 1 : 0;
      FORMS_RUN(perhaps, name.c_str(), mesh.edges, direct(a, OP_READ),
                op_opt_arg_dat(with & 1, b, 1, map, 1, "double", OP_READ),
                op_opt_arg_dat(with & 2, sum, 0, map, 1, "double", OP_INC), gbl, direct(out, OP_WRITE));
      results.form(name, Form::vector8);
      results.same(name, fetch<double>(out));
      const std::vector<double> one(60, 60.0);
      results.sums(name + " sum", fetch<double>(sum), one);
    }
  });
}

TEST_F(Maps, WhoseAccessesVectorsCannotHave) {
  everywhere(Reach::native, [](Results &results) {
    Mesh mesh(500, 500, 5);
    std::vector<int> shuffled(500);
    for (int i = 0; i < 500; ++i) shuffled[static_cast<std::size_t>(i)] = (i * 77 + 13) % 500; // one to one
    const op_map map = op_decl_map(mesh.edges, mesh.nodes, 1, shuffled.data(), "map");
    const op_dat w = mesh.data<double>(mesh.edges, 1), x = mesh.data<double>(mesh.nodes, 1),
                 i = zeros<int>(mesh.nodes, 1, "i");
    FORMS_RUN(change_through_map, "change_through_map", mesh.edges, direct(w, OP_READ), through(map, 0, x, OP_RW));
    FORMS_RUN(set_through_map, "set_through_map", mesh.edges, op_arg_idx(-1, OP_ID), through(map, 0, i, OP_WRITE));
    results.form("change_through_map", Form::vector8);
    results.form("set_through_map", Form::vector4);
    results.same("change_through_map", fetch<double>(x));
    results.same("set_through_map", fetch<int>(i));
    shuffled[499] = shuffled[3];
    const op_map twice = op_decl_map(mesh.edges, mesh.nodes, 1, shuffled.data(), "twice");
    FORMS_RUN(change_through_map, "change twice", mesh.edges, direct(w, OP_READ), through(twice, 0, x, OP_RW));
    results.form("change twice", Form::scalar);
    results.same("change twice", fetch<double>(x));

    const op_set cells = op_decl_set(300, "cells");
    std::vector<int> halves(300); // reads rows 150 ... 299 and adds to the others
    for (int n = 0; n < 300; ++n) halves[static_cast<std::size_t>(n)] = 150 + n % 150;
    std::vector<int> others(300);
    for (int n = 0; n < 300; ++n) others[static_cast<std::size_t>(n)] = n % 150;
    const op_map from = op_decl_map(cells, cells, 1, halves.data(), "from"),
                 to = op_decl_map(cells, cells, 1, others.data(), "to");
    const op_dat y = dat<double>(cells, 1, numbers<double>(300, 6), "y");
    FORMS_RUN(read_and_add, "read_and_add", cells, through(from, 0, y, OP_READ), through(to, 0, y, OP_INC));
    results.form("read_and_add", Form::scalar);
    results.sums("read_and_add", fetch<double>(y), std::vector<double>(300, 3.0));
  });
}

TEST_F(Maps, OfTypesThatAreNoNumbers) {
  everywhere(Reach::native, [](Results &results) {
    const op_set cells = op_decl_set(321, "cells");
    std::vector<pair_of_values> pairs(321);
    Random random(7);
    for (pair_of_values &pair : pairs) {
      std::memset(static_cast<void *>(&pair), 0, sizeof pair);
      pair.a = random.between(-5, 5);
      pair.b = random.below(100);
    }
    const char *bytes = reinterpret_cast<const char *>(pairs.data());
    const int size = static_cast<int>(sizeof(pair_of_values));
    const op_dat p = op_decl_dat_char(cells, 1, "pair_of_values", size, bytes, "p"),
                 q = op_decl_dat_char(cells, 1, "pair_of_values", size, bytes, "q"),
                 out = zeros<double>(cells, 1, "out");
    FORMS_RUN(own_type, "own_type", cells, direct(p, OP_READ), direct(out, OP_WRITE), direct(q, OP_RW));
    results.form("own_type", Form::scalar);
    results.same("own_type", fetch<double>(out));
    std::vector<pair_of_values> after(321);
    EXPECT_EQ(OP_OK, op_fetch_data_all(q, after.data()));
    std::vector<double> parts;
    for (const pair_of_values &pair : after) parts.insert(parts.end(), {pair.a, static_cast<double>(pair.b)});
    results.same("own_type q", parts);

    const std::vector<int> a = numbers<int>(321, 8);
    std::vector<char> f(321);
    for (std::size_t n = 0; n < f.size(); ++n) f[n] = n % 3 == 0;
    const op_dat df = op_decl_dat(cells, 1, "bool", f.data(), "f"), dg = op_decl_dat(cells, 1, "bool", nullptr, "g"),
                 da = dat<int>(cells, 1, a, "a"), db = zeros<int>(cells, 1, "b");
    FORMS_RUN(flags, "flags", cells, direct(df, OP_READ), direct(da, OP_READ), direct(dg, OP_WRITE),
              direct(db, OP_WRITE));
    results.form("flags", Form::scalar);
    std::vector<char> g(321);
    EXPECT_EQ(OP_OK, op_fetch_data_all(dg, g.data()));
    results.same("flags g", std::vector<int>(g.begin(), g.end()));
    results.same("flags b", fetch<int>(db));
  });
}

TEST_F(Maps, AndRowsOfMixedWidths) {
  everywhere(Reach::wide, [](Results &results) {
    Mesh mesh(600, 77, 9);
    const op_map map = mesh.map(1);
    const op_dat f4 = zeros<float>(mesh.edges, 4, "f4"), d2 = zeros<double>(mesh.edges, 2, "d2"),
                 i4 = zeros<int>(mesh.edges, 4, "i4"), f1 = zeros<float>(mesh.edges, 1, "f1");
    FORMS_RUN(mixed_widths, "mixed_widths", mesh.edges, through(map, 0, mesh.data<float>(mesh.nodes, 1), OP_READ),
              direct(mesh.data<double>(mesh.edges, 1), OP_READ), direct(mesh.data<int>(mesh.edges, 1), OP_READ),
              direct(f4, OP_WRITE), direct(d2, OP_WRITE), direct(i4, OP_WRITE), direct(f1, OP_WRITE));
    results.form("mixed_widths", Form::vector8);
    results.same("f4", fetch<float>(f4));
    results.same("d2", fetch<double>(d2));
    results.same("i4", fetch<int>(i4));
    results.same("f1", fetch<float>(f1));
  });
}

// A grid of cells row by row, its two kinds of edges in turn: rows of elements have unit stride, alone and in pairs
// that alternate, and the ends of the grid's rows break them.
TEST_F(Maps, OfMeshesInGoodOrder) {
  everywhere(Reach::wide, [](Results &results) {
    const int width = 53, height = 19;
    std::vector<int> edge_cells, cell_nodes;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const int cell = y * width + x, node = y * (width + 1) + x;
        cell_nodes.insert(cell_nodes.end(), {node, node + 1, node + width + 1, node + width + 2});
        if (x + 1 < width) edge_cells.insert(edge_cells.end(), {cell + 1, cell});
        if (y + 1 < height) edge_cells.insert(edge_cells.end(), {cell, cell + width});
      }
    const int size = static_cast<int>(edge_cells.size() / 2);
    const op_set cells = op_decl_set(width * height, "cells"), edges = op_decl_set(size, "edges"),
                 nodes = op_decl_set((width + 1) * (height + 1), "nodes");
    const op_map ends = op_decl_map(edges, cells, 2, edge_cells.data(), "ends"),
                 corners = op_decl_map(cells, nodes, 4, cell_nodes.data(), "corners");
    const auto values = [](op_set set, int dim, std::uint64_t seed) {
      return numbers<double>(static_cast<std::size_t>(op_get_size(set) * dim), seed);
    };
    const op_dat q = dat<double>(cells, 4, values(cells, 4, 21), "q"),
                 w = dat<double>(edges, 1, values(edges, 1, 22), "w"), r = zeros<double>(cells, 4, "r"),
                 x = dat<double>(nodes, 2, values(nodes, 2, 23), "x"), out = zeros<double>(cells, 1, "out");
    FORMS_RUN(exchange, "exchange", edges, through(ends, 0, q, OP_READ), through(ends, 1, q, OP_READ),
              direct(w, OP_READ), through(ends, 0, r, OP_INC), through(ends, 1, r, OP_INC));
    results.form("exchange", Form::vector8);
    results.sums("exchange", fetch<double>(r), std::vector<double>(static_cast<std::size_t>(4 * width * height), 16.0));
    double sum = 0;
    FORMS_RUN(gather_four, "gather_four", cells, rows(corners, 4, x, OP_READ), direct(out, OP_WRITE),
              global(&sum, 1, OP_INC));
    results.form("gather_four", Form::vector8);
    results.same("gather_four", fetch<double>(out));
    results.sums("gather_four sum", std::vector<double>{sum}, std::vector<double>{2.0 * width * height});
  });
}

} // namespace forms

// SPDX-License-Identifier: MIT
