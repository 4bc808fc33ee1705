// A thread of the library, which handles no signal of the program but those of its own faults.
#pragma once

#include <csignal>
#include <thread>
#include <utility>

namespace op2::core::paging {

template <class Work>
std::thread quiet_thread(Work work) {
  sigset_t all, before;
  sigfillset(&all);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&all, own);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    std::thread thread(std::move(work));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
  } catch (...) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    throw;
  }
}

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
