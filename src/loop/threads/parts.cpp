#include "loop/threads/parts.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "loop/tiles/extents.hpp"

namespace op2::core {

namespace {

using List = std::uint16_t;
constexpr List nobody = 0xffff; // no element has touched the row
constexpr List various = 0xfffe;
constexpr int grain = 16;        // parts begin at multiples, against false sharing
constexpr int longest_gap = 4;   // elements that are rather run in vain than left out
constexpr int most_rounds = 32;  // in which rows without a place find those that elements reach with them
constexpr double uneven = 1.005; // the longest thread, from where on parts are weighed again

// Which list the rows of one set are in: before the loop that is being dealt out, and after it.
struct SetLists {
  std::vector<List> before, after;
  std::vector<List> whole; // of each block: the list of all its rows, before and after; or `various`
  std::vector<char> dirty; // blocks in which rows have changed
  std::vector<int> dirty_blocks, changed;

  explicit SetLists(int rows)
      : before(static_cast<std::size_t>(rows), nobody),
        after(before),
        whole(static_cast<std::size_t>((rows + extent_block - 1) / extent_block), nobody),
        dirty(whole.size()) {}

  void set(int row, List list) {
    List &at = after[static_cast<std::size_t>(row)];
    if (at == list) return;
    at = list;
    changed.push_back(row);
    const auto b = static_cast<std::size_t>(row / extent_block);
    whole[b] = various;
    if (!std::exchange(dirty[b], 1)) dirty_blocks.push_back(row / extent_block);
  }
  void commit() {
    for (const int row : changed) before[static_cast<std::size_t>(row)] = after[static_cast<std::size_t>(row)];
    changed.clear();
    for (const int b : dirty_blocks) {
      const auto first = before.begin() + std::ptrdiff_t{b} * extent_block;
      const auto last = before.begin() + std::min(std::ptrdiff_t{b + 1} * extent_block, std::ssize(before));
      whole[static_cast<std::size_t>(b)] =
          std::all_of(first, last, [&](List l) { return l == *first; }) ? *first : various;
      dirty[static_cast<std::size_t>(b)] = 0;
    }
    dirty_blocks.clear();
  }
};

class Dealing {
 public:
  // borders: where parts begin and, last, where they end, as parts of 1.
  Dealing(std::span<const ChainLoop> loops, std::span<const int> rows, std::span<const int> in_order,
          std::span<const double> borders, Extents &extents)
      : loops_(loops), in_order_(in_order), borders_(borders), extents_(extents) {
    out_.parts = static_cast<int>(borders.size()) - 1;
    out_.loops.resize(loops.size());
    out_.work.resize(static_cast<std::size_t>(out_.lists()));
    for (const int count : rows) sets_.emplace_back(count);
    const int seed = costliest_set(loops, rows.size());
    if (seed < 0) return;
    SetLists &set = sets_[static_cast<std::size_t>(seed)];
    const int count = (in_order.empty() ? rows : in_order)[static_cast<std::size_t>(seed)];
    for (int p = 0; p < out_.parts; ++p)
      for (int r = first_of(p, count), end = first_of(p + 1, count); r < end; ++r) set.set(r, static_cast<List>(p));
    set.commit();
    for (int round = 0; round < most_rounds && !in_order.empty() && place_others(); ++round) commit();
  }

  ChainParts all() {
    for (std::size_t l = 0; l < loops_.size(); ++l) deal(l);
    return std::move(out_);
  }

  // So many first loops leave no thread more than that, if only parts have the right sizes.
  std::size_t first_even(double most) {
    for (std::size_t l = 0; l < loops_.size(); ++l) {
      deal(l);
      const double all = std::accumulate(out_.work.begin(), out_.work.end(), 0.0);
      const double one_by_one = out_.work[static_cast<std::size_t>(out_.rest())];
      if (one_by_one * (out_.parts - 1) > (most - 1) * all) return l;
    }
    return loops_.size();
  }

