// The symbol table of one executable or shared object that is loaded: which variables its source files have, and to
// which source file a function belongs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace op2::core {

// Where an executable or shared object is loaded.
struct LoadedObject {
  std::string path;            // of its file, which need not be there
  std::uintptr_t bias = 0;     // what is added to the addresses in its file
  bool is_program = false;     // the executable itself
  const void *first = nullptr; // the beginning of its file in memory
  std::size_t first_bytes = 0; // how much of that is there
};
std::optional<LoadedObject> object_with(const void *address);

// Whether the file at its path begins as what was loaded: it is there, and no other one has come to its name.
bool is_loaded_file(const LoadedObject &object);

class SymbolTable {
 public:
  // A number that stands for one source file of the object, by which symbols of one file know each other.
  using Unit = int;
  static constexpr Unit no_unit = -1;

  struct Variable {
    std::string symbol; // "_ZN4flow3gamE"
    std::string name;   // "flow::gam"
    const void *address = nullptr;
    std::size_t bytes = 0;
    bool external = false;    // other source files may name it
    bool replaceable = false; // the dynamic linker decides whose variable of this name is used
    Unit unit = no_unit;      // of a variable that is not external
  };

  // Reads the table. Where the file on disk is not the one that was loaded there are no symbols.
  explicit SymbolTable(const LoadedObject &object);

  // Not one source file, but all that were optimised together.
  bool of_whole_program(Unit unit) const { return unit != no_unit && units_[static_cast<std::size_t>(unit)].empty(); }

  bool complete() const { return complete_; } // false: the object was stripped
  // Those called `last`, whatever namespace, class or function they are in.
  std::vector<Variable> variables_called(const std::string &last) const;
  // Whether a variable begins at the address whose symbol has these letters somewhere, large or small.
  bool has_variable(const void *address, const std::string &letters) const;
  // The source file of a function. no_unit: other source files may call it by its name, or the table does not tell.
  Unit unit_of(const void *function) const;
  bool is_weak(const void *function) const; // several source files have it, and the linker took one of them
  // The only source file of this name without folders ("flux.cpp"); no_unit: there is none, or there are several.
  Unit unit_called(std::string_view file) const;

 private:
  struct Entry {
    std::string symbol;
    std::uint64_t value, bytes;
    bool external, replaceable;
    Unit unit;
  };
  struct Function {
    std::uint64_t value;
    Unit unit;
    bool weak;
  };
  void add(const LoadedObject &object, const char *path);

  std::uintptr_t bias_;
  bool complete_ = false;
  std::vector<std::string> units_; // their names; "": made by the linker, of many source files
  std::vector<Entry> entries_;
  std::vector<Function> functions_;
};

// Where the dynamic linker finds a variable of this symbol for code of the object: first among what the whole program
// shares, then in the object and what it needs. Both are NULL if it finds none.
struct DynamicPlaces {
  const void *shared = nullptr, *own = nullptr;
};
DynamicPlaces dynamic_places(const LoadedObject &object, const std::string &symbol);

} // namespace op2::core

// SPDX-License-Identifier: MIT
