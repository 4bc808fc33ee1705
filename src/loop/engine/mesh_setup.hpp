// The division of the mesh among processes and the order of its rows: settled before the first loop, or as the program
// asks. Collective.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "base/log.hpp"
#include "base/trace.hpp"
#include "distributed/declared/map_rows.hpp"
#include "distributed/halo/transport.hpp"
#include "distributed/redistribute/distribute.hpp"
#include "distributed/redistribute/renumber.hpp"
#include "loop/signature/signature.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

enum class Renumber { off, automatic, always };

struct MeshSetupOptions {
  Renumber renumber = Renumber::off; // before the first loop
  Transport transport;
  // Several processes: chooses the owners if the program has not divided the mesh before its first loop; empty = sets
  // stay as declared.
  std::function<Division(Mesh &)> choose_owners;
};

// What moves along when the mesh gets another division or order. Each function is collective.
class MovesAlong {
 public:
  virtual ~MovesAlong() = default;
  virtual void before_move() = 0; // remembers by declared numbers
  virtual void after_move() = 0;
  virtual void cancel_move() = 0; // instead of after_move(), when nothing has changed
};

// What the setup needs of those who use the mesh.
struct MeshUsers {
  std::function<void()> flush;          // runs what is recorded
  std::function<void()> finish_outside; // a loop of the program's own
  std::function<void()> forget_all;     // loops, plans and exchanges
  std::function<void()> forget_changed; // those of objects whose revision has changed
  std::function<void(const Map &, std::span<const int> rows)> map_rewritten; // rows of the map lead elsewhere
};

class MeshSetup {
 public:
  MeshSetup(Mesh &mesh, const Log &log, Trace *trace, MeshSetupOptions options, MeshUsers users)
      : mesh_(mesh),
        log_(log),
        trace_(trace),
        options_(std::move(options)),
        users_(std::move(users)),
        order_settled_(options_.renumber == Renumber::off) {}

  // NULL: nothing moves along. It must outlive the object's calls.
  void take_along(MovesAlong *along) { along_ = along; }
  // prepare() may change the order of the mesh.
  bool awaits_order() const { return !order_settled_ && mesh_.maps().size() != maps_looked_at_; }
  // Before a loop: divides and orders the mesh if that is still to be done.
  void prepare() {
    if (needs_distribution()) [[unlikely]]
      distribute_before_loop();
    if (!order_settled_) [[unlikely]]
      renumber_before_first_loop();
  }
  // The same without an order.
  void divide() {
    if (needs_distribution()) distribute_before_loop();
  }
  // As the program asks.
  void distribute(const ChooseOwners &choose);
  void renumber(const RenumberRequest &request);
  // Rows go from their owners to others; an order that the program has not asked for is made again.
  void redistribute(const ChooseOwners &choose);
  // rows: of all processes.
  void put_map_rows(Map &map, const MapRows &rows);
  // Makes halos of so many layers; rows stay where they are.
  void deepen(int halo_depth);
  int halo_depth() const { return halo_depth_; }
  // Some loops are right in the order of the declaration only; then the mesh goes back to it.
  void keep_declared_order(const LoopCall &call, const Set &set);
  DivisionTimes &division_times() { return division_times_; }

 private:
  bool needs_distribution() const;
  void distribute_before_loop();
  void renumber_before_first_loop();
  void place(const ChooseOwners &choose, bool in_place = false);
  void change(const std::function<void()> &change);
  void fill_copies();
  void rebuild_for(Map &map, const MapRows &rows);
  std::string halo_summary() const;
  DivideOptions divide_options() { return {halo_depth_, &division_times_, false}; }

  Mesh &mesh_;
  const Log &log_;
  Trace *trace_; // NULL = no trace
  MeshSetupOptions options_;
  int halo_depth_ = 1; // layers of copies, see DivideOptions
  const MeshUsers users_;
  MovesAlong *along_ = nullptr;
  DivisionTimes division_times_;
  bool renumbered_by_itself_ = false;         // by OP2_RENUMBER=auto
  bool order_settled_;                        // renumbered, found good, or renumbering is off
  bool ordered_by_program_ = false;           // by op_renumber()
  bool divided_ = false;                      // by the program, or by choose_owners
  std::size_t sets_seen_ = 0, maps_seen_ = 0; // at the last distribution
  std::size_t maps_looked_at_ = 0;            // at the last attempt to settle the order
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
