// Start and end, as OP2's programs mean them.
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "glue.hpp"
#include "op2/fortran_support.h"

// A program that is linked with MPI leaves its start and end to op_init() and op_exit(). Null in others.
extern "C" {
extern int MPI_Init_thread(int *, char ***, int, int *) __attribute__((weak));
extern int MPI_Initialized(int *) __attribute__((weak));
extern int MPI_Finalized(int *) __attribute__((weak));
extern int MPI_Finalize(void) __attribute__((weak));
}

namespace op2::fortran {

void raise(op_status code, const char *call, const std::string &message) { op_raise(code, call, message.c_str()); }

namespace {
// The argument that is wrong, until its loop has run.
struct Wrong {
  op_status code = OP_OK;
  std::string call, message;
};
thread_local Wrong wrong;
} // namespace

void raise_argument(op_status code, const char *call, const std::string &message) {
  wrong = {code, call, message};
  raise(code, call, message);
}

void report_loop(op_status of_loop) {
  const Wrong of_argument = std::exchange(wrong, {});
  if (of_loop != OP_OK && of_argument.code != OP_OK)
    raise(of_argument.code, of_argument.call.c_str(), of_argument.message);
}

namespace {

void start_mpi() {
  int begun = 1, level = 0;
  const int with_threads = 3; // MPI_THREAD_MULTIPLE, in the ABI of all implementations
  if (&MPI_Initialized == nullptr || &MPI_Init_thread == nullptr) return;
  MPI_Initialized(&begun);
  if (!begun) MPI_Init_thread(nullptr, nullptr, with_threads, &level);
}

} // namespace

} // namespace op2::fortran

using namespace op2::fortran;

extern "C" {

// OP2's programs look into the library's sets, maps and dats, so these stay in the order of the declaration.
void op2f_init(int argc, char **argv, int diags, int base, int soa, int with_communicator, int, int local) {
  if (base != 0 && base != 1)
    return raise(OP_ERR_ARGUMENT, "op_init_base", "maps count from 0 or 1, not from " + std::to_string(base));
  std::vector<char *> words(argv, argv + argc);
  char counted_from[] = "OP2_MAPS_BASE_INDEX=0";
  counted_from[std::strlen(counted_from) - 1] = static_cast<char>('0' + base);
  char by_component[] = "OP_AUTO_SOA";
  // The user's own request, in the environment or behind it, counts more.
  const auto unless = [&words](const char *own, const char *op2s, char *word) {
    if (!std::getenv(own) && !std::getenv(op2s)) words.insert(words.empty() ? words.end() : words.begin() + 1, word);
  };
  unless("OP2_MAPS_BASE_INDEX", "OP_MAPS_BASE_INDEX", counted_from);
  if (soa != 0) unless("OP2_LAYOUT", "OP_AUTO_SOA", by_component);
  op_init_params params = OP_INIT_PARAMS;
  params.argc = static_cast<int>(words.size());
  params.argv = words.data();
  params.diags = diags < 0 ? 0 : diags;
  params.flags = OP_LOCAL_INDICES;
  params.communicator_given = with_communicator;
  params.communicator = local;
  if (op_init_with(&params) == OP_OK) start_mpi();
}

void op2f_exit() {
  op_exit();
  forget_all();
  int begun = 0, ended = 1;
  if (&MPI_Initialized == nullptr || &MPI_Finalized == nullptr || &MPI_Finalize == nullptr) return;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  if (begun && !ended) MPI_Finalize();
}

void op2f_raise(int code, const char *call, const char *message) { op_raise(code, call, message); }

void op2f_clear_error() {
  wrong = {};
  op_clear_error();
}

void op2f_print(const char *line) { op_printf("%s\n", line); }

} // extern "C"

// SPDX-License-Identifier: MIT
