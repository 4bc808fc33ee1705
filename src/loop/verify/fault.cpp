#include "loop/verify/fault.hpp"

#include <algorithm>

#include "loop/verify/timeline.hpp"

namespace op2::core {

namespace {

using Kind = ScheduleFault::Kind;

bool changes(op_access access) { return access != OP_READ; }

std::size_t row_of(const RowAccess &access, int element) {
  return static_cast<std::size_t>(access.column ? access.column[static_cast<std::ptrdiff_t>(element) * access.step]
                                                : element);
}

class Verifier {
 public:
  Verifier(const AccessedChain &chain, const Timeline &time) : chain_(chain), time_(time) {}

  std::optional<ScheduleFault> fault() {
    if ((fault_ = time_.fault())) return fault_;
    for (int l = 0; l < static_cast<int>(chain_.loops.size()) && !fault_; ++l) count_runs(l);
    for (int d = 0; d < static_cast<int>(chain_.rows.size()) && !fault_; ++d)
      if (changes_somewhere(d)) walk(d);
    return fault_;
  }

 private:
  const AccessedLoop &loop(int l) const { return chain_.loops[static_cast<std::size_t>(l)]; }
  ScheduleFault::Place place(int l, int element, const Moment &moment, op_access access) const {
    return {l, element, moment.list, time_.step_of(moment), access};
  }

  bool changes_somewhere(int dat) const {
    return std::ranges::any_of(chain_.loops, [dat](const AccessedLoop &loop) {
      return std::ranges::any_of(loop.accesses,
                                 [dat](const RowAccess &a) { return a.dat == dat && changes(a.access); });
    });
  }

  // Each element runs, each of its changes is kept once, and its values are reduced once.
  void count_runs(int l) {
    const AccessedLoop &of = loop(l);
    const bool changing = std::ranges::any_of(of.accesses, [](const RowAccess &a) { return changes(a.access); });
    time_.for_each_element(l, [&](int element, std::span<const Run> runs) {
      if (fault_) return;
      if (runs.empty()) {
        fault_ = ScheduleFault{Kind::left, -1, -1, {l, element}, {}};
        return;
      }
      if (!changing || !of.blocks.empty()) need_one(l, element, runs, nullptr);
      for (const RowAccess &access : of.accesses)
        if (changes(access.access)) need_one(l, element, runs, &access);
    });
  }
  // access: NULL = the values that the element reduces.
  void need_one(int l, int element, std::span<const Run> runs, const RowAccess *access) {
    const Run *kept = nullptr;
    const auto fault = [&](Kind kind, const Run &first, const Run *second) {
      fault_ = ScheduleFault{kind, access ? access->dat : -1, -1, {}, {}};
      const op_access what = access ? access->access : OP_READ;
      if (access) fault_->row = static_cast<int>(row_of(*access, element));
      fault_->earlier =
          kind == Kind::left ? ScheduleFault::Place{l, element, 0, -1, what} : place(l, element, first.moment, what);
      if (second) fault_->later = place(l, element, second->moment, what);
    };
    for (const Run &run : runs) {
      if (fault_) return;
      const Kept keeps = access ? time_.keeps(l, run, element, *access) : run.reduces ? Kept::yes : Kept::no;
      if (keeps == Kept::wrong) return fault(Kind::table, run, nullptr);
      if (keeps == Kept::no) continue;
      if (kept) return fault(Kind::again, *kept, &run);
      kept = &run;
    }
    if (!kept && !fault_) fault(Kind::left, runs.front(), nullptr);
  }

