// What a loop is: its kernel, its set, and what it does with which data. One for op_par_loop() and for loops that
// the program runs by hand.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "loop/args.hpp"

namespace op2::core {

// A call as the program made it. The variables of its globals hold the values that it reads, and take its results.
struct LoopCall {
  const op_loop_site *site; // by hand: one without a kernel
  const char *name;
  op_set set;
  std::span<const op_arg> args;

  std::uint64_t hash() const; // of the kernel, the name and the set
};

// All arguments of a loop that touch one dat.
struct DatUse {
  Dat *dat;
  op_access access;
  bool partial; // some rows or components may keep their old values
};

// Lives as long as the set and the data, and refers to them. It stays what it is.
class LoopSignature {
 public:
  // Checks everything. Throws an Error that names the argument.
  LoopSignature(const Mesh &mesh, const LoopCall &call);

  // Is it that of this call? Compares what was checked; the values of globals may differ.
  bool matches(const LoopCall &call) const;
  // The same on all processes that mean the same.
  std::string text() const { return loop_text(name, set, args); }
  // Throws when a dat is not there any more, or acquired.
  void need_dats() const;
  // Of all that it names together: another number means that something has changed.
  Revision revision() const;
  // That one call moves, in bytes: every row counted once for each direction it must move in, however often the loop
  // meets it, and every map column once.
  double useful_bytes() const;

  const std::string name;
  Set &set;
  const op_loop_site site; // its texts belong to the program
  const std::vector<LoopArg> args;
  const std::vector<DatUse> dats;
  bool indirect = false;  // some argument goes through a map
  bool conflicts = false; // some is written through one: elements may collide
  bool shares = false;    // elements use a variable one after another
  const char *type_of(std::size_t arg) const { return call_args_[arg].type ? call_types_[arg].c_str() : nullptr; }

 private:
  std::vector<op_arg> call_args_;       // as in the first call
  std::vector<std::string> call_types_; // their type names: the program may reuse the memory of its own
};

} // namespace op2::core
