// memory_ends.cpp: one process has no memory left, at some large allocation while a chain of loops gets halos of more
// layers and first runs in them. Needs OP2_CHAIN_DEPTH.
#include <op2/op2.hpp>

#include <cstdio>
#include <cstdlib>
#include <new>
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

constexpr int nodes = 4000;

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
  Job() {
    std::vector<int> ends;
    for (int n = 0; n < nodes; ++n) ends.insert(ends.end(), {n, (n + 1) % nodes});
    node_ = op_decl_set(nodes, "nodes");
    edge_ = op_decl_set(nodes, "edges");
    ends_ = op_decl_map(edge_, node_, 2, ends.data(), "ends");
    q_ = op_decl_dat(node_, 1, "double", nullptr, "q");
    sum_ = op_decl_dat(node_, 1, "double", nullptr, "sum");
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
  op_dat q_, sum_;
};

} // namespace

// memory_ends NUMBER VICTIM: so many large allocations go well on this process.
int main(int, char **argv) {
  const long number = std::atol(argv[1]);
  op_init(0, nullptr, 0);
  int rank = 0;
  op_rank(&rank);
  const bool victim = rank == std::atoi(argv[2]);
  Job job;
  for (int chain = 0; chain < 2; ++chain) { // afterwards its loops are known
    job.record();
    if (op_chain_end() != OP_OK) return 2;
  }
  job.record();
  if (victim) allowed = number;
  const op_status status = op_chain_end();
  const bool ended = victim && allowed < 0;
  allowed = -1;
  std::printf("process %d: %s%s\n", rank, op_status_name(status), ended ? ", memory has ended" : "");
  return op_exit() == OP_OK ? 0 : 3;
}
