// scale_ranks.cpp: the part of scale.cpp that runs under mpirun: what a message costs, and real airfoil runs in a given
// division.
//
//   links                            "link BYTES SECONDS": both ways between two neighbouring ranks, all pairs at once
//   airfoil I J FILE ITERATIONS CHAIN
//                                    FILE: the part of each cell. CHAIN: 0, or iterations in a chain, which then count
//                                    as one. "iteration SECONDS SECONDS", median and fastest, and of every rank
//                                    "rank RANK MESSAGES BYTES" per iteration, "set RANK NUMBER OWNED CORE EXEC
//                                    NONEXEC"
#include <mpi.h>
#include <op2/heads.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "airfoil/airfoil_library.hpp"
#include "common/measure.hpp"
#include "scale/scale_count.hpp"

namespace {

int size_of_world() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}
int rank_in_world() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}

// The way the library sends: persistent requests, started together.
double link_seconds(std::size_t bytes, int repeats, int count_of_samples) {
  constexpr int tag = 1;
  std::vector<char> send(bytes, 's'), receive(bytes);
  const int other = rank_in_world() ^ 1, count = static_cast<int>(bytes);
  std::array<MPI_Request, 2> requests{};
  MPI_Recv_init(receive.data(), count, MPI_BYTE, other, tag, MPI_COMM_WORLD, requests.data());
  MPI_Send_init(send.data(), count, MPI_BYTE, other, tag, MPI_COMM_WORLD, &requests[1]);
  std::vector<double> samples;
  for (int sample = 0; sample < count_of_samples; ++sample) {
    MPI_Barrier(MPI_COMM_WORLD);
    samples.push_back(bench::seconds([&] {
                        for (int i = 0; i < repeats; ++i) {
                          MPI_Startall(2, requests.data());
                          MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
                        }
                      }) /
                      repeats);
  }
  for (MPI_Request &request : requests) MPI_Request_free(&request);
  return *std::min_element(samples.begin(), samples.end());
}

void links(int samples) {
  MPI_Init(nullptr, nullptr);
  struct Size {
    std::size_t bytes;
    int repeats;
  };
  for (const Size size : {Size{8, 200}, Size{4096, 100}, Size{32768, 50}, Size{262144, 20}}) {
    const double seconds = link_seconds(size.bytes, size.repeats, samples);
    if (rank_in_world() == 0) std::printf("link %zu %.9g\n", size.bytes, seconds);
  }
  MPI_Finalize();
}

// Rows first ... last - 1 of an array with dim values per row.
template <class T>
std::vector<T> rows(const std::vector<T> &all, int dim, int first, int last) {
  return {all.begin() + std::ptrdiff_t{first} * dim, all.begin() + std::ptrdiff_t{last} * dim};
}

int first_of(int size, int rank) { return static_cast<int>(std::int64_t{size} * rank / size_of_world()); }

// What this rank declares of the mesh: a block of each set.
naca::Mesh own_block(const naca::Mesh &mesh) {
  const int rank = rank_in_world();
  naca::Mesh out;
  const auto share = [&](int size, int &own, const auto &take) {
    const int first = first_of(size, rank), last = first_of(size, rank + 1);
    own = last - first;
    take(first, last);
  };
  share(mesh.nnode, out.nnode, [&](int first, int last) { out.x = rows(mesh.x, 2, first, last); });
  share(mesh.ncell, out.ncell, [&](int first, int last) { out.cell_nodes = rows(mesh.cell_nodes, 4, first, last); });
  share(mesh.nedge, out.nedge, [&](int first, int last) {
    out.edge_nodes = rows(mesh.edge_nodes, 2, first, last);
    out.edge_cells = rows(mesh.edge_cells, 2, first, last);
  });
  share(mesh.nbedge, out.nbedge, [&](int first, int last) {
    out.bedge_nodes = rows(mesh.bedge_nodes, 2, first, last);
    out.bedge_cell = rows(mesh.bedge_cell, 1, first, last);
    out.bound = rows(mesh.bound, 1, first, last);
  });
  return out;
}

std::vector<int> read_parts(const char *file, int cells) {
  std::vector<int> part(static_cast<std::size_t>(cells));
  const std::streamsize bytes = static_cast<std::streamsize>(part.size() * sizeof(int));
  std::ifstream in(file, std::ios::binary);
  if (!in.read(reinterpret_cast<char *>(part.data()), bytes)) throw std::runtime_error("cannot read the parts");
  const int rank = rank_in_world();
  return rows(part, 1, first_of(cells, rank), first_of(cells, rank + 1));
}

// One line of whole numbers from every rank, printed by the first.
void print_all(const char *name, const std::vector<long long> &numbers) {
  std::vector<long long> all(numbers.size() * static_cast<std::size_t>(size_of_world()));
  const int count = static_cast<int>(numbers.size());
  MPI_Gather(numbers.data(), count, MPI_LONG_LONG, all.data(), count, MPI_LONG_LONG, 0, MPI_COMM_WORLD);
  if (rank_in_world() > 0) return;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i % numbers.size() == 0) std::printf("%s %zu", name, i / numbers.size());
    std::printf(" %lld%s", all[i], (i + 1) % numbers.size() == 0 ? "\n" : "");
  }
}

void airfoil(int I, int J, const char *file, int iterations, int chain) {
  const naca::Mesh mesh = naca::make_mesh(I, J);
  AirfoilLibrary library(own_block(mesh), "mpi+seq", 1);
  library.divide(read_parts(file, mesh.ncell));
  constexpr int warm = 4;
  const auto iterate = [&] { chain > 0 ? library.iterate_without_residual(chain) : library.iterate(); };
  for (int i = 0; i < warm; ++i) iterate();
  const SentSoFar before = sent_so_far();
  std::vector<double> times;
  for (int i = 0; i < iterations; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    double mine = bench::seconds(iterate), longest = 0;
    MPI_Allreduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    times.push_back(longest);
  }
  const SentSoFar after = sent_so_far();
  if ((after.messages - before.messages) % iterations != 0 || (after.bytes - before.bytes) % iterations != 0)
    throw std::runtime_error("iterations differ in what they send");
  if (rank_in_world() == 0)
    std::printf("iteration %.9g %.9g\n", bench::median(times), *std::min_element(times.begin(), times.end()));
  print_all("rank", {(after.messages - before.messages) / iterations, (after.bytes - before.bytes) / iterations});
  int number = 0;
  for (const op_set set : library.sets())
    print_all("set", {number++, set->size, set->core_size, set->exec_size, set->nonexec_size});
}

// The library comes after MPI's start and goes before its end.
void run_airfoil(int I, int J, const char *file, int iterations, int chain) {
  MPI_Init(nullptr, nullptr);
  airfoil(I, J, file, iterations, chain);
  MPI_Finalize();
}

} // namespace

int main(int argc, char **argv) {
  try {
    if (argc == 3 && std::strcmp(argv[1], "links") == 0)
      links(std::max(1, std::atoi(argv[2])));
    else if (argc == 7 && std::strcmp(argv[1], "airfoil") == 0)
      run_airfoil(std::atoi(argv[2]), std::atoi(argv[3]), argv[4], std::max(1, std::atoi(argv[5])), std::atoi(argv[6]));
    else
      throw std::runtime_error("this program is started by bench_scale");
    return 0;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    int running = 0, over = 0;
    MPI_Initialized(&running);
    MPI_Finalized(&over);
    if (running && !over) MPI_Abort(MPI_COMM_WORLD, 1);
    return 1;
  }
}

// SPDX-License-Identifier: MIT
