// The objects behind the handles: sets, maps, dats, reductions, globals. Each begins with its frozen public head
// (op2/heads.h).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "host/executor.hpp"
#include "mesh/coherence.hpp"
#include "mesh/halo.hpp"
#include "mesh/layout.hpp"
#include "op2/decl.h"
#include "op2/heads.h"
#include "op2/reduction.h"
#include "op2/storage.h"

namespace op2::core {

struct DeclaredExchange;
struct Particles;

// Counts the changes of an object that make prepared loops, plans and exchanges stale; values of dats are no such
// change.
using Revision = std::int64_t;

// A table of 1-based numbers, for kernels that count from 1. The first loop that needs it makes it.
struct NumbersFromOne {
  std::vector<int> host;
  Storage remote; // the executor's copy
};

struct Set : op_set_core {
  std::string label;
  Revision revision = 0; // of the order and number of rows, and of the halos
  // Elements that all processes declared together, and the declared part of this process: the elements declared_first
  // ... declared_first + declared_size - 1. It is the part that this process declared (Declare::local) or an equal
  // share.
  op_gindex global_size = 0;
  op_gindex declared_first = 0;
  int declared_size = 0;
  int passed = 0;                   // elements in the arrays that this process passes and receives
  bool same_everywhere = true;      // the declared size
  bool divided_for_program = false; // which part each process declares, the library has chosen (op_mesh_declare)
  bool distributed = false;         // several processes: rows are with their owners, no longer in declared parts

  // With several processes: the global number of each row; ascending within core, boundary and each owner's halo
  // rows of a part, unless the set was renumbered. Empty before distribution, and with one process.
  std::vector<op_gindex> global;
  // Messages between owners and declared parts; distributed/declared/exchange.cpp makes them on demand.
  mutable std::shared_ptr<DeclaredExchange> declared_exchange;
  std::vector<HaloLayer> layers; // of halo rows; empty = none
  int copies = 0;                // halo rows in all layers; the public head counts those of layer 1
  struct {
    std::int64_t copies = 0, executed = 0; // executed: a part of copies
  } at_most;                               // upper bounds, computed before the halos
  int rows() const { return size + copies; }
  // A set of particles (mesh/particles.hpp); NULL: elements of the mesh. Its dats have room for so many rows, which may
  // be more than there are.
  std::shared_ptr<Particles> particles;
  int room = 0;
  Revision resized = 0; // counts changes of its rows within the room, which prepared loops follow
  int executed() const { return size + exec_size; } // owned rows, and executed copies of layer 1

