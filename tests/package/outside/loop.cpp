// loop.cpp: the same program as loop.c in C++17, whose loops are compiled with the kernel inside. Usage: loop EXECUTOR
#include <cstdlib>
#include <cstring>
#include <op2/op2.hpp>
#include <vector>

namespace {

constexpr int N = 10007;

void add_edge(const double *value, double *left, double *right, double *sum) {
  *left += *value;
  *right += *value;
  *sum += *value;
}

double value_of(int edge) { return edge % 7 + 0.5; }

} // namespace

int main(int argc, char **argv) {
  op2::context context(argc, argv);
  std::vector<int> ends;
  std::vector<double> value;
  double sum = 0, expected_sum = 0;
  for (int e = 0; e < N; ++e) {
    ends.insert(ends.end(), {e, (e + 1) % N});
    value.push_back(value_of(e));
    expected_sum += value_of(e);
  }
  op2::set edges(N, "edges"), nodes(N, "nodes");
  op2::map edge_nodes(edges, nodes, 2, ends.data(), "edge_nodes");
  op2::dat<double, 1> on_edges(edges, value.data(), "on_edges"), on_nodes(nodes, nullptr, "on_nodes");

  op_par_loop(add_edge, "add_edge", edges, op2::read(on_edges), op2::inc(on_nodes, 0, edge_nodes),
              op2::inc(on_nodes, 1, edge_nodes), op2::gbl_inc(&sum));

  int wrong = sum != expected_sum;
  const std::vector<double> result = on_nodes.fetch();
  for (int n = 0; n < N; ++n)
    wrong += result.at(static_cast<std::size_t>(n)) != value_of(n) + value_of((n + N - 1) % N);
  if (argc > 1 && !std::strstr(op_backend(), argv[1])) ++wrong;
  op_printf("loop.cpp on %s: %d nodes, sum %.1f, %d wrong\n", op_backend(), N, sum, wrong);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}

// SPDX-License-Identifier: MIT
