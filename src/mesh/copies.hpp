// Storage for rows and tables, on the host and with the executor, and the state of each copy of a dat.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/trace.hpp"
#include "mesh/entities.hpp"

namespace op2::core {

class DevicePager;
class PagedData;

class Copies {
 public:
  explicit Copies(Executor &executor) : executor_(executor) {}

  // prepare: makes one copy of a dat current before an access. note: records the access. `partial`: the access may
  // leave rows or components unwritten.
  void prepare_exec(Dat &dat, op_access access, bool partial);
  void prepare_host(Dat &dat, op_access access, bool partial);
  void note_exec(Dat &dat, op_access access);
  void note_host(Dat &dat, op_access access);
  // Halo rows have arrived in the host's copy, or in the executor's (on_exec).
  void note_exchanged(Dat &dat, bool exec, bool nonexec, bool on_exec);
  void note_exchanged(Dat &dat, const Map &map, bool on_exec); // the ones this map reaches
  void note_spoilt(Dat &dat);                                  // marks all halo rows as stale
  void note_current(Dat &dat, int level);                      // halo rows are current to Coherence::current_to()
  // The same for loops on the executor. Where the executor uses host memory, a dat in another layout has two copies:
  // loops prepared for the layout (in_layout) use it, other loops the rows. Separate memory has the layout only.
  void prepare_loop(Dat &dat, op_access access, bool partial, bool in_layout);
  void note_loop(Dat &dat, op_access access, bool in_layout);

  // Keeps what is allocated later within a limit of memory; NULL = there is none.
  void set_paged(PagedData *paged) { paged_ = paged; }
  // Keeps the executor's copies within a limit of its memory; NULL = there is none.
  void set_device_pager(DevicePager *pager) { device_ = pager; }
  // Sets the layouts of later declarations of dats.
  void set_layouts(const LayoutRequest &request) { layouts_ = request; }
  Layout layout_of(const ElementType &element, int rows, int dim) const {
    return layout_for(layouts_, element, rows, dim);
  }
  // Makes the copy in the dat's layout if it does not exist. False: out of memory.
  bool split(Dat &dat);
  struct Conversions {
    std::int64_t count = 0;
    double seconds = 0;
  };
  Conversions &conversions() { return conversions_; } // between layouts, since the start

  // Storage for the rows of a dat: uninitialised; or with the values of `data`, in the order of the declaration (NULL =
  // zeros). Throw OP_ERR_MEMORY.
  void allocate_rows(Dat &dat);
  void allocate(Dat &dat, const void *data);
  // New storage for all rows of the set. Owned row i keeps the values of the present row order[i] (empty = of row i);
  // halo rows are zero and stale.
  void resize(Dat &dat, std::span<const int> order);
  // New storage for the room of a set of particles; the rows that are there keep their values.
  void grow(Dat &dat);
  // Replaces the table of a map and the executor's copy of it. paged: what page_empty() returned for the table.
  void install(Map &map, std::vector<int> table, PagedArray paged = {});
  // For a table that has room for its entries and none of them yet: filled row by row, no more of it is in memory than
  // may be.
  PagedArray page_empty(std::vector<int> &table, const std::string &map) const;
  // The map's table has other entries now, at the same address; `room`: so many may there be. Makes the executor's
  // copy.
  void refilled(Map &map, std::size_t room);
  // The address of a table for the executor. In separate memory that is `remote`, which the first call fills.
  const int *on_executor(const std::vector<int> &table, Storage &remote);

  // The trace for spans about data; NULL = none.
  void set_trace(Trace *trace) { trace_ = trace; }
  Trace *trace() const { return trace_; }
  // A span "<verb> <name of the dat>", which ends with the returned object.
  TraceSpan span(int lane, const char *verb, const Dat &dat, std::size_t bytes) const;

 private:
  Storage layout_copy(const Dat &dat);
  Storage table_copy(const std::vector<int> &table);
  Storage map_copy(Map &map);
  void convert(Dat &dat, bool to_rows);
  void convert_far(Dat &dat, bool to_rows);
  void show_state(Dat &dat) const; // sets the flags of the public head

  Executor &executor_;
  LayoutRequest layouts_;
  Conversions conversions_;
  Trace *trace_ = nullptr;
  PagedData *paged_ = nullptr;
  DevicePager *device_ = nullptr;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
