// op2_launch: starts several processes of one program on this machine, which then work together through shared memory
// (communicator shm). Waits for them; when one of them fails, the others end soon, and nothing is left behind.
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "op2/version.h"
#include "plugins/comm_shm/job.hpp"

namespace {

using namespace op2::comm_shm;
using Clock = std::chrono::steady_clock;

// Between the failure and a polite signal, and between that and one that nobody survives.
constexpr std::chrono::seconds grace{2}, more_grace{3};

constexpr const char *usage =
    R"(usage: op2_launch -n P [--tag-output] [--] program [argument ...]

Starts P processes of a program on this machine. With libop2 they work together
through shared memory, without MPI (communicator shm).

  -n P           how many processes, 1 to 1024; also -np P and -nP
  --tag-output   puts the number of the process in front of each line it prints
  --help         this text
  --version      the version of libop2 it belongs to

Process 0 reads the standard input. SIGINT, SIGTERM and SIGHUP go to all
processes. When one of them fails, the others get two seconds to end by
themselves, then SIGTERM, and three seconds later SIGKILL.

Exit code: 0 when all ended with 0; else that of the first that failed, or
128 + signal; 1 when one left the others in the middle; 2 for wrong use of
op2_launch; 126 or 127 when the program cannot be started or is not found.

OP2_BACKEND=auto takes communicator shm by itself; OP2_BACKEND=shm+openmp says so.
)";

[[noreturn]] void wrong_use(const std::string &what) {
  std::fprintf(stderr, "op2_launch: %s\nop2_launch: usage: op2_launch -n P [--tag-output] program [argument ...]\n",
               what.c_str());
  std::exit(2);
}

struct Options {
  int processes = 0;
  bool tags = false;
  char **program = nullptr;
};

int process_count(const std::string &text) {
  char *end = nullptr;
  const long value = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || value < 1 || value > most_processes)
    wrong_use("-n " + text + ": a number of processes from 1 to " + std::to_string(most_processes) + " is expected");
  return static_cast<int>(value);
}

Options read_arguments(int argc, char **argv) {
  Options out;
  int i = 1;
  for (; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--help" || word == "-h") {
      std::fputs(usage, stdout);
      std::exit(0);
    } else if (word == "--version") {
      std::printf("op2_launch of libop2 %d.%d.%d\n", OP2_VERSION / 10000, OP2_VERSION / 100 % 100, OP2_VERSION % 100);
      std::exit(0);
    } else if (word == "--tag-output") {
      out.tags = true;
    } else if (word == "-n" || word == "-np") {
      if (++i == argc) wrong_use(std::string(word) + " wants a number of processes");
      out.processes = process_count(argv[i]);
    } else if (word.substr(0, 2) == "-n" && word.size() > 2 && word[2] >= '0' && word[2] <= '9') {
      out.processes = process_count(std::string(word.substr(2)));
    } else if (word == "--") {
      ++i;
      break;
    } else if (word.substr(0, 1) == "-") {
      wrong_use("there is no option " + std::string(word) + "; see op2_launch --help");
    } else {
      break;
    }
  }
  if (i >= argc) wrong_use("no program is named");
  if (out.processes == 0) wrong_use("how many processes? Say -n P before the program");
  out.program = argv + i;
  return out;
}

// The pipe through which lines of a process come, and what has come of a line that is not complete.
struct Stream {
  int from = -1;
  FILE *to = nullptr;
  int rank = 0;
  std::string line;

  // False at the end.
  bool pass_on() {
    std::array<char, 8192> buffer;
    for (;;) {
      const ssize_t count = read(from, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return errno == EAGAIN;
      if (count == 0) break;
      line.append(buffer.data(), static_cast<std::size_t>(count));
      print_lines();
    }
    if (!line.empty()) line += '\n';
    print_lines();
    close(from);
    from = -1;
    return false;
  }
  void print_lines() {
    std::size_t begin = 0, end;
    while ((end = line.find('\n', begin)) != std::string::npos) {
      std::fprintf(to, "[%d] %.*s\n", rank, static_cast<int>(end - begin), line.c_str() + begin);
      begin = end + 1;
    }
    line.erase(0, begin);
    std::fflush(to);
  }
};

class Launch {
 public:
  explicit Launch(const Options &options)
      : options_(options), processes_(static_cast<std::size_t>(options.processes)) {}
  int run();

