#include "loop/chain/lists.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace op2::core {

namespace {

constexpr int shortest_in_place = 16; // elements between staged ones are staged with them, to save calls
constexpr int longest_table = 256;    // elements whose rows stay in the first-level cache

struct ListPiece {
  int begin, end;
  bool staged;
  int block = -1; // whose values the list reduces
};

// The pieces of one loop: who runs which elements, and who has which of their rows.
class LoopLists {
 public:
  LoopLists(const ChainLoop &loop, const ChainColumns &columns, const LoopShares &shares, int lists, OwnerLists &out)
      : loop_(loop), columns_(columns), shares_(shares), pieces_(static_cast<std::size_t>(lists)), out_(out) {
    out_.group_offset = columns.group_offset;
    out_.column_map = columns.map;
    out_.column = columns.column;
    out_.slot_offset = {0};
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
    if (loop_.whole == Whole::by_rows && !loop_.cuts.empty())
      collect_blocks(begin, end);
    else
      collect(begin, end);
    for (const int list : used_) {
      std::vector<ListPiece> &pieces = pieces_[static_cast<std::size_t>(list)];
      if (loop_.whole == Whole::by_rows) join(pieces);
      const int first = static_cast<int>(out_.segments.size());
      for (const ListPiece &piece : pieces) add_segments(piece, list);
      take(list, first, static_cast<int>(out_.segments.size()));
      pieces.clear();
    }
    used_.clear();
  }

 private:
  // The run that holds the element.
  const LoopShares::Run &run_of(int element) const {
    return *(std::ranges::upper_bound(shares_.runs, element, {}, &LoopShares::Run::begin) - 1);
  }
  const std::uint16_t *owners_of(const LoopShares::Run &run, int element) const {
    return shares_.owners.data() + run.owners + static_cast<std::size_t>(element - run.begin) * changes();
  }
  std::size_t changes() const { return static_cast<std::size_t>(changes_); }

  void collect(int begin, int end) {
    for (int at = begin; at < end;) {
      const LoopShares::Run &run = run_of(at);
      const int stop = std::min(run.end, end);
      auto idle = std::ranges::lower_bound(shares_.idle, at, {}, &LoopShares::Idle::element);
      for (; idle != shares_.idle.end() && idle->element < stop && run.list != LoopShares::several; ++idle)
        add(idle->list, idle->element, idle->element + 1, true);
      if (run.list != LoopShares::several)
        add(run.list, at, stop, false);
      else
        for (int e = at; e < stop; ++e) {
          for (; idle != shares_.idle.end() && idle->element == e; ++idle) add(idle->list, e, e + 1, true);
          const std::uint16_t *const owners = owners_of(run, e);
          for (std::size_t c = 0; c < changes(); ++c)
            if (std::find(owners, owners + c, owners[c]) == owners + c) add(owners[c], e, e + 1, true);
        }
      at = stop;
    }
  }
  // A list runs each block as a whole; what others run of it for their rows reduces nothing.
  void collect_blocks(int begin, int end) {
    auto b = static_cast<std::size_t>(std::ranges::lower_bound(loop_.cuts, begin) - loop_.cuts.begin());
    for (; b + 1 < loop_.cuts.size() && loop_.cuts[b] < end; ++b) {
      const int first = loop_.cuts[b], last = loop_.cuts[b + 1];
      if (first == last) continue;
      together_ = shares_.together[b];
      collect(first, last);
      const LoopShares::Run &run = run_of(first);
      const bool in_place = run.list == together_ && run.end >= last;
      add_piece(together_, {first, last, !in_place, static_cast<int>(b)});
    }
    together_ = -1;
  }
  void add(int list, int begin, int end, bool staged) {
    if (list != together_) add_piece(list, {begin, end, staged});
  }
  void add_piece(int list, const ListPiece &piece) {
    std::vector<ListPiece> &pieces = pieces_[static_cast<std::size_t>(list)];
    if (pieces.empty()) used_.push_back(list);
    if (!pieces.empty() && joins(pieces.back(), piece) && pieces.back().staged == piece.staged)
      pieces.back().end = piece.end;
    else
      pieces.push_back(piece);
  }
  static bool joins(const ListPiece &a, const ListPiece &b) { return a.end == b.begin && a.block < 0 && b.block < 0; }

