// Reduced values of a loop that stops early: each element fills a record of its own, and the records are combined in
// the program's order of the elements, beginning with the values of the program's variables.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "loop/reduce/reduce.hpp"
#include "loop/signature/signature.hpp"

namespace op2::core {

class ElementRecords {
 public:
  // The signature must outlive the object. whole: an executor fills the records, which have all bytes that it knows;
  // else as few as they need.
  ElementRecords(const LoopSignature &what, bool whole);
  bool empty() const { return reduction_.empty(); }
  std::size_t bytes() const { return bytes_; } // of a record
  const Reduction &reduction() const { return reduction_; }

  void begin(std::span<const op_arg> args);
  const char *start() const { return start_.data(); }
  // Makes a new record and points the reduced arguments at its places.
  void open(char *record, std::span<op_range_arg> args) const;
  void add(const char *record) { reduction_.combine(total_.data(), record); }
  std::span<char> total() { return total_; } // the values so far
  // Puts the combined values into the program's variables.
  void finish(std::span<const op_arg> args) const;

  // The records of some elements of this process, for all processes to combine.
  void keep(std::int64_t number, const char *record);
  void add_kept(Communicator &communicator); // collective

 private:
  std::size_t place_bytes(const LoopArg &arg) const {
    return static_cast<std::size_t>(arg.dim) * static_cast<std::size_t>(arg.element.size);
  }
  const LoopSignature &what_;
  Reduction reduction_;
  std::size_t bytes_ = 0;
  std::vector<char> start_, total_;
  std::string kept_;
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
