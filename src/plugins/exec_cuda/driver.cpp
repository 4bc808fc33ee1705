// driver.cpp: loading the driver, and its errors in words.
#include "driver.hpp"

#include "library.hpp"

namespace op2::exec_cuda {

namespace {

constexpr const char *system_name = "libcuda.so.1";
constexpr int lowest_version = 12000; // cuGetProcAddress_v2

[[noreturn]] void fail_to_load(const std::string &wish, const std::string &why) {
  if (wish.empty())
    throw Failure(OP_ERR_BACKEND, "there is no NVIDIA driver: " + why +
                                      ". The driver brings libcuda.so.1; setting OP2_CUDA_PATH names its folder");
  throw Failure(OP_ERR_BACKEND, "there is no NVIDIA driver at '" + wish + "' (OP2_CUDA_PATH): " + why);
}

std::string decimal_version(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string mebibytes(size_t bytes) {
  if (bytes < size_t{1} << 20) return std::to_string(bytes) + " bytes";
  return std::to_string(bytes >> 20) + " MiB";
}

// What the user can do about it; "" = nothing is known.
const char *hint(CUresult status) {
  switch (static_cast<int>(status)) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      return "the mesh is too large for the device, or other programs use it (see nvidia-smi); more processes with a "
             "device each "
             "divide the mesh";
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
      return "a kernel launched before reached outside its data; OP2_BACKEND=check finds which";
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_ASSERT:
      return "a kernel launched before failed; OP2_BACKEND=check may find which";
    case CUDA_ERROR_LAUNCH_TIMEOUT:
      return "a kernel ran for longer than the driver allows on a device with a display";
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
      return "the driver is older than NVRTC: update it, or name the folder of an older libnvrtc in OP2_CUDA_PATH";
    case CUDA_ERROR_NO_DEVICE:
      return "no NVIDIA GPU is visible; CUDA_VISIBLE_DEVICES may hide it";
    case CUDA_ERROR_STUB_LIBRARY:
      return "this libcuda is the toolkit's stub for linking, there is no NVIDIA driver";
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
      return "libcuda and the kernel's module are of different drivers; a restart after an update helps";
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
      return "the driver's forward compatibility package does not serve this GPU";
    case CUDA_ERROR_DEVICE_UNAVAILABLE:
      return "another process has the device for itself (compute mode, see nvidia-smi)";
    default:
      return "";
  }
}

// Errors of kernels are found by whatever waits for the device next.
op_status code_of(CUresult status) {
  switch (static_cast<int>(status)) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      return OP_ERR_MEMORY;
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
      return OP_ERR_KERNEL;
    default:
      return OP_ERR_PLUGIN;
  }
}

using GetProc = PFN_cuGetProcAddress_v12000;

GetProc open_library(const std::string &wish) {
  std::string why;
  void *library = load_library(wish.empty() ? system_name : wish, why);
  if (!library) fail_to_load(wish, why);
  void *entry = find_symbol(library, "cuGetProcAddress_v2");
  if (!entry) {
    if (!find_symbol(library, "cuInit")) fail_to_load(wish, "that library has no cuInit, it is no driver");
    throw Failure(OP_ERR_BACKEND, "the NVIDIA driver is too old: CUDA " + decimal_version(lowest_version) +
                                      " (driver 525) or later is needed");
  }
  return reinterpret_cast<GetProc>(entry); // NOLINT: POSIX says so
}

template <class Function>
void find(GetProc get, const std::string &path, const char *name, int version, Function &function) {
  void *found = nullptr;
  CUdriverProcAddressQueryResult how{};
  const CUresult status = get(name, &found, version, CU_GET_PROC_ADDRESS_DEFAULT, &how);
  if (static_cast<int>(status) == CUDA_ERROR_STUB_LIBRARY)
    throw Failure(OP_ERR_BACKEND, "there is no NVIDIA driver: " + path + " is the toolkit's stub for linking");
  if (status != CUDA_SUCCESS || !found)
    throw Failure(OP_ERR_BACKEND, std::string("the NVIDIA driver has no ") + name + " of CUDA " +
                                      decimal_version(version) + ", it is too old or not whole");
  function = reinterpret_cast<Function>(found); // NOLINT
}

} // namespace

Driver Driver::load(const std::string &folders) {
  Driver driver;
  const std::string path = in_folders(folders, system_name);
  driver.path = path.empty() ? system_name : path;
  const GetProc get = open_library(path);
  driver.get_ = get;
#define OP2_CUDA_FIND(name, version) find(get, driver.path, #name, version, driver.name);
  OP2_CUDA_ENTRIES(OP2_CUDA_FIND)
#undef OP2_CUDA_FIND
  const CUresult started = driver.cuInit(0);
  if (static_cast<int>(started) == CUDA_ERROR_STUB_LIBRARY)
    throw Failure(OP_ERR_BACKEND, "there is no NVIDIA driver: " + driver.path + " is the toolkit's stub for linking (" +
                                      driver.describe(started) + ")");
  if (started != CUDA_SUCCESS) {
    const std::string way_out = hint(started);
    throw Failure(OP_ERR_BACKEND, "the NVIDIA driver does not start: " + driver.describe(started) +
                                      (way_out.empty() ? "" : "; " + way_out));
  }
  driver.check(driver.cuDriverGetVersion(&driver.version), "ask the driver for its version");
  if (driver.version < lowest_version)
    throw Failure(OP_ERR_BACKEND, "the NVIDIA driver serves CUDA " + decimal_version(driver.version) + "; " +
                                      decimal_version(lowest_version) + " (driver 525) or later is needed");
  return driver;
}

std::string Driver::describe(CUresult status) const {
  const char *name = nullptr;
  const char *words = nullptr;
  cuGetErrorName(status, &name);
  cuGetErrorString(status, &words);
  if (!name) return "error " + std::to_string(static_cast<int>(status)) + " of the driver";
  return std::string(name) + (words ? " (" + std::string(words) + ")" : "");
}

void Driver::fail(CUresult status, const std::string &what) const {
  const std::string way_out = hint(status);
  throw Failure(code_of(status), what + ": " + describe(status) + (way_out.empty() ? "" : "; " + way_out));
}

void Driver::check_memory(CUresult status, const std::string &what, size_t wanted) const {
  if (status == CUDA_SUCCESS) return;
  if (status != CUDA_ERROR_OUT_OF_MEMORY) fail(status, what);
  size_t free_bytes = 0, all_bytes = 0;
  std::string room;
  if (cuMemGetInfo(&free_bytes, &all_bytes) == CUDA_SUCCESS)
    room = ", of the device's " + mebibytes(all_bytes) + " are free " + mebibytes(free_bytes);
  fail(status, what + ": " + mebibytes(wanted) + " wanted" + room);
}

void *Driver::find_entry(const char *name, int since) const {
  void *found = nullptr;
  CUdriverProcAddressQueryResult how{};
  if (get_(name, &found, since, CU_GET_PROC_ADDRESS_DEFAULT, &how) != CUDA_SUCCESS || !found)
    throw Failure(OP_ERR_UNSUPPORTED,
                  std::string("the NVIDIA driver has no ") + name + " of CUDA " + decimal_version(since));
  return found;
}

int Driver::attribute(CUdevice device, CUdevice_attribute which) const {
  int value = 0;
  check(cuDeviceGetAttribute(&value, which, device), "ask for an attribute of the device");
  return value;
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
