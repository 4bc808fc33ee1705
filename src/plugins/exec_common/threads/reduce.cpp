#include <cstring>

#include "threads.hpp"

namespace op2::exec_threads {

namespace {
constexpr size_t most_record_bytes = size_t{64} << 20; // for records per block
}

Records::Records(const Run &run, int blocks, int threads) : run_(run) {
  const op_exec_reduce *reduce = run.kernel->signature->reduce;
  if (!reduce) return;
  // Where the order does not matter, a record for each thread will do.
  per_block_ =
      !run.exec->reproducible && blocks > 0 && reduce->record_bytes <= most_record_bytes / static_cast<size_t>(blocks);
  count_ = per_block_ ? blocks : threads;
  std::vector<char> &memory = run.kernel->records;
  memory.resize(reduce->record_bytes * static_cast<size_t>(count_) + 64);
  for (int i = 0; i < count_; ++i) std::memcpy(of(i, i), run.call->reduce_start, reduce->record_bytes);
}

char *at_cache_line(std::vector<char> &memory) {
  const size_t past = reinterpret_cast<std::uintptr_t>(memory.data()) % 64;
  return memory.data() + (past ? 64 - past : 0);
}

char *Records::of(int block, int thread) const {
  return at_cache_line(run_.kernel->records) +
         run_.kernel->signature->reduce->record_bytes * static_cast<size_t>(per_block_ ? block : thread);
}

void Records::combine() const {
  if (!any()) return;
  const op_exec_reduce &reduce = *run_.kernel->signature->reduce;
  std::memcpy(run_.call->reduce_result, run_.call->reduce_start, reduce.record_bytes);
  for (int i = 0; i < count_; ++i) reduce.combine(&reduce, run_.call->reduce_result, of(i, i));
}

} // namespace op2::exec_threads
// SPDX-License-Identifier: MIT
