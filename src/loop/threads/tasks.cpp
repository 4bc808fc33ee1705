#include "loop/threads/tasks.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

#include "loop/threads/late.hpp"
#include "loop/tiles/extents.hpp"

namespace op2::core {

namespace {

using Part = std::uint16_t;
constexpr Part unplaced = 0xffff, mixed = 0xfffe;
constexpr int part_grain = 16; // parts begin at multiples, against false sharing

bool meets(const ChainLoop &loop) { // elements change common rows, each element as a whole
  return loop.runs_of_element == ElementRuns::once &&
         std::ranges::any_of(loop.reaches, [](const Reach &r) { return !r.direct() && r.adds; });
}

// Which part each row is in.
class Rows {
 public:
  Rows(std::span<const ChainLoop> loops, std::span<const int> rows, std::span<const double> borders,
       std::span<const int> in_order, std::vector<std::vector<Part>> &part)
      : loops_(loops), part_(part) {
    for (const int count : rows) part_.emplace_back(static_cast<std::size_t>(count), unplaced);
    const int seed = costliest_set(loops, rows.size());
    if (seed < 0) return;
    const auto at = static_cast<std::size_t>(seed);
    place(part_[at], (in_order.empty() ? rows : in_order)[at], borders);
    while (place_others()) {
    }
    for (std::vector<Part> &set : part_) place_rest(set, borders);
  }

 private:
  static void place(std::vector<Part> &set, int count, std::span<const double> borders) {
    for (std::size_t p = 0; p + 1 < borders.size(); ++p) {
      const int first = border(borders[p], count);
      const int last = p + 2 == borders.size() ? count : border(borders[p + 1], count);
      std::fill(set.begin() + first, set.begin() + std::max(first, last), static_cast<Part>(p));
    }
  }
  static int border(double share, int count) { return static_cast<int>(share * count) / part_grain * part_grain; }
  // Rows without a place go where rows are that elements reach together with them.
  bool place_others() {
    bool found = false;
    for (const ChainLoop &loop : loops_)
      if (reaches_unplaced(loop))
        for (int e = 0; e < loop.size; ++e) found = place_with(loop, e) || found;
    return found;
  }
  bool reaches_unplaced(const ChainLoop &loop) const {
    return std::ranges::any_of(loop.reaches, [&](const Reach &reach) {
      return std::ranges::find(part_[static_cast<std::size_t>(reach.set)], unplaced) !=
             part_[static_cast<std::size_t>(reach.set)].end();
    });
  }
  Part &of(const Reach &reach, int e) {
    return part_[static_cast<std::size_t>(reach.set)][static_cast<std::size_t>(reached_row(reach, e))];
  }
  bool place_with(const ChainLoop &loop, int e) {
    Part there = unplaced;
    for (const Reach &reach : loop.reaches)
      if (there == unplaced) there = of(reach, e);
    if (there == unplaced) return false;
    bool found = false;
    for (const Reach &reach : loop.reaches)
      if (of(reach, e) == unplaced) of(reach, e) = there, found = true;
    return found;
  }
  static void place_rest(std::vector<Part> &set, std::span<const double> borders) {
    if (std::ranges::find(set, unplaced) == set.end()) return;
    std::vector<Part> usual(set.size());
    place(usual, static_cast<int>(set.size()), borders);
    for (std::size_t r = 0; r < set.size(); ++r)
      if (set[r] == unplaced) set[r] = usual[r];
  }

  std::span<const ChainLoop> loops_;
  std::vector<std::vector<Part>> &part_;
};

// The rows of a set that lie together, as far as they are in one part.
class WholeBlocks {
 public:
  explicit WholeBlocks(const std::vector<std::vector<Part>> &part) {
    for (const std::vector<Part> &rows : part) {
      std::vector<Part> &out = whole_.emplace_back();
      for (std::size_t first = 0; first < rows.size(); first += extent_block) {
        const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = begin + std::min(std::ptrdiff_t{extent_block}, rows.end() - begin);
        out.push_back(std::all_of(begin, end, [&](Part p) { return p == *begin; }) ? *begin : mixed);
      }
    }
  }
  Part of(const Reach &reach, Extent extent) const {
    const std::vector<Part> &whole = whole_[static_cast<std::size_t>(reach.set)];
    const Part out = whole[static_cast<std::size_t>(extent.first_block())];
    if (extent.wide()) return mixed;
    for (int b = extent.first_block() + 1; b <= extent.last_block(); ++b)
      if (whole[static_cast<std::size_t>(b)] != out) return mixed;
    return out;
  }

