// What a loop is: its kernel, its set, and its accesses to data. For op_par_loop() and for loops that the program runs
// itself.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "loop/signature/args.hpp"

namespace op2::core {

class KeptFindings;

// A call as the program made it. The variables of its globals hold the values that it reads, and take its results.
struct LoopCall {
  const op_loop_site *site; // without a kernel if the program runs the loop itself
  const char *name;
  op_set set;
  std::span<const op_arg> args;

  std::uint64_t hash() const; // of the kernel, the name and the set
};

// A copy. Sites of programs that were compiled before the type had all of its fields end earlier.
op_loop_site whole_site(const op_loop_site &site);

// All arguments of a loop that touch one dat.
struct DatUse {
  Dat *dat;
  op_access access;
  bool partial; // some rows or components may keep their old values
};

// Immutable. Refers to the set and the data, which must outlive it.
class LoopSignature {
 public:
  // Checks all arguments. Throws an Error that names the argument.
  LoopSignature(const Mesh &mesh, const LoopCall &call);

  // Whether the call has this signature; the values of globals may differ.
  bool matches(const LoopCall &call) const;
  // Equal on two processes if their loops are the same.
  std::string text() const { return loop_text(name, set, args); }
  // Throws if a dat was freed or is acquired.
  void need_dats() const;
  // Changes when the set, a map or a dat of the loop changes.
  Revision revision() const;
  bool goes_through(const Map &map) const;
  // Bytes that one call must move: every row once for each direction, however often the loop accesses it, and every map
  // column once.
  double useful_bytes(KeptFindings *kept) const; // kept: NULL, or where earlier runs have kept the number

  const std::string name;
  Set &set;
  const op_loop_site site; // its texts belong to the program
  const std::string unit;  // a digest of the text of its unit; "" if the program has none
  const std::vector<LoopArg> args;
  const std::vector<DatUse> dats;
  bool indirect = false;  // some argument goes through a map
  bool conflicts = false; // some argument writes through a map: elements may collide
  bool shares = false;    // elements use a variable one after another
  const char *type_of(std::size_t arg) const { return call_args_[arg].type ? call_types_[arg].c_str() : nullptr; }

 private:
  std::string name_of_bytes(KeptFindings &kept) const;
  double count_useful_bytes() const;
  std::vector<op_arg> call_args_;       // as in the first call
  std::vector<std::string> call_types_; // copies of their type names, whose memory the program may reuse
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
