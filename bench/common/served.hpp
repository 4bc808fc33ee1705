// served.hpp: a program that runs on demand: it answers each number on its stdin with a line of numbers on its stdout,
// the first of which is the time in seconds. For what must be started by a launcher; variants take turns with sample().
#ifndef OP2_BENCH_SERVED_HPP
#define OP2_BENCH_SERVED_HPP

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace bench {

class Served {
 public:
  // Returns when the program has answered for the first time, which it does when it is ready.
  explicit Served(std::vector<std::string> words) : name_(words.back()) {
    int orders[2], answers[2];
    if (pipe(orders) != 0 || pipe(answers) != 0) throw std::runtime_error("cannot make a pipe");
    std::fflush(nullptr);
    child_ = fork();
    if (child_ < 0) throw std::runtime_error("cannot start a process");
    if (child_ == 0) {
      dup2(orders[0], STDIN_FILENO);
      dup2(answers[1], STDOUT_FILENO);
      for (const int end : {orders[0], orders[1], answers[0], answers[1]}) close(end);
      std::vector<char *> line;
      for (std::string &word : words) line.push_back(word.data());
      line.push_back(nullptr);
      execv(line[0], line.data());
      std::perror(line[0]);
      _exit(127);
    }
    close(orders[0]);
    close(answers[1]);
    orders_ = orders[1];
    answers_ = fdopen(answers[0], "r");
    answer();
  }
  Served(const Served &) = delete;
  Served &operator=(const Served &) = delete;
  ~Served() {
    (void)!write(orders_, "0\n", 2); // the end; later siblings hold copies of the pipe
    close(orders_);
    std::fclose(answers_);
    waitpid(child_, nullptr, 0);
  }

  // Seconds that `count` repetitions took.
  double sample(int count) {
    usleep(20000); // those before may still be settling down
    const std::string order = std::to_string(count) + "\n";
    if (write(orders_, order.data(), order.size()) != static_cast<ssize_t>(order.size()))
      throw std::runtime_error(name_ + " does not listen");
    return answer();
  }

 private:
  double answer() {
    double seconds = 0;
    if (std::fscanf(answers_, "%lf", &seconds) != 1) throw std::runtime_error(name_ + " ended before it answered");
    return seconds;
  }

  std::string name_;
  pid_t child_ = -1;
  int orders_ = -1;
  std::FILE *answers_ = nullptr;
};

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
