#include "paging/fault_handler.hpp"

#include <pthread.h>
#include <sys/types.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <mutex>
#include <string_view>

#include "paging/paging.hpp"

namespace op2::core::paging {

namespace {

Paging *all_pagers = nullptr; // behind the gate
struct sigaction handler_before;
bool installed = false;
std::atomic<pid_t> process{0}; // in its children nobody reads or writes the file

// What a fault was for, as far as the processor tells.
struct Access {
  bool write = false;
  std::uint64_t cause = 0; // the instruction and the general registers, mixed
};

Access access_of(const void *context) {
  const mcontext_t &machine = static_cast<const ucontext_t *>(context)->uc_mcontext;
  Access access;
  const auto mix = [&](auto word) {
    access.cause = (access.cause ^ static_cast<std::uint64_t>(word)) * 0x9E3779B97F4A7C15U;
    access.cause ^= access.cause >> 29;
  };
#if defined(__x86_64__)
  for (int i = REG_R8; i <= REG_RIP; ++i) mix(machine.gregs[i]);
  access.write = (machine.gregs[REG_ERR] & 2) != 0;
#elif defined(__aarch64__)
  for (const auto word : machine.regs) mix(word);
  mix(machine.sp);
  mix(machine.pc);
  access.write = true; // so a fault at a chunk that can be read is one, and else the chunk counts as changed
#else
  mix(0);
  access.write = true;
#endif
  return access;
}

void say_what_failed(const Paging &pager) {
  std::array<char, 1024> words;
  const std::string_view begin = "op2: error: ";
  begin.copy(words.data(), begin.size());
  std::size_t length = begin.size() + pager.fault_trouble().write_text(words.data() + begin.size(),
                                                                       words.size() - begin.size() - 1, pager.folder());
  words[length++] = '\n';
  // What cannot be written is lost; there is nobody to tell.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, words.data(), length);
}

bool served(const siginfo_t *info, const void *context) {
  if (info->si_code <= 0 || gate.mine() || process.load() != getpid()) return false;
  const Access access = access_of(context);
  const std::lock_guard hold(gate);
  for (Paging *pager = all_pagers; pager; pager = pager->next) {
    const Paging::Fault fault = pager->fault(static_cast<const char *>(info->si_addr), access.write, access.cause);
    if (fault == Paging::Fault::failed) say_what_failed(*pager);
    if (fault != Paging::Fault::foreign) return fault == Paging::Fault::served;
  }
  return false;
}

// As if there were no pagers.
void pass_on(int signal, siginfo_t *info, void *context) {
  if ((handler_before.sa_flags & SA_SIGINFO) != 0) return handler_before.sa_sigaction(signal, info, context);
  if (handler_before.sa_handler != SIG_DFL && handler_before.sa_handler != SIG_IGN)
    return handler_before.sa_handler(signal);
  // A faulting instruction faults again, a signal that was sent is sent again.
  struct sigaction none {};
  none.sa_handler = SIG_DFL;
  sigaction(signal, &none, nullptr);
  if (info->si_code <= 0) pthread_kill(pthread_self(), signal);
}

void on_fault(int signal, siginfo_t *info, void *context) {
  const int error = errno;
  if (!served(info, context)) pass_on(signal, info, context);
  errno = error;
}

} // namespace

void watch_faults(Paging &paging) {
  const std::lock_guard hold(gate);
  paging.next = all_pagers;
  all_pagers = &paging;
  process = getpid();
  if (installed) return;
  sigaction(SIGSEGV, nullptr, &handler_before);
  struct sigaction ours {};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&ours.sa_mask);
  installed = sigaction(SIGSEGV, &ours, nullptr) == 0;
}

void stop_watching_faults(Paging &paging) {
  const std::lock_guard hold(gate);
  Paging **link = &all_pagers;
  while (*link != &paging) link = &(*link)->next;
  *link = paging.next;
  if (all_pagers) return;
  // A handler that came later may pass faults on to this one, which then stays.
  struct sigaction last {};
  sigaction(SIGSEGV, nullptr, &last);
  if ((last.sa_flags & SA_SIGINFO) == 0 || last.sa_sigaction != on_fault) return;
  sigaction(SIGSEGV, &handler_before, nullptr);
  installed = false;
}

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
