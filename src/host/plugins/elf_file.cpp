#include "host/plugins/elf_file.hpp"

#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/text.hpp"

namespace op2::core {

namespace {

template <class Record>
bool read_at(std::ifstream &file, std::uint64_t offset, Record &record) {
  return file.seekg(static_cast<std::streamoff>(offset)) &&
         file.read(reinterpret_cast<char *>(&record), static_cast<std::streamsize>(sizeof record));
}

// Bytes that the file must have for all its segments to be there; 0 when it is no object of this machine.
std::uint64_t bytes_needed(std::ifstream &file) {
  ElfW(Ehdr) head;
  if (!read_at(file, 0, head) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
      head.e_phentsize != sizeof(ElfW(Phdr)))
    return 0;
  std::uint64_t needed = head.e_phoff + std::uint64_t{head.e_phnum} * head.e_phentsize;
  for (unsigned i = 0; i < head.e_phnum; ++i) {
    ElfW(Phdr) segment;
    if (!read_at(file, head.e_phoff + std::uint64_t{i} * head.e_phentsize, segment)) break;
    if (segment.p_type == PT_LOAD) needed = std::max<std::uint64_t>(needed, segment.p_offset + segment.p_filesz);
  }
  return needed;
}

} // namespace

std::string reason_not_to_load(const std::string &path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (error || !std::filesystem::exists(status)) return {};
  if (std::filesystem::is_directory(status)) return text(path, ": it is a folder, not a file");
  if (!std::filesystem::is_regular_file(status)) return text(path, ": it is not a regular file");
  const std::uint64_t size = std::filesystem::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  const std::uint64_t needed = error || !file ? 0 : bytes_needed(file);
  if (needed > size)
    return text(path, ": the file is cut short (", size, " bytes, its segments need ", needed, "); install it again");
  return {};
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
