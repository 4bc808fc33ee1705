#include "loop/fuse/groups.hpp"

#include <algorithm>

#include "loop/fuse/merged_kernel.hpp"

namespace op2::core {

namespace {

bool changes(const LoopArg &arg) { return arg.dat && arg.access != OP_READ; }

bool reduces(const LoopSignature &loop) {
  return std::ranges::any_of(loop.args, [](const LoopArg &arg) { return arg.reduces(); });
}

// By itself: elements that change a row of others keep their order, and so do reductions of the program's own.
bool fuses(const LoopSignature &loop) {
  return !loop.set.particles && !loop.shares && std::ranges::none_of(loop.args, [](const LoopArg &arg) {
    return arg.kind == OP_RANGE_OFF || arg.reduction || (changes(arg) && arg.map);
  });
}

bool fit(const LoopSignature &a, const LoopSignature &b) {
  if (&a.set != &b.set) return false;
  for (const LoopArg &x : a.args)
    for (const LoopArg &y : b.args)
      if (x.dat && x.dat == y.dat && (changes(x) || changes(y)) && (x.map || y.map)) return false;
  return true;
}

// The merged code calls the generated code of each loop when it is tried, and must reduce as that does.
bool has_code(const Loop &loop) {
  const PreparedLoop &how = loop.how();
  return how.fast_form().range() && !how.in_layout() && how.reducing().call == how.reducing().inner &&
         loop.why_not_in_pieces().empty();
}

} // namespace

// Results of two loops would be combined at the same time, though what the program puts into globals comes in between.
bool accesses_fuse(std::span<const LoopSignature *const> loops) {
  if (std::ranges::count_if(loops, [](const LoopSignature *loop) { return reduces(*loop); }) > 1) return false;
  for (std::size_t a = 0; a < loops.size(); ++a) {
    if (!fuses(*loops[a])) return false;
    for (std::size_t b = 0; b < a; ++b)
      if (!fit(*loops[a], *loops[b])) return false;
  }
  return true;
}

std::vector<FusedGroup> fused_groups(std::span<const ChainCall> calls, FusedCode code) {
  const auto fits = [&](const Loop &loop) { return code == FusedCode::any || has_code(loop); };
  std::vector<FusedGroup> out;
  std::vector<const LoopSignature *> loops;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const LoopSignature &what = calls[i].loop->what();
    loops.push_back(&what);
    const bool joins = !out.empty() && accesses_fuse(loops) && fits(*calls[i].loop) &&
                       fits(*calls[out.back().first].loop) &&
                       merged_arguments(calls.subspan(out.back().first, i + 1 - out.back().first)) <= OP_MAX_ARGS;
    if (!joins) {
      out.push_back({i, i, i});
      loops.assign(1, &what);
    }
    out.back().last = i + 1;
    if (reduces(what)) out.back().reduces = i;
  }
  return out;
}

} // namespace op2::core
