// Named memory that other processes of this user can open.
#pragma once

#include <cstddef>
#include <string>

namespace op2::comm_mpi {

class Segment {
 public:
  Segment() = default;
  ~Segment();
  Segment(Segment &&other) noexcept;
  Segment &operator=(Segment &&other) noexcept;
  static Segment create(const std::string &name, size_t bytes); // zeros; empty on failure
  static Segment open(const std::string &name);
  static void forget(const std::string &name); // removes the name; mappings stay
  char *data() const { return data_; }
  size_t size() const { return bytes_; }

 private:
  char *data_ = nullptr;
  size_t bytes_ = 0;
};

} // namespace op2::comm_mpi

// SPDX-License-Identifier: MIT
