// Declarations of several processes: how they are meant, and which part of the elements goes through which process.
#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "base/hash.hpp"
#include "mesh/declarations.hpp"
#include "mesh/rows.hpp"

namespace op2::core {

op_gindex share_begin(op_gindex size, int process, int processes) {
  return size / processes * process + size % processes * process / processes; // size * process / processes
}

namespace {

std::uint64_t hash_of(const void *data, std::size_t bytes) {
  Hash hash;
  const char *at = static_cast<const char *>(data);
  for (; bytes >= sizeof(std::uint64_t); at += sizeof(std::uint64_t), bytes -= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, at, sizeof word);
    hash.add(word);
  }
  return hash.add(std::string_view(at, bytes)).value();
}

constexpr const char *say_which =
    "; set OP2_DECLARE=local when each process declares its own part of the mesh, replicated when each declares all of "
    "it, root when process 0 does";

} // namespace

void Declarations::share_replicated(Set &set) const {
  const int processes = communicator_.size(), rank = communicator_.rank();
  set.global_size = set.passed;
  set.declared_first = share_begin(set.passed, rank, processes);
  set.declared_size = static_cast<int>(share_begin(set.passed, rank + 1, processes) - set.declared_first);
  set.size = set.core_size = set.declared_size;
}

void Declarations::share(Set &set) {
  const std::string what = text("set '", set.label, "'");
  if (mode_ == Declare::root) {
    agreement_.agree(what);
    communicator_.bcast(&set.passed, sizeof set.passed, 0);
    return share_replicated(set);
  }
  set.same_everywhere = agreement_.agree(what, static_cast<std::uint64_t>(set.passed));
  if (mode_ == Declare::replicated) {
    if (set.same_everywhere) return share_replicated(set);
    fail(OP_ERR_ARGUMENT, "set '", set.label, "' has ", set.passed, " elements here, but not on all processes",
         "; OP2_DECLARE=replicated means that each process declares the whole mesh");
  }
  set.global_size = communicator_.sum(set.passed);
  set.declared_first = communicator_.sum_before(set.passed);
}

bool Declarations::same_targets(const char *map, const std::vector<op_gindex> &entries) {
  if (mode_ != Declare::automatic) return true; // nobody will ask
  return agreement_.agree(text("map '", map, "'"), hash_of(entries.data(), entries.size() * sizeof(op_gindex)));
}

std::vector<op_gindex> Declarations::own_targets(const Set &from, int dim, std::vector<op_gindex> entries) {
  if (!several() || mode_ == Declare::local || mode_ == Declare::automatic) return entries;
  const std::size_t row = static_cast<std::size_t>(dim) * sizeof(op_gindex);
  const DeclaredRows rows = declared_rows(from, entries.data(), row);
  const op_gindex *const first = static_cast<const op_gindex *>(rows.data());
  return {first, first + static_cast<std::size_t>(from.declared_size) * static_cast<std::size_t>(dim)};
}

DeclaredRows Declarations::declared_rows(const Set &set, const void *declared, std::size_t row_bytes) const {
  const char *const rows = static_cast<const char *>(declared);
  if (mode_ == Declare::replicated)
    return DeclaredRows(rows ? rows + static_cast<std::size_t>(set.declared_first) * row_bytes : nullptr);
  if (mode_ != Declare::root) return DeclaredRows(rows);
  std::vector<int> ranks;
  std::vector<std::size_t> offset = {0};
  if (communicator_.rank() == 0 && rows)
    for (int p = 0; p < communicator_.size(); ++p) {
      ranks.push_back(p);
      offset.push_back(static_cast<std::size_t>(share_begin(set.global_size, p + 1, communicator_.size())) * row_bytes);
    }
  SparseMessages received = communicator_.sparse_exchange(ranks, offset, rows);
  return received.count() > 0 ? DeclaredRows(std::move(received)) : DeclaredRows(nullptr);
}