  // The library's order. original[i] is the declared number of the element in row i, place[n] the row of element n;
  // numbers are 0-based on this process. Both are empty while rows are in the order of the declaration. With several
  // processes, `original` holds global numbers if they fit an int, and `place` is not used.
  std::vector<int> original, place;
  Storage remote_original; // the executor's copy, made for the first loop that needs it
  bool renumbered() const { return !original.empty(); }
  NumbersFromOne from_one;
};

struct Map : op_map_core {
  std::string label;
  Revision revision = 0;          // of the entries and their address
  Revision rewritten = 0;         // counts changes of some entries, which prepared loops follow
  std::vector<int> table;         // [rows][dim], in the library's order; `map` of the public head points to it
  PagedArray paged;               // the table, if a part of it may be in a file
  bool same_everywhere = true;    // what was declared
  bool in_declared_order = false; // several processes: rows of `targets` are the declared part's, not the owned
  bool built = false;             // several processes: `table` is filled
  std::vector<op_gindex> targets; // [from->size][dim] global numbers, with several processes and until `built`
  int table_rows() const { return static_cast<int>(table.size() / static_cast<std::size_t>(dim)); }
  // Sums over all processes: entries that lead to halo rows, and halo rows of the target; -1 = not counted yet.
  std::int64_t entries_to_copies = -1, copies_of_target = 0;
  std::shared_ptr<const PartialHalo> partial; // the halo rows this map reaches, made for the first loop that needs it
  Storage remote;                             // the executor's copy in separate memory
  std::vector<int> numbers; // the declared numbers of the targets, made for the first loop that needs them
  Storage remote_numbers;
  NumbersFromOne from_one; // of the targets
  // For names of findings about the entries; -1: they change while the program runs, so that nothing is kept.
  Revision version() const { return rewritten > 0 ? -1 : revision; }
  int paged_number() const { return std::max(paged.number(), remote.paged().number()); }
  const Set &source() const { return *static_cast<const Set *>(from); }
  const Set &target() const { return *static_cast<const Set *>(to); }
  const int *exec_table() const { return remote.data() ? reinterpret_cast<const int *>(remote.data()) : table.data(); }
};

struct Dat : op_dat_core {
  std::string label;
  Revision revision = 0; // of the address of its rows
  std::string type_label;
  // The name in files: the public head's, which programs in OP2's words may change.
  std::string file_name() const { return name ? name : label; }
  ElementType element;
  Storage host;       // rows in the library's order
  Storage remote;     // the executor's copy in separate memory, or the copy in another layout, once split
  Layout layout;      // of that copy
  bool split = false; // `remote` is in host memory, in another layout than `host`
  Coherence state;
  bool same_everywhere = true; // what was declared
  bool temporary = false;
  int storage = OP_STORAGE_AUTO; // op_dat_set_storage()
  bool freed =
      false; // a temporary dat after op_free_dat_temp(): kept without data, so that no other dat gets its address
  int acquired = -1; // access mode of the open host view, -1 = none
  Storage host_view; // of the rows in the order of the declaration, if that differs from `host`

  const Set &on() const { return *static_cast<const Set *>(set); }
  // Of the rows, where a part of them is elsewhere: in a file, or not on the device. -1: all of them are there.
  int paged_number() const { return std::max(host.paged().number(), remote.paged().number()); }
  // Of all rows with halo rows; own_bytes(): of the owned rows; room_bytes(): of what is allocated.
  std::size_t bytes() const { return static_cast<std::size_t>(on().rows()) * static_cast<std::size_t>(size); }
  // Generated code reads rows of three values with the value behind them (jit/prelude/rows.h), also the last one. The
  // value has no more bytes than this.
  static constexpr std::size_t room_behind = 8;
  std::size_t room_bytes() const {
    return static_cast<std::size_t>(on().room > on().rows() ? on().room : on().rows()) * static_cast<std::size_t>(size);
  }
  std::size_t own_bytes() const { return static_cast<std::size_t>(set->size) * static_cast<std::size_t>(size); }
  // The address for loops on the executor. in_layout: the loop was prepared for the layout.
  char *exec_data(bool in_layout) const { return remote.data() && (in_layout || !split) ? remote.data() : host.data(); }
};

// Two variables of one name, in two source files, are two constants.
struct Constant {
  std::string name;
  ElementType element;
  int dim = 0;
  std::vector<char> value;
  int number = 0;                 // of its variable among all of this name so far
  const void *variable = nullptr; // of the program, as it was declared
  // Declared from other memory than a variable of that name after one had been, so that nobody knows whose value it is.
  bool of_no_variable = false;
};

} // namespace op2::core

// A user-defined reduction; op_reduction points to it.
struct op_reduction_core {
  std::string name;
  op2::core::ElementType element;
  op_reduce_fn combine = nullptr;
  std::vector<char> identity; // one value
};

// Values that loops reduce into and read; op_global points to it.
struct op_global_core {
  std::string name;
  op2::core::ElementType element;
  int dim = 0;
  std::vector<std::max_align_t> values; // at least one
  bool awaited = false;                 // a recorded loop reduces into it

  char *data() { return reinterpret_cast<char *>(values.data()); }
  std::size_t bytes() const { return static_cast<std::size_t>(dim) * static_cast<std::size_t>(element.size); }
};

// SPDX-License-Identifier: MIT
