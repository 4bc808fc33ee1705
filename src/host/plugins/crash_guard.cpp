#include "host/plugins/crash_guard.hpp"

#include <pthread.h>
#include <unistd.h>

#include <array>
#include <csetjmp>
#include <csignal>
#include <memory>
#include <mutex>

#include "base/text.hpp"

namespace op2::core {

namespace {

struct FatalSignal {
  int number;
  const char *name;
};
constexpr std::array fatal_signals = {FatalSignal{SIGSEGV, "SIGSEGV"}, FatalSignal{SIGBUS, "SIGBUS"},
                                      FatalSignal{SIGFPE, "SIGFPE"}, FatalSignal{SIGILL, "SIGILL"},
                                      FatalSignal{SIGABRT, "SIGABRT"}};

constexpr std::size_t stack_bytes = 64 * 1024; // of the handler, so that an overflowing stack can be caught too

// One guarded call. Reached by the handler, so nothing here may need memory or a lock there.
struct Call {
  pthread_t thread = pthread_self();
  const std::string *last_words = nullptr; // NULL = go back
  sigjmp_buf back;
  volatile std::sig_atomic_t signal = 0;
};

// Handlers belong to the whole process: one guarded call at a time. Recursive, since a plugin might call the library.
std::recursive_mutex one_at_a_time;
Call *volatile current_call = nullptr;
std::array<struct sigaction, fatal_signals.size()> handlers_before;

void restore_handler(int signal) {
  for (std::size_t i = 0; i < fatal_signals.size(); ++i)
    if (fatal_signals[i].number == signal) sigaction(signal, &handlers_before[i], nullptr);
}

void on_fatal_signal(int signal, siginfo_t *info, void *) {
  Call *const call = current_call;
  if (call && pthread_equal(call->thread, pthread_self())) {
    if (!call->last_words) {
      call->signal = signal;
      siglongjmp(call->back, 1);
    }
    // What cannot be written is lost; there is nobody to tell.
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, call->last_words->data(), call->last_words->size());
  }
  // As if this handler had never been: a faulting instruction faults again, a signal that was sent is sent again.
  restore_handler(signal);
  if (info->si_code <= 0) pthread_kill(pthread_self(), signal);
}

// Installs the handler for a scope, on a stack of its own.
class Handlers {
 public:
  explicit Handlers(Call &call) : outer_call_(current_call), outer_handlers_(handlers_before) {
    stack_t stack{};
    stack.ss_sp = stack_.get();
    stack.ss_size = stack_bytes;
    own_stack_ = sigaltstack(&stack, &stack_before_) == 0; // not when this runs inside a signal handler
    current_call = &call;
    struct sigaction action {};
    action.sa_sigaction = on_fatal_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (std::size_t i = 0; i < fatal_signals.size(); ++i)
      sigaction(fatal_signals[i].number, &action, &handlers_before[i]);
  }
  ~Handlers() {
    for (const FatalSignal &signal : fatal_signals) restore_handler(signal.number);
    handlers_before = outer_handlers_;
    current_call = outer_call_;
    if (own_stack_) sigaltstack(&stack_before_, nullptr);
  }
  Handlers(const Handlers &) = delete;
  Handlers &operator=(const Handlers &) = delete;

 private:
  std::lock_guard<std::recursive_mutex> lock_{one_at_a_time}; // first, so that it is released last
  std::unique_ptr<char[]> stack_ = std::make_unique<char[]>(stack_bytes);
  stack_t stack_before_{};
  bool own_stack_ = false;
  Call *outer_call_;
  std::array<struct sigaction, fatal_signals.size()> outer_handlers_;
};

// A function of its own even for the optimiser, for its caller must not have anything that a jump could spoil.
[[gnu::noinline]] void run_and_catch(const std::function<void()> &body, std::string &message) {
  try {
    body();
  } catch (const std::exception &error) {
    message = text("threw an exception: ", error.what());
  } catch (...) {
    message = "threw an exception";
  }
}

// Nothing with a destructor lives in this function: a jump back into it skips none.
[[gnu::noinline]] bool comes_back(Call &call, const std::function<void()> &body, std::string &message) {
  if (sigsetjmp(call.back, 1) != 0) return false;
  run_and_catch(body, message);
  return true;
}

} // namespace

std::string run_guarded(const std::function<void()> &body) {
  Call call;
  std::string message;
  const Handlers handlers(call);
  if (comes_back(call, body, message)) return message;
  const int number = call.signal;
  for (const FatalSignal &signal : fatal_signals)
    if (signal.number == number) return text("crashed (signal ", number, ", ", signal.name, ")");
  return text("crashed (signal ", number, ")");
}

void run_with_last_words(const std::string &last_words, const std::function<void()> &body) {
  Call call;
  call.last_words = &last_words;
  const Handlers handlers(call);
  body();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
