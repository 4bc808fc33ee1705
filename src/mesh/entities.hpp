// The objects behind the handles: sets, maps, dats, reductions. Each begins with its frozen public head (op2/heads.h).
#pragma once

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

namespace op2::core {

struct NaturalExchange;

// How often something has changed that loops, plans and exchanges keep of an object: what names a changed one is made
// again. Values of dats do not count.
using Revision = std::int64_t;

// A table of numbers that begin at 1, for kernels that count so: made when a loop asks for it.
struct NumbersFromOne {
  std::vector<int> host;
  Storage remote; // the executor's copy
};

struct Set : op_set_core {
  std::string label;
  Revision revision = 0; // order and number of rows, halos
  // What was declared: by all processes together, and the part of it that goes through this one (its natural part,
  // numbers natural_first ... natural_first + natural_size - 1), which is what it declared unless each process
  // declared everything.
  idx_g_t global_size = 0;
  idx_g_t natural_first = 0;
  int natural_size = 0;
  int declared = 0;            // elements in the arrays that the program gives and gets
  bool same_everywhere = true; // its declared size
  bool distributed = false;    // several processes: rows lie where loops want them, and not as they were declared

  // With several processes: the number in the whole declaration of each row, ascending within each part unless the set
  // was renumbered. Empty before the mesh was distributed, and with one process.
  std::vector<idx_g_t> global;
  // How rows come to their natural part: distributed/natural/exchange.cpp makes it when asked.
  mutable std::shared_ptr<NaturalExchange> natural_exchange;
  std::vector<HaloLayer> layers; // of copies; empty = none
  int copies = 0;                // in all layers; the head counts the first one
  struct {
    std::int64_t copies = 0, executed = 0; // the second of the first
  } at_most;                               // known before halos were made
  int rows() const { return size + copies; }
  int executed() const { return size + exec_size; } // owned ones and the first layer's

  // The library's order. original[i] is the number of the element in row i, place[n] the row of element n, where
  // numbers are those of the declaration, from 0 on this process. Both are empty as long as rows lie as they were
  // declared. With several processes `original` has the number in the whole declaration of each row, where it fits an
  // int, and `place` is not used.
  std::vector<int> original, place;
  Storage remote_original; // the executor's copy, made when a loop asks for it
  bool renumbered() const { return !original.empty(); }
  NumbersFromOne from_one;
};

struct Map : op_map_core {
  std::string label;
  Revision revision = 0;         // entries, and where they lie
  std::vector<int> table;        // [rows][dim], what the head's `map` shows: rows in the library's order
  bool same_everywhere = true;   // what was declared
  bool in_natural_order = false; // several processes: rows lie as they were declared
  bool built = false;            // several processes: there is a table
  std::vector<idx_g_t> targets;  // [from->size][dim] several processes, as long as there is no table: global numbers
  int table_rows() const { return static_cast<int>(table.size() / static_cast<std::size_t>(dim)); }
  // Over all processes: entries that lead to copies, and copies of the target's rows; -1 = not counted.
  std::int64_t entries_to_copies = -1, copies_of_target = 0;
  std::shared_ptr<const PartialHalo> partial; // made when a loop exchanges only these
  Storage remote;                             // the executor's copy when it has memory of its own
  std::vector<int> numbers; // the same with the targets' numbers of the declaration, made when a loop asks for it
  Storage remote_numbers;
  NumbersFromOne from_one; // of the targets
  const Set &source() const { return *static_cast<const Set *>(from); }
  const Set &target() const { return *static_cast<const Set *>(to); }
  const int *exec_table() const { return remote.data() ? reinterpret_cast<const int *>(remote.data()) : table.data(); }
};

struct Dat : op_dat_core {
  std::string label;
  Revision revision = 0; // where its rows lie
  std::string type_label;
  // Programs in OP2's words give dats another name by their heads, which files then have.
  std::string file_name() const { return name ? name : label; }
  ElementType element;
  Storage host; // rows in the library's order of the set
  Storage
      remote;    // the executor's copy when it has memory of its own, or the one in another layout once a loop wants it
  Layout layout; // of that copy
  bool split = false; // both copies are on the host, the other one in another layout
  Coherence state;
  bool same_everywhere = true; // what was declared
  bool temporary = false;
  bool freed =
      false; // a temporary dat after op_free_dat_temp(): kept without data, so that its address is not used again
  int acquired = -1; // access mode of the open host view, -1 = none
  Storage host_view; // its rows, in the order of the declaration, when they are not those of `host`

  const Set &on() const { return *static_cast<const Set *>(set); }
  // Of all rows, copies too; and of the rows that this process owns.
  std::size_t bytes() const { return static_cast<std::size_t>(on().rows()) * static_cast<std::size_t>(size); }
  std::size_t own_bytes() const { return static_cast<std::size_t>(set->size) * static_cast<std::size_t>(size); }
  // Where loops find it. On the host: rows one after another, unless they take the copy in another layout.
  char *exec_data(bool in_layout) const { return remote.data() && (in_layout || !split) ? remote.data() : host.data(); }
};

struct Constant {
  std::string name;
  ElementType element;
  int dim = 0;
  std::vector<char> value;
};

} // namespace op2::core

// A user-defined reduction; op_reduction points to it.
struct op_reduction_core {
  std::string name;
  op2::core::ElementType element;
  op_reduce_fn combine = nullptr;
  std::vector<char> identity; // one value
};
