// nvrtc_cache.cpp: results of compilations in a folder, so that a second test run is cheap.
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "nvrtc_program.hpp"

namespace fake {

namespace {

// Two independent 64-bit hashes; what collides by chance is not worth more here.
struct Hash {
  std::uint64_t a = 0xcbf29ce484222325ull, b = 0x9E3779B97F4A7C15ull;
  void add(const std::string &text) {
    for (const char c : text + '\0') {
      a = (a ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
      b = (b + static_cast<unsigned char>(c)) * 0xff51afd7ed558ccdull;
      b ^= b >> 29;
    }
  }
};

std::string path_of(const std::string &key) {
  const char *folder = std::getenv("FAKE_NVRTC_CACHE");
  return folder && *folder ? std::string(folder) + "/" + key : std::string();
}

} // namespace

std::string read_file(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

bool write_file(const std::string &path, const std::string &bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  file.close();
  return !file.fail();
}

std::string cache_key(const std::string &what, const Program &program, const std::vector<std::string> &options) {
  Hash hash;
  hash.add(what);
  hash.add(program.source);
  hash.add(program.name);
  for (const auto &[name, text] : program.headers) hash.add(name), hash.add(text);
  for (const std::string &option : options) hash.add(option);
  std::ostringstream out;
  out << std::hex << hash.a << hash.b;
  return out.str();
}

bool cache_load(const std::string &key, std::string &bytes) {
  const std::string path = path_of(key);
  if (path.empty() || !std::filesystem::exists(path)) return false;
  bytes = read_file(path);
  return true;
}

void cache_store(const std::string &key, const std::string &bytes) {
  const std::string path = path_of(key);
  if (path.empty()) return;
  static std::atomic<int> number{0};
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
  const std::string mine = path + "." + std::to_string(getpid()) + "." + std::to_string(number++);
  if (write_file(mine, bytes))
    std::filesystem::rename(mine, path, ignored); // whole or not at all, also with other processes
  else
    std::filesystem::remove(mine, ignored);
}

} // namespace fake

// SPDX-License-Identifier: MIT
