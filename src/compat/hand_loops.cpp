#include "compat/hand_loops.hpp"

#include "base/error.hpp"
#include "loop/signature/signature.hpp"

namespace op2::core {

class HandLoop : public OutsideLoop {
 public:
  // Collective.
  HandLoop(Mesh &mesh, HaloExchanges &exchanges, const ExchangeOptions &options, const LoopCall &call)
      : mesh_(mesh),
        what_(mesh, call),
        revision_(what_.revision()),
        exchanges_(mesh.several() && what_.indirect),
        exchange_(mesh, exchanges, options) {
    if (mesh_.several()) mesh_.agreement().agree(what_.text());
    if (exchanges_) exchange_.prepare(what_.args, what_.conflicts);
  }

  bool matches(const LoopCall &call) const { return what_.matches(call); }
  bool valid() const { return what_.revision() == revision_; } // as Loop::valid()
  int begin();
  void finish() override {
    if (exchanges_) exchange_.wait(stats_);
  }

 private:
  Mesh &mesh_;
  const LoopSignature what_;
  const Revision revision_;
  const bool exchanges_;
  LoopExchange exchange_;
  LoopStats stats_; // in no table: the library cannot measure the loop
};

int HandLoop::begin() {
  if (mesh_.several() && mesh_.agreement().errors_return()) // a program that goes on must not leave others waiting
    mesh_.agreement().together("a loop of the program's own", [&] {
      what_.need_dats();
      return 0;
    });
  else
    what_.need_dats();
  try {
    if (exchanges_) {
      exchange_.find_stale(true, stats_);
      exchange_.exchange(stats_);
    }
    for (const DatUse &use : what_.dats) mesh_.copies().prepare_host(*use.dat, use.access, true);
    if (exchanges_) {
      exchange_.post();
      exchange_.send();
    }
  } catch (Error &error) {
    if (exchanges_) exchange_.cancel(true);
    error.poisons = true;
    throw;
  }
  return mesh_.several() && what_.conflicts ? what_.set.executed() : what_.set.size;
}

HandLoops::HandLoops(Mesh &mesh, Engine &engine, const ExchangeOptions &options, const Transport &transport,
                     const Log &log)
    : mesh_(mesh), engine_(engine), options_(options), exchanges_(transport, &log) {}

HandLoops::~HandLoops() = default;

HandLoop &HandLoops::find(const LoopCall &call) {
  std::erase_if(loops_, [](const auto &loop) { return !loop->valid(); });
  exchanges_.forget_invalid();
  for (const auto &known : loops_)
    if (known->matches(call)) return *known;
  loops_.push_back(mesh_.agreement().together(
      "a loop of the program's own", [&] { return std::make_unique<HandLoop>(mesh_, exchanges_, options_, call); }));
  return *loops_.back();
}

int HandLoops::begin(op_set set, std::span<const op_arg> args) try {
  engine_.finish_outside();
  engine_.mesh_setup().divide();
  const op_loop_site no_site{};
  HandLoop &loop = find({&no_site, "of the program's own", set, args});
  engine_.begin_outside(loop);
  return loop.begin();
} catch (Error &error) {
  error.loop = "by hand";
  throw;
}

void HandLoops::update_copies(Dat &dat) {
  engine_.finish_outside();
  engine_.mesh_setup().divide();
  if (mesh_.several() && (dat.state.exec_stale() || dat.state.nonexec_stale()))
    bring_copies(mesh_, dat, exchanges_.transport());
  mesh_.copies().prepare_host(dat, OP_READ, true);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
