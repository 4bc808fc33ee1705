// Shared by the entries of communicators: failures are exceptions inside, a status and a text at the table.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <sstream>
#include <string>

#include "op2/plugin/comm.h"

namespace op2::comm_common {

// Memory from the core's allocator, freed at the end of the scope unless released to the core.
struct FreeByHost {
  const op_host_v1 *host = nullptr;
  void operator()(void *memory) const { host->free(memory); }
};
template <class T>
using HostMemory = std::unique_ptr<T, FreeByHost>;

// A failure of an entry, which entry() reports to the core. No exception leaves an entry.
struct Failure {
  op_status status;
  std::string text;
};

template <class... Parts>
[[noreturn]] void fail(op_status status, const Parts &...parts) {
  std::ostringstream out;
  out.exceptions(std::ios::badbit); // no part of a message where memory ends
  (out << ... << parts);
  throw Failure{status, out.str()};
}

// The body of an entry.
template <class Body>
op_status entry(const op_host_v1 *host, const Body &body) noexcept {
  try {
    body();
    return OP_OK;
  } catch (const Failure &failure) {
    return host->fail(host, failure.status, failure.text.c_str());
  } catch (const std::bad_alloc &) {
    return host->fail(host, OP_ERR_MEMORY, "no memory");
  } catch (const std::exception &thrown) {
    return host->fail(host, OP_ERR_PLUGIN, thrown.what());
  } catch (...) {
    return host->fail(host, OP_ERR_PLUGIN, "an exception of an unknown type");
  }
}

} // namespace op2::comm_common

// SPDX-License-Identifier: MIT
