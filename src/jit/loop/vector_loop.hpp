// Writes the vector form of a loop: W elements at once, the remaining ones one by one.
//   vector_loop.cpp   what a loop must be like, globals, the order of everything
//   vector_rows.cpp   rows to lanes and back, in every layout and through every map
//   vector_grouped.cpp  rows that receive increments in runs, as whole vectors
//   vector_call.cpp   the call of the kernel in lanes, or of the kernel as it is for each lane
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "jit/lanes/lanes.hpp"
#include "jit/loop/deferred.hpp"
#include "jit/loop/grouped.hpp"
#include "jit/loop/loop_parts.hpp"
#include "jit/loop/runs.hpp"

namespace op2::core::jit {

class VectorLoop {
 public:
  VectorLoop(const LoopParts &parts, int lanes, int value_bytes)
      : p_(parts),
        lanes_(lanes),
        value_bytes_(value_bytes),
        period_(usable_period(parts, lanes)),
        grouped_(grouped_dats(parts, lanes, period_)),
        register_columns_(register_columns(parts, period_)) {}

  void check() const; // throws Refusal if vectors would be wrong or do not pay
  std::vector<Use> uses() const;
  // members: of the kernel in lanes; "" = the compiler makes vectors of the kernel as it is.
  std::string write(const std::string &members);

 private:
  static constexpr int most_values = 64; // values of one argument in vectors

  // A read-only global too large to be broadcast to lanes.
  bool uniform(int i) const {
    return p_.arg(i).kind == OP_RANGE_GLOBAL && p_.arg(i).access == OP_READ && p_.arg(i).dim > most_values;
  }
  bool reduced(int i) const { return p_.arg(i).kind == OP_RANGE_GLOBAL && p_.arg(i).access != OP_READ; }
  bool shares_load(int i) const { return p_.arg(i).access == OP_READ && p_.is_row(i) && p_.same_row(i) != i; }
  bool has_payload(int i) const { return p_.has_payload(i); }
  int antisymmetric_to(int i) const;
  bool adds() const {
    for (int i = 0; i < p_.nargs(); ++i)
      if (p_.added(i)) return true;
    return false;
  }
  // The type of the lanes, and the name of their rows: `own`, or through column j of argument i.
  std::string type(int i) const { return text("lanes<", p_.type(i), ", ", lanes_, ">"); }
  std::string rows(int i, int j) const {
    return p_.has_map(i) ? text("m", p_.same_column(i), j > 0 ? text("_", j) : "") : "own";
  }
  // The same as positions of first components, for layouts other than AoS. found: the name from rows().
  std::string variable(int i) const { return text("p", shares_load(i) ? p_.same_row(i) : i); }
  int values(int i) const { return p_.arg(i).dim * p_.pointers(i); }

  // Written by non-temporal stores: whole rows that are not read, in aligned pieces of at least 16 bytes.
  bool streams(int i) const {
    const ArgShape &arg = p_.arg(i);
    if (p_.split(i))
      return p_.shape().stream && arg.kind == OP_RANGE_DIRECT && arg.access == OP_WRITE && lanes_ * arg.type_size >= 16;
    return p_.shape().stream && arg.kind == OP_RANGE_DIRECT && arg.access == OP_WRITE &&
           (arg.dim & (arg.dim - 1)) == 0 &&
           (arg.dim == 1 ? lanes_ : std::min(arg.dim, lanes_)) * arg.type_size >= 16; // pieces of a row: rows.h
  }

  // W elements at once. Increments of rows wait in op2_added for their turn.
  struct RowAccess { // how to find the rows
    bool run;        // false: through the maps
    int step, phase; // the elements n + phase, n + phase + step, ...
    const char *first = "n";
  };
  struct RowFinder {
    std::string name, found;
  };
  std::vector<RowFinder> row_finders(const RowAccess &access) const;
  void write_added(CodeWriter &out) const;
  void write_elements(CodeWriter &out) const;
  // but: without those of these dats.
  std::string increments(CodeWriter &out, const RowAccess &access, const std::vector<GroupedDat> &but) const;
  bool looks_behind() const;
  std::string first_row(const GroupedColumn &column, const char *first) const;
  std::string fits_groups(const char *first) const;
  void write_group(CodeWriter &out, const GroupedDat &dat) const;
  void write_group_states(CodeWriter &out) const;
  void write_settling(CodeWriter &out) const;
  void write_change_of_rows(CodeWriter &out) const;
  void write_grouped_blocks(CodeWriter &out) const;
  void write_block(CodeWriter &out, const std::vector<RowAccess> &accesses) const;
  void write_blocks(CodeWriter &out) const;
  void write_deferred_blocks(CodeWriter &out) const;
  void write_deferred_adding(CodeWriter &out, const RowAccess &access) const;
  const RegisterColumn *register_column_of(int i) const; // of the dat of argument i; NULL if there is none
  void write_register_rows(CodeWriter &out, bool last) const;

  void write_globals(CodeWriter &out) const;
  void write_loads(CodeWriter &out, int i) const;
  void write_call(CodeWriter &out) const;
  void write_one_lane(CodeWriter &out) const;
  void write_lane_calls(CodeWriter &out) const;
  void write_winners(CodeWriter &out) const;
  void write_stores(CodeWriter &out) const;
  void write_folds(CodeWriter &out) const;
  void write_prefetch(CodeWriter &out) const;
  void write_run_prefetch(CodeWriter &out) const;
  bool asked_for(int i) const;
  bool last_of_dat(int i) const;
  void write_requests(CodeWriter &out, int behind, const std::string &requests) const;
  void write_split_loads(CodeWriter &out, int i) const;
  void write_by_element(CodeWriter &out) const;

  const LoopParts &p_;
  int lanes_;
  int value_bytes_; // 8 or 4: of the widest type used
  int period_;      // of runs, 0: none
  std::vector<GroupedDat> grouped_;
  std::vector<RegisterColumn> register_columns_;
  bool by_compiler_ = false;
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
