#include "host/symbols.hpp"

#include <cxxabi.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "host/program/elf_symbols.hpp"
#include "host/program/symbol_table.hpp"

namespace op2::core {

namespace {

// The executable or shared object at the address, if its file is still the one that was loaded: another one may have
// come to its name, or the program may have gone to another folder.
std::optional<LoadedObject> loaded_at(const void *address) {
  std::optional<LoadedObject> out = address ? object_with(address) : std::nullopt;
  if (out && !is_loaded_file(*out)) out.reset();
  return out;
}

bool begins_at(const ElfW(Sym) & symbol, const LoadedObject &object, const void *address) {
  return (symbol.st_info & 0xf) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
         object.bias + symbol.st_value == reinterpret_cast<std::uintptr_t>(address);
}

} // namespace

std::string function_symbol(const void *address) {
  Dl_info where{};
  if (address && dladdr(address, &where) != 0 && where.dli_sname && where.dli_saddr == address) return where.dli_sname;
  std::string out;
  if (const std::optional<LoadedObject> object = loaded_at(address))
    each_symbol(object->path.c_str(), [&](const ElfW(Sym) & symbol, std::string_view name, unsigned) {
      if (!begins_at(symbol, *object, address)) return false;
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
  std::set<std::string> out;
  if (const std::optional<LoadedObject> object = loaded_at(address))
    each_symbol(object->path.c_str(), [&](const ElfW(Sym) & symbol, std::string_view name, unsigned) {
      if (begins_at(symbol, *object, address)) out.insert(in_cxx(std::string(name)));
      return false;
    });
  return {out.begin(), out.end()};
}

bool same_object(const void *address, const void *other) {
  Dl_info one{}, two{};
  return dladdr(address, &one) != 0 && dladdr(other, &two) != 0 && one.dli_fbase == two.dli_fbase;
}

std::string replaced_function(const void *address, const std::set<std::string> &names) {
  const std::optional<LoadedObject> object = loaded_at(address);
  if (!object) return {};
  std::string out;
  each_symbol(object->path.c_str(), [&](const ElfW(Sym) & symbol, std::string_view name, unsigned table) {
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
  VariablePlace out;
  if (const std::optional<LoadedObject> object = loaded_at(of))
    each_symbol(object->path.c_str(), [&](const ElfW(Sym) & one, std::string_view name, unsigned) {
      if ((one.st_info & 0xf) != STT_OBJECT || name != symbol) return false;
      out = {reinterpret_cast<const void *>(object->bias + static_cast<std::uintptr_t>(one.st_value)), one.st_size};
      return true;
    });
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
