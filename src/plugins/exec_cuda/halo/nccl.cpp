// nccl.cpp: loading NCCL, and its errors in words.
#include "halo/nccl.hpp"

#include "driver.hpp"

namespace op2::exec_cuda {

namespace {

constexpr int lowest_nccl = 20700; // ncclSend and ncclRecv in groups

template <class Function>
void find_in(void *library, const std::string &path, const char *name, Function &function) {
  function = reinterpret_cast<Function>(find_symbol(library, name)); // NOLINT: POSIX says so
  if (!function) throw Failure(OP_ERR_UNSUPPORTED, path + " has no " + name + ", it is no NCCL or too old");
}

} // namespace

Nccl Nccl::load(const std::string &folders) {
  const char *const system_name = "libnccl.so.2";
  std::string path = in_folders(folders, system_name);
  if (path.empty()) path = system_name;
  std::string why;
  void *library = load_library(path, why);
  if (!library) throw Failure(OP_ERR_UNSUPPORTED, "NCCL: " + why + "; setting OP2_CUDA_PATH names its folder");
  Nccl nccl;
  find_in(library, path, "ncclGetVersion", nccl.ncclGetVersion);
  find_in(library, path, "ncclGetUniqueId", nccl.ncclGetUniqueId);
  find_in(library, path, "ncclCommInitRank", nccl.ncclCommInitRank);
  find_in(library, path, "ncclCommDestroy", nccl.ncclCommDestroy);
  find_in(library, path, "ncclCommAbort", nccl.ncclCommAbort);
  find_in(library, path, "ncclCommGetAsyncError", nccl.ncclCommGetAsyncError);
  find_in(library, path, "ncclGetErrorString", nccl.ncclGetErrorString);
  find_in(library, path, "ncclSend", nccl.ncclSend);
  find_in(library, path, "ncclRecv", nccl.ncclRecv);
  find_in(library, path, "ncclGroupStart", nccl.ncclGroupStart);
  find_in(library, path, "ncclGroupEnd", nccl.ncclGroupEnd);
  nccl.check(nccl.ncclGetVersion(&nccl.version), "ask NCCL for its version");
  if (nccl.version < lowest_nccl)
    throw Failure(OP_ERR_UNSUPPORTED, path + " is NCCL of number " + std::to_string(nccl.version) +
                                          ", too old: " + std::to_string(lowest_nccl) + " (2.7) or later is needed");
  return nccl;
}

void Nccl::check(Result result, const char *what) const {
  if (result == success) return;
  const char *words = ncclGetErrorString(result);
  throw Failure(OP_ERR_PLUGIN, std::string("NCCL, ") + what + ": " + (words ? words : "an error") + " (" +
                                   std::to_string(result) + "); NCCL_DEBUG=INFO has it say more");
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
