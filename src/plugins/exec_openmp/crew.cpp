// The crew of executor "openmp": the threads of OpenMP, which take equal shares.
#include <omp.h>

#include "plugins/exec_common/threads/threads.hpp"

namespace op2::exec_threads {

struct Crew {}; // OpenMP has the threads

void FreeCrew::operator()(Crew *crew) const { delete crew; }

bool is_caller(const op_exec *) { return omp_get_thread_num() == 0; }

void share_items(op_exec *exec, int threads, int items, ItemBody body) {
#pragma omp parallel num_threads(threads)
  {
    const int thread = omp_get_thread_num();
    const Share mine = share_of(items, thread, omp_get_num_threads());
    const double begin = exec->host->now();
    for (std::int64_t item = mine.first; item < mine.last; ++item) body(static_cast<int>(item), thread);
    exec->busy[static_cast<size_t>(thread)].seconds += exec->host->now() - begin;
  }
}

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
