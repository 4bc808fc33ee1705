// exchange.cpp: what a message between two processes costs: a halo exchange through the table of communicator mpi
// beside a bare MPI_Sendrecv of the same bytes, and reductions beside MPI_Allreduce. Starts itself again under mpirun.
//
// Judged: the exchange takes no more than three times as long, from 8 bytes to 1 MiB.
#include <mpi.h>
#include <unistd.h>

#include <array>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/settings.hpp"
#include "common/measure.hpp"
#include "common/report.hpp"
#include "host/communicator.hpp"
#include "host/plugins/registry.hpp"
#include "host/plugins/services.hpp"

namespace {

using op2::core::Communicator;

constexpr double slowest = 3;
constexpr int processes = 2, tag = 1;

struct Size {
  const char *name;
  std::size_t bytes;
  int repeats; // in one sample
};
constexpr std::array sizes = {Size{"8B", 8, 4000},     Size{"64B", 64, 4000},     Size{"512B", 512, 4000},
                              Size{"4kB", 4096, 2000}, Size{"32kB", 32768, 1000}, Size{"256kB", 262144, 200},
                              Size{"1MB", 1048576, 60}};

// One after the other with both processes at the start, as in a program whose loops exchange again and again.
template <class A, class B>
bench::Pairs in_turn(int pairs, int repeats, const A &yardstick, const B &subject) {
  bench::Pairs out;
  const auto sample = [&](const auto &run) {
    MPI_Barrier(MPI_COMM_WORLD);
    return bench::seconds([&] {
             for (int i = 0; i < repeats; ++i) run();
           }) /
           repeats;
  };
  sample(yardstick);
  sample(subject);
  for (int i = 0; i < pairs; ++i) {
    const double time = sample(yardstick);
    out.add(time, sample(subject));
  }
  return out;
}

void report(Communicator &comm, const std::string &row, const char *yardstick, const char *subject,
            const bench::Pairs &pairs) {
  if (comm.rank() > 0) return;
  bench::result(row + "." + yardstick, 1e6 * bench::median(pairs.yardstick), "us");
  bench::result(row + "." + subject, 1e6 * bench::median(pairs.subject), "us");
  bench::check(row + "." + subject + "_to_" + yardstick, pairs.ratio(), slowest, bench::Better::below, "x");
}

void exchanges(Communicator &comm, int pairs, int share) {
  const int other = 1 - comm.rank();
  for (const Size &size : sizes) {
    std::vector<char> send(size.bytes, 's'), receive(size.bytes);
    const int bytes = static_cast<int>(size.bytes);
    const std::size_t offset[2] = {0, size.bytes};
    const op_comm_halo_params params = {sizeof params, OP_SPACE_HOST, 1,      1,           &other,
                                        &other,        offset,        offset, send.data(), receive.data()};
    op_comm_halo *halo = comm.halo_create(params);
    report(comm, std::string("exchange.") + size.name, "sendrecv", "halo",
           in_turn(
               pairs, size.repeats / share,
               [&] {
                 MPI_Sendrecv(send.data(), bytes, MPI_BYTE, other, tag, receive.data(), bytes, MPI_BYTE, other, tag,
                              MPI_COMM_WORLD, MPI_STATUS_IGNORE);
               },
               [&] {
                 comm.halo_start(halo);
                 comm.halo_wait(halo);
               }));
    comm.halo_free(halo);
  }
}

void add(void *count, void *into, const void *later) {
  for (int i = 0; i < *static_cast<int *>(count); ++i)
    static_cast<double *>(into)[i] += static_cast<const double *>(later)[i];
}

void reductions(Communicator &comm, int pairs, int share) {
  for (int count : {1, 64}) {
    std::vector<double> values(static_cast<std::size_t>(count), 0), sums(values);
    report(comm, "reduction." + std::to_string(8 * count) + "B", "allreduce", "record",
           in_turn(
               pairs, 4000 / share,
               [&] { MPI_Allreduce(values.data(), sums.data(), count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); },
               [&] { comm.allreduce_record(values.data(), 8 * values.size(), add, &count); }));
  }
}

void measure(bool quick) {
  op2::core::Settings settings = op2::core::Settings::load(0, nullptr);
  settings.set("OP2_PLUGIN_PATH", OP2_BENCH_PLUGINS, "bench");
  const op2::core::Log log(OP_LOG_ERROR);
  const op2::core::Services services(log, settings);
  op2::core::Registry registry(settings, log, services);
  Communicator comm(registry, services, "mpi");
  if (comm.size() != processes) throw std::runtime_error("not two processes");
  const int pairs = quick ? bench::fewest_pairs : 5 * bench::fewest_pairs;
  const int share = quick ? 20 : 1;
  exchanges(comm, pairs, share);
  reductions(comm, pairs, share);
}

// This program again, in two processes. More than there are cores, or as root in a container, must not stop it.
int start_again(char **argv) {
  for (const char *variable :
       {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"})
    setenv(variable, "1", 0);
  setenv("OP2_BENCH_STARTED", "1", 1);
  std::vector<std::string> words = {OP2_BENCH_MPIRUN, "--bind-to", "none", "-n", std::to_string(processes)};
  for (; *argv; ++argv) words.emplace_back(*argv);
  std::vector<char *> line;
  for (std::string &word : words) line.push_back(word.data());
  line.push_back(nullptr);
  execv(line[0], line.data());
  std::perror(OP2_BENCH_MPIRUN);
  return 1;
}

} // namespace

int main(int argc, char **argv) {
  const bool quick = bench::quick(argc, argv);
  if (!std::getenv("OP2_BENCH_STARTED")) return start_again(argv);
  try {
    measure(quick);
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

// SPDX-License-Identifier: MIT
