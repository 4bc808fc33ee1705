// faraway_program.cpp: see faraway_program.hpp.
#include "faraway_program.hpp"

#include <functional>
#include <map>
#include <random>

#include "support.hpp"

namespace unit {

namespace {

constexpr int nedges = 23, nnodes = 17, ncorners = 4;

class Program {
 public:
  Program(const std::string &backend, unsigned seed) : random_(seed) {
    op_init_params params = OP_INIT_PARAMS;
    params.backend = backend.c_str();
    EXPECT_OK(op_init_with(&params));
    edges_ = op_decl_set(nedges, "edges");
    nodes_ = op_decl_set(nnodes, "nodes");
    corners_ = op_decl_set(ncorners, "corners");
    std::vector<int> ends(2 * nedges);
    for (int &end : ends) end = number(nnodes);
    const int few[ncorners] = {3, 16, 0, 7};
    edge_nodes_ = op_decl_map(edges_, nodes_, 2, ends.data(), "edge_nodes");
    corner_node_ = op_decl_map(corners_, nodes_, 1, few, "corner_node");
    x_ = op_decl_dat(nodes_, 2, "double", numbers(2 * nnodes).data(), "x");
    y_ = op_decl_dat(nodes_, 2, "double", nullptr, "y");
    e_ = op_decl_dat(edges_, 1, "double", numbers(nedges).data(), "e");
    EXPECT_NE(nullptr, e_) << op_last_error();
  }
  ~Program() { EXPECT_OK(op_exit()); }

  Observation step() {
    using Call = Observation (Program::*)();
    static const Call calls[] = {&Program::scale,     &Program::overwrite,  &Program::gather,      &Program::scatter,
                                 &Program::vector_in, &Program::vector_out, &Program::some_rows,   &Program::reduce,
                                 &Program::extremum,  &Program::fetch,      &Program::fetch_range, &Program::put,
                                 &Program::put_range, &Program::window,     &Program::scratch,     &Program::optional,
                                 &Program::in_place};
    return (this->*calls[random_() % std::size(calls)])();
  }
  Observation end() {
    Observation out{"end", {}};
    for (const op_dat dat : {x_, y_, e_})
      for (const double value : fetched<double>(dat)) out.values.push_back(value);
    return out;
  }

