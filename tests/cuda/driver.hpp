// driver.hpp: the two fake libraries as a test uses them: loaded by path, every entry point by name.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "fake/abi.hpp"

namespace cuda {

using fake::DevicePointer;

// An entry point of the driver, called with exactly the types given: driver<int *>("cuDeviceGetCount")(&count).
inline void *library(const char *path) {
  void *loaded = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!loaded) ADD_FAILURE() << dlerror();
  return loaded;
}
inline void *entry(const char *name) {
  static void *const loaded = library(FAKE_CUDA);
  using Find = int (*)(const char *, void **, int, std::uint64_t, int *);
  static const auto find = reinterpret_cast<Find>(dlsym(loaded, "cuGetProcAddress_v2"));
  void *function = nullptr;
  EXPECT_EQ(find(name, &function, 13000, 0, nullptr), 0) << name;
  return function;
}
template <class... Arguments>
int call(const char *name, Arguments... arguments) {
  return reinterpret_cast<int (*)(Arguments...)>(entry(name))(arguments...);
}

struct Compiled {
  int code = -1;
  std::string log;
  std::vector<char> object;
};

struct Header {
  const char *name, *text;
};

inline Compiled compile(const char *source, const std::vector<Header> &headers = {},
                        std::vector<const char *> options = {"--gpu-architecture=sm_90"}) {
  static void *const loaded = library(FAKE_NVRTC);
  const auto nvrtc = [&](const char *name, auto... arguments) {
    return reinterpret_cast<int (*)(decltype(arguments)...)>(dlsym(loaded, name))(arguments...);
  };
  std::vector<const char *> names, texts;
  for (const Header &header : headers) names.push_back(header.name), texts.push_back(header.text);
  void *program = nullptr;
  Compiled out;
  nvrtc("nvrtcCreateProgram", &program, source, "kernel.cu", static_cast<int>(names.size()), texts.data(),
        names.data());
  out.code = nvrtc("nvrtcCompileProgram", program, static_cast<int>(options.size()), options.data());
  std::size_t bytes = 0;
  nvrtc("nvrtcGetProgramLogSize", program, &bytes);
  out.log.resize(bytes);
  nvrtc("nvrtcGetProgramLog", program, out.log.data());
  out.log.resize(bytes - 1);
  nvrtc("nvrtcGetCUBINSize", program, &bytes);
  out.object.resize(bytes);
  nvrtc("nvrtcGetCUBIN", program, out.object.data());
  nvrtc("nvrtcDestroyProgram", &program);
  return out;
}

// What a plugin's prelude says to both compilers.
inline constexpr const char *prelude = R"(
#if defined(__CUDACC_RTC__)
#define OP2_KERNEL(name, type) extern "C" __global__ void name(const type p)
#define OP2_KERNEL_INDEPENDENT(name, type) OP2_KERNEL(name, type)
#define OP2_KERNEL_RESIDENT(name, type) OP2_KERNEL(name, type)
__device__ inline void op2_signal(unsigned *to, unsigned value) { *(volatile unsigned *)to = value; }
__device__ inline unsigned op2_look(const unsigned *at) { return *(const volatile unsigned *)at; }
__device__ inline void op2_fence_system() { __threadfence_system(); }
__device__ inline void op2_pause() { __nanosleep(200); }
template <class T> __device__ T *op2_at(T *pointer) { return pointer; }
template <class T> __device__ void op2_add(T *p, T v) { *p += v; }
template <class T> __device__ void op2_atomic_add(T *p, T v) { atomicAdd(p, v); }
extern __shared__ __align__(16) char op2_shared_memory[];
__device__ inline char *op2_shared() { return op2_shared_memory; }
#endif
#line 1
)";

// A test with one device in use. The environment is what the driver read first, so variables are set by ctest or by
// tests that look at another process.
class Driver : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(call("cuInit", 0u), 0);
    ASSERT_EQ(call("cuDevicePrimaryCtxRetain", &context_, 0), 0);
    ASSERT_EQ(call("cuCtxPushCurrent", context_), 0);
    stream_ = new_stream();
  }
  void TearDown() override {
    call("cuDevicePrimaryCtxRelease", 0);
    call("cuCtxPopCurrent", &context_);
  }
  static void *new_stream() {
    void *stream = nullptr;
    EXPECT_EQ(call("cuStreamCreate", &stream, 1u), 0);
    return stream;
  }
  static void *new_event() {
    void *event = nullptr;
    EXPECT_EQ(call("cuEventCreate", &event, 2u), 0);
    return event;
  }
  static DevicePointer allocate(std::size_t bytes) {
    DevicePointer pointer = 0;
    EXPECT_EQ(call("cuMemAlloc", &pointer, bytes), 0);
    return pointer;
  }
  template <class T>
  static DevicePointer upload(const std::vector<T> &values) {
    const DevicePointer pointer = allocate(values.size() * sizeof(T));
    EXPECT_EQ(call("cuMemcpyHtoD", pointer, static_cast<const void *>(values.data()), values.size() * sizeof(T)), 0);
    return pointer;
  }
  template <class T>
  static std::vector<T> download(DevicePointer pointer, std::size_t count) {
    std::vector<T> values(count);
    call("cuMemcpyDtoH", static_cast<void *>(values.data()), pointer, count * sizeof(T));
    return values;
  }
  static void *pinned(std::size_t bytes) {
    void *pointer = nullptr;
    EXPECT_EQ(call("cuMemHostAlloc", &pointer, bytes, 0u), 0);
    return pointer;
  }
  // The function `name` of a source behind the prelude.
  static void *function(const std::string &source, const char *name) {
    const Compiled compiled = compile((prelude + source).c_str());
    EXPECT_EQ(compiled.code, 0) << compiled.log;
    void *module = nullptr, *found = nullptr;
    EXPECT_EQ(call("cuModuleLoadData", &module, static_cast<const void *>(compiled.object.data())), 0);
    EXPECT_EQ(call("cuModuleGetFunction", &found, module, name), 0);
    last_module() = module;
    return found;
  }
  static void *&last_module() {
    static void *module;
    return module;
  }
  template <class Parameters>
  static int launch(void *function, unsigned blocks, unsigned threads, unsigned shared, void *stream, Parameters p) {
    void *parameters[] = {&p};
    return call("cuLaunchKernel", function, blocks, 1u, 1u, threads, 1u, 1u, shared, stream,
                static_cast<void **>(parameters), static_cast<void **>(nullptr));
  }

  void *context_ = nullptr, *stream_ = nullptr;
};

} // namespace cuda

// SPDX-License-Identifier: MIT
