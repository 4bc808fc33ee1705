// loop_call.cpp: what one call of op_par_loop costs when there is next to nothing to compute: eight arguments,
// everything prepared, timing on; and what it costs to record it and run it in a chain of eight such loops. Judged: one
// element on seq, at most one microsecond, and 0.2 more in a chain.
#include <op2/chain.h>
#include <op2/op2.h>

#include <vector>

#include "common/back_ends.hpp"
#include "common/google.hpp"

namespace {

void eight(const double *a, const double *b, const double *c, const double *d, double *e, double *f, double *g,
           double *h) {
  *e += *a;
  *f += *b;
  *g += *c;
  *h += *d;
}

// The last argument is a global that is added to, or the eighth dat.
template <bool reduce>
void eight_range(const op_range_ctx *ctx, int begin, int end) {
  double *p[8];
  for (int i = 0; i < 8; ++i) p[i] = reinterpret_cast<double *>(ctx->args[i].base);
  for (int n = begin; n < end; ++n) {
    const int m = ctx->args[0].map[n];
    eight(p[0] + m, p[1] + m, p[2] + n, p[3] + n, p[4] + m, p[5] + m, p[6] + n, p[7] + (reduce ? 0 : n));
  }
}

constexpr int loops_in_chain = 8;

void call(benchmark::State &state, const bench::BackEnd &end, int n, bool reduce, bool chain) {
  op_init_params params = OP_INIT_PARAMS;
  params.backend = end.executor.c_str();
  params.threads = end.threads;
  op_init_with(&params);
  std::vector<int> identity(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) identity[static_cast<std::size_t>(i)] = i;
  const op_set set = op_decl_set(n, "set");
  const op_map map = op_decl_map(set, set, 1, identity.data(), "map");
  op_dat dats[8];
  for (op_dat &dat : dats) dat = op_decl_dat(set, 1, "double", nullptr, "dat");
  double sum = 0;
  op_loop_site site =
      OP_LOOP_SITE(reinterpret_cast<op_kernel_fn>(eight), reduce ? eight_range<true> : eight_range<false>, "eight");
  for (auto _ : state) {
    const op_arg args[8] = {
        op_arg_dat(dats[0], 0, map, 1, "double", OP_READ),
        op_arg_dat(dats[1], 0, map, 1, "double", OP_READ),
        op_arg_dat(dats[2], -1, OP_ID, 1, "double", OP_READ),
        op_arg_dat(dats[3], -1, OP_ID, 1, "double", OP_READ),
        op_arg_dat(dats[4], 0, map, 1, "double", OP_INC),
        op_arg_dat(dats[5], 0, map, 1, "double", OP_INC),
        op_arg_dat(dats[6], -1, OP_ID, 1, "double", OP_RW),
        reduce ? op_arg_gbl(&sum, 1, "double", OP_INC) : op_arg_dat(dats[7], -1, OP_ID, 1, "double", OP_RW)};
    if (!chain) {
      op_par_loop_site(&site, "eight", set, 8, args);
      continue;
    }
    op_chain_begin("eights");
    for (int k = 0; k < loops_in_chain; ++k) op_par_loop_site(&site, "eight", set, 8, args);
    op_chain_end();
  }
  op_exit();
}

std::string name(const bench::BackEnd &end, int n, bool reduce) {
  return "loop_call." + end.name() + (reduce ? "_with_reduction." : ".") + std::to_string(n) +
         (n == 1 ? "_element" : "_elements");
}

} // namespace

int main(int argc, char **argv) {
  const double min_seconds = bench::quick(argc, argv) ? 0.002 : 0.1;
  for (const bench::BackEnd &end : bench::back_ends())
    for (const bool reduce : {false, true})
      for (const int n : {1, 100})
        bench::repeated(
            benchmark::RegisterBenchmark(name(end, n, reduce).c_str(),
                                         [=](benchmark::State &state) { call(state, end, n, reduce, false); }),
            min_seconds, benchmark::kNanosecond);
  const std::string chain = "loop_call.seq1_chain_of_eight.1_element";
  bench::repeated(benchmark::RegisterBenchmark(chain.c_str(),
                                               [](benchmark::State &state) {
                                                 call(state, {"seq", 1}, 1, false, true);
                                               }),
                  min_seconds, benchmark::kNanosecond);
  const bench::Medians medians = bench::run_google();
  const std::string judged = name({"seq", 1}, 1, false);
  bench::check(judged, 1e9 * medians.at(judged), 1000, bench::Better::below, "ns");
  bench::check("loop_call.seq1.recorded", 1e9 * (medians.at(chain) / loops_in_chain - medians.at(judged)), 200,
               bench::Better::below, "ns");
  return 0;
}

// SPDX-License-Identifier: MIT
