// Reads the symbols of an ELF file.
#pragma once

#include <elf.h>
#include <link.h>

#include <cstdint>
#include <cstring>
#include <fstream>
#include <functional>
#include <string_view>
#include <vector>

namespace op2::core {

// A part of a file as values; empty when the file has less.
template <class Value>
std::vector<Value> values_at(std::ifstream &file, std::uint64_t offset, std::uint64_t bytes) {
  constexpr std::uint64_t most = std::uint64_t{1} << 30; // a table that says more is none
  if (bytes > most) return {};
  std::vector<Value> out(bytes / sizeof(Value));
  file.clear();
  file.seekg(static_cast<std::streamoff>(offset));
  file.read(reinterpret_cast<char *>(out.data()), static_cast<std::streamsize>(out.size() * sizeof(Value)));
  return file ? out : std::vector<Value>{};
}

// Shows the symbols that an ELF file defines, until one is wanted. table: SHT_SYMTAB or SHT_DYNSYM. Symbols come in the
// order of the table.
using WantedSymbol = std::function<bool(const ElfW(Sym) & symbol, std::string_view name, unsigned table)>;
void each_symbol(const char *path, const WantedSymbol &wanted);

} // namespace op2::core

// SPDX-License-Identifier: MIT