 private:
  int number(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  std::vector<double> numbers(int count) {
    std::vector<double> out(static_cast<std::size_t>(count));
    for (double &value : out) value = number(9) - 4;
    return out;
  }
  op_dat node_dat() { return number(2) ? x_ : y_; }
  op_dat any_dat() { return number(3) ? node_dat() : e_; }
  static op_arg direct(op_dat dat, op_access access) {
    return op_arg_dat(dat, -1, OP_ID, op_dat_dim(dat), "double", access);
  }
  op_arg end_of_edge(op_dat dat, int idx, op_access access) {
    return op_arg_dat(dat, idx, edge_nodes_, 2, "double", access);
  }

  // ---- loops
  // ---------------------------------------------------------------------------------------------------------

  Observation scale() {
    double factor = number(3) - 1;
    EXPECT_OK(run([](double *v, const double *f) { v[0] = v[0] * *f + 1, v[1] -= *f; }, "scale", nodes_,
                  {direct(node_dat(), OP_RW), op_arg_gbl(&factor, 1, "double", OP_READ)}));
    factor = 1e9; // taken by the loop already
    return {"scale", {}};
  }
  Observation overwrite() {
    const double values[2] = {1.0 * number(5), 2.0};
    EXPECT_OK(run([](double *v, const int *n, const double *c) { v[0] = *n * c[0], v[1] = c[1]; }, "overwrite", nodes_,
                  {direct(node_dat(), OP_WRITE), op_arg_idx(-1, OP_ID),
                   op_arg_gbl(const_cast<double *>(values), 2, "double", OP_READ)}));
    return {"overwrite", {}};
  }
  Observation gather() {
    EXPECT_OK(run([](const double *a, const double *b, double *e) { *e = a[0] - b[1]; }, "gather", edges_,
                  {end_of_edge(x_, 0, OP_READ), end_of_edge(y_, 1, OP_READ), direct(e_, OP_WRITE)}));
    return {"gather", {}};
  }
  Observation scatter() {
    const op_dat to = node_dat();
    EXPECT_OK(run(
        [](const double *e, double *a, double *b, const int *target) {
          a[0] += *e;
          b[1] -= *e + *target;
        },
        "scatter", edges_,
        {direct(e_, OP_READ), end_of_edge(to, 0, OP_INC), end_of_edge(to, 1, OP_INC), op_arg_idx(1, edge_nodes_)}));
    bound(to);
    return {"scatter", {}};
  }
  Observation vector_in() {
    EXPECT_OK(run([](const double *const *rows, double *e) { *e += rows[0][0] + rows[1][1]; }, "vector_in", edges_,
                  {end_of_edge(node_dat(), -2, OP_READ), direct(e_, OP_INC)}));
    bound(e_);
    return {"vector_in", {}};
  }
  Observation vector_out() {
    const op_dat to = node_dat();
    EXPECT_OK(run([](const double *e, double **rows) { rows[0][1] += *e, rows[1][0] += 1; }, "vector_out", edges_,
                  {direct(e_, OP_READ), end_of_edge(to, -2, OP_INC)}));
    bound(to);
    return {"vector_out", {}};
  }
  Observation some_rows() { // rows without a corner keep their values
    const op_access access = number(2) ? OP_WRITE : OP_RW;
    EXPECT_OK(run([](double *v, const int *n) { v[0] = *n, v[1] = -*n; },
                  access == OP_WRITE ? "write some" : "change some", corners_,
                  {op_arg_dat(node_dat(), 0, corner_node_, 2, "double", access), op_arg_idx(-1, OP_ID)}));
    return {"some_rows", {}};
  }
  Observation reduce() {
    double sum = number(10), least = 100;
    int count = 1000;
    EXPECT_OK(run([](const double *v, double *s, double *l, int *c) { *s += v[0], *l = v[1] < *l ? v[1] : *l, ++*c; },
                  "reduce", nodes_,
                  {direct(node_dat(), OP_READ), op_arg_gbl(&sum, 1, "double", OP_INC),
                   op_arg_gbl(&least, 1, "double", OP_MIN), op_arg_gbl(&count, 1, "int", OP_INC)}));
    return {"reduce", {sum, least, 1.0 * count}};
  }
  Observation in_place() { // one dat twice: read by one argument, written by the other
    EXPECT_OK(run([](const double *in, double *out) { *out = *in + 1; }, "in_place", edges_,
                  {direct(e_, OP_READ), direct(e_, OP_WRITE)}));
    return {"in_place", {}};
  }
  Observation extremum() {
    double most = -1e6;
    int where = -1;
    EXPECT_OK(run(
        [](const double *a, const int *n, double *m, int *w) {
          if (*m < a[0]) *m = a[0], *w = *n;
        },
        "extremum", edges_,
        {end_of_edge(node_dat(), 1, OP_READ), op_arg_idx(-1, OP_ID), op_arg_gbl(&most, 1, "double", OP_MAX),
         op_arg_payload(&where, 1, "int", 2)}));
    return {"extremum", {most, 1.0 * where}};
  }
  Observation optional() {
    const int on = number(2);
    EXPECT_OK(run([](double *e, const double *row) { *e += row ? row[0] : 1; }, "optional", edges_,
                  {direct(e_, OP_RW), op_opt_arg_dat(on, x_, 0, edge_nodes_, 2, "double", OP_READ)}));
    bound(e_);
    return {"optional", {}};
  }
  // Keeps numbers small, so that they stay whole.
  void bound(op_dat dat) {
    const auto one = [](double *v) { *v = static_cast<double>(static_cast<long long>(*v) % 1000); };
    const auto two = [](double *v) {
      for (int c = 0; c < 2; ++c) v[c] = static_cast<double>(static_cast<long long>(v[c]) % 1000);
    };
    if (dat == e_) {
      EXPECT_OK(run(one, "bound", edges_, {direct(dat, OP_RW)}));
    } else {
      EXPECT_OK(run(two, "bound", nodes_, {direct(dat, OP_RW)}));
    }
  }

  // ---- what happens between loops
  // --------------------------------------------------------------------------------------

  Observation fetch() {
    const op_dat dat = any_dat();
    return {"fetch", fetched<double>(dat)};
  }
  Observation fetch_range() {
    const int low = number(nnodes), high = low + number(nnodes - low);
    std::vector<double> out(static_cast<std::size_t>(2 * (high - low + 1)));
    EXPECT_OK(op_fetch_data_idx(node_dat(), out.data(), low, high));
    return {"fetch_range", out};
  }
  Observation put() {
    const op_dat dat = any_dat();
    EXPECT_OK(op_put_data(dat, numbers(static_cast<int>(op_get_size(op_dat_set(dat))) * op_dat_dim(dat)).data()));
    return {"put", {}};
  }
  Observation put_range() {
    const int low = number(nnodes), high = low + number(nnodes - low);
    EXPECT_OK(op_put_data_idx(node_dat(), numbers(2 * (high - low + 1)).data(), low, high));
    return {"put_range", {}};
  }
  Observation window() {
    const op_access access = number(3);
    const op_dat dat = node_dat();
    double *rows = static_cast<double *>(op_dat_acquire(dat, access));
    EXPECT_NE(nullptr, rows) << op_last_error();
    Observation out{"window", {}};
    if (access != OP_WRITE) out.values.assign(rows, rows + 2 * nnodes);
    if (access == OP_RW) rows[number(2 * nnodes)] = 7;
    if (access == OP_WRITE)
      for (int i = 0; i < 2 * nnodes; ++i) rows[i] = i % 5;
    EXPECT_OK(op_dat_release(dat));
    return out;
  }
  Observation scratch() { // three programs' worth of scratch data: the memory is given back and taken again
    const op_dat t = op_decl_dat_temp(nodes_, 2, "double", "scratch");
    EXPECT_NE(nullptr, t) << op_last_error();
    const op_dat from = node_dat();
    EXPECT_OK(run([](const double *v, double *s) { s[0] += v[0], s[1] += v[1]; }, "to scratch", nodes_,
                  {direct(from, OP_READ), direct(t, OP_INC)}));
    EXPECT_OK(run([](const double *s, double *v) { v[0] = s[1], v[1] = s[0]; }, "from scratch", nodes_,
                  {direct(t, OP_READ), direct(from, OP_WRITE)}));
    const Observation out{"scratch", fetched<double>(t)};
    EXPECT_OK(op_free_dat_temp(t));
    return out;
  }

  std::mt19937 random_;
  op_set edges_, nodes_, corners_;
  op_map edge_nodes_, corner_node_;
  op_dat x_, y_, e_;
};

} // namespace

std::vector<Observation> run_random_program(const std::string &backend, unsigned seed, int steps) {
  std::vector<Observation> out;
  Program program(backend, seed);
  for (int i = 0; i < steps; ++i) out.push_back(program.step());
  out.push_back(program.end());
  return out;
}

} // namespace unit

// SPDX-License-Identifier: MIT
