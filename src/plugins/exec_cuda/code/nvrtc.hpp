// NVRTC, NVIDIA's compiler as a library: loaded when the first kernel is compiled, never linked.
#pragma once

#include <nvrtc.h>

#include <string>
#include <vector>

#include "op2/plugin/plugin.h"

namespace op2::exec_cuda {

#define OP2_NVRTC_ENTRIES(X)   \
  X(nvrtcVersion)              \
  X(nvrtcGetErrorString)       \
  X(nvrtcGetNumSupportedArchs) \
  X(nvrtcGetSupportedArchs)    \
  X(nvrtcCreateProgram)        \
  X(nvrtcDestroyProgram)       \
  X(nvrtcCompileProgram)       \
  X(nvrtcGetProgramLogSize)    \
  X(nvrtcGetProgramLog)        \
  X(nvrtcGetCUBINSize)         \
  X(nvrtcGetCUBIN)             \
  X(nvrtcGetPTXSize)           \
  X(nvrtcGetPTX)

// The loaded library.
struct Nvrtc {
#define OP2_NVRTC_MEMBER(name) decltype(&::name) name = nullptr;
  OP2_NVRTC_ENTRIES(OP2_NVRTC_MEMBER)
#undef OP2_NVRTC_MEMBER
  std::string path;     // of the file
  std::string identity; // differs between two files of one version
  int major = 0, minor = 0;
  std::vector<int> archs; // 75, 80, ..., ascending

  // Loads the version that fits the driver best, from `folders` (setting OP2_CUDA_PATH) if one has any. Throws
  // OP_ERR_BACKEND, naming the files tried.
  static Nvrtc load(const std::string &folders, int driver_version);
  // Whether load() would find a file, without loading it; sets `why` if not. For score().
  static bool exists(const std::string &folders, std::string &why);
  std::string version() const { return std::to_string(major) + "." + std::to_string(minor); }
};

// Code for a device.
struct Image {
  std::vector<char> bytes; // cubin, or PTX with its final zero
  bool ptx = false;        // the driver translates it for a device that this NVRTC does not know yet
  bool cached = false;     // from the core's cache
};

// The target and the options of a compilation.
struct CompileTarget {
  const op_host_v1 *host;
  std::string device;               // name of the device, for messages
  int arch;                         // 90 for sm_90
  std::vector<std::string> options; // beside the plugin's own; with OP2_CUDA_OPTIONS
  std::string dump;                 // setting OP2_JIT_DUMP: folder for the text, "" = none
};

bool has_cache(const op_host_v1 *host); // the core keeps compiled code for plugins

// Compiles `text`, or takes its code from the core's cache. `name` is for messages and the dump: letters, digits, '_'.
// Throws OP_ERR_KERNEL with NVRTC's log, OP_ERR_BACKEND if NVRTC does not support the device.
Image compile(const Nvrtc &nvrtc, const CompileTarget &target, const std::string &text, const std::string &name);

// A hash of the text: 32 hexadecimal digits.
std::string digest(const std::string &text);

// Options of a setting: words separated by spaces, quotes count as in a shell. Throws OP_ERR_ARGUMENT.
std::vector<std::string> split_options(const std::string &line, const char *setting);

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
