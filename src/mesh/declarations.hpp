// The declarations of a program: checked before anything changes, compared between the processes, and stored as the
// declared part of this process.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/agreement.hpp"
#include "host/communicator.hpp"
#include "mesh/copies.hpp"
#include "mesh/dialect.hpp"
#include "mesh/objects.hpp"
#include "op2/reduction.h"

namespace op2::core {

// Which elements the declarations of several processes describe (setting OP2_DECLARE).
enum class Declare {
  automatic,  // local or replicated, as settle() finds out
  local,      // each process passes its own part, in the order of the ranks
  replicated, // each process passes the whole mesh
  root        // process 0 passes the whole mesh; arrays of other processes are ignored
};

// Two maps, the second from the target set of the first, and the columns of their composition.
struct Composition {
  const Map *first, *second;
  int dim;
};

// The rows of this process's declared part: in the program's array (borrowed), or received from process 0 (owned).
class DeclaredRows {
 public:
  explicit DeclaredRows(const void *data) : data_(data) {}
  explicit DeclaredRows(SparseMessages received)
      : messages_(std::move(received)), data_(messages_.all<char>().data()) {}
  const void *data() const { return data_; } // NULL: zeros

 private:
  SparseMessages messages_;
  const void *data_;
};

// The first of `size` elements that belongs to this process if all have equal, contiguous shares.
op_gindex share_begin(op_gindex size, int process, int processes);

// The name of the variable in what the macro op_decl_const passes, the text of an expression: "&gam" and "(double
// *)&gam" name gam.
std::string constant_label(const char *name);
// false: at this address begins another variable, or it is that of a stack or of memory that was allocated.
bool may_be_variable(const void *address, const std::string &label);

// What to do about an entry of a map that is outside, where all would be inside if maps counted from the other base; ""
// if that is not so.
std::string other_base(int map_base, op_gindex entry, op_gindex targets);

class Declarations {
 public:
  // map_base: first index in maps that are declared (0 or 1).
  Declarations(Objects &objects, Copies &copies, Communicator &communicator, Agreement &agreement, int map_base)
      : objects_(objects), copies_(copies), communicator_(communicator), agreement_(agreement), map_base_(map_base) {}

  // The caller sets the mode before the first declaration.
  void set_mode(Declare mode) { mode_ = mode; }
  Declare mode() const { return mode_; } // automatic: not decided yet
  const Dialect &dialect() const { return dialect_; }
  void set_dialect(Dialect dialect) { dialect_ = std::move(dialect); }
  int map_base() const { return map_base_; }
  // Decides mode() from the declarations so far if it is `automatic`. Collective. Throws OP_ERR_STATE if they leave
  // it open.
  void settle();

  Set &set(int size, const char *name);
  Map &map(op_set from, op_set to, int dim, const op_index *entries, const char *name);
  Map &map(op_set from, op_set to, int dim, const op_gindex *entries, const char *name);
  // compose() is for one process; distributed/redistribute/compose.hpp, for several, uses the other two.
  Map &compose(op_map first, op_map second, const char *name);
  Composition composition(op_map first, op_map second, const char *name) const;
  Map &adopt_targets(const Composition &pair, std::vector<op_gindex> targets, const char *name);
  // A set of particles without any; and a map that follows them, the composition of the one to their cells and another
  // one. Both without entries, which particles/ fills. Collective.
  Set &particles(op_set cells, const char *name, int first);
  Map &follow(op_map to_cells, op_map of_cells, const char *name);
  // data NULL = zeros. type_size 0 = take it from the type's name.
  Dat &dat(op_set set, int dim, const char *type, int type_size, const void *data, const char *name, bool temporary);
  void free_temporary(op_dat dat);
  const Constant &constant(const char *name, int dim, const char *type, int type_size, const void *data);
  void restore(const Constant &constant, const void *data); // another value of the same constant
  op_reduction reduction(const char *name, const char *type, int type_size, op_reduce_fn combine, const void *identity);
  op_global global(int dim, const char *type, int type_size, const void *value, const char *name);

  // Declarations by processes that have their declared parts already, e.g. from a file. Collective; settle() comes
  // before those of maps and dats. A set is divided equally where each process declares its own part.
  Set &set_share(op_gindex size, const char *name);
  // fill(put) reads entries piece by piece, in any order: put(at, rows, entries[rows][dim]) for rows of the declared
  // part that begin with the at-th; global numbers from `base`, where the file tells it, or from map_base(). put()
  // fails on all processes or none, with OP_ERR_RANGE, and so must fill().
  template <class Index>
  using PutEntries = std::function<void(std::int64_t at, std::int64_t rows, const Index *entries)>;
  template <class Index>
  Map &map_of_parts(op_set from, op_set to, int dim, const char *name, std::optional<int> base,
                    const std::function<void(const PutEntries<Index> &put)> &fill);
  // fill(dat) writes the values of the declared part, on all processes or none; if it throws, nothing is declared.
  Dat &dat_of_parts(op_set set, int dim, const char *type, int type_size, const char *name,
                    const std::function<void(Dat &dat)> &fill);

  // The declared part of this process in the array that the program passes for Set::passed elements. Collective under
  // Declare::root.
  DeclaredRows declared_rows(const Set &set, const void *declared, std::size_t row_bytes) const;
  // Adopts tables that the program stored in heads of maps (Dialect::replaces_tables); true if any.
  bool take_new_tables();

 private:
  void make_room_for(Constant &constant);
  bool several() const { return communicator_.size() > 1; }
  template <class Index>
  Map &checked_map(op_set from, op_set to, int dim, const Index *entries, const char *name);
  std::unique_ptr<Dat> new_dat(Set &owner, int dim, const ElementType &element, int row, const char *name) const;
  Dat *freed_like(const Dat &wanted) const;

  void need_new_name(const Set &owner, int dim, const ElementType &element, const char *name) const;
  Map &adopt_map(const Set &from, const Set &to, int dim, std::vector<int> table, const char *name);
  // For several processes (shares.cpp).
  void share(Set &set);
  void share_replicated(Set &set) const;
  std::vector<op_gindex> own_targets(const Set &from, int dim, std::vector<op_gindex> entries);
  bool same_targets(const char *map, const std::vector<op_gindex> &entries);
  bool agree_on_dat(const Set &set, int dim, const ElementType &element, int row_bytes, const char *name,
                    bool temporary, DeclaredRows &rows);
  bool decide_replicated() const;

  Objects &objects_;
  Copies &copies_;
  Communicator &communicator_;
  Agreement &agreement_;
  int map_base_;
  Declare mode_ = Declare::automatic;
  Dialect dialect_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