 private:
  std::vector<std::vector<Part>> whole_;
};

// Deals the elements of a loop out to parts.
class Dealer {
 public:
  Dealer(const ChainLoop &loop, const TaskParts &parts, const LoopExtents &extents, const WholeBlocks &whole,
         const LateRows *late, LoopShares &out)
      : loop_(loop), parts_(parts), extents_(extents), whole_(whole), late_(late), out_(out), meets_(meets(loop)) {
    for (const Reach &reach : loop.reaches) {
      if (!reach.direct() && reach.adds) changes_.push_back(&reach);
      if (reach.direct() && !own_) own_ = &reach;
    }
  }
  void deal() {
    if (loop_.runs_of_element == ElementRuns::by_rows) {
      for (int b = 0; b * extent_block < loop_.size; ++b) deal_rows(b);
      for (std::size_t c = 0; c + 1 < loop_.cuts.size(); ++c)
        out_.together.push_back(loop_.size == 0 ? Part{0} : together(middle(c)));
    } else if (loop_.cuts.empty()) {
      for (int e = 0; e < loop_.size; ++e) add(e, e + 1, usual(e));
    } else {
      for (std::size_t c = 0; c + 1 < loop_.cuts.size(); ++c)
        if (loop_.cuts[c] < loop_.cuts[c + 1]) add(loop_.cuts[c], loop_.cuts[c + 1], usual(middle(c)));
    }
  }

 private:
  int middle(std::size_t c) const {
    return std::min(loop_.cuts[c] + (loop_.cuts[c + 1] - loop_.cuts[c]) / 2, loop_.size - 1);
  }
  Part part_of(const Reach &reach, int e) const {
    return parts_.part[static_cast<std::size_t>(reach.set)][static_cast<std::size_t>(reached_row(reach, e))];
  }
  Part list_of(Part part, bool late) const { return static_cast<Part>(part + (late ? parts_.dealt.parts : 0)); }
  Part together(int e) const { return list_of(part_of(*changes_.front(), e), late_ && late_->reduced_late(e)); }
  Part owner(const Reach &reach, int e) const { return list_of(part_of(reach, e), late_ && late_->late(reach, e)); }
  // Elements that change common rows ascend from part to part.
  Part usual(int e) const {
    const bool late = late_ && late_->waits(e);
    if (own_ && !meets_) return list_of(part_of(*own_, e), late);
    return list_of(static_cast<Part>(std::int64_t{e} * parts_.dealt.parts / std::max(loop_.size, 1)), late);
  }
  void deal_rows(int b) {
    const int begin = b * extent_block, end = extents_.end_of(b);
    Part all = late_ && late_->any_in(b) ? mixed : unplaced;
    for (std::size_t i = 0; i < loop_.reaches.size() && all != mixed; ++i) {
      const Reach &reach = loop_.reaches[i];
      if (reach.direct() || !reach.adds) continue;
      const Part here = whole_.of(reach, extents_.at(i, b));
      all = all == unplaced || all == here ? here : mixed;
    }
    if (all < mixed) return add(begin, end, all);
    for (int e = begin; e < end; ++e) {
      owners_.clear();
      for (const Reach *reach : changes_) owners_.push_back(owner(*reach, e));
      if (std::ranges::all_of(owners_, [&](Part p) { return p == owners_.front(); }))
        add(e, e + 1, owners_.front());
      else
        share(e);
    }
  }
  void share(int e) {
    if (out_.runs.empty() || out_.runs.back().list != LoopShares::several)
      out_.runs.push_back({e, e, LoopShares::several, out_.owners.size()});
    out_.runs.back().end = e + 1;
    out_.owners.insert(out_.owners.end(), owners_.begin(), owners_.end());
  }
  void add(int begin, int end, Part list) {
    if (!out_.runs.empty() && out_.runs.back().list == list)
      out_.runs.back().end = end;
    else
      out_.runs.push_back({begin, end, list, 0});
  }

