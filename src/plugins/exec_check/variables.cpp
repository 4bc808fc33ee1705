// Variables of the program that a kernel changes although they are not among its arguments: counters and sums that are
// right on one core and lost, or raced for, everywhere else.
//
// The memory that holds global and static variables of the program (or shared object) in which the kernel lies is
// looked at before and after a run. What changes in two runs of three, and not when nothing runs, is the kernel's
// doing; what is set up at the first call has happened by then.
#include <cxxabi.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "exec_check.hpp"
#include "values.hpp"

namespace op2::exec_check {

namespace {

using Word = std::uint64_t;
constexpr std::size_t most_bytes = std::size_t{8} << 20; // larger ones would take longer than all the rest
constexpr int runs = 3;

// Where a program or shared object keeps its variables.
struct Module {
  std::uintptr_t code;     // an address in it
  std::uintptr_t base = 0; // what the addresses of its file are counted from
  std::string path;
  std::vector<const Word *> begin; // of each writable part
  std::vector<std::size_t> words;
  std::size_t size() const {
    std::size_t sum = 0;
    for (const std::size_t part : words) sum += part;
    return sum * sizeof(Word);
  }
};

int look_at_module(dl_phdr_info *info, std::size_t, void *user) {
  Module &module = *static_cast<Module *>(user);
  const auto contains = [&](const ElfW(Phdr) & part) {
    const std::uintptr_t begin = info->dlpi_addr + part.p_vaddr;
    return part.p_type == PT_LOAD && module.code >= begin && module.code - begin < part.p_memsz;
  };
  const ElfW(Phdr) *const parts = info->dlpi_phdr, *const end = parts + info->dlpi_phnum;
  if (std::none_of(parts, end, contains)) return 0;
  module.base = info->dlpi_addr;
  module.path = info->dlpi_name && info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe";
  for (const ElfW(Phdr) *part = parts; part < end; ++part) {
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_W)) continue;
    const std::uintptr_t first = (info->dlpi_addr + part->p_vaddr + sizeof(Word) - 1) / sizeof(Word) * sizeof(Word);
    const std::uintptr_t last = (info->dlpi_addr + part->p_vaddr + part->p_memsz) / sizeof(Word) * sizeof(Word);
    module.begin.push_back(reinterpret_cast<const Word *>(first));
    module.words.push_back(last > first ? (last - first) / sizeof(Word) : 0);
  }
  return 1;
}

// Word by word: nothing here is an object of ours, and sanitizers keep forbidden bytes between variables.
__attribute__((noinline, no_sanitize("address", "thread", "undefined"))) void copy_words(const Word *from, Word *to,
                                                                                         std::size_t count) {
  const volatile Word *source = from;
  for (std::size_t i = 0; i < count; ++i) to[i] = source[i];
}

std::vector<Word> contents(const Module &module) {
  std::vector<Word> out(module.size() / sizeof(Word));
  Word *to = out.data();
  for (std::size_t part = 0; part < module.begin.size(); ++part) {
    copy_words(module.begin[part], to, module.words[part]);
    to += module.words[part];
  }
  return out;
}

std::uintptr_t address_of(const Module &module, std::size_t word) {
  for (std::size_t part = 0; part < module.begin.size(); ++part) {
    if (word < module.words[part]) return reinterpret_cast<std::uintptr_t>(module.begin[part] + word);
    word -= module.words[part];
  }
  return 0;
}

template <class T>
bool read_at(std::ifstream &file, std::uint64_t offset, T *values, std::size_t count) {
  file.seekg(static_cast<std::streamoff>(offset));
  return static_cast<bool>(
      file.read(reinterpret_cast<char *>(values), static_cast<std::streamsize>(count * sizeof(T))));
}

// Name of the variable in the module's own table of symbols; "" when it was stripped or has none.
std::string variable_at(const Module &module, std::uintptr_t address) {
  std::ifstream file(module.path, std::ios::binary);
  ElfW(Ehdr) header;
  if (!read_at(file, 0, &header, 1)) return {};
  std::vector<ElfW(Shdr)> sections(header.e_shnum);
  if (!read_at(file, header.e_shoff, sections.data(), sections.size())) return {};
  for (const ElfW(Shdr) & section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    std::vector<ElfW(Sym)> symbols(section.sh_size / sizeof(ElfW(Sym)));
    std::vector<char> names(sections[section.sh_link].sh_size + 1);
    if (!read_at(file, section.sh_offset, symbols.data(), symbols.size()) ||
        !read_at(file, sections[section.sh_link].sh_offset, names.data(), names.size() - 1))
      return {};
    for (const ElfW(Sym) & symbol : symbols) {
      const std::uintptr_t begin = module.base + symbol.st_value;
      // A word may begin before a small variable.
      const bool holds = address + sizeof(Word) > begin && address < begin + symbol.st_size;
      if (!holds || ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_name >= names.size()) continue;
      int status = 0;
      char *const plain = abi::__cxa_demangle(&names[symbol.st_name], nullptr, nullptr, &status);
      const std::string name = status == 0 ? plain : &names[symbol.st_name];
      std::free(plain);
      return name;
    }
  }
  return {};
}

void run_kernel(CheckedRun &run, int n) {
  run.locate(n);
  Arena &arena = *run.kernel.probe;
  for (std::size_t i = 0; i < run.slots(); ++i) copy_row(arena.row(run.slot(i)), run.rows[i], run.slot(i).bytes);
  arena.run(n, run.call.args);
}

} // namespace

void check_variables(CheckedRun &run) {
  const op_exec_kernel_s &kernel = run.kernel;
  const int count = run.call.end - run.call.begin;
  Module module{};
  module.code = kernel.generic ? reinterpret_cast<std::uintptr_t>(kernel.element)
                               : reinterpret_cast<std::uintptr_t>(kernel.range);
  if (count < 1 || kernel.suspect || dl_iterate_phdr(look_at_module, &module) == 0 || module.size() > most_bytes)
    return;
  std::vector<unsigned char> changes(module.size() / sizeof(Word));
  for (int i = 0; i < runs; ++i) {
    const std::vector<Word> earlier = contents(module), before = contents(module);
    run_kernel(run, run.call.begin + i % count);
    const std::vector<Word> after = contents(module);
    for (std::size_t word = 0; word < changes.size(); ++word)
      if (before[word] != after[word] && before[word] == earlier[word]) ++changes[word];
  }
  const auto found_one = std::find_if(changes.begin(), changes.end(), [](unsigned char n) { return n >= 2; });
  if (found_one == changes.end()) return;
  const std::uintptr_t address = address_of(module, static_cast<std::size_t>(found_one - changes.begin()));
  const std::string name = variable_at(module, address);
  std::string where = "a variable";
  if (!name.empty()) where = "the variable " + name_of(name.c_str());
  found(
      run, Kind::state, -1,
      "the kernel changes " + where + " of the program, which is not among its arguments: " + here(run) +
          " and others. On threads its changes are lost or mixed up, on other processors they never arrive. Pass it as "
          "a global argument with OP_INC, OP_MIN or OP_MAX, or make it a dat");
}

} // namespace op2::exec_check

// SPDX-License-Identifier: MIT
