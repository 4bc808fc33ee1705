// Where data live: storage for rows and tables, on the host and with the executor, and which copy of a dat is current.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/trace.hpp"
#include "mesh/entities.hpp"

namespace op2::core {

class Copies {
 public:
  explicit Copies(Executor &executor) : executor_(executor) {}

  // Make one copy of a dat current before an access, and note what the access did. `partial`: rows or components may
  // stay unwritten.
  void prepare_exec(Dat &dat, op_access access, bool partial);
  void prepare_host(Dat &dat, op_access access, bool partial);
  void note_exec(Dat &dat, op_access access);
  void note_host(Dat &dat, op_access access);
  // Copies of other processes' rows have come to the host's copy, or to the executor's.
  void note_exchanged(Dat &dat, bool exec, bool nonexec, bool on_exec);
  void note_exchanged(Dat &dat, const Map &map, bool on_exec); // those that this map reaches
  void note_spoilt(Dat &dat);                                  // whatever they were before
  // The same for loops on the executor. On the host a dat with a copy in another layout has two: loops that were made
  // for it use that one, all others the rows. An executor with memory of its own has the copy in the layout only.
  void prepare_loop(Dat &dat, op_access access, bool partial, bool in_layout);
  void note_loop(Dat &dat, op_access access, bool in_layout);

  // Layouts of dats that are declared from now on.
  void set_layouts(const LayoutRequest &request) { layouts_ = request; }
  Layout layout_of(const ElementType &element, int rows, int dim) const {
    return layout_for(layouts_, element, rows, dim);
  }
  // Makes the copy in the dat's layout, unless it is there. False: there is no memory for it.
  bool split(Dat &dat);
  struct Conversions {
    std::int64_t count = 0;
    double seconds = 0;
  };
  Conversions &conversions() { return conversions_; } // between layouts, so far

  // Storage for the rows of a dat, not filled in; and with first values, in the order of the declaration (NULL =
  // zeros).
  void allocate_rows(Dat &dat);
  void allocate(Dat &dat, const void *data);
  // Storage for all rows of the set, new or as large as before: the owned rows are kept in the order given (order[i] is
  // the present row that becomes row i; empty = as they are), copies are zero and stale.
  void resize(Dat &dat, std::span<const int> order);
  // Puts a table, and the executor's copy of it, in place.
  void install(Map &map, std::vector<int> table);
  // A table where the executor can read it: `remote` is its copy there, made the first time.
  const int *on_executor(const std::vector<int> &table, Storage &remote);

  // Where spans about data go; NULL = nowhere.
  void set_trace(Trace *trace) { trace_ = trace; }
  Trace *trace() const { return trace_; }
  // A span "<verb> <name of the dat>" until the end of the caller's scope.
  TraceSpan span(int lane, const char *verb, const Dat &dat, std::size_t bytes) const;

 private:
  Storage layout_copy(const Dat &dat);
  Storage table_copy(const std::vector<int> &table);
  void convert(Dat &dat, bool to_rows);
  void convert_far(Dat &dat, bool to_rows);
  void show_state(Dat &dat) const; // refresh the head's flags

  Executor &executor_;
  LayoutRequest layouts_;
  Conversions conversions_;
  Trace *trace_ = nullptr;
};

} // namespace op2::core
