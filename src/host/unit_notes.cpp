#include "host/unit_notes.hpp"

#include <link.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace op2::core {

namespace {

constexpr std::string_view owner("op2", 4); // with its zero

struct NoteSearch {
  std::uintptr_t address;
  std::vector<std::string_view> found;
};

void read_notes(const char *at, const char *end, std::size_t align, std::vector<std::string_view> &out) {
  const auto padded = [&](std::size_t size) { return (size + align - 1) / align * align; };
  while (static_cast<std::size_t>(end - at) >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, at, sizeof head);
    const char *const name = at + sizeof head, *const text = name + padded(head.n_namesz);
    const auto left = static_cast<std::size_t>(end - name);
    if (padded(head.n_namesz) > left || head.n_descsz > left - padded(head.n_namesz)) return;
    if (std::string_view(name, head.n_namesz) == owner) out.emplace_back(text, head.n_descsz);
    if (padded(head.n_descsz) > left - padded(head.n_namesz)) return;
    at = text + padded(head.n_descsz);
  }
}

int visit(dl_phdr_info *object, std::size_t, void *data) {
  NoteSearch &search = *static_cast<NoteSearch *>(data);
  const std::span<const ElfW(Phdr)> segments(object->dlpi_phdr, object->dlpi_phnum);
  bool here = false;
  for (const ElfW(Phdr) & segment : segments) {
    const std::uintptr_t begin = object->dlpi_addr + segment.p_vaddr;
    here = here || (segment.p_type == PT_LOAD && search.address >= begin && search.address - begin < segment.p_memsz);
  }
  if (!here) return 0;
  for (const ElfW(Phdr) & segment : segments) {
    if (segment.p_type != PT_NOTE) continue;
    const char *const begin = reinterpret_cast<const char *>(object->dlpi_addr + segment.p_vaddr);
    read_notes(begin, begin + segment.p_memsz, segment.p_align == 8 ? 8 : 4, search.found);
  }
  return 1;
}

} // namespace

std::vector<std::string_view> unit_notes(const void *address) {
  NoteSearch search{reinterpret_cast<std::uintptr_t>(address), {}};
  dl_iterate_phdr(visit, &search);
  return std::move(search.found);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
