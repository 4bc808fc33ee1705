// Executor "check": runs a program as `seq` does and verifies its declarations. Shared by its files.
//
// Before a loop runs, every element is tried on copies: its rows are copied into an arena, each between guard bytes,
// and the kernel runs there twice. The second run differs in all that a kernel must not depend on: guard bytes, old
// contents of rows to be written, values that increments are added to. If the runs disagree, more runs find the cause
// (diagnose.cpp). Then the loop runs in other orders on copies of the data that it writes (order.cpp), and finally as
// on `seq`: results have the bits of `seq`.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "op2/plugin/exec.h"

namespace op2::exec_check {

// The kinds of mistakes; the words of the setting OP2_CHECK. The core looks for `chain` (op_exec_plan_request.chains).
enum class Kind { read, write, partial, inc, bounds, order, state, alias, nan, range, chain };
constexpr int kinds = 11;
const char *kind_name(Kind kind);

struct Options {
  bool on[kinds];
  bool warn; // findings are logged, the program goes on
  bool wants(Kind kind) const { return on[static_cast<int>(kind)]; }
};

// A mistake of the program, as an exception.
struct Finding {
  std::string message;
};

// ---- memory.cpp: rows copied between guard bytes

enum class Role {
  read,    // must not change: READ, element numbers
  write,   // every component set, none read before: WRITE
  scratch, // set before it is read, not used after the loop: WORK
  update,  // any change: RW, and INC without a map
  add,     // only added to: INC through a map, global INC
  low,     // global MIN
  high,    // global MAX
  free     // no rule: payloads, user-defined reductions
};

// One row, or one variable, that a kernel receives a pointer to.
struct Slot {
  int arg;
  int column; // of a vector argument
  Role role;
  op_type_id type;
  int type_size, dim;
  std::size_t bytes;
  std::size_t offset; // in an arena
};

struct Frame {
  std::vector<Slot> slots;
  std::vector<int> first_slot;       // of each argument; -1: it has none
  std::vector<std::uint64_t> guards; // all bits set where an arena has guard bytes
  std::size_t bytes() const { return guards.size() * sizeof(std::uint64_t); }
};
// Copying rows of this many bytes takes no longer than a typical kernel.
constexpr std::size_t modest_bytes = 16384;
Frame make_frame(const op_exec_signature &signature);
// Whether the argument is a variable that elements use one after another: a global with WRITE, RW or WORK.
bool is_shared(const op_exec_arg &arg);

// How a kernel is called: through its pointer, or by its range function.
enum class Form { element, range };

class Arena {
 public:
  Arena(const op_exec_kernel_s &kernel, Form form, std::uint64_t pattern);
  Arena(const Arena &) = delete;
  Arena &operator=(const Arena &) = delete;

  char *row(const Slot &slot) { return data() + slot.offset; }
  const char *row(const Slot &slot) const { return data() + slot.offset; }
  void run(int n, const op_range_arg *call_args);
  bool intact() const; // all guard bytes are unchanged
  std::size_t first_broken() const;
  void renew(std::uint64_t pattern);                        // resets all guard bytes
  void renew_near(const Slot &slot, std::uint64_t pattern); // only guard bytes beside the slot

 private:
  char *data() { return reinterpret_cast<char *>(words_.get()); }
  const char *data() const { return reinterpret_cast<const char *>(words_.get()); }
  void point_element();
  void point_range(int n, const op_range_arg *call_args);

  const op_exec_kernel_s &kernel_;
  Form form_;
  std::uint64_t pattern_;
  struct Free {
    void operator()(std::uint64_t *words) const;
  };
  std::unique_ptr<std::uint64_t[], Free> words_;
  std::vector<int> rows_; // in place of map entries
  std::vector<op_range_arg> args_;
};

// Guard bytes of the two runs: as real numbers the first is tiny and the second NaN.
constexpr std::uint64_t first_pattern = 0x0101010101010101, second_pattern = 0xfff8a5a5fff8a5a5;

// A dat or a reduced variable that a loop changes.
struct Target {
  int arg; // the first that changes it
  int dat; // -1: a variable
  // For the bound of rounding, while a call is checked: of each component, the sum of the magnitudes of all changes; of
  // each row, the number of changes; and the largest terms that cancelled inside a kernel.
  std::vector<double> scale;
  std::vector<int> changes;
  std::vector<double> inputs; // of each row, the largest real number the kernel read, summed over all additions
  double cancelled;
};

// For each component of a slot: how often the kernel changed it, and how often the range function's result differed.
struct Verdicts {
  std::vector<int> changed, different;
};

} // namespace op2::exec_check

struct op_exec_s {
  const op_host_v1 *host;
  op2::exec_check::Options options;
  std::vector<char> record; // partial result of one block
};

struct op_exec_kernel_s {
  op_exec_s *exec;
  const op_exec_signature *signature;
  op_kernel_fn element;       // NULL: only the range form exists
  op_range_fn range, generic; // generic: the core's own range function over `element`, NULL without one
  bool native_range;
  std::string name, file;
  int line;

