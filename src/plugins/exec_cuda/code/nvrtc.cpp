// nvrtc.cpp: finding and loading NVRTC.
#include "code/nvrtc.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "driver.hpp"
#include "library.hpp"

namespace op2::exec_cuda {

namespace {

constexpr int oldest = 12, newest = 15; // major versions that are looked for by name

// The version of the driver first: it runs code of its own version and of older ones, perhaps not of newer ones.
std::vector<std::string> file_names(int driver_version) {
  const int own = std::clamp(driver_version / 1000, oldest, newest);
  std::vector<std::string> names;
  for (int major = own; major >= oldest; --major) names.push_back("libnvrtc.so." + std::to_string(major));
  names.emplace_back("libnvrtc.so");
  for (int major = own + 1; major <= newest; ++major) names.push_back("libnvrtc.so." + std::to_string(major));
  return names;
}

// Where toolkits lie; the loader's own folders are searched before.
std::vector<std::string> toolkit_folders() {
  std::vector<std::string> folders;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char *home = std::getenv(variable); home && home[0]) folders.push_back(std::string(home) + "/lib64");
  folders.emplace_back("/usr/local/cuda/lib64");
  return folders;
}

// The loader's folders, as far as one can know them without loading anything.
std::vector<std::string> system_folders() {
  std::vector<std::string> folders;
  const char *path = std::getenv("LD_LIBRARY_PATH");
  std::string rest = path ? path : "";
  while (!rest.empty()) {
    const size_t colon = rest.find(':');
    folders.push_back(rest.substr(0, colon));
    rest = colon == std::string::npos ? "" : rest.substr(colon + 1);
  }
  for (const char *folder :
       {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/lib64", "/lib"})
    folders.emplace_back(folder);
  return folders;
}

bool readable(const std::string &path) { return access(path.c_str(), R_OK) == 0; }

void *search(int driver_version, std::string &tried) {
  for (const std::string &name : file_names(driver_version)) {
    std::string why;
    if (void *library = load_library(name, why)) return library;
    for (const std::string &folder : toolkit_folders()) {
      const std::string path = folder + "/" + name;
      if (!readable(path)) continue;
      if (void *library = load_library(path, why)) return library;
      tried += "; " + why;
    }
  }
  return nullptr;
}

constexpr const char *way_out = "It is part of the CUDA toolkit (libnvrtc.so); setting OP2_CUDA_PATH names its folder";

template <class Function>
void find(void *library, const char *name, Function &function, const std::string &path) {
  void *found = find_symbol(library, name);
  if (!found) throw Failure(OP_ERR_BACKEND, path + " is no NVRTC of CUDA 12 or later: it has no " + name);
  function = reinterpret_cast<Function>(found); // NOLINT: POSIX says so
}

// NVRTC loads a second library by its name alone, which is not found where the loader does not search. What is loaded
// already is found.
void load_builtins(const Nvrtc &nvrtc) {
  const std::string folder = nvrtc.path.substr(0, nvrtc.path.rfind('/') + 1);
  const std::string name = folder + "libnvrtc-builtins.so";
  std::string why; // without it the first compilation says what is missing
  for (const std::string &path : {name + "." + nvrtc.version(), name}) {
    if (readable(path) && load_library(path, why)) return;
  }
}

std::string identity_of(const std::string &path) {
  struct stat about {};
  if (stat(path.c_str(), &about) != 0) return "";
  return std::to_string(about.st_size) + "-" + std::to_string(about.st_mtime);
}

// In the folders of the setting; "" = not there.
std::string named(const std::string &folders, int driver_version) {
  for (const std::string &name : file_names(driver_version))
    if (std::string path = in_folders(folders, name); !path.empty()) return path;
  return "";
}

} // namespace

Nvrtc Nvrtc::load(const std::string &folders, int driver_version) {
  std::string tried;
  const std::string wish = named(folders, driver_version);
  void *library = wish.empty() ? search(driver_version, tried) : load_library(wish, tried);
  if (!library && wish.empty())
    throw Failure(OP_ERR_BACKEND,
                  "there is no NVRTC, the compiler for kernels, in the loader's folders, $CUDA_HOME/lib64 and "
                  "/usr/local/cuda/lib64" +
                      tried + ". " + way_out);
  if (!library) throw Failure(OP_ERR_BACKEND, "'" + wish + "' (OP2_CUDA_PATH) cannot be loaded: " + tried);
  Nvrtc nvrtc;
  nvrtc.path = wish.empty() ? "libnvrtc.so" : wish;
#define OP2_NVRTC_FIND(name) find(library, #name, nvrtc.name, nvrtc.path);
  OP2_NVRTC_ENTRIES(OP2_NVRTC_FIND)
#undef OP2_NVRTC_FIND
  const std::string file = file_of(reinterpret_cast<void *>(nvrtc.nvrtcVersion)); // NOLINT
  if (!file.empty()) nvrtc.path = file;
  nvrtc.identity = identity_of(nvrtc.path);
  load_builtins(nvrtc);
  int count = 0;
  if (nvrtc.nvrtcVersion(&nvrtc.major, &nvrtc.minor) != NVRTC_SUCCESS ||
      nvrtc.nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS || count <= 0)
    throw Failure(OP_ERR_BACKEND, nvrtc.path + " does not say its version and what devices it compiles for");
  nvrtc.archs.resize(static_cast<size_t>(count));
  nvrtc.nvrtcGetSupportedArchs(nvrtc.archs.data());
  std::sort(nvrtc.archs.begin(), nvrtc.archs.end());
  return nvrtc;
}

bool Nvrtc::exists(const std::string &folders, std::string &why) {
  if (!named(folders, 0).empty()) return true;
  // The loader's cache is a list of names that ends each with a zero byte.
  std::ifstream file("/etc/ld.so.cache", std::ios::binary);
  const std::string cache{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::vector<std::string> usual = toolkit_folders();
  for (const std::string &folder : system_folders()) usual.push_back(folder);
  for (const std::string &name : file_names(0)) {
    if (cache.find(name + '\0') != std::string::npos) return true;
    for (const std::string &folder : usual)
      if (readable(folder + "/" + name)) return true;
  }
  why = "there is no NVRTC, the compiler for kernels. " + std::string(way_out);
  return false;
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
