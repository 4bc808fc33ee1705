// What MPI needs for messages in memory of CUDA devices, and whether it has it. Neither MPI's extensions nor CUDA need
// be there when this is compiled: both are asked for by name when it runs.
#include "device.hpp"

#include <dlfcn.h>

namespace op2::comm_mpi {

namespace {

template <class Function>
Function function(void *library, const char *name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

constexpr int attribute_context = 1; // CU_POINTER_ATTRIBUTE_CONTEXT

// The driver that the executor has loaded, from a folder of OP2_CUDA_PATH or by its name; NULL = none.
void *loaded_driver(const op_host_v1 *host) {
  std::string folders(4096, '\0');
  const int length = host->config(host, "OP2_CUDA_PATH", folders.data(), folders.size());
  folders.resize(length > 0 && static_cast<size_t>(length) < folders.size() ? static_cast<size_t>(length) : 0);
  while (!folders.empty()) {
    const size_t colon = folders.find(':');
    const std::string path = folders.substr(0, colon) + "/libcuda.so.1";
    if (void *const driver = dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD)) return driver;
    folders.erase(0, colon == std::string::npos ? colon : colon + 1);
  }
  return dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
}

} // namespace

// The executor has loaded the driver: where there is none, there is no memory of a device either.
DeviceContext::DeviceContext(const op_host_v1 *host, const void *memory) {
  void *const driver = loaded_driver(host);
  if (!driver) return;
  const auto attribute =
      function<int (*)(void *value, int which, unsigned long long address)>(driver, "cuPointerGetAttribute");
  push_ = function<int (*)(void *)>(driver, "cuCtxPushCurrent_v2");
  pop_ = function<int (*)(void **)>(driver, "cuCtxPopCurrent_v2");
  if (attribute && push_ && pop_ &&
      attribute(&context_, attribute_context, reinterpret_cast<unsigned long long>(memory)) != 0)
    context_ = nullptr;
  dlclose(driver); // it stays: the executor holds it
}

bool takes_device_memory() {
  const auto query = function<int (*)()>(RTLD_DEFAULT, "MPIX_Query_cuda_support"); // of Open MPI and of MPICH
  return query && query() == 1;
}

// To this process itself. The waits of the real exchange are calls of the same kind.
op_status probe_space(op_comm *comm, op_space space, void *a, void *b, size_t bytes) {
  return entry(comm->host, [&] {
    if (space == OP_SPACE_CUDA && !comm->devices)
      fail(OP_ERR_UNSUPPORTED, library_version(), " says that it takes no addresses of devices (",
           "MPIX_Query_cuda_support() is not there or not 1); a build of MPI with CUDA does");
    const DeviceContext device = space == OP_SPACE_CUDA ? DeviceContext(comm->host, a) : DeviceContext();
    const CurrentDevice current(device);
    const Bytes whole(bytes);
    OP2_MPI(MPI_Sendrecv, a, whole.count, whole.type, comm->rank, tag_probe, b, whole.count, whole.type, comm->rank,
            tag_probe, comm->comm, MPI_STATUS_IGNORE);
  });
}

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
