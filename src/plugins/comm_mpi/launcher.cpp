// Which MPI answers in this process, and who started it. A launcher of one MPI and a library of another make as many
// lonely processes as there are ranks, without an error: what the environment says is the only trace.
#include <algorithm>
#include <cstdlib>

#include "comm_mpi.hpp"

namespace op2::comm_mpi {

namespace {

#ifdef OMPI_MAJOR_VERSION
constexpr const char *own_brand = "Open MPI", *own_size = "OMPI_COMM_WORLD_SIZE";
constexpr const char *own_signs[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK"};
#elif defined(MPICH_VERSION)
constexpr const char *own_brand = "MPICH", *own_size = "PMI_SIZE";
constexpr const char *own_signs[] = {"PMI_SIZE", "PMI_RANK"};
#else // a library we know no details of: nothing to compare, any launcher may be its own
constexpr const char *own_brand = "", *own_size = "";
constexpr const char *own_signs[] = {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_SIZE", "PMI_RANK"};
#endif

// Variables that launchers set for each process. A rank says that there are more processes than it.
struct Sign {
  const char *variable;
  bool is_rank;
};
constexpr Sign signs[] = {{"OP2_LAUNCH_SIZE", false}, // op2_launch, of communicator shm
                          {"OP2_LAUNCH_RANK", true},  {"OMPI_COMM_WORLD_SIZE", false},
                          {"PMI_SIZE", false},        {"SLURM_STEP_NUM_TASKS", false},
                          {"PMIX_RANK", true},        {"PMI_RANK", true},
                          {"SLURM_NTASKS", false}};

// -1: not set, or no number.
long value_of(const char *variable) {
  const char *text = std::getenv(variable);
  if (!text || !*text) return -1;
  char *end = nullptr;
  const long value = std::strtol(text, &end, 10);
  return *end == '\0' && value >= 0 ? value : -1;
}

// A batch script has SLURM_NTASKS, too, though nobody has started processes yet; only steps have the other two.
bool counts(const Sign &sign) {
  return std::string(sign.variable) != "SLURM_NTASKS" ||
         (std::getenv("SLURM_STEP_ID") && !std::getenv("SLURM_STEP_NUM_TASKS"));
}

} // namespace

Launch launch() {
  Launch out;
  for (const Sign &sign : signs) {
    const long value = value_of(sign.variable);
    if (value < 0 || !counts(sign)) continue;
    out.by = Launch::By::other;
    out.processes = std::max(out.processes, sign.is_rank ? value + 1 : value);
    if (sign.is_rank) out.rank = value;
    out.seen += (out.seen.empty() ? "" : ", ") + std::string(sign.variable) + "=" + std::to_string(value);
  }
  for (const char *variable : own_signs)
    if (value_of(variable) >= 0) out.by = Launch::By::own;
  if (out.by == Launch::By::other && std::getenv("SLURM_STEP_ID")) out.by = Launch::By::own; // starts for any MPI
  // Our own launcher knows best: it may run inside a job of another one.
  if (const long own = value_of(own_size); own >= 0) out.processes = own;
  return out;
}

std::string library_version() {
  char text[1 << 14] = ""; // whichever library answers, and some say more than the header of another allows
  int length = 0;
  MPI_Get_library_version(text, &length);
  std::string line(text);
  line.resize(std::min(line.size(), line.find_first_of(",\n")));
  for (char &c : line)
    if (c == '\t') c = ' ';
  if (const size_t word = line.find(" Version:"); word != std::string::npos) line.erase(word, 9); // of MPICH
  return line;
}

bool initialised() {
  int yes = 0;
  MPI_Initialized(&yes);
  return yes != 0;
}

bool finalised() {
  int yes = 0;
  MPI_Finalized(&yes);
  return yes != 0;
}

// A program linked to another MPI takes our calls over, with handles that mean nothing there.
std::string obstacle() {
  const std::string version = library_version();
  if (version.find(own_brand) == std::string::npos)
    return "plugin " OP2_COMM_NAME " was built with " + std::string(own_brand) + ", but the MPI in this process is " +
           version + "; use the plugin that was built for it, or link the program with " + own_brand;
  if (finalised())
    return "MPI has been finalised in this process (" + version +
           ") and cannot be started again; call MPI_Finalize "
           "after the last op_exit";
  return {};
}

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