 private:
  void deal(std::size_t l) {
    now_ = &loops_[l];
    shares_ = &out_.loops[l];
    reached_.find(*now_, extents_);
    if (now_->runs_of_element == ElementRuns::by_rows)
      deal_rows();
    else
      deal_whole();
    commit();
  }
  int first_of(int part, int count) const {
    if (part == out_.parts) return count;
    return static_cast<int>(borders_[static_cast<std::size_t>(part)] * count) / grain * grain;
  }
  // Rows that have no place by their number go where rows are that elements reach together with them and that have a
  // place since the last round. Returns whether there were such.
  bool place_others() {
    bool found = false;
    for (const ChainLoop &loop : loops_) {
      if (std::ranges::none_of(loop.reaches, [](const Reach &reach) { return !reach.direct(); })) continue;
      reached_.find(loop, extents_);
      for (int b = 0; b * extent_block < loop.size; ++b)
        if (reaches_others(loop, b))
          for (int e = b * extent_block; e < end_of(b); ++e) found = place_with(loop, e) || found;
    }
    return found;
  }
  int places(const Reach &reach) const { return in_order_[static_cast<std::size_t>(reach.set)]; }
  bool reaches_others(const ChainLoop &loop, int b) const {
    for (std::size_t i = 0; i < loop.reaches.size(); ++i)
      if (reached_.at(i, b).most >= places(loop.reaches[i])) return true;
    return false;
  }
  bool place_with(const ChainLoop &loop, int element) {
    List list = nobody;
    for (const Reach &reach : loop.reaches)
      if (list == nobody) list = before(reach, element);
    bool found = false;
    for (const Reach &reach : loop.reaches) {
      if (list == nobody || after(reach, element) != nobody) continue;
      if (const int row = reached_row(reach, element); row >= places(reach)) set_of(reach).set(row, list), found = true;
    }
    return found;
  }
  // Where an element goes that needs nothing of anybody.
  List usual(int element) const {
    const double place = (element + 0.5) / now_->size;
    int part = 0;
    while (part + 1 < out_.parts && borders_[static_cast<std::size_t>(part) + 1] <= place) ++part;
    return static_cast<List>(part);
  }

  // The first list that runs after both, or is both.
  List join(List a, List b) const {
    if (a == b || b == nobody) return a;
    if (a == nobody) return b;
    if (a > b) std::swap(a, b);
    const int parts = out_.parts;
    if (b < parts) return static_cast<List>(b == a + 1 ? out_.border(a) : out_.rest());
    const int left = b - parts; // of the border
    return static_cast<List>(a == left || a == left + 1 ? b : out_.rest());
  }

  SetLists &set_of(const Reach &reach) { return sets_[static_cast<std::size_t>(reach.set)]; }
  List before(const Reach &reach, int element) {
    return set_of(reach).before[static_cast<std::size_t>(reached_row(reach, element))];
  }
  List after(const Reach &reach, int element) {
    return set_of(reach).after[static_cast<std::size_t>(reached_row(reach, element))];
  }

  int end_of(int b) const { return reached_.end_of(b); }
  // The list of everything that a block of elements reaches, or `various`.
  List common(int b) const {
    List out = nobody;
    for (std::size_t i = 0; i < now_->reaches.size(); ++i) {
      const Extent extent = reached_.at(i, b);
      if (extent.wide()) return various;
      const SetLists &set = sets_[static_cast<std::size_t>(now_->reaches[i].set)];
      for (int k = extent.first_block(); k <= extent.last_block(); ++k) {
        const List list = set.whole[static_cast<std::size_t>(k)];
        if (list >= various || (out != nobody && out != list)) return various;
        out = list;
      }
    }
    return out == nobody ? various : out;
  }
  template <class Body>
  void for_each_block(const Body &body) {
    for (int b = 0; b * extent_block < now_->size; ++b) body(b, common(b));
  }

