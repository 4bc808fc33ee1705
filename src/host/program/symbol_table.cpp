// symbol_table.cpp: see symbol_table.hpp.
#include "host/program/symbol_table.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <utility>

#include "host/program/elf_symbols.hpp"

namespace op2::core {

namespace {

struct ObjectSearch {
  std::uintptr_t address;
  std::optional<LoadedObject> found;
  bool first = true; // the executable comes first
};

int look_for_object(dl_phdr_info *info, std::size_t, void *data) {
  ObjectSearch &search = *static_cast<ObjectSearch *>(data);
  const bool is_program = std::exchange(search.first, false);
  LoadedObject object;
  bool inside = false;
  for (unsigned n = 0; n < info->dlpi_phnum; ++n) {
    const ElfW(Phdr) &segment = info->dlpi_phdr[n];
    if (segment.p_type != PT_LOAD) continue;
    const std::uintptr_t begin = static_cast<std::uintptr_t>(info->dlpi_addr + segment.p_vaddr);
    inside = inside || (search.address >= begin && search.address - begin < segment.p_memsz);
    if (segment.p_offset == 0) {
      object.first = reinterpret_cast<const void *>(begin);
      object.first_bytes = segment.p_filesz;
    }
  }
  if (!inside) return 0;
  // The link of the kernel leads to the program that runs even if its file has been replaced since.
  object.path = is_program || !info->dlpi_name || !info->dlpi_name[0] ? "/proc/self/exe" : info->dlpi_name;
  object.bias = static_cast<std::uintptr_t>(info->dlpi_addr);
  object.is_program = is_program;
  search.found = std::move(object);
  return 1;
}

std::string name_of(const std::string &symbol) {
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                         &std::free);
  return name ? name.get() : symbol;
}

// Without what it is in, and without what compilers add to names of their own: "gam.0" in C, "gam [clone .lto_priv.0]".
std::string last_part(const std::string &name) {
  const std::size_t scope = name.rfind("::");
  std::string out = scope == std::string::npos ? name : name.substr(scope + 2);
  return out.substr(0, std::min(out.find(" [clone"), out.find('.')));
}

char small(char letter) { return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter; }

} // namespace

std::optional<LoadedObject> object_with(const void *address) {
  ObjectSearch search{reinterpret_cast<std::uintptr_t>(address), std::nullopt};
  dl_iterate_phdr(look_for_object, &search);
  return search.found;
}

// Its first page has the addresses of all segments, and the linker's hash of the contents where it wrote one.
bool is_loaded_file(const LoadedObject &object) {
  constexpr std::size_t page = 4096;
  const std::size_t bytes = std::min(page, object.first_bytes);
  std::ifstream file(object.path, std::ios::binary);
  const std::vector<char> begin = values_at<char>(file, 0, bytes);
  return object.first && bytes > sizeof(ElfW(Ehdr)) && !begin.empty() &&
         std::memcmp(begin.data(), object.first, bytes) == 0;
}

SymbolTable::SymbolTable(const LoadedObject &object) : bias_(object.bias) {
  if (is_loaded_file(object)) add(object, object.path.c_str());
}

void SymbolTable::add(const LoadedObject &object, const char *path) {
  Unit unit = no_unit;
  std::set<std::string, std::less<>> dynamic;
  each_symbol(path, [&](const ElfW(Sym) & one, std::string_view name, unsigned table) {
    const unsigned kind = one.st_info & 0xf, binding = one.st_info >> 4;
    const bool external = binding != STB_LOCAL;
    if (table == SHT_DYNSYM) {
      if (kind == STT_OBJECT && external) dynamic.emplace(name);
    } else {
      complete_ = true;
    }
    if (kind == STT_FILE) {
      unit = static_cast<Unit>(units_.size());
      units_.emplace_back(name);
    } else if (kind == STT_OBJECT) {
      const bool replaceable = external && !object.is_program && (one.st_other & 3) == STV_DEFAULT;
      entries_.push_back(
          {std::string(name), one.st_value, one.st_size, external, replaceable, external ? no_unit : unit});
    } else if (kind == STT_FUNC && table == SHT_SYMTAB) {
      functions_.push_back({one.st_value, external ? no_unit : unit, binding == STB_WEAK});
    }
    return false;
  });
  for (Entry &entry : entries_) entry.replaceable = entry.replaceable && dynamic.contains(entry.symbol);
}

std::vector<SymbolTable::Variable> SymbolTable::variables_called(const std::string &last) const {
  std::vector<Variable> out;
  for (const Entry &entry : entries_) {
    if (entry.symbol.find(last) == std::string::npos) continue;
    Variable one{entry.symbol, name_of(entry.symbol), reinterpret_cast<const void *>(bias_ + entry.value),
                 entry.bytes,  entry.external,        entry.replaceable,
                 entry.unit};
    const bool known = std::ranges::any_of(
        out, [&](const Variable &other) { return other.symbol == one.symbol && other.address == one.address; });
    if (!known && last_part(one.name) == last) out.push_back(std::move(one)); // both tables may have it
  }
  return out;
}

bool SymbolTable::has_variable(const void *address, const std::string &letters) const {
  const std::uint64_t value = reinterpret_cast<std::uintptr_t>(address) - bias_;
  return std::ranges::any_of(entries_, [&](const Entry &entry) {
    return entry.value == value &&
           std::search(entry.symbol.begin(), entry.symbol.end(), letters.begin(), letters.end(),
                       [&](char a, char b) { return small(a) == small(b); }) != entry.symbol.end();
  });
}

SymbolTable::Unit SymbolTable::unit_of(const void *function) const {
  const std::uint64_t value = reinterpret_cast<std::uintptr_t>(function) - bias_;
  Unit out = no_unit;
  for (const Function &one : functions_) {
    if (one.value != value) continue;
    if (one.unit == no_unit || units_[static_cast<std::size_t>(one.unit)].empty()) return no_unit;
    if (out != no_unit && out != one.unit) return no_unit; // the linker made one function of two
    out = one.unit;
  }
  return out;
}

bool SymbolTable::is_weak(const void *function) const {
  const std::uint64_t value = reinterpret_cast<std::uintptr_t>(function) - bias_;
  return std::ranges::any_of(functions_, [&](const Function &one) { return one.value == value && one.weak; });
}

SymbolTable::Unit SymbolTable::unit_called(std::string_view file) const {
  const std::string_view last = file.substr(file.rfind('/') + 1); // npos + 1 is 0
  if (last.empty() || std::ranges::count(units_, last) != 1) return no_unit;
  return static_cast<Unit>(std::ranges::find(units_, last) - units_.begin());
}

DynamicPlaces dynamic_places(const LoadedObject &object, const std::string &symbol) {
  DynamicPlaces out;
  out.shared = dlsym(RTLD_DEFAULT, symbol.c_str());
  if (object.is_program) return out;
  if (void *const handle = dlopen(object.path.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {
    out.own = dlsym(handle, symbol.c_str());
    dlclose(handle);
  }
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