 private:
  struct Pipe {
    int ends[2] = {-1, -1};
    bool make() { return pipe2(ends, O_CLOEXEC) == 0; }
  };
  bool make_memory();
  bool start(int rank);
  [[noreturn]] void be_child(int rank, int report, const Pipe &out, const Pipe &err);
  void watch(int rank, const Pipe &pipe, FILE *to);
  void wait_a_little();
  void take_signal();
  void reap();
  void ended(int rank, int status);
  void note(const Ending &ending);
  void urge();
  void signal_all(int signal);
  bool any_left() const;
  int exit_code() const;

  const Options &options_;
  std::vector<pid_t> processes_; // 0: it has ended
  std::vector<Stream> streams_;
  Job *job_ = nullptr;
  int memory_ = -1, signals_ = -1;
  pid_t self_ = getpid();
  sigset_t handled_{}, before_{};
  bool ends_ = false;
  int urged_ = 0;
  Clock::time_point next_urge_{};
};

bool Launch::make_memory() {
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t bytes = (job_bytes(options_.processes) + page - 1) / page * page;
  memory_ = memfd_create("op2_launch", 0); // the processes inherit it
  if (memory_ >= 0 && memory_ < 3) memory_ = fcntl(memory_, F_DUPFD, 3);
  if (memory_ < 0 || ftruncate(memory_, static_cast<off_t>(bytes)) != 0) return false;
  void *const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory_, 0);
  if (at == MAP_FAILED) return false;
  job_ = static_cast<Job *>(at);
  job_->magic = job_magic;
  job_->version = job_version;
  job_->processes = options_.processes;
  job_->launcher = static_cast<std::int32_t>(self_);
  job_->end = bytes;
  return true;
}

void Launch::be_child(int rank, int report, const Pipe &out, const Pipe &err) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); // also when the launcher itself is killed
  if (getppid() != self_) _exit(1);
  sigprocmask(SIG_SETMASK, &before_, nullptr);
  setenv(rank_variable, std::to_string(rank).c_str(), 1);
  setenv(size_variable, std::to_string(options_.processes).c_str(), 1);
  setenv(memory_variable, std::to_string(memory_).c_str(), 1);
  if (rank > 0) {
    const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) dup2(nothing, 0);
  }
  if (options_.tags) {
    dup2(out.ends[1], 1);
    dup2(err.ends[1], 2);
  }
  execvp(options_.program[0], options_.program);
  const int error = errno;
  (void)!write(report, &error, sizeof error);
  _exit(127);
}

void Launch::watch(int rank, const Pipe &pipe, FILE *to) {
  close(pipe.ends[1]);
  fcntl(pipe.ends[0], F_SETFL, O_NONBLOCK);
  streams_.push_back({pipe.ends[0], to, rank, {}});
}

// False when the program does not run; the reason is told and noted.
bool Launch::start(int rank) {
  Pipe report, out, err;
  if (report.make() && (!options_.tags || (out.make() && err.make()))) {
    const pid_t pid = fork();
    if (pid == 0) be_child(rank, report.ends[1], out, err);
    if (pid > 0) {
      processes_[static_cast<std::size_t>(rank)] = pid;
      close(report.ends[1]);
      if (options_.tags) {
        watch(rank, out, stdout);
        watch(rank, err, stderr);
      }
      int error = 0;
      ssize_t count;
      do count = read(report.ends[0], &error, sizeof error);
      while (count < 0 && errno == EINTR);
      close(report.ends[0]);
      if (count == 0) return true; // closed by a successful exec
      errno = error;
    }
  }
  const int error = errno;
  std::fprintf(stderr, "op2_launch: cannot start '%s' (process %d of %d): %s\n", options_.program[0], rank,
               options_.processes, std::strerror(error));
  note({Ending::silent, rank, error == ENOENT ? 127 : 126});
  return false;
}

bool Launch::any_left() const {
  for (const pid_t pid : processes_)
    if (pid != 0) return true;
  return false;
}

void Launch::signal_all(int signal) {
  for (const pid_t pid : processes_)
    if (pid != 0) kill(pid, signal);
}

