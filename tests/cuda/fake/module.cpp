// module.cpp: loads the bytes of a shared object from memory, through a file that is removed at once.
#include "module.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "state.hpp"

namespace fake {

namespace {

// The length of an object whose bytes begin at `image`: its table of sections comes last.
std::size_t object_bytes(const void *image) {
  ElfW(Ehdr) head;
  std::memcpy(&head, image, sizeof head);
  if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_type != ET_DYN) return 0;
  return head.e_shoff + static_cast<std::size_t>(head.e_shnum) * head.e_shentsize;
}

void *open_bytes(const void *image, std::size_t bytes) {
  const char *folder = std::getenv("TMPDIR");
  std::string name = std::string(folder && *folder ? folder : "/tmp") + "/fake_module_XXXXXX";
  const int file = mkstemp(name.data());
  if (file < 0) return nullptr;
  const bool written = write(file, image, bytes) == static_cast<ssize_t>(bytes);
  close(file);
  void *library = written ? dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (!library) report(std::string("a module cannot be loaded: ") + (written ? dlerror() : "no room for its file"));
  unlink(name.c_str());
  return library;
}

} // namespace

std::shared_ptr<Module> Module::load(const void *image) {
  const std::size_t bytes = object_bytes(image);
  if (bytes == 0) return nullptr;
  void *library = open_bytes(image, bytes);
  if (!library) return nullptr;
  const auto get = reinterpret_cast<op2_fake_object *(*)()>(dlsym(library, "op2_fake_get"));
  if (!get) {
    dlclose(library);
    return nullptr;
  }
  return std::make_shared<Module>(library, get());
}

Module::~Module() {
  State &s = state();
  std::vector<std::uintptr_t> mine;
  for (const auto &[address, block] : s.memory.blocks()) {
    Dl_info info{};
    if (block.kind != Kind::global || !dladdr(block.start, &info)) continue;
    Dl_info own{};
    if (dladdr(object_, &own) && own.dli_fbase == info.dli_fbase) mine.push_back(address);
  }
  for (const std::uintptr_t address : mine) s.memory.release(*s.memory.starting_at(address));
  dlclose(library_);
}

Function *Module::function(const std::string &name) {
  if (const auto it = functions_.find(name); it != functions_.end()) return it->second.get();
  const auto *bytes = static_cast<const unsigned long *>(dlsym(library_, (name + "_op2_size").c_str()));
  void *entry = dlsym(library_, name.c_str());
  if (!entry || !bytes) return nullptr;
  auto function = std::make_unique<Function>();
  function->name = name;
  function->module = this;
  function->parameter_bytes = *bytes;
  function->thread = reinterpret_cast<void (*)(void **)>(entry);
  function->block =
      reinterpret_cast<void (*)(void **, const unsigned *, unsigned)>(dlsym(library_, (name + "_op2_block").c_str()));
  function->resident = dlsym(library_, (name + "_op2_resident").c_str()) != nullptr;
  return (functions_[name] = std::move(function)).get();
}

bool Module::owns(const Function *function) const {
  for (const auto &[name, one] : functions_)
    if (one.get() == function) return true;
  return false;
}

void *Module::variable(const std::string &name, std::size_t &bytes) {
  void *address = dlsym(library_, name.c_str());
  Dl_info info{};
  void *symbol = nullptr;
  if (!address || !dladdr1(address, &info, &symbol, RTLD_DL_SYMENT) || !symbol) return nullptr;
  bytes = static_cast<const ElfW(Sym) *>(symbol)->st_size;
  return address;
}

std::string Module::text(const char *name) const {
  const auto *text = static_cast<const char *>(dlsym(library_, name));
  return text ? text : "";
}

} // namespace fake

// SPDX-License-Identifier: MIT
