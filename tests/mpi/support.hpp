// support.hpp: what the tests of communicator mpi share: the plugin opened as the library does it, and contents that
// every process can compute by itself.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "host.hpp"
#include "host/communicator.hpp"

namespace mpi {

using op2::core::Communicator;
using op2::core::Error;
using op2::core::SparseMessages;

inline const char *plugin_name() {
  const char *name = std::getenv("OP2TEST_COMM");
  return name ? name : "mpi";
}

// The communicator of one test, open as long as this lives.
struct Job : unit::Host {
  explicit Job(const int *native = nullptr) : unit::Host(OP2_BUILT_PLUGINS) {
    comm = std::make_unique<Communicator>(*registry, services, plugin_name(), native);
  }
  Communicator *operator->() { return comm.get(); }
  int rank() const { return comm->rank(); }
  int size() const { return comm->size(); }
  // What every process has, to be found equal.
  template <class T>
  void expect_same_everywhere(const T &value) {
    const std::string own(reinterpret_cast<const char *>(&value), sizeof value);
    for (const std::string &other : comm->allgather(own)) EXPECT_TRUE(other == own) << "other bits elsewhere";
  }

  std::unique_ptr<Communicator> comm;
};

// Random numbers that depend on what is given and on nothing else, so that receivers know what senders send.
template <class... Seeds>
std::mt19937 random(Seeds... seeds) {
  std::seed_seq all{static_cast<unsigned>(seeds)...};
  return std::mt19937(all);
}

inline int below(std::mt19937 &generator, int end) {
  return static_cast<int>(generator() % static_cast<unsigned>(end));
}

// Lengths of messages: often empty, mostly short, sometimes longer than what is sent at once.
inline std::size_t random_length(std::mt19937 &generator) {
  switch (below(generator, 8)) {
    case 0:
    case 1:
      return 0;
    case 2:
      return static_cast<std::size_t>(below(generator, 200'000));
    default:
      return static_cast<std::size_t>(below(generator, 300));
  }
}

inline std::string content(std::size_t length, int from, int to, int round) {
  std::mt19937 generator = random(from, to, round, 77);
  std::string out(length, '\0');
  for (std::size_t at = 0; at < length; at += sizeof(std::uint32_t)) {
    const std::uint32_t word = static_cast<std::uint32_t>(generator());
    std::memcpy(out.data() + at, &word, std::min(sizeof word, length - at));
  }
  return out;
}

} // namespace mpi

// SPDX-License-Identifier: MIT
