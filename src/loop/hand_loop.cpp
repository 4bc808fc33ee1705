#include "loop/hand_loop.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace op2::core {

HandLoop::HandLoop(Mesh &mesh, HaloExchanges &exchanges, const ExchangeOptions &options, const LoopCall &call)
    : mesh_(mesh),
      what_(mesh, call),
      revision_(what_.revision()),
      exchanges_(mesh.several() && what_.indirect),
      exchange_(mesh, exchanges, options) {
  if (mesh_.several()) mesh_.agreement().agree(what_.text());
  if (exchanges_) exchange_.prepare(what_.args, what_.conflicts);
}

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
    if (exchanges_) exchange_.abort(true);
    error.poisons = true;
    throw;
  }
  return mesh_.several() && what_.conflicts ? what_.set.executed() : what_.set.size;
}

void HandLoop::finish() {
  if (exchanges_) exchange_.wait(stats_);
}

int HandLoops::begin(op_set set, std::span<const op_arg> args) {
  const op_loop_site no_site{};
  const LoopCall call{&no_site, "of the program's own", set, args};
  const auto known = std::ranges::find_if(known_, [&](const auto &loop) { return loop->matches(call); });
  HandLoop *loop = known == known_.end() ? nullptr : known->get();
  if (!loop) {
    known_.push_back(mesh_.agreement().together(
        "a loop of the program's own", [&] { return std::make_unique<HandLoop>(mesh_, exchanges_, options_, call); }));
    loop = known_.back().get();
  }
  open_ = loop;
  return loop->begin();
}

} // namespace op2::core