  // What has happened to the rows of one dat, loop after loop.
  struct History {
    std::vector<Moment> changed;    // the last change of each row
    std::vector<std::int64_t> read; // [row][list]: the last moment at which the list read it since then; -1: never
  };
  void walk(int dat) {
    const auto rows = static_cast<std::size_t>(chain_.rows[static_cast<std::size_t>(dat)]);
    History history;
    history.changed.resize(rows);
    history.read.assign(rows * lists(), -1);
    for (int l = 0; l < static_cast<int>(chain_.loops.size()) && !fault_; ++l) {
      std::vector<const RowAccess *> reading, changing;
      for (const RowAccess &access : loop(l).accesses)
        if (access.dat == dat) (changes(access.access) ? changing : reading).push_back(&access);
      if (!reading.empty()) look(l, reading, history);
      if (!changing.empty()) change(l, changing, history);
      if (!reading.empty()) note(l, reading, history);
    }
  }
  std::size_t lists() const { return static_cast<std::size_t>(time_.lists()); }

  template <class Body>
  void for_each_access(int l, const std::vector<const RowAccess *> &accesses, const Body &body) {
    time_.for_each_element(l, [&](int element, std::span<const Run> runs) {
      for (const RowAccess *access : accesses)
        for (const Run &run : runs)
          if (!fault_) body(*access, element, run, row_of(*access, element));
    });
  }
  void report(const RowAccess &access, std::size_t row, const Moment &before, int l, int element,
              const Moment &moment) {
    const Timeline::Origin origin = time_.origin(before);
    fault_ =
        ScheduleFault{Kind::order, access.dat, static_cast<int>(row), {}, place(l, element, moment, access.access)};
    fault_->earlier = place(origin.loop, origin.element, before, access_at(origin, access.dat, row));
  }
  // How the element accesses the row: by what changes it, if anything does.
  op_access access_at(const Timeline::Origin &origin, int dat, std::size_t row) const {
    op_access out = OP_READ;
    for (const RowAccess &access : loop(origin.loop).accesses)
      if (access.dat == dat && changes(access.access) && row_of(access, origin.element) == row) out = access.access;
    return out;
  }

  // Whatever is read has been changed before, by earlier loops. Runs of which nothing is kept read, too.
  void look(int l, const std::vector<const RowAccess *> &accesses, const History &history) {
    for_each_access(l, accesses, [&](const RowAccess &access, int element, const Run &run, std::size_t row) {
      const Moment &changed = history.changed[row];
      if (changed.happened() && !time_.before(changed, run.moment))
        report(access, row, changed, l, element, run.moment);
    });
  }
  void change(int l, const std::vector<const RowAccess *> &accesses, History &history) {
    for_each_access(l, accesses, [&](const RowAccess &access, int element, const Run &run, std::size_t row) {
      if (time_.keeps(l, run, element, access) != Kept::yes) return;
      Moment &changed = history.changed[row];
      if (changed.happened() && changed != run.moment && !time_.before(changed, run.moment))
        return report(access, row, changed, l, element, run.moment);
      for (std::size_t list = 0; list < lists(); ++list) {
        std::int64_t &read = history.read[row * lists() + list];
        const Moment then{static_cast<int>(list), read};
        if (read >= 0 && !time_.before(then, run.moment)) return report(access, row, then, l, element, run.moment);
        read = -1;
      }
      changed = run.moment;
    });
  }
  void note(int l, const std::vector<const RowAccess *> &accesses, History &history) {
    for_each_access(l, accesses, [&](const RowAccess &, int, const Run &run, std::size_t row) {
      std::int64_t &read = history.read[row * lists() + static_cast<std::size_t>(run.moment.list)];
      read = std::max(read, run.moment.at);
    });
  }

  const AccessedChain &chain_;
  const Timeline &time_;
  std::optional<ScheduleFault> fault_;
};

} // namespace

std::optional<ScheduleFault> find_fault(const AccessedChain &chain, const ChainTiles &tiles) {
  const Timeline time(chain, tiles);
  return Verifier(chain, time).fault();
}

std::optional<ScheduleFault> find_fault(const AccessedChain &chain, const ChainLists &lists) {
  const Timeline time(chain, lists);
  return Verifier(chain, time).fault();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
