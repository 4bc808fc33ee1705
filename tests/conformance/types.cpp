// Every type of data, under every spelling of its name.
#include "op2/user_types.h"
#include "suite.hpp"

namespace conformance {

using Types = Topic;

template <class T, int Dim>
void move_about(const Topology &mesh) {
  compare([&mesh](Outcome &out) {
    const bool truth = std::is_same_v<T, Flag>;
    const op_set edges = declare_set(mesh.from, "edges"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(edges, nodes, mesh);
    const std::vector<T> a = whole<T>(mesh.elements() * Dim, 130, 0, truth ? 1 : 100);
    std::vector<T> b(mesh.elements() * Dim), x = whole<T>(mesh.targets() * Dim, 131, 0, truth ? 1 : 100),
                                             y(mesh.elements() * Dim);
    const op_dat da = declare_dat(edges, Dim, a, "a"), db = declare_dat(edges, Dim, b, "b"),
                 dx = declare_dat(nodes, Dim, x, "x"), dy = declare_dat(edges, Dim, y, "y");
    run(
        [](const T *r, T *w) {
          for (int i = 0; i < Dim; ++i) w[i] = r[Dim - 1 - i];
        },
        "direct", edges, direct(da, OP_READ), direct(db, OP_WRITE));
    run(
        [](const T *r, const T *s, T *w) {
          for (int i = 0; i < Dim; ++i) w[i] = T(r[i] != 0 || s[i] != 0);
        },
        "gather", edges, through(map, 0, dx, OP_READ), direct(db, OP_READ), direct(dy, OP_WRITE));
    run(
        [](const T *r, T *w, T *rw) {
          for (int i = 0; i < Dim; ++i) w[i] = r[i], rw[i] = T(rw[i] == 0);
        },
        "scatter", edges, direct(da, OP_READ), through(map, 0, dx, OP_WRITE), through(map, 1, dx, OP_RW));
    for (std::size_t n = 0; n < mesh.elements(); ++n)
      for (std::size_t i = 0; i < Dim; ++i) {
        b[n * Dim + i] = a[n * Dim + Dim - 1 - i];
        y[n * Dim + i] = T(x[mesh.target(n, 0) * Dim + i] != 0 || b[n * Dim + i] != 0);
        x[mesh.target(n, 0) * Dim + i] = a[n * Dim + i];
        x[mesh.target(n, 1) * Dim + i] = T(x[mesh.target(n, 1) * Dim + i] == 0);
      }
    out.same("b", fetch<T>(db), b);
    out.same("x", fetch<T>(dx), x);
    out.same("y", fetch<T>(dy), y);
  });
}

TEST_F(Types, ReadAndWrite) {
  every_type([]<class T>(T) {
    for (const Topology &mesh : every_injective_mesh()) {
      SCOPED_TRACE(mesh.name);
      move_about<T, 1>(mesh);
      move_about<T, 3>(mesh);
    }
  });
}

// Direct and indirect increments; whole numbers, so that every type must be exact.
TEST_F(Types, Increment) {
  every_type([]<class T>(T) {
    if constexpr (!std::is_same_v<T, Flag>)
      compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
        const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
        const op_map map = declare_map(cells, nodes, mesh);
        const std::vector<T> w = whole<T>(mesh.elements(), 132, 0, 20);
        std::vector<T> own(mesh.elements(), T(1)), sum(2 * mesh.targets(), T(5));
        const op_dat dw = declare_dat(cells, 1, w, "w"), down = declare_dat(cells, 1, own, "own"),
                     dsum = declare_dat(nodes, 2, sum, "sum");
        run([](const T *a, T *o, T *p, T *q) { *o += *a, p[0] += *a, q[1] += 3 * *a; }, "add", cells,
            direct(dw, OP_READ), direct(down, OP_INC), through(map, 0, dsum, OP_INC), through(map, 3, dsum, OP_INC));
        for (std::size_t n = 0; n < w.size(); ++n)
          own[n] += w[n], sum[2 * mesh.target(n, 0)] += w[n], sum[2 * mesh.target(n, 3) + 1] += 3 * w[n];
        out.same("own", fetch<T>(down), own);
        out.same("sum", fetch<T>(dsum), sum);
      });
  });
}

// Truth values that many elements set: the increment of a bool.
TEST_F(Types, IncrementOfTruth) {
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<Flag> wet = whole<Flag>(mesh.elements(), 133, 0, 1);
    std::vector<Flag> touched(mesh.targets());
    const op_dat dwet = declare_dat(cells, 1, wet, "wet"), dtouched = declare_dat(nodes, 1, touched, "touched");
    run(
        [](const Flag *w, Flag **t) {
          for (int c = 0; c < 4; ++c) *t[c] |= *w;
        },
        "wet", cells, direct(dwet, OP_READ), rows(map, 4, dtouched, OP_INC));
    for (std::size_t n = 0; n < wet.size(); ++n)
      for (std::size_t c = 0; c < 4; ++c) touched[mesh.target(n, c)] |= wet[n];
    out.same("touched", fetch<Flag>(dtouched), touched);
  });
}

// A type of the user's own, with fields of different sizes.
struct Particle {
  double x[2];
  float mass;
  short kind;
  char tag[2];
};

