// Several processes: a step of a chain that fails on one of them fails on all, with the number of the same call.
#pragma once

#include <cstdint>
#include <exception>
#include <limits>
#include <new>

#include "base/error.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

// Runs step(), which keeps `at` at the call that it is about; failed(error) marks what has failed here, before others
// learn of it. Collective: all enter it before they wait for each other in the step. Where errors end the job, it costs
// nothing.
template <class Step, class Failed>
void fail_together(Mesh &mesh, const char *what, std::size_t &at, const Step &step, const Failed &failed) {
  Agreement &agreement = mesh.agreement();
  if (!agreement.errors_return()) return step();
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  std::int64_t number = none;
  const auto fail_here = [&](Error &error) {
    number = static_cast<std::int64_t>(at);
    failed(error);
  };
  try {
    agreement.with_others(what, [&] {
      try {
        step();
      } catch (Error &error) {
        fail_here(error);
        throw;
      } catch (const std::bad_alloc &) {
        Error error(OP_ERR_MEMORY, text(what, ": out of memory"));
        fail_here(error);
        throw error;
      } catch (const std::exception &thrown) {
        Error error(OP_ERR_INTERNAL, text(what, ": unexpected: ", thrown.what()));
        fail_here(error);
        throw error;
      }
      agreement.agree(what);
    });
  } catch (...) {
    if (const std::int64_t first = mesh.communicator().min(number); first != none) at = static_cast<std::size_t>(first);
    throw;
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
