// Reductions of the user's own: op_decl_reduction() and op_arg_gbl_reduce().
#include <complex>
#include <cstdlib>

#include "op2/fortran_support.h"
#include "op2/reduction.h"
#include "op2/user_types.h"
#include "suite.hpp"

namespace conformance {

using Reductions = Topic;

// x -> a x + b modulo a prime. One after the other is associative, exact, and not commutative: it shows every change of
// order.
struct Affine {
  unsigned a, b;
  static constexpr unsigned prime = 46337;
  void then(const Affine &next) { *this = {a * next.a % prime, (b * next.a + next.b) % prime}; }
};

void combine_affine(void *into, const void *from, int dim) {
  for (int i = 0; i < dim; ++i) static_cast<Affine *>(into)[i].then(static_cast<const Affine *>(from)[i]);
}

op_reduction declare_affine() {
  Affine identity = {1, 0};
  const op_reduction reduction = op_decl_reduction("then", "affine", sizeof(Affine), combine_affine, &identity);
  EXPECT_NE(nullptr, reduction) << op_last_error();
  identity = {0, 99}; // the library has its copy
  return reduction;
}

std::vector<Affine> affine_maps(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<Affine> out(n);
  for (Affine &map : out) {
    map.a = 1 + static_cast<unsigned>(random.below(Affine::prime - 1));
    map.b = static_cast<unsigned>(random.below(Affine::prime));
  }
  return out;
}

op_dat declare_affine_dat(op_set set, int dim, const std::vector<Affine> &values) {
  const std::size_t first = static_cast<std::size_t>(own_part(static_cast<int>(op_get_size(set))).first);
  const char *rows = reinterpret_cast<const char *>(values.data() + first * static_cast<std::size_t>(dim));
  const op_dat dat = op_decl_dat_char(set, dim, "affine", sizeof(Affine), rows, "maps");
  EXPECT_NE(nullptr, dat) << op_last_error();
  return dat;
}

template <int Dim>
void chain(int size) {
  compare([size](Outcome &out) {
    const op_set cells = declare_set(size, "cells");
    const std::vector<Affine> maps = affine_maps(static_cast<std::size_t>(size) * Dim, 110);
    const op_dat dmaps = declare_affine_dat(cells, Dim, maps);
    std::vector<Affine> all = affine_maps(Dim, 111), wanted = all; // the starting value comes first, once
    run(
        [](const Affine *m, Affine *v) {
          for (int i = 0; i < Dim; ++i) v[i].then(m[i]);
        },
        "chain", cells, direct(dmaps, OP_READ), op_arg_gbl_reduce(all.data(), Dim, "affine", declare_affine()));
    for (std::size_t i = 0; i < maps.size(); ++i) wanted[i % Dim].then(maps[i]);
    out.same("all", all, wanted);
  });
}

TEST_F(Reductions, InTheOrderOfTheElements) {
  if (std::getenv("OP2TEST_DIVIDE")) FOR_ONE_PROCESS("a divided set runs part by part");
  for (const int size : every_size()) {
    SCOPED_TRACE(size);
    chain<1>(size);
    chain<5>(size);
  }
}

// `from` holds later elements, also where a loop's elements run in the order of their colours.
TEST_F(Reductions, InTheOrderOfTheElementsBesideIncrements) {
  FOR_ONE_PROCESS("several processes run elements in an order of their own");
  const DeclaredOrder order; // of the elements, not of the rows
  compare_on_meshes(every_mesh(), [](const Topology &mesh, Outcome &out) {
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const std::vector<Affine> maps = affine_maps(mesh.elements(), 112);
    const op_dat dmaps = declare_affine_dat(cells, 1, maps),
                 dvisits = declare_dat(nodes, 1, std::vector<int>(mesh.targets()), "visits");
    Affine all = {1, 0}, wanted = all;
    run([](const Affine *m, int *v, Affine *a) { ++*v, a->then(*m); }, "chain", cells, direct(dmaps, OP_READ),
        through(map, 0, dvisits, OP_INC), op_arg_gbl_reduce(&all, 1, "affine", declare_affine()));
    std::vector<int> visits(mesh.targets());
    for (std::size_t n = 0; n < mesh.elements(); ++n) wanted.then(maps[n]), ++visits[mesh.target(n, 0)];
    out.same("visits", fetch<int>(dvisits), visits);
    out.same<Affine>("all", {all}, {wanted});
  });
}

// A struct of two fields: how many, and how much.
struct Tally {
  long long count;
  double most;
};

void combine_tally(void *into, const void *from, int dim) {
  for (int i = 0; i < dim; ++i) {
    Tally &a = static_cast<Tally *>(into)[i];
    const Tally &b = static_cast<const Tally *>(from)[i];
    a.count += b.count;
    if (a.most < b.most) a.most = b.most;
  }
}

TEST_F(Reductions, StructOfTwoFields) {
  for (const int size : every_size()) {
    SCOPED_TRACE(size);
    compare([size](Outcome &out) {
      const op_set cells = declare_set(size, "cells");
      const std::vector<double> x = reals(static_cast<std::size_t>(size), 113);
      const op_dat dx = declare_dat(cells, 1, x, "x");
      const Tally identity = {0, -2};
      const op_reduction reduction = op_decl_reduction("tally", "tally", sizeof(Tally), combine_tally, &identity);
      Tally tally[2] = {{1000, -0.5}, {0, 5}}, wanted[2] = {tally[0], tally[1]};
      op_arg argument;
      op_arg_gbl_reduce_to(&argument, tally, 2, "tally", reduction);
      run(
          [](const double *a, Tally *t) {
            for (int i = 0; i < 2; ++i) ++t[i].count, t[i].most = std::max(t[i].most, i ? -*a : *a);
          },
          "tally", cells, direct(dx, OP_READ), argument);
      for (const double value : x)
        for (int i = 0; i < 2; ++i) ++wanted[i].count, wanted[i].most = std::max(wanted[i].most, i ? -value : value);
      out.same<long long>("count", {tally[0].count, tally[1].count}, {wanted[0].count, wanted[1].count});
      out.same<double>("most", {tally[0].most, tally[1].most}, {wanted[0].most, wanted[1].most});
    });
  }
}

// Products of complex numbers of magnitude one: real arithmetic in a promised order.
using Complex = std::complex<double>;
void combine_product(void *into, const void *from, int dim) {
  for (int i = 0; i < dim; ++i) static_cast<Complex *>(into)[i] *= static_cast<const Complex *>(from)[i];
}

TEST_F(Reductions, ComplexProduct) {
  compare([](Outcome &out) {
    const int size = 4097;
    const op_set cells = declare_set(size, "cells");
    const std::vector<double> angle = reals(size, 114);
    const op_dat dangle = declare_dat(cells, 1, angle, "angle");
    const Complex identity = 1;
    const op_reduction reduction = op_decl_reduction("product", "complex", sizeof(Complex), combine_product, &identity);
    Complex product = {0, 1};
    run([](const double *a, Complex *p) { *p *= std::polar(1.0, *a); }, "product", cells, direct(dangle, OP_READ),
        op_arg_gbl_reduce(&product, 1, "complex", reduction));
    long double sum = 0;
    for (const double value : angle) sum += value;
    const std::complex<long double> wanted = std::complex<long double>(0, 1) * std::polar(1.0L, sum);
    Sums exact(2); // every factor may turn the product by a rounding error
    exact.value = {wanted.real(), wanted.imag()};
    exact.magnitude = {size, size};
    out.ordered_sums<double>("product", {product.real(), product.imag()}, exact);
  });
}

// On a built-in type, three products side by side, beside an ordinary sum.
TEST_F(Reductions, BuiltInType) {
  compare([](Outcome &out) {
    const int size = 30001;
    const op_set cells = declare_set(size, "cells");
    const std::vector<unsigned> x = whole<unsigned>(size, 115, 1, 1000);
    const op_dat dx = declare_dat(cells, 1, x, "x");
    const unsigned identity = 1;
    const auto multiply = [](void *into, const void *from, int dim) {
      for (int i = 0; i < dim; ++i) static_cast<unsigned *>(into)[i] *= static_cast<const unsigned *>(from)[i];
    };
    const op_reduction reduction = op_decl_reduction("times", "uint", sizeof(unsigned), multiply, &identity);
    std::vector<unsigned> product = {1, 3, 5}, wanted = product;
    unsigned sum = 0, wanted_sum = 0;
    for (int step = 0; step < 2; ++step) {
      run(
          [](const unsigned *a, unsigned *p, unsigned *s) {
            for (unsigned i = 0; i < 3; ++i) p[i] *= 2 * *a + 2 * i + 1;
            *s += *a;
          },
          "product", cells, direct(dx, OP_READ), op_arg_gbl_reduce(product.data(), 3, "uint", reduction),
          global(&sum, 1, OP_INC));
      for (const unsigned value : x) {
        for (unsigned i = 0; i < 3; ++i) wanted[i] *= 2 * value + 2 * i + 1;
        wanted_sum += value;
      }
    }
    out.same("product", product, wanted); // odd factors, so never 0 by overflow
    out.same<unsigned>("sum", {sum}, {wanted_sum});
  });
}

} // namespace conformance

// SPDX-License-Identifier: MIT
