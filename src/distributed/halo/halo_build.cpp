#include "distributed/halo/halo_build.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/error.hpp"
#include "distributed/all_or_none.hpp"
#include "distributed/directory.hpp"
#include "distributed/global_index.hpp"
#include "distributed/groups.hpp"
#include "distributed/redistribute/migrate.hpp"
#include "mesh/rows.hpp"

namespace op2::core {

namespace {

// A row and a process that gets a copy of it.
struct Pair {
  int rank, row;
  friend auto operator<=>(const Pair &, const Pair &) = default;
};

void sort_once(std::vector<Pair> &pairs) {
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
}

HaloList list_of(const std::vector<Pair> &sorted) {
  HaloList out;
  for (const Pair &pair : sorted) {
    if (out.ranks.empty() || out.ranks.back() != pair.rank) {
      out.ranks.push_back(pair.rank);
      out.offset.push_back(out.offset.back());
    }
    out.row.push_back(pair.row);
    ++out.offset.back();
  }
  return out;
}

Groups groups_of(const HaloList &list) {
  Groups out;
  out.ranks = list.ranks;
  out.offset.assign(list.offset.begin(), list.offset.end());
  out.order = list.row;
  return out;
}

// While halos are built: what is known of one set.
struct SetKnowledge {
  GlobalIndex row;     // of the elements that are here, owned or copied
  GlobalIndex foreign; // numbers of other processes' elements that maps lead to: places in owner
  std::vector<op_gindex> foreign_number;
  std::vector<int> owner;
  std::vector<Pair> given;                   // sorted: who has copies of which owned rows
  std::vector<std::pair<int, int>> got_from; // (owner, copies) in the order of the copies

  int owner_of(op_gindex number) const { return owner[static_cast<std::size_t>(foreign.find(number))]; }
  bool knows(op_gindex number) const { return foreign.find(number) >= 0; }
  void learn(op_gindex number, int whose) {
    foreign.add(number, static_cast<int>(owner.size()));
    foreign_number.push_back(number);
    owner.push_back(whose);
  }
};

class Builder {
 public:
  Builder(Mesh &mesh, bool as_declared)
      : mesh_(mesh), communicator_(mesh.communicator()), as_declared_(as_declared), known_(mesh.sets().size()) {
    for (const auto &map : mesh.maps()) {
      maps_.push_back(map.get());
      targets_.push_back(std::move(map->targets));
      map->targets = {};
      row_of_.push_back({});
    }
  }

  void build(int depth) {
    find_owners();
    for (int layer = 0; layer < depth; ++layer) {
      std::vector<std::vector<Pair>> exports;
      for (const auto &set : mesh_.sets())
        exports.push_back(layer == 0 ? executed_by_owners_of_targets(*set) : executed_by_holders_of_targets(*set));
      if (layer == 0) {
        for (const auto &set : mesh_.sets()) sort_core_first(*set, exports[number(*set)]);
        apply_order();
        expect_at_most(exports, depth);
      }
      for (const auto &set : mesh_.sets()) {
        if (layer > 0) execute_read_copies(*set, set->layers.back().nonexec);
        set->layers.emplace_back();
        share_executed(*set, exports[number(*set)], set->layers.back().exec);
      }
      for (const auto &set : mesh_.sets()) share_read(*set, set->layers.back().nonexec);
    }
    all_or_none(mesh_, "memory for the parts of the mesh", [this] {
      try {
        finish();
      } catch (Error &error) {
        error.poisons = true; // what was moved cannot be moved back
        throw;
      }
    });
  }

 private:
  static std::size_t number(const op_set_core &set) { return static_cast<std::size_t>(set.index); }
  SetKnowledge &known(const op_set_core &set) { return known_[number(set)]; }
  const Set &target(std::size_t map) const { return *static_cast<const Set *>(maps_[map]->to); }
  bool owned(const SetKnowledge &set, const Set &of, op_gindex element) const {
    const int row = set.row.find(element);
    return row >= 0 && row < of.size;
  }

