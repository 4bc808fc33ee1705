// gpu_driver.hpp: copies made by the NVIDIA driver itself, the yardstick for what the library moves on a GPU. The
// driver is loaded when it is wanted, and no header of the toolkit is needed.
#ifndef OP2_BENCH_GPU_DRIVER_HPP
#define OP2_BENCH_GPU_DRIVER_HPP

#include <cstddef>
#include <memory>
#include <string>

namespace bench {

class GpuDriver {
 public:
  // The first GPU through libcuda.so.1, from a folder of OP2_CUDA_PATH if one has it. NULL, and why, without one.
  static std::unique_ptr<GpuDriver> open(std::string &why);
  ~GpuDriver();
  GpuDriver(const GpuDriver &) = delete;
  GpuDriver &operator=(const GpuDriver &) = delete;

  [[nodiscard]] std::string device() const;
  [[nodiscard]] int count() const; // of GPUs

  // Bytes per second, medians of `rounds`. Of a copy within the device's memory bytes read and bytes written count.
  // Throw std::runtime_error, e.g. where there is no memory.
  double copy_bandwidth(std::size_t bytes, int rounds);
  struct HostCopy {
    double to_device, to_host;
  };
  HostCopy host_copy(std::size_t bytes, bool pinned, int rounds);

 private:
  struct Entries;
  GpuDriver();
  void check(int status, const char *what) const;
  std::unique_ptr<Entries> entries_;
  int device_ = 0;
  void *context_ = nullptr;
};

} // namespace bench

#endif

// SPDX-License-Identifier: MIT
