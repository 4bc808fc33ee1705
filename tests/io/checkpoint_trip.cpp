// checkpoint_trip.cpp: a job that writes a checkpoint of data of many kinds, and goes on from those of others, with any
// number of processes, any back end and any way of declaring. Every byte follows from its place.
//   checkpoint_trip write FILE
//   checkpoint_trip read FILE...   in turn before and after the division; compares every bit
//   checkpoint_trip refuse FILE    one process has no room, or names other values: all processes learn of it
#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "op2/checkpoint.h"
#include "op2/op2.h"
#include "op2/partition.h"
#include "op2/user_types.h"

namespace {

constexpr long long node_count = 1009, edge_count = 2503;
int failures = 0;

void expect(bool good, const std::string &what) {
  if (good) return;
  ++failures;
  std::fprintf(stderr, "checkpoint_trip: %s (%s)\n", what.c_str(), op_last_error());
}

struct Kind {
  const char *name, *type;
  int dim, bytes;
  char on; // nodes, edges, or nothing at all
};
constexpr Kind kinds[] = {{"x", "double", 3, 8, 'n'},    {"f", "float", 1, 4, 'n'},
                          {"pair", "int", 2, 4, 'e'},    {"u", "uint", 1, 4, 'e'},
                          {"far", "ll", 1, 8, 'n'},      {"ull", "ull", 2, 8, 'e'},
                          {"is it?", "bool", 1, 1, 'e'}, {"odd/name \xc3\xbc", "triple", 1, 12, 'n'},
                          {"x", "double", 1, 8, 'e'},    {"soa", "double:soa", 5, 8, 'n'},
                          {"none", "double", 4, 8, '0'}, {".", "float", 3, 4, 'e'},
                          {"q", "double", 4, 8, 'e'},    {"byte", "pixel", 5, 1, 'n'}};

long long size_of(char set) { return set == 'n' ? node_count : set == 'e' ? edge_count : 0; }

// The elements that this process declares.
struct Part {
  long long first, last;
};
Part part_of(char set) {
  const char *const how = std::getenv("OP2_DECLARE");
  const std::string way = how ? how : "local";
  const long long size = size_of(set), processes = op_comm_size();
  int rank = 0;
  op_rank(&rank);
  if (way == "replicated") return {0, size};
  if (way == "root") return {0, rank == 0 ? size : 0};
  return {size * rank / processes, size * (rank + 1) / processes};
}

// Bytes of anything, NaNs with their payloads among them.
std::vector<char> bytes_of(const Kind &kind, std::size_t number, long long first, long long last) {
  const long long row = kind.dim * kind.bytes;
  std::vector<char> out;
  for (long long i = first * row; i < last * row; ++i) {
    unsigned long long word = static_cast<unsigned long long>(i) * 0x9e3779b97f4a7c15ull + number * 0x2545f491ull;
    word = (word ^ word >> 29) * 0xbf58476d1ce4e5b9ull;
    out.push_back(static_cast<char>(std::strcmp(kind.type, "bool") == 0 ? word >> 40 & 1 : word >> 40));
  }
  return out;
}

struct Program {
  op_set nodes, edges, none;
  std::vector<op_dat> dats;
  op_dat scratch = nullptr;
  int iteration = 0;
  float times[3] = {0, 0, 0};
  double cfl = 0;

