// trip.cpp: a job that writes a mesh of many kinds of values and reads it again, with any number of processes, and any
// driver. Every value follows from its number, so a reader needs nothing but the file.
//   trip write FILE      the mesh, after it was divided at random, and once more dat by dat
//   trip read FILE...    compares everything
//   trip refuse FILE     one process cannot write: all processes learn of it; FILE stays as it is
//   trip make FILE N     one of several files that differ
//   trip differ FOLDER   processes find these under one name
//   trip dump FILE N     a file full of the number N, ten times; another job may write it at the same time
//   trip add FILE N      a dataset full of N in a file, ten times
//   trip uniform FILE    every dataset of FILE is full of one number, and of the same where dump has made them
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "op2/op2.hpp"
#include "op2/partition.h"

namespace {

struct Triple {
  int a, b, c;
};

constexpr long long node_count = 1009, edge_count = 2503;
int failures = 0;

void expect(bool good, const std::string &what) {
  if (good) return;
  ++failures;
  std::fprintf(stderr, "trip: %s (%s)\n", what.c_str(), op_last_error());
}

template <class T>
T value_of(long long i) {
  return static_cast<T>(static_cast<T>(i * i + 3 * i) / static_cast<T>(7));
}
template <>
bool value_of<bool>(long long i) {
  return i % 3 == 0;
}
template <>
Triple value_of<Triple>(long long i) {
  return {static_cast<int>(i), static_cast<int>(7 * i), -1};
}
int entry_of(long long i) { return static_cast<int>(i * 48271 % 2147483647 % node_count); }

long long first_of(long long size, int rank, int processes) { return size * rank / processes; }

// This process's part of `dim` values for each element.
template <class T>
std::vector<T> part(long long size, int dim, int rank, int processes) {
  std::vector<T> out;
  for (long long i = first_of(size, rank, processes) * dim; i < first_of(size, rank + 1, processes) * dim; ++i)
    out.push_back(value_of<T>(i));
  return out;
}
std::vector<int> entries(int rank, int processes) {
  std::vector<int> out;
  for (long long i = 2 * first_of(edge_count, rank, processes); i < 2 * first_of(edge_count, rank + 1, processes); ++i)
    out.push_back(entry_of(i));
  return out;
}

struct Kind {
  const char *name, *type;
  int dim;
  bool on_edges;
};
constexpr Kind kinds[] = {{"n/double", "double", 3, false}, {"n/float", "float", 1, false},  {"e_int", "int", 2, true},
                          {"e_uint", "uint", 1, true},      {"n_ll", "ll", 1, false},        {"n_ull", "ull", 1, false},
                          {"e_bool", "bool", 1, true},      {"n_triple", "triple", 1, false}};

// body(T()) with the type of this kind.
template <class Body>
void with_type(const Kind &kind, Body body) {
  const std::string type = kind.type;
  if (type == "double") body(double());
  if (type == "float") body(float());
  if (type == "int") body(int());
  if (type == "uint") body(unsigned());
  if (type == "ll") body(0ll);
  if (type == "ull") body(0ull);
  if (type == "bool") body(false);
  if (type == "triple") body(Triple());
}

void write(const char *file, int rank, int processes) {
  const auto mine = [&](long long size) {
    return static_cast<int>(first_of(size, rank + 1, processes) - first_of(size, rank, processes));
  };
  const op_set nodes = op_decl_set(mine(node_count), "nodes"), edges = op_decl_set(mine(edge_count), "edges");
  op_decl_map(edges, nodes, 2, entries(rank, processes).data(), "ends");
  std::vector<op_dat> dats;
  for (const Kind &kind : kinds)
    with_type(kind, [&](auto zero) {
      using T = decltype(zero);
      const long long size = kind.on_edges ? edge_count : node_count;
      const std::vector<T> values = part<T>(size, kind.dim, rank, processes);
      std::string bytes; // vector<bool> has no array
      for (const T value : values) bytes.append(reinterpret_cast<const char *>(&value), sizeof value);
      dats.push_back(
          op_decl_dat_char(kind.on_edges ? edges : nodes, kind.dim, kind.type, sizeof(T), bytes.data(), kind.name));
    });
  for (int parts = 2; parts <= 4; ++parts) { // who shall own each node in a job of so many processes
    std::vector<int> owner;
    for (long long i = first_of(node_count, rank, processes); i < first_of(node_count, rank + 1, processes); ++i)
      owner.push_back(static_cast<int>(i % parts));
    op_decl_dat(nodes, 1, "int", owner.data(), ("partvec000" + std::to_string(parts)).c_str());
  }
  std::vector<long long> far(static_cast<std::size_t>(mine(node_count)), 0);
  if (rank == processes - 1) far.back() = 1ll << 40; // fits no int
  op_decl_dat(nodes, 1, "ll", far.data(), "n_far");
  expect(op_partition("RANDOM", "", nodes, nullptr, nullptr) == OP_OK, "cannot be divided");
  expect(op_dump_to_hdf5(file) == OP_OK, "cannot be dumped");
  const double gam = 1.4;
  expect(op_write_const_hdf5("gam", 1, "double", &gam, file) == OP_OK, "constant");
  for (const op_dat dat : dats)
    expect(op_fetch_data_hdf5_file_path(dat, file, (std::string("again/") + op_dat_name(dat)).c_str()) == OP_OK,
           "cannot be written again");
  for (const op_dat dat : dats) expect(op_fetch_data_hdf5_file(dat, file) == OP_OK, "cannot be replaced");
}

void compare(op_dat dat, const Kind &kind) {
  expect(dat != nullptr, std::string(kind.name) + " is missing");
  if (!dat) return;
  with_type(kind, [&](auto zero) {
    using T = decltype(zero);
    const long long count = kind.dim * (kind.on_edges ? edge_count : node_count);
    std::vector<char> bytes(static_cast<std::size_t>(count) * sizeof(T));
    expect(op_fetch_data_all(dat, bytes.data()) == OP_OK, "cannot be fetched");
    for (long long i = 0; i < count; ++i) {
      const T expected = value_of<T>(i);
      if (std::memcmp(&expected, bytes.data() + static_cast<std::size_t>(i) * sizeof(T), sizeof(T)) == 0) continue;
      return expect(false, std::string(kind.name) + ": value " + std::to_string(i) + " is another one");
    }
  });
}

void note(const int *first, const int *second, int *out) {
  out[0] = *first;
  out[1] = *second;
}

// What the map leads to, as a loop sees it.
void compare_map(op_set edges, op_map ends) {
  expect(ends != nullptr, "the map is missing");
  if (!ends) return;
  const op_dat seen = op_decl_dat(edges, 2, "int", nullptr, "seen");
  expect(op_par_loop(note, "note", edges, op_arg_idx(0, ends), op_arg_idx(1, ends),
                     op_arg_dat(seen, -1, OP_ID, 2, "int", OP_WRITE)) == OP_OK,
         "the loop");
  std::vector<int> found(2 * edge_count);
  expect(op_fetch_data_all(seen, found.data()) == OP_OK, "cannot be fetched");
  for (long long i = 0; i < 2 * edge_count; ++i)
    if (found[static_cast<std::size_t>(i)] != entry_of(i))
      return expect(false, "entry " + std::to_string(i) + " is another one");
}

// Divided as the file says.
void divide(const char *file, op_set nodes, int rank, int processes) {
  if (processes == 1) return;
  const op_dat owner = op_decl_dat_hdf5(nodes, 1, "int", file, ("partvec000" + std::to_string(processes)).c_str());
  expect(op_partition("EXTERNAL", "", nodes, nullptr, owner) == OP_OK, "cannot be divided");
  const long long mine = (node_count - rank + processes - 1) / processes;
  expect(op_get_size_local(nodes) == mine, "the division is another one");
}

void read(const char *file, const std::string &before, int rank) {
  const op_set nodes = op_decl_set_hdf5(file, "nodes"), edges = op_decl_set_hdf5_infer_size(file, "edges", "ends");
  expect(op_get_size(nodes) == node_count && op_get_size(edges) == edge_count, "sizes of sets");
  const op_map ends = op_decl_map_hdf5(edges, nodes, 2, file, "ends");
  for (const Kind &kind : kinds) {
    const op_set set = kind.on_edges ? edges : nodes;
    compare(op_decl_dat_hdf5(set, kind.dim, kind.type, file, kind.name), kind);
    if (&kind == &kinds[3]) { // from here on
      divide(file, nodes, rank, op_comm_size());
      compare_map(edges, ends);
    }
    compare(op_decl_dat_hdf5(set, kind.dim, kind.type, file, (before + kind.name).c_str()), kind);
  }
  expect(op_decl_dat_hdf5(nodes, 1, "int", file, "nothing") == nullptr && op_last_status() == OP_OK, "what is missing");
  double gam = 0;
  expect(op_get_const_hdf5("gam", 1, "double", &gam, file) == OP_OK && gam == 1.4, "constant");
}

// Process 0 has no room: whatever the driver, nobody goes on as if all were well.
void refuse(const char *file, int rank) {
  const op_set set = op_decl_set(400000, "large");
  const op_dat dat = op_decl_dat(set, 1, "double", nullptr, "values");
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit little{1 << 20, limit.rlim_max};
  if (rank == 0) setrlimit(RLIMIT_FSIZE, &little);
  expect(op_dump_to_hdf5(file) == OP_ERR_FILE, "a dump without room");
  expect(op_fetch_data_hdf5_file(dat, file) == OP_ERR_FILE, "more rows without room");
  setrlimit(RLIMIT_FSIZE, &limit);
  op_clear_error();
  expect(op_decl_set_hdf5("no_such_file.h5", "large") == nullptr && op_last_status() == OP_ERR_FILE, "no file");
  expect(op_decl_set_hdf5(file, rank == 0 ? "nodes" : "edges") == nullptr && op_last_status() == OP_ERR_STATE,
         "different names");
  op_clear_error();
  const op_set nodes = op_decl_set_hdf5(file, "nodes");
  expect(op_decl_dat_hdf5(nodes, 1, "int", file, "n_far") == nullptr && op_last_status() == OP_ERR_RANGE,
         "a value of one process does not fit");
  op_clear_error();
  expect(op_decl_dat_hdf5(nodes, 1, "ll", file, "n_far") != nullptr, "and then it does");
}

// Each process stands in a folder of its own.
void differ(const std::string &folder, int rank) {
  expect(chdir((folder + "/" + std::to_string(rank)).c_str()) == 0, "folder");
  const auto refused = [](const void *handle, const std::string &what) {
    expect(handle == nullptr && op_last_status() == OP_ERR_STATE, what);
    op_clear_error();
  };
  refused(op_decl_set_hdf5("mesh.h5", "edges"), "another size");
  refused(op_decl_set_hdf5_infer_size("mesh.h5", "edges", "ends"), "another number of rows");
  const op_set nodes = op_decl_set_hdf5("mesh.h5", "nodes");
  expect(nodes != nullptr, "the same size");
  refused(op_decl_dat_hdf5(nodes, 0, "int", "mesh.h5", "wide"), "another dim");
  refused(op_decl_dat_hdf5(nodes, 1, "int", "mesh.h5", "some"), "there on one process only");
  expect(op_decl_dat_hdf5(nodes, 1, "int", "mesh.h5", "same") != nullptr, "the same array");
}

// Writes what differ() reads, for one process.
void make_different(const std::string &file, int number) {
  const op_set nodes = op_decl_set(10, "nodes"), edges = op_decl_set(20 + number, "edges");
  const std::vector<int> ends(60, 3);
  op_decl_map(edges, nodes, 2, ends.data(), "ends");
  op_decl_dat(nodes, 2 + number, "int", nullptr, "wide");
  if (number == 0) op_decl_dat(nodes, 1, "int", nullptr, "some");
  op_decl_dat(nodes, 1, "int", nullptr, "same");
  expect(op_dump_to_hdf5(file.c_str()) == OP_OK, "cannot be dumped");
}

// Ten times, as another job may be doing. What is refused is refused for that reason.
void keep_writing(const char *file, double number, bool whole) {
  const op_set set = op_decl_set(100000, "elements");
  const std::vector<double> values(100000, number);
  const op_dat first = op_decl_dat(set, 1, "double", values.data(), "first");
  op_decl_dat(set, 1, "double", values.data(), "second");
  int written = 0;
  for (int n = 0; n < 10; ++n) {
    const op_status status = whole ? op_dump_to_hdf5(file) : op_fetch_data_hdf5_file_path(first, file, "added");
    if (status == OP_OK) ++written;
    const bool told = status == OP_OK || std::strstr(op_last_error(), "another program") ||
                      std::strstr(op_last_error(), "deleted or replaced");
    expect(told, "refused for another reason");
    op_clear_error();
  }
  expect(written > 0 || !whole, "never written"); // the other job may have held the file all the time
  std::printf("%d of 10 written\n", written);
}

void expect_uniform(const char *file) {
  const op_set set = op_decl_set_hdf5(file, "elements");
  std::vector<double> of_dump;
  for (const char *const name : {"first", "second", "added"}) {
    const op_dat dat = op_decl_dat_hdf5(set, 1, "double", file, name);
    if (!dat) continue;
    std::vector<double> values(100000);
    expect(op_fetch_data(dat, values.data()) == OP_OK, "cannot be fetched");
    for (const double value : values)
      if (value != values[0]) return expect(false, std::string(name) + " is of two jobs");
    if (std::strcmp(name, "added") != 0) of_dump.push_back(values[0]);
  }
  expect(of_dump.size() == 2 && of_dump[0] == of_dump[1] && of_dump[0] != 0, "datasets are of two jobs");
}

} // namespace

int main(int argc, char **argv) {
  if (argc > 2 && std::strcmp(argv[1], "refuse") == 0) setenv("OP2_DECLARE", "local", 1); // there is no map that tells
  if (argc < 3 || op_init(argc, argv, 0) != OP_OK) return 2;
  int rank = 0;
  op_rank(&rank);
  const std::string what = argv[1];
  if (what == "write") write(argv[2], rank, op_comm_size());
  if (what == "refuse") refuse(argv[2], rank);
  if (what == "differ") differ(argv[2], rank);
  if (what == "make" && argc > 3) make_different(argv[2], std::atoi(argv[3]));
  if ((what == "dump" || what == "add") && argc > 3) keep_writing(argv[2], std::atof(argv[3]), what == "dump");
  if (what == "uniform") expect_uniform(argv[2]);
  for (int i = 2; what == "read" && i < argc; ++i) {
    if (i > 2) op_exit();
    if (i > 2 && op_init(argc, argv, 0) != OP_OK) return 2;
    read(argv[i], "again/", rank);
  }
  op_exit();
  return failures > 0 ? 1 : 0;
}

// SPDX-License-Identifier: MIT
