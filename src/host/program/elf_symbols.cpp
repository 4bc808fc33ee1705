// elf_symbols.cpp: see elf_symbols.hpp.
#include "host/program/elf_symbols.hpp"

namespace op2::core {

void each_symbol(const char *path, const WantedSymbol &wanted) {
  std::ifstream file(path, std::ios::binary);
  const auto head = values_at<ElfW(Ehdr)>(file, 0, sizeof(ElfW(Ehdr)));
  if (head.empty() || std::memcmp(head[0].e_ident, ELFMAG, SELFMAG) != 0) return;
  const auto sections =
      values_at<ElfW(Shdr)>(file, head[0].e_shoff, std::uint64_t{head[0].e_shnum} * sizeof(ElfW(Shdr)));
  for (const ElfW(Shdr) & section : sections) {
    const bool table = section.sh_type == SHT_SYMTAB || section.sh_type == SHT_DYNSYM;
    if (!table || section.sh_link >= sections.size()) continue;
    const ElfW(Shdr) &names = sections[section.sh_link];
    const auto letters = values_at<char>(file, names.sh_offset, names.sh_size);
    for (const ElfW(Sym) & symbol : values_at<ElfW(Sym)>(file, section.sh_offset, section.sh_size)) {
      if (symbol.st_name >= letters.size() || symbol.st_shndx == SHN_UNDEF) continue;
      const char *const begin = letters.data() + symbol.st_name;
      if (wanted(symbol, {begin, strnlen(begin, letters.size() - symbol.st_name)}, section.sh_type)) return;
    }
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
