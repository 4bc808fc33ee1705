#include "host/kept/kept_findings.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <memory>

#include "base/text.hpp"
#include "host/files.hpp"
#include "host/plugins/descriptor.hpp"
#include "op2/version.h"

namespace op2::core {

namespace {

constexpr std::string_view magic = "libop2 finding 1\n", ending = ".kept", unfinished = ".tmp-";
constexpr std::size_t digits = 32, head = magic.size() + digits + sizeof(std::uint64_t);
constexpr std::size_t largest = std::size_t{1} << 30;
constexpr unsigned kept_per_removal = 64;
constexpr std::time_t abandoned_after = 3600; // seconds

std::string whole_name(const std::string &what) {
  return text("libop2 ", OP2_VERSION_MAJOR, ".", OP2_VERSION_MINOR, ".", OP2_VERSION_PATCH, ": ", what);
}

std::string path_of(const std::string &folder, const std::string &name) {
  return text(folder, "/", quick_digest(name.data(), name.size()), ending);
}

// magic, the checksum of what follows, the length of the name, the name, the finding.
std::string pack(const std::string &name, std::string_view finding) {
  std::string rest;
  const std::uint64_t length = name.size();
  rest.append(reinterpret_cast<const char *>(&length), sizeof length).append(name).append(finding);
  return text(magic, quick_digest(rest.data(), rest.size())) + rest;
}

// Leaves the finding in `file`. Returns why it is none, or "".
std::string unpack(std::string &file, const std::string &name) {
  if (file.size() < head || !file.starts_with(magic)) return "it is no finding of libop2";
  const std::string_view rest = std::string_view(file).substr(magic.size() + digits);
  if (file.compare(magic.size(), digits, quick_digest(rest.data(), rest.size())) != 0) return "it is damaged";
  std::uint64_t length = 0;
  std::memcpy(&length, rest.data(), sizeof length);
  if (length != name.size() || file.compare(head, name.size(), name) != 0) return "it holds another finding";
  file.erase(0, head + name.size());
  return {};
}

} // namespace

std::string quick_digest(const void *data, std::size_t bytes) {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15ull;
  std::array<std::uint64_t, 4> lane = {1, 2, 3, 4};
  const auto mix = [&](std::size_t i, std::uint64_t word) { lane[i] = std::rotl((lane[i] ^ word) * odd, 29); };
  const char *at = static_cast<const char *>(data);
  std::size_t left = bytes;
  for (; left >= sizeof lane; left -= sizeof lane, at += sizeof lane) {
    std::array<std::uint64_t, 4> words;
    std::memcpy(words.data(), at, sizeof words);
    for (std::size_t i = 0; i < 4; ++i) mix(i, words[i]);
  }
  std::array<std::uint64_t, 4> words{};
  if (left > 0) std::memcpy(words.data(), at, left);
  for (std::size_t i = 0; i < 4; ++i) mix(i, words[i]);
  mix(0, bytes);
  for (std::size_t round = 0; round < 8; ++round) mix(round % 4, lane[(round + 1) % 4]);
  char out[digits + 1];
  std::snprintf(out, sizeof out, "%016llx%016llx", static_cast<unsigned long long>(lane[0] ^ lane[2]),
                static_cast<unsigned long long>(lane[1] ^ lane[3]));
  return out;
}

const std::string &KeptFindings::digest(int map, std::int64_t version, std::span<const int> entries) {
  auto &[known, digest] = digests_[{map, entries.size()}];
  if (digest.empty() || known != version) {
    digest = quick_digest(entries.data(), entries.size_bytes());
    known = version;
  }
  return digest;
}

std::optional<std::string> KeptFindings::find(const std::string &what) {
  const std::string name = whole_name(what), path = path_of(folder_, name);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file.valid()) return std::nullopt;
  struct stat info {};
  std::string problem;
  std::optional<std::string> bytes;
  if (fstat(file.number(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid())
    problem = "it is no file of this user";
  else if (!(bytes = read_all(file.number(), largest)))
    problem = "it cannot be read";
  else
    problem = unpack(*bytes, name);
  if (problem.empty()) {
    futimens(file.number(), nullptr); // those used last go last
    return bytes;
  }
  log_.write(OP_LOG_INFO, text("what an earlier run found out about the mesh, ", path, ", is not used: ", problem));
  return std::nullopt;
}

void KeptFindings::keep(const std::string &what, std::string_view finding) {
  if (!may_keep_ || finding.size() > largest / 2) return;
  const std::string name = whole_name(what), path = path_of(folder_, name);
  const std::string temporary = text(folder_, "/", unfinished, getpid(), "-", kept_);
  std::string problem = kept_ == 0 ? make_folders(folder_, 0700) : "";
  if (problem.empty()) problem = write_file(temporary, pack(name, finding));
  if (problem.empty() && std::rename(temporary.c_str(), path.c_str()) != 0) problem = std::strerror(errno);
  if (!problem.empty()) {
    unlink(temporary.c_str());
    may_keep_ = false;
    log_.write(OP_LOG_INFO, text("what was found out about the mesh is not kept in ", folder_, ": ", problem));
  } else if (kept_++ % kept_per_removal == 0) {
    remove_oldest();
  }
}

void KeptFindings::remove_oldest() const {
  struct Old {
    std::time_t used;
    std::uint64_t bytes;
    std::string path;
  };
  const std::unique_ptr<DIR, int (*)(DIR *)> listing(opendir(folder_.c_str()), closedir);
  std::vector<Old> files;
  std::uint64_t total = 0;
  while (const dirent *entry = listing ? readdir(listing.get()) : nullptr) {
    const std::string_view name = entry->d_name;
    const std::string path = text(folder_, "/", name);
    struct stat info {};
    if (lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    if (name.starts_with(unfinished) && std::time(nullptr) - info.st_mtime > abandoned_after) unlink(path.c_str());
    if (!name.ends_with(ending)) continue;
    files.push_back({info.st_mtime, static_cast<std::uint64_t>(info.st_size), path});
    total += files.back().bytes;
  }
  std::ranges::sort(files, {}, &Old::used);
  for (const Old &file : files) {
    if (total <= most_bytes_) return;
    if (unlink(file.path.c_str()) == 0) total -= file.bytes;
  }
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