  // Rows first: each goes where all elements that change it can run. Then the elements follow their rows.
  void deal_rows() {
    reads_.clear(), changes_.clear();
    for (const Reach &reach : now_->reaches) {
      if (!reach.direct() && reach.adds) changes_.push_back(&reach);
      if (reach.direct() || reach.reads) reads_.push_back(&reach);
    }
    for_each_block([&](int b, List list) {
      for (int e = b * extent_block; list == various && e < end_of(b); ++e) {
        List source = nobody;
        for (const Reach *reach : reads_) source = join(source, before(*reach, e));
        for (const Reach *reach : changes_) {
          const List target = join(after(*reach, e), source);
          set_of(*reach).set(reached_row(*reach, e), target == nobody ? usual(e) : target);
        }
      }
    });
    if (now_->cuts.empty())
      for_each_block([&](int b, List list) {
        if (list != various) return add(b * extent_block, end_of(b), list);
        for (int e = b * extent_block; e < end_of(b); ++e) follow_rows(e);
      });
    else
      for (std::size_t c = 0; c + 1 < now_->cuts.size(); ++c) follow_rows_together(now_->cuts[c], now_->cuts[c + 1]);
    apply_raised();
    close_gaps();
  }
  // Whoever reduces the values of the block runs all of it, as soon as what it reads is there.
  void follow_rows_together(int begin, int end) {
    List list = begin < end ? common_of(begin, end) : usual(std::min(begin, now_->size - 1));
    if (list == various) {
      list = nobody;
      for (int e = begin; e < end; ++e) follow_rows(e);
      for (int e = begin; e < end; ++e)
        for (const Reach *reach : reads_) list = join(list, before(*reach, e));
      if (list == nobody) list = after(*changes_.front(), begin);
      for (int e = begin; e < end; ++e)
        for (const Reach *reach : reads_) take_along(*reach, e, list);
      out_.work[list] += now_->bytes / now_->size * (end - begin);
    } else if (begin < end) {
      add(begin, end, list);
    }
    shares_->together.push_back(list);
  }
  void follow_rows(int e) {
    std::vector<List> &lists = lists_;
    lists.clear();
    for (const Reach *reach : changes_) lists.push_back(after(*reach, e));
    const bool one = std::ranges::all_of(lists, [&](List list) { return list == lists.front(); });
    for (const Reach *reach : reads_)
      for (const List list : lists) take_along(*reach, e, list);
    if (one) return add(e, e + 1, lists.front());
    std::vector<LoopShares::Run> &runs = shares_->runs;
    if (runs.empty() || runs.back().list != LoopShares::several)
      runs.push_back({e, e, LoopShares::several, shares_->owners.size()});
    runs.back().end = e + 1;
    shares_->owners.insert(shares_->owners.end(), lists.begin(), lists.end());
    std::ranges::sort(lists);
    lists.erase(std::unique(lists.begin(), lists.end()), lists.end());
    for (const List list : lists) out_.work[list] += now_->bytes / now_->size;
  }

  // Elements that change common rows must see at once where those before them have gone.
  void deal_whole() {
    const bool meet = std::ranges::any_of(now_->reaches, [](const Reach &r) { return !r.direct() && r.adds; });
    if (now_->cuts.empty())
      return for_each_block([&](int b, List list) {
        if (list != various && !meet) return add(b * extent_block, end_of(b), list);
        for (int e = b * extent_block; e < end_of(b); ++e) deal_together(e, e + 1, meet);
      });
    for (std::size_t c = 0; c + 1 < now_->cuts.size(); ++c) {
      const int begin = now_->cuts[c], end = now_->cuts[c + 1];
      const List list = begin < end && !meet ? common_of(begin, end) : various;
      if (list != various)
        add(begin, end, list);
      else
        deal_together(begin, end, meet);
    }
  }
  void deal_together(int begin, int end, bool meet) {
    if (begin >= end) return;
    List list = nobody;
    for (int e = begin; e < end; ++e)
      for (const Reach &reach : now_->reaches) list = join(list, meet ? after(reach, e) : before(reach, e));
    if (list == nobody) list = usual(begin);
    add(begin, end, list);
    for (int e = begin; e < end; ++e)
      for (const Reach &reach : now_->reaches)
        if (meet)
          set_of(reach).set(reached_row(reach, e), join(after(reach, e), list));
        else
          take_along(reach, e, list);
  }
  List common_of(int begin, int end) const {
    const List list = common(begin / extent_block);
    for (int b = begin / extent_block; b * extent_block < end; ++b)
      if (common(b) != list) return various;
    return list;
  }

  void add(int begin, int end, List list) {
    std::vector<LoopShares::Run> &runs = shares_->runs;
    out_.work[list] += now_->bytes / now_->size * (end - begin);
    if (!runs.empty() && runs.back().list == list)
      runs.back().end = end;
    else
      runs.push_back({begin, end, list, 0});
  }
  // Whoever needs the row later comes after this list.
  void take_along(const Reach &reach, int element, List list) {
    const List at = after(reach, element);
    if (join(at, list) != at) raised_.push_back({&set_of(reach), reached_row(reach, element), list});
  }
  void apply_raised() {
    for (const auto &[set, row, list] : raised_) set->set(row, join(set->after[static_cast<std::size_t>(row)], list));
    raised_.clear();
  }
  void commit() {
    apply_raised();
    for (SetLists &set : sets_) set.commit();
  }

