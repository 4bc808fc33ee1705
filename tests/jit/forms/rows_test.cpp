// Rows of every dim and type: read and added to through maps, updated in place.
#include <array>

#include "lab.hpp"
#include "rows_kernels.h"

namespace forms {

namespace {

constexpr std::array dims = {1, 2, 3, 4, 5, 6, 7, 8, 9, 16};
using Rows = std::array<op_dat, dims.size()>;

template <class T>
Rows declare(op_set set, const std::function<std::vector<T>(std::size_t)> &values) {
  Rows out;
  for (std::size_t i = 0; i < dims.size(); ++i)
    out[i] = dat<T>(set, dims[i], values(static_cast<std::size_t>(op_get_size(set)) * static_cast<std::size_t>(dims[i])),
                    ("row" + std::to_string(dims[i])).c_str());
  return out;
}
template <class T>
Rows numbers_for(op_set set, std::uint64_t seed) {
  return declare<T>(set, [&](std::size_t n) { return numbers<T>(n, seed++); });
}
template <class T>
Rows zeros_for(op_set set) {
  return declare<T>(set, [](std::size_t n) { return std::vector<T>(n); });
}

#define ALL(f, rows) \
  f(rows[0]), f(rows[1]), f(rows[2]), f(rows[3]), f(rows[4]), f(rows[5]), f(rows[6]), f(rows[7]), f(rows[8]), f(rows[9])

template <class T>
void report(Results &results, const std::string &name, const Rows &rows) {
  for (std::size_t i = 0; i < dims.size(); ++i) results.same(name + std::to_string(dims[i]), fetch<T>(rows[i]));
}

struct Mesh {
  op_set edges, nodes;
  op_map map;
};
Mesh random_mesh(int edges, int nodes, std::uint64_t seed, int targets = -1) {
  Mesh out{};
  out.edges = op_decl_set(edges, "edges");
  out.nodes = op_decl_set(nodes, "nodes");
  out.map = op_decl_map(out.edges, out.nodes, 2, random_table(edges, 2, targets < 0 ? nodes : targets, seed).data(), "map");
  return out;
}

template <class T>
std::vector<T> specials(std::size_t n, std::uint64_t seed) {
  if constexpr (std::is_floating_point_v<T>) return special_numbers<T>(n, seed);
  return numbers<T>(n, seed);
}
// gather_T, update_T, scatter_T on one mesh.
#define ROWS_BODY(T, wide)                                                                                          \
  void rows_body(T, Results &results, const std::string &label, const Mesh &mesh, std::uint64_t seed, bool special) { \
    const auto edges = static_cast<std::size_t>(op_get_size(mesh.edges));                                           \
    const auto draw = [&](std::size_t n) { return special ? specials<T>(n, seed++) : numbers<T>(n, seed++); };      \
    const std::vector<T> factors = draw(edges * 2);                                                                 \
    const op_dat f = dat<T>(mesh.edges, 2, factors, "f");                                                           \
    const Form form = wide ? Form::vector8 : Form::vector4;                                                         \
    const Rows a = declare<T>(mesh.nodes, draw), b = numbers_for<T>(mesh.edges, seed + 100);                        \
    const auto read = [&](op_dat d) { return through(mesh.map, 1, d, OP_READ); };                                   \
    const auto write = [](op_dat d) { return direct(d, OP_WRITE); };                                                \
    const auto change = [](op_dat d) { return direct(d, OP_RW); };                                                  \
    std::string name = label + "gather_" #T;                                                                        \
    FORMS_RUN(gather_##T, name.c_str(), mesh.edges, direct(f, OP_READ), ALL(read, a), ALL(write, b));               \
    results.form(name, form);                                                                                       \
    report<T>(results, name, b);                                                                                    \
    name = label + "update_" #T;                                                                                    \
    FORMS_RUN(update_##T, name.c_str(), mesh.edges, direct(f, OP_READ), ALL(change, b));                            \
    results.form(name, form);                                                                                       \
    report<T>(results, name, b);                                                                                    \
    const auto add0 = [&](op_dat d) { return through(mesh.map, 0, d, OP_INC); };                                    \
    const auto add1 = [&](op_dat d) { return through(mesh.map, 1, d, OP_INC); };                                    \
    const auto scatter = [&](op_dat weights, const Rows &y) {                                                       \
      FORMS_RUN(scatter_##T, name.c_str(), mesh.edges, direct(weights, OP_READ), ALL(add0, y), ALL(add1, y));       \
    };                                                                                                              \
    name = label + "scatter_" #T;                                                                                   \
    const Rows y = special ? a : zeros_for<T>(mesh.nodes);                                                          \
    scatter(f, y);                                                                                                  \
    results.form(name, form);                                                                                       \
    if constexpr (!std::is_floating_point_v<T>) {                                                                   \
      report<T>(results, name, y);                                                                                  \
    } else if (!special) {                                                                                          \
      std::vector<T> magnitudes = magnitudes_of(factors);                                                           \
      const Rows z = zeros_for<T>(mesh.nodes);                                                                      \
      scatter(dat<T>(mesh.edges, 2, magnitudes, "magnitudes"), z);                                                  \
      for (std::size_t i = 0; i < dims.size(); ++i)                                                                 \
        results.sums(name + std::to_string(dims[i]), fetch<T>(y[i]), fetch<T>(z[i]));                               \
    }                                                                                                               \
  }

ROWS_BODY(double, true)
ROWS_BODY(float, false)
ROWS_BODY(int, false)
ROWS_BODY(uint, false)
ROWS_BODY(ll, true)
ROWS_BODY(ull, true)

} // namespace

using Rows_ = Forms;

TEST_F(Rows_, OfReals) {
  everywhere(Reach::wide, [](Results &results) {
    const Mesh mesh = random_mesh(1003, 211, 1);
    rows_body(double(), results, "", mesh, 10, false);
  });
  everywhere(Reach::native, [](Results &results) {
    rows_body(float(), results, "", random_mesh(1003, 211, 1), 20, false);
  });
}

TEST_F(Rows_, OfIntegers) {
  everywhere(Reach::native, [](Results &results) {
    const Mesh mesh = random_mesh(1003, 211, 2);
    rows_body(int(), results, "", mesh, 30, false);
    rows_body(ull(), results, "", mesh, 60, false);
  });
}

TEST_F(Rows_, OfTheOtherIntegers) {
  everywhere(Reach::native, [](Results &results) {
    const Mesh mesh = random_mesh(1003, 211, 2);
    rows_body(uint(), results, "", mesh, 40, false);
    rows_body(ll(), results, "", mesh, 50, false);
  });
}

// The code is that of the tests above.
TEST_F(Rows_, OfSpecialValues) {
  everywhere(Reach::wide, [](Results &results) {
    rows_body(double(), results, "", random_mesh(1003, 211, 3), 70, true);
  });
  everywhere(Reach::native, [](Results &results) {
    rows_body(float(), results, "", random_mesh(1003, 211, 3), 80, true);
  });
}

TEST_F(Rows_, OfSetsOfEverySize) {
  everywhere(Reach::native, [](Results &results) {
    for (const int size : {1, 7, 8, 9, 16, 33, 100, 101, 1000}) {
      const std::string label = std::to_string(size) + ":";
      const auto seed = static_cast<std::uint64_t>(size);
      rows_body(double(), results, label, random_mesh(size, size / 3 + 1, seed), seed, false);
      rows_body(int(), results, label, random_mesh(size, size / 3 + 1, seed), seed, false);
      rows_body(float(), results, label + "one node:", random_mesh(size, size / 3 + 1, seed, 0), seed, false);
    }
    const Mesh nothing = random_mesh(0, 5, 1), nowhere = random_mesh(0, 0, 1);
    rows_body(double(), results, "none:", nothing, 1, false);
    rows_body(double(), results, "nowhere:", nowhere, 1, false);
  });
}

TEST_F(Rows_, AsLongAsVectorsTake) {
  everywhere(Reach::native, [](Results &results) {
    const Mesh mesh = random_mesh(301, 50, 4);
    const auto n = static_cast<std::size_t>(50), e = static_cast<std::size_t>(301);
    const op_dat b64 = zeros<double>(mesh.edges, 64, "b64"), b64f = zeros<float>(mesh.edges, 64, "b64f");
    FORMS_RUN(row64, "row64", mesh.edges, through(mesh.map, 0, dat<double>(mesh.nodes, 64, numbers<double>(n * 64, 5), "a"), OP_READ),
              direct(b64, OP_WRITE));
    FORMS_RUN(row64f, "row64f", mesh.edges, through(mesh.map, 0, dat<float>(mesh.nodes, 64, numbers<float>(n * 64, 5), "a"), OP_READ),
              direct(b64f, OP_WRITE));
    const op_dat b65 = zeros<double>(mesh.edges, 65, "b65");
    FORMS_RUN(row65, "row65", mesh.edges, through(mesh.map, 0, dat<double>(mesh.nodes, 65, numbers<double>(n * 65, 5), "a"), OP_READ),
              direct(b65, OP_WRITE));
    const op_dat y = zeros<double>(mesh.nodes, 64, "y"), z = zeros<double>(mesh.nodes, 64, "z");
    std::vector<double> weights = numbers<double>(e, 6);
    FORMS_RUN(add64, "add64", mesh.edges, direct(dat<double>(mesh.edges, 1, weights, "w"), OP_READ), through(mesh.map, 0, y, OP_INC));
    weights = magnitudes_of(weights);
    FORMS_RUN(add64, "add64", mesh.edges, direct(dat<double>(mesh.edges, 1, weights, "w"), OP_READ), through(mesh.map, 0, z, OP_INC));
    results.form("row64", Form::vector8);
    results.form("row64f", Form::vector4);
    results.form("row65", Form::scalar);
    results.form("add64", Form::vector8);
    results.same("row64", fetch<double>(b64));
    results.same("row64f", fetch<float>(b64f));
    results.same("row65", fetch<double>(b65));
    results.sums("add64", fetch<double>(y), fetch<double>(z));
  });
}

} // namespace forms

// SPDX-License-Identifier: MIT
