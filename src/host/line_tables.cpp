#include "host/line_tables.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>

#include "host/code_library.hpp"
#include "host/plugins/descriptor.hpp"

namespace op2::core {

namespace {

/* The part of libdw's binary interface that is used, so that its headers need not be there either. */

struct Die { // Dwarf_Die
  void *address;
  void *unit;
  void *abbreviation;
  long padding;
};
struct Attribute { // Dwarf_Attribute
  unsigned code;
  unsigned form;
  unsigned char *value;
  void *unit;
};
constexpr int read_only = 0;                  // DWARF_C_READ
constexpr unsigned compilation_folder = 0x1b; // DW_AT_comp_dir

class Libdw {
 public:
  Libdw() : handle_(dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (!handle_) return;
    there_ = find(begin, "dwarf_begin") && find(end, "dwarf_end") && find(next_unit, "dwarf_nextcu") &&
             find(die_at, "dwarf_offdie") && find(has, "dwarf_haspc") && find(name_of, "dwarf_diename") &&
             find(attribute, "dwarf_attr") && find(as_string, "dwarf_formstring");
  }
  ~Libdw() {
    if (handle_) dlclose(handle_);
  }
  Libdw(const Libdw &) = delete;
  Libdw &operator=(const Libdw &) = delete;
  bool there() const { return there_; }

  void *(*begin)(int file, int command) = nullptr;
  int (*end)(void *tables) = nullptr;
  int (*next_unit)(void *tables, std::uint64_t at, std::uint64_t *next, std::size_t *header, std::uint64_t *,
                   std::uint8_t *, std::uint8_t *) = nullptr;
  Die *(*die_at)(void *tables, std::uint64_t at, Die *result) = nullptr;
  int (*has)(Die *die, std::uint64_t address) = nullptr;
  const char *(*name_of)(Die *die) = nullptr;
  Attribute *(*attribute)(Die *die, unsigned name, Attribute *result) = nullptr;
  const char *(*as_string)(Attribute *value) = nullptr;

 private:
  template <class Function>
  bool find(Function &function, const char *name) {
    function = reinterpret_cast<Function>(dlsym(handle_, name));
    return function != nullptr;
  }
  void *handle_;
  bool there_ = false;
};

std::string path_of(const Libdw &libdw, Die &unit) {
  const char *const name = libdw.name_of(&unit);
  if (!name || name[0] == '<') return {}; // <artificial>: made of several files when the program was linked
  Attribute folder{};
  const char *const where = libdw.attribute(&unit, compilation_folder, &folder) ? libdw.as_string(&folder) : nullptr;
  const std::filesystem::path path = std::filesystem::path(where ? where : "") / name;
  return path.lexically_normal().generic_string();
}

// Where the file counts its addresses from: 0 for a program at a fixed place.
std::uint64_t place_in_file(const void *address, int file) {
  const std::uint64_t absolute = reinterpret_cast<std::uintptr_t>(address);
  ElfW(Ehdr) head{};
  Dl_info where{};
  if (pread(file, &head, sizeof head, 0) != sizeof head || head.e_type == ET_EXEC) return absolute;
  if (dladdr(address, &where) == 0) return absolute;
  return absolute - reinterpret_cast<std::uintptr_t>(where.dli_fbase);
}

} // namespace

CompiledFrom compiled_from(const void *address) {
  CompiledFrom out;
  const Descriptor file(open(program_path(address).c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) return out;
  const Libdw libdw;
  void *const tables = libdw.there() ? libdw.begin(file.number(), read_only) : nullptr;
  if (!tables) return out;
  const std::uint64_t place = place_in_file(address, file.number());
  std::uint64_t at = 0, next = 0;
  std::size_t header = 0;
  for (; libdw.next_unit(tables, at, &next, &header, nullptr, nullptr, nullptr) == 0; at = next) {
    Die unit{};
    if (!libdw.die_at(tables, at + header, &unit)) continue;
    const std::string path = path_of(libdw, unit);
    if (path.empty()) continue;
    if (out.file.empty() && libdw.has(&unit, place) == 1) out.file = path;
    out.all.push_back(path);
  }
  libdw.end(tables);
  std::sort(out.all.begin(), out.all.end());
  out.all.erase(std::unique(out.all.begin(), out.all.end()), out.all.end());
  return out;
}

} // namespace op2::core