  const ChainLoop &loop_;
  const TaskParts &parts_;
  const LoopExtents &extents_;
  const WholeBlocks &whole_;
  const LateRows *late_; // NULL: no copies are on their way
  LoopShares &out_;
  const bool meets_;
  std::vector<const Reach *> changes_;
  const Reach *own_ = nullptr;
  std::vector<Part> owners_;
};

// Which parts of a loop's data its tasks touch.
class Touched {
 public:
  Touched(const ChainLoop &loop, const LoopShares &shares, const TaskParts &parts, const LoopExtents &extents,
          const WholeBlocks &whole)
      : loop_(loop),
        parts_(parts),
        extents_(extents),
        whole_(whole),
        count_(static_cast<std::size_t>(parts.lists())),
        words_((static_cast<std::size_t>(parts.dealt.parts) + 63) / 64),
        bits_(loop.reaches.size() * count_ * words_) {
    const std::size_t changes = static_cast<std::size_t>(
        std::ranges::count_if(loop.reaches, [](const Reach &r) { return !r.direct() && r.adds; }));
    for (const LoopShares::Run &run : shares.runs) {
      if (run.list != LoopShares::several) {
        add(run.begin, run.end, static_cast<std::size_t>(run.list));
        continue;
      }
      const Part *owner = shares.owners.data() + run.owners;
      for (int e = run.begin; e < run.end; ++e, owner += changes)
        for (std::size_t c = 0; c < changes; ++c) add(e, e + 1, owner[c]);
    }
    for (std::size_t b = 0; b < shares.together.size(); ++b) add(loop.cuts[b], loop.cuts[b + 1], shares.together[b]);
  }
  // Calls body(part) for each part of the rows that the task reaches so.
  template <class Body>
  void each(std::size_t reach, std::size_t task, const Body &body) const {
    const std::uint64_t *const words = bits_.data() + (reach * count_ + task) * words_;
    for (std::size_t w = 0; w < words_; ++w)
      for (std::uint64_t left = words[w]; left != 0; left &= left - 1)
        body(w * 64 + static_cast<std::size_t>(std::countr_zero(left)));
  }

 private:
  void add(int begin, int end, std::size_t task) {
    for (int at = begin; at < end;) {
      const int b = at / extent_block, stop = std::min(extents_.end_of(b), end);
      for (std::size_t i = 0; i < loop_.reaches.size(); ++i) add_rows(i, b, at, stop, task);
      at = stop;
    }
  }
  void add_rows(std::size_t i, int b, int begin, int end, std::size_t task) {
    const Reach &reach = loop_.reaches[i];
    if (const Part all = whole_.of(reach, extents_.at(i, b)); all < mixed) return mark(i, task, all);
    const std::vector<Part> &part = parts_.part[static_cast<std::size_t>(reach.set)];
    for (int e = begin; e < end; ++e) mark(i, task, part[static_cast<std::size_t>(reached_row(reach, e))]);
  }
  void mark(std::size_t reach, std::size_t task, Part part) {
    bits_[(reach * count_ + task) * words_ + part / 64] |= std::uint64_t{1} << (part % 64);
  }

  const ChainLoop &loop_;
  const TaskParts &parts_;
  const LoopExtents &extents_;
  const WholeBlocks &whole_;
  const std::size_t count_, words_;
  std::vector<std::uint64_t> bits_;
};

// Who has touched the rows of a part of some data last.
struct State {
  std::vector<int> before;           // tasks that the writers waited for
  std::vector<int> writers, readers; // the last writers, and who has read since
  int loop = -1;                     // of the writers, if each of them wrote rows of its own elements
};

// The tasks that a task waits for. Late tasks wait for early ones, too; early tasks touch no rows that late ones do.
class Waits {
 public:
  Waits(std::size_t data, std::size_t parts) : parts_(parts), states_(2 * data * parts) {}

  void begin(int task, int loop, bool late) { task_ = task, loop_ = loop, late_ = late, found_.clear(); }
  void read(int data, std::size_t part) {
    State &state = of(data, part, late_);
    if (late_) add(of(data, part, false).writers);
    add(state.writers);
    if (state.readers.empty() || state.readers.back() != task_) state.readers.push_back(task_);
  }
  // own: of its own elements, so other tasks of the loop write other rows.
  void write(int data, std::size_t part, bool own) {
    State &state = of(data, part, late_);
    if (late_) add(of(data, part, false).writers), add(of(data, part, false).readers);
    add(state.readers);
    if (own && state.loop == loop_) {
      add(state.before);
      if (state.writers.back() != task_) state.writers.push_back(task_);
      return;
    }
    if (state.writers == std::vector<int>{task_}) return;
    add(state.writers);
    state.before = std::exchange(state.writers, {task_});
    state.before.insert(state.before.end(), state.readers.begin(), state.readers.end());
    std::erase(state.before, task_);
    state.readers.clear();
    state.loop = own ? loop_ : -1;
  }
  const std::vector<int> &found() {
    std::ranges::sort(found_);
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    std::erase(found_, task_);
    return found_;
  }

 private:
  State &of(int data, std::size_t part, bool late) {
    return states_[2 * (static_cast<std::size_t>(data) * parts_ + part) + (late ? 1 : 0)];
  }
  void add(const std::vector<int> &tasks) { found_.insert(found_.end(), tasks.begin(), tasks.end()); }

