// hybrid_job.cpp: one job whose processes differ: `hybrid_job [case]`, started by hybrid.sh. Every process says what it
// runs and how many elements it owns; all results are compared with what plain code on the whole mesh gives.
//   (nothing)      a mesh, loops, sums; the division is up to the settings
//   shares A B ..  op_partition_with() with these shares
//   weights A B .. the cells on the left are three times as much work
//   again          divided again while loops run, by other weights and shares each time
#include <op2/partition.h>
#include <op2/op2.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

constexpr int across = 60, along = 40, cells_in_all = across * along;
constexpr int rounds = 6;

void add(const double *w, const double *a, const double *b, double *left, double *right) {
  *left += *w * *b;
  *right += *w * *a;
}
void next(double *q, double *sum, double *total) {
  *q = 0.5 * *q + 0.0625 * *sum;
  *total += *q;
  *sum = 0;
}

std::vector<int> faces() {
  std::vector<int> out;
  for (int y = 0; y < along; ++y)
    for (int x = 0; x < across; ++x) {
      const int cell = y * across + x;
      if (x + 1 < across) out.insert(out.end(), {cell, cell + 1});
      if (y + 1 < along) out.insert(out.end(), {cell, cell + across});
    }
  return out;
}

struct Plain { // the same on the whole mesh
  std::vector<int> face = faces();
  std::vector<double> q, sum = std::vector<double>(cells_in_all, 0.0);
  double total = 0;
  Plain() {
    for (int n = 0; n < cells_in_all; ++n) q.push_back(1 + 0.001 * n);
  }
  void step() {
    for (std::size_t f = 0; f < face.size(); f += 2) {
      const std::size_t a = static_cast<std::size_t>(face[f]), b = static_cast<std::size_t>(face[f + 1]);
      add(&weight, &q[a], &q[b], &sum[a], &sum[b]);
    }
    total = 0;
    for (std::size_t n = 0; n < q.size(); ++n) next(&q[n], &sum[n], &total);
  }
  double weight = 0.5;
};

bool near(double a, double b) { return std::fabs(a - b) <= 1e-12 * std::fabs(b); }

struct Job {
  op_set cells = op_decl_set(cells_in_all, "cells"), edges = nullptr;
  op_map edge_cells = nullptr;
  op_dat q = nullptr, sum = nullptr, w = nullptr, x = nullptr, work = nullptr;
  Plain plain;
  int wrong = 0;

  Job() {
    const int edge_count = static_cast<int>(plain.face.size() / 2);
    edges = op_decl_set(edge_count, "edges");
    edge_cells = op_decl_map(edges, cells, 2, plain.face.data(), "edge_cells");
    q = op_decl_dat(cells, 1, "double", plain.q.data(), "q");
    sum = op_decl_dat(cells, 1, "double", nullptr, "sum");
    const std::vector<double> ws(static_cast<std::size_t>(edge_count), plain.weight);
    w = op_decl_dat(edges, 1, "double", ws.data(), "w");
    std::vector<double> xs, works;
    for (int n = 0; n < cells_in_all; ++n) {
      xs.insert(xs.end(), {double(n % across), double(n / across)});
      works.push_back(n % across < across / 2 ? 3.0 : 1.0);
    }
    x = op_decl_dat(cells, 2, "double", xs.data(), "x");
    work = op_decl_dat(cells, 1, "double", works.data(), "work");
  }
  void step() {
    double total = 0;
    op_par_loop(add, "add", edges, op_arg_dat(w, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(q, 0, edge_cells, 1, "double", OP_READ), op_arg_dat(q, 1, edge_cells, 1, "double", OP_READ),
                op_arg_dat(sum, 0, edge_cells, 1, "double", OP_INC),
                op_arg_dat(sum, 1, edge_cells, 1, "double", OP_INC));
    op_par_loop(next, "next", cells, op_arg_dat(q, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(sum, -1, OP_ID, 1, "double", OP_RW), op_arg_gbl(&total, 1, "double", OP_INC));
    plain.step();
    if (!near(total, plain.total)) complain("the total", total, plain.total);
    std::vector<double> got(cells_in_all);
    op_fetch_data_all(q, got.data());
    for (std::size_t n = 0; n < got.size() && wrong == 0; ++n)
      if (!near(got[n], plain.q[n])) complain("a value", got[n], plain.q[n]);
  }
  void complain(const char *what, double got, double expected) {
    std::fprintf(stderr, "%s is %.17g instead of %.17g\n", what, got, expected);
    wrong = 1;
  }
  // How much of the work each process has, on all of them.
  void tell() {
    int rank = 0;
    op_rank(&rank);
    std::printf("process %d: %s, %d of %d cells\n", rank, op_backend(), static_cast<int>(op_get_size_local(cells)),
                static_cast<int>(op_get_size(cells)));
    std::fflush(stdout);
  }
};

void divide(Job &job, const char *library, op_dat coordinates, op_dat weights, const std::vector<double> &shares) {
  op_partition_params params = OP_PARTITION_PARAMS;
  params.library = library;
  params.coordinates = coordinates;
  params.weights = weights;
  params.shares = shares.empty() ? nullptr : shares.data();
  params.nshares = static_cast<int>(shares.size());
  if (op_partition_with(&params) != OP_OK) job.wrong = 1;
}

} // namespace

int main(int argc, char **argv) {
  if (op_init(argc, argv, 1) != OP_OK) {
    std::printf("op_init: %s\n", op_last_error());
    return 3;
  }
  int wrong = 0;
  {
    std::vector<std::string> words;
    for (int i = 1; i < argc; ++i)
      if (std::strncmp(argv[i], "OP2_", 4) != 0) words.push_back(argv[i]);
    const std::string what = words.empty() ? "" : words[0];
    Job job;
    std::vector<double> shares;
    for (std::size_t i = 1; i < words.size(); ++i) shares.push_back(std::atof(words[i].c_str()));
    if (what == "shares") divide(job, nullptr, nullptr, nullptr, shares);
    if (what == "weights") divide(job, "GEOM", job.x, job.work, shares);
    for (int round = 0; round < rounds; ++round) {
      if (what == "again" && round > 0) {
        const int processes = op_comm_size();
        std::vector<double> others;
        for (int p = 0; p < processes; ++p) others.push_back(1 + (p + round) % processes);
        const char *const library = round % 3 == 0 ? "HILBERT" : round % 3 == 1 ? "PTSCOTCH" : "BLOCK";
        divide(job, library, round % 3 == 0 ? job.x : nullptr, round % 2 ? job.work : nullptr, others);
      }
      job.step();
      if (what == "again") job.step();
    }
    job.tell();
    wrong = job.wrong;
  }
  op_exit();
  return wrong;
}

// SPDX-License-Identifier: MIT