  static void join(std::vector<ListPiece> &pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const bool after = i > 0 && joins(pieces[i - 1], pieces[i]);
      const bool before = i + 1 < pieces.size() && joins(pieces[i], pieces[i + 1]);
      if (pieces[i].end - pieces[i].begin < shortest_in_place && (after || before)) pieces[i].staged = true;
    }
    std::size_t kept = 0;
    for (const ListPiece piece : pieces) {
      if (kept > 0 && piece.staged && pieces[kept - 1].staged && joins(pieces[kept - 1], piece))
        pieces[kept - 1].end = piece.end;
      else
        pieces[kept++] = piece;
    }
    pieces.resize(kept);
  }

  void add_segments(const ListPiece &piece, int list) {
    const bool blocks = !loop_.cuts.empty() && loop_.whole == Whole::always;
    for (int at = piece.begin; at < piece.end;) {
      op_exec_segment segment{at, piece.end, piece.block, -1};
      if (blocks) {
        const auto next = std::ranges::upper_bound(loop_.cuts, at);
        segment.end = *next;
        segment.block = static_cast<int>(next - loop_.cuts.begin()) - 1;
      } else if (piece.staged) {
        segment.end = end_of_run(at, piece.block < 0 ? std::min(at + longest_table, piece.end) : piece.end);
        add_own_rows(segment, list);
      } else {
        segment.end = end_of_run(at, piece.end);
      }
      out_.segments.push_back(elements_of(segment));
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

  // Calls body(element, column, row, whether the list has the row).
  template <class Body>
  void for_each_row(const op_exec_segment &segment, int list, const Body &body) const {
    for (int e = segment.begin; e < segment.end; ++e) {
      const LoopShares::Run &run = run_of(e);
      const std::uint16_t *const owners = run.list == LoopShares::several ? owners_of(run, e) : nullptr;
      for (std::size_t c = 0; c < columns_.reach.size(); ++c) {
        const Reach &reach = loop_.reaches[static_cast<std::size_t>(columns_.reach[c])];
        const int owner = owners ? owners[place_[c]] : run.list;
        body(e, c, reach.column[static_cast<std::ptrdiff_t>(e) * reach.step], owner == list);
      }
    }
  }
  void add_own_rows(op_exec_segment &segment, int list) {
    const int columns = static_cast<int>(columns_.reach.size());
    if ((segment.end - segment.begin) * columns > OP_EXEC_OWN_ENTRIES) {
      segment.staged = static_cast<int>(out_.local_offset.size());
      return add_table(segment, list);
    }
    int own = 0;
    for_each_row(segment, list, [&](int e, std::size_t c, int, bool mine) {
      if (mine) own |= 1 << ((e - segment.begin) * columns + static_cast<int>(c));
    });
    segment.staged = -2 - own;
  }
  void add_table(const op_exec_segment &segment, int list) {
    const std::size_t groups = columns_.group_offset.size() - 1;
    std::vector<std::vector<int>> own(groups);
    const auto group_of = [&](std::size_t column) {
      return static_cast<std::size_t>(std::ranges::upper_bound(columns_.group_offset, static_cast<int>(column)) -
                                      columns_.group_offset.begin() - 1);
    };
    for_each_row(segment, list, [&](int, std::size_t c, int row, bool mine) {
      if (mine) own[group_of(c)].push_back(row);
    });
    for (std::vector<int> &rows : own) {
      std::ranges::sort(rows);
      rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
      out_.slot_row.insert(out_.slot_row.end(), rows.begin(), rows.end());
      out_.slot_offset.push_back(static_cast<std::int64_t>(out_.slot_row.size()));
    }
    out_.local_offset.push_back(static_cast<std::int64_t>(out_.local.size()));
    for_each_row(segment, list, [&](int, std::size_t c, int row, bool mine) {
      const std::vector<int> &rows = own[group_of(c)];
      const auto slot = mine ? std::ranges::lower_bound(rows, row) : rows.end();
      out_.local.push_back(static_cast<int>(slot - rows.begin()));
    });
  }

  const ChainLoop &loop_;
  const ChainColumns &columns_;
  const LoopShares &shares_;
  int changes_ = 0;        // columns through which the elements change rows
  std::vector<int> place_; // of each local column among them
  std::vector<std::vector<ListPiece>> pieces_;
  std::vector<int> used_; // lists with pieces
  int together_ = -1;     // the list that runs the present block as a whole
  OwnerLists &out_;
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
    for (const TimedStep &each : of(list)) out_.steps.push_back(each.step), out_.tile.push_back(each.tile);
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

namespace {

// In half the memory, if all numbers are small; then `local` is empty.
std::vector<std::uint16_t> shortened(std::vector<int> &local) {
  if (local.empty() || std::ranges::max(local) > std::numeric_limits<std::uint16_t>::max()) return {};
  std::vector<std::uint16_t> out(local.begin(), local.end());
  local = {};
  return out;
}

} // namespace

namespace {

// Numbers of rows in each run are few enough to be looked through for every element.
constexpr std::size_t most_runs = 16; // of a group in a table
constexpr double most_runs_on_average = 4;

// Nothing if they are too many.
std::optional<OwnerLists> in_runs(const OwnerLists &tables, std::vector<int> &runs) {
  OwnerLists out;
  out.slot_offset = {0};
  const double most = most_runs_on_average * static_cast<double>(tables.slot_offset.size() - 1);
  for (std::size_t k = 0; k + 1 < tables.slot_offset.size(); ++k) {
    const std::size_t before = runs.size();
    for (std::int64_t s = tables.slot_offset[k]; s < tables.slot_offset[k + 1]; ++s) {
      const int row = tables.slot_row[static_cast<std::size_t>(s)];
      if (runs.size() > before && runs[runs.size() - 2] + runs.back() == row)
        ++runs.back();
      else
        runs.insert(runs.end(), {row, 1});
    }
    if (runs.size() - before > 2 * most_runs || static_cast<double>(runs.size()) > 2 * most) return std::nullopt;
    out.slot_offset.push_back(static_cast<std::int64_t>(runs.size() / 2));
  }
  return out;
}

} // namespace

void shorten_tables(ChainLists &lists) {
  for (std::size_t l = 0; l < lists.loops.size(); ++l) {
    OwnerLists &tables = lists.loops[l];
    std::vector<int> runs;
    if (tables.slot_offset.size() < 2 || !lists.runs[l].empty()) continue;
    std::optional<OwnerLists> shorter = in_runs(tables, runs);
    if (!shorter || runs.empty() || runs.size() >= tables.slot_row.size()) continue;
    tables.slot_offset = std::move(shorter->slot_offset);
    tables.slot_row = {}, tables.local = {}, tables.local_offset = {};
    lists.short_local[l] = {};
    lists.runs[l] = std::move(runs);
    lists.runs[l].shrink_to_fit();
  }
}

double bytes_of(const ChainLists &lists) {
  const auto bytes = [](const auto &values) { return static_cast<double>(values.size() * sizeof values[0]); };
  double out = bytes(lists.steps) + bytes(lists.tile) + bytes(lists.waits) + bytes(lists.lists);
  for (const OwnerLists &loop : lists.loops)
    out += bytes(loop.segments) + bytes(loop.local_offset) + bytes(loop.local) + bytes(loop.slot_offset) +
           bytes(loop.slot_row);
  for (const std::vector<std::uint16_t> &local : lists.short_local) out += bytes(local);
  for (const std::vector<int> &runs : lists.runs) out += bytes(runs);
  return out;
}

ChainLists list_chain(std::span<const ChainLoop> loops, std::span<const ChainColumns> columns, const ChainTiles &tiles,
                      const ChainParts &parts) {
  ChainLists out;
  out.longest = parts.longest();
  out.loops.resize(loops.size());
  std::vector<LoopLists> cutters;
  for (std::size_t l = 0; l < loops.size(); ++l)
    cutters.emplace_back(loops[l], columns[l], parts.loops[l], parts.lists(), out.loops[l]);
  std::vector<std::vector<TimedStep>> lists(static_cast<std::size_t>(parts.lists()));
  for (int t = 0; t < tiles.tiles(); ++t)
    for (std::size_t s = tiles.first[static_cast<std::size_t>(t)]; s < tiles.first[static_cast<std::size_t>(t) + 1];
         ++s) {
      const ChainStep &step = tiles.steps[s];
      cutters[static_cast<std::size_t>(step.loop)].cut(step.begin, step.end, [&](int list, int first, int last) {
        lists[static_cast<std::size_t>(list)].push_back({{step.loop, first, last}, t});
      });
    }
  const Joined joined(parts, std::move(lists), out);
  for (OwnerLists &loop : out.loops) out.short_local.push_back(shortened(loop.local));
  out.runs.resize(loops.size());
  return out;
}

} // namespace op2::core
