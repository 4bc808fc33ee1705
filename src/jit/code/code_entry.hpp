// One file of the code cache: a shared object and behind it what it was made of, so that it can be opened by any tool
// and still proves that it is whole and the right one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/sha256.hpp"

namespace op2::core::jit {

struct CodeLabel {
  Digest key{};    // of everything that determines the code but the compiler
  Digest source{}; // of the text it was compiled from
  std::uint64_t source_bytes = 0;
  std::string compiler; // Compiler::identity()
  std::string machine;  // Machine::identity
  std::string library;  // version of this library

  bool operator==(const CodeLabel &) const = default;
};

// The whole file.
std::string pack(const CodeLabel &label, std::string_view code);

struct Unpacked {
  std::string problem; // why it is no entry: "it is cut short", ...; "" = it is one
  CodeLabel label;
  std::string_view code; // points into the file
};
Unpacked unpack(std::string_view file);

} // namespace op2::core::jit
