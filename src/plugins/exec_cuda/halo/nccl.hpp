// The functions of NCCL that channels use, from its published interface: the library is loaded at run time, and its
// header is not needed. A test compares the constants with the header if there is one.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "library.hpp"

namespace op2::exec_cuda {

struct Nccl {
  struct UniqueId {
    char bytes[128];
  };
  using Result = int;             // an enumeration in NCCL
  using Comm = struct NcclComm *; // opaque in NCCL, too
  static constexpr Result success = 0, in_progress = 7;
  static constexpr int type_bytes = 0; // ncclInt8

  Result (*ncclGetVersion)(int *version) = nullptr;
  Result (*ncclGetUniqueId)(UniqueId *id) = nullptr;
  Result (*ncclCommInitRank)(Comm *comm, int size, UniqueId id, int rank) = nullptr;
  Result (*ncclCommDestroy)(Comm comm) = nullptr;
  Result (*ncclCommAbort)(Comm comm) = nullptr;
  Result (*ncclCommGetAsyncError)(Comm comm, Result *error) = nullptr;
  const char *(*ncclGetErrorString)(Result result) = nullptr;
  Result (*ncclSend)(const void *from, size_t count, int type, int peer, Comm comm, void *stream) = nullptr;
  Result (*ncclRecv)(void *to, size_t count, int type, int peer, Comm comm, void *stream) = nullptr;
  Result (*ncclGroupStart)() = nullptr;
  Result (*ncclGroupEnd)() = nullptr;
  int version = 0; // 22809 is 2.28.9

  // From `folders` (setting OP2_CUDA_PATH) if one has libnccl.so.2. Throws OP_ERR_UNSUPPORTED if there is no NCCL.
  static Nccl load(const std::string &folders);
  // Throws OP_ERR_PLUGIN.
  void check(Result result, const char *what) const;
};

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