// The first one counts, and is told unless somebody else tells.
void Launch::note(const Ending &ending) {
  if (!note_ending(*job_, ending)) return;
  const std::string who = "process " + std::to_string(ending.rank) + " of " + std::to_string(options_.processes);
  if (ending.kind == Ending::exited)
    std::fprintf(stderr, "op2_launch: %s ended with exit code %d\n", who.c_str(), ending.number);
  else if (ending.kind == Ending::killed)
    std::fprintf(stderr, "op2_launch: %s was killed by signal %d (%s)\n", who.c_str(), ending.number,
                 strsignal(ending.number));
  else if (ending.kind == Ending::left)
    std::fprintf(stderr, "op2_launch: %s ended in the middle of the run, with exit code 0 but without op_exit\n",
                 who.c_str());
}

void Launch::ended(int rank, int status) {
  processes_[static_cast<std::size_t>(rank)] = 0;
  Seat &seat = job_->seats[rank];
  if (WIFSIGNALED(status))
    note({Ending::killed, rank, WTERMSIG(status)});
  else if (WEXITSTATUS(status) != 0)
    note({Ending::exited, rank, WEXITSTATUS(status)});
  else if (std::atomic_ref<std::int32_t>(seat.open).load() > 0)
    note({Ending::left, rank, 0});
  std::atomic_ref<std::int32_t>(seat.ended).store(1, std::memory_order_release);
}

void Launch::reap() {
  int status = 0;
  for (pid_t pid; (pid = waitpid(-1, &status, WNOHANG)) > 0;)
    for (std::size_t rank = 0; rank < processes_.size(); ++rank)
      if (processes_[rank] == pid) ended(static_cast<int>(rank), status);
}

// From the terminal all processes get it by themselves.
void Launch::take_signal() {
  signalfd_siginfo info{};
  while (read(signals_, &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const int signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGCHLD) continue;
    if (ending_of(*job_).kind == Ending::signalled) signal_all(SIGKILL); // asked for twice
    note({Ending::signalled, 0, signal});
    if (info.ssi_code != SI_KERNEL) signal_all(signal);
  }
}

// After a failure: the processes are told through the memory, which those that wait see at once.
void Launch::urge() {
  if (!ends_ && ending_of(*job_).kind != Ending::none) {
    ends_ = true;
    next_urge_ = Clock::now() + grace;
  }
  if (!ends_ || Clock::now() < next_urge_) return;
  signal_all(urged_++ == 0 ? SIGTERM : SIGKILL);
  next_urge_ = Clock::now() + more_grace;
}

void Launch::wait_a_little() {
  std::vector<pollfd> events{{signals_, POLLIN, 0}};
  for (const Stream &stream : streams_)
    if (stream.from >= 0) events.push_back({stream.from, POLLIN, 0});
  constexpr int look_again = 100; // milliseconds: a process may have ended the job in the memory
  poll(events.data(), events.size(), look_again);
  for (Stream &stream : streams_)
    if (stream.from >= 0) stream.pass_on();
}

int Launch::exit_code() const {
  const Ending ending = ending_of(*job_);
  switch (ending.kind) {
    case Ending::none:
      return 0;
    case Ending::killed:
    case Ending::signalled:
      return 128 + ending.number;
    case Ending::left:
      return 1;
    default:
      return (ending.number & 0xff) != 0 ? ending.number & 0xff : 1;
  }
}

int Launch::run() {
  sigemptyset(&handled_);
  for (const int signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP}) sigaddset(&handled_, signal);
  sigprocmask(SIG_BLOCK, &handled_, &before_);
  signals_ = signalfd(-1, &handled_, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals_ < 0 || !make_memory()) {
    std::fprintf(stderr, "op2_launch: cannot make the memory of the job: %s\n", std::strerror(errno));
    return 126;
  }
  for (int rank = 0; rank < options_.processes && start(rank); ++rank) reap();
  while (reap(), any_left()) {
    urge();
    wait_a_little();
    take_signal();
  }
  for (Stream &stream : streams_)
    if (stream.from >= 0) stream.pass_on(); // perhaps somebody else still has the other end: no matter
  return exit_code();
}

} // namespace

int main(int argc, char **argv) {
  const Options options = read_arguments(argc, argv);
  return Launch(options).run();
}

// SPDX-License-Identifier: MIT
