// memory_ends.cpp: one process has no memory left, at some large allocation while a chain of loops gets halos of more
// layers and first runs in them, or while rows move to other processes, or for messages while the mesh is divided.
// Needs OP2_CHAIN_DEPTH.
#include <op2/partition.h>
#include <op2/op2.hpp>

#include <sys/resource.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <vector>

namespace {

constexpr std::size_t large = 512; // bytes
thread_local long allowed = -1;    // large allocations, before one fails; negative: all

} // namespace

void *operator new(std::size_t bytes) {
  if (bytes >= large && allowed >= 0 && allowed-- == 0) throw std::bad_alloc();
  if (void *const out = std::malloc(bytes > 0 ? bytes : 1)) return out;
  throw std::bad_alloc();
}
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }

namespace {

constexpr int few_nodes = 4000, many_nodes = 100000; // of many, what processes say while they divide the mesh is long

// It is a file of the system, which does not grow for this process while one exists.
class SharedMemoryEnds {
 public:
  SharedMemoryEnds() {
    std::signal(SIGXFSZ, SIG_IGN);
    limit(1 << 18); // what it prints may go to a file, too
  }
  ~SharedMemoryEnds() { limit(RLIM_INFINITY); }

 private:
  static void limit(rlim_t bytes) {
    const rlimit both = {bytes, RLIM_INFINITY};
    setrlimit(RLIMIT_FSIZE, &both);
  }
};

void spread(const double *left, const double *right, double *sum_left, double *sum_right) {
  *sum_left += *right;
  *sum_right += *left;
}
void update(double *q, double *sum) {
  *q = 0.5 * *q + 0.25 * *sum;
  *sum = 0;
}

class Job {
 public:
  explicit Job(int nodes) {
    std::vector<int> ends;
    for (int n = 0; n < nodes; ++n) ends.insert(ends.end(), {n, (n + 1) % nodes});
    node_ = op_decl_set(nodes, "nodes");
    edge_ = op_decl_set(nodes, "edges");
    ends_ = op_decl_map(edge_, node_, 2, ends.data(), "ends");
    q_ = op_decl_dat(node_, 1, "double", nullptr, "q");
    sum_ = op_decl_dat(node_, 1, "double", nullptr, "sum");
    std::vector<double> work;
    for (int n = 0; n < nodes; ++n) work.push_back(n < nodes / 8 ? 10 : 1);
    work_ = op_decl_dat(node_, 1, "double", work.data(), "work");
  }
  op_status balance() const {
    op_repartition_params params = OP_REPARTITION_PARAMS;
    params.weights = work_;
    params.always = 1;
    return op_repartition(&params);
  }
  void record() {
    op_chain_begin("rounds");
    for (int round = 0; round < 3; ++round) {
      op_par_loop(spread, "spread", edge_, op_arg_dat(q_, 0, ends_, 1, "double", OP_READ),
                  op_arg_dat(q_, 1, ends_, 1, "double", OP_READ), op_arg_dat(sum_, 0, ends_, 1, "double", OP_INC),
                  op_arg_dat(sum_, 1, ends_, 1, "double", OP_INC));
      op_par_loop(update, "update", node_, op_arg_dat(q_, -1, OP_ID, 1, "double", OP_RW),
                  op_arg_dat(sum_, -1, OP_ID, 1, "double", OP_RW));
    }
  }

 private:
  op_set node_, edge_;
  op_map ends_;
  op_dat q_, sum_, work_;
};

// Of a process without memory for the messages with which the mesh is divided.
op_status divide(bool victim) {
  Job job(many_nodes);
  std::optional<SharedMemoryEnds> ended;
  if (victim) ended.emplace();
  job.record();
  return op_chain_end();
}

// While a chain gets halos of more layers, or rows move; so many large allocations go well.
op_status deepen_or_move(bool moves, bool victim, long number, bool &ended) {
  Job job(few_nodes);
  for (int chain = 0; chain < 2; ++chain) { // afterwards its loops are known
    job.record();
    if (op_chain_end() != OP_OK) return OP_ERR_INTERNAL;
  }
  if (!moves) job.record();
  if (victim) allowed = number;
  const op_status status = moves ? job.balance() : op_chain_end();
  ended = victim && allowed < 0;
  allowed = -1;
  return status;
}

} // namespace

// memory_ends NUMBER VICTIM [moves]: so many large allocations go well on this process; "messages": it gets no more of
// the memory that processes share.
int main(int argc, char **argv) {
  op_init(0, nullptr, 0);
  int rank = 0;
  op_rank(&rank);
  const bool victim = rank == std::atoi(argv[2]);
  bool ended = false;
  const op_status status = std::strcmp(argv[1], "messages") == 0
                               ? divide(victim)
                               : deepen_or_move(argc > 3, victim, std::atol(argv[1]), ended);
  std::printf("process %d: %s%s\n", rank, op_status_name(status), ended ? ", memory has ended" : "");
  return op_exit() == OP_OK ? 0 : 3;
}

// SPDX-License-Identifier: MIT
