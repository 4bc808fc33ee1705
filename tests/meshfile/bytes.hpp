// bytes.hpp: text and binary values, one behind the other.
#pragma once

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>

namespace meshes {

class Bytes {
 public:
  explicit Bytes(bool swap = false) : swap_(swap) {}
  template <class... T>
  Bytes &text(const T &...parts) {
    std::ostringstream out;
    out.precision(17);
    (out << ... << parts);
    all_ += out.str();
    return *this;
  }
  template <class T, class V>
  Bytes &value(V given) {
    const T value = static_cast<T>(given);
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof value);
    if (swap_) std::reverse(bytes, bytes + sizeof bytes);
    all_.append(bytes, sizeof bytes);
    return *this;
  }
  const std::string &all() const { return all_; }

 private:
  std::string all_;
  bool swap_;
};

} // namespace meshes

// SPDX-License-Identifier: MIT
