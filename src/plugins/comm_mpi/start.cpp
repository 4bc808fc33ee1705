// The beginning and the end: MPI is initialised when the program has not done it, and finalised at exit then.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <thread>

#include "device.hpp"

namespace op2::comm_mpi {

namespace {

// Of the process, since MPI is: communicators that are open now or could not be opened, and whoever has initialised
// MPI.
std::atomic<int> unfinished{0};
std::thread::id initialised_by;
std::atomic<pid_t> used_in{0}; // the process; a child of fork() has no part in the job, and would wait for ever

// A process that leaves in the middle of a run must not wait for the others in MPI_Finalize. Without it, the launcher
// notices and ends them.
void finalise_at_exit() {
  if (unfinished > 0 || used_in != getpid() || finalised()) return;
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  if (level == MPI_THREAD_MULTIPLE || initialised_by == std::this_thread::get_id()) MPI_Finalize();
}

void initialise(const op_comm_params &params) {
  int level = MPI_THREAD_SINGLE;
  OP2_MPI(MPI_Init_thread, params.argc, params.argv, MPI_THREAD_MULTIPLE, &level);
  initialised_by = std::this_thread::get_id();
  std::atexit(finalise_at_exit); // after MPI's own handlers, so it runs before them
}

void refuse_lonely_process(int world_size, const Launch &launched) {
  if (world_size > 1 || launched.processes <= 1) return;
  // All of them are here with the same message. After the first one has told it, most launchers end the others.
  if (launched.rank > 0) std::this_thread::sleep_for(std::chrono::seconds(3));
  if (launched.seen.rfind("OP2_LAUNCH_SIZE", 0) == 0)
    fail(OP_ERR_BACKEND, "op2_launch has started this process (", launched.seen,
         "), and its processes work together without MPI: use OP2_BACKEND=shm+..., or mpirun instead of op2_launch; if "
         "this process is meant to be alone, use OP2_BACKEND=self");
  fail(OP_ERR_BACKEND, "MPI says that this process is alone, but its launcher has started at least ",
       launched.processes, " (", launched.seen,
       "). They belong to different MPI libraries: plugin " OP2_COMM_NAME " uses ", library_version(),
       ". Start the program with the mpirun of that library, or choose the plugin of the launcher's "
       "(OP2_BACKEND=mpi or mpich), or build libop2 with it; if this process is meant to be alone, use "
       "OP2_BACKEND=self");
}

// While handles that somebody gave us are tried out, a wrong one is to be reported and not to end the job.
class ErrorsReturn {
 public:
  ErrorsReturn() {
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before_);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  }
  ~ErrorsReturn() {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, before_);
    MPI_Errhandler_free(&before_);
  }
  ErrorsReturn(const ErrorsReturn &) = delete;
  ErrorsReturn &operator=(const ErrorsReturn &) = delete;

 private:
  MPI_Errhandler before_ = MPI_ERRHANDLER_NULL;
};

MPI_Comm given(const op_comm_params &params) {
  if (!params.native_given) return MPI_COMM_WORLD;
  const MPI_Comm comm = MPI_Comm_f2c(params.native);
  if (!comm || comm == MPI_COMM_NULL)
    fail(OP_ERR_BACKEND, "the given communicator (Fortran handle ", params.native, ") is not one of ",
         library_version());
  return comm;
}

// A word of memory that the processes of a node share, for claim_failure: 0. Where there is no such memory each has its
// own.
void share_claim(op_comm &comm) {
  if (comm.node_size == 1) return;
  void *mine = nullptr, *first = nullptr;
  const MPI_Aint bytes = comm.node_rank == 0 ? static_cast<MPI_Aint>(sizeof(int)) : 0;
  int works = MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, comm.node, &mine, &comm.window) == MPI_SUCCESS;
  OP2_MPI(MPI_Allreduce, MPI_IN_PLACE, &works, 1, MPI_INT, MPI_MIN, comm.node);
  if (!works) return;
  MPI_Aint its_bytes = 0;
  int unit = 1;
  OP2_MPI(MPI_Win_shared_query, comm.window, 0, &its_bytes, &unit, &first);
  comm.claim = static_cast<int *>(first);
  if (comm.node_rank == 0) *comm.claim = 0;
  OP2_MPI(MPI_Barrier, comm.node);
}

// The lines about the first processor: model, stepping, instructions. Numbers that change while it runs do not count.
std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  std::string out, line;
  while (std::getline(file, line) && !line.empty())
    for (const char *start : {"vendor", "cpu family", "model", "stepping", "flags", "CPU ", "Features", "isa"})
      if (line.rfind(start, 0) == 0) out += line + '\n';
  return out;
}