  const std::size_t parts_;
  std::vector<State> states_; // of early tasks, then of late ones
  std::vector<int> found_;
  int task_ = 0, loop_ = 0;
  bool late_ = false;
};

std::size_t count_data(std::span<const ChainLoop> loops) {
  int most = -1;
  for (const ChainLoop &loop : loops)
    for (const Reach &reach : loop.reaches) most = std::max(most, reach.data);
  return static_cast<std::size_t>(most + 1);
}

} // namespace

std::vector<double> equal_borders(int parts) {
  std::vector<double> out;
  for (int p = 0; p <= parts; ++p) out.push_back(static_cast<double>(p) / parts);
  return out;
}

std::vector<double> borders_of_equal_cost(std::span<const double> borders, std::span<const double> cost, int parts) {
  double all = 0;
  for (const double c : cost) all += c;
  std::vector<double> out = {0};
  double before = 0; // cost of the parts before p
  std::size_t p = 0;
  for (int n = 1; n < parts; ++n) {
    const double wanted = all * n / parts;
    while (p + 1 < cost.size() && before + cost[p] < wanted) before += cost[p++];
    const double within = cost[p] > 0 ? std::min(1.0, (wanted - before) / cost[p]) : 0;
    out.push_back(borders[p] + within * (borders[p + 1] - borders[p]));
  }
  out.push_back(1);
  return out;
}

TaskParts deal_tasks(std::span<const ChainLoop> loops, std::span<const int> rows, std::span<const double> borders,
                     std::span<const int> in_order, std::span<const char> needs_copies) {
  TaskParts out;
  out.awaits = !needs_copies.empty();
  LateRows late(out.awaits ? rows : std::span<const int>());
  out.dealt.parts = static_cast<int>(borders.size()) - 1;
  out.dealt.loops.resize(loops.size());
  const Rows placed(loops, rows, borders, in_order, out.part);
  const WholeBlocks whole(out.part);
  Extents known;
  LoopExtents extents;
  for (std::size_t l = 0; l < loops.size(); ++l) {
    extents.find(loops[l], known);
    if (out.awaits) late.find(loops[l], extents, needs_copies[l] != 0);
    Dealer(loops[l], out, extents, whole, out.awaits ? &late : nullptr, out.dealt.loops[l]).deal();
    if (out.awaits) late.note(loops[l]);
  }
  return out;
}

ChainLists task_chain(std::span<const ChainLoop> loops, std::span<const ChainColumns> columns, const TaskParts &parts,
                      int threads) {
  ChainLists out;
  out.loops.resize(loops.size());
  out.awaits = parts.awaits;
  if (out.awaits) out.lists.push_back({});
  const int count = parts.dealt.parts;
  const WholeBlocks whole(parts.part);
  Extents known;
  LoopExtents extents;
  Waits waits(count_data(loops), static_cast<std::size_t>(count));
  for (std::size_t l = 0; l < loops.size(); ++l) {
    const ChainLoop &loop = loops[l];
    const bool by_rows = loop.runs_of_element == ElementRuns::by_rows;
    extents.find(loop, known);
    const Touched touched(loop, parts.dealt.loops[l], parts, extents, whole);
    for (const LoopPiece &piece : cut_loop(loop, columns[l], parts.dealt.loops[l], parts.lists(), out.loops[l])) {
      const int task = static_cast<int>(out.lists.size());
      const auto own = static_cast<std::size_t>(piece.list);
      const bool late = piece.list >= count;
      const int part = late ? piece.list - count : piece.list;
      waits.begin(task, static_cast<int>(l), late);
      for (std::size_t i = 0; i < loop.reaches.size(); ++i) {
        const Reach &reach = loop.reaches[i];
        const bool changes = reach.adds && !reach.direct();
        if (reach.reads && !(reach.direct() && reach.adds))
          touched.each(i, own, [&](std::size_t p) { waits.read(reach.data, p); });
        if (changes && by_rows)
          waits.write(reach.data, static_cast<std::size_t>(part), true);
        else if (reach.adds)
          touched.each(i, own, [&](std::size_t p) { waits.write(reach.data, p, reach.direct()); });
      }
      op_exec_chain_list list{};
      list.thread = static_cast<int>(std::int64_t{part} * threads / count);
      list.first_step = static_cast<int>(out.steps.size()), list.last_step = list.first_step + 1;
      list.first_wait = static_cast<int>(out.waits.size());
      if (late) out.waits.push_back({0, 0});
      for (const int earlier : waits.found()) out.waits.push_back({earlier, 1});
      list.last_wait = static_cast<int>(out.waits.size());
      out.steps.push_back({static_cast<int>(l), piece.first, piece.last});
      out.lists.push_back(list);
      out.part.push_back(part);
    }
  }
  for (ListedLoop &loop : out.loops) loop.segments.shrink_to_fit(), loop.own.shrink_to_fit();
  return out;
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