  void find_owners();
  std::vector<Pair> executed_by_owners_of_targets(const Set &set);
  std::vector<Pair> executed_by_holders_of_targets(const Set &set);
  void sort_core_first(Set &set, std::vector<Pair> &exports);
  bool stays_as_declared(const Set &set) const;
  void apply_order();
  void expect_at_most(const std::vector<std::vector<Pair>> &exports, int depth);
  void share_executed(Set &set, const std::vector<Pair> &exports, HaloPart &part);
  void share_rows_of_maps(const Set &set, const HaloList &list, int first);
  void execute_read_copies(const Set &set, const HaloPart &part);
  void share_read(Set &set, HaloPart &part);
  void take_copies(Set &set, const SparseMessages &numbers, HaloRange &range);
  void finish();

  Mesh &mesh_;
  Communicator &communicator_;
  bool as_declared_; // rows that lie as they were declared stay so
  std::vector<Map *> maps_;
  std::vector<std::vector<op_gindex>> targets_; // of each map, [rows with targets][dim]
  std::vector<std::vector<int>> row_of_;      // of each map: rows of copies with targets, behind the owned ones
  std::vector<SetKnowledge> known_;
  std::vector<std::vector<int>> order_; // of owned rows
};

// Everybody tells the directory what it owns, and asks it for what its maps lead to.
void Builder::find_owners() {
  for (const auto &set : mesh_.sets()) {
    SetKnowledge &mine = known(*set);
    mine.row = GlobalIndex(set->global);
    if (std::none_of(maps_.begin(), maps_.end(), [&](const Map *map) { return map->to == set.get(); })) continue;
    Directory owners(communicator_, set->global_size);
    owners.enter(set->global, std::vector<int>(set->global.size(), communicator_.rank()));
    for (std::size_t m = 0; m < maps_.size(); ++m) {
      if (maps_[m]->to != set.get()) continue;
      for (const op_gindex element : targets_[m])
        if (mine.row.find(element) < 0 && !mine.knows(element)) mine.learn(element, -1);
    }
    mine.owner = owners.ask(mine.foreign_number);
  }
}

// Layer 1: whoever owns a target of an element executes it, so that all additions to what he owns are done there.
std::vector<Pair> Builder::executed_by_owners_of_targets(const Set &set) {
  std::vector<Pair> out;
  for (std::size_t m = 0; m < maps_.size(); ++m) {
    if (maps_[m]->from != &set) continue;
    const SetKnowledge &to = known(target(m));
    const op_gindex *entry = targets_[m].data();
    for (int row = 0; row < set.size; ++row)
      for (int column = 0; column < maps_[m]->dim; ++column, ++entry)
        if (to.row.find(*entry) < 0) out.push_back({to.owner_of(*entry), row});
  }
  sort_once(out);
  return out;
}

// Further layers: so does whoever has a copy of a target. Owners tell those who have a copy of an element who else has.
std::vector<Pair> Builder::executed_by_holders_of_targets(const Set &set) {
  std::vector<Pair> out;
  for (std::size_t m = 0; m < maps_.size(); ++m) {
    if (maps_[m]->from != &set) continue;
    const Set &to_set = target(m);
    const SetKnowledge &to = known(to_set);
    // to.given by row: holders of each owned element of the target set.
    std::vector<Pair> by_row; // {row, holder}
    for (const Pair &pair : to.given) by_row.push_back({pair.row, pair.rank});
    std::sort(by_row.begin(), by_row.end());
    const auto holders = [&](int row) {
      return std::equal_range(by_row.begin(), by_row.end(), Pair{row, 0},
                              [](const Pair &a, const Pair &b) { return a.rank < b.rank; });
    };
    // Tell each holder of an element who the others are: number, count, ranks.
    std::vector<int> ranks;
    std::vector<std::size_t> offset = {0};
    std::vector<op_gindex> words;
    for (const Pair &pair : to.given) {
      if (ranks.empty() || ranks.back() != pair.rank) {
        ranks.push_back(pair.rank);
        offset.push_back(0);
      }
      const auto [first, last] = holders(pair.row);
      words.push_back(to_set.global[static_cast<std::size_t>(pair.row)]);
      words.push_back(last - first);
      for (auto at = first; at != last; ++at) words.push_back(at->row);
      offset.back() = words.size() * sizeof(op_gindex);
    }
    const SparseMessages received = communicator_.sparse_exchange(ranks, offset, words.data());
    GlobalIndex place;
    const std::span<const op_gindex> sharers = received.all<op_gindex>();
    for (std::size_t i = 0; i < sharers.size(); i += 2 + static_cast<std::size_t>(sharers[i + 1]))
      place.add(sharers[i], static_cast<int>(i));
    const op_gindex *entry = targets_[m].data();
    for (int row = 0; row < set.size; ++row)
      for (int column = 0; column < maps_[m]->dim; ++column, ++entry) {
        if (owned(to, to_set, *entry)) {
          const auto [first, last] = holders(to.row.find(*entry));
          for (auto at = first; at != last; ++at) out.push_back({at->row, row});
        } else if (const int at = place.find(*entry); at >= 0) {
          const std::size_t i = static_cast<std::size_t>(at);
          for (op_gindex h = 0; h < sharers[i + 1]; ++h) {
            const int holder = static_cast<int>(sharers[i + 2 + static_cast<std::size_t>(h)]);
            if (holder != communicator_.rank()) out.push_back({holder, row});
          }
        }
      }
  }
  sort_once(out);
  const std::vector<Pair> &given = known(set).given; // they have it already
  std::vector<Pair> fresh;
  std::set_difference(out.begin(), out.end(), given.begin(), given.end(), std::back_inserter(fresh));
  return fresh;
}

bool Builder::stays_as_declared(const Set &set) const {
  if (!as_declared_ || set.size != set.declared_size) return false;
  for (std::size_t row = 0; row < static_cast<std::size_t>(set.size); ++row)
    if (set.global[row] != set.declared_first + static_cast<op_gindex>(row)) return false;
  return true;
}

// Owned elements that only this process executes come first; otherwise they stay in their order. Where all of them have
// to stay, only those before the first one of the boundary are core.
void Builder::sort_core_first(Set &set, std::vector<Pair> &exports) {
  std::vector<char> boundary(static_cast<std::size_t>(set.size), 0);
  for (const Pair &pair : exports) boundary[static_cast<std::size_t>(pair.row)] = 1;
  const auto is_core = [&](int row) { return !boundary[static_cast<std::size_t>(row)]; };
  std::vector<int> order(static_cast<std::size_t>(set.size));
  std::iota(order.begin(), order.end(), 0);
  const auto first = stays_as_declared(set) ? std::find_if_not(order.begin(), order.end(), is_core)
                                            : std::stable_partition(order.begin(), order.end(), is_core);
  set.core_size = static_cast<int>(first - order.begin());
  const std::vector<int> place = inverse(order);
  for (Pair &pair : exports) pair.row = place[static_cast<std::size_t>(pair.row)];
  std::sort(exports.begin(), exports.end());
  order_.push_back(std::move(order));
}

// Numbers, targets and data in the order that sort_core_first() found.
void Builder::apply_order() {
  for (const auto &set : mesh_.sets()) {
    const std::vector<int> &order = order_[number(*set)];
    std::vector<op_gindex> moved(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) moved[i] = set->global[static_cast<std::size_t>(order[i])];
    set->global = std::move(moved);
    known(*set).row = GlobalIndex(set->global);
  }
  for (std::size_t m = 0; m < maps_.size(); ++m) {
    std::vector<op_gindex> moved(targets_[m].size());
    gather_rows(reinterpret_cast<char *>(moved.data()), reinterpret_cast<const char *>(targets_[m].data()),
                order_[number(*maps_[m]->from)], static_cast<std::size_t>(maps_[m]->dim) * sizeof(op_gindex));
    targets_[m] = std::move(moved);
  }
}

// What copies may come to, before any is asked for. How many elements will be executed for others is known by then;
// every entry of theirs may lead to a row that nobody has here yet. Of layers behind the first nothing is known:
// perhaps all.
void Builder::expect_at_most(const std::vector<std::vector<Pair>> &exports, int depth) {
  const std::size_t sets = mesh_.sets().size();
  std::vector<int> owners; // words of one process: how many elements of each set it will execute
  std::vector<std::int64_t> words;
  std::map<int, std::vector<std::int64_t>> counts;
  for (std::size_t s = 0; s < sets; ++s)
    for (const Pair &pair : exports[s]) {
      std::vector<std::int64_t> &count = counts[pair.rank];
      count.resize(sets);
      ++count[s];
    }
  std::vector<std::size_t> offset = {0};
  for (const auto &[rank, count] : counts) {
    owners.push_back(rank);
    words.insert(words.end(), count.begin(), count.end());
    offset.push_back(words.size() * sizeof(std::int64_t));
  }
  const SparseMessages received = communicator_.sparse_exchange(owners, offset, words.data());
  for (const auto &set : mesh_.sets()) set->at_most = {};
  for (int m = 0; m < received.count(); ++m)
    for (const auto &set : mesh_.sets()) set->at_most.executed += received.values<std::int64_t>(m)[number(*set)];
  for (const auto &set : mesh_.sets())
    set->at_most.copies = set->at_most.executed + static_cast<std::int64_t>(known(*set).foreign_number.size());
  for (const Map *map : maps_) {
    Set &to = *static_cast<Set *>(map->to);
    to.at_most.copies += map->source().at_most.executed * map->dim;
  }
  for (const auto &set : mesh_.sets()) {
    const std::int64_t others = set->global_size - set->size;
    set->at_most.copies = depth > 1 ? others : std::min(set->at_most.copies, others);
    if (depth > 1) set->at_most.executed = others;
  }
}

// Copies that arrived: they follow the rows that are here.
void Builder::take_copies(Set &set, const SparseMessages &numbers, HaloRange &range) {
  SetKnowledge &mine = known(set);
  range.first = set.rows();
  for (int m = 0; m < numbers.count(); ++m) {
    range.ranks.push_back(numbers.sender(m));
    for (const op_gindex element : numbers.values<op_gindex>(m)) {
      mine.row.add(element, static_cast<int>(set.global.size()));
      set.global.push_back(element);
    }
    range.offset.push_back(static_cast<int>(set.global.size()) - range.first);
  }
  if (set.global.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    fail(OP_ERR_UNSUPPORTED, "set '", set.label, "' has more than 2^31 - 1 elements and copies on one process");
  set.copies += range.size();
}

void Builder::share_executed(Set &set, const std::vector<Pair> &exports, HaloPart &part) {
  part.exported = list_of(exports);
  const Groups groups = groups_of(part.exported);
  take_copies(set, post<op_gindex>(communicator_, groups, set.global), part.imported);
  share_rows_of_maps(set, part.exported, part.imported.first);
  SetKnowledge &mine = known(set);
  mine.given.insert(mine.given.end(), exports.begin(), exports.end());
  std::sort(mine.given.begin(), mine.given.end());
}

// What a layer only reads is executed from the next one on: a chain of loops needs results there, too.
void Builder::execute_read_copies(const Set &set, const HaloPart &part) {
  share_rows_of_maps(set, part.exported, part.imported.first);
}

// Executed copies, which are the rows from `first` on, need their rows of maps: targets, and who owns them.
void Builder::share_rows_of_maps(const Set &set, const HaloList &list, int first) {
  const Groups groups = groups_of(list);
  for (std::size_t m = 0; m < maps_.size(); ++m) {
    if (maps_[m]->from != &set) continue;
    const std::size_t dim = static_cast<std::size_t>(maps_[m]->dim);
    SetKnowledge &to = known(target(m));
    std::vector<op_gindex> packed(2 * dim * list.row.size());
    for (std::size_t i = 0; i < list.row.size(); ++i)
      for (std::size_t c = 0; c < dim; ++c) {
        const op_gindex element = targets_[m][static_cast<std::size_t>(list.row[i]) * dim + c];
        packed[2 * (i * dim + c)] = element;
        packed[2 * (i * dim + c) + 1] = owned(to, target(m), element) ? communicator_.rank() : to.owner_of(element);
      }
    std::vector<std::size_t> offset;
    for (const int at : list.offset) offset.push_back(static_cast<std::size_t>(at) * 2 * dim * sizeof(op_gindex));
    const SparseMessages received = communicator_.sparse_exchange(list.ranks, offset, packed.data());
    const std::span<const op_gindex> got = received.all<op_gindex>();
    for (std::size_t i = 0; i < got.size(); i += 2) {
      targets_[m].push_back(got[i]);
      if (to.row.find(got[i]) < 0 && !to.knows(got[i])) to.learn(got[i], static_cast<int>(got[i + 1]));
      if (i % (2 * dim) == 0) row_of_[m].push_back(first + static_cast<int>(i / (2 * dim)));
    }
  }
}

// What owned and executed elements lead to and nobody sent yet. The owner says in which order it comes: that of its
// rows.
void Builder::share_read(Set &set, HaloPart &part) {
  SetKnowledge &mine = known(set);
  std::vector<op_gindex> wanted;
  std::vector<int> owners;
  for (std::size_t i = 0; i < mine.foreign_number.size(); ++i)
    if (mine.row.find(mine.foreign_number[i]) < 0) {
      wanted.push_back(mine.foreign_number[i]);
      owners.push_back(mine.owner[i]);
    }
  const SparseMessages questions = post<op_gindex>(communicator_, group_by_rank(owners), wanted);
  std::vector<Pair> pairs;
  for (int m = 0; m < questions.count(); ++m)
    for (const op_gindex element : questions.values<op_gindex>(m))
      pairs.push_back({questions.sender(m), mine.row.find(element)});
  std::sort(pairs.begin(), pairs.end());
  part.exported = list_of(pairs);
  take_copies(set, post<op_gindex>(communicator_, groups_of(part.exported), set.global), part.imported);
  mine.given.insert(mine.given.end(), pairs.begin(), pairs.end());
  std::sort(mine.given.begin(), mine.given.end());
}

void Builder::finish() {
  for (const auto &set : mesh_.sets()) {
    const HaloLayer &first = set->layers.front();
    set->exec_size = first.exec.imported.size();
    set->nonexec_size = first.nonexec.imported.size();
    set->distributed = true;
    set->original.clear();
    if (set->global_size <= std::numeric_limits<int>::max())
      set->original.assign(set->global.begin(), set->global.end());
    set->remote_original = Storage();
    set->from_one = {};
  }
  for (std::size_t m = 0; m < maps_.size(); ++m) {
    const Set &from = *static_cast<const Set *>(maps_[m]->from);
    const std::size_t dim = static_cast<std::size_t>(maps_[m]->dim);
    const GlobalIndex &row = known(target(m)).row;
    // Rows up to the last executed copy; those of copies that are only read have no targets and are never followed.
    const int rows = row_of_[m].empty() ? from.size : row_of_[m].back() + 1;
    std::vector<int> table(static_cast<std::size_t>(rows) * dim, 0);
    const std::size_t own = static_cast<std::size_t>(from.size);
    for (std::size_t i = 0; i < own + row_of_[m].size(); ++i) {
      const std::size_t at = i < own ? i : static_cast<std::size_t>(row_of_[m][i - own]);
      for (std::size_t c = 0; c < dim; ++c) table[at * dim + c] = row.find(targets_[m][i * dim + c]);
    }
    mesh_.copies().install(*maps_[m], std::move(table));
    maps_[m]->built = true;
    maps_[m]->entries_to_copies = -1;
    maps_[m]->partial.reset();
    Numbering::forget(*maps_[m]);
  }
  for (const auto &dat : mesh_.dats())
    if (!dat->freed) mesh_.copies().resize(*dat, order_[number(*dat->set)]);
}

} // namespace

void build_halos(Mesh &mesh, int depth, bool as_declared) {
  // One process has local tables from the beginning.
  if (mesh.several()) Builder(mesh, as_declared).build(depth);
}

void drop_halos(Mesh &mesh) {
  for (const auto &map : mesh.maps()) {
    if (map->built) map->targets = own_targets(*map);
    map->built = false;
  }
  for (const auto &set : mesh.sets()) {
    ++set->revision;
    if (!set->distributed) continue;
    set->global.resize(static_cast<std::size_t>(set->size));
    set->layers.clear();
    set->core_size = set->size;
    set->copies = set->exec_size = set->nonexec_size = 0;
    set->at_most = {};
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
