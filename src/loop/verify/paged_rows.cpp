#include "loop/verify/paged_rows.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "mesh/numbering.hpp"
#include "mesh/paged/kept_rows.hpp"

namespace op2::core {

namespace {

// Of a chunk. Moments count steps.
struct ChunkState {
  bool there = false, changed = false;
  bool kept = false;                 // always in memory
  int read_in = -1, written_in = -1; // the last unit that waits for it, so; -1: none
  std::int64_t lost = -1;            // when what was in it went without being written
};

// Rows of a dat or a map.
struct PagedRows {
  std::string name; // "dat 'q'"
  const Set *set = nullptr;
  int array = -1;
  std::vector<std::pair<std::int64_t, std::int64_t>> chunks = {}; // of each row: [first, last)
  std::vector<std::int64_t> written = {};                         // when each row was written last
};

class RowsVerifier {
 public:
  RowsVerifier(std::span<Loop *const> loops, const ChunkStore &pager, const PagedSteps &schedule)
      : loops_(loops), pager_(pager), schedule_(schedule) {
    for (const Loop *loop : loops)
      for (const LoopArg &arg : loop->signature().args) {
        if (arg.map)
          add(arg.map, {text("map '", arg.map->label, "'"), &arg.map->source(), arg.map->paged.number()},
              arg.map->table_rows(), static_cast<std::size_t>(arg.map->dim) * sizeof(int));
        if (!arg.dat) continue;
        const int array = arg.dat->host.paged().number();
        add(arg.dat, {text("dat '", arg.dat->label, "'"), &arg.dat->on(), array}, arg.dat->on().rows(),
            static_cast<std::size_t>(arg.dat->size));
        if (array < 0) continue;
        const Chunks kept = kept_chunks(*arg.dat, pager);
        each({&kept, 1}, [](ChunkState &chunk) { chunk.kept = true; });
      }
    come(schedule.start, false);
    each(schedule.start, [](ChunkState &chunk) { chunk.changed = true; }); // by what ran before
  }

  std::optional<PagedRowFault> fault() {
    for (const Step &step : schedule_.steps) {
      ++now_;
      if (step.what == Do::run)
        run(step);
      else
        move(step);
      if (fault_) return fault_;
    }
    for (std::size_t l = 0; l < loops_.size() && !fault_; ++l) need_values(l);
    return fault_;
  }
  std::int64_t uses() const { return uses_; }

 private:
  void add(const void *object, PagedRows rows, int count, std::size_t bytes) {
    const auto [at, is_new] = rows_.try_emplace(object, std::move(rows));
    PagedRows &added = at->second;
    if (!is_new || added.array < 0) return;
    added.written.assign(static_cast<std::size_t>(count), 0);
    for (std::size_t row = 0; row < added.written.size(); ++row) {
      const Chunks chunks = pager_.chunks_of(added.array, row * bytes, (row + 1) * bytes);
      added.chunks.emplace_back(chunks.first, chunks.last);
    }
    chunks_[added.array].resize(static_cast<std::size_t>(pager_.chunks(added.array)));
  }

  template <class Act>
  void each(std::span<const Chunks> all, const Act &act) {
    for (const Chunks &chunks : all)
      for (std::int64_t c = chunks.first; c < chunks.last; ++c) act(chunks_[chunks.array][static_cast<std::size_t>(c)]);
  }
  void come(std::span<const Chunks> all, bool made) {
    each(all, [&](ChunkState &chunk) {
      if (std::exchange(chunk.there, true)) return;
      if (made) chunk.lost = now_;
    });
  }
  void move(const Step &step) {
    if (step.what != Do::drop && step.what != Do::store && step.what != Do::load && step.what != Do::need) return;
    const PageMoves &unit = schedule_.units[static_cast<std::size_t>(step.part)];
    if (step.what == Do::drop)
      each(unit.drop, [&](ChunkState &chunk) {
        if (std::exchange(chunk.changed, false)) chunk.lost = now_;
        chunk.there = false;
      });
    else if (step.what == Do::store)
      each(unit.store, [](ChunkState &chunk) { chunk.there = chunk.changed = false; });
    else if (step.what == Do::load)
      come(unit.make, true), come(unit.load, false), come(unit.again, false);
    else
      need(unit, step.part);
  }
  // What a unit waits for and what is not there is read now, as late as by page faults.
  void need(const PageMoves &unit, int number) {
    unit_ = number;
    each(unit.read, [&](ChunkState &chunk) {
      if (chunk.there) chunk.read_in = number;
    });
    each(unit.write, [&](ChunkState &chunk) {
      if (chunk.there) chunk.read_in = chunk.written_in = number, chunk.changed = true;
    });
  }

