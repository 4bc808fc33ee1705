// back_ends.hpp: which executors can be measured here.
#ifndef OP2_BENCH_BACK_ENDS_HPP
#define OP2_BENCH_BACK_ENDS_HPP

#include <op2/info.h>
#include <op2/init.h>

#include <string>
#include <thread>
#include <vector>

namespace bench {

// Does op2_info list an executor of this name?
inline bool has_executor(const std::string &name) {
  std::vector<char> text(static_cast<std::size_t>(op_info(nullptr, 0)) + 1);
  op_info(text.data(), text.size());
  return std::string(text.data()).find("\n  exec " + name + " ") != std::string::npos;
}

struct BackEnd {
  std::string executor;
  int threads;
  [[nodiscard]] std::string name() const { return executor + std::to_string(threads); }
};

// seq, and openmp with one thread and two, as far as the machine has them.
inline std::vector<BackEnd> back_ends() {
  std::vector<BackEnd> out = {{"seq", 1}};
  if (!has_executor("openmp")) return out;
  out.push_back({"openmp", 1});
  if (std::thread::hardware_concurrency() >= 2) out.push_back({"openmp", 2});
  return out;
}

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
