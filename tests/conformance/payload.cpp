// op_arg_payload: what belongs to the winning element of a minimum or maximum. Among equals the lowest number wins.
#include <cstdlib>

#include "op2/fortran_support.h"
#include "op2/user_types.h"
#include "suite.hpp"

namespace conformance {

using Payload = Topic;

// Few different values, so nearly every extremum has many elements to choose from.
std::vector<int> heights(std::size_t n, std::uint64_t seed) { return whole<int>(n, seed, 0, 4); }

TEST_F(Payload, LowestElementWinsAmongEquals) {
  if (std::getenv("OP2TEST_DIVIDE")) FOR_ONE_PROCESS("among equals of a divided set another one may win");
  for (const int size : every_size()) {
    SCOPED_TRACE(size);
    compare([size](Outcome &out) {
      const std::size_t n = static_cast<std::size_t>(size);
      const op_set cells = declare_set(size, "cells");
      const std::vector<int> x = heights(n, 120), id = counted(n);
      const op_dat dx = declare_dat(cells, 1, x, "x"), did = declare_dat(cells, 1, id, "id");
      int most = -1, where = -7, wanted = -1, wanted_where = -7; // an empty set leaves both as they are
      run(
          [](const int *a, const int *i, int *m, int *w) {
            if (*m < *a) *m = *a, *w = *i;
          },
          "highest", cells, direct(dx, OP_READ), direct(did, OP_READ), global(&most, 1, OP_MAX),
          op_arg_payload(&where, 1, "int", 2));
      for (std::size_t i = 0; i < n; ++i)
        if (wanted < x[i]) wanted = x[i], wanted_where = id[i];
      out.same<int>("highest, where", {most, where}, {wanted, wanted_where});
    });
  }
}

// Three minima with two values each and two maxima with one each, payloads before, between and behind their extrema.
TEST_F(Payload, SeveralComponentsAndBothDirections) {
  if (std::getenv("OP2TEST_DIVIDE")) FOR_ONE_PROCESS("among equals of a divided set another one may win");
  for (const int size : every_size()) {
    SCOPED_TRACE(size);
    compare([size](Outcome &out) {
      const std::size_t n = static_cast<std::size_t>(size);
      const op_set cells = declare_set(size, "cells");
      const std::vector<int> x = heights(3 * n, 121), id = counted(n);
      const op_dat dx = declare_dat(cells, 3, x, "x"), did = declare_dat(cells, 1, id, "id");
      std::vector<double> least(3, 99), most(2, -99), wanted_least = least, wanted_most = most;
      std::vector<int> at_least(6, -1), at_most(2, -1), wanted_at_least = at_least, wanted_at_most = at_most;
      run(
          [](int *al, const int *a, const int *i, double *l, double *m, int *am) {
            for (int c = 0; c < 3; ++c)
              if (a[c] < l[c]) l[c] = a[c], al[2 * c] = *i, al[2 * c + 1] = -*i * (c + 1);
            for (int c = 0; c < 2; ++c)
              if (m[c] < a[c + 1]) m[c] = a[c + 1], am[c] = *i;
          },
          "extrema", cells, op_arg_payload(at_least.data(), 6, "int", 3), direct(dx, OP_READ), direct(did, OP_READ),
          global(least, OP_MIN), global(most, OP_MAX), op_arg_payload(at_most.data(), 2, "int", 4));
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t c = 0; c < 3; ++c)
          if (x[3 * i + c] < wanted_least[c]) {
            wanted_least[c] = x[3 * i + c];
            wanted_at_least[2 * c] = id[i], wanted_at_least[2 * c + 1] = -id[i] * static_cast<int>(c + 1);
          }
        for (std::size_t c = 0; c < 2; ++c)
          if (wanted_most[c] < x[3 * i + c + 1]) wanted_most[c] = x[3 * i + c + 1], wanted_at_most[c] = id[i];
      }
      out.same("least", least, wanted_least);
      out.same("at least", at_least, wanted_at_least);
      out.same("most", most, wanted_most);
      out.same("at most", at_most, wanted_at_most);
    });
  }
}

// A starting value that no element beats, or only equals, keeps its payload.
TEST_F(Payload, StartingValueKeepsItsPayload) {
  if (std::getenv("OP2TEST_DIVIDE")) FOR_ONE_PROCESS("among equals of a divided set another one may win");
  compare([](Outcome &out) {
    const op_set cells = declare_set(20000, "cells");
    const op_dat dx = declare_dat(cells, 1, heights(20000, 122), "x");
    std::vector<int> most = {4, 3}, where = {-11, -12};
    run(
        [](const int *a, int *m, int *w) {
          for (int c = 0; c < 2; ++c)
            if (m[c] < *a) m[c] = *a, w[c] = 5;
        },
        "highest", cells, direct(dx, OP_READ), global(most, OP_MAX), op_arg_payload(where.data(), 2, "int", 1));
    out.same<int>("highest", most, {4, 4});
    out.same<int>("where", where, {-11, 5});
  });
}

// Two payloads of one extremum, one of them a struct of the user's, and the pointer-out twin of the argument.
struct Place {
  double x[2];
  int id, kind;
};

