// OP2_RACE=atomic: the kernel increments scratch rows, which are then added to the dats with atomic operations. Element
// by element, so slow on CPUs; results differ from run to run in the order of the sums. Made for comparison.
#include <algorithm>
#include <cstring>

#include "exec_openmp.hpp"

namespace op2::exec_openmp {

namespace {

template <class T>
void add_values(char *to, std::ptrdiff_t step, const char *from, int dim) {
  for (int i = 0; i < dim; ++i) {
    T value;
    std::memcpy(&value, from + sizeof(T) * static_cast<size_t>(i), sizeof(T));
    T *target = reinterpret_cast<T *>(to + i * step);
#pragma omp atomic
    *target += value;
  }
}

void add_row(const op_exec_arg &arg, char *to, std::ptrdiff_t step, const char *from) {
  with_number(arg.type, [&](auto zero) { add_values<decltype(zero)>(to, step, from, arg.dim); });
}

// The increments of one element: scratch rows in place of the rows of the dats.
struct Scratch {
  struct Part {
    int arg;
    op_range_arg target; // the real place
    RowPlace place;
    size_t offset, row_bytes;
    int rows;
  };
  std::vector<Part> parts;
  std::vector<char> rows;
  std::vector<int> identity; // column numbers for vector arguments, and a 0 for single ones

  Scratch(const Run &run, ThreadArgs &args) {
    size_t bytes = 0;
    int most = 1;
    for (int i = 0; i < run.nargs(); ++i) {
      const op_exec_arg &arg = run.arg(i);
      if (arg.map < 0 || arg.dat < 0 || arg.access != OP_INC) continue;
      const size_t row = row_bytes(arg);
      parts.push_back({i, run.call->args[i], place_of(run, i), bytes, row, exec_common::pointers(arg)});
      bytes += round_up(row * static_cast<size_t>(parts.back().rows), 16);
      most = std::max(most, arg.count);
    }
    rows.resize(bytes);
    identity.resize(static_cast<size_t>(most));
    for (int j = 0; j < most; ++j) identity[static_cast<size_t>(j)] = j;
    for (const Part &part : parts) {
      args[part.arg].base = rows.data() + part.offset;
      args[part.arg].map = identity.data();
      args[part.arg].map_stride = 0;
      args[part.arg].stride = static_cast<std::ptrdiff_t>(part.row_bytes);
      args.use_rows(run, part.arg);
    }
  }

  void clear() { std::fill(rows.begin(), rows.end(), char{0}); }

  void add(const Run &run, int n) const {
    for (const Part &part : parts)
      for (int j = 0; j < part.rows; ++j) {
        const int target = part.target.map[static_cast<std::ptrdiff_t>(n) * part.target.map_stride + j];
        add_row(run.arg(part.arg), part.place.at(target), part.place.layout.step,
                rows.data() + part.offset + part.row_bytes * static_cast<size_t>(j));
      }
  }
};

} // namespace

void run_atomic(const Run &run) {
  const op_exec_plan &plan = *run.call->plan;
  const int threads = run.exec->threads;
  const Records records(run, plan.kind == OP_PLAN_NONE ? 0 : plan.nblocks, threads);
#pragma omp parallel for num_threads(threads) schedule(static, 1)
  for (int t = 0; t < threads; ++t) {
    try {
      ThreadArgs args(run);
      Scratch scratch(run, args);
      const auto run_range = [&](int begin, int end) {
        for (int n = begin; n < end && !run.failure->happened(); ++n) {
          scratch.clear();
          args.run(run, n, n + 1);
          scratch.add(run, n);
        }
      };
      run_share(run, records, args, t, run_range);
    } catch (...) { // no memory for the scratch rows
      run.failure->without_memory();
    }
  }
  records.combine();
}

} // namespace op2::exec_openmp