  op_set on(char set) const { return set == 'n' ? nodes : set == 'e' ? edges : none; }
};

op_set declare_set(char set, const char *name) {
  const Part part = part_of(set);
  return op_decl_set(static_cast<int>(part.last - part.first), name);
}

// Zeros, or what belongs there.
void declare(Program &program, bool filled) {
  program.nodes = declare_set('n', "nodes");
  program.edges = declare_set('e', "edges");
  program.none = declare_set('0', "none");
  const Part part = part_of('e');
  std::vector<int> entries;
  for (long long i = 2 * part.first; i < 2 * part.last; ++i)
    entries.push_back(static_cast<int>(i * 48271 % 2147483647 % node_count));
  entries.push_back(0); // never NULL
  op_decl_map(program.edges, program.nodes, 2, entries.data(), "ends");
  op_decl_map(program.none, program.nodes, 1, entries.data(), "nowhere");
  for (std::size_t n = 0; n < std::size(kinds); ++n) {
    const Part rows = part_of(kinds[n].on);
    std::vector<char> bytes = bytes_of(kinds[n], n, rows.first, rows.last);
    if (!filled) bytes.assign(bytes.size(), 0);
    bytes.push_back(0);
    program.dats.push_back(op_decl_dat_char(program.on(kinds[n].on), kinds[n].dim, kinds[n].type, kinds[n].bytes,
                                            bytes.data(), kinds[n].name));
    expect(program.dats.back() != nullptr, kinds[n].name);
  }
  program.scratch = op_decl_dat_temp(program.nodes, 1, "double", "scratch");
  if (filled) {
    program.iteration = 17;
    program.times[2] = 0.1f;
    program.cfl = 0.9;
  }
  const double gam = 1.4;
  op_decl_const_named("gam", 1, "double", &gam);
  op_decl_const_named("cfl", 1, "double", &program.cfl);
  expect(op_checkpoint_value("iteration", "int", 1, &program.iteration) == OP_OK, "a value");
  expect(op_checkpoint_value("times", "float", 3, program.times) == OP_OK, "values");
  expect(op_checkpoint_value("cfl", "double", 1, &program.cfl) == OP_OK, "a constant");
}

void divide(const Program &program) {
  if (op_comm_size() > 1) expect(op_partition("RANDOM", "", program.nodes, nullptr, nullptr) == OP_OK, "the division");
}

void compare(const Program &program) {
  for (std::size_t n = 0; n < std::size(kinds); ++n) {
    const std::vector<char> expected = bytes_of(kinds[n], n, 0, size_of(kinds[n].on));
    std::vector<char> found(expected.size() + 1);
    expect(op_fetch_data_all(program.dats[n], found.data()) == OP_OK, "cannot be fetched");
    expect(std::equal(expected.begin(), expected.end(), found.begin()), std::string("dat ") + kinds[n].name);
  }
  expect(program.iteration == 17 && program.times[1] == 0 && program.times[2] == 0.1f, "the program's values");
  expect(program.cfl == 0.9, "the constant");
}

void refuse(const char *file) {
  Program program;
  declare(program, true);
  divide(program);
  int rank = 0;
  op_rank(&rank);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit little{1 << 12, limit.rlim_max};
  if (rank == 0) setrlimit(RLIMIT_FSIZE, &little);
  expect(op_checkpoint(file) == OP_ERR_FILE, "a checkpoint without room");
  setrlimit(RLIMIT_FSIZE, &limit);
  const int last = op_comm_size() - 1;
  op_checkpoint_value(rank == last ? "other" : "one", "int", 1, &program.iteration);
  expect(op_checkpoint(file) == OP_ERR_STATE, "different values");
  op_checkpoint_value(rank == last ? "other" : "one", "int", 1, nullptr);
  program.iteration = rank == last ? 17 : 18; // process 0's counts
  expect(op_restart(rank == last ? "no_such_file.h5" : file) == OP_ERR_STATE, "different files");
  op_clear_error();
  expect(op_restart(file) == OP_OK, "and then it does");
  compare(program);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3 || op_init(argc, argv, 0) != OP_OK) return 2;
  const std::string what = argv[1];
  if (what == "refuse") refuse(argv[2]);
  for (int i = 2; what != "refuse" && i < argc; ++i) {
    if (i > 2) op_exit();
    if (i > 2 && op_init(argc, argv, 0) != OP_OK) return 2;
    Program program;
    declare(program, what == "write");
    if (i % 2 == 0) divide(program);
    if (what == "write")
      expect(op_checkpoint(argv[i]) == OP_OK, "cannot be written");
    else
      expect(op_restart(argv[i]) == OP_OK, std::string("cannot go on from ") + argv[i]);
    if (i % 2 == 1) divide(program);
    compare(program);
  }
  op_exit();
  return failures > 0 ? 1 : 0;
}

// SPDX-License-Identifier: MIT
