#include "host/symbols.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <string_view>
#include <vector>

#include "host/program/elf_symbols.hpp"

namespace op2::core {

namespace {

// Where the tables of a loaded file may be: under its name, or that of the program's file, which may have gone.
struct Loaded {
  std::vector<const char *> paths;
  std::uint64_t base = 0;
};
Loaded loaded_at(const void *address, Dl_info &where) {
  if (!address || dladdr(address, &where) == 0 || !where.dli_fname) return {};
  return {{where.dli_fname, "/proc/self/exe"}, reinterpret_cast<std::uintptr_t>(where.dli_fbase)};
}

} // namespace

std::string function_symbol(const void *address) {
  Dl_info where{};
  const Loaded loaded = loaded_at(address, where);
  if (where.dli_sname && where.dli_saddr == address) return where.dli_sname;
  const std::uint64_t absolute = reinterpret_cast<std::uintptr_t>(address);
  std::string out;
  // A program at a fixed place has that in its table; others count from where they were loaded.
  for (const char *path : loaded.paths)
    for (const std::uint64_t place : {absolute - loaded.base, absolute})
      if (out.empty())
        each_symbol(path, [&](const ElfW(Sym) & symbol, std::string_view name, unsigned) {
          if ((symbol.st_info & 0xf) != STT_FUNC || symbol.st_value != place) return false;
          out = name;
          return true;
        });
  return out;
}

namespace {

std::string in_cxx(const std::string &symbol) {
  int status = 0;
  char *const name = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  std::string out = name ? name : symbol;
  std::free(name);
  return out;
}

// "flow::limit(double)" -> "limit"
std::string last_name(const std::string &function) {
  const std::string name = function.substr(0, function.find_first_of("(<["));
  const std::size_t colon = name.rfind(':'), blank = name.rfind(' ');
  const std::size_t at = colon == name.npos ? blank : blank == name.npos ? colon : std::max(colon, blank);
  return at == name.npos ? name : name.substr(at + 1);
}

} // namespace

std::vector<std::string> function_names(const void *address) {
  Dl_info where{};
  const Loaded loaded = loaded_at(address, where);
  const std::uint64_t absolute = reinterpret_cast<std::uintptr_t>(address);
  std::set<std::string> out;
  if (loaded.paths.empty()) return {};
  for (const std::uint64_t place : {absolute - loaded.base, absolute})
    if (out.empty())
      each_symbol(loaded.paths[0], [&](const ElfW(Sym) & symbol, std::string_view name, unsigned) {
        if ((symbol.st_info & 0xf) == STT_FUNC && symbol.st_value == place) out.insert(in_cxx(std::string(name)));
        return false;
      });
  return {out.begin(), out.end()};
}

bool same_object(const void *address, const void *other) {
  Dl_info one{}, two{};
  return dladdr(address, &one) != 0 && dladdr(other, &two) != 0 && one.dli_fbase == two.dli_fbase;
}

std::string replaced_function(const void *address, const std::set<std::string> &names) {
  Dl_info where{};
  const Loaded loaded = loaded_at(address, where);
  if (loaded.paths.empty()) return {};
  std::string out;
  each_symbol(loaded.paths[0], [&](const ElfW(Sym) & symbol, std::string_view name, unsigned table) {
    if (table != SHT_DYNSYM || (symbol.st_info & 0xf) != STT_FUNC || symbol.st_shndx == SHN_UNDEF) return false;
    const std::string function = in_cxx(std::string(name));
    if (!names.contains(last_name(function))) return false;
    const void *const taken = dlsym(RTLD_DEFAULT, std::string(name).c_str());
    if (!taken || same_object(taken, address)) return false;
    out = function;
    return true;
  });
  return out;
}

VariablePlace variable_place(const void *of, const std::string &symbol) {
  Dl_info where{};
  const Loaded loaded = loaded_at(of, where);
  VariablePlace out;
  for (const char *path : loaded.paths) {
    if (out.address) break;
    std::uint64_t kind = ET_DYN;
    std::ifstream file(path, std::ios::binary);
    if (const auto head = values_at<ElfW(Ehdr)>(file, 0, sizeof(ElfW(Ehdr))); !head.empty()) kind = head[0].e_type;
    each_symbol(path, [&](const ElfW(Sym) & one, std::string_view name, unsigned) {
      if ((one.st_info & 0xf) != STT_OBJECT || name != symbol) return false;
      const std::uint64_t place = kind == ET_EXEC ? one.st_value : loaded.base + one.st_value;
      out = {reinterpret_cast<const void *>(static_cast<std::uintptr_t>(place)), one.st_size};
      return true;
    });
  }
  return out;
}

} // namespace op2::core
