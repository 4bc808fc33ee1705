#include "loop/threads/lists.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace op2::core {

namespace {

constexpr int shortest_in_place = 16; // elements between shared ones are run with them, to save calls
constexpr int longest_left_out = 32;  // elements that a list leaves out inside of a segment
constexpr int longest_shared = 256;   // elements of a segment with bits, whose rows stay in the first-level cache

int words_of(int bits) { return (bits + 31) / 32; }

void set_bit(std::vector<std::uint32_t> &bits, int i) { bits[static_cast<std::size_t>(i / 32)] |= 1u << (i % 32); }

bool has_bit(const std::vector<std::uint32_t> &bits, int i) {
  return bits[static_cast<std::size_t>(i / 32)] >> (i % 32) & 1u;
}

// The pieces of one loop: who runs which elements, and who has which of their rows.
class LoopLists {
 public:
  LoopLists(const ChainLoop &loop, const ChainColumns &columns, const LoopShares &shares, int lists, ListedLoop &out)
      : loop_(loop), columns_(columns), shares_(shares), lists_(static_cast<std::size_t>(lists)), out_(out) {
    out_.group_offset = columns.group_offset;
    out_.column_map = columns.map;
    out_.column = columns.column;
    std::vector<int> number(loop.reaches.size()); // among those that change rows through maps
    for (std::size_t r = 0; r < loop.reaches.size(); ++r) {
      number[r] = changes_;
      if (!loop.reaches[r].direct() && loop.reaches[r].adds) ++changes_;
    }
    for (const int reach : columns.reach) place_.push_back(number[static_cast<std::size_t>(reach)]);
  }

  // Calls take(list, first segment, last segment) for each list that runs some of these elements.
  template <class Take>
  void cut(int begin, int end, const Take &take) {
    if (loop_.runs_of_element == ElementRuns::by_rows && !loop_.cuts.empty())
      collect_blocks(begin, end);
    else
      collect(begin, end);
    for (const int number : used_) {
      List &list = lists_[static_cast<std::size_t>(number)];
      finish(list);
      const int first = static_cast<int>(out_.segments.size());
      out_.segments.insert(out_.segments.end(), list.done.begin(), list.done.end());
      take(number, first, static_cast<int>(out_.segments.size()));
      list.done.clear();
      list.used = false;
    }
    used_.clear();
  }

 private:
  // Segments of a list. The last one may still grow: elements that it shares with others.
  struct List {
    bool used = false;
    std::vector<op_exec_segment> done;
    int begin = 0, end = 0; // of the one that grows; equal: there is none
    bool whole = true;      // every row that its elements change is the list's own
    bool all = true;        // the list runs every element from begin to end
    std::vector<std::uint32_t> bits;
  };

  const std::uint16_t *owners_of(const LoopShares::Run &run, int element) const {
    return shares_.owners.data() + run.owners + static_cast<std::size_t>(element - run.begin) * changes();
  }
  std::size_t changes() const { return static_cast<std::size_t>(changes_); }
  int columns() const { return static_cast<int>(place_.size()); }

  // Steps of a loop mostly follow each other.
  void go_to(int element) {
    const std::vector<LoopShares::Run> &runs = shares_.runs;
    if (run_ >= runs.size() || element < runs[run_].begin || element >= runs[run_].end)
      run_ = static_cast<std::size_t>(std::ranges::upper_bound(runs, element, {}, &LoopShares::Run::begin) -
                                      runs.begin() - 1);
    const std::vector<LoopShares::Idle> &idle = shares_.idle;
    const bool right =
        (idle_ == 0 || idle[idle_ - 1].element < element) && (idle_ == idle.size() || idle[idle_].element >= element);
    if (!right)
      idle_ = static_cast<std::size_t>(std::ranges::lower_bound(idle, element, {}, &LoopShares::Idle::element) -
                                       idle.begin());
  }
  void collect(int begin, int end) {
    go_to(begin);
    for (int at = begin; at < end;) {
      const LoopShares::Run &run = shares_.runs[run_];
      const int stop = std::min(run.end, end);
      if (run.list == LoopShares::several) {
        for (int e = at; e < stop; ++e) add_idle(e + 1), share(e, owners_of(run, e));
      } else {
        add_idle(stop);
        if (run.list != together_) add(run.list, at, stop);
      }
      at = stop;
      if (at == run.end) ++run_;
    }
  }
  void add_idle(int end) {
    for (; idle_ < shares_.idle.size() && shares_.idle[idle_].element < end; ++idle_) {
      const auto [element, number] = shares_.idle[idle_];
      if (number != together_) grow(number, element).whole = false;
    }
  }
  // Each list that has some of its rows runs the element.
  void share(int element, const std::uint16_t *owners) {
    for (std::size_t c = 0; c < changes(); ++c)
      if (std::find(owners, owners + c, owners[c]) == owners + c && owners[c] != together_) {
        List &list = grow(owners[c], element);
        list.whole = false;
        own(list, element, owners);
      }
  }
  // The list runs each of these elements, and has all of their rows.
  void add(int number, int begin, int end) {
    if ((loop_.runs_of_element == ElementRuns::by_rows || loop_.cuts.empty()) && end - begin < shortest_in_place) {
      for (int e = begin; e < end; ++e) own(grow(number, e), e, nullptr);
      return;
    }
    List &list = use(number);
    finish(list);
    add_in_place(list, begin, end);
  }

