// One file of the code cache: a shared object followed by its label and checksums, so that tools can open it and the
// cache can verify it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/sha256.hpp"

namespace op2::core::jit {

struct CodeLabel {
  Digest key{};    // of all that determines the code, except the compiler
  Digest source{}; // of the compiled text
  std::uint64_t source_bytes = 0;
  std::string compiler; // Compiler::identity()
  std::string machine;  // Machine::identity
  std::string library;  // version of this library

  bool operator==(const CodeLabel &) const = default;
};

// Returns the contents of the file.
std::string pack(const CodeLabel &label, std::string_view code);

struct Unpacked {
  std::string problem; // why the file is no entry: "it is cut short", ...; "" = it is one
  CodeLabel label;
  std::string_view code; // points into the file
};
Unpacked unpack(std::string_view file);

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
