// A collection of kernels as people write them, from the formulas of the field, in the styles that programs have. Each
// is one loop over one mesh; a test looks at the form and the answers of all of them, a benchmark at their times.
//
//   COLLECT(upwind_flux) {
//     const auto q = mesh.values<double, 4>(mesh.cells, 0.5, 2.0);
//     const auto residual = mesh.zeros<double, 4>(mesh.cells);
//     COLLECT_LOOP(upwind_flux, mesh.faces, via<OP_READ>(mesh.face_cells, 0, q), via<OP_READ>(mesh.face_cells, 1, q),
//                  via<OP_INC>(mesh.face_cells, 0, residual), via<OP_INC>(mesh.face_cells, 1, residual));
//     mesh.result(residual);
//   }
//
// The kernel is the function upwind_flux of that name, in a header that the file with the case includes.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "op2/op2.hpp"

namespace collection {

template <class T>
constexpr const char *type_of() {
  if constexpr (std::is_same_v<T, double>) return "double";
  if constexpr (std::is_same_v<T, float>) return "float";
  if constexpr (std::is_same_v<T, int>) return "int";
  if constexpr (std::is_same_v<T, unsigned>) return "uint";
}

// Data of a set: a dat, and an array of its own for loops by hand. Shared by its copies.
template <class T, int D>
struct Values {
  op_dat dat;
  std::shared_ptr<std::vector<T>> array;
};

// A map with C columns, and its table.
template <int C>
struct Table {
  op_map map;
  std::shared_ptr<std::vector<int>> entries;
};

// What a loop must move: each row of a dat that it reaches once for reading and once for writing, each entry of a map
// once.
class Traffic {
 public:
  void row(const void *dat, std::size_t number, std::size_t bytes, op_access access);
  void entry(const void *map, std::size_t number) { row(map, number, sizeof(int), OP_READ); }
  double bytes() const;

 private:
  struct Rows {
    std::size_t bytes = 0; // of a row
    bool read = false, written = false;
    std::vector<bool> reached;
  };
  std::map<const void *, Rows> rows_; // of dats and maps
};

enum class Kind { rows, tetrahedra, shuffled };
const char *name_of(Kind kind);

// What a case found out.
struct Outcome {
  std::string loop;
  struct Result {
    std::vector<double> values; // as doubles
    int dim;                    // values of a row
    double bound;               // of the difference between two right answers, for values up to 1
  };
  std::vector<Result> results;
  double seconds = 0; // the shortest run of the loop
  double bytes = 0;   // that it must move
  int elements = 0;
};

class Mesh {
 public:
  // About so many cells. rows: quadrilaterals side by side; the others: tetrahedra of a box, in good order or shuffled.
  // by_hand: loops run over the arrays, without the library. runs: of each loop; the shortest counts.
  Mesh(Kind kind, int about_cells, bool by_hand, int runs);

  op_set nodes, edges, cells, faces, border;
  Table<2> edge_nodes, face_cells; // faces: those inside, between two cells
  Table<4> cell_nodes;
  Table<8> hex_nodes;    // of cells: two neighbours on rows, the small cube around a tetrahedron
  Table<1> border_nodes; // no two elements of `border` have the same node

  // Repeatable random values; special<T, D>(): `made(element, component)`.
  template <class T, int D>
  Values<T, D> values(op_set set, double low, double high) {
    std::vector<T> out(size(set) * D);
    for (T &value : out) value = static_cast<T>(between(low, high));
    return declared<T, D>(set, std::move(out));
  }
  template <class T, int D, class Make>
  Values<T, D> made(op_set set, const Make &make) {
    std::vector<T> out(size(set) * D);
    for (std::size_t n = 0; n < out.size(); ++n)
      out[n] = static_cast<T>(make(static_cast<int>(n / D), static_cast<int>(n % D)));
    return declared<T, D>(set, std::move(out));
  }
  template <class T, int D>
  Values<T, D> zeros(op_set set) {
    return declared<T, D>(set, std::vector<T>(size(set) * D));
  }

  template <class T, int D>
  void result(const Values<T, D> &values) {
    std::vector<T> now = *values.array;
    if (!by_hand_) fetch(values.dat, now.data());
    outcome_.results.push_back({{now.begin(), now.end()}, D, bound_of<T>()});
  }
  template <class T>
  void result(const T *values, int count) { // of a reduction
    outcome_.results.push_back({{values, values + count}, count, bound_of<T>()});
  }

  // Runs the loop and measures it. library(args...): op_par_loop; kernel(pointers...): the kernel itself.
  template <class Library, class Kernel, class... Arg>
  void loop(const char *name, op_set set, const Library &library, const Kernel &kernel, const Arg &...args) {
    outcome_.loop = name;
    outcome_.elements = static_cast<int>(size(set));
    for (int run = 0; run < runs_; ++run) {
      const double start = clock();
      if (by_hand_)
        for (std::ptrdiff_t n = 0; n < outcome_.elements; ++n) kernel(args.by_hand(n)...);
      else
        check(library(args.argument()...));
      note(clock() - start);
    }
    Traffic traffic;
    for (std::ptrdiff_t n = 0; n < outcome_.elements; ++n) (args.count(traffic, static_cast<std::size_t>(n)), ...);
    outcome_.bytes = traffic.bytes();
  }
  const Outcome &outcome() const { return outcome_; }
  bool by_hand() const { return by_hand_; }

