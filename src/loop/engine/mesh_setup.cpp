#include "loop/engine/mesh_setup.hpp"

#include <algorithm>
#include <new>
#include <optional>

#include "base/error.hpp"
#include "distributed/halo/halo_exchange.hpp"
#include "distributed/halo/halo_memory.hpp"

namespace op2::core {

bool MeshSetup::needs_distribution() const {
  if (!mesh_.several() || (mesh_.sets().size() == sets_seen_ && mesh_.maps().size() == maps_seen_)) return false;
  return op2::core::needs_distribution(mesh_);
}

void MeshSetup::distribute(const ChooseOwners &choose) {
  divided_ = true; // as the program says, even if that is in blocks
  place(choose);
}

void MeshSetup::deepen(int halo_depth) {
  halo_depth_ = halo_depth;
  place({});
}

void MeshSetup::redistribute(const ChooseOwners &choose) {
  place(choose, true);
  if (options_.renumber == Renumber::off || ordered_by_program_) return;
  order_settled_ = false;
  maps_looked_at_ = 0;
  renumber_before_first_loop();
}

void MeshSetup::place(const ChooseOwners &choose, bool in_place) {
  std::optional<TraceSpan> shown;
  if (trace_) shown.emplace(*trace_, trace_->subject(trace_lane::plans, "distribute"));
  users_.forget_all(); // halos of all sets are made anew
  sets_seen_ = mesh_.sets().size();
  maps_seen_ = mesh_.maps().size();
  DivideOptions options = divide_options();
  options.in_place = in_place;
  change([&] { op2::core::distribute(mesh_, choose, options); });
  if (log_.wants(OP_LOG_INFO)) log_.write(OP_LOG_INFO, halo_summary());
  if (mesh_.dialect().reads_copies) fill_copies();
}

std::string MeshSetup::halo_summary() const {
  const HaloMemory memory = halo_memory(mesh_);
  return text("halos of depth ", halo_depth_, ": ", fixed(memory.bytes, 0), " bytes on this process, ",
              fixed(memory.at_most, 0), " were expected at most");
}

void MeshSetup::fill_copies() {
  for (const auto &dat : mesh_.dats())
    if (!dat->freed) bring_copies(mesh_, *dat, options_.transport);
}

// Once the best division there is; what is declared later joins it as it is. A program's first loops may run on sets
// that no map connects yet: they stay in blocks, and the mesh is divided when it is there.
void MeshSetup::distribute_before_loop() {
  mesh_.declare().settle();
  Division division;
  if (!divided_ && options_.choose_owners) division = options_.choose_owners(mesh_);
  divided_ = divided_ || division.settled;
  place(division.choose);
}

void MeshSetup::renumber(const RenumberRequest &request) {
  users_.finish_outside(); // messages may still come to rows that are about to move
  divide();
  RenumberResult result;
  change([&] { result = op2::core::renumber(mesh_, request, divide_options()); });
  order_settled_ = ordered_by_program_ = true; // the program knows best
  renumbered_by_itself_ = false;
  if (result.changed) users_.forget_changed();
  log_.write(OP_LOG_INFO, text("op_renumber(): ", result.summary));
}

void MeshSetup::put_map_rows(Map &map, const MapRows &rows) {
  if (rows.elements.empty()) return;
  users_.finish_outside();
  ++map.rewritten;
  if (mesh_.several() && !map.built) return write_targets_of_map(map, rows);
  const bool suffices = halo_depth_ == 1 && halos_suffice(mesh_, map, rows);
  if (mesh_.several() && mesh_.communicator().min(suffices ? 1 : 0) == 0) return rebuild_for(map, rows);
  change([&] {
    const std::vector<int> written = write_rows_of_map(mesh_, map, rows);
    users_.map_rewritten(map, written);
  });
}

void MeshSetup::rebuild_for(Map &map, const MapRows &rows) {
  std::optional<TraceSpan> shown;
  if (trace_) shown.emplace(*trace_, trace_->subject(trace_lane::plans, "halos of changed maps"));
  users_.forget_all(); // halos of all sets are made anew
  change([&] {
    redistribute_rewritten(
        mesh_, [&] { write_targets_of_map(map, rows); }, divide_options());
  });
  log_.write(OP_LOG_INFO, text("map '", map.label, "' leads to rows without copies on some process; ", halo_summary()));
  if (mesh_.dialect().reads_copies) fill_copies();
}

// Particles lie where their cells are.
void MeshSetup::change(const std::function<void()> &change) {
  users_.flush();
  if (!along_) return change();
  along_->before_move();
  try {
    change();
  } catch (const Error &error) {
    // One process has changed nothing; what several have refused together may have moved rows before.
    if (!mesh_.several())
      along_->cancel_move();
    else if (error.agreed && !error.poisons)
      along_->after_move();
    throw;
  }
  along_->after_move();
}

// Small sets say nothing about the mesh, so a program's first loops may come before its mesh does.
void MeshSetup::renumber_before_first_loop() {
  if (mesh_.maps().size() == maps_looked_at_ || mesh_.objects().host_view_open()) return;
  maps_looked_at_ = mesh_.maps().size();
  const bool always = options_.renumber == Renumber::always;
  RenumberResult result;
  try {
    change([&] {
      if (always) {
        result = op2::core::renumber(mesh_, {}, divide_options());
        order_settled_ = result.changed;
      } else {
        const AutomaticResult found = renumber_if_it_pays(mesh_, divide_options());
        order_settled_ = found.settled;
        renumbered_by_itself_ = found.changed;
        result = found;
      }
    });
  } catch (const std::bad_alloc &) { // nothing has changed, and the program can do without
    order_settled_ = true;
    result.summary = "there is no memory for another order; the mesh stays as it is";
  }
  if (!order_settled_) return;
  if (result.changed) users_.forget_changed();
  log_.write(OP_LOG_INFO, text("OP2_RENUMBER=", always ? "always" : "auto", ": ", result.summary));
}

namespace {

// A range function that counts elements itself knows only their places, and these differ from the numbers of the
// declaration when a set is in parts.
void need_countable(const LoopCall &call) {
  if (call.site->element || (call.site->flags & OP_SITE_INDEX_BY_KIND)) return;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    if (call.args[i].argtype != OP_ARG_IDX) continue;
    Error error(OP_ERR_UNSUPPORTED,
                "the loop has only a range function that counts elements itself, which several processes cannot run; "
                "compile it with this version of op2/loop.h, or give the kernel beside it");
    error.arg = static_cast<int>(i);
    throw error;
  }
}

} // namespace