  // A list runs each block as a whole; what others run of it for their rows reduces nothing.
  void collect_blocks(int begin, int end) {
    auto b = static_cast<std::size_t>(std::ranges::lower_bound(loop_.cuts, begin) - loop_.cuts.begin());
    for (; b + 1 < loop_.cuts.size() && loop_.cuts[b] < end; ++b) {
      if (loop_.cuts[b] == loop_.cuts[b + 1]) continue;
      together_ = shares_.together[b];
      collect(loop_.cuts[b], loop_.cuts[b + 1]);
      add_block(static_cast<int>(b));
    }
    together_ = -1;
  }
  void add_block(int block) {
    List &list = use(together_);
    finish(list);
    const int begin = loop_.cuts[static_cast<std::size_t>(block)];
    const int end = loop_.cuts[static_cast<std::size_t>(block) + 1];
    go_to(begin);
    if (shares_.runs[run_].list == together_ && shares_.runs[run_].end >= end) {
      list.done.push_back(elements_of({begin, end, block, -1}));
      return;
    }
    for (int e = begin; e < end; ++e) {
      if (e == shares_.runs[run_].end) ++run_;
      const LoopShares::Run &run = shares_.runs[run_];
      run_element(list, e);
      if (run.list == LoopShares::several)
        own(list, e, owners_of(run, e));
      else if (run.list == together_)
        own(list, e, nullptr);
    }
    add_shared(list, block);
  }