 private:
  // Sums in another order, and functions of mathematics that round otherwise.
  template <class T>
  static constexpr double bound_of() {
    return std::is_same_v<T, double> ? 1e-10 : std::is_same_v<T, float> ? 1e-4 : 0;
  }
  template <class T, int D>
  Values<T, D> declared(op_set set, std::vector<T> &&values) {
    const op_dat dat = op_decl_dat(set, D, type_of<T>(), values.data(), "data");
    return {dat, std::make_shared<std::vector<T>>(std::move(values))};
  }
  template <int C>
  Table<C> table(op_set from, op_set to, const std::vector<int> &entries) {
    return {op_decl_map(from, to, C, entries.data(), "map"), std::make_shared<std::vector<int>>(entries)};
  }
  static std::size_t size(op_set set);
  static void fetch(op_dat dat, void *values);
  static void check(op_status status);
  static double clock();
  double between(double low, double high);
  void note(double seconds);

  bool by_hand_;
  int runs_;
  unsigned long long random_ = 1;
  Outcome outcome_;
};

// ---- arguments: what op_par_loop takes, and what the kernel gets for element n of a loop by hand. Where the access is
// OP_READ the kernel gets pointers to const.

template <op_access A, class T>
using Seen = std::conditional_t<A == OP_READ, const T, T>;

template <op_access A, class T, int D>
struct Direct {
  Values<T, D> of;
  op_arg argument() const { return op_arg_dat(of.dat, -1, OP_ID, D, type_of<T>(), A); }
  Seen<A, T> *by_hand(std::ptrdiff_t n) const { return of.array->data() + n * D; }
  void count(Traffic &traffic, std::size_t n) const { traffic.row(of.dat, n, sizeof(T) * D, A); }
};
template <op_access A, class T, int D>
Direct<A, T, D> direct(const Values<T, D> &of) {
  return {of};
}

// Through one column of a map.
template <op_access A, class T, int D, int C>
struct Via {
  Table<C> map;
  int column;
  Values<T, D> of;
  op_arg argument() const { return op_arg_dat(of.dat, column, map.map, D, type_of<T>(), A); }
  Seen<A, T> *by_hand(std::ptrdiff_t n) const {
    return of.array->data() + std::ptrdiff_t{map.entries->data()[n * C + column]} * D;
  }
  void count(Traffic &traffic, std::size_t n) const {
    const std::size_t entry = n * C + static_cast<std::size_t>(column);
    traffic.entry(map.map, entry);
    traffic.row(of.dat, static_cast<std::size_t>((*map.entries)[entry]), sizeof(T) * D, A);
  }
};
template <op_access A, class T, int D, int C>
Via<A, T, D, C> via(const Table<C> &map, int column, const Values<T, D> &of) {
  return {map, column, of};
}

// Through all columns: the kernel gets an array of pointers.
template <op_access A, class T, int D, int C>
struct All {
  Table<C> map;
  Values<T, D> of;
  struct Pointers {
    Seen<A, T> *row[C];
    operator Seen<A, T> **() { return row; } // NOLINT: a kernel's parameter
  };
  op_arg argument() const { return op_arg_dat(of.dat, -C, map.map, D, type_of<T>(), A); }
  Pointers by_hand(std::ptrdiff_t n) const {
    Pointers out;
    for (int c = 0; c < C; ++c) out.row[c] = of.array->data() + std::ptrdiff_t{map.entries->data()[n * C + c]} * D;
    return out;
  }
  void count(Traffic &traffic, std::size_t n) const {
    for (int c = 0; c < C; ++c) Via<A, T, D, C>{map, c, of}.count(traffic, n);
  }
};
template <op_access A, class T, int D, int C>
All<A, T, D, C> all(const Table<C> &map, const Values<T, D> &of) {
  return {map, of};
}

// A variable of the program, or an array; OP_INC, OP_MIN, OP_MAX reduce into it.
template <op_access A, class T>
struct Global {
  T *values;
  int dim;
  op_arg argument() const { return op_arg_gbl(values, dim, type_of<std::remove_const_t<T>>(), A); }
  Seen<A, T> *by_hand(std::ptrdiff_t) const { return values; }
  void count(Traffic &, std::size_t) const {}
};
template <op_access A, class T>
Global<A, T> global(T *values, int dim = 1) {
  return {values, dim};
}

// ---- the collection

struct Registered {
  const char *name;
  void (*body)(Mesh &);
};
std::vector<Registered> &all_cases(); // by name
int add_case(const char *name, void (*body)(Mesh &));

} // namespace collection

#define COLLECT(name)                                                                          \
  static void name##_case(::collection::Mesh &mesh);                                           \
  static const int name##_added [[maybe_unused]] = ::collection::add_case(#name, name##_case); \
  static void name##_case(::collection::Mesh &mesh)

#define COLLECT_LOOP(kernel, set, ...)                                                                  \
  mesh.loop(                                                                                            \
      #kernel, set, [&](auto... arguments) { return op_par_loop(kernel, #kernel, set, arguments...); }, \
      [](auto &&...pointers) { kernel(pointers...); }, __VA_ARGS__)

// SPDX-License-Identifier: MIT
