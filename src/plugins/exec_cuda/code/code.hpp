// The text of the device kernel of one loop: the program's kernel, and the code that finds the rows of an element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "op2/plugin/exec.h"

namespace op2::exec_cuda {

// How a loop avoids races between elements that write the same row.
enum class Method {
  plain,          // no elements write the same row
  atomics,        // increments are atomic
  colours,        // a launch for each colour of elements, or of blocks
  staged,         // blocks sum in shared memory, by colour of their elements; a launch for each colour of blocks
  staged_atomics, // the same, but all blocks in one launch add their sums atomically
  gather // the loop stores increments by element; then each row adds its increments in the order of the elements
};
constexpr bool is_staged(Method method) { return method == Method::staged || method == Method::staged_atomics; }

// How partial results of reductions are combined.
enum class Fold {
  none,
  tree,  // sums and extrema: registers, warps, blocks; the last block combines the results of all
  blocks // any reduction: each thread runs a block of the plan in order, on its own record; the host combines the
         // records
};

constexpr int threads_per_block = 256; // device/reduce.h relies on it
constexpr size_t absent = static_cast<size_t>(-1);

// The members of struct op2_params, which loop_run fills.
struct ParamLayout {
  struct Dat {
    int arg;          // any argument of the dat
    size_t offset;    // of its address
    ptrdiff_t stride; // a literal in the text
    size_t step;      // SoA: of the distance of components in bytes, which depends on the number of rows; else absent
  };
  struct Table {
    int arg, column;        // its `map` points to the column
    size_t offset, columns; // of its address, of its number of columns
  };
  struct Global {
    int arg;
    size_t offset, bytes; // of the values, or of their address
    bool by_value;
  };
  struct Start { // of an extremum
    size_t offset, in_record, bytes;
  };
  // Blocks that sum in shared memory: the dats, and the columns of maps to their rows.
  struct Group {
    int arg; // any argument of the dat
    int columns;
  };
  // Increments that are gathered: the dats, and every pointer to their rows.
  struct Column {
    int group, table, column; // table -1: the element itself
  };
  std::vector<Dat> dats;
  std::vector<Table> tables;
  std::vector<Global> globals;
  std::vector<Start> starts;
  std::vector<Group> groups;
  std::vector<Column> columns;
  size_t begin = 0, end = 4;    // ints
  size_t order = absent;        // const int *: the elements, or blocks, by colour
  size_t block_offset = absent; // const int *
  size_t records = absent, result = absent, counter = absent, record_start = absent; // addresses
  size_t stage = absent;                                                             // StageAddresses
  std::vector<size_t> scratch;                                                       // by group: increments
  size_t places = absent, gather_begin = absent;                                     // long long, int
  size_t bytes = 0;
};

// Addresses of the lists for blocks that sum in shared memory (stage.hpp). A member of struct op2_params.
struct StageAddresses {
  uint64_t elements, colours, block_colours, rows_offset, rows, local;
  int64_t places;
  int32_t begin, reserved;
};

// The parameters of kernel op2_gather<group>: the rows that increments reach, and the entries of each row. Entry e is
// the increment through pointer e % columns of element gather_begin + e / columns.
struct GatherParams {
  uint64_t rows, offset, entries; // const int *
  uint64_t scratch, base;         // of the group
  int64_t step;                   // of its dat, as in ParamLayout
  int64_t places;
  int32_t count, reserved; // rows
};

struct DeviceSource {
  std::string text;
  Method method = Method::plain;
  Fold fold = Fold::none;
  ParamLayout params;
  unsigned shared_bytes = 0;
  size_t record_bytes = 0; // of the result of a block, Fold::tree
  bool fused = false;      // the text has fused_entry, too
};

// fused_entry: elements beside an exchange (device/exchange.h). Its parameters: struct op2_params, op2_exchange_params,
// and the first and the last of the elements that need the exchange, which follow the others.
constexpr const char *kernel_entry = "op2_loop", *fused_entry = "op2_loop_exchange", *gather_entry = "op2_gather",
                     *constants_symbol = "op2_values";

// Whether atomic increments suffice to run colliding elements at the same time.
bool atomics_suffice(const op_exec_signature &signature);
// Whether all reductions are sums or extrema of few numbers.
bool folds_in_tree(const op_exec_signature &signature);
// The same, or payloads of extrema: for methods in which each thread runs its elements in ascending order.
bool folds_winners_in_tree(const op_exec_signature &signature);

// The most elements of a block that sums in shared memory; 0: this is not possible.
int staged_elements(const op_exec_signature &signature, bool ordered);

// In shared memory a component of a group with `rows` rows occupies rows + ((apart - rows) & (banks - 1)) values.
struct StagePitch {
  int apart, banks; // banks: values per access of the memory; a power of two
  constexpr int of(int rows) const { return rows + ((apart - rows) & (banks - 1)); }
};
constexpr StagePitch stage_pitch(int dim, int type_size) {
  const int banks = type_size >= 8 ? 16 : 32;
  return {dim < banks ? banks / dim : 1, banks};
}

// NULL, or why no text can be written for the loop.
const char *why_no_code(const op_exec_signature &signature);

// ordered: reductions combine values in the order of the elements, block by block of the plan, as on a CPU.
// exchanges: the text has fused_entry, too, where elements run in any order and need nothing else of the device.
DeviceSource write_code(const op_exec_text &kernel, const op_exec_signature &signature, Method method, bool ordered,
                        bool exchanges = false);

// Text of device/<name>.h, embedded when the plugin was built.
std::string_view device_text(std::string_view name);

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