  List &use(int number) {
    List &list = lists_[static_cast<std::size_t>(number)];
    if (!std::exchange(list.used, true)) used_.push_back(number);
    return list;
  }
  List &grow(int number, int element) {
    List &list = use(number);
    if (list.begin < list.end && !fits(list, element)) finish(list);
    run_element(list, element);
    return list;
  }
  bool fits(const List &list, int element) const {
    if (element - list.end > longest_left_out || element - list.begin >= longest_shared) return false;
    return end_of_run(list.end - 1, element + 1) == element + 1;
  }
  void run_element(List &list, int element) {
    if (list.begin == list.end) list.begin = list.end = element, list.whole = list.all = true;
    list.all = list.all && list.end == element;
    list.end = element + 1;
    const int first = (element - list.begin) * (columns() + 1);
    list.bits.resize(static_cast<std::size_t>(words_of(first + columns() + 1)));
    set_bit(list.bits, first);
  }
  // owners: NULL = all rows are the list's own.
  void own(List &list, int element, const std::uint16_t *owners) {
    const auto number = static_cast<std::uint16_t>(&list - lists_.data());
    const int first = (element - list.begin) * (columns() + 1) + 1;
    for (int c = 0; c < columns(); ++c)
      if (!owners || owners[place_[static_cast<std::size_t>(c)]] == number) set_bit(list.bits, first + c);
  }
  void finish(List &list) {
    if (list.begin == list.end) return;
    if (!list.whole || !list.all) return add_shared(list, -1);
    list.bits.clear();
    add_in_place(list, list.begin, list.end);
    list.end = list.begin;
  }
  void add_shared(List &list, int block) {
    if (list.all) leave_out_run_bits(list);
    const int word = static_cast<int>(out_.own.size());
    list.done.push_back(elements_of({list.begin, list.end, block, list.all ? -2 - word : word}));
    out_.own.insert(out_.own.end(), list.bits.begin(), list.bits.end());
    list.bits.clear();
    list.end = list.begin;
  }
  void leave_out_run_bits(List &list) const {
    const int elements = list.end - list.begin;
    std::vector<std::uint32_t> shorter(static_cast<std::size_t>(words_of(elements * columns())));
    for (int place = 0, to = 0; place < elements; ++place)
      for (int c = 0; c < columns(); ++c, ++to)
        if (has_bit(list.bits, place * (columns() + 1) + 1 + c)) set_bit(shorter, to);
    list.bits = std::move(shorter);
  }
  void add_in_place(List &list, int begin, int end) const {
    const bool blocks = !loop_.cuts.empty() && loop_.runs_of_element == ElementRuns::once;
    for (int at = begin; at < end;) {
      op_exec_segment segment{at, end, -1, -1};
      if (blocks) {
        const auto next = std::ranges::upper_bound(loop_.cuts, at);
        segment.end = *next;
        segment.block = static_cast<int>(next - loop_.cuts.begin()) - 1;
      } else {
        segment.end = end_of_run(at, end);
      }
      list.done.push_back(elements_of(segment));
      at = segment.end;
    }
  }
  // From `at`, elements that follow each other; up to `end`.
  int end_of_run(int at, int end) const {
    if (columns_.order.empty()) return end;
    const int *const order = columns_.order.data();
    int out = at + 1;
    while (out < end && order[out] == order[out - 1] + 1) ++out;
    return out;
  }
  op_exec_segment elements_of(op_exec_segment places) const {
    if (columns_.order.empty()) return places;
    const int begin = columns_.order[static_cast<std::size_t>(places.begin)];
    places.end = begin + places.end - places.begin;
    places.begin = begin;
    return places;
  }

  const ChainLoop &loop_;
  const ChainColumns &columns_;
  const LoopShares &shares_;
  int changes_ = 0;        // columns through which the elements change rows
  std::vector<int> place_; // of each local column among them
  std::vector<List> lists_;
  std::vector<int> used_;          // lists with pieces of the present step
  std::size_t run_ = 0, idle_ = 0; // in shares_: of the next element
  int together_ = -1;              // the list that runs the present block as a whole
  ListedLoop &out_;
};

struct TimedStep {
  op_exec_chain_step step;
  int tile;
};

// A list waits for those whose rows it takes over, until they have done all tiles that it has a part in: a tile needs
// nothing of later ones.
class Joined {
 public:
  Joined(const ChainParts &parts, std::vector<std::vector<TimedStep>> lists, ChainLists &out)
      : parts_(parts), lists_(std::move(lists)), number_(lists_.size(), -1), out_(out) {
    for (int list = 0; list < parts.lists(); ++list) add(list);
  }

 private:
  const std::vector<TimedStep> &of(int list) const { return lists_[static_cast<std::size_t>(list)]; }
  bool follows(int list, int earlier) const {
    if (parts_.is_part(list) || earlier >= list) return false;
    if (parts_.is_rest(list)) return true;
    const int left = list - parts_.border(0);
    return earlier == left || earlier == left + 1;
  }
  int thread_of(int list) const {
    if (parts_.is_part(list)) return list;
    return parts_.is_rest(list) ? 0 : list - parts_.border(0);
  }
  void add(int list) {
    if (of(list).empty()) return;
    op_exec_chain_list next{};
    next.thread = thread_of(list);
    next.first_step = static_cast<int>(out_.steps.size());
    next.first_wait = static_cast<int>(out_.waits.size());
    const int last_tile = of(list).back().tile;
    for (int earlier = 0; earlier < list; ++earlier) {
      if (!follows(list, earlier) || number_[static_cast<std::size_t>(earlier)] < 0) continue;
      const auto until = std::ranges::upper_bound(of(earlier), last_tile, {}, &TimedStep::tile);
      const int steps = static_cast<int>(until - of(earlier).begin());
      if (steps > 0) out_.waits.push_back({number_[static_cast<std::size_t>(earlier)], steps});
    }
    for (const TimedStep &each : of(list)) out_.steps.push_back(each.step);
    next.last_step = static_cast<int>(out_.steps.size());
    next.last_wait = static_cast<int>(out_.waits.size());
    number_[static_cast<std::size_t>(list)] = static_cast<int>(out_.lists.size());
    out_.lists.push_back(next);
  }