  void run(const Step &step) {
    const auto l = static_cast<std::size_t>(step.loop);
    const std::vector<LoopArg> &args = loops_[l]->signature().args;
    for (int element = step.begin; element < step.end && !fault_; ++element)
      for (std::size_t a = 0; a < args.size() && !fault_; ++a) use(l, a, element);
  }
  void use(std::size_t l, std::size_t a, int element) {
    const LoopArg &arg = loops_[l]->signature().args[a];
    if (arg.map) use_row(l, a, element, rows_.at(arg.map), element, OP_READ);
    if (!arg.dat) return;
    PagedRows &rows = rows_.at(arg.dat);
    const auto use_dat = [&](int row) { use_row(l, a, element, rows, row, arg.access); };
    if (!arg.map) return use_dat(element);
    const int *const entries = arg.map->table.data() + static_cast<std::ptrdiff_t>(element) * arg.map->dim;
    for (int c = 0; c < std::max(arg.count, 1) && !fault_; ++c) use_dat(entries[arg.column + c]);
  }
  void use_row(std::size_t l, std::size_t a, int element, PagedRows &rows, int row, op_access access) {
    if (rows.array < 0) return;
    ++uses_;
    const std::vector<ChunkState> &chunks = chunks_[rows.array];
    std::int64_t &written = rows.written[static_cast<std::size_t>(row)];
    const auto [first, last] = rows.chunks[static_cast<std::size_t>(row)];
    const char *wrong = nullptr;
    for (std::int64_t c = first; c < last; ++c) {
      const ChunkState &chunk = chunks[static_cast<std::size_t>(c)];
      if (chunk.kept) continue;
      if (chunk.read_in != unit_)
        wrong = "has not brought";
      else if (access != OP_READ && chunk.written_in != unit_)
        wrong = "has brought for reading only";
      else if (access != OP_WRITE && chunk.lost > written)
        wrong = "has lost";
    }
    if (access != OP_READ) written = now_;
    if (!wrong) return;
    const LoopSignature &what = loops_[l]->signature();
    fault_ = {l, text("element ", declared(what.set, element), " of set '", what.set.label, "' in loop '", what.name,
                      "' needs ", rows.name, ", row ", declared(*rows.set, row), ", for argument ", a, " (from 0: ",
                      access_name(what.args[a].access), "), which the schedule ", wrong, " for unit ", unit_)};
  }
  static op_gindex declared(const Set &set, int number) { return ElementNumbers(set).of(number); }

  // After the chain, too.
  void need_values(std::size_t l) {
    for (const DatUse &use : loops_[l]->signature().dats) {
      const PagedRows &rows = rows_.at(use.dat);
      if (rows.array < 0 || use.dat->storage == OP_STORAGE_SCRATCH) continue;
      const std::vector<ChunkState> &chunks = chunks_[rows.array];
      for (std::size_t row = 0; row < rows.written.size() && !fault_; ++row)
        for (std::int64_t c = rows.chunks[row].first; c < rows.chunks[row].second; ++c)
          if (chunks[static_cast<std::size_t>(c)].lost > rows.written[row])
            fault_ = {l, text("after loop '", loops_[l]->name(), "' the schedule has lost ", rows.name, ", row ",
                              declared(*rows.set, static_cast<int>(row)))};
    }
  }

  std::span<Loop *const> loops_;
  const ChunkStore &pager_;
  const PagedSteps &schedule_;
  std::map<const void *, PagedRows> rows_;        // by dat or map
  std::map<int, std::vector<ChunkState>> chunks_; // by the pager's number of the array
  std::int64_t now_ = 0, uses_ = 0;
  int unit_ = -2; // none yet
  std::optional<PagedRowFault> fault_;
};

} // namespace

std::optional<PagedRowFault> find_fault(std::span<Loop *const> loops, const ChunkStore &pager,
                                        const PagedSteps &schedule, std::int64_t &uses) {
  RowsVerifier verifier(loops, pager, schedule);
  std::optional<PagedRowFault> fault = verifier.fault();
  uses = verifier.uses();
  return fault;
}

std::int64_t verify_rows(std::span<Loop *const> loops, const ChunkStore &pager, const PagedSteps &schedule,
                         const std::string &chain, std::size_t &at) {
  std::int64_t uses = 0;
  const std::optional<PagedRowFault> fault = find_fault(loops, pager, schedule, uses);
  if (!fault) return uses;
  at += fault->loop;
  fail(OP_ERR_CHECK, chain, "of ", loops.size(), loops.size() == 1 ? " loop" : " loops",
       " with data in a file: ", fault->text,
       ". This is a mistake of the library, not of the program: please report it. Without OP2_MEMORY_LIMIT all rows "
       "stay in memory [check: chain]");
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