// Some loops are right in the order of the declaration only; then the mesh goes back to it.
void MeshSetup::keep_declared_order(const LoopCall &call, const Set &set) {
  if (mesh_.several()) return need_countable(call);
  if (!mesh_.objects().renumbered()) return;
  const auto any = [&](auto &&is) { return std::any_of(call.args.begin(), call.args.end(), is); };
  std::string why;
  if (!call.site->element && !(call.site->flags & OP_SITE_INDEX_BY_KIND) &&
      any([](const op_arg &arg) { return arg.argtype == OP_ARG_IDX; }))
    why =
        "has only a range function that counts elements itself, and uses op_arg_idx; compile it with this version of "
        "op2/loop.h, or give the kernel beside it";
  else if (renumbered_by_itself_ && set.renumbered() && any([](const op_arg &arg) { return arg.acc == OP_REDUCE; }))
    why =
        "has a reduction of the program's own, which may depend on the order of the elements; if it does not, say "
        "OP2_RENUMBER=always";
  if (why.empty()) return;
  change([&] { restore_declared_order(mesh_); });
  users_.forget_changed();
  log_.write(renumbered_by_itself_ ? OP_LOG_INFO : OP_LOG_WARN,
             text("loop '", call.name, "' on set '", set.label, "' ", why,
                  ". The mesh goes back to the order of its declaration"));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
