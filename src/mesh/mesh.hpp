// All that a program declared: the owner of sets, maps, dats, constants and reductions, and of the truth about data.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/trace.hpp"
#include "host/agreement.hpp"
#include "host/communicator.hpp"
#include "host/executor.hpp"
#include "mesh/dialect.hpp"
#include "mesh/entities.hpp"

namespace op2::core {

// How several processes mean their declarations (setting OP2_DECLARE).
enum class Declare {
  automatic,  // as local or replicated: what they declared tells
  local,      // each its own part, in the order of the processes
  replicated, // each everything
  root        // process 0 everything; what the others pass does not count
};

// Two maps that fit, and the columns of both one after the other.
struct Composition {
  const Map *first, *second;
  int dim;
};

// The rows of this process's home part: where the program has them, or sent by the process that has them.
class Link; // distributed/halo/link.hpp

class HomeRows {
 public:
  explicit HomeRows(const void *data) : data_(data) {}
  explicit HomeRows(Mail mail) : mail_(std::move(mail)), data_(mail_.all<char>().data()) {}
  const void *data() const { return data_; } // NULL: zeros

 private:
  Mail mail_;
  const void *data_;
};

// Where the contiguous share of one of `processes` in `size` elements begins.
idx_g_t share_begin(idx_g_t size, int process, int processes);

class Mesh {
 public:
  // map_base: first index in maps that are declared (0 or 1).
  Mesh(Executor &executor, Communicator &communicator, int map_base);

  // With several processes, to be called before the first declaration.
  void set_declare(Declare how) { declare_ = how; }
  Declare declare() const { return declare_; } // automatic: not known yet
  // Layers of copies of other processes' rows that halos are made with, see distributed/halo/halo_build.hpp; >= 1, the
  // same on all.
  void set_halo_depth(int layers) { halo_depth_ = layers; }
  int halo_depth() const { return halo_depth_; }
  const Dialect &dialect() const { return dialect_; }
  void set_dialect(Dialect dialect) { dialect_ = std::move(dialect); }
  // See Dialect::replaces_tables(). True: some are replaced, and the new ones count.
  bool take_new_tables();
  bool knows(const void *handle) const { return live_.count(handle) > 0; }
  bool several() const { return communicator_.size() > 1; }
  // Settles how the declarations so far are meant, if that is open. Collective. Throws OP_ERR_STATE when it cannot be
  // told.
  void settle();
  Agreement &agreement() { return agreement_; }
  // Storage for all rows of the set, new or as large as before: the owned rows are kept in the order given (order[i] is
  // the present row that becomes row i; empty = as they are), copies are zero and stale.
  void resize(Dat &dat, std::span<const int> order);
  // From what the program passes for the elements of a set (`declared` ones, as set_declare() says) to its home part.
  // Collective under Declare::root.
  HomeRows home_rows(const Set &set, const void *declared, std::size_t row_bytes) const;
  // Puts a table, and the executor's copy of it, in place.
  void install(Map &map, std::vector<int> table);

  Set &declare_set(int size, const char *name);
  Map &declare_map(op_set from, op_set to, int dim, const idx_l_t *entries, const char *name);
  Map &declare_map(op_set from, op_set to, int dim, const idx_g_t *entries, const char *name);
  // One process; distributed/redistribute/compose.hpp has it for any number, and uses the other two.
  Map &compose(op_map first, op_map second, const char *name);
  Composition composition(op_map first, op_map second, const char *name) const;
  Map &adopt_targets(const Composition &pair, std::vector<idx_g_t> targets, const char *name);
  // data NULL = zeros. type_size 0 = take it from the type's name.
  Dat &declare_dat(op_set set, int dim, const char *type, int type_size, const void *data, const char *name,
                   bool temporary);
  // Of what every process has its home part of already. Collective; with several processes it must be settled how
  // declarations are meant, but for sets, which are divided equally where processes declare parts.
  Set &declare_share(idx_g_t size, const char *name);
  // entries[home_size][dim]: numbers as maps are given. Throws OP_ERR_RANGE.
  template <class Index>
  Map &declare_map_at_home(op_set from, op_set to, int dim, std::vector<Index> entries, const char *name);
  // fill(rows[home_size][dim]) writes the values in the order of the declaration; when it throws, nothing is declared.
  // Not for sets that are distributed.
  Dat &declare_dat_at_home(op_set set, int dim, const char *type, int type_size, const char *name,
                           const std::function<void(char *rows)> &fill);
  void free_temporary(op_dat dat);
  const Constant &declare_constant(const char *name, int dim, const char *type, int type_size, const void *data);
  op_reduction declare_reduction(const char *name, const char *type, int type_size, op_reduce_fn combine,
                                 const void *identity);

  // From a handle to the object. Throw OP_ERR_HANDLE for NULL and for everything that is not a live object; `what`
  // names the argument: "argument 'from'".
  Set &set(op_set handle, const std::string &what) const;
  Map &map(op_map handle, const std::string &what) const;
  Dat &dat(op_dat handle, const std::string &what) const;
  const op_reduction_core &reduction(op_reduction handle, const std::string &what) const;

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

