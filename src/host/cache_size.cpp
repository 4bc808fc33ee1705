#include "host/cache_size.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "host/files.hpp"

namespace op2::core {

namespace {

// Linux: "32768K" for each cache that the first processor uses. glibc would tell the sum over all chips of an AMD
// processor, ten times what one thread has. level: only of this one.
double from_system_files(const char *level = nullptr) {
  double bytes = 0;
  for (int index = 0; index < 8; ++index) {
    const std::string folder = text("/sys/devices/system/cpu/cpu0/cache/index", index);
    const std::optional<std::string> size = read_file(folder + "/size", 64);
    if (!size) break;
    if (level && !read_file(folder + "/level", 64).value_or("").starts_with(level)) continue;
    long value = 0;
    const auto end = std::from_chars(size->data(), size->data() + size->size(), value).ptr;
    if (end == size->data() + size->size()) continue;
    const double unit = *end == 'K' ? 1024.0 : *end == 'M' ? 1024.0 * 1024.0 : 1.0;
    bytes = std::max(bytes, unit * static_cast<double>(value));
  }
  return bytes;
}

// "0-3,8-11": 8 processors; 0 = no such list.
int processors_in(const std::string &path) {
  const std::optional<std::string> list = read_file(path, 4096);
  int count = 0;
  for (const std::string &range : split(list ? *list : "", ',')) {
    int first = 0, last = 0;
    const char *const end = range.data() + range.size();
    const auto begin = std::from_chars(range.data(), end, first);
    if (begin.ptr == range.data()) continue;
    const bool several = begin.ptr != end && *begin.ptr == '-';
    if (!several || std::from_chars(begin.ptr + 1, end, last).ptr == begin.ptr + 1) last = first;
    count += last - first + 1;
  }
  return count;
}

double own_bytes() {
  if (const double bytes = from_system_files("2"); bytes > 0) return bytes;
  long bytes = 0;
#if defined(_SC_LEVEL2_CACHE_SIZE) // glibc
  bytes = std::max(sysconf(_SC_LEVEL2_CACHE_SIZE), 0L);
#endif
  return bytes > 0 ? static_cast<double>(bytes) : 1024.0 * 1024;
}

double last_bytes() {
  if (const double bytes = from_system_files(); bytes > 0) return bytes;
  long bytes = 0;
#if defined(_SC_LEVEL3_CACHE_SIZE) // glibc
  bytes = std::max({sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE), 0L});
#endif
  return bytes > 0 ? static_cast<double>(bytes) : 32.0 * 1024 * 1024;
}

double last_share(int processes) {
  const std::string cpus = "/sys/devices/system/cpu/";
  int index = 0;
  while (index < 8 && read_file(text(cpus, "cpu0/cache/index", index + 1, "/size"), 64)) ++index;
  const int sharing = processors_in(text(cpus, "cpu0/cache/index", index, "/shared_cpu_list"));
  const int all = processors_in(cpus + "online");
  const double sharers = sharing > 0 && all > 0 ? static_cast<double>(processes) * sharing / all : processes;
  return last_bytes() / std::max(1.0, sharers);
}

// "2048,32768": KiB.
Caches caches_given(const std::string &given) {
  std::vector<double> kib;
  for (const std::string &word : split(given, ',')) {
    int value = 0;
    const auto end = std::from_chars(word.data(), word.data() + word.size(), value);
    if (end.ec == std::errc() && end.ptr == word.data() + word.size() && value > 0) kib.push_back(value);
  }
  if (kib.size() != 2 || std::ranges::count(given, ',') != 1)
    fail(OP_ERR_ARGUMENT, "OP2_CHAIN_TILE='", given,
         "' is neither the KiB of a tile nor those of a core's own cache and of a process' share of the last one, such "
         "as 1024,32768; with 0 the system is asked");
  return {1024 * kib[0], 1024 * kib[1]};
}

} // namespace

Caches caches_of(const Settings &settings, int processes) {
  const std::string &given = settings.get("OP2_CHAIN_TILE");
  return given.find(',') == std::string::npos ? Caches{own_bytes(), last_share(processes)} : caches_given(given);
}

double tile_bytes_of(const Settings &settings) {
  const std::string &given = settings.get("OP2_CHAIN_TILE");
  if (given.find(',') != std::string::npos) return 0;
  int kib = -1;
  const auto end = std::from_chars(given.data(), given.data() + given.size(), kib);
  if (end.ec != std::errc() || end.ptr != given.data() + given.size() || kib < 0) caches_given(given); // throws
  return 1024.0 * kib;
}

std::array<double, 3> tile_sizes(const Caches &caches, int threads) {
  constexpr double part_of_own = 0.5, part_of_last = 0.125, least_span = 4;
  const double small = part_of_own * caches.own;
  const double large = std::max(part_of_last * caches.last / std::max(threads, 1), least_span * small);
  return {small, std::sqrt(small * large), large};
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
