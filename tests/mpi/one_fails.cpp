// one_fails.cpp: the executor of one process fails once, in every call that it gets while loops run. All processes get
// an error from the same call, nobody waits for ever, and afterwards either nothing has happened, and the loop can be
// called again, or only op_exit() is possible: the same on all processes. Needs executor faraway (tests/plugins) and
// OP2_ERROR=return.
#include <mpi.h>
#include <op2/op2.hpp>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

int failures = 0;
#define CHECK(condition, ...)                                                  \
  do {                                                                         \
    if (!(condition)) {                                                        \
      std::fprintf(stderr, "%s:%d: not %s; ", __FILE__, __LINE__, #condition); \
      std::fprintf(stderr, __VA_ARGS__);                                       \
      std::fprintf(stderr, "\n");                                              \
      failures = 1;                                                            \
    }                                                                          \
  } while (0)

constexpr int nodes = 60, rounds = 3;

double factor[3] = {0.5, 0.25, 0};

void spread(const double *left, const double *right, double *sum_left, double *sum_right) {
  *sum_left += *right;
  *sum_right += *left;
}
void update(double *q, double *sum, double *total) {
  *q = factor[0] * *q + factor[1] * *sum;
  *sum = 0;
  *total += *q;
}
void look(const double *q, double *seen) { *seen += *q; }

class Job {
 public:
  Job() {
    std::vector<int> ends;
    for (int n = 0; n < nodes; ++n) ends.insert(ends.end(), {n, (n + 1) % nodes});
    std::vector<double> first;
    for (int n = 0; n < nodes; ++n) first.push_back(n % 7);
    node_ = op_decl_set(nodes, "nodes");
    edge_ = op_decl_set(nodes, "edges");
    ends_ = op_decl_map(edge_, node_, 2, ends.data(), "ends");
    q_ = op_decl_dat(node_, 1, "double", first.data(), "q");
    sum_ = op_decl_dat(node_, 1, "double", nullptr, "sum");
    seen_ = op_decl_dat(edge_, 1, "double", nullptr, "seen");
    op_decl_const(2, "double", factor);
  }
  // With FARAWAY_REFUSES the executor takes no loop whose name's characters have an odd sum: "look" runs on the host
  // then.
  static constexpr int steps = 4 * rounds;
  op_status step(int number) {
    switch (number % 4) {
      case 0:
        return op_par_loop(spread, "spreads", edge_, op_arg_dat(q_, 0, ends_, 1, "double", OP_READ),
                           op_arg_dat(q_, 1, ends_, 1, "double", OP_READ),
                           op_arg_dat(sum_, 0, ends_, 1, "double", OP_INC),
                           op_arg_dat(sum_, 1, ends_, 1, "double", OP_INC));
      case 1: {
        double total = 0;
        const op_status status =
            op_par_loop(update, "updates", node_, op_arg_dat(q_, -1, OP_ID, 1, "double", OP_RW),
                        op_arg_dat(sum_, -1, OP_ID, 1, "double", OP_RW), op_arg_gbl(&total, 1, "double", OP_INC));
        if (status == OP_OK) total_ = total;
        return status;
      }
      case 2:
        return op_par_loop(look, "look", edge_, op_arg_dat(q_, 1, ends_, 1, "double", OP_READ),
                           op_arg_dat(seen_, -1, OP_ID, 1, "double", OP_RW));
      default: // kernels are made anew when a constant gets another number of values
        if (number / 4 == 0) {
          std::vector<double> some(nodes);
          return op_fetch_data(q_, some.data());
        }
        return number / 4 == 1 ? op_decl_const(3, "double", factor) : OP_OK;
    }
  }
  // The same by plain code, which every process does for itself.
  void expect_right(const char *where) const {
    std::vector<double> q(nodes), seen(nodes, 0), got(nodes, -1);
    for (int n = 0; n < nodes; ++n) q[static_cast<size_t>(n)] = n % 7;
    double total = 0;
    for (int round = 0; round < rounds; ++round) {
      std::vector<double> next(nodes);
      total = 0;
      for (int n = 0; n < nodes; ++n) {
        const size_t at = static_cast<size_t>(n), before = static_cast<size_t>((n + nodes - 1) % nodes),
                     after = static_cast<size_t>((n + 1) % nodes);
        next[at] = factor[0] * q[at] + factor[1] * (q[before] + q[after]);
        total += next[at];
      }
      q = next;
      for (int n = 0; n < nodes; ++n) seen[static_cast<size_t>(n)] += q[static_cast<size_t>((n + 1) % nodes)];
    }
    CHECK(total_ > total - 1e-9 && total_ < total + 1e-9, "%s: the total is %g instead of %g", where, total_, total);
    CHECK(op_fetch_data(seen_, got.data()) == OP_OK, "%s: %s", where, op_last_error());
    for (size_t e = 0; e < seen.size(); ++e)
      CHECK(got[e] > seen[e] - 1e-9 && got[e] < seen[e] + 1e-9, "%s: edge %zu", where, e);
  }

 private:
  op_set node_, edge_;
  op_map ends_;
  op_dat q_, sum_, seen_;
  double total_ = 0;
};

int rank, processes;

bool same(int value) {
  int both[2] = {value, -value};
  MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return both[0] == -both[1];
}

// Steps from `first` on until one fails; the number of it.
int run(Job &job, int first, op_status &status) {
  status = OP_OK;
  for (int number = first; number < Job::steps; ++number)
    if ((status = job.step(number)) != OP_OK) return number;
  return Job::steps;
}

struct Count {
  int usable = 0, poisoned = 0;
};

// Whether the n-th call of this entry took place.
bool attempt(const std::string &entry, int n, int victim, Count &count) {
  const std::string what = entry + ":" + std::to_string(n), where_text = what + " on process " + std::to_string(victim);
  const char *const where = where_text.c_str();
  op_init(0, nullptr, 0);
  {
    Job job;
    if (rank == victim) setenv("FARAWAY_FAILS", what.c_str(), 1);
    op_status status = OP_OK;
    const int stopped = run(job, 0, status);
    unsetenv("FARAWAY_FAILS");
    CHECK(same(stopped), "%s: this process stopped at step %d", where, stopped);
    CHECK(same(status), "%s: status %d", where, status);
    if (stopped == Job::steps) {
      job.expect_right(where);
      CHECK(op_exit() == OP_OK, "%s", where);
      return false;
    }
    CHECK(std::strstr(op_last_error(), "FARAWAY_FAILS"), "%s: %s", where, op_last_error());
    if (rank != victim)
      CHECK(std::strstr(op_last_error(), ("process " + std::to_string(victim)).c_str()), "%s: %s", where,
            op_last_error());
    op_status again = OP_OK;
    const int reached = run(job, stopped, again);
    CHECK(same(reached), "%s: %d after the failure: %s", where, reached, op_last_error());
    if (again == OP_OK) {
      job.expect_right(where);
      ++count.usable;
    } else {
      CHECK(again == OP_ERR_STATE && std::strstr(op_last_error(), "only op_exit() is possible now"), "%s: %s", where,
            op_last_error());
      ++count.poisoned;
    }
  }
  CHECK(op_exit() == OP_OK, "%s: %s", where, op_last_error());
  return true;
}

} // namespace

int main() {
  op_init(0, nullptr, 0); // and MPI with it
  op_rank(&rank);
  processes = op_comm_size();
  op_exit();
  for (const char *entry : {"kernel_create", "kernel_plan_request", "mem_alloc", "mem_copy", "halo_upload", "halo_pack",
                            "halo_unpack", "loop_run", "reduce_wait"}) {
    Count count;
    int calls = 0;
    for (bool there = true; there && !failures; calls += there ? 1 : 0) {
      there = attempt(entry, calls + 1, calls % 2 ? processes - 1 : 0, count);
      MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    if (rank == 0)
      std::printf("%s: %d calls, after which %d times the loop could be called again\n", entry, calls, count.usable);
  }
  return failures;
}

// SPDX-License-Identifier: MIT