  op2::exec_check::Frame frame;
  std::unique_ptr<op2::exec_check::Arena> first, second, probe, by_range;
  std::vector<char> start;                  // initial contents of the rows of `second`
  std::vector<std::vector<char>> poison;    // contents of arenas for rows that are to be written
  std::vector<std::pair<int, int>> aliases; // slots that may be one row, of which one is written
  int step;           // every step-th element is tried; more than 1 if copies of large variables take too long
  bool numbered;      // the kernel receives the number of the element
  bool order_matters; // an element writes a row that another one uses
  bool in_order;      // elements share a variable: they run one after another, and their order is part of the result
  std::vector<op2::exec_check::Target> targets;                // everything the loop changes
  std::vector<op2::exec_check::Verdicts> range_agrees;         // of each slot
  std::vector<std::pair<int, op2::exec_check::Kind>> reported; // with `warn`: argument and kind
  double largest; // real number that a kernel received when range functions were compared
  bool suspect;   // a forbidden access was found: no check_order(), no check_variables()
  std::int64_t calls;
};

namespace op2::exec_check {

// One call of a loop.
struct CheckedRun {
  op_exec_kernel_s &kernel;
  const op_exec_call &call;
  struct Source {
    const char *base;
    std::ptrdiff_t stride;
    const int *map; // NULL: the element itself
    int map_stride;
  };
  std::vector<Source> source;     // of each slot
  std::vector<const char *> rows; // of each slot, for the current element
  // Variables that elements share, by slot: their values after the elements so far.
  std::vector<std::pair<std::size_t, std::vector<char>>> carried;
  int number; // of the current element

  CheckedRun(op_exec_kernel_s &the_kernel, const op_exec_call &the_call);
  CheckedRun(const CheckedRun &) = delete;
  CheckedRun &operator=(const CheckedRun &) = delete;
  // The rows of element n.
  void locate(int n) {
    number = n;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Source &s = source[i];
      const std::ptrdiff_t row = s.map ? s.map[static_cast<std::ptrdiff_t>(n) * s.map_stride] : n;
      rows[i] = s.base + row * s.stride;
    }
    for (const auto &[i, values] : carried) rows[i] = values.data();
  }
  // After an element was tried.
  void carry() {
    for (auto &[i, values] : carried) std::memcpy(values.data(), kernel.first->row(slot(i)), values.size());
  }
  const op_exec_signature &signature() const { return *kernel.signature; }
  const op_exec_arg &arg(int i) const { return kernel.signature->args[i]; }
  const Slot &slot(std::size_t i) const { return kernel.frame.slots[i]; }
  std::size_t slots() const { return kernel.frame.slots.size(); }
  bool wants(Kind kind) const { return kernel.exec->options.wants(kind); }
};

// ---- element.cpp, range.cpp, diagnose.cpp, variables.cpp, order.cpp

void check_elements(CheckedRun &run, bool note_scale);
// range.cpp: tries the range function on the current element; reports the result of all trials.
void compare_range(const CheckedRun &run);
void judge_range(const CheckedRun &run);
// Checks whether the kernel changes variables of the program that are not its arguments. After check_elements().
void check_variables(CheckedRun &run);
// Finds why the two runs of the current element disagree. certain: by more than rounding.
void diagnose(CheckedRun &run, bool certain);
// Reports a write beside a row of this arena. who: the writer, "the kernel" or "the range function".
void report_broken_guard(const CheckedRun &run, const Arena &arena, Kind kind, const char *who);
// True in calls 1, 4, 16, ... of the kernel: for checks not needed in every call.
bool now_and_then(const op_exec_kernel_s &kernel);
// Whether the loop runs in other orders in this call: always, unless all shared rows are only incremented. If so, the
// caller calls begin_scales() before.
bool order_is_due(const op_exec_kernel_s &kernel);
void begin_scales(CheckedRun &run);
void check_order(CheckedRun &run); // uses the scales, and frees them

// ---- report.cpp: messages

// Throws a Finding, or logs it once; returns if this kind is switched off. arg: -1 = no argument.
void found(const CheckedRun &run, Kind kind, int arg, const std::string &message);
std::string about(const CheckedRun &run, int arg); // "argument 1 (dat 'q', OP_READ, ...)"
std::string here(const CheckedRun &run);           // "at element 7 of set 'edges'"
// The program's numbers: of the declaration, whatever order the library uses.
std::string element_number(const CheckedRun &run, int n);
std::string row_number(const CheckedRun &run, int arg, std::ptrdiff_t row);
std::string place(const CheckedRun &run, std::size_t slot, int component); // "component 2 of row 4 of dat 'q'"
std::string name_of(const char *name);                                     // quoted; "?" for NULL

// ---- the entries

op_status kernel_create(op_exec *exec, const op_exec_source *source, const op_exec_signature *signature,
                        op_exec_kernel **kernel);
void kernel_free(op_exec *exec, op_exec_kernel *kernel);
const char *kernel_form(op_exec *exec, const op_exec_kernel *kernel);
op_status kernel_plan_request(op_exec *exec, const op_exec_kernel *kernel, op_exec_plan_request *request);
op_status loop_run(op_exec *exec, op_exec_kernel *kernel, const op_exec_call *call);

} // namespace op2::exec_check

// SPDX-License-Identifier: MIT
