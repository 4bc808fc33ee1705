// The text of the device kernel of one loop: the program's kernel, and around it what leads from an element to its
// rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "op2/plugin/exec.h"

namespace op2::exec_cuda {

// How elements that write the same row are kept apart.
enum class Method {
  plain,   // they do not
  atomics, // increments are atomic
  colours, // a launch for each colour of elements, or of blocks
  staged,  // blocks add up in shared memory, colour by colour of their elements; a launch for each colour of blocks
  staged_atomics, // the same, but blocks add what they have to memory atomically, all at once
  gather // increments are stored by element; then each row takes those that reach it, in the order of the elements
};
constexpr bool is_staged(Method method) { return method == Method::staged || method == Method::staged_atomics; }

// How the values that a loop reduces come together.
enum class Fold {
  none,
  tree,  // sums and extrema: registers, warps, blocks, and the last block folds the results of all
  blocks // anything: each thread runs a block of the plan in order, on a record of its own; the host combines the
         // records
};

constexpr int threads_per_block = 256; // device/reduce.h counts on it
constexpr size_t absent = static_cast<size_t>(-1);

// Where loop_run finds things to put into struct op2_params.
struct ParamLayout {
  struct Dat {
    int arg;          // any argument of the dat
    size_t offset;    // of its address
    ptrdiff_t stride; // which the text knows
    size_t step;      // SoA: of the bytes from a component to the next, which depend on the number of rows; else absent
  };
  struct Table {
    int arg, column;        // its `map` is the table's column
    size_t offset, columns; // of its address and of the number of its columns
  };
  struct Global {
    int arg;
    size_t offset, bytes; // of its values, or of their address
    bool by_value;
  };
  struct Start { // of an extremum
    size_t offset, in_record, bytes;
  };
  // Blocks that add up in shared memory: the dats, and the columns of maps that lead to their rows.
  struct Group {
    int arg; // any argument of the dat
    int columns;
  };
  // Increments that are gathered: the dats, and every pointer that leads to their rows.
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

// Where the lists of blocks that add up in shared memory are: see stage.hpp. As it lies in struct op2_params.
struct StageAddresses {
  uint64_t elements, colours, block_colours, rows_offset, rows, local;
  int64_t places;
  int32_t begin, reserved;
};

// What a kernel op2_gather<group> gets: the rows that increments reach, and for each of them which. Entry e is that of
// pointer e % columns of element gather_begin + e / columns.
struct GatherParams {
  uint64_t rows, offset, entries; // const int *
  uint64_t scratch, base;         // of the group
  int64_t step;                   // of its dat, as in ParamLayout
  int64_t places;
  int32_t count, reserved; // rows
};

struct LoopCode {
  std::string text;
  Method method = Method::plain;
  Fold fold = Fold::none;
  ParamLayout params;
  unsigned shared_bytes = 0;
  size_t record_bytes = 0; // of what a block leaves behind, Fold::tree
};

constexpr const char *kernel_entry = "op2_loop", *gather_entry = "op2_gather", *constants_symbol = "op2_values";

// Whether adding atomically is all that it takes to run colliding elements at the same time.
bool atomics_suffice(const op_exec_signature &signature);
// Whether everything that is reduced is a sum or an extremum of few numbers.
bool folds_in_tree(const op_exec_signature &signature);
// The same, or payloads of such extrema: for methods by which each thread meets its elements in ascending order.
bool folds_winners_in_tree(const op_exec_signature &signature);

// Whether blocks can add up in shared memory; if so, how many elements they may have at most, else 0.
int staged_elements(const op_exec_signature &signature, bool ordered);

// In shared memory a component of a group with `rows` rows takes the place of rows + ((apart - rows) & (banks - 1)).
struct StagePitch {
  int apart, banks; // banks: values that memory gives at a time; a power of two
  constexpr int of(int rows) const { return rows + ((apart - rows) & (banks - 1)); }
};
constexpr StagePitch stage_pitch(int dim, int type_size) {
  const int banks = type_size >= 8 ? 16 : 32;
  return {dim < banks ? banks / dim : 1, banks};
}

// NULL, or why no text can be written for the loop.
const char *why_no_code(const op_exec_signature &signature);

// ordered: what is reduced is added up in the order of the elements, block by block of the plan, as on a CPU.
LoopCode write_code(const op_exec_text &kernel, const op_exec_signature &signature, Method method, bool ordered);

// Text of device/<name>.h, embedded when the plugin was built.
std::string_view device_text(std::string_view name);

} // namespace op2::exec_cuda
