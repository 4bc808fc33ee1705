// The names of kernels, which Fortran programs do not give: found in the symbols of the file that holds their code.
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cctype>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <vector>

#include "glue.hpp"

namespace op2::fortran {

namespace {

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

// The symbol of a function that begins at `place`, counted from where the file was loaded.
std::string symbol_at(const char *path, std::uint64_t place) {
  std::ifstream file(path, std::ios::binary);
  const auto head = values_at<ElfW(Ehdr)>(file, 0, sizeof(ElfW(Ehdr)));
  if (head.empty() || std::memcmp(head[0].e_ident, ELFMAG, SELFMAG) != 0) return "";
  const auto sections =
      values_at<ElfW(Shdr)>(file, head[0].e_shoff, std::uint64_t{head[0].e_shnum} * sizeof(ElfW(Shdr)));
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const ElfW(Shdr) &names = sections[section.sh_link];
    const auto letters = values_at<char>(file, names.sh_offset, names.sh_size);
    for (const ElfW(Sym) & symbol : values_at<ElfW(Sym)>(file, section.sh_offset, section.sh_size)) {
      if ((symbol.st_info & 0xf) != STT_FUNC || symbol.st_value != place || symbol.st_name >= letters.size()) continue;
      const char *const begin = letters.data() + symbol.st_name;
      return std::string(begin, strnlen(begin, letters.size() - symbol.st_name));
    }
  }
  return "";
}

// Behind the last place where a mark stands, if there is one.
bool cut_behind(std::string &name, const char *mark) {
  const std::size_t at = name.rfind(mark);
  if (at == std::string::npos || at + std::strlen(mark) >= name.size()) return false;
  name.erase(0, at + std::strlen(mark));
  return true;
}

// Compilers add the module and an underscore: __module_MOD_name and name_ (gfortran), _QMmodulePname (flang),
// module_mp_name_ (Intel). Functions inside others and copies of the optimiser have more behind a dot.
std::string as_written(std::string name) {
  if (const std::size_t dot = name.find('.'); dot != std::string::npos && dot > 0) name.erase(dot);
  if (name.starts_with("__") && cut_behind(name, "_MOD_")) return name;
  if (name.starts_with("_Q") && cut_behind(name, "P")) return name;
  if (cut_behind(name, "_mp_") || !name.starts_with("_"))
    while (name.size() > 1 && name.back() == '_') name.pop_back();
  return name;
}

} // namespace

std::string function_name(const void *address) {
  Dl_info where{};
  if (!address || dladdr(address, &where) == 0 || !where.dli_fname) return "";
  // The file of the program itself may have gone by another name.
  const std::uint64_t base = reinterpret_cast<std::uintptr_t>(where.dli_fbase);
  const std::uint64_t absolute = reinterpret_cast<std::uintptr_t>(address);
  const bool exact = where.dli_sname && where.dli_saddr == address;
  std::string symbol = exact ? where.dli_sname : "";
  // A program at a fixed place has that in its table; others count from where they were loaded.
  for (const char *path : {where.dli_fname, "/proc/self/exe"})
    for (const std::uint64_t place : {absolute - base, absolute})
      if (symbol.empty()) symbol = symbol_at(path, place);
  return as_written(symbol);
}

} // namespace op2::fortran
