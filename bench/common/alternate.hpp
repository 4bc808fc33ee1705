// alternate.hpp: variants that cannot live in one process (the library has one back end at a time) measured in turn.
//
// Each variant is prepared in a child process, which then runs once each time the parent asks and answers with the
// seconds it took. Make all variants before the parent uses threads of its own.
#ifndef OP2_BENCH_ALTERNATE_HPP
#define OP2_BENCH_ALTERNATE_HPP

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>

#include "common/measure.hpp"

namespace bench {

class Variant {
 public:
  using Run = std::function<void()>;

  // `prepare` runs in the child and returns what is to be timed, which is then run once as a warm-up.
  // Throws std::runtime_error when the child ended before it was ready.
  Variant(std::string name, const std::function<Run()> &prepare) : name_(std::move(name)) {
    int orders[2], answers[2];
    if (pipe(orders) != 0 || pipe(answers) != 0) throw std::runtime_error("cannot make a pipe");
    std::fflush(nullptr);
    child_ = fork();
    if (child_ < 0) throw std::runtime_error("cannot start a process");
    if (child_ == 0) {
      close(orders[1]);
      close(answers[0]);
      _exit(serve(prepare, orders[0], answers[1]));
    }
    close(orders[0]);
    close(answers[1]);
    orders_ = orders[1];
    answers_ = answers[0];
    answer();
  }
  Variant(const Variant &) = delete;
  Variant &operator=(const Variant &) = delete;
  ~Variant() {
    // A later sibling holds a copy of this pipe, so closing it alone would not end the child.
    const char stop = 0;
    (void)!write(orders_, &stop, 1);
    close(orders_);
    close(answers_);
    waitpid(child_, nullptr, 0);
  }

  // Seconds of one run. Throws std::runtime_error when the child has ended.
  double sample() {
    usleep(5000); // waiting threads of the variant before may still spin
    const char go = 1;
    if (write(orders_, &go, 1) != 1) throw std::runtime_error("variant " + name_ + " does not listen");
    return answer();
  }

 private:
  static int serve(const std::function<Run()> &prepare, int orders, int answers) {
    try {
      const Run run = prepare();
      run();
      double time = 0;
      char order = 1;
      while (order == 1) {
        if (write(answers, &time, sizeof time) != sizeof time) return 1;
        if (read(orders, &order, 1) != 1) return 0;
        if (order == 1) time = seconds(run);
      }
      return 0;
    } catch (const std::exception &error) {
      std::fprintf(stderr, "%s\n", error.what());
      return 1;
    }
  }
  double answer() {
    double time = 0;
    if (read(answers_, &time, sizeof time) != sizeof time)
      throw std::runtime_error("variant " + name_ + " ended before it answered");
    return time;
  }

  std::string name_;
  pid_t child_ = -1;
  int orders_ = -1, answers_ = -1;
};

// Pairs of runs in turn.
inline Pairs alternate(Variant &yardstick, Variant &subject, int pairs) {
  Pairs out;
  for (int i = 0; i < pairs; ++i) {
    const double a = yardstick.sample();
    out.add(a, subject.sample());
  }
  return out;
}

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