  // Where messages between processes lie that the executor packs; OP_SPACE_NONE: rows go through the host.
  // Exchanges with a message longer than `limit` bytes take `beyond`; 0: all take `space`.
  void set_transport(op_space space, std::size_t limit = 0, op_space beyond = OP_SPACE_NONE) {
    transport_ = space;
    transport_limit_ = limit;
    transport_beyond_ = beyond;
  }
  op_space transport(std::size_t longest_message) const {
    return transport_limit_ > 0 && longest_message > transport_limit_ ? transport_beyond_ : transport_;
  }
  // What brings them from device to device instead; NULL = nothing does.
  void set_link(Link *link) { link_ = link; }
  Link *link() const { return link_; }
  // Layouts of dats that are declared from now on.
  void set_layouts(const LayoutWish &wish) { layouts_ = wish; }
  // Makes the copy in the dat's layout, unless it is there. False: there is no memory for it.
  bool split(Dat &dat);
  struct Conversions {
    std::int64_t count = 0;
    double seconds = 0;
  };
  Conversions &conversions() { return conversions_; } // between layouts, so far

  // Gives sets another order: orders[set->index][i] is the present row that becomes row i; empty = as it is. Moves rows
  // of maps and dats and translates entries of maps; pointers to them stay valid. No window may be open, and whoever
  // keeps something that follows from maps must forget it.
  void reorder(const std::vector<std::vector<int>> &orders);
  bool renumbered() const;  // is some set in another order than it was declared in?
  bool window_open() const; // is some dat acquired?
  bool has_reductions() const { return !reductions_.empty(); }
  // The numbers of the declaration, where the executor's loops can read them: of the elements of a renumbered set
  // [size], and of what a map to one leads to [from->size][dim]. Valid until the next reorder().
  const int *element_numbers(const Set &set);
  const int *target_numbers(const Map &map);
  const int *target_numbers_on_host(const Map &map); // where the host can
  // The same from 1, of sets in any order; of_rows: places of rows on this process instead. One mesh asks for one of
  // both only. Where the executor or (here = false) the host can read them.
  const int *element_numbers_from_one(const Set &set, bool of_rows, bool here);
  const int *target_numbers_from_one(const Map &map, bool of_rows, bool here);

  // What dividing the mesh among processes took, so far.
  struct DivisionTimes {
    double partition = 0; // finding out who owns what
    double move = 0;      // bringing rows there
    double halo = 0;      // making halos
  };
  DivisionTimes &division_times() { return division_times_; }

  // Where spans about data go; NULL = nowhere.
  void set_trace(Trace *trace) { trace_ = trace; }
  Trace *trace() const { return trace_; }
  // A span "<verb> <name of the dat>" until the end of the caller's scope.
  TraceSpan span(int lane, const char *verb, const Dat &dat, std::size_t bytes) const;

  const std::vector<std::unique_ptr<Set>> &sets() const { return sets_; }
  const std::vector<std::unique_ptr<Map>> &maps() const { return maps_; }
  const std::vector<std::unique_ptr<Dat>> &dats() const { return dats_; } // freed ones too
  const std::vector<Constant> &constants() const { return constants_; }
  // How often a constant has got another type or number of values. Otherwise values stay where they are.
  int constants_changed() const { return constants_changed_; }
  int map_base() const { return map_base_; } // first index in maps that are declared
  Executor &executor() const { return executor_; }
  Communicator &communicator() const { return communicator_; }

 private:
  template <class Index>
  Map &declare_map_checked(op_set from, op_set to, int dim, const Index *entries, const char *name);
  template <class Object>
  Object &checked(const std::vector<std::unique_ptr<Object>> &objects, const void *handle, const std::string &what,
                  const char *kind) const;
  std::unique_ptr<Dat> new_dat(Set &owner, int dim, const ElementType &element, int row, const char *name) const;
  Dat &adopt_dat(std::unique_ptr<Dat> object);
  Map &adopt_map(const Set &from, const Set &to, int dim, std::vector<int> table, const char *name);
  // Several processes (shares.cpp).
  void share(Set &set);
  void share_replicated(Set &set) const;
  idx_g_t most_targets(const Set &set) const;
  std::vector<idx_g_t> own_targets(const Set &from, int dim, std::vector<idx_g_t> entries);
  bool same_targets(const char *map, const std::vector<idx_g_t> &entries);
  bool agree_on_dat(const Set &set, int dim, const ElementType &element, int row_bytes, const char *name,
                    bool temporary, HomeRows &rows);
  bool decide_replicated() const;
  // From the order of the declaration to the library's: rows and entries of a map.
  void translate(std::vector<int> &table, const Set &from, const Set &to, int dim) const;
  static void forget_numbers(Map &map);
  const int *on_executor(const std::vector<int> &table, Storage &remote);
  void allocate_rows(Dat &dat);              // storage
  void allocate(Dat &dat, const void *data); // and first values; NULL = zeros
  Storage layout_copy(const Dat &dat);
  void convert(Dat &dat, bool to_rows);
  void convert_far(Dat &dat, bool to_rows);
  void show_state(Dat &dat) const; // refresh the head's flags

  Executor &executor_;
  Communicator &communicator_;
  Agreement agreement_;
  int map_base_;
  Declare declare_ = Declare::automatic;
  int halo_depth_ = 1;
  Dialect dialect_;
  op_space transport_ = OP_SPACE_NONE, transport_beyond_ = OP_SPACE_NONE;
  std::size_t transport_limit_ = 0;
  Link *link_ = nullptr;
  LayoutWish layouts_;
  Conversions conversions_;
  DivisionTimes division_times_;
  Trace *trace_ = nullptr;
  std::vector<std::unique_ptr<Set>> sets_;
  std::vector<std::unique_ptr<Map>> maps_;
  std::vector<std::unique_ptr<Dat>> dats_;
  std::vector<Constant> constants_;
  int constants_changed_ = 0;
  std::vector<std::vector<char>> retired_values_; // of constants that have changed their type: old code may point there
  std::vector<std::unique_ptr<op_reduction_core>> reductions_;
  std::unordered_set<const void *> live_; // addresses of all objects
};

} // namespace op2::core
