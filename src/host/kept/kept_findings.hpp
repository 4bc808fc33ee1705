// Findings of the inspector that are kept in a folder for later runs. A finding is named by all that determines it; a
// file is verified when it is read, and replaced in one step; when there are too many, the oldest ones go.
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/log.hpp"

namespace op2::core {

// Smaller ranges are inspected as quickly as files are read.
inline constexpr int smallest_kept = 20000; // elements

// A quick checksum of 32 hexadecimal digits. It tells apart what differs by chance, not what somebody has forged.
std::string quick_digest(const void *data, std::size_t bytes);

class KeptFindings {
 public:
  // folder: in one that nobody but this user may write to; made when the first finding is kept. most_bytes: of all
  // files.
  KeptFindings(std::string folder, const Log &log, std::uint64_t most_bytes = std::uint64_t{1} << 30)
      : folder_(std::move(folder)), log_(log), most_bytes_(most_bytes) {}

  // what: in words and digests; the library's version is added. Files that are damaged or hold something else are left
  // alone, with a line in the log.
  std::optional<std::string> find(const std::string &what);
  // After a failure, logs one line, and keeps nothing more.
  void keep(const std::string &what, std::string_view finding);

  // The digest of the entries of map number `map`, computed once for each version of them.
  const std::string &digest(int map, std::int64_t version, std::span<const int> entries);

 private:
  void remove_oldest() const;

  const std::string folder_;
  const Log &log_;
  const std::uint64_t most_bytes_;
  bool may_keep_ = true;
  unsigned kept_ = 0;
  std::map<std::pair<int, std::size_t>, std::pair<std::int64_t, std::string>> digests_; // by map and entries
};

// Arrays as bytes, one behind the other.
template <class T>
void add_array(std::string &bytes, const std::vector<T> &values) {
  const std::uint64_t count = values.size();
  bytes.append(reinterpret_cast<const char *>(&count), sizeof count);
  bytes.append(reinterpret_cast<const char *>(values.data()), count * sizeof(T));
}
// Takes the next array from the front. False: there is none.
template <class T>
bool take_array(std::string_view &bytes, std::vector<T> &values) {
  std::uint64_t count = 0;
  if (bytes.size() < sizeof count) return false;
  std::memcpy(&count, bytes.data(), sizeof count);
  bytes.remove_prefix(sizeof count);
  if (count > bytes.size() / sizeof(T)) return false;
  values.resize(count);
  if (count > 0) std::memcpy(values.data(), bytes.data(), count * sizeof(T));
  bytes.remove_prefix(count * sizeof(T));
  return true;
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
