#include "loop/signature/signature.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "host/kept/kept_findings.hpp"
#include "jit/unit/unit_text.hpp"
#include "plan/plan.hpp"

namespace op2::core {

namespace {

// Several arguments may touch one dat: the loop as a whole needs its old values if any of them does, and changes it if
// any does.
std::vector<DatUse> uses_of(const Mesh &mesh, std::span<const LoopArg> args) {
  std::vector<DatUse> uses;
  for (const LoopArg &arg : args) {
    if (!arg.dat) continue;
    // Only a direct write is sure to reach every row, where the program promises that it reaches all components.
    const bool partial = arg.through_map() || arg.access != OP_WRITE || mesh.dialect().writes_in_part;
    const auto same = std::find_if(uses.begin(), uses.end(), [&](const DatUse &use) { return use.dat == arg.dat; });
    DatUse &use = same == uses.end() ? uses.emplace_back(DatUse{arg.dat, arg.access, partial}) : *same;
    if (use.access != arg.access) use.access = OP_RW;
    use.partial = use.partial || partial;
  }
  return uses;
}

bool same(const op_arg &a, const op_arg &b) {
  return a.dat == b.dat && a.map == b.map && a.dim == b.dim && a.idx == b.idx && a.acc == b.acc &&
         a.argtype == b.argtype && a.opt == b.opt && a.sent == b.sent && a.reduction == b.reduction &&
         a.global == b.global &&
         (a.argtype == OP_ARG_DAT || (a.size == b.size && (a.data == nullptr) == (b.data == nullptr))) &&
         (a.type == nullptr) == (b.type == nullptr);
}

} // namespace

op_loop_site whole_site(const op_loop_site &site) {
  if (site.size >= sizeof site || site.size == 0) return site; // 0: of the library
  op_loop_site out{};
  std::memcpy(&out, &site, site.size);
  return out;
}

std::uint64_t LoopCall::hash() const {
  Hash hash;
  hash.add(reinterpret_cast<const void *>(site->element)).add(reinterpret_cast<const void *>(site->range));
  return hash.add(std::string_view(name)).add(static_cast<const void *>(set)).value();
}

LoopSignature::LoopSignature(const Mesh &mesh, const LoopCall &call)
    : name(call.name),
      set(mesh.objects().any_set(call.set, "the set")),
      site(whole_site(*call.site)),
      unit(jit::digest_of_unit(site.text)),
      args(resolve_args(mesh, set, call.args)),
      dats(uses_of(mesh, args)),
      call_args_(call.args.begin(), call.args.end()) {
  for (const op_arg &arg : call.args) call_types_.emplace_back(arg.type ? arg.type : "");
  for (const LoopArg &arg : args) {
    indirect = indirect || arg.through_map();
    conflicts = conflicts || (arg.through_map() && writes_new(arg.access));
    shares = shares || arg.shared();
  }
}

bool LoopSignature::matches(const LoopCall &call) const {
  if (call.site->element != site.element || call.site->range != site.range || call.set != &set ||
      call.args.size() != call_args_.size() || name != call.name)
    return false;
  for (std::size_t i = 0; i < call_args_.size(); ++i) {
    const op_arg &arg = call.args[i];
    if (!same(arg, call_args_[i]) || (arg.type && std::strcmp(arg.type, call_types_[i].c_str()) != 0)) return false;
  }
  return true;
}

void LoopSignature::need_dats() const {
  for (const DatUse &use : dats) {
    if (use.dat->freed) fail(OP_ERR_HANDLE, "temporary dat '", use.dat->label, "' was freed");
    if (use.dat->acquired >= 0)
      fail(OP_ERR_STATE, "dat '", use.dat->label, "' is acquired; call op_dat_release() before loops use it");
  }
}

Revision LoopSignature::revision() const {
  Revision sum = set.revision;
  for (const LoopArg &arg : args) {
    if (arg.dat) sum += arg.dat->revision + arg.dat->on().revision;
    if (arg.map) sum += arg.map->revision + arg.map->target().revision;
  }
  return sum;
}

bool LoopSignature::goes_through(const Map &map) const {
  return std::ranges::any_of(args, [&](const LoopArg &arg) { return arg.map == &map; });
}

// All that determines useful_bytes(). "": it is not kept.
std::string LoopSignature::name_of_bytes(KeptFindings &kept) const {
  if (set.size < smallest_kept || !indirect || set.particles) return {};
  std::string name = op2::core::text("bytes of a loop over ", set.size, " elements");
  for (const DatUse &use : dats) {
    name += op2::core::text("; ", static_cast<int>(use.access), " to rows of ", use.dat->size, " of ",
                            use.dat->on().rows());
    for (const LoopArg &arg : args) {
      if (arg.dat != use.dat) continue;
      if (arg.through_map() && arg.map->version() < 0) return {};
      if (arg.through_map())
        name += op2::core::text(" map ", arg.map->index, " ",
                                kept.digest(arg.map->index, arg.map->version(), arg.map->table), " of ", arg.map->dim,
                                " from ", arg.column, ", ", arg.count);
      else
        name += " self";
    }
  }
  return name;
}

double LoopSignature::useful_bytes(KeptFindings *kept) const {
  const std::string name = kept ? name_of_bytes(*kept) : std::string();
  if (name.empty()) return count_useful_bytes();
  std::vector<double> found;
  const std::optional<std::string> known = kept->find(name);
  std::string_view bytes = known ? std::string_view(*known) : std::string_view();
  if (take_array(bytes, found) && found.size() == 1) return found.front();
  found = {count_useful_bytes()};
  std::string out;
  add_array(out, found);
  kept->keep(name, out);
  return found.front();
}

double LoopSignature::count_useful_bytes() const {
  double bytes = 0;
  std::vector<std::pair<int, int>> columns_counted;
  for (const DatUse &use : dats) {
    std::vector<ColumnSet> columns;
    for (const LoopArg &arg : args) {
      if (arg.dat != use.dat) continue;
      if (!arg.through_map()) {
        columns.push_back({nullptr, 0, 0, 1, use.dat->on().rows()});
        continue;
      }
      const int count = std::max(arg.count, 1);
      columns.push_back({arg.map->table.data(), arg.map->dim, arg.column, count, use.dat->on().rows()});
      for (int c = arg.column; c < arg.column + count; ++c)
        if (std::find(columns_counted.begin(), columns_counted.end(), std::pair{arg.map->index, c}) ==
            columns_counted.end())
          columns_counted.emplace_back(arg.map->index, c);
    }
    const double rows = static_cast<double>(count_distinct_targets(columns, 0, set.size));
    const int directions = (reads_old(use.access) ? 1 : 0) + (writes_new(use.access) ? 1 : 0);
    bytes += rows * use.dat->size * directions;
  }
  return bytes + static_cast<double>(columns_counted.size()) * set.size * static_cast<double>(sizeof(int));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
