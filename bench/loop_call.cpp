// What one call of op_par_loop costs when there is next to nothing to compute: eight arguments over one element,
// everything prepared, timing on. The target on seq is at most one microsecond.
#include <benchmark/benchmark.h>

#include <op2/op2.h>

#include <vector>

namespace {

void eight(const double *a, const double *b, const double *c, const double *d, double *e, double *f, double *g,
           double *h) {
  *e += *a;
  *f += *b;
  *g += *c;
  *h += *d;
}

void eight_range(const op_range_ctx *ctx, int begin, int end) {
  double *p[8];
  for (int i = 0; i < 8; ++i) p[i] = reinterpret_cast<double *>(ctx->args[i].base);
  for (int n = begin; n < end; ++n) {
    const int m = ctx->args[0].map[n];
    eight(p[0] + m, p[1] + m, p[2] + n, p[3] + n, p[4] + m, p[5] + m, p[6] + n, p[7] + n);
  }
}

// state.range(0): elements; backend: what runs them.
void call(benchmark::State &state, const char *backend, bool with_reduction) {
  op_init_params params = OP_INIT_PARAMS;
  params.backend = backend;
  op_init_with(&params);
  const int n = static_cast<int>(state.range(0));
  std::vector<int> identity(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) identity[static_cast<std::size_t>(i)] = i;
  const op_set set = op_decl_set(n, "set");
  const op_map map = op_decl_map(set, set, 1, identity.data(), "map");
  op_dat dats[8];
  for (op_dat &dat : dats) dat = op_decl_dat(set, 1, "double", nullptr, "dat");
  double sum = 0;
  op_loop_site site =
      OP_LOOP_SITE(reinterpret_cast<op_kernel_fn>(eight), with_reduction ? nullptr : eight_range, "eight");
  for (auto _ : state) {
    const op_arg args[8] = {
        op_arg_dat(dats[0], 0, map, 1, "double", OP_READ),
        op_arg_dat(dats[1], 0, map, 1, "double", OP_READ),
        op_arg_dat(dats[2], -1, OP_ID, 1, "double", OP_READ),
        op_arg_dat(dats[3], -1, OP_ID, 1, "double", OP_READ),
        op_arg_dat(dats[4], 0, map, 1, "double", OP_INC),
        op_arg_dat(dats[5], 0, map, 1, "double", OP_INC),
        op_arg_dat(dats[6], -1, OP_ID, 1, "double", OP_RW),
        with_reduction ? op_arg_gbl(&sum, 1, "double", OP_INC) : op_arg_dat(dats[7], -1, OP_ID, 1, "double", OP_RW)};
    op_par_loop_site(&site, "eight", set, 8, args);
  }
  op_exit();
}

} // namespace

BENCHMARK_CAPTURE(call, seq, "seq", false)->Arg(1)->Arg(100);
BENCHMARK_CAPTURE(call, seq_with_reduction, "seq", true)->Arg(1)->Arg(100);
BENCHMARK_CAPTURE(call, openmp, "openmp", false)->Arg(1)->Arg(100);
BENCHMARK_MAIN();
