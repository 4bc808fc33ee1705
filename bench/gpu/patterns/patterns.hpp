// patterns.hpp: what programs do between two messages, in words of this library: a table of patterns.
#ifndef OP2_BENCH_PATTERNS_HPP
#define OP2_BENCH_PATTERNS_HPP

#include <memory>
#include <vector>

namespace bench {

// Made within a context; every process of the job makes the same. n * n * n cells of each process, n even.
class Pattern {
 public:
  Pattern() = default;
  Pattern(const Pattern &) = delete;
  Pattern &operator=(const Pattern &) = delete;
  virtual ~Pattern() = default;
  virtual void round() = 0;    // collective
  virtual double answer() = 0; // of this process, the same with all ways of messages. Collective
};

struct PatternKind {
  const char *name;
  int processes;
  bool host_looks; // the host needs a value in each round
  std::unique_ptr<Pattern> (*make)(int n);
};

const std::vector<PatternKind> &patterns();

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
