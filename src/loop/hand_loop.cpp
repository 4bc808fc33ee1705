#include "loop/hand_loop.hpp"

#include "base/error.hpp"

namespace op2::core {

HandLoop::HandLoop(Mesh &mesh, HaloExchanges &exchanges, const ExchangeOptions &options, op_set set,
                   std::span<const op_arg> args)
    : mesh_(mesh),
      set_(mesh.set(set, "the set")),
      call_args_(args.begin(), args.end()),
      args_(resolve_args(mesh, set_, args)),
      exchange_(mesh, exchanges, options) {
  for (const op_arg &arg : args) types_.emplace_back(arg.type ? arg.type : "");
  if (!mesh_.several()) return;
  mesh_.agreement().agree(loop_text("of the program's own", set_, args_));
  for (const LoopArg &arg : args_) {
    exchanges_ = exchanges_ || arg.through_map();
    copies_ = copies_ || (arg.through_map() && writes_new(arg.access));
  }
  if (exchanges_) exchange_.prepare(args_, copies_);
  exchange_.move_to_host();
}

bool HandLoop::matches(op_set set, std::span<const op_arg> args) const {
  if (set != &set_ || args.size() != call_args_.size()) return false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const op_arg &a = args[i], &b = call_args_[i];
    const bool same = a.argtype == b.argtype && a.dat == b.dat && a.map == b.map && a.idx == b.idx && a.acc == b.acc &&
                      a.dim == b.dim && a.opt == b.opt && types_[i] == (a.type ? a.type : "");
    if (!same || (a.argtype != OP_ARG_DAT && a.size != b.size)) return false; // variables may be others each time
  }
  return true;
}

void HandLoop::need_dats() const {
  for (const LoopArg &arg : args_) {
    if (!arg.dat) continue;
    if (arg.dat->freed) fail(OP_ERR_HANDLE, "temporary dat '", arg.dat->label, "' was freed");
    if (arg.dat->acquired >= 0)
      fail(OP_ERR_STATE, "dat '", arg.dat->label, "' is acquired; call op_dat_release() before loops use it");
  }
}

int HandLoop::begin() {
  if (mesh_.several() && mesh_.agreement().errors_return()) // a program that goes on must not leave others waiting
    mesh_.agreement().together("a loop of the program's own", [&] {
      need_dats();
      return 0;
    });
  else
    need_dats();
  try {
    if (exchanges_) exchange_.before(stats_);
    for (const LoopArg &arg : args_)
      if (arg.dat) mesh_.prepare_host(*arg.dat, arg.access, true);
    if (exchanges_) {
      exchange_.start();
      exchange_.send();
    }
  } catch (Error &error) {
    if (exchanges_) exchange_.give_up();
    error.poisons = true;
    throw;
  }
  return copies_ ? set_.executed() : set_.size;
}

void HandLoop::finish() {
  if (exchanges_) exchange_.finish(stats_);
}

} // namespace op2::core