bool Declarations::agree_on_dat(const Set &set, int dim, const ElementType &element, int row_bytes, const char *name,
                                bool temporary, DeclaredRows &rows) {
  const std::string what = text(temporary ? "temporary dat '" : "dat '", name, "' on set '", set.label, "', ", dim,
                                " x ", element.name, " of ", element.size, " bytes");
  const bool open = mode_ == Declare::automatic && rows.data() && !set.distributed;
  const std::size_t bytes = static_cast<std::size_t>(set.passed) * static_cast<std::size_t>(row_bytes);
  const bool same = agreement_.agree(what, open ? hash_of(rows.data(), bytes) : 0);
  if (!set.distributed) rows = declared_rows(set, rows.data(), static_cast<std::size_t>(row_bytes));
  return same;
}

// Are the declarations those of one program that was started several times, so that each process has everything? Maps
// tell: parts of a mesh lead elsewhere from each process. Where all maps are the same, everything else must be, too.
// Without maps sizes and data tell.
bool Declarations::decide_replicated() const {
  const auto differs = [](const auto &object) { return !object->same_everywhere; };
  if (std::ranges::any_of(objects_.maps(), differs)) return false;
  const auto set = std::ranges::find_if(objects_.sets(), differs);
  const auto dat = std::ranges::find_if(objects_.dats(), differs);
  if (std::ranges::all_of(objects_.maps(), [](const auto &map) { return map->targets.empty(); })) {
    if (set != objects_.sets().end() || dat != objects_.dats().end() || dialect_.declares_parts) return false;
    if (std::ranges::all_of(objects_.sets(), [](const auto &any) { return any->passed == 0; })) return false;
    fail(OP_ERR_STATE,
         "all processes declared sets of the same sizes, the same data and no map yet that tells how they are meant",
         say_which);
  }
  const char *const but = "all processes declared the same maps, but ";
  if (set != objects_.sets().end())
    fail(OP_ERR_STATE, but, "set '", (*set)->label,
         "' has other sizes on some of them, so it is not clear how they are meant", say_which);
  for (const auto &map : objects_.maps())
    for (const op_gindex target : map->targets)
      if (target >= map->to->size)
        fail(OP_ERR_STATE, but, "map '", map->label, "' leads to element ", target, " of set '", map->to->name,
             "', which has ", map->to->size, " on each, so it is not clear how they are meant", say_which,
             target == map->to->size ? "; if the program counts from 1, set OP2_MAPS_BASE_INDEX=1" : "");
  if (dat != objects_.dats().end() && !dialect_.declares_unset_rows)
    fail(OP_ERR_STATE, "all processes declared the same sets and maps, but dat '", (*dat)->label,
         "' is not the same on all of them, so it is not clear how they are meant", say_which);
  return true;
}

void Declarations::settle() {
  if (!several() || mode_ != Declare::automatic) return;
  const bool replicated = agreement_.together("the end of declarations", [&] { return decide_replicated(); });
  mode_ = replicated ? Declare::replicated : Declare::local;
  if (!replicated) return;
  for (const auto &set : objects_.sets()) share_replicated(*set);
  for (const auto &map : objects_.maps())
    map->targets = own_targets(*static_cast<const Set *>(map->from), map->dim, std::move(map->targets));
  for (const auto &dat : objects_.dats()) {
    if (dat->freed) continue;
    const Storage whole = std::move(dat->host);
    if (!dat->same_everywhere) {
      dialect_.warn(text("dat '", dat->label,
                         "' is not the same on all processes, though maps are; the rows of process 0 count"));
      communicator_.bcast(whole.data(),
                          static_cast<std::size_t>(dat->on().passed) * static_cast<std::size_t>(dat->size), 0);
    }
    copies_.allocate(*dat, declared_rows(dat->on(), whole.data(), static_cast<std::size_t>(dat->size)).data());
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