TEST_F(Payload, StructAndSecondPayload) {
  if (std::getenv("OP2TEST_DIVIDE")) FOR_ONE_PROCESS("among equals of a divided set another one may win");
  compare([](Outcome &out) {
    const std::size_t n = 50000;
    const op_set cells = declare_set(static_cast<int>(n), "cells");
    const std::vector<int> height = heights(n, 123), id = counted(n);
    const std::vector<double> x = reals(2 * n, 124);
    const op_dat dheight = declare_dat(cells, 1, height, "height"), did = declare_dat(cells, 1, id, "id"),
                 dx = declare_dat(cells, 2, x, "x");
    unsigned long long most = 0;
    Place place = {{0, 0}, -1, -1}, wanted = place;
    float copy = -1;
    op_arg second;
    op_arg_payload_to(&second, &copy, 1, "float", 0, 3);
    run(
        [](const int *h, const int *i, const double *a, unsigned long long *m, Place *p, float *c) {
          const auto value = static_cast<unsigned long long>(*h);
          if (*m < value) *m = value, *p = {{a[0], a[1]}, *i, *h}, *c = static_cast<float>(*i);
        },
        "highest", cells, direct(dheight, OP_READ), direct(did, OP_READ), direct(dx, OP_READ), global(&most, 1, OP_MAX),
        op_arg_payload_char(reinterpret_cast<char *>(&place), 1, "place", sizeof place, 3), second);
    for (std::size_t i = n; i-- > 0;)
      if (height[i] == 4) wanted = {{x[2 * i], x[2 * i + 1]}, id[i], 4};
    out.same<Place>("place", {place}, {wanted});
    out.same<float>("copy", {copy}, {static_cast<float>(wanted.id)});
  });
}

// Where elements run colour by colour, the lowest number still wins.
TEST_F(Payload, InLoopsThatIncrement) {
  FOR_ONE_PROCESS("among equals of several processes another one may win");
  const DeclaredOrder lowest_is_first;
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<int> x = heights(mesh.elements(), 125), id = counted(mesh.elements());
    const op_dat dx = declare_dat(cells, 1, x, "x"), did = declare_dat(cells, 1, id, "id");
    const op_dat dvisits = declare_dat(nodes, 1, std::vector<int>(mesh.targets()), "visits");
    int least = 9, most = -1, low = -7, high = -7;
    run(
        [](const int *a, const int *i, int *p, int *q, int *l, int *lw, int *m, int *mw) {
          ++*p, ++*q;
          if (*a < *l) *l = *a, *lw = *i;
          if (*m < *a) *m = *a, *mw = *i;
        },
        "extrema", cells, direct(dx, OP_READ), direct(did, OP_READ), through(map, 0, dvisits, OP_INC),
        through(map, 1, dvisits, OP_INC), global(&least, 1, OP_MIN), op_arg_payload(&low, 1, "int", 4),
        global(&most, 1, OP_MAX), op_arg_payload(&high, 1, "int", 6));
    int wanted[4] = {9, -7, -1, -7};
    std::vector<int> visits(mesh.targets());
    for (std::size_t n = 0; n < mesh.elements(); ++n) {
      ++visits[mesh.target(n, 0)], ++visits[mesh.target(n, 1)];
      if (x[n] < wanted[0]) wanted[0] = x[n], wanted[1] = id[n];
      if (wanted[2] < x[n]) wanted[2] = x[n], wanted[3] = id[n];
    }
    out.same("visits", fetch<int>(dvisits), visits);
    out.same<int>("extrema and places", {least, low, most, high}, {wanted[0], wanted[1], wanted[2], wanted[3]});
  });
}

// The same beside a reduction so large that a back end may want to keep fewer partial results.
TEST_F(Payload, BesideAHugeReduction) {
  FOR_ONE_PROCESS("among equals of several processes another one may win");
  const DeclaredOrder lowest_is_first;
  compare([](Outcome &out) {
    constexpr int bins = 50000;
    const Topology mesh = shuffled(quads(150, 140), 126);
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<int> x = whole<int>(mesh.elements(), 127, 0, 49), id = counted(mesh.elements()); // a few equals
    const op_dat dx = declare_dat(cells, 1, x, "x"), did = declare_dat(cells, 1, id, "id");
    const op_dat dvisits = declare_dat(nodes, 1, std::vector<int>(mesh.targets()), "visits");
    std::vector<long long> bin(bins), wanted_bin(bins);
    std::vector<int> most(64), where(64, -7), wanted = most, wanted_where = where; // each for one part of the cells
    run(
        [](const int *a, const int *i, int **p, int *m, int *w, long long *b) {
          ++*p[0], ++*p[2], ++b[*i * 7 % bins];
          const int part = *i % 64;
          if (m[part] < *a) m[part] = *a, w[part] = *i;
        },
        "extrema", cells, direct(dx, OP_READ), direct(did, OP_READ), rows(map, 4, dvisits, OP_INC),
        global(most, OP_MAX), op_arg_payload(where.data(), 64, "int", 3), global(bin, OP_INC));
    std::vector<int> visits(mesh.targets());
    for (std::size_t n = 0; n < mesh.elements(); ++n) {
      ++visits[mesh.target(n, 0)], ++visits[mesh.target(n, 2)], ++wanted_bin[n * 7 % bins];
      if (wanted[n % 64] < x[n]) wanted[n % 64] = x[n], wanted_where[n % 64] = id[n];
    }
    out.same("visits", fetch<int>(dvisits), visits);
    out.same("bins", bin, wanted_bin);
    out.same("most", most, wanted);
    out.same("where", where, wanted_where);
  });
}

} // namespace conformance

// SPDX-License-Identifier: MIT