// Functions of mathematics in a reduction of the program's own may round otherwise on another processor.
void compare_processors(op_comm &comm) {
  const std::string mine = processor();
  unsigned long long least[2] = {std::hash<std::string>()(mine), 0};
  least[1] = ~least[0];
  OP2_MPI(MPI_Allreduce, MPI_IN_PLACE, least, 2, MPI_UNSIGNED_LONG_LONG, MPI_MIN, comm.comm);
  int known = !mine.empty();
  OP2_MPI(MPI_Allreduce, MPI_IN_PLACE, &known, 1, MPI_INT, MPI_MIN, comm.comm);
  comm.alike = known && least[0] == ~least[1];
}

// Whether exchanges inside the node go through shared memory, and under which names.
void share_memory(op_comm &comm) {
  char request[8] = "";
  (void)comm.host->config(comm.host, "OP2_SHARED_MEMORY", request, sizeof request);
  int all = std::string(request) != "off" ? 1 : 0;
  OP2_MPI(MPI_Allreduce, MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, comm.node);
  comm.shares_memory = all && comm.node_size > 1;
  unsigned long long number[2] = {0, 0}; // of the first process: nobody else has both at the same time
  number[0] = static_cast<unsigned long long>(getpid());
  number[1] = static_cast<unsigned long long>(std::chrono::steady_clock::now().time_since_epoch().count());
  OP2_MPI(MPI_Bcast, number, 2, MPI_UNSIGNED_LONG_LONG, 0, comm.node);
  std::ostringstream name;
  name << "/op2-" << std::hex << number[0] << '-' << number[1] << '-';
  comm.segment_prefix = name.str();
}

void describe(op_comm &comm) {
  OP2_MPI(MPI_Comm_rank, comm.comm, &comm.rank);
  OP2_MPI(MPI_Comm_size, comm.comm, &comm.size);
  OP2_MPI(MPI_Comm_split_type, comm.comm, MPI_COMM_TYPE_SHARED, comm.rank, MPI_INFO_NULL, &comm.node);
  OP2_MPI(MPI_Comm_rank, comm.node, &comm.node_rank);
  OP2_MPI(MPI_Comm_size, comm.node, &comm.node_size);
  int lowest = comm.rank; // ranks in the node are in the same order
  OP2_MPI(MPI_Bcast, &lowest, 1, MPI_INT, 0, comm.node);
  comm.first_node = lowest == 0;
  OP2_MPI(MPI_Query_thread, &comm.thread_level);
  void *value = nullptr;
  int there = 0;
  OP2_MPI(MPI_Comm_get_attr, comm.comm, MPI_TAG_UB, &value, &there);
  if (there) comm.last_tag = *static_cast<int *>(value);
}

void tell(const op_comm &comm) {
  if (comm.rank != 0) return;
  std::ostringstream out;
  out << "MPI: " << library_version() << ", " << comm.size << " processes, " << comm.node_size
      << " of them on this node, "
      << (comm.thread_level == MPI_THREAD_MULTIPLE ? "may be called from any thread" : "one thread at a time")
      << (comm.devices ? ", says that it takes addresses of CUDA devices" : ", takes no addresses of CUDA devices");
  comm.host->log(comm.host, OP_LOG_DEBUG, out.str().c_str());
}

} // namespace

op_status open(const op_comm_params *params, op_comm **comm) {
  return entry(params->host, [&] {
    if (const std::string why = obstacle(); !why.empty()) fail(OP_ERR_BACKEND, why);
    pid_t first = 0;
    if (!used_in.compare_exchange_strong(first, getpid()) && first != getpid())
      fail(OP_ERR_STATE,
           "this process was forked after op_init(), and MPI's job goes on without it; fork before "
           "op_init(), or use OP2_BACKEND=self+... here");
    const Launch launched = launch(); // before MPI adds to the environment
    if (!initialised()) {
      if (params->native_given)
        fail(OP_ERR_BACKEND,
             "a communicator is given, but MPI is not initialised in the library that plugin " OP2_COMM_NAME " uses (",
             library_version(), "); call MPI_Init first, and see that the program uses it, too");
      initialise(*params);
    }
    ++unfinished;
    const ErrorsReturn meanwhile;
    auto made = std::make_unique<op_comm>();
    made->host = params->host;
    OP2_MPI(MPI_Comm_size, MPI_COMM_WORLD, &made->world_size);
    refuse_lonely_process(made->world_size, launched);
    OP2_MPI(MPI_Comm_dup, given(*params), &made->comm);
    OP2_MPI(MPI_Comm_set_errhandler, made->comm, MPI_ERRORS_RETURN);
    describe(*made);
    made->devices = takes_device_memory();
    share_claim(*made);
    share_memory(*made);
    compare_processors(*made);
    tell(*made);
    *comm = made.release();
  });
}

void close(op_comm *comm) {
  const std::unique_ptr<op_comm> mine(comm);
  --unfinished;
  if (finalised()) return;
  give_up_posts(comm);
  if (mine->window != MPI_WIN_NULL) MPI_Win_free(&mine->window);
  MPI_Comm_free(&mine->node);
  MPI_Comm_free(&mine->comm);
}

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