TEST_F(Types, StructOfTheUser) {
  compare_on_meshes(every_injective_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set edges = declare_set(mesh.from, "edges"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(edges, nodes, mesh);
    const auto particles = [](std::size_t n, std::uint64_t seed) {
      Random random(seed);
      std::vector<Particle> list(2 * n);
      for (Particle &p : list)
        p = {{random.real(), random.real()},
             static_cast<float>(random.below(100)),
             static_cast<short>(random.below(9)),
             {'o', 'p'}};
      return list;
    };
    const auto declare = [](op_set set, const std::vector<Particle> &list, const char *name) {
      const std::ptrdiff_t first = own_part(static_cast<int>(op_get_size(set))).first;
      return op_decl_dat_char(set, 2, "particle", sizeof(Particle),
                              reinterpret_cast<const char *>(list.data() + 2 * first), name);
    };
    const std::vector<Particle> a = particles(mesh.elements(), 134);
    std::vector<Particle> b = particles(mesh.targets(), 135), c = particles(mesh.elements(), 136);
    const op_dat da = declare(edges, a, "a"), db = declare(nodes, b, "b"), dc = declare(edges, c, "c");
    run([](const Particle *p, const Particle *q, Particle *r) { r[0] = q[1], r[1] = p[0], r[1].kind += 1; }, "gather",
        edges, direct(da, OP_READ), through(map, 1, db, OP_READ), direct(dc, OP_WRITE));
    run([](const Particle *p, Particle *q) { q[0] = p[1], q[1] = p[0], q[0].tag[1] = '2'; }, "scatter", edges,
        direct(da, OP_READ), through(map, 0, db, OP_WRITE));
    for (std::size_t n = 0; n < mesh.elements(); ++n)
      c[2 * n] = b[2 * mesh.target(n, 1) + 1], c[2 * n + 1] = a[2 * n], c[2 * n + 1].kind += 1;
    for (std::size_t n = 0; n < mesh.elements(); ++n) {
      Particle *q = &b[2 * mesh.target(n, 0)];
      q[0] = a[2 * n + 1], q[1] = a[2 * n], q[0].tag[1] = '2';
    }
    out.same("b", fetch<Particle>(db), b);
    out.same("c", fetch<Particle>(dc), c);
  });
}

// A global of the user's type, read by all elements.
TEST_F(Types, StructAsGlobal) {
  compare([](Outcome &out) {
    const op_set cells = declare_set(3000, "cells");
    const op_dat dx = declare_dat(cells, 1, std::vector<double>(3000), "x");
    Particle pair[2] = {{{1, 2}, 3, 4, {5, 6}}, {{10, 20}, 30, 40, {50, 60}}};
    run([](const Particle *p, double *x) { *x = p[1].x[1] + p[0].mass + p[1].kind; }, "read", cells,
        op_arg_gbl_char(reinterpret_cast<char *>(pair), 2, "particle", sizeof(Particle), OP_READ),
        direct(dx, OP_WRITE));
    out.same("x", fetch<double>(dx), std::vector<double>(3000, 63));
  });
}

// All spellings of a name are one type; ":soa" is a hint that changes nothing for the user.
TEST_F(Types, SpellingsOfANameAreOneType) {
  const std::vector<std::vector<const char *>> spellings = {
      {"double", "r8", "real(8)", "real*8", "double:soa", "real(8):soa"},
      {"float", "r4", "real(4)", "real*4", "float:soa", "real*4:soa"},
      {"int", "i4", "integer(4)", "integer*4", "int:soa", "i4:soa"}};
  const auto add = []<class T>(T, const char *declared, const char *used) {
    compare([&](Outcome &out) {
      const Topology mesh = quads(20, 10);
      const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
      const op_map map = declare_map(cells, nodes, mesh);
      const op_dat dx = op_decl_dat(nodes, 2, declared, nullptr, "x");
      ASSERT_NE(nullptr, dx) << op_last_error();
      T sum = 0;
      run([](T *p) { p[0] += 1, p[1] += 2; }, "one", nodes, op_arg_dat(dx, -1, OP_ID, 2, used, OP_RW));
      run([](T *p) { p[1] += 3; }, "two", cells, op_arg_dat(dx, 2, map, 2, used, OP_INC));
      run([](const T *p, T *s) { *s += p[1]; }, "sum", nodes, op_arg_dat(dx, -1, OP_ID, 2, declared, OP_READ),
          op_arg_gbl(&sum, 1, used, OP_INC));
      std::vector<T> x;
      for (std::size_t n = 0; n < mesh.targets(); ++n) x.insert(x.end(), {T(1), T(2)});
      for (std::size_t n = 0; n < mesh.elements(); ++n) x[2 * mesh.target(n, 2) + 1] += 3;
      out.same("x", fetch<T>(dx), x);
      out.same<T>("sum", {sum}, {static_cast<T>(2 * mesh.to + 3 * mesh.from)});
    });
  };
  for (const std::vector<const char *> &names : spellings)
    for (std::size_t i = 0; i < names.size(); ++i) {
      SCOPED_TRACE(names[i]);
      const char *other = names[(i + 1) % names.size()];
      if (names == spellings[0]) add(0.0, names[i], other);
      if (names == spellings[1]) add(0.0f, names[i], other);
      if (names == spellings[2]) add(0, names[i], other);
    }
}

// The hint is no part of a user type's name either.
TEST_F(Types, SoaHintOfAUserType) {
  compare([](Outcome &out) {
    const op_set cells = declare_set(500, "cells");
    const op_dat dp = op_decl_dat_char(cells, 3, "particle:soa", sizeof(Particle), nullptr, "p");
    ASSERT_NE(nullptr, dp) << op_last_error();
    run(
        [](Particle *p) {
          for (int i = 0; i < 3; ++i) p[i] = {{1.0 * i, 2}, 3, 4, {5, 6}};
        },
        "fill", cells, op_arg_dat(dp, -1, OP_ID, 3, "particle", OP_WRITE));
    std::vector<Particle> p;
    for (int n = 0; n < 500; ++n)
      for (int i = 0; i < 3; ++i) p.push_back({{1.0 * i, 2}, 3, 4, {5, 6}});
    out.same("p", fetch<Particle>(dp), p);
  });
}

} // namespace conformance

// SPDX-License-Identifier: MIT
