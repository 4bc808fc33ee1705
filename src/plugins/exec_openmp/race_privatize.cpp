// OP2_RACE=privatize: every thread increments a copy of the dats of its own, and the copies are added up in the order
// of the threads. Memory and traffic grow with the number of threads; the sums depend on it. Made for comparison.
#include <algorithm>
#include <cstring>

#include "exec_openmp.hpp"

namespace op2::exec_openmp {

namespace {

// A dat that the loop increments through maps, and the arguments that do so.
struct Private {
  op_exec_arg arg; // of the first of them
  char *base;
  size_t bytes;
  size_t offset; // of its copy among a thread's copies
  std::vector<int> args;
};

// All rows of the dat of argument i, in their layout.
size_t bytes_of(const Run &run, int i) {
  const op_exec_arg &arg = run.arg(i);
  const op_range_layout layout = layout_of(*run.kernel->signature, i);
  if (layout.kind == OP_LAYOUT_SOA) return static_cast<size_t>(layout.step) * static_cast<size_t>(arg.dim);
  return round_up(static_cast<size_t>(arg.rows), static_cast<size_t>(layout.block)) * row_bytes(arg);
}

std::vector<Private> private_dats(const Run &run, size_t &bytes_per_thread) {
  std::vector<Private> out;
  bytes_per_thread = 0;
  for (int i = 0; i < run.nargs(); ++i) {
    const op_exec_arg &arg = run.arg(i);
    if (arg.map < 0 || arg.dat < 0 || arg.access != OP_INC) continue;
    const auto same = std::find_if(out.begin(), out.end(), [&](const Private &p) { return p.arg.dat == arg.dat; });
    if (same != out.end()) {
      same->args.push_back(i);
      continue;
    }
    const size_t bytes = bytes_of(run, i);
    out.push_back({arg, run.call->args[i].base, bytes, bytes_per_thread, {i}});
    bytes_per_thread += round_up(bytes, 64);
  }
  return out;
}

template <class T>
void add_values(char *to, const char *from, size_t first, size_t last) {
  T *a = reinterpret_cast<T *>(to);
  const T *b = reinterpret_cast<const T *>(from);
  for (size_t i = first; i < last; ++i) a[i] += b[i];
}

void add_share(const Private &dat, const char *from, size_t first, size_t last) {
  with_number(dat.arg.type, [&](auto zero) { add_values<decltype(zero)>(dat.base, from, first, last); });
}

// Memory of all threads' copies, from the host, freed at the end of the scope.
class Copies {
 public:
  Copies(const op_host_v1 *host, size_t bytes) : host_(host), data_(static_cast<char *>(host->alloc(bytes, 64))) {
    if (!data_) throw std::bad_alloc();
  }
  ~Copies() { host_->free(data_); }
  Copies(const Copies &) = delete;
  Copies &operator=(const Copies &) = delete;
  char *data() const { return data_; }

 private:
  const op_host_v1 *host_;
  char *data_;
};

} // namespace

void run_privatized(const Run &run) {
  const op_exec_plan &plan = *run.call->plan;
  const int threads = run.exec->threads;
  size_t stride = 0;
  const std::vector<Private> dats = private_dats(run, stride);
  const Copies copies(run.exec->host, stride * static_cast<size_t>(threads));
  const Records records(run, plan.kind == OP_PLAN_NONE ? 0 : plan.nblocks, threads);
#pragma omp parallel num_threads(threads)
  {
    ThreadArgs args(run);
#pragma omp for schedule(static, 1)
    for (int t = 0; t < threads; ++t) {
      char *mine = copies.data() + stride * static_cast<size_t>(t);
      std::memset(mine, 0, stride);
      for (const Private &dat : dats)
        for (const int i : dat.args) args[i].base = mine + dat.offset;
      run_share(run, records, args, t, [&](int begin, int end) { args.run(run, begin, end); });
    }
#pragma omp for schedule(static, 1)
    for (int t = 0; t < threads; ++t)
      for (const Private &dat : dats) {
        const size_t values = dat.bytes / static_cast<size_t>(dat.arg.type_size);
        const Share share = share_of(static_cast<std::int64_t>(values), t, threads);
        for (int from = 0; from < threads; ++from)
          add_share(dat, copies.data() + stride * static_cast<size_t>(from) + dat.offset,
                    static_cast<size_t>(share.first), static_cast<size_t>(share.last));
      }
  }
  records.combine();
}

} // namespace op2::exec_openmp