  // At a border, elements of which a list has some rows alternate with others. It may run these, too, if all that they
  // read is there when it runs, and nobody changes it before the list is done.
  void close_gaps() {
    last_.assign(out_.work.size(), -longest_gap - 1);
    for (const LoopShares::Run &run : shares_->runs) {
      if (run.list != LoopShares::several) {
        last_[static_cast<std::size_t>(run.list)] = run.end;
        continue;
      }
      const List *owner = shares_->owners.data() + run.owners;
      for (int e = run.begin; e < run.end; ++e, owner += changes_.size())
        for (std::size_t c = 0; c < changes_.size(); ++c) {
          close_gap(last_[owner[c]], e, owner[c]);
          last_[owner[c]] = e + 1;
        }
    }
    std::ranges::sort(shares_->idle, {}, &LoopShares::Idle::element);
  }
  void close_gap(int begin, int end, List list) {
    if (end - begin > longest_gap) return;
    for (int e = begin; e < end; ++e)
      for (const Reach *reach : reads_)
        if (join(before(*reach, e), list) != list || join(after(*reach, e), list) != after(*reach, e)) return;
    for (int e = begin; e < end; ++e) {
      shares_->idle.push_back({e, list});
      out_.work[list] += now_->bytes / now_->size;
    }
  }

  struct Raised {
    SetLists *set;
    int row;
    List list;
  };
  std::span<const ChainLoop> loops_;
  std::span<const int> in_order_;
  std::span<const double> borders_;
  Extents &extents_;
  std::vector<SetLists> sets_;
  ChainParts out_;
  // Of the loop that is being dealt out.
  const ChainLoop *now_ = nullptr;
  LoopShares *shares_ = nullptr;
  LoopExtents reached_;
  std::vector<const Reach *> reads_, changes_;
  std::vector<List> lists_;
  std::vector<int> last_; // of each list: the end of what it runs so far
  std::vector<Raised> raised_;
};

std::vector<double> even(int parts) {
  std::vector<double> out;
  for (int p = 0; p <= parts; ++p) out.push_back(static_cast<double>(p) / parts);
  return out;
}

// A thread runs its part and the border behind it: parts shrink by that much.
std::vector<double> weighed(const ChainParts &parts, std::span<const double> borders) {
  const double all = parts.all();
  const auto border = [&](int p) {
    return p < 0 || p + 1 >= parts.parts ? 0 : parts.work[static_cast<std::size_t>(parts.border(p))] / all;
  };
  std::vector<double> out = {0};
  for (int p = 0; p < parts.parts; ++p) {
    const auto at = static_cast<std::size_t>(p);
    const double less = (border(p) - border(p - 1)) / 2;
    out.push_back(out.back() + std::max(borders[at + 1] - borders[at] - less, 0.1 / parts.parts));
  }
  const double end = out.back();
  for (double &place : out) place /= end;
  return out;
}

} // namespace

double ChainParts::all() const { return std::accumulate(work.begin(), work.end(), 0.0); }

double ChainParts::longest() const {
  const double whole = all();
  double most = 0;
  for (int p = 0; p < parts; ++p) {
    const double behind = p + 1 < parts ? work[static_cast<std::size_t>(border(p))] : 0;
    most = std::max(most, work[static_cast<std::size_t>(p)] + behind);
  }
  if (parts > 1) most += work[static_cast<std::size_t>(rest())];
  return whole > 0 ? most * parts / whole : 1;
}

ChainParts part_chain(std::span<const ChainLoop> loops, std::span<const int> rows, int parts,
                      std::span<const int> in_order) {
  Extents extents;
  std::vector<double> borders = even(parts);
  ChainParts out = Dealing(loops, rows, in_order, borders, extents).all();
  if (parts == 1 || out.longest() < uneven) return out;
  borders = weighed(out, borders);
  ChainParts again = Dealing(loops, rows, in_order, borders, extents).all();
  return again.longest() < out.longest() ? again : out;
}

std::size_t first_even_loops(std::span<const ChainLoop> loops, std::span<const int> rows, int parts, double most,
                             std::span<const int> in_order) {
  if (parts == 1) return loops.size();
  Extents extents;
  const std::vector<double> borders = even(parts);
  return Dealing(loops, rows, in_order, borders, extents).first_even(most);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
