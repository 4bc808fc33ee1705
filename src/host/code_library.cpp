#include "host/code_library.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>
#include <mutex>
#include <utility>

#include "base/text.hpp"
#include "host/files.hpp"
#include "host/program/code_file.hpp"

namespace op2::core {

namespace {

// A file that exists in memory only; invalid where the system refuses it.
Descriptor file_in_memory(std::string_view bytes, const std::string &name) {
  Descriptor file;
#ifdef MFD_EXEC
  file = Descriptor(memfd_create(name.c_str(), MFD_CLOEXEC | MFD_EXEC));
#endif
  if (!file.valid()) file = Descriptor(memfd_create(name.c_str(), MFD_CLOEXEC)); // kernels before 6.3
  if (file.valid() && !write_all(file.number(), bytes).empty()) file = Descriptor();
  return file;
}

// A debugger, which is another process, opens this file, too. "self" would be its own.
std::string path_of(const Descriptor &memory) { return text("/proc/", getpid(), "/fd/", memory.number()); }

// The handle, or nullptr and why.
void *open_object(const std::string &path, std::string &why) {
  void *const handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *const words = dlerror();
    why = words ? words : "dlopen failed";
    if (why.starts_with(path + ": ")) why.erase(0, path.size() + 2);
  }
  return handle;
}

} // namespace

// The dynamic linker opens what has the same path or is the same file only once. Each library has code and tables of
// its own, so that another one that is open keeps its file for itself.
bool CodeLibrary::open_file(std::string_view bytes, const std::string &name, const std::string &folder) {
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const CodeFile file(folder, name + ".so", bytes);
  if (!file.valid()) return false;
  if (void *const other = dlopen(file.path().c_str(), RTLD_LAZY | RTLD_NOLOAD)) {
    dlclose(other);
    return false;
  }
  std::string why; // e.g. no code may run from that disk
  handle_ = open_object(file.path(), why);
  if (handle_ && !file.in_place()) dlclose(std::exchange(handle_, nullptr));
  return handle_ != nullptr;
}

bool CodeLibrary::open_memory(std::string_view bytes, const std::string &name, std::string &why) {
  memory_ = file_in_memory(bytes, name);
  memory_path_ = path_of(memory_);
  if (memory_.valid()) handle_ = open_object(memory_path_, why);
  if (!handle_) memory_ = Descriptor();
  return handle_ != nullptr;
}

CodeLibrary::CodeLibrary(std::string_view bytes, const std::string &name, const std::string &folder) {
  std::string why;
  if (!folder.empty() && open_file(bytes, name, folder)) return;
  if (open_memory(bytes, name, why)) return;
  // Without /proc, or where code in memory is forbidden: a file that nobody else can reach.
  const TemporaryFolder hidden("op2-code-");
  const std::string path = text(hidden.path(), "/", name, ".so"), problem = write_file(path, bytes, 0700);
  if (!problem.empty()) throw CodeError(problem);
  handle_ = open_object(path, why);
  if (!handle_) throw CodeError(why);
}

// Some code stays for ever: gcc's unique symbols, which static members of templates and variables of inline functions
// are, forbid to unload it.
CodeLibrary::~CodeLibrary() {
  if (handle_) dlclose(handle_);
  if (!handle_ || !memory_.valid()) return;
  void *const still = dlopen(memory_path_.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (!still) return;
  dlclose(still);
  (void)memory_.release();
}

void *CodeLibrary::find(const std::string &symbol) const {
  // dlsym also looks into the libraries that the object needs; only its own symbols count.
  void *const found = dlsym(handle_, symbol.c_str());
  link_map *object = nullptr;
  Dl_info where{};
  const bool known = found && dlinfo(handle_, RTLD_DI_LINKMAP, &object) == 0 && dladdr(found, &where) != 0;
  return known && reinterpret_cast<ElfW(Addr)>(where.dli_fbase) == object->l_addr ? found : nullptr;
}

namespace {

// A search through the objects of this process for the one that contains an address.
struct Search {
  std::uintptr_t address;
  bool found;
  std::string path; // "" for the program itself
};

int look_into(dl_phdr_info *object, std::size_t, void *data) {
  Search &search = *static_cast<Search *>(data);
  for (unsigned i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = object->dlpi_phdr[i];
    const std::uintptr_t begin = static_cast<std::uintptr_t>(object->dlpi_addr + segment.p_vaddr);
    if (segment.p_type != PT_LOAD || search.address < begin || search.address - begin >= segment.p_memsz) continue;
    search.found = true;
    search.path = object->dlpi_name ? object->dlpi_name : "";
    return 1;
  }
  return 0;
}

// The link of the kernel leads to the program that runs even if its file has been replaced since; dladdr would give
// argv[0], which may be anything.
constexpr const char *own_program = "/proc/self/exe";

std::string file_with(const void *address) {
  Search search{reinterpret_cast<std::uintptr_t>(address), false, {}};
  dl_iterate_phdr(look_into, &search);
  if (!search.found) return {};
  return search.path.empty() ? own_program : search.path;
}

} // namespace

std::string program_path(const void *address) {
  const std::string path = file_with(address);
  if (path.empty()) return {};
  char real[PATH_MAX];
  return realpath(path.c_str(), real) ? std::string(real) : path;
}

std::optional<std::int64_t> program_mtime(const void *address) {
  const std::string path = file_with(address);
  struct stat info {};
  if (path.empty() || stat(path.c_str(), &info) != 0) return std::nullopt;
  return std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
