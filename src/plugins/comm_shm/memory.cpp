#include "memory.hpp"

#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace op2::comm_shm {

namespace {

size_t page() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }
size_t whole_pages(size_t bytes) { return (bytes + page() - 1) / page() * page(); }

int cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
}

// -1: no number.
int number_in(const char *variable) {
  const char *text = std::getenv(variable);
  if (!text || !*text) return -1;
  char *end = nullptr;
  const long value = std::strtol(text, &end, 10);
  return *end == '\0' && value >= 0 && value < 1'000'000'000 ? static_cast<int>(value) : -1;
}

bool lives(int process) { return getpgid(process) >= 0 || errno != ESRCH; }

void begin(Job &job, size_t used) {
  job.magic = job_magic;
  job.version = job_version;
  job.processes = 1;
  job.end = used;
}

} // namespace

Piece::Piece(int file, uint64_t offset, size_t bytes) {
  void *const at =
      mmap(nullptr, whole_pages(bytes), PROT_READ | PROT_WRITE, MAP_SHARED, file, static_cast<off_t>(offset));
  if (at == MAP_FAILED) return;
  data_ = static_cast<char *>(at);
  bytes_ = whole_pages(bytes);
  offset_ = offset;
}

Piece::~Piece() {
  if (data_) munmap(data_, bytes_);
}

Memory::Memory() {
  const char *size = std::getenv(size_variable);
  if (size)
    join(size);
  else
    be_alone();
  sit_down();
  constexpr int spins = 300; // some microseconds: two processes may have been put on one core
  spins_ = size_ <= cores() ? spins : 0;
}

Memory::~Memory() {
  if (head_.data()) std::atomic_ref<int32_t>(seat(rank_).open).fetch_sub(1);
  if (own_file_) ::close(file_);
}

void Memory::be_alone() {
  file_ = memfd_create("op2", MFD_CLOEXEC);
  own_file_ = file_ >= 0;
  const size_t bytes = whole_pages(job_bytes(1));
  if (!own_file_ || ftruncate(file_, static_cast<off_t>(bytes)) != 0) {
    const int error = errno;
    if (own_file_) ::close(file_);
    fail(OP_ERR_PLUGIN, "no shared memory (memfd_create): ", std::strerror(error));
  }
  head_ = find(0, bytes);
  if (!head_.data()) {
    ::close(file_);
    fail(OP_ERR_MEMORY, "no memory");
  }
  begin(job(), bytes);
}

void Memory::join(const char *size) {
  size_ = number_in(size_variable);
  rank_ = number_in(rank_variable);
  file_ = number_in(memory_variable);
  struct stat info {};
  const std::string seen = std::string(size_variable) + "=" + size;
  if (size_ < 1 || size_ > most_processes || rank_ < 0 || rank_ >= size_ || file_ < 0)
    fail(OP_ERR_BACKEND, "the variables of op2_launch (", seen,
         ", ...) do not fit together; start the program with op2_launch -n P, or without these variables");
  if (fstat(file_, &info) != 0 || info.st_size < static_cast<off_t>(job_bytes(size_)))
    fail(OP_ERR_BACKEND, seen, ", but the memory that op2_launch gives its processes (descriptor ", file_,
         ") is not open here: something between op2_launch and this program has closed it. A program that is meant to "
         "be "
         "alone needs OP2_BACKEND=self");
  head_ = find(0, job_bytes(size_));
  if (!head_.data()) fail(OP_ERR_MEMORY, "the memory of the job cannot be mapped: ", std::strerror(errno));
  if (job().magic != job_magic || job().version != job_version || job().processes != size_)
    fail(OP_ERR_BACKEND, seen,
         ", but what lies in its memory is not of this version; op2_launch and plugin shm must be "
         "installed together");
}

// One program in each place. Another one may follow when it is over, as in a script.
void Memory::sit_down() {
  Seat &mine = seat(rank_);
  std::atomic_ref<int32_t> process(mine.process);
  const int32_t self = static_cast<int32_t>(getpid()), before = process.load();
  if (before != 0 && before != self && (lives(before) || mine.open > 0))
    fail(OP_ERR_BACKEND, "process ", rank_, " of ", size_, " of this job is already process ", before,
         " of the system. A program that it starts runs by itself with OP2_BACKEND=self");
  process = self;
  std::atomic_ref<int32_t>(mine.open).fetch_add(1);
}

Piece Memory::make(size_t bytes) {
  const size_t room = whole_pages(bytes);
  const uint64_t offset = std::atomic_ref<uint64_t>(job().end).fetch_add(room);
  // The memory is asked for at once: where there is too little of it, writing later would end the process.
  while (fallocate(file_, 0, static_cast<off_t>(offset), static_cast<off_t>(room)) != 0)
    if (errno != EINTR) return Piece();
  return find(offset, room);
}

void Memory::give_back(Piece &piece) {
  if (piece.data())
    (void)fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(piece.offset()),
                    static_cast<off_t>(piece.size()));
  piece = Piece();
}

// First burning time, if every process has a core, then giving the core away, then asleep.
void Memory::await(comm_common::Counter &counter, uint64_t least, int from) const {
  constexpr int yields = 2000;
  constexpr long nap = 20'000'000; // nanoseconds; whoever dies does not ring
  for (int turn = 0; counter.look() < least; ++turn) {
    if (turn < spins_) {
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause();
#endif
    } else if (turn < spins_ + yields) {
      refuse_when_noted(); // beside other programs a yield takes milliseconds, and all of them seconds
      sched_yield();
    } else {
      refuse_when_over(from, counter, least);
      counter.sleep(least, nap);
    }
  }
}

void Memory::refuse_when_noted() const {
  if (const Ending ending = ending_of(job()); ending.kind != Ending::none)
    fail(OP_ERR_PLUGIN, "the job ends: ", summary_of(ending));
}

void Memory::refuse_when_over() const {
  refuse_when_noted();
  if (job().launcher != 0 && !lives(job().launcher)) fail(OP_ERR_PLUGIN, "the job ends: op2_launch is no more");
}

void Memory::refuse_when_over(int from, comm_common::Counter &counter, uint64_t least) const {
  refuse_when_over();
  const bool ended = std::atomic_ref<int32_t>(seat(from).ended).load(std::memory_order_acquire) != 0;
  if (ended && counter.look() < least) // what it did before its end counts
    fail(OP_ERR_PLUGIN, "process ", from, " has ended and takes no part in this");
}

std::string summary_of(const Ending &ending) {
  const std::string who = "process " + std::to_string(ending.rank), number = std::to_string(ending.number);
  switch (ending.kind) {
    case Ending::exited:
      return who + " ended with exit code " + number;
    case Ending::killed:
      return who + " was killed by signal " + number + " (" + strsignal(ending.number) + ")";
    case Ending::left:
      return who + " ended without op_exit";
    case Ending::aborted:
      return who + " has failed";
    case Ending::signalled:
      return "op2_launch got signal " + number + " (" + strsignal(ending.number) + ")";
    default:
      return "a process could not be started";
  }
}

} // namespace op2::comm_shm

// SPDX-License-Identifier: MIT
