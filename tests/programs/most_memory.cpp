// most_memory.cpp: runs a program and says how much memory it had at most (ru_maxrss).
//
// most_memory FILE PROGRAM [argument...]: the kibibytes go to FILE; the exit code is that of the program.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: %s FILE PROGRAM [argument...]\n", argv[0]);
    return 2;
  }
  const pid_t child = fork();
  if (child == 0) {
    execvp(argv[2], argv + 2);
    std::perror(argv[2]);
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) != child) {
    std::perror(argv[2]);
    return 2;
  }
  std::FILE *const file = std::fopen(argv[1], "w");
  if (!file || std::fprintf(file, "%ld\n", usage.ru_maxrss) < 0 || std::fclose(file) != 0) {
    std::perror(argv[1]);
    return 2;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// SPDX-License-Identifier: MIT
