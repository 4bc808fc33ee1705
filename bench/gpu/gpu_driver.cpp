// gpu_driver.cpp: see gpu_driver.hpp.
#include "gpu/gpu_driver.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "common/measure.hpp"

namespace bench {

using Address = unsigned long long; // of device memory

struct GpuDriver::Entries {
  int (*init)(unsigned);
  int (*device_get)(int *, int);
  int (*device_count)(int *);
  int (*device_name)(char *, int, int);
  int (*context_retain)(void **, int);
  int (*context_release)(int);
  int (*context_set)(void *);
  int (*synchronize)();
  int (*alloc)(Address *, std::size_t);
  int (*free)(Address);
  int (*host_alloc)(void **, std::size_t, unsigned);
  int (*host_free)(void *);
  int (*inside)(Address, Address, std::size_t);
  int (*to_device)(Address, const void *, std::size_t);
  int (*to_host)(void *, Address, std::size_t);
  int (*fill)(Address, unsigned char, std::size_t);
};

namespace {

// Memory that goes away by itself.
class Block {
 public:
  template <class Free>
  Block(Address address, Free free) : address_(address), free_(free) {}
  Block(const Block &) = delete;
  Block &operator=(const Block &) = delete;
  ~Block() { free_(address_); }
  [[nodiscard]] Address address() const { return address_; }

 private:
  Address address_;
  int (*free_)(Address);
};

template <class Entry>
bool find(void *library, const char *name, Entry &entry) {
  entry = reinterpret_cast<Entry>(dlsym(library, name)); // NOLINT: POSIX says so
  return entry != nullptr;
}

} // namespace

GpuDriver::GpuDriver() : entries_(std::make_unique<Entries>()) {}

std::unique_ptr<GpuDriver> GpuDriver::open(std::string &why) {
  const char *const request = std::getenv("OP2_CUDA_PATH");
  std::string folders = request ? request : "";
  void *library = nullptr;
  while (!library && !folders.empty()) {
    const std::size_t colon = folders.find(':');
    library = dlopen((folders.substr(0, colon) + "/libcuda.so.1").c_str(), RTLD_NOW | RTLD_NODELETE);
    folders.erase(0, colon == std::string::npos ? colon : colon + 1);
  }
  if (!library) library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NODELETE);
  if (!library) {
    why = std::string("no NVIDIA driver: ") + dlerror();
    return nullptr;
  }
  std::unique_ptr<GpuDriver> out(new GpuDriver);
  Entries &e = *out->entries_;
  const bool whole =
      find(library, "cuInit", e.init) && find(library, "cuDeviceGet", e.device_get) &&
      find(library, "cuDeviceGetCount", e.device_count) && find(library, "cuDeviceGetName", e.device_name) &&
      find(library, "cuDevicePrimaryCtxRetain", e.context_retain) &&
      find(library, "cuDevicePrimaryCtxRelease_v2", e.context_release) &&
      find(library, "cuCtxSetCurrent", e.context_set) && find(library, "cuCtxSynchronize", e.synchronize) &&
      find(library, "cuMemAlloc_v2", e.alloc) && find(library, "cuMemFree_v2", e.free) &&
      find(library, "cuMemHostAlloc", e.host_alloc) && find(library, "cuMemFreeHost", e.host_free) &&
      find(library, "cuMemcpyDtoD_v2", e.inside) && find(library, "cuMemcpyHtoD_v2", e.to_device) &&
      find(library, "cuMemcpyDtoH_v2", e.to_host) && find(library, "cuMemsetD8_v2", e.fill);
  if (!whole) {
    why = "the NVIDIA driver lacks an entry point";
    return nullptr;
  }
  if (e.init(0) != 0 || e.device_get(&out->device_, 0) != 0) {
    why = "the NVIDIA driver finds no GPU";
    return nullptr;
  }
  out->check(e.context_retain(&out->context_, out->device_), "start the GPU");
  out->check(e.context_set(out->context_), "use the GPU");
  return out;
}

GpuDriver::~GpuDriver() {
  if (context_) entries_->context_release(device_);
}

void GpuDriver::check(int status, const char *what) const {
  if (status != 0) throw std::runtime_error(std::string("cannot ") + what + ": CUDA error " + std::to_string(status));
}

std::string GpuDriver::device() const {
  char name[256] = "";
  check(entries_->device_name(name, sizeof name - 1, device_), "ask for the GPU's name");
  return name;
}

int GpuDriver::count() const {
  int devices = 0;
  check(entries_->device_count(&devices), "count the GPUs");
  return devices;
}

double GpuDriver::copy_bandwidth(std::size_t bytes, int rounds) {
  const auto room = [&] {
    Address address = 0;
    check(entries_->alloc(&address, bytes), "get device memory");
    return address;
  };
  const Block from(room(), entries_->free), to(room(), entries_->free);
  check(entries_->fill(from.address(), 1, bytes), "fill memory");
  std::vector<double> times;
  for (int round = -1; round < rounds; ++round) {
    const double time = seconds([&] {
      check(entries_->inside(to.address(), from.address(), bytes), "copy within the device");
      check(entries_->synchronize(), "wait for the GPU");
    });
    if (round >= 0) times.push_back(time);
  }
  return 2.0 * static_cast<double>(bytes) / median(times);
}

GpuDriver::HostCopy GpuDriver::host_copy(std::size_t bytes, bool pinned, int rounds) {
  Address address = 0;
  check(entries_->alloc(&address, bytes), "get device memory");
  const Block device(address, entries_->free);
  std::vector<char> pageable(pinned ? 0 : bytes, 1);
  struct Free {
    int (*free)(void *);
    void operator()(char *p) const { free(p); }
  };
  std::unique_ptr<char, Free> locked(nullptr, {entries_->host_free});
  if (pinned) {
    void *p = nullptr;
    check(entries_->host_alloc(&p, bytes, 0), "get page-locked memory");
    locked.reset(static_cast<char *>(p));
  }
  char *const host = pinned ? locked.get() : pageable.data();
  std::vector<double> there, back;
  for (int round = -1; round < rounds; ++round) {
    const double a = seconds([&] { check(entries_->to_device(address, host, bytes), "copy to the device"); });
    const double b = seconds([&] { check(entries_->to_host(host, address, bytes), "copy to the host"); });
    if (round < 0) continue;
    there.push_back(a);
    back.push_back(b);
  }
  const double size = static_cast<double>(bytes);
  return {size / median(there), size / median(back)};
}

} // namespace bench

// SPDX-License-Identifier: MIT