  const ChainParts &parts_;
  std::vector<std::vector<TimedStep>> lists_;
  std::vector<int> number_; // among lists that are not empty
  ChainLists &out_;
};

} // namespace

int ListedLoop::elements(const op_exec_segment &segment) const {
  if (segment.staged < 0) return segment.end - segment.begin; // also if it has bits
  int out = 0;
  for (int place = 0; place < segment.end - segment.begin; ++place) out += runs(segment, place);
  return out;
}

double bytes_of(const ChainLists &lists) {
  const auto bytes = [](const auto &values) { return static_cast<double>(values.size() * sizeof values[0]); };
  double out = bytes(lists.steps) + bytes(lists.waits) + bytes(lists.lists);
  for (const ListedLoop &loop : lists.loops) out += bytes(loop.segments) + bytes(loop.own);
  return out;
}

std::vector<LoopPiece> cut_loop(const ChainLoop &loop, const ChainColumns &columns, const LoopShares &shares, int lists,
                                ListedLoop &out) {
  std::vector<LoopPiece> pieces;
  if (loop.size > 0)
    LoopLists(loop, columns, shares, lists, out).cut(0, loop.size, [&](int list, int first, int last) {
      pieces.push_back({list, first, last});
    });
  else // also says which columns the plan has
    LoopLists(loop, columns, shares, lists, out);
  std::ranges::sort(pieces, {}, &LoopPiece::list);
  return pieces;
}

std::vector<TilePiece> cut_tiles(std::span<const ChainLoop> loops, std::span<const ChainColumns> columns,
                                 const ChainTiles &tiles, const ChainParts &parts, std::span<ListedLoop> out) {
  std::vector<LoopLists> cutters;
  for (std::size_t l = 0; l < loops.size(); ++l)
    cutters.emplace_back(loops[l], columns[l], parts.loops[l], parts.lists(), out[l]);
  std::vector<TilePiece> pieces;
  for (int t = 0; t < tiles.tiles(); ++t)
    for (std::size_t s = tiles.first[static_cast<std::size_t>(t)]; s < tiles.first[static_cast<std::size_t>(t) + 1];
         ++s) {
      const Step &step = tiles.steps[s];
      cutters[static_cast<std::size_t>(step.loop)].cut(step.begin, step.end, [&](int list, int first, int last) {
        pieces.push_back({list, t, step.loop, first, last});
      });
    }
  return pieces;
}

void ListedLoop::add(const ListedLoop &from, op_exec_segment segment) {
  if (segment.staged != -1) {
    const int at = word(segment), words = words_of((segment.end - segment.begin) * from.bits(segment));
    const int here = static_cast<int>(own.size());
    own.insert(own.end(), from.own.begin() + at, from.own.begin() + at + words);
    segment.staged = segment.staged < 0 ? -2 - here : here;
  }
  segments.push_back(segment);
}

void ListedLoop::number_blocks() {
  for (const op_exec_segment &segment : segments)
    if (segment.block >= 0) blocks.push_back(segment.block);
  std::ranges::sort(blocks);
  blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  some_blocks = true;
  for (op_exec_segment &segment : segments)
    if (segment.block >= 0)
      segment.block = static_cast<int>(std::ranges::lower_bound(blocks, segment.block) - blocks.begin());
}

ChainLists list_chain(std::span<const ChainLoop> loops, std::span<const ChainColumns> columns, const ChainTiles &tiles,
                      const ChainParts &parts) {
  ChainLists out;
  out.longest = parts.longest();
  out.loops.resize(loops.size());
  std::vector<std::vector<TimedStep>> lists(static_cast<std::size_t>(parts.lists()));
  for (const TilePiece &piece : cut_tiles(loops, columns, tiles, parts, out.loops))
    lists[static_cast<std::size_t>(piece.list)].push_back({{piece.loop, piece.first, piece.last}, piece.tile});
  const Joined joined(parts, std::move(lists), out);
  for (ListedLoop &loop : out.loops) loop.segments.shrink_to_fit(), loop.own.shrink_to_fit();
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
