// Suppresses one signal that a thread's own calls may raise: SIGXFSZ, where file sizes are limited.
#pragma once

#include <cerrno>
#include <csignal>
#include <ctime>

namespace op2::core {

// In its scope, blocks a signal for this thread; the destructor discards it if it became pending meanwhile. The
// program's own handlers, and a signal that was pending before, stay as they are.
class WithoutSignal {
 public:
  explicit WithoutSignal(int signal) {
    sigset_t waiting;
    sigpending(&waiting);
    waiting_before_ = sigismember(&waiting, signal) == 1;
    sigemptyset(&set_);
    sigaddset(&set_, signal);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  ~WithoutSignal() {
    const int error = errno;
    const timespec no_time{};
    if (!waiting_before_)
      while (sigtimedwait(&set_, nullptr, &no_time) < 0 && errno == EINTR) {
      }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  WithoutSignal(const WithoutSignal &) = delete;
  WithoutSignal &operator=(const WithoutSignal &) = delete;

 private:
  sigset_t set_, before_;
  bool waiting_before_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
